// The table of the kernels in simd/pair_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/pairs/filtered_pairs.hpp"
#include "simd/kernels/pairs/pairs.hpp"
#include "simd/kernels/pairs/tree_join.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr PairKernels pairs_table() {
    using Boxes = Pairs<V>;
    using Measured = Pairs<V, Close::measured>;
    using Filtered = FilteredPairs<V>;
    constexpr auto filtered = [](auto row) -> OwnPairKernels {
        return {row, Filtered::region_pairs, Filtered::oversized_pairs, nullptr, Filtered::storey_pairs};
    };
    constexpr auto measured = [](auto row) -> OwnPairKernels {
        return {row, Measured::region_pairs, Measured::oversized_pairs, Measured::few_pairs, nullptr};
    };
    return {
        .boxes = {Boxes::template row_pairs<>, Boxes::region_pairs, Boxes::oversized_pairs, Boxes::few_pairs,
                  nullptr},
        .circles = measured(Measured::template row_pairs<Close::circles>),
        .measured = measured(Measured::template row_pairs<>),
        .boxes_at_heights = filtered(PairsAtHeights<V>::row_pairs),
        .measured_at_heights = filtered(PairsAtHeights<V>::measured_row_pairs),
        .boxes_by_filter = filtered(FilteredPairs<V, Close::boxes>::row_pairs),
        .measured_by_filter = filtered(Filtered::row_pairs),
        .cross_pairs = Boxes::cross_pairs,
        .tree_pairs = TreeJoin<V>::pairs,
    };
}

}  // namespace throng::simd
