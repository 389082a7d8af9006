// The tasks of the common workloads, and a few more that only an engine with frames and edits can do.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "bench/compare/trial.hpp"

namespace throng::bench {

struct Task {
    const char* name;
    const char* what;
    // Null where no index here can do it yet.
    void (*run)(Trial& trial);
    // Whether this index can do it.
    bool (*possible)(const Index& index);
};

// In the order in which they run: what would disturb others comes last.
std::span<const Task> tasks();

const Task* find_task(const std::string& name);

void run_frame_task(Trial& trial);
void run_events_task(Trial& trial);
void run_first_task(Trial& trial);
void run_heap_task(Trial& trial);
void run_boxes_frame_task(Trial& trial);
void run_within_frame_task(Trial& trial);
void run_nearest_frame_task(Trial& trial);
void run_walk_task(Trial& trial);
void run_some_task(Trial& trial);
void run_still_task(Trial& trial);
void run_ticks_task(Trial& trial);
void run_memory_task(Trial& trial);
void run_p99_task(Trial& trial);
void run_allocations_task(Trial& trial);
void run_neighbourhoods_task(Trial& trial);
void run_coherent_neighbourhoods_task(Trial& trial);
void run_neighbourhoods_as_found_task(Trial& trial);
void run_ordered_neighbourhoods_task(Trial& trial);
void run_large_searches_task(Trial& trial);
void run_large_counts_task(Trial& trial);
void run_half_counts_task(Trial& trial);
void run_within_task(Trial& trial);
void run_half_within_task(Trial& trial);
void run_filtered_within_task(Trial& trial);
void run_kept_task(Trial& trial);
void run_nearest_task(Trial& trial);
void run_filtered_nearest_task(Trial& trial);
void run_touched_task(Trial& trial);
void run_filtered_touched_task(Trial& trial);
void run_labelled_touched_task(Trial& trial);
void run_rare_neighbourhoods_task(Trial& trial);
void run_rare_large_searches_task(Trial& trial);
void run_segments_task(Trial& trial);
void run_lines_of_sight_task(Trial& trial);
void run_moving_boxes_task(Trial& trial);
void run_filtered_segments_task(Trial& trial);
void run_filtered_moving_boxes_task(Trial& trial);
void run_labelled_segments_task(Trial& trial);
void run_labelled_moving_boxes_task(Trial& trial);
void run_single_segments_task(Trial& trial);
void run_single_lines_of_sight_task(Trial& trial);
void run_single_moving_boxes_task(Trial& trial);
void run_commit_rows_task(Trial& trial);
void run_commit_any_task(Trial& trial);
void run_single_boxes_task(Trial& trial);
void run_single_neighbours_task(Trial& trial);
void run_one_nearest_task(Trial& trial);
void run_thin_task(Trial& trial);
void run_long_lists_task(Trial& trial);
void run_few_queries_task(Trial& trial);
void run_edits_task(Trial& trial);
void run_edits_chart_task(Trial& trial);
void run_mixed_task(Trial& trial);
void run_removal_task(Trial& trial);
void run_layouts_task(Trial& trial);
void run_host_task(Trial& trial);
void run_pile_task(Trial& trial);
void run_pile_neighbours_task(Trial& trial);

}  // namespace throng::bench
