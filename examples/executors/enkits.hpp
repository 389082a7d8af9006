// The library on enkiTS: what a host writes whose threads are an enki::TaskScheduler's. The scheduler
// outlives engines and frames. A thread that is not the scheduler's own calls RegisterExternalTaskThread
// before it updates an engine or asks a frame, as for all that it has enkiTS do.
#pragma once

#include <TaskScheduler.h>

#include <cstddef>
#include <cstdint>

#include "throng/executor.hpp"

namespace throng_examples {

// While it waits, a thread runs tasks of any kind, the host's too: see what executor.hpp says of these.
inline throng::Executor enkits_executor(enki::TaskScheduler& scheduler) noexcept {
    return {
        .context = &scheduler,
        .workers = scheduler.GetNumTaskThreads(),
        .parallel_for = [](void* context, std::size_t count, throng::Executor::Body body, void* argument) {
            auto& tasks = *static_cast<enki::TaskScheduler*>(context);
            enki::TaskSet blocks(static_cast<std::uint32_t>(count), [=](enki::TaskSetPartition range, auto) {
                for (std::uint32_t i = range.start; i < range.end; ++i) body(argument, i);
            });
            tasks.AddTaskSetToPipe(&blocks);
            tasks.WaitforTask(&blocks);
        }};
}

}  // namespace throng_examples
