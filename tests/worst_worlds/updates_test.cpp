// What an update plans and builds where the plan of the frame before is of no use: counted in rounds of the executor, of
// which a frame takes three, and in calls for memory.
#include <cstdint>
#include <string_view>

#include "bench/common/worlds/frames.hpp"
#include "bench/common/worlds/text.hpp"
#include "gtest/gtest.h"
#include "support/counting_resource.hpp"
#include "support/executors.hpp"
#include "support/printing.hpp"
#include "throng/engine.hpp"

namespace throng::test {
namespace {

// What these worlds show depends on the number of their agents, so it is the same at every scale of the tests.
worlds::World world_of(std::string_view text) { return worlds::parse(text).world.value(); }

// Half of the agents are in the middle of 75 octaves, all of which drift: none is on its island of the frame before.
TEST(Update, builds_one_frame_where_islands_are_left_behind) {
    constexpr std::uint64_t rounds_of_a_frame = 3, updates = 4;
    worlds::Frames frames(
        world_of("h1;n=20000;seed=823;place=square;at=at(scale=1.95e-09);"
                 "place=radial(octaves=75);share=0.815;then=drift"));
    CountingExecutor executor;
    Engine engine({.executor = executor.executor()});
    ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    ASSERT_EQ(executor.calls(), rounds_of_a_frame);
    const std::uint64_t before = engine.tuning().times_rebuilt;
    for (std::uint64_t k = 0; k < updates; ++k) {
        frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    }
    EXPECT_EQ(engine.tuning().times_rebuilt, before + updates) << "each has another plan";
    EXPECT_LE(executor.calls(), (1 + updates + 1) * rounds_of_a_frame);
}

// On the plan of the frame before nearly all agents are oversized, and a tree over them has many blocks.
TEST(Update, makes_no_tree_for_a_frame_that_is_not_kept) {
    worlds::Frames frames(
        world_of("h1;n=20000;seed=874;place=hinterland(octaves=80.3);size=distance;"
                 "ids=squads(stride=2);then=from_crowd"));
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    const std::uint64_t before = memory.calls();
    frames.next();
    ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    EXPECT_EQ(engine.tuning().times_rebuilt, 1u);
    EXPECT_LE(engine.tuning().oversized, 1000u);
    EXPECT_LE(memory.calls() - before, 70u);
}

// Slivers walk apart. A plan that is made while they lie across each other serves none of the frames that follow, but a
// survey takes the agents for the same.
TEST(Update, plans_again_for_agents_that_walk_to_where_a_plan_serves_them) {
    worlds::Frames frames(world_of(
        "h1;n=20000;seed=131;place=cantor(ratio=30.6);size=octaves;place=line(step=1.33,width=632);"
        "place=radial;size=power(exponent=1.6);at=at(x=363,scale=2.92e-06);share=0.0979;place=point;"
        "size=power(least=1.55e-05);place=clusters(levels=3,arms=802);share=12.8;"
        "place=clusters(arms=15);size=sliver(long=12500,thin=0.00658);place=scouts;"
        "size=octaves(octaves=9.1);share=0.0132;place=lattice(columns=213,step=13.6);"
        "size=sliver(long=8.31,thin=0.865);share=0.421;ids=squads(stride=26);then=walk(step=77300)"));
    Engine engine({.executor = serial_executor()});
    for (std::size_t k = 0; k < 9; ++k) {
        if (k != 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        if (k < 4) continue;
        const Explain cost = engine.frame().explain(Boxes::of(frames.boxes()));
        ASSERT_EQ(cost.status, Status{});
        EXPECT_LE(cost.tested, 300 * cost.queries) << "frame " << k << "; it was 2,500 and more";
    }
    EXPECT_LE(engine.tuning().times_rebuilt, 9u);
}

// Half of a thousand agents are in one cell of a grid that holds them all.
TEST(Update, divides_a_thousand_agents_as_it_divides_many) {
    worlds::Frames frames(world_of("h1;n=1000;seed=535;place=radial(centres=260);size=giants;then=still"));
    Engine engine({.executor = serial_executor()});
    ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    const Explain cost = engine.frame().explain(Boxes::of(frames.boxes()));
    ASSERT_EQ(cost.status, Status{});
    EXPECT_LE(cost.tested, 40 * cost.queries);
}

}  // namespace
}  // namespace throng::test
