// A packet of queries against a run of boxes that was gathered for all of them. Each query is compared with
// whole vectors of boxes, and its ids are left-packed, branch-free.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct Together : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;

    THRONG_KERNEL static void find_together(const Row& row, const Query* queries, std::size_t count,
                                            std::uint32_t* ids, std::uint32_t* ends) {
        const Arrays a(row);
        std::uint32_t* at = ids;
        for (std::size_t k = 0; k < count; ++k) {
            const Probe probe(queries[k]);
            for (std::uint32_t j = 0; j < row.count; j += Wide::size) {
                const std::uint32_t found = probe.overlap(a, j);
                V::left_pack(at, a.id + j, found);
                at += V::count_bits(found);
            }
            ends[k] = static_cast<std::uint32_t>(at - ids);
        }
    }
};

}  // namespace throng::simd
