// Holds every executor that we ship, or show as an example, to the contract in executor.hpp.
#include "throng/executor.hpp"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "executors/thread_pool.hpp"
#include "gtest/gtest.h"
#include "support/executors.hpp"
#include "support/thread_pool.hpp"

#if __has_include(<sys/wait.h>)
#include <sys/wait.h>
#include <unistd.h>
#endif

#if THRONG_EXAMPLES_WITH_OPENMP
#include "executors/openmp.hpp"
#endif
#if THRONG_EXAMPLES_WITH_TASKFLOW
#include "executors/taskflow.hpp"
#endif
#if THRONG_EXAMPLES_WITH_ENKITS
#include "executors/enkits.hpp"
#endif

namespace throng {
namespace {

class ExamplePool : public test::Workplace {
public:
    explicit ExamplePool(unsigned workers) : pool_(workers) {}
    std::string name() const override { return "the example's thread pool"; }
    Executor executor() override { return pool_.executor(); }

private:
    throng_examples::ThreadPool pool_;
};

class Limited : public test::Workplace {
public:
    explicit Limited(unsigned threads) : threads_(threads) {}
    std::string name() const override { return "limited threads"; }
    Executor executor() override { return threads_.executor(); }

private:
    LimitedThreads threads_;
};

#if THRONG_EXAMPLES_WITH_OPENMP
class ExampleOpenMp : public test::Workplace {
public:
    std::string name() const override { return "the example with OpenMP"; }
    Executor executor() override { return throng_examples::openmp_executor(); }
};
#endif

#if THRONG_EXAMPLES_WITH_TASKFLOW
class ExampleTaskflow : public test::Workplace {
public:
    explicit ExampleTaskflow(unsigned workers, bool on_a_worker)
        : workers_(workers), on_a_worker_(on_a_worker) {}
    std::string name() const override { return "the example with Taskflow"; }
    Executor executor() override { return throng_examples::taskflow_executor(workers_); }
    void run(const std::function<void()>& work) override {
        if (on_a_worker_)
            workers_.async(work).wait();
        else
            work();
    }

private:
    tf::Executor workers_;
    bool on_a_worker_;
};
#endif

#if THRONG_EXAMPLES_WITH_ENKITS
class ExampleEnkits : public test::Workplace {
public:
    explicit ExampleEnkits(unsigned workers) {
        enki::TaskSchedulerConfig config;
        config.numTaskThreadsToCreate = workers - 1;
        config.numExternalTaskThreads = 3;  // as many as a test has callers
        scheduler_.Initialize(config);
    }
    std::string name() const override { return "the example with enkiTS"; }
    Executor executor() override { return throng_examples::enkits_executor(scheduler_); }
    void run(const std::function<void()>& work) override {
        const bool is_foreign = scheduler_.GetThreadNum() == enki::NO_THREAD_NUM;
        if (is_foreign) {
            ASSERT_TRUE(scheduler_.RegisterExternalTaskThread());
        }
        work();
        if (is_foreign) scheduler_.DeRegisterExternalTaskThread();
    }

private:
    enki::TaskScheduler scheduler_;
};
#endif

std::vector<std::unique_ptr<test::Workplace>> every_executor() {
    auto all = test::all_workplaces({1, 2, 5});
    for (const unsigned workers : {1u, 2u, 5u})
        if (test::has_threads || workers == 1) all.push_back(std::make_unique<ExamplePool>(workers));
    if (test::can_test_tbb())
        for (const unsigned threads : {0u, 1u, 2u, 5u}) all.push_back(std::make_unique<Limited>(threads));
#if THRONG_EXAMPLES_WITH_OPENMP
    all.push_back(std::make_unique<ExampleOpenMp>());
#endif
#if THRONG_EXAMPLES_WITH_TASKFLOW
    for (const unsigned workers : {1u, 2u, 5u})
        for (const bool on_a_worker : {false, true})
            all.push_back(std::make_unique<ExampleTaskflow>(workers, on_a_worker));
#endif
#if THRONG_EXAMPLES_WITH_ENKITS
    for (const unsigned workers : {1u, 2u, 5u}) all.push_back(std::make_unique<ExampleEnkits>(workers));
#endif
    return all;
}

// As the library does it: without a callback everything runs here.
template <class Body>
void run(const Executor& executor, std::size_t count, Body body) {
    if (executor.parallel_for == nullptr) {
        for (std::size_t i = 0; i < count; ++i) body(i);
        return;
    }
    executor.parallel_for(
        executor.context, count,
        [](void* argument, std::size_t index) { (*static_cast<Body*>(argument))(index); }, &body);
}

TEST(Executor, runs_every_block_exactly_once) {
    for (const auto& place : every_executor()) {
        for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{1000}}) {
            std::vector<std::atomic<int>> times(count);
            place->run([&] { run(place->executor(), count, [&](std::size_t i) { ++times[i]; }); });
            for (std::size_t i = 0; i < count; ++i)
                ASSERT_EQ(times[i], 1) << place->name() << ", block " << i;
        }
    }
}

TEST(Executor, runs_nothing_when_there_are_no_blocks) {
    for (const auto& place : every_executor())
        place->run([&] { run(place->executor(), 0, [&](std::size_t) { ADD_FAILURE() << place->name(); }); });
}

TEST(Executor, returns_when_everything_is_written_and_visible) {
    for (const auto& place : every_executor()) {
        // Plain memory: a race here is one that the thread sanitizer reports.
        std::vector<std::size_t> squares(500);
        for (std::size_t round = 0; round < 20; ++round) {
            place->run([&] {
                run(place->executor(), squares.size(), [&](std::size_t i) { squares[i] = i * i + round; });
            });
            for (std::size_t i = 0; i < squares.size(); ++i)
                ASSERT_EQ(squares[i], i * i + round) << place->name();
        }
    }
}

TEST(Executor, may_be_called_from_several_threads_at_once) {
    THRONG_SKIP_WITHOUT_THREADS();
    for (const auto& place : every_executor()) {
        std::vector<std::thread> callers;
        std::atomic<int> wrong = 0;
        for (int caller = 0; caller < 3; ++caller)
            callers.emplace_back([&] {
                for (int round = 0; round < 30; ++round) {
                    std::vector<int> times(64);
                    place->run(
                        [&] { run(place->executor(), times.size(), [&](std::size_t i) { ++times[i]; }); });
                    for (const int count : times) wrong += count != 1;
                }
            });
        for (std::thread& caller : callers) caller.join();
        EXPECT_EQ(wrong, 0) << place->name();
    }
}

TEST(Executor, has_at_least_one_worker) {
    for (const auto& place : every_executor()) EXPECT_GE(place->executor().workers, 1u) << place->name();
}

TEST(SerialExecutor, has_no_callback_and_one_worker) {
    EXPECT_EQ(serial_executor().parallel_for, nullptr);
    EXPECT_EQ(serial_executor().workers, 1u);
}

TEST(DefaultExecutor, is_that_of_one_tbb_where_there_is_one) {
    EXPECT_EQ(default_executor().parallel_for, has_tbb() ? tbb_executor().parallel_for : nullptr);
    EXPECT_EQ(default_executor().workers, has_tbb() ? tbb_executor().workers : 1u);
}

TEST(TbbExecutor, is_there_if_the_library_was_built_with_one_tbb) {
    EXPECT_EQ(has_tbb(), THRONG_TEST_EXPECTS_TBB == 1);
}

TEST(TbbExecutor, is_serial_in_a_library_built_without_one_tbb) {
    EXPECT_EQ(tbb_executor().parallel_for != nullptr, has_tbb());
}

#if THRONG_TEST_EXPECTS_TBB

TEST(TbbExecutor, has_as_many_workers_as_the_arena_it_was_made_in) {
    for (const unsigned workers : {1u, 3u, 8u})
        EXPECT_EQ(test::tbb_workplace(workers)->executor().workers, workers);
}

// How many blocks ran at the same time.
int most_at_once(test::Workplace& place) {
    std::atomic<int> inside = 0, most = 0;
    place.run([&] {
        run(place.executor(), 200, [&](std::size_t) {
            const int now = ++inside;
            for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
            }
            std::this_thread::yield();
            --inside;
        });
    });
    return most;
}

TEST(TbbExecutor, stays_within_the_arena_of_its_caller) {
    EXPECT_LE(most_at_once(*test::tbb_workplace(2)), 2);
}

TEST(LimitedThreads, are_no_more_than_they_may_be) {
    for (const unsigned threads : {1u, 2u, 3u}) {
        Limited place(threads);
        EXPECT_LE(place.executor().workers, threads);
        EXPECT_LE(most_at_once(place), static_cast<int>(threads));
    }
    EXPECT_EQ(LimitedThreads(1).executor().parallel_for, nullptr);
    EXPECT_EQ(LimitedThreads(0).executor().workers, tbb_executor().workers);
    EXPECT_EQ(LimitedThreads(~0u).executor().workers, tbb_executor().workers);
}

#if __has_include(<sys/wait.h>)

// Forks many times while another thread keeps oneTBB's threads at work. A child that waits for threads or
// locks of its parent is ended by an alarm.
int children_that_fail(const Executor& executor) {
    std::atomic<bool> stop = false;
    std::thread busy([&] {
        while (!stop) run(executor, 16, [](std::size_t) {});
    });
    int failed = 0;
    for (int n = 0; n < 100; ++n) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(10);
            std::atomic<int> blocks = 0;
            run(executor, 64, [&](std::size_t) { ++blocks; });
            _exit(blocks == 64 ? 0 : 1);
        }
        int status = 1;
        failed += child < 0 || waitpid(child, &status, 0) != child || status != 0;
    }
    stop = true;
    busy.join();
    return failed;
}

TEST(TbbExecutor, goes_on_in_a_forked_child) { EXPECT_EQ(children_that_fail(tbb_executor()), 0); }

TEST(LimitedThreads, go_on_in_a_forked_child) {
    LimitedThreads two(2);
    EXPECT_EQ(children_that_fail(two.executor()), 0);
}

#endif

#endif

TEST(LimitedThreads, are_the_calling_one_without_one_tbb) {
    LimitedThreads two(2);
    EXPECT_EQ(two.executor().parallel_for != nullptr, has_tbb());
}

}  // namespace
}  // namespace throng
