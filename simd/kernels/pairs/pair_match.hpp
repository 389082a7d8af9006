// The comparison of a sweep: boxes alone, or also the labels of a filter.
#pragma once

#include "simd/kernels/pairs/sorted_boxes.hpp"

namespace throng::simd {

template <class V>
struct MatchAll {
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using PairProbe = typename Base::template Probe<typename Base::Wide>;
    static constexpr std::uint32_t arrays = SortedBoxes<V>::plain_arrays;

    static PairProbe probe(const Arrays& a, std::uint32_t i) { return PairProbe(a, i); }
    static bool admits(const Arrays&, std::uint32_t, std::uint32_t) { return true; }
};

}  // namespace throng::simd
