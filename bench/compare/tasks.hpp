// The tasks of the common workloads, and a few more that only an engine with frames and edits can be asked.
#pragma once

#include <span>
#include <string>

#include "bench/compare/session.hpp"

namespace throng::bench {

struct Task {
    const char* name;
    const char* what;
    // Null where no index here can do it yet.
    void (*run)(Session& session);
    // Whether this index can do it.
    bool (*possible)(const Index& index);
};

// In the order in which they run: what would disturb others comes last.
std::span<const Task> tasks();

const Task* find_task(const std::string& name);

void run_frame_task(Session& session);
void run_memory_task(Session& session);
void run_p99_task(Session& session);
void run_allocations_task(Session& session);
void run_neighbourhoods_task(Session& session);
void run_coherent_neighbourhoods_task(Session& session);
void run_large_searches_task(Session& session);
void run_large_counts_task(Session& session);
void run_commit_rows_task(Session& session);
void run_commit_any_task(Session& session);

}  // namespace throng::bench
