// The table of the kernels in simd/pair_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/pairs/filtered/filtered_pairs.hpp"
#include "simd/kernels/pairs/filtered/pairs_at_heights.hpp"
#include "simd/kernels/pairs/pairs.hpp"
#include "simd/kernels/pairs/tree_join.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::simd {

template <class V, AgentsAs as>
constexpr OwnPairKernels own_pairs_table() {
    using Own = Pairs<V, as>;
    return {Own::few_pairs, Own::row_pairs, Own::region_pairs, Own::oversized_pairs};
}

template <class V>
constexpr PairKernels pairs_table() {
    return {
        .boxes = own_pairs_table<V, AgentsAs::boxes>(),
        .circles = own_pairs_table<V, AgentsAs::circles>(),
        .row_pairs_filtered = FilteredPairs<V>::row_pairs_filtered,
        .row_pairs_at_heights = PairsAtHeights<V>::row_pairs,
        .region_pairs_filtered = FilteredPairs<V>::region_pairs_filtered,
        .storey_pairs_filtered = FilteredPairs<V>::storey_pairs_filtered,
        .oversized_pairs_filtered = FilteredPairs<V>::oversized_pairs_filtered,
        .cross_pairs = Pairs<V>::cross_pairs,
        .tree_pairs = TreeJoin<V>::pairs,
    };
}

}  // namespace throng::simd
