// The oneTBB executor: one parallel_for in the caller's arena.

#include "parallel/built_with.hpp"
#include "throng/executor.hpp"

#if THRONG_WITH_TBB
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>
#endif

namespace throng {

#if THRONG_WITH_TBB

namespace {

void run(void*, std::size_t count, Executor::Body body, void* argument) {
    // Only a lack of memory for tasks can throw here. The caller counts the blocks that ran, so it notices
    // missing ones.
    try {
        // Isolated, since the waiting thread might otherwise pick up any of the host's tasks.
        tbb::this_task_arena::isolate([=] {
            tbb::parallel_for(
                std::size_t{0}, count, [=](std::size_t index) { body(argument, index); },
                tbb::simple_partitioner());
        });
    } catch (...) {
    }
}

}  // namespace

bool has_tbb() noexcept { return true; }

#define THRONG_IN_QUOTES(number) #number
#define THRONG_TWO_NUMBERS(major, minor) THRONG_IN_QUOTES(major) "." THRONG_IN_QUOTES(minor)
const char* detail::tbb_version() noexcept {
    return THRONG_TWO_NUMBERS(TBB_VERSION_MAJOR, TBB_VERSION_MINOR);
}

Executor tbb_executor() noexcept {
    const int workers = tbb::this_task_arena::max_concurrency();
    return {.context = nullptr,
            .workers = workers > 1 ? static_cast<unsigned>(workers) : 1u,
            .parallel_for = run};
}

#else

bool has_tbb() noexcept { return false; }

const char* detail::tbb_version() noexcept { return ""; }

Executor tbb_executor() noexcept { return serial_executor(); }

#endif

}  // namespace throng
