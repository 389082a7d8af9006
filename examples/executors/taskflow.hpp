// The library on Taskflow: what a host writes whose threads are a tf::Executor's. The executor outlives
// engines and frames. Each call makes a small graph on the heap, which is Taskflow's way; the library itself
// allocates nothing then.
#pragma once

#include <cstddef>
#include <taskflow/algorithm/for_each.hpp>
#include <taskflow/taskflow.hpp>

#include "throng/executor.hpp"

namespace throng_examples {

// One of the executor's own workers must not wait for it, since all of them might: it runs the blocks with
// the others.
inline void run_on(tf::Executor& workers, std::size_t count, throng::Executor::Body body, void* argument) {
    tf::Taskflow blocks;
    blocks.for_each_index(
        std::size_t{0}, count, std::size_t{1}, [=](std::size_t i) { body(argument, i); },
        tf::DynamicPartitioner(1));
    if (workers.this_worker_id() < 0)
        workers.run(blocks).wait();
    else
        workers.corun(blocks);
}

inline throng::Executor taskflow_executor(tf::Executor& workers) noexcept {
    return {
        .context = &workers,
        .workers = static_cast<unsigned>(workers.num_workers()),
        .parallel_for = [](void* context, std::size_t count, throng::Executor::Body body, void* argument) {
            try {
                run_on(*static_cast<tf::Executor*>(context), count, body, argument);
            } catch (...) {  // no memory for the graph: the library sees that no block ran
            }
        }};
}

}  // namespace throng_examples
