// The library starts no threads. The host passes an Executor: a small value that runs a numbered set of
// blocks. Every parallel step of the library goes through it.
//
// The contract of `parallel_for(context, count, body, argument)`:
// - It calls `body(argument, index)` exactly once for every index in [0, count), in any order, on any
//   threads.
// - It returns when all these calls have returned. What they wrote is then visible to the caller.
// - If the host runs queries from several threads, it may be called from several threads at once.
// - It must not throw. `body` never throws, never blocks, and never calls back into the executor.
//
// What else the author of a scheduler should know:
// - The call comes from the thread that called the library, which may be one of the scheduler's own workers.
//   If such a worker must not wait, let it take part in the work: examples/executors/taskflow.hpp.
// - The library holds no lock during the call, and remembers nothing of the calling thread. So a thread that
//   waits for its blocks may run another job of the host's meanwhile. That job may query frames, and update
//   other engines. It must not update, edit or rebase the engine whose call is waiting: that would be two
//   writers at once. A scheduler that cannot keep such jobs away runs the blocks apart from them, as
//   tbb_executor() does.
// - `count` is from 2 to 4,096, rarely above 2,047. A step with more than 4,096 blocks makes several calls.
//   Blocks differ in cost, so hand them out one by one.
// - Small work does not come here. A step of one block, and every query for one box, runs on the calling
//   thread. So does a whole update of some thousands of agents in an even crowd. A host with many small
//   engines runs them side by side itself.
// - A scheduler that fails, for lack of memory say, returns without having run all blocks. The library counts
//   them, and its own call returns bad_executor. `body` keeps exceptions of visitors.
// - A call, and each block, takes up to 112 KB of its thread's stack in a release build. Fibers need more.
// - A host without exceptions or run-time types needs nothing more.
//
// `workers` is a hint for how finely to cut the work. Any value is legal: 0 counts as 1, and more than 256 as
// 256, which makes up to 2,047 blocks of a step and so keeps that many threads busy. Answers do not depend on
// it or on the order of the calls: results are joined in the order of the blocks' numbers.
//
//     throng::Executor adapt(MyJobSystem& jobs) {
//         return {.context = &jobs,
//                 .workers = jobs.thread_count(),
//                 .parallel_for = [](void* jobs, std::size_t count, throng::Executor::Body body, void* arg) {
//                     static_cast<MyJobSystem*>(jobs)->run(count, [=](std::size_t i) { body(arg, i); });
//                 }};
//     }
//
// The context must outlive every engine and frame that was given the executor.
//
// `cancelled` lets a host stop long calls, such as batches, pairs and updates. The threads that run blocks
// call it between blocks and in the middle of long ones, some thousand times a second and several at once. So
// it should only look at a flag or a clock. When it returns true on any thread, the call ends within
// milliseconds and returns `cancelled`. Answers are empty, nothing has changed, and the call may be made
// again; only counts and the like in the host's memory may have been written. Calls without blocks, such as
// single queries, never call it.
//
//     std::atomic<bool> stop{false};
//     throng::Executor executor = throng::default_executor();
//     executor.cancelled = [](void* stop) { return static_cast<std::atomic<bool>*>(stop)->load(); };
//     executor.cancel_context = &stop;
//     status = frame.on(executor).pairs(list);  // or an engine's executor, for all of its calls
#pragma once

#include <cstddef>

#include "throng/export.hpp"

namespace throng {

struct Executor {
    using Body = void (*)(void* argument, std::size_t index);

    void* context = nullptr;
    unsigned workers = 1;
    // Null runs everything on the calling thread. Then `workers` is 1; a larger number is refused as
    // `bad_config`.
    void (*parallel_for)(void* context, std::size_t count, Body body, void* argument) = nullptr;
    // Whether the host wants the call to end. Null: never.
    bool (*cancelled)(void* cancel_context) = nullptr;
    void* cancel_context = nullptr;
};

// Runs every block on the calling thread, in order.
THRONG_API Executor serial_executor() noexcept;

// Runs blocks as oneTBB tasks in the task arena of the calling thread: a call from inside the host's own
// `tbb::task_arena` stays within it. Work is isolated: a thread that waits for the library never takes up one
// of the host's other tasks. `workers` is the concurrency of the arena in which this function is called. In a
// library built without oneTBB this is the serial executor. In a child that is forked later, it runs all
// blocks on the calling thread, since the threads of oneTBB stay in the parent. One that the child makes
// itself may wait for ever if oneTBB ran before the fork: give serial_executor() there. If a plugin is
// unloaded while the workers of its oneTBB start, the next load may wait for ever: link the program itself
// with oneTBB, or give another executor.
THRONG_API Executor tbb_executor() noexcept;

// oneTBB on at most `threads` threads at once, including the calling one. It is an arena of its own, which
// wakes no more threads than that. 0 means all. It must outlive every engine and frame that was given its
// executor.
class THRONG_API LimitedThreads {
public:
    explicit LimitedThreads(unsigned threads) noexcept;
    ~LimitedThreads();
    LimitedThreads(const LimitedThreads&) = delete;
    LimitedThreads& operator=(const LimitedThreads&) = delete;

    Executor executor() noexcept;

private:
    [[maybe_unused]] alignas(void*) unsigned char arena_[64];  // a tbb::task_arena
    [[maybe_unused]] unsigned threads_;
};

// Whether this library was built with oneTBB.
THRONG_API bool has_tbb() noexcept;

// The oneTBB executor if the library has it, otherwise the serial one.
THRONG_API Executor default_executor() noexcept;

}  // namespace throng
