// One call of the harness that ends early, at every step at which it may end. It says why, its results are
// empty, and the next try gives what the first would have given.
#pragma once

#include "harness/calls.hpp"
#include "support/test.hpp"

namespace throng::test {

// What a call needs. The engine behind the frame has its memory from `memory`.
struct FailingWorld {
    Frame frame;
    const Asked& asked;
    CountingResource& memory;
    // Lets the engine give back all memory that it can do without.
    std::function<void()> release;
};

class FailingCall {
public:
    FailingCall(const FailingWorld& world, const Call& call) : world_(world), call_(call) {
        Results results(&world_.memory);
        EXPECT_EQ(make(world_.frame, results), Status{}) << call_.name;
        expected_ = answers_of(results);
    }

    // Each returns how often the call ended early.
    std::size_t without_memory() const {
        for (std::size_t k = 0;; ++k) {
            world_.release();
            Results results(&world_.memory);
            const std::uint64_t before = world_.memory.failures();
            world_.memory.fail_after(k);
            const Status status = make(world_.frame, results);
            world_.memory.stop_failing();
            const bool was_short = world_.memory.failures() != before;
            expect_whole_or_nothing(status, Code::out_of_memory, was_short, results);
            if (!was_short) return k;
        }
    }
    std::size_t on_a_bad_executor(FaultyExecutor::Habit habit) const {
        return at_each_step([&](std::size_t from) {
            FaultyExecutor executor(habit, from);
            Results results(&world_.memory);
            const Status status = make(world_.frame.on(executor.executor()), results);
            expect_failure(status, Code::bad_executor, executor.guilty(), results);
            return executor.guilty();
        });
    }
    std::size_t cancelled() const {
        return at_each_step([&](std::size_t from) {
            CancellingHost host(from);
            Results results(&world_.memory);
            const Status status = make(world_.frame.on(host.on(serial_executor())), results);
            expect_failure(status, Code::cancelled, host.has_cancelled(), results);
            return host.has_cancelled();
        });
    }

private:
    Status make(const Frame& frame, Results& results) const {
        results.answer.clear();
        return call_.make(frame, world_.asked, results);
    }
    std::vector<Numbers> answers_of(const Results& results) const {
        std::vector<Numbers> answers = results.answer;
        for (Numbers& list : answers)
            if (call_.gives == Gives::in_any_order) std::sort(list.begin(), list.end());
        return answers;
    }
    // All of the first steps, and then fewer and fewer: blocks of one call repeat their steps.
    template <class Try>
    static std::size_t at_each_step(const Try& ends_early) {
        std::size_t times = 0;
        for (std::size_t from = 0; ends_early(from); from += from < 4 ? 1 : from / 2) ++times;
        return times;
    }
    // A call may succeed although some memory was refused.
    void expect_whole_or_nothing(const Status& status, Code code, bool was_met, Results& results) const {
        if (!status.ok()) {
            EXPECT_TRUE(was_met) << call_.name;
            EXPECT_EQ(status.code, code) << call_.name;
            EXPECT_TRUE(results.are_empty()) << call_.name;
            EXPECT_EQ(make(world_.frame, results), Status{}) << call_.name;
        }
        EXPECT_TRUE(answers_of(results) == expected_) << call_.name;
    }
    void expect_failure(const Status& status, Code code, bool was_met, Results& results) const {
        EXPECT_EQ(status.ok(), !was_met) << call_.name;
        expect_whole_or_nothing(status, code, was_met, results);
    }

    const FailingWorld& world_;
    const Call& call_;
    std::vector<Numbers> expected_;
};

// Calls use(call) for each form of some kinds that there is in a world.
template <class Use>
void each_form(const std::vector<std::string_view>& names, const Asked& asked, const Use& use) {
    for (const Kind& kind : kinds())
        for (const Call& call : kind.calls)
            if (std::count(names.begin(), names.end(), kind.name) != 0 &&
                !(call.is_none && call.is_none(asked)) && !(call.is_refused && call.is_refused(asked)))
                use(call);
}
// Kept lists are no kind of the harness: they may have more than brute force finds.
inline const Call& call_for_kept_lists() {
    static const Call call{"kept neighbours", Gives::lists,
                           [](const Frame& frame, const Asked&, Results& results) {
                               const Status status = results.kept.update(frame);
                               results.give(results.kept.lists());
                               return status;
                           }};
    return call;
}

}  // namespace throng::test
