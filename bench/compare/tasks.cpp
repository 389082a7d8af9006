#include "bench/compare/tasks.hpp"

namespace throng::bench {

namespace {

bool has_boxes(const Index& index) { return !index.can(Ability::only_places); }
bool finds_pairs(const Index& index) { return has_boxes(index) && !index.can(Ability::only_queries); }
bool answers_alone(const Index& index) { return has_boxes(index) && !index.can(Ability::only_batches); }
bool has_memory(const Index& index) { return !index.can(Ability::only_queries); }
bool finds_neighbours(const Index& index) { return index.can(Ability::neighbours); }
bool finds_nearest(const Index& index) { return finds_neighbours(index) && !index.can(Ability::only_within); }
bool has_lists(const Index& index) { return index.can(Ability::neighbour_lists); }
bool keeps_lists(const Index& index) { return index.can(Ability::keeps_lists); }
bool filters_neighbours(const Index& index) {
    return index.can(Ability::neighbours) && index.can(Ability::labels);
}
bool counts_touched(const Index& index) { return index.can(Ability::touched); }
bool counts_touched_with_labels(const Index& index) {
    return index.can(Ability::touched) && index.can(Ability::labels);
}
bool answers_as_found(const Index& index) { return index.can(Ability::as_found); }
bool compares_frames(const Index& index) { return index.can(Ability::changes); }
bool takes_edits(const Index& index) { return index.can(Ability::edits); }
bool has_labels(const Index& index) { return index.can(Ability::labels); }
bool casts(const Index& index) { return index.can(Ability::casts); }
bool casts_singly(const Index& index) { return index.can(Ability::single_casts); }
bool casts_with_labels(const Index& index) { return index.can(Ability::casts) && index.can(Ability::labels); }
bool has_leaf_order(const Index& index) { return index.can(Ability::leaf_order); }
bool calls_singly(const Index& index) { return index.can(Ability::single_calls); }
bool finds_neighbours_singly(const Index& index) { return index.can(Ability::single_neighbours); }
// Of those that are equally near the lowest id, which a tree of places does not promise.
bool finds_equally_near_ones(const Index& index) {
    return finds_neighbours_singly(index) && has_boxes(index);
}
bool takes_removals(const Index& index) { return index.can(Ability::removals); }
bool takes_all_edits(const Index& index) {
    return takes_edits(index) && takes_removals(index) && index.can(Ability::insertions);
}
bool takes_layouts(const Index& index) { return index.can(Ability::layouts); }
bool makes_host_frames(const Index& index) {
    return takes_layouts(index) && finds_neighbours(index) && casts(index);
}
bool counts_allocations(const Index& index) { return index.can(Ability::allocations); }

const Task table[] = {
    {"frame", "update for all agents, then all overlapping pairs", run_frame_task, finds_pairs},
    {"first", "making the index, and its first frame", run_first_task, has_memory},
    {"memory", "bytes held per agent after those frames", run_memory_task, has_memory},
    {"heap", "calls of the heap in a frame", run_heap_task, has_memory},
    {"T2", "one neighbourhood query per agent, in random order", run_neighbourhoods_task, has_boxes},
    {"T2.found", "the same, answered in the order of the search", run_neighbourhoods_as_found_task,
     answers_as_found},
    {"T2c", "the same in coherent order", run_coherent_neighbourhoods_task, has_boxes},
    {"T2.leaf", "the same in the index's own order", run_ordered_neighbourhoods_task, has_leaf_order},
    {"T3", "1,000 large searches", run_large_searches_task, answers_alone},
    {"T3.count", "the same, counted only", run_large_counts_task, answers_alone},
    {"half.count", "32 counts in boxes of half the world's area", run_half_counts_task, answers_alone},
    {"T2.rare", "T2, asking for a category that one agent in a thousand has", run_rare_neighbourhoods_task,
     has_labels},
    {"T3.rare", "T3, likewise", run_rare_large_searches_task, has_labels},
    {"T2r", "all within 2 of every agent's centre", run_within_task, finds_neighbours},
    {"T2r.half", "the same, each pair once", run_half_within_task, finds_neighbours},
    {"T2r.filter", "T2r with labels and a filter that admits all", run_filtered_within_task,
     filters_neighbours},
    {"T2.frame", "update for all agents, then T2", run_boxes_frame_task, has_boxes},
    {"T2r.frame", "update for all agents, then T2r", run_within_frame_task, finds_neighbours},
    {"knn.frame", "update for all agents, then knn", run_nearest_frame_task, finds_nearest},
    {"walk", "a pedestrian simulation: update, all within 3 of every agent, each copied", run_walk_task,
     has_lists},
    {"some", "one agent in 100 moves, then all pairs", run_some_task, finds_pairs},
    {"still", "1,000 small boxes, a call for each, where nothing moves", run_still_task, answers_alone},
    {"ticks",
     "a moving-object join: update, then boxes of half size 200 around a half or a tenth of the agents",
     run_ticks_task, has_boxes},
    {"T2r.kept", "T2r with a skin of 0.5, kept from frame to frame", run_kept_task, keeps_lists},
    {"knn", "the 8 nearest centres of every agent", run_nearest_task, finds_nearest},
    {"knn.filter", "the same with labels and a filter that admits all", run_filtered_nearest_task,
     filters_neighbours},
    {"T9", "how many boxes a circle around each agent touches", run_touched_task, counts_touched},
    {"T9.filter", "T9 with a filter that admits every agent", run_filtered_touched_task,
     counts_touched_with_labels},
    {"T9.labels", "T9 with labels and a filter that admits all", run_labelled_touched_task,
     counts_touched_with_labels},
    {"events", "which pairs began and which ended, from frame to frame", run_events_task, compares_frames},
    {"p99", "99th percentile of frame times over many frames", run_p99_task, finds_pairs},
    {"T5", "first hits of 100,000 segments", run_segments_task, casts},
    {"T5.any", "whether each of them hits anything", run_lines_of_sight_task, casts},
    {"T5.filter", "T5 with a filter that admits every agent", run_filtered_segments_task, casts_with_labels},
    {"T5.labels", "T5 with labels and a filter that admits all", run_labelled_segments_task,
     casts_with_labels},
    {"T8", "first hits of 100,000 boxes that move", run_moving_boxes_task, casts},
    {"T8.filter", "T8 with a filter that admits every agent", run_filtered_moving_boxes_task,
     casts_with_labels},
    {"T8.labels", "T8 with labels and a filter that admits all", run_labelled_moving_boxes_task,
     casts_with_labels},
    {"T5.single", "T5, a call for each segment", run_single_segments_task, casts_singly},
    {"T5.any.single", "T5.any, likewise", run_single_lines_of_sight_task, casts_singly},
    {"T8.single", "T8, likewise", run_single_moving_boxes_task, casts_singly},
    {"single", "20,000 small boxes, a call for each, listed, and visited with their boxes",
     run_single_boxes_task, calls_singly},
    {"single.neighbours",
     "20,000 times all within 2 of a point, the nearest, and the 8 nearest, a call for each",
     run_single_neighbours_task, finds_neighbours_singly},
    {"nearest1", "the nearest centre of every agent", run_one_nearest_task, finds_nearest},
    {"thin", "20,000 boxes of 50 by 0.1, a call for each", run_thin_task, calls_singly},
    {"lists", "all within 9.77 of every agent's centre, by id and in the index's own order",
     run_long_lists_task, finds_neighbours},
    {"frame.queries", "update for all agents, then 1, 10, 100 or 1,000 small queries", run_few_queries_task,
     answers_alone},
    {"layout", "update from arrays, structs of 48 bytes, copies of these, and points", run_layouts_task,
     takes_layouts},
    {"host", "a frame by id from structs: update, pairs, 8 nearest of all, 20,000 rays", run_host_task,
     makes_host_frames},
    {"pile", "all agents at one point: a visitor that stops after 8, and first hits", run_pile_task,
     answers_alone},
    {"pile.neighbours", "all agents at one point: the nearest to a point, and the 8 nearest",
     run_pile_neighbours_task, finds_equally_near_ones},
    {"allocations", "allocations in those frames", run_allocations_task, counts_allocations},
    {"commit.rows", "committing moves of all agents in 1 % of the rows", run_commit_rows_task, takes_edits},
    {"commit.any", "committing moves of 1 % of the agents, anywhere", run_commit_any_task, takes_edits},
    {"edits", "10 moves and a query; one agent in 10,000, 1,000 and 100 moves, and 100 queries",
     run_edits_task, takes_edits},
    {"edits.chart", "committing moves of 1, 2, 4 agents and so on, up to all", run_edits_chart_task,
     takes_edits},
    {"mixed", "update for all agents, then 10 moves, 10 insertions or 10 removals and a commit",
     run_mixed_task, takes_all_edits},
    {"removal", "a commit after which one agent in 100 is left", run_removal_task, takes_removals},
};

}  // namespace

std::span<const Task> tasks() { return table; }

const Task* find_task(const std::string& name) {
    for (const Task& task : table)
        if (name == task.name) return &task;
    return nullptr;
}

}  // namespace throng::bench
