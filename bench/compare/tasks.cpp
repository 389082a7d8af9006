#include "bench/compare/tasks.hpp"

namespace throng::bench {

namespace {

bool has_boxes(const Index& index) { return !index.can(Ability::only_places); }
bool finds_neighbours(const Index& index) { return index.can(Ability::neighbours); }
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
bool counts_allocations(const Index& index) { return index.can(Ability::allocations); }

const Task table[] = {
    {"frame", "update for all agents, then all overlapping pairs", run_frame_task, has_boxes},
    {"memory", "bytes held per agent after those frames", run_memory_task, has_boxes},
    {"T2", "one neighbourhood query per agent, in random order", run_neighbourhoods_task, has_boxes},
    {"T2.found", "the same, answered in the order of the search", run_neighbourhoods_as_found_task,
     answers_as_found},
    {"T2c", "the same in coherent order", run_coherent_neighbourhoods_task, has_boxes},
    {"T2.leaf", "the same in the index's own order", run_ordered_neighbourhoods_task, has_leaf_order},
    {"T3", "1,000 large searches", run_large_searches_task, has_boxes},
    {"T3.count", "the same, counted only", run_large_counts_task, has_boxes},
    {"half.count", "32 counts in boxes of half the world's area", run_half_counts_task, has_boxes},
    {"T2.rare", "T2, asking for a category that one agent in a thousand has", run_rare_neighbourhoods_task,
     has_labels},
    {"T3.rare", "T3, likewise", run_rare_large_searches_task, has_labels},
    {"T2r", "all within 2 of every agent's centre", run_within_task, finds_neighbours},
    {"T2r.half", "the same, each pair once", run_half_within_task, finds_neighbours},
    {"T2r.filter", "T2r with labels and a filter that admits all", run_filtered_within_task,
     filters_neighbours},
    {"T2r.kept", "T2r with a skin of 0.5, kept from frame to frame", run_kept_task, keeps_lists},
    {"knn", "the 8 nearest centres of every agent", run_nearest_task, finds_neighbours},
    {"knn.filter", "the same with labels and a filter that admits all", run_filtered_nearest_task,
     filters_neighbours},
    {"T9", "how many boxes a circle around each agent touches", run_touched_task, counts_touched},
    {"T9.filter", "T9 with a filter that admits every agent", run_filtered_touched_task,
     counts_touched_with_labels},
    {"T9.labels", "T9 with labels and a filter that admits all", run_labelled_touched_task,
     counts_touched_with_labels},
    {"events", "which pairs began and which ended, from frame to frame", run_events_task, compares_frames},
    {"p99", "99th percentile of frame times over many frames", run_p99_task, has_boxes},
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
    {"allocations", "allocations in those frames", run_allocations_task, counts_allocations},
    {"commit.rows", "committing moves of all agents in 1 % of the rows", run_commit_rows_task, takes_edits},
    {"commit.any", "committing moves of 1 % of the agents, anywhere", run_commit_any_task, takes_edits},
};

}  // namespace

std::span<const Task> tasks() { return table; }

const Task* find_task(const std::string& name) {
    for (const Task& task : table)
        if (name == task.name) return &task;
    return nullptr;
}

}  // namespace throng::bench
