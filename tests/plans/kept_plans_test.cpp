// What a plan carries from one engine to another.
#include "harness/reading_calls.hpp"
#include "plans/plans.hpp"
#include "support/everywhere.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Other worlds that an engine may have been in before.
void live_elsewhere(Engine& engine, std::size_t which) {
    Scene scene = which % 2 == 0 ? make_scene("mixed_sizes", 1200, which)
                                 : make_island_scene("villages_of_all_sizes", 3200, which);
    const std::vector<Label> labels = labels_by_id(scene.agents().size());
    for (std::size_t k = 0; k < which % 5; ++k, scene.step())
        ASSERT_EQ(engine.update(scene.boxes(), {.labels = labels}), Status{});
    if (which % 3 != 0 || engine.frame().size() == 0) return;
    ASSERT_EQ(engine.move(0, Box{0, 0, 1, 1}), Status{});
    ASSERT_EQ(engine.commit(), Status{});
}

class KeptPlans : public ::testing::TestWithParam<SceneRecipe> {};

// They are on other executors and instruction sets, too.
TEST_P(KeptPlans, lead_engines_of_all_histories_the_same_way) {
    const std::vector<Isa> sets = instruction_sets();
    for (std::size_t joins = 0; joins < scaled(3, 2); ++joins) {
        Scene scene(GetParam(), GetParam().cell_width > 0 ? 600 : 3100, joins + 1);
        const auto place = backward_workplace(3);
        Engine engine(scene.configure({.executor = serial_executor(), .isa = sets.front()})),
            joining(scene.configure({.executor = place->executor(), .isa = sets.back()}));
        for (std::size_t k = 0; k < 3 * joins; ++k, scene.step())
            ASSERT_EQ(engine.update(scene.boxes()), Status{});
        live_elsewhere(joining, joins);
        ASSERT_EQ(joining.set_plan(plan_of(engine)), Status{});
        Frames both;
        for (std::size_t k = 0; k < scaled(100, 15); ++k, scene.step())
            ASSERT_TRUE(both.make(engine, joining, scene.agents())) << "frame " << k << " after " << joins;
    }
}

// Every call that reads a frame gives the same bytes.
TEST_P(KeptPlans, lead_to_the_same_answers_of_all_calls) {
    Scene scene(GetParam(), 700, 5);
    if (scene.agents().empty()) return;
    Engine engine(scene.configure({.executor = serial_executor()})),
        joining(scene.configure({.executor = serial_executor()}));
    for (std::size_t k = 0; k < 5; ++k, scene.step()) ASSERT_EQ(engine.update(scene.boxes()), Status{});
    const ReadingWorld world(scene, 30);
    live_elsewhere(joining, 3);
    ASSERT_EQ(joining.set_plan(plan_of(engine)), Status{});
    for (Engine* each : {&engine, &joining}) ASSERT_EQ(world.fill(*each, Given::labels), Status{});
    for (const ReadingCall& call : reading_calls()) {
        Results one, other;
        ASSERT_EQ(call.make(engine.frame(), world, one), Status{}) << call.name;
        ASSERT_EQ(call.make(joining.frame(), world, other), Status{}) << call.name;
        EXPECT_TRUE(one.answer == other.answer && one.record == other.record) << call.name;
    }
}

INSTANTIATE_TEST_SUITE_P(every, KeptPlans, enough_scenes(3), scene_name);
INSTANTIATE_TEST_SUITE_P(islands, KeptPlans, enough_island_worlds(1), scene_name);

// --- What else a host does with them -----------------------------------------------------------------------

// An engine goes back to a frame that it was in, and from there on once more.
TEST(Plan, leads_an_engine_back) {
    for (const char* name : {"villages", "villages_of_all_sizes"}) {
        std::vector<Scene> states{make_island_scene(name, 3500, 2)};
        Engine engine({.executor = serial_executor()});
        PlanBytes saved;
        std::vector<Answers> seen;
        for (std::size_t k = 0; k < 60; ++k) {
            if (k == 20) saved = plan_of(engine);
            ASSERT_EQ(engine.update(states.back().boxes()), Status{});
            seen.push_back(ask(engine.frame(), some_queries(states.back().agents())));
            states.push_back(states.back());
            states.back().step();
        }
        ASSERT_EQ(engine.set_plan(saved), Status{});
        for (std::size_t k = 20; k < 60; ++k) {
            ASSERT_EQ(engine.update(states[k].boxes()), Status{});
            ASSERT_TRUE(identical(seen[k], ask(engine.frame(), some_queries(states[k].agents())))) << k;
        }
    }
}

TEST(Plan, is_that_of_a_new_engine_after_replan) {
    Scene scene = make_island_scene("villages", 3500, 4);
    Engine engine({.executor = serial_executor()}), fresh({.executor = serial_executor()});
    const PlanBytes nothing = plan_of(fresh);
    for (std::size_t k = 0; k < 7; ++k, scene.step()) ASSERT_EQ(engine.update(scene.boxes()), Status{});
    EXPECT_NE(plan_of(engine), nothing);
    ASSERT_EQ(engine.replan(), Status{});
    EXPECT_EQ(plan_of(engine), nothing);
    Frames both;
    for (std::size_t k = 0; k < 40; ++k, scene.step())
        ASSERT_TRUE(both.make(engine, fresh, scene.agents())) << k;
}

// Before the engine has made a frame with the plan, it answers from the frame that was there.
TEST(Plan, is_for_the_next_frame) {
    const Scene scene = make_scene("uniform", 3000), other = make_island_scene("villages", 3000, 1);
    Engine engine({.executor = serial_executor()}), joining({.executor = serial_executor()});
    ASSERT_EQ(engine.update(other.boxes()), Status{});
    ASSERT_EQ(joining.update(scene.boxes()), Status{});
    const std::vector<Box> queries = some_queries(scene.agents());
    const Answers before = ask(joining.frame(), queries);
    ASSERT_EQ(joining.set_plan(plan_of(engine)), Status{});
    EXPECT_TRUE(identical(before, ask(joining.frame(), queries)));
    EXPECT_TRUE(joining.validate().sound());
    // Without an edit there is no frame to make.
    ASSERT_EQ(joining.commit(), Status{});
    EXPECT_EQ(joining.frame().number(), 1u);
}

// A commit cannot edit a frame that is on another plan, so it builds all rows.
TEST(Plan, is_what_a_commit_builds_on) {
    const Scene scene = make_scene("uniform", 3000), other = make_island_scene("villages", 3000, 1);
    Engine engine({.executor = serial_executor()}), joining({.executor = serial_executor()});
    ASSERT_EQ(engine.update(other.boxes()), Status{});
    for (const bool replans : {false, true}) {
        ASSERT_EQ(joining.update(scene.boxes()), Status{});
        ASSERT_EQ(replans ? joining.replan() : joining.set_plan(plan_of(engine)), Status{});
        std::vector<Box> boxes = scene.agents();
        for (const AgentId id : {3u, 700u}) {
            boxes[id] = boxes[id + 1];
            ASSERT_EQ(joining.move(id, boxes[id]), Status{});
        }
        ASSERT_EQ(joining.commit(), Status{});
        Engine updated({.executor = serial_executor()});
        if (!replans) {
            ASSERT_EQ(updated.set_plan(plan_of(engine)), Status{});
        }
        ASSERT_EQ(updated.update(boxes), Status{});
        EXPECT_TRUE(are_alike(updated, joining, some_queries(boxes))) << replans;
        EXPECT_TRUE(joining.validate().sound());
    }
}

TEST(Plan, follows_another_origin) {
    Scene scene = make_island_scene("villages", 3500, 6);
    Engine engine({.executor = serial_executor()}), joining({.executor = serial_executor()});
    for (std::size_t k = 0; k < 5; ++k, scene.step()) ASSERT_EQ(engine.update(scene.boxes()), Status{});
    ASSERT_EQ(joining.update(scene.boxes()), Status{});
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    ASSERT_EQ(joining.set_plan(plan_of(engine)), Status{});
    for (Engine* each : {&engine, &joining}) ASSERT_EQ(each->rebase(100, -30), Status{});
    const std::vector<Box> queries{Box{-1e6f, -1e6f, 1e6f, 1e6f}};
    EXPECT_TRUE(are_alike(engine, joining, queries));
}

// Whatever it was that memory ran out for: after an update that failed, the plan that was set is still set.
TEST(Plan, stays_set_when_an_update_fails) {
    const Scene scene = make_island_scene("villages", 3000, 1);
    Engine engine({.executor = serial_executor()});
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    const PlanBytes plan = plan_of(engine);
    CountingResource memory;
    Engine joining({.executor = serial_executor(), .memory = &memory});
    ASSERT_EQ(joining.update(make_scene("uniform", 5).boxes()), Status{});
    ASSERT_EQ(joining.set_plan(plan), Status{});
    std::vector<Box> bad = scene.agents();
    bad.back().max_x = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(joining.update(bad).code, Code::not_finite);
    EXPECT_EQ(plan_of(joining), plan);
    joining.release_memory();
    memory.fail_after(1);
    EXPECT_EQ(joining.update(scene.boxes()).code, Code::out_of_memory);
    memory.stop_failing();
    EXPECT_EQ(plan_of(joining), plan);
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    ASSERT_EQ(joining.update(scene.boxes()), Status{});
    EXPECT_TRUE(are_alike(engine, joining, some_queries(scene.agents())));
}

// A settled simulation that takes its plan in each frame, so that it may go back, allocates nothing for it.
TEST(Plan, allocates_nothing_to_be_written) {
    CountingResource memory;
    const Scene scene = make_island_scene("villages", 3000, 1);
    Engine engine({.executor = serial_executor(), .memory = &memory});
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    const std::uint64_t calls = memory.calls();
    PlanBytes bytes = plan_of(engine);
    EXPECT_EQ(memory.calls(), calls);
}

}  // namespace
}  // namespace throng::test
