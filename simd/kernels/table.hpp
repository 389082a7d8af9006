// The table of kernels of one instruction set: all that its object file exports.
#pragma once

#include "simd/kernels.hpp"
#include "simd/kernels/build.hpp"
#include "simd/kernels/pairs/cross_pairs.hpp"
#include "simd/kernels/pairs/filtered_pairs.hpp"
#include "simd/kernels/pairs/pairs.hpp"
#include "simd/kernels/pairs/tree_join.hpp"
#include "simd/kernels/search/filtered_batches.hpp"
#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/search/packets.hpp"
#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/together.hpp"
#include "simd/kernels/search/tree_search.hpp"

namespace throng::simd {

template <class V>
constexpr Kernels kernel_table(Isa isa) {
    return {.isa = isa,
            .count_rows = Build<V>::count_rows,
            .count_region_rows = IslandSearch<V>::count_region_rows,
            .scatter = Build<V>::scatter,
            .sort_row = Build<V>::sort_row,
            .fill_row = Build<V>::fill_row,
            .measure_row = Build<V>::measure_row,
            .bound_row = Build<V>::bound_row,
            .few_pairs = Pairs<V>::few_pairs,
            .row_pairs = Pairs<V>::row_pairs,
            .region_pairs = Pairs<V>::region_pairs,
            .oversized_pairs = Pairs<V>::oversized_pairs,
            .find = Search<V>::find,
            .count = Search<V>::count,
            .any = Search<V>::any,
            .count_legal = Packets<V>::count_legal,
            .find_in_order = Search<V>::find_in_order,
            .count_in_order = Search<V>::count_in_order,
            .any_in_order = Search<V>::any_in_order,
            .count_query_rows = Packets<V>::count_query_rows,
            .scatter_queries = Packets<V>::scatter_queries,
            .sort_packet = Packets<V>::sort_packet,
            .find_packet = Search<V>::find_packet,
            .count_packet = Search<V>::count_packet,
            .any_packet = Search<V>::any_packet,
            .find_filtered = FilteredBatches<V>::find_filtered,
            .count_filtered = FilteredBatches<V>::count_filtered,
            .any_filtered = FilteredBatches<V>::any_filtered,
            .find_packet_filtered = FilteredBatches<V>::find_packet_filtered,
            .count_packet_filtered = FilteredBatches<V>::count_packet_filtered,
            .any_packet_filtered = FilteredBatches<V>::any_packet_filtered,
            .row_pairs_filtered = FilteredPairs<V>::row_pairs_filtered,
            .region_pairs_filtered = FilteredPairs<V>::region_pairs_filtered,
            .oversized_pairs_filtered = FilteredPairs<V>::oversized_pairs_filtered,
            .cross_pairs = CrossPairs<V>::cross_pairs,
            .tree_find = TreeSearches<V>::find,
            .tree_count = TreeSearches<V>::count,
            .tree_any = TreeSearches<V>::any,
            .tree_pairs = TreeJoin<V>::pairs,
            .find_together = Together<V>::find_together};
}

}  // namespace throng::simd
