// The faults that may be planted in a PlantedIndex, and the two kinds of it.
#pragma once

#include <cstddef>

#include "structures/tests/any_spatial_index.hpp"

namespace throng::structures::test {

enum class Fault {
    none,
    // Queries.
    answers_twice,
    answers_with_the_removed,
    answers_with_the_omitted,
    omits_more_than_one,
    // Which box overlaps which.
    misses_touching_edges,
    misses_the_outside,
    compares_centres,
    takes_subnormals_for_zero,
    // More faults of queries.
    stops_after_a_thousand,
    goes_on_when_told_to_stop,
    order_follows_earlier_queries,
    order_differs_each_time,
    answers_bad_queries,
    keeps_what_visitors_throw,
    cuts_spans_short,
    takes_silence_for_enough,
    // Pairs.
    pairs_twice,
    pairs_both_ways,
    pairs_with_itself,
    misses_pairs_of_the_last,
    // Edits.
    gives_the_id_of_another,
    never_uses_an_id_again,
    moves_only_in_clean_up,
    loses_one_in_clean_up,
    keeps_old_elements,
    moves_the_removed,
    refuses_giants,
    // Refusals.
    changes_when_refused,
    names_the_last_bad_box,
    takes_nan,
    takes_inverted_boxes,
    reads_null_views,
    takes_any_extents,
    takes_a_point_for_extents,
    edits_without_a_config,
    answers_without_a_config,
    // Its reports on itself.
    lists_an_element_twice,
    lists_one_too_few,
    contains_the_removed,
    has_boxes_of_unknown_ids,
    finds_faults_in_nothing,
    counts_half_in_parts,
    // Memory.
    gives_memory_back_never,
    counts_no_scratch,
    counts_too_much,
    empties_before_it_asks_for_memory,
    throws_without_memory,
    takes_half_without_memory,
    leaves_pairs_out_without_memory,
    takes_memory_in_every_frame,
    grows_with_every_move,
    has_room_for_the_most_yet,
    asks_the_global_heap,
    takes_too_much_for_piles,
    loses_all_when_moved,
    forgets_that_it_was_moved,
    // Of candidates.
    keeps_too_small_boxes,
    answers_by_given_boxes,

    count
};

inline Fault planted = Fault::none;
// How many structures were made. No structure should know that.
inline std::size_t made = 0;

// With exact answers, and with candidates.
IndexKind planted_index();
IndexKind planted_index_of_candidates();

}  // namespace throng::structures::test
