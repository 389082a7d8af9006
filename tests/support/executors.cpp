#include "support/executors.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "support/thread_pool.hpp"
#include "worlds/scenes/random.hpp"

#if defined(THRONG_TEST_WITH_TBB)
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#endif

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THRONG_TEST_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define THRONG_TEST_THREAD_SANITIZER 1
#endif

namespace throng::test {
namespace {

class SerialWorkplace : public Workplace {
public:
    std::string name() const override { return "serial"; }
    Executor executor() override { return serial_executor(); }
};

class PoolWorkplace : public Workplace {
public:
    explicit PoolWorkplace(unsigned workers) : workers_(workers), pool_(workers) {}
    std::string name() const override { return "pool of " + std::to_string(workers_); }
    Executor executor() override { return pool_.executor(); }

private:
    unsigned workers_;
    ThreadPool pool_;
};

#if defined(THRONG_TEST_WITH_TBB)
class TbbWorkplace : public Workplace {
public:
    explicit TbbWorkplace(unsigned workers) : workers_(workers), arena_(static_cast<int>(workers)) {
        // Without it oneTBB would make no more threads than there are cores. Of several such limits the
        // lowest counts, so there is one for all.
        static const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 40);
    }
    std::string name() const override { return "oneTBB with " + std::to_string(workers_); }
    Executor executor() override {
        return arena_.execute([] { return tbb_executor(); });
    }
    void run(const std::function<void()>& work) override { arena_.execute(work); }

private:
    unsigned workers_;
    tbb::task_arena arena_;
};
#endif

// Runs everything on the calling thread in an order of its own.
class DisorderlyWorkplace : public Workplace {
public:
    DisorderlyWorkplace(unsigned workers, std::optional<std::uint64_t> seed)
        : workers_(workers), seed_(seed) {}
    std::string name() const override {
        return (seed_ ? "shuffled, as if by " : "backward, as if by ") + std::to_string(workers_);
    }
    Executor executor() override {
        return {.context = this,
                .workers = workers_,
                .parallel_for = [](void* context, std::size_t count, Executor::Body body, void* argument) {
                    static_cast<const DisorderlyWorkplace*>(context)->run_blocks(count, body, argument);
                }};
    }

private:
    void run_blocks(std::size_t count, Executor::Body body, void* argument) const {
        std::vector<std::size_t> order(count);
        std::iota(order.rbegin(), order.rend(), std::size_t{0});
        if (seed_) {
            Random random(*seed_ + count);
            for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
        }
        for (const std::size_t index : order) body(argument, index);
    }

    unsigned workers_;
    std::optional<std::uint64_t> seed_;
};

}  // namespace

bool can_test_tbb() {
#if defined(THRONG_TEST_WITH_TBB) && !defined(THRONG_TEST_THREAD_SANITIZER)
    return has_tbb();
#else
    return false;
#endif
}

std::unique_ptr<Workplace> serial_workplace() { return std::make_unique<SerialWorkplace>(); }

std::unique_ptr<Workplace> pool_workplace(unsigned workers) {
    return std::make_unique<PoolWorkplace>(workers);
}

std::unique_ptr<Workplace> tbb_workplace([[maybe_unused]] unsigned workers) {
#if defined(THRONG_TEST_WITH_TBB)
    return std::make_unique<TbbWorkplace>(workers);
#else
    return serial_workplace();
#endif
}

std::unique_ptr<Workplace> backward_workplace(unsigned workers) {
    return std::make_unique<DisorderlyWorkplace>(workers, std::nullopt);
}

std::unique_ptr<Workplace> shuffled_workplace(unsigned workers, std::uint64_t seed) {
    return std::make_unique<DisorderlyWorkplace>(workers, seed);
}

std::vector<std::unique_ptr<Workplace>> all_workplaces(const std::vector<unsigned>& workers) {
    std::vector<std::unique_ptr<Workplace>> all;
    all.push_back(serial_workplace());
    for (const unsigned count : workers) {
        all.push_back(pool_workplace(count));
        if (can_test_tbb()) all.push_back(tbb_workplace(count));
        all.push_back(backward_workplace(count));
        all.push_back(shuffled_workplace(count, count));
    }
    return all;
}

Executor CountingExecutor::executor() {
    return {.context = this,
            .workers = workers_,
            .parallel_for = [](void* context, std::size_t count, Executor::Body body, void* argument) {
                auto& self = *static_cast<CountingExecutor*>(context);
                ++self.calls_;
                self.blocks_ += count;
                self.fewest_ = std::min<std::size_t>(self.fewest_, count);
                self.most_ = std::max<std::size_t>(self.most_, count);
                for (std::size_t i = 0; i < count; ++i) body(argument, i);
            }};
}

Executor CancellingHost::on(Executor executor) {
    executor.cancel_context = this;
    executor.cancelled = [](void* context) {
        CancellingHost& self = *static_cast<CancellingHost*>(context);
        const bool yes = !self.content_ && self.questions_++ >= self.from_;
        if (yes) self.cancelled_ = true;
        return yes;
    };
    return executor;
}

Executor FaultyExecutor::executor() {
    return {.context = this,
            .workers = 4,
            .parallel_for = [](void* context, std::size_t count, Executor::Body body, void* argument) {
                static_cast<FaultyExecutor*>(context)->run(count, body, argument);
            }};
}

void FaultyExecutor::run(std::size_t count, Executor::Body body, void* argument) {
    const bool behave = reformed_ || count < 2 || calls_++ < from_;
    guilty_ = guilty_ || !behave;
    const auto does = [&](Habit habit) { return !behave && habit_ == habit; };
    if (does(Habit::runs_nothing)) return;
    for (std::size_t i = 0; i < count; ++i) {
        if (i == 0 && does(Habit::skips_the_first)) continue;
        if (i == count - 1 && does(Habit::skips_the_last)) continue;
        body(argument, i == 0 && does(Habit::runs_one_for_another) ? 1 : i);
    }
    if (does(Habit::repeats_the_first)) body(argument, 0);
    if (does(Habit::repeats_the_last)) body(argument, count - 1);
}

}  // namespace throng::test
