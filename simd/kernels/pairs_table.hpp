// The table of the kernels in simd/pair_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/pairs/filtered_pairs.hpp"
#include "simd/kernels/pairs/pairs.hpp"
#include "simd/kernels/pairs/searching_pairs.hpp"
#include "simd/kernels/pairs/tree_join.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr PairKernels pairs_table() {
    using Measured = Pairs<V, Close::measured>;
    using Searching = SearchingPairs<V>;
    return {
        .boxes = Pairs<V>::template row_pairs<>,
        .circles = Measured::template row_pairs<Close::circles>,
        .measured = Measured::template row_pairs<>,
        .boxes_at_heights = PairsAtHeights<V>::row_pairs,
        .measured_at_heights = PairsAtHeights<V>::measured_row_pairs,
        .boxes_by_filter = FilteredPairs<V, Close::boxes>::row_pairs,
        .measured_by_filter = FilteredPairs<V>::row_pairs,
        .region = Searching::region_pairs,
        .oversized = Searching::oversized_pairs,
        .storeys = Searching::storey_pairs,
        .few = Pairs<V>::few_pairs,
        .cross_pairs = Searching::cross_pairs,
        .tree_pairs = TreeJoin<V>::pairs,
    };
}

}  // namespace throng::simd
