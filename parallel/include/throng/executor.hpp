// The library starts no threads. The host passes an Executor, a small value that runs a numbered set of
// blocks, and every parallel step of the library goes through it.
//
// The contract of `parallel_for(context, count, body, argument)`:
//   - it calls `body(argument, index)` exactly once for every index in [0, count), in any order, on any
//     threads;
//   - it returns when all of those calls have returned, and what they wrote is visible to the caller;
//   - it may be called again from another thread at the same time, if the host runs queries from several
//     threads;
//   - it must not throw. `body` never throws, never blocks, and never calls back into the executor.
//
// What else a scheduler's author has to know:
//   - The call comes from the thread that called the library, and that may be one of the scheduler's own
//     workers. A scheduler whose workers must not wait for it lets such a worker take part instead:
//     examples/executors/taskflow.hpp.
//   - The library holds no lock during the call, and remembers nothing of the thread that made it. So a
//     thread that waits for its blocks may take up another job of the host's meanwhile. That job may query
//     frames, and update other engines; it must not update, edit or rebase the engine whose call is waiting,
//     which would be two writers at once. A scheduler that cannot keep such jobs away runs the blocks apart
//     from them, as tbb_executor() does.
//   - `count` is from 2 to 4,096. A step has as many blocks as it has work for, but rarely more than 2,047,
//     and one that has more than 4,096 makes several calls. Blocks differ in cost, so they are best handed
//     out one by one.
//   - Small work never gets here. A step of one block runs where it is, as do all queries for one box, and
//     everything that an engine of some thousands of agents in an even crowd does in an update. A host with
//     many small engines runs those side by side itself.
//   - Where a scheduler fails, for lack of memory say, it returns without having run all blocks. The library
//     counts them, and its own call returns bad_executor. No exception of a visitor's gets here: `body` keeps
//     them.
//   - A call, and each block, takes up to 112 KB of its thread's stack in a release build, so a job on a
//     fiber needs more.
//   - A host without exceptions or run-time types needs nothing more.
//
// `workers` is a hint for how finely to cut the work, and any value is legal: 0 counts as 1, and whatever is
// above 256 as 256, which makes up to 2,047 blocks of a step and so keeps that many threads at work. Neither
// it nor the order of the calls can be seen in an answer: blocks are numbered, and results are joined in the
// order of their numbers.
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
// `cancelled` lets a host end calls that last, such as batches, pairs and updates. The threads that run
// blocks ask it between blocks and in the middle of long ones, some thousand times a second and several at
// once, so it only looks at a flag or a clock. Once it says yes, on any of these threads, the call gives up
// within milliseconds and returns `cancelled`: answers are empty, nothing has changed, and the same call may
// be made again. Only counts and the like in the host's memory may have been written by then. Calls that run
// no blocks do not ask, such as single queries.
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
    // Null runs everything on the calling thread, so `workers` is 1 then: more of them are refused as
    // `bad_config`.
    void (*parallel_for)(void* context, std::size_t count, Body body, void* argument) = nullptr;
    // Whether the host wants the call to end. Null: it never does.
    bool (*cancelled)(void* cancel_context) = nullptr;
    void* cancel_context = nullptr;
};

// Runs every block on the calling thread, in order.
THRONG_API Executor serial_executor() noexcept;

// Runs blocks as oneTBB tasks in the task arena of the calling thread, so a host that calls from inside its
// own `tbb::task_arena` keeps the library within it. Work is isolated: a thread that waits for the library
// never picks up one of the host's unrelated tasks. `workers` is the concurrency of the arena in which this
// function is called. In a library built without oneTBB this is the serial executor. A plugin that is
// unloaded may take oneTBB with it while its workers start, and the next load then waits for ever: link the
// program itself with oneTBB, or give an executor of the host's.
THRONG_API Executor tbb_executor() noexcept;

// oneTBB on at most `threads` threads at once, the calling one among them, whatever the machine has. It is an
// arena of its own, which wakes no more threads than that. 0 means all. It must outlive every engine and
// frame that was given its executor.
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
