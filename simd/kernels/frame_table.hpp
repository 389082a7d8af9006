// The table of the kernels of frames, for one instruction set: all that its object file exports.
#pragma once

#include "simd/kernels.hpp"
#include "simd/kernels/build.hpp"
#include "simd/kernels/pairs/filtered_pairs.hpp"
#include "simd/kernels/pairs/pairs.hpp"
#include "simd/kernels/pairs/tree_join.hpp"
#include "simd/kernels/row_merge.hpp"
#include "simd/kernels/sample_points.hpp"
#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/search/packets.hpp"
#include "simd/kernels/search/queries.hpp"
#include "simd/kernels/search/tree_search.hpp"
#include "simd/kernels/tree_places.hpp"

namespace throng::simd {

template <class V>
constexpr Kernels frame_table(Isa isa, const ShapeKernels& shapes, const NeighbourKernels& neighbours,
                              const CastKernels& casts) {
    return {
        .isa = isa,
        .shapes = &shapes,
        .neighbours = &neighbours,
        .casts = &casts,
        .count_rows = Build<V>::count_rows,
        .count_region_rows = IslandSearch<V>::count_region_rows,
        .find_regions = IslandSearch<V>::find_regions,
        .scatter = Build<V>::scatter,
        .scatter_in_place = Build<V>::scatter_in_place,
        .sort_row = Build<V>::sort_row,
        .sort_rows = Build<V>::sort_rows,
        .keep_row = RowMerge<V>::keep_row,
        .merge_row = RowMerge<V>::merge_row,
        .count_staying = RowMerge<V>::count_staying,
        .fill_row = Build<V>::fill_row,
        .measure_row = Build<V>::measure_row,
        .bound_row = Build<V>::bound_row,
        .tree_places = TreePlaces<V>::find,
        .bound_corners = SamplePoints<V>::bound_corners,
        .find_tiles = SamplePoints<V>::find_tiles,
        .few_pairs = Pairs<V>::few_pairs,
        .row_pairs = Pairs<V>::row_pairs,
        .region_pairs = Pairs<V>::region_pairs,
        .oversized_pairs = Pairs<V>::oversized_pairs,
        .find = Queries<V>::find,
        .count = Queries<V>::count,
        .any = Queries<V>::any,
        .count_legal = Packets<V>::count_legal,
        .find_in_order = Queries<V>::template choose<Queries<V>::template Find>,
        .count_in_order = Queries<V>::template choose<Queries<V>::template CountAll>,
        .any_in_order = Queries<V>::template choose<Queries<V>::template AnyOfAll>,
        .count_query_rows = Packets<V>::count_query_rows,
        .scatter_queries = Packets<V>::scatter_queries,
        .sort_packet = Packets<V>::sort_packet,
        .find_packet = Queries<V>::template choose<Queries<V>::template Find>,
        .count_packet = Queries<V>::template choose<Queries<V>::template CountAll>,
        .any_packet = Queries<V>::template choose<Queries<V>::template AnyOfAll>,
        .row_pairs_filtered = FilteredPairs<V>::row_pairs_filtered,
        .region_pairs_filtered = FilteredPairs<V>::region_pairs_filtered,
        .oversized_pairs_filtered = FilteredPairs<V>::oversized_pairs_filtered,
        .cross_pairs = Pairs<V>::cross_pairs,
        .tree_find = TreeSearches<V>::find,
        .tree_count = TreeSearches<V>::count,
        .tree_any = TreeSearches<V>::any,
        .tree_pairs = TreeJoin<V>::pairs,
        .find_together = Queries<V>::find_together,
    };
}

}  // namespace throng::simd
