// The table of the kernels in simd/row_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/box_places.hpp"
#include "simd/kernels/build.hpp"
#include "simd/kernels/row_merge.hpp"
#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/storeys/storey_search.hpp"
#include "simd/row_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr RowKernels rows_table() {
    return {
        .count_rows = Build<V>::count_rows,
        .count_region_rows = IslandSearch<V>::count_region_rows,
        .find_storeys = StoreySearch<V>::find_storeys,
        .find_regions = IslandSearch<V>::find_regions,
        .scatter = Build<V>::scatter,
        .scatter_tall = Build<V>::scatter_tall,
        .scatter_in_place = Build<V>::scatter_in_place,
        .sort_row = Build<V>::template sort_row<Record>,
        .sort_tall_row = Build<V>::template sort_row<TallRecord>,
        .sort_rows = Build<V>::template sort_rows<Record>,
        .sort_tall_rows = Build<V>::template sort_rows<TallRecord>,
        .keep_row = RowMerge<V>::keep_row,
        .merge_row = RowMerge<V>::merge_row,
        .measure_row = Build<V>::measure_row,
        .shared_heights = StoreySearch<V>::shared_heights,
        .bound_row = Build<V>::bound_row,
        .tree_ranks = FindRanks<V>::find,
        .bound_corners = SamplePoints<V>::bound_corners,
        .find_tiles = SamplePoints<V>::find_tiles,
    };
}

}  // namespace throng::simd
