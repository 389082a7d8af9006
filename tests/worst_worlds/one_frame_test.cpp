// Updates that make a new plan and still build only one frame. A frame takes three calls of the executor, so these are counted.
#include <vector>

#include "bench/common/worlds/frames.hpp"
#include "support/test.hpp"
#include "worst_worlds/world_of.hpp"

namespace throng::test {
namespace {

// Half of the agents are in the middle of 75 octaves, all of which drift in two directions: none is on its island of the frame before,
// and islands could move with half of them only.
TEST(OneFrame, is_built_where_islands_are_left_behind) {
    constexpr std::uint64_t rounds_of_a_frame = 3, updates = 8;
    const worlds::Frames frames(
        world_of("h1;n=20000;seed=823;place=square;at=at(scale=1.95e-09);"
                 "place=radial(octaves=75);share=0.815"));
    std::vector<Box> boxes = frames.boxes();
    CountingExecutor executor;
    Engine engine = engine_with(boxes, {.executor = executor.executor()});
    ASSERT_EQ(executor.calls(), rounds_of_a_frame);
    const std::uint64_t before = engine.tuning().times_rebuilt;
    for (std::uint64_t k = 0; k < updates; ++k) {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            Box& box = boxes[i];
            const float by = i % 2 == 0 ? 1 : -1;
            box = {box.min_x + by, box.min_y, box.max_x + by, box.max_y};
        }
        ASSERT_EQ(engine.update(boxes), Status{});
    }
    EXPECT_EQ(engine.tuning().times_rebuilt, before + updates) << "each has another plan";
    EXPECT_LE(executor.calls(), (1 + updates + 1) * rounds_of_a_frame);
}

// In five frames after the first.
void expect_one_frame_in_each_update(std::string_view text) {
    worlds::Frames frames(world_of(text));
    CountingExecutor executor;
    Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = executor.executor()});
    for (int frame = 1; frame < 6; ++frame) {
        const std::uint64_t before = executor.calls();
        frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_LE(executor.calls(), before + 3) << "it was two frames, of three rounds each; " << frame;
    }
}

// All pairs overlap where sizes have grown, and no plan spares any of them.
TEST(OneFrame, is_built_where_all_that_costs_overlaps) {
    expect_one_frame_in_each_update("h1;n=100000;seed=1;place=radial(octaves=93.6);then=pulse");
}

// Agents walk off their islands little by little.
TEST(OneFrame, is_built_where_work_has_hardly_grown) {
    expect_one_frame_in_each_update(
        "h1;n=100000;seed=784;place=line;place=square;at=at(scale=4.95e-10);place=square;place=line;"
        "place=square;place=radial(octaves=66.9);place=square;place=square;"
        "size=sliver(long=23100000,tall=0.996);share=0.0883");
}

// A world drifts on to where a plan comes to 120 an agent and not to 40. Enough of what shares cells overlaps.
TEST(OneFrame, is_built_where_a_plan_ahead_promises_little_but_pairs) {
    expect_one_frame_in_each_update(
        "h1;n=100000;seed=701;place=star(octaves=10.4);size=uniform(high=18.8);place=radial(apart=1.8e+25);"
        "size=distance(factor=5.76e-07);place=square(aspect=1.26e-08);size=power;share=2.72;place=radial("
        "apart=1.51e+14);size=distance;ids=morton;then=drift(y=7.43e+08)");
}

// A frame that costs twice as much as the one before stays, and the next one is on a plan for it.
TEST(OneFrame, is_built_where_work_has_doubled_on_islands_in_islands) {
    const char* text =
        "h1;n=100000;seed=93;place=hinterland(octaves=97.7);size=constant(half=0.569);share=1.2;"
        "ids=squads(stride=202);then=rescale(places=33.7)";
    expect_one_frame_in_each_update(text);
    worlds::Frames frames(world_of(text));
    Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    for (const bool stays : {true, false}) {
        frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_EQ(engine.tuning().sharing > 16u * 100'000, stays);
    }
}

// All agents leave the one cell of the spawn point, and four in five of a crowd come to stand in one.
TEST(OneFrame, is_built_where_one_grid_is_left_behind) {
    for (const char* text : {"h1;n=20000;seed=740;place=radial(octaves=100);then=spawn",
                             "h1;n=20000;seed=743;place=radial(octaves=100,centres=5);then=from_crowd"}) {
        worlds::Frames frames(world_of(text));
        CountingExecutor executor;
        Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = executor.executor()});
        const std::uint64_t before = executor.calls();
        frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_EQ(engine.tuning().times_rebuilt, 1u) << text;
        EXPECT_LE(executor.calls(), before + 3) << "it was two frames, of three rounds each";
    }
}

// Agents become 8 million times as large in every second frame, so nearly all of them are oversized. They go to the tree, and no frame is built
// on islands first.
TEST(OneFrame, is_built_where_all_agents_outgrow_their_islands) {
    expect_one_frame_in_each_update(
        "h1;n=100000;seed=719;place=hinterland(octaves=64.1);size=wall(thin=0.0135);share=0.034;ids=morton;"
        "then=pulse(places=6.94e-05,sizes=8200000)");
}

}  // namespace
}  // namespace throng::test
