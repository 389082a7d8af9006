// The executors that come with the library: the serial one, and those of oneTBB, which only this file knows:
// one parallel_for in the caller's arena, or in one of its own with fewer threads.

#include "throng/executor.hpp"

#include <algorithm>
#include <new>

#include "parallel/blocks.hpp"

#if THRONG_WITH_TBB
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>
#endif

namespace throng {

Executor serial_executor() noexcept { return {}; }

Executor default_executor() noexcept { return has_tbb() ? tbb_executor() : serial_executor(); }

#if THRONG_WITH_TBB

namespace {

// More than any machine has; oneTBB counts them as an int.
constexpr unsigned most_threads = 1u << 16;

void run(void*, std::size_t count, Executor::Body body, void* argument) {
    // Only lack of memory for tasks can throw here. The caller counts the blocks that ran, so it notices
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

using Arena = tbb::task_arena;

// No more threads than the arena has take part, including the calling one.
void run_in_arena(void* arena, std::size_t count, Executor::Body body, void* argument) {
    try {
        static_cast<Arena*>(arena)->execute([=] { run(nullptr, count, body, argument); });
    } catch (...) {
    }
}

}  // namespace

LimitedThreads::LimitedThreads(unsigned threads) noexcept : threads_(threads) {
    static_assert(sizeof(Arena) <= sizeof arena_ && alignof(Arena) <= alignof(void*));
    // It asks for nothing before it runs something.
    new (arena_) Arena(threads == 0 ? Arena::automatic : static_cast<int>(std::min(threads, most_threads)));
}
LimitedThreads::~LimitedThreads() { std::launder(reinterpret_cast<Arena*>(arena_))->~Arena(); }

Executor LimitedThreads::executor() noexcept {
    if (threads_ == 0) return tbb_executor();
    if (threads_ == 1) return serial_executor();
    const unsigned all = tbb_executor().workers;
    return {.context = std::launder(reinterpret_cast<Arena*>(arena_)),
            .workers = std::min(threads_, all),
            .parallel_for = run_in_arena};
}

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

LimitedThreads::LimitedThreads(unsigned threads) noexcept : threads_(threads) {}
LimitedThreads::~LimitedThreads() = default;
Executor LimitedThreads::executor() noexcept { return serial_executor(); }

#endif

}  // namespace throng
