// A host's own executor on nothing but the standard library: a pool of threads that several callers may use
// at once. Copy it, or use it as a pattern for adapting a job system that is there already.
//
//     ThreadPool pool(8);
//     throng::Engine engine({.executor = pool.executor()});     the pool outlives engine and frames
//
// Every call is one job: a body and a counter from which threads draw block numbers. The caller draws too, so
// a call makes progress even while all other threads are busy elsewhere, and a pool of one thread works
// without any.
//
//     run() of caller A:  [job A]  next -> 0 1 2 3 4 5 6 7      drawn by A and by the workers that came
//                            |
//     run() of caller B:  [job B]  next -> 0 1 2 3
//
// A job lives on its caller's stack. It leaves the list once its blocks are all drawn, and its caller returns
// when the last helper has left it. Nothing is allocated after the pool was made.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

#include "throng/executor.hpp"

namespace throng_examples {

class ThreadPool {
public:
    // `workers` counts the calling thread, so one fewer is started.
    explicit ThreadPool(unsigned workers) {
        for (unsigned i = 1; i < workers; ++i) threads_.emplace_back([this] { serve(); });
    }
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool() {
        {
            std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    throng::Executor executor() noexcept {
        return {.context = this,
                .workers = static_cast<unsigned>(threads_.size()) + 1,
                .parallel_for = [](void* context, std::size_t count, throng::Executor::Body body,
                                   void* argument) {
                    static_cast<ThreadPool*>(context)->run(count, body, argument);
                }};
    }

    // Calls body(argument, i) once for every i below count, and returns when all calls have returned.
    void run(std::size_t count, throng::Executor::Body body, void* argument) {
        Job job{.body = body, .argument = argument, .count = count};
        {
            std::lock_guard lock(mutex_);
            job.following = jobs_;
            jobs_ = &job;
        }
        wake_.notify_all();
        job.work();

        // The lock that a helper takes when it leaves is also what makes its results visible here.
        std::unique_lock lock(mutex_);
        take_off_the_list(job);
        left_.wait(lock, [&] { return job.helpers == 0; });
    }

private:
    struct Job {
        throng::Executor::Body body;
        void* argument;
        std::size_t count;
        std::atomic<std::size_t> next = 0;
        unsigned helpers = 0;      // guarded by the mutex
        Job* following = nullptr;  // guarded by the mutex

        void work() {
            for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) body(argument, i);
        }
    };

    void serve() {
        std::unique_lock lock(mutex_);
        for (;;) {
            wake_.wait(lock, [this] { return stopping_ || jobs_ != nullptr; });
            if (stopping_) return;
            Job& job = *jobs_;
            ++job.helpers;
            lock.unlock();
            job.work();
            lock.lock();
            take_off_the_list(job);
            if (--job.helpers == 0) left_.notify_all();
        }
    }

    // A job without undrawn blocks needs no more helpers.
    void take_off_the_list(Job& job) {
        for (Job** place = &jobs_; *place != nullptr; place = &(*place)->following) {
            if (*place != &job) continue;
            *place = job.following;
            return;
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;  // there is a job, or the pool is stopping
    std::condition_variable left_;  // a helper left its job
    Job* jobs_ = nullptr;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace throng_examples
