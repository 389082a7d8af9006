// The table of the kernels in simd/query_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/search/packets.hpp"
#include "simd/kernels/search/queries.hpp"
#include "simd/kernels/search/tree_search.hpp"
#include "simd/kernels/unordered/unordered.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr QueryKernels queries_table() {
    return {
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
        .tree_find = TreeSearches<V>::find,
        .tree_count = TreeSearches<V>::count,
        .tree_any = TreeSearches<V>::any,
        .find_together = Queries<V>::find_together,
        .count_legal_boxes = Unordered<V>::count_legal,
        .find_boxes = Unordered<V>::find,
        .count_boxes = Unordered<V>::count,
        .screen_boxes = Unordered<V>::screen,
        .match_boxes = Unordered<V>::match,
        .count_matches = Unordered<V>::count_matches,
    };
}

}  // namespace throng::simd
