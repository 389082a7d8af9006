// The oversized agents that some neighbours in their tree may overlap, from the first of these on, gathered by one walk:
//
//     neighbours   i i i i i i i i         the agents of a leaf
//     tree         one walk                these, and all behind them that overlap the leaf's bounds
//     each i       compared with what follows it in that list
//
// What an agent finds there, and in which order, is what it would find by a walk of its own.
#pragma once

#include "simd/kernels/oversized/later_oversized.hpp"
#include "simd/kernels/search/shared/gathered.hpp"

namespace throng::simd {

template <class V>
class OversizedAround : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;
    using From = typename LaterOversized<V>::From;

    // The most that a list holds: so many boxes and ids fit into the smallest cache.
    static constexpr std::uint32_t capacity = 512;

    // Gathers those from a place on that overlap the box. Returns false if they are too many.
    THRONG_KERNEL [[gnu::noinline]] bool gather(const View& view, const From& from, const Query& box) {
        list_.cut(0);
        if (!LaterOversized<V>::for_each_leaf(view, from, box,
                                              [&](const Arrays& a, std::uint32_t begin, std::uint32_t end) {
                                                  return list_.add(Probe(box), a, begin, end);
                                              }))
            return false;
        count_ = list_.close(0).count;
        return true;
    }
    std::uint32_t count() const { return count_; }
    Arrays arrays() const { return list_.arrays(); }

private:
    Gathered<V, capacity> list_;
    std::uint32_t count_ = 0;
};

}  // namespace throng::simd
