// A small thread pool as a host might have it: a fixed number of threads, a list of jobs, and a caller that
// helps until its job is done. Jobs live on their callers' stacks, so running one allocates nothing.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "throng/executor.hpp"

namespace throng::test {

// A WebAssembly module without threads: the caller of a job runs all of its blocks, with any number of
// workers.
#if defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)
inline constexpr bool has_threads = false;
#else
inline constexpr bool has_threads = true;
#endif

// For a test that makes threads itself.
#define THRONG_SKIP_WITHOUT_THREADS()                      \
    if constexpr (!::throng::test::has_threads)            \
    GTEST_SKIP() << "WebAssembly without -pthread has no " \
                    "threads"

class ThreadPool {
public:
    // The caller of a job counts as one of the workers.
    explicit ThreadPool(unsigned workers) : workers_(workers) {
        for (unsigned i = 1; has_threads && i < workers; ++i) threads_.emplace_back([this] { serve(); });
    }
    ~ThreadPool() {
        {
            const std::lock_guard lock(mutex_);
            closing_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    Executor executor() {
        return {.context = this,
                .workers = workers_,
                .parallel_for = [](void* context, std::size_t count, Executor::Body body, void* argument) {
                    static_cast<ThreadPool*>(context)->run(count, body, argument);
                }};
    }

private:
    struct Job {
        std::size_t count;
        Executor::Body body;
        void* argument;
        std::size_t next = 0;
        std::size_t done = 0;
        Job* following = nullptr;
    };

    void run(std::size_t count, Executor::Body body, void* argument) {
        if (count == 0) return;
        Job job{.count = count, .body = body, .argument = argument};
        std::unique_lock lock(mutex_);
        job.following = jobs_;
        jobs_ = &job;
        wake_.notify_all();
        while (job.next < job.count) run_one(job, lock);
        finished_.wait(lock, [&] { return job.done == job.count; });
        forget(job);
    }
    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            Job* job = jobs_;
            while (job != nullptr && job->next == job->count) job = job->following;
            if (job != nullptr) {
                run_one(*job, lock);
            } else if (closing_) {
                return;
            } else {
                wake_.wait(lock);
            }
        }
    }
    void run_one(Job& job, std::unique_lock<std::mutex>& lock) {
        const std::size_t index = job.next++;
        lock.unlock();
        job.body(job.argument, index);
        lock.lock();
        if (++job.done == job.count) finished_.notify_all();
    }
    void forget(const Job& job) {
        Job** link = &jobs_;
        while (*link != &job) link = &(*link)->following;
        *link = job.following;
    }

    std::mutex mutex_;
    std::condition_variable wake_, finished_;
    Job* jobs_ = nullptr;
    bool closing_ = false;
    unsigned workers_;
    std::vector<std::thread> threads_;
};

}  // namespace throng::test
