// An executor that breaks its promise is found out. The call says so, and nothing has changed. With an
// executor that keeps its promise all goes on.
#include "support/engine_state.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Habit = FaultyExecutor::Habit;

std::string describe(Habit habit) {
    switch (habit) {
    case Habit::runs_nothing: return "runs_nothing";
    case Habit::skips_the_first: return "skips_the_first";
    case Habit::skips_the_last: return "skips_the_last";
    case Habit::repeats_the_first: return "repeats_the_first";
    case Habit::repeats_the_last: return "repeats_the_last";
    case Habit::runs_one_for_another: break;
    }
    return "runs_one_for_another";
}

// Enough agents that every step has several blocks.
const Scene& scene() {
    static const Scene all = make_scene("uniform", 30000);
    return all;
}
const Scene& scene_after() {
    static const Scene all = [] {
        Scene moved = scene();
        moved.step();
        return moved;
    }();
    return all;
}

class BadExecutor : public ::testing::TestWithParam<Habit> {};

// Update or commit on an executor that fails from its call number `from` on. Returns whether it failed at
// all.
bool fails_and_recovers(Habit habit, std::uint64_t from, const std::function<Status(Engine& engine)>& write,
                        const Answers& expected) {
    FaultyExecutor executor(habit, from);
    executor.reform(true);
    Engine engine = engine_with(scene().boxes(), {.executor = executor.executor()});
    const EngineState before = state_of(engine, scene().queries(20));
    executor.reform(false);
    const Status status = write(engine);
    executor.reform(true);
    if (!executor.guilty()) return false;
    EXPECT_EQ(status.code, Code::bad_executor) << "call " << from;
    engine.discard();
    EXPECT_TRUE(unchanged(before, engine)) << "call " << from;
    EXPECT_EQ(write(engine), Status{});
    EXPECT_TRUE(identical(expected, ask(engine.frame(), scene().queries(20))));
    return true;
}

void expect_found_out_at_every_step(Habit habit, const std::function<Status(Engine& engine)>& write) {
    Engine plain = engine_with(scene().boxes(), {.executor = serial_executor()});
    ASSERT_EQ(write(plain), Status{});
    const Answers expected = ask(plain.frame(), scene().queries(20));
    std::uint64_t from = 0;
    while (fails_and_recovers(habit, from, write, expected)) ++from;
    EXPECT_GT(from, 0u) << "the executor was never asked";
}

TEST_P(BadExecutor, of_an_update_is_found_out_at_every_step) {
    expect_found_out_at_every_step(GetParam(),
                                   [](Engine& engine) { return engine.update(scene_after().boxes()); });
}

TEST_P(BadExecutor, of_a_commit_is_found_out_at_every_step) {
    std::vector<AgentId> ids;
    std::vector<Box> boxes;
    for (AgentId id = 0; id < scene_after().agents().size(); id += 2) {
        ids.push_back(id);
        boxes.push_back(scene_after().agents()[id]);
    }
    expect_found_out_at_every_step(GetParam(), [&](Engine& engine) {
        if (const Status status = engine.move(ids, Boxes::of(boxes)); !status) return status;
        return engine.commit();
    });
}

INSTANTIATE_TEST_SUITE_P(that, BadExecutor,
                         ::testing::Values(Habit::runs_nothing, Habit::skips_the_first, Habit::skips_the_last,
                                           Habit::repeats_the_first, Habit::repeats_the_last,
                                           Habit::runs_one_for_another),
                         [](const auto& habit) { return describe(habit.param); });

}  // namespace
}  // namespace throng::test
