// The table of the kernels in simd/pair_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/pairs/filtered_pairs.hpp"
#include "simd/kernels/pairs/pairs.hpp"
#include "simd/kernels/pairs/tree_join.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr PairKernels pairs_table() {
    return {
        .few_pairs = Pairs<V>::few_pairs,
        .row_pairs = Pairs<V>::row_pairs,
        .region_pairs = Pairs<V>::region_pairs,
        .oversized_pairs = Pairs<V>::oversized_pairs,
        .row_pairs_filtered = FilteredPairs<V>::row_pairs_filtered,
        .region_pairs_filtered = FilteredPairs<V>::region_pairs_filtered,
        .oversized_pairs_filtered = FilteredPairs<V>::oversized_pairs_filtered,
        .cross_pairs = Pairs<V>::cross_pairs,
        .tree_pairs = TreeJoin<V>::pairs,
    };
}

}  // namespace throng::simd
