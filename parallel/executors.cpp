// The executors that come with the library: the serial one, and those of oneTBB, which only this file knows:
// one parallel_for in the caller's arena, or in one of its own with fewer threads.

#include "throng/executor.hpp"

#include <algorithm>
#include <cstdint>
#include <new>

#include "parallel/blocks.hpp"

#if THRONG_WITH_TBB
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/version.h>
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif
#endif

namespace throng {

Executor serial_executor() noexcept { return {}; }

Executor default_executor() noexcept { return has_tbb() ? tbb_executor() : serial_executor(); }

#if THRONG_WITH_TBB

namespace {

// More than any machine has; oneTBB counts them as an int.
constexpr unsigned most_threads = 1u << 16;

// The threads of oneTBB stay in a parent that forks, with the locks that they held, so a child that asks for
// them may wait for ever. An executor therefore knows its process.
std::uintptr_t this_process() noexcept {
#if __has_include(<unistd.h>)
    return static_cast<std::uintptr_t>(getpid());
#else
    return 0;
#endif
}
void run_here(std::size_t count, Executor::Body body, void* argument) {
    for (std::size_t index = 0; index < count; ++index) body(argument, index);
}
void run_as_tasks(std::size_t count, Executor::Body body, void* argument) {
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

// The context is the process.
void run(void* process, std::size_t count, Executor::Body body, void* argument) {
    if (reinterpret_cast<std::uintptr_t>(process) == this_process())
        run_as_tasks(count, body, argument);
    else
        run_here(count, body, argument);
}

struct Arena {
    tbb::task_arena arena;
    std::uintptr_t process = this_process();
};
Arena& arena_in(unsigned char* memory) { return *std::launder(reinterpret_cast<Arena*>(memory)); }

// No more threads than the arena has take part, including the calling one.
void run_in_arena(void* context, std::size_t count, Executor::Body body, void* argument) {
    Arena& in = *static_cast<Arena*>(context);
    if (in.process != this_process()) return run_here(count, body, argument);
    try {
        in.arena.execute([=] { run_as_tasks(count, body, argument); });
    } catch (...) {
    }
}

}  // namespace

LimitedThreads::LimitedThreads(unsigned threads) noexcept : threads_(threads) {
    static_assert(sizeof(Arena) <= sizeof arena_ && alignof(Arena) <= alignof(void*));
    // It asks for nothing before it runs something.
    const int most = static_cast<int>(std::min(threads, most_threads));
    new (arena_) Arena{tbb::task_arena(threads == 0 ? tbb::task_arena::automatic : most)};
}
LimitedThreads::~LimitedThreads() {
    Arena& in = arena_in(arena_);
    if (in.process == this_process()) in.~Arena();
}

Executor LimitedThreads::executor() noexcept {
    if (threads_ == 0) return tbb_executor();
    if (threads_ == 1) return serial_executor();
    const unsigned all = tbb_executor().workers;
    return {.context = &arena_in(arena_), .workers = std::min(threads_, all), .parallel_for = run_in_arena};
}

bool has_tbb() noexcept { return true; }

#define THRONG_IN_QUOTES(number) #number
#define THRONG_TWO_NUMBERS(major, minor) THRONG_IN_QUOTES(major) "." THRONG_IN_QUOTES(minor)
const char* detail::tbb_version() noexcept {
    return THRONG_TWO_NUMBERS(TBB_VERSION_MAJOR, TBB_VERSION_MINOR);
}

Executor tbb_executor() noexcept {
    const int workers = tbb::this_task_arena::max_concurrency();
    return {.context = reinterpret_cast<void*>(this_process()),
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
