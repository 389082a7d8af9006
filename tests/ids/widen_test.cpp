// Frame::widen gives ids as 64-bit numbers, on the frame's executor.
#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(Widen, keeps_every_id_on_any_executor) {
    Random random(2);
    std::vector<AgentId> ids(scaled(300000, 150000));
    for (AgentId& id : ids) id = static_cast<AgentId>(random.below(std::uint64_t{1} << 32));
    ids.back() = no_agent;
    const std::vector<std::uint64_t> expected(ids.begin(), ids.end());
    Engine engine;
    for (const Executor& executor : {serial_executor(), default_executor()}) {
        std::vector<std::uint64_t> numbers(ids.size() + 1, 7);
        ASSERT_EQ(engine.frame().on(executor).widen(ids, numbers), Status{});
        EXPECT_EQ(numbers.back(), 7u) << "nothing is written beyond";
        numbers.pop_back();
        EXPECT_EQ(numbers, expected);
    }
}

TEST(Widen, refuses_too_few_places_and_null) {
    const std::vector<AgentId> ids{1, 2, 3};
    std::vector<std::uint64_t> two(2, 7);
    const Frame frame;
    EXPECT_EQ(frame.widen(ids, two), (Status{Code::size_mismatch, Argument::output}));
    EXPECT_EQ(two, std::vector<std::uint64_t>(2, 7));
    const AgentId* const no_ids = nullptr;
    std::uint64_t* const nowhere = nullptr;
    EXPECT_EQ(frame.widen({no_ids, 2}, two), (Status{Code::null_view, Argument::ids}));
    EXPECT_EQ(frame.widen(ids, {nowhere, 3}), (Status{Code::null_view, Argument::output}));
    EXPECT_EQ(frame.widen({}, {}), Status{});
}

TEST(Widen, reports_an_executor_that_runs_no_block) {
    const std::vector<AgentId> ids(1 << 18);
    std::vector<std::uint64_t> numbers(ids.size());
    const Executor idle{.workers = 4, .parallel_for = [](void*, std::size_t, Executor::Body, void*) {}};
    const Engine engine;
    EXPECT_EQ(engine.frame().on(idle).widen(ids, numbers).code, Code::bad_executor);
}

TEST(Widen, ends_where_the_host_wants_it_and_says_so) {
    const std::vector<AgentId> ids(1 << 18);
    std::vector<std::uint64_t> numbers(ids.size());
    CountingExecutor several(4);
    const Engine engine;
    for (const Executor& executor : {serial_executor(), several.executor()}) {
        CancellingHost host(1);
        EXPECT_EQ(engine.frame().on(host.on(executor)).widen(ids, numbers), Status{Code::cancelled});
    }
}

}  // namespace
}  // namespace throng::test
