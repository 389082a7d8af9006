// What an update plans and builds where the plan of the frame before is of no use: counted in rounds of the executor, of
// which a frame takes three, and in calls for memory.
#include "bench/common/worlds/frames.hpp"
#include "support/test.hpp"
#include "worst_worlds/world_of.hpp"

namespace throng::test {
namespace {

// What boxes around the middles of the agents cost in the second frame of a world, for one agent of so many.
Explain cost_in_next_frame(std::string_view text, float half, std::size_t one_in) {
    worlds::Frames frames(world_of(text));
    Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    frames.next();
    EXPECT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    std::vector<Box> around;
    for (std::size_t i = 0; i < frames.boxes().size(); i += one_in) {
        const Box& box = frames.boxes()[i];
        around.push_back(Box::around((box.min_x + box.max_x) / 2, (box.min_y + box.max_y) / 2, half, half));
    }
    return engine.frame().explain(around);
}

// On the plan of the frame before nearly all agents are oversized, and a tree over them has many blocks.
TEST(Update, makes_no_tree_for_a_frame_that_is_not_kept) {
    worlds::Frames frames(
        world_of("h1;n=20000;seed=874;place=hinterland(octaves=80.3);size=distance;"
                 "ids=squads(stride=2);then=from_crowd"));
    CountingResource memory;
    Engine engine =
        engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor(), .memory = &memory});
    const std::uint64_t before = memory.calls();
    frames.next();
    ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    EXPECT_EQ(engine.tuning().times_rebuilt, 1u);
    EXPECT_LE(engine.tuning().oversized, 1500u);
    EXPECT_LE(memory.calls() - before, 70u);
}

// Slivers walk apart. A plan that is made while they lie across each other serves none of the frames that follow, but a
// survey takes the agents for the same.
TEST(Update, plans_again_for_agents_that_walk_to_where_a_plan_serves_them) {
    worlds::Frames frames(world_of(
        "h1;n=20000;seed=131;place=cantor(ratio=30.6);size=octaves;place=line(step=1.33,width=632);"
        "place=radial;size=power(exponent=1.6);at=at(x=363,scale=2.92e-06);share=0.0979;place=point;"
        "size=power(least=1.55e-05);place=clusters(levels=3,arms=802);share=12.8;place=clusters(arms=15);"
        "size=sliver(long=12500,thin=0.00658);place=scouts;size=octaves(octaves=9.1);share=0.0132;"
        "place=lattice(columns=213,step=13.6);size=sliver(long=8.31,thin=0.865);share=0.421;"
        "ids=squads(stride=26);then=walk(step=77300)"));
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

// Half of the slivers walk to islands that were planned for shorter ones, and look through all of their cells.
TEST(Update, plans_again_where_oversized_agents_look_through_many_cells) {
    worlds::Frames frames(
        world_of("h1;n=100000;seed=31;place=square;size=sliver(long=4.94e+06,tall=0,thin=0);"
                 "place=hinterland(octaves=60);then=walk(step=1e+06)"));
    Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    frames.next();
    ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    std::vector<Box> some;
    for (std::size_t i = 0; i < frames.boxes().size(); i += 97) some.push_back(frames.boxes()[i]);
    const Explain cost = engine.frame().explain(some);
    ASSERT_EQ(cost.status, Status{});
    EXPECT_LE(cost.tested, 200 * cost.queries) << "it was 1,150";
}

// A plan that is made ahead promises no more than was foreseen, which knows nothing of how oversized agents go through a cell.
TEST(Update, takes_a_plan_made_ahead_where_its_own_costs_more_than_was_foreseen) {
    const Explain cost = cost_in_next_frame(
        "h1;n=100000;seed=55;place=hinterland(octaves=77.8);size=sliver(long=430,tall=0.693);"
        "share=2.08;place=hinterland(octaves=93.9);size=sliver(long=153,tall=0.693);share=0.473;"
        "place=piles;size=giants;place=star(rays=3,octaves=80.5);size=sliver(long=110);"
        "place=line(width=524);size=sliver(long=192,thin=0.235);share=71.4;"
        "place=clusters(levels=18,arms=25);ids=squads(stride=59700);then=spawn",
        60, 97);
    ASSERT_EQ(cost.status, Status{});
    EXPECT_LE(cost.tested, 1500 * cost.queries) << "it was 3,300";
}

// Fences that cross each other are oversized on the plan of the spawn point, so their pairs are no part of what its frame costs.
TEST(Update, parts_a_crowd_that_leaves_the_spawn_point_among_fences) {
    const Explain cost = cost_in_next_frame(
        "h1;n=20000;seed=523;place=scouts;size=sliver(long=4.74e+08);share=96.1;place=square;share=69.5;"
        "place=hinterland(octaves=99.9);share=85.1;ids=squads;then=spawn",
        20, 1);
    ASSERT_EQ(cost.status, Status{});
    EXPECT_LE(cost.tested, 200 * cost.queries) << "it was 6,700";
}

// Slivers that cross one spot drift onto a coarser island. Their pairs are what shares its cells, but a small box finds few of them.
TEST(Update, parts_slivers_that_cross_each_other_and_cover_little) {
    const Explain cost = cost_in_next_frame(
        "h1;n=100000;seed=693;place=square;at=at(scale=1230000);share=49.1;"
        "place=radial;size=sliver(long=52400);share=587;then=drift(y=-2700000)",
        200, 97);
    ASSERT_EQ(cost.status, Status{});
    EXPECT_LE(cost.tested, 10000 * cost.queries) << "it was 24,000";
}

// Slivers that all overlap each other share cells on any plan. A closer one looks at all agents, and at as many again while it sorts
// them by island.
TEST(Update, makes_no_closer_plan_for_agents_that_overlap_on_any) {
    const worlds::Frames frames(
        world_of("h1;n=100000;seed=996;place=hinterland;share=64;place=square;size=sliver(long=7380000,"
                 "tall=0.175);share=72;then=spawn(frames=3)"));
    CountingResource memory;
    const Engine engine =
        engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor(), .memory = &memory});
    EXPECT_GE(engine.tuning().sharing, 1000 * frames.boxes().size());
    EXPECT_LE(memory.bytes_out(), 115 * frames.boxes().size());
}

// One in eight pairs that share a cell overlaps, so queries cost little for what they find. Each frame is another
// world, since coordinates are coarser the farther it has drifted.
TEST(Update, makes_one_plan_a_frame_where_enough_of_what_shares_cells_overlaps) {
    worlds::Frames frames(
        world_of("h1;n=20000;seed=853;place=scouts;place=star(octaves=47);share=0.0312;place=square;"
                 "size=octaves(low=0.0921);share=6.33;then=drift(x=8.45e+08)"));
    Engine engine({.executor = serial_executor()});
    for (int k = 0; k < 5; ++k) {
        if (k != 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    }
    EXPECT_LE(engine.tuning().times_rebuilt, 4u) << "it was 7";
}

// What two samples of heavy tails tell of extents and densities differs, and yet they are the same agents.
TEST(Update, plans_once_for_agents_with_heavy_tails_that_change_places) {
    worlds::Frames frames(world_of(
        "h1;n=20000;seed=383;place=star;size=sliver(long=75400000);share=87.9;place=square;then=teleport"));
    Engine engine({.executor = serial_executor()});
    for (int k = 0; k < 8; ++k) {
        if (k != 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    }
    EXPECT_LE(engine.tuning().times_rebuilt, 2u) << "it was twice in each frame";
}

// The second time the plan of each is there, or no plan is better for either than the present one.
TEST(Update, plans_once_for_each_of_two_worlds_in_turns) {
    for (const char* text :
         {"h1;n=20000;seed=1;place=square;then=pulse(places=1000,sizes=1000)",
          "h1;n=20000;seed=896;place=lattice(step=3.22e-06);place=clusters(levels=7,ratio=27.2);"
          "place=clusters;size=sliver(long=40200);then=pulse(sizes=2.41e-09)",
          "h1;n=20000;seed=474;place=hinterland;place=piles;size=power(least=846);at=at(x=7960);then="
          "pulse"}) {
        worlds::Frames frames(world_of(text));
        Engine engine({.executor = serial_executor()});
        std::uint64_t before = 0;
        for (int k = 0; k < 8; ++k, frames.next()) {
            ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
            if (k == 3) before = engine.tuning().times_rebuilt;
        }
        EXPECT_EQ(engine.tuning().times_rebuilt, before) << "it was twice in each frame";
    }
}

// Its pairs overlap on any plan, so one is hardly better than another.
TEST(Update, returns_to_no_plan_of_many_times_as_many_agents) {
    worlds::Frames frames(
        world_of("h1;n=100000;seed=438;place=hinterland(octaves=87.2);share=1.05;place=star;"
                 "size=uniform(high=5550);share=2.13;place=hinterland(octaves=93.7);at=at(spread=0.0806);"
                 "share=1.05;place=point;size=octaves;ids=steps(step=706);then=shrink(share=0.05)"));
    Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    for (int k = 0; k < 3; ++k) {
        frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_LE(engine.tuning().islands, 100u) << "it was 521 for 5,000";
    }
}

TEST(Update, keeps_to_a_plan_in_a_world_that_stands_still) {
    worlds::Frames frames(world_of(
        "h1;n=20000;seed=951;place=hinterland(octaves=99.6);share=884;place=radial(octaves=53.2,centres=5);"
        "size=constant(half=145000);at=at(x=8.6e+09);then=rescale(places=2.87e-08,sizes=55800)"));
    Engine engine({.executor = serial_executor()});
    for (int k = 0; k < 80; ++k, frames.next()) ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    EXPECT_LE(engine.tuning().times_chosen, 25u);
}

// Nothing better was found for rays of oversized agents: the first edit does not look again.
TEST(Update, looks_for_the_first_edit_as_well) {
    worlds::Frames frames(
        world_of("h1;n=20000;seed=258;place=star(octaves=88);size=distance(factor=0.0994);"
                 "share=3.46;then=grow(share=0.05)"));
    CountingExecutor executor;
    Engine engine({.executor = executor.executor()});
    for (int k = 0; k < 3; ++k, frames.next()) ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    const std::uint64_t before = executor.calls();
    ASSERT_EQ(committed(engine, engine.move(7, frames.boxes()[7])), Status{});
    EXPECT_EQ(executor.calls(), before) << "it built the frame again";
}

// A crowd walks apart in the cells of its islands. Slivers all overlap each other, but they are oversized there: no plan for the
// crowd has to spare their pairs.
TEST(Update, plans_again_for_a_crowd_beside_oversized_agents_that_all_overlap) {
    worlds::Frames frames(
        world_of("h1;n=20000;seed=283;place=square;size=sliver(long=8450000,tall=0.415);place=hinterland("
                 "octaves=93.5);"
                 "place=line(step=17.7);at=at(turn=0.7);share=0.856;ids=distance;then=walk(step=1e+06)"));
    Engine engine({.executor = serial_executor()});
    for (int k = 0; k < 3; ++k) {
        if (k != 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_LE(engine.tuning().sharing, 64 * frames.boxes().size()) << "frame " << k;
    }
}

// Sizes grow with the distance, so islands of any scale would leave most agents to the tree.
TEST(Update, plans_no_islands_where_most_agents_are_oversized_on_each) {
    worlds::Frames frames(
        world_of("h1;n=100000;seed=220;place=star(rays=16,octaves=88);size=distance(factor=0.156);"
                 "then=shrink(share=0.05)"));
    Engine engine({.executor = serial_executor()});
    for (int k = 0; k < 3; ++k) {
        if (k != 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_EQ(engine.tuning().oversized, frames.boxes().size()) << "frame " << k;
    }
    EXPECT_EQ(engine.tuning().times_rebuilt, 0u) << "one plan is enough";
}

// Sizes grow in turns until one agent in seven overlaps all others near the middle: pairs that have to be found on any plan.
TEST(Update, keeps_agents_in_cells_that_overlap_on_any_plan) {
    worlds::Frames frames(
        world_of("h1;n=20000;seed=598;place=hinterland(octaves=88.2);share=11;"
                 "then=pulse(places=8.77e-07,sizes=622)"));
    Engine engine({.executor = serial_executor()});
    for (int k = 0; k < 6; ++k) {
        if (k != 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_LE(engine.tuning().oversized, 1000u) << "frame " << k << "; it was 17,103";
    }
    EXPECT_EQ(engine.tuning().times_rebuilt, 1u) << "two plans are taken in turns";
}

// A crowd scatters over 95 octaves. Agents far from its grid find nothing there, but each looks into all rows at the border.
TEST(Update, plans_again_where_most_agents_have_left_the_grid) {
    worlds::Frames frames(
        world_of("h1;n=20000;seed=907;place=radial(centres=526,apart=13.5);size=distance;share=0.355;"
                 "place=square(aspect=2.31);size=uniform(low=0.225);place=hinterland(octaves=94.7);"
                 "size=distance;share=1.43;ids=distance;then=from_crowd"));
    Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    frames.next();
    ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    EXPECT_LE(engine.tuning().oversized, 1000u) << "it was 12,084";
}

// A crowd is pressed together until all overlap hundreds of others. Its sizes differ by less than half, so smaller cells for some spare
// nothing, and the others would have to be compared in the tree.
TEST(Update, keeps_a_crushed_crowd_of_about_one_size_in_cells) {
    worlds::Frames frames(world_of("h1;n=100000;seed=1;place=square;then=rescale(places=0.01)"));
    Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    for (int k = 0; k < 3; ++k) {
        frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_EQ(engine.tuning().oversized, 0u) << "frame " << k << "; it was 55,262";
    }
}

// Nearly all of their work is that of oversized agents, which share a place or are oversized on any plan.
TEST(Update, builds_no_frame_on_a_plan_that_divides_no_oversized_agents) {
    for (const char* text :
         {"h1;n=100000;seed=978;place=comb(width=87.1);size=octaves(octaves=58.9);at=at(turn=0.972);"
          "share=343;place=comb(teeth=252);at=at(y=-136);share=0.0284;place=point;size=sliver;"
          "at=at(x=-1.24e+08,y=-648,spread=0.365);place=cantor(ratio=956);"
          "size=giants(share=0.0311,half=35.2);share=225;ids=steps;then=pulse(places=4.06e-08)",
          "h1;n=100000;seed=276;place=spiral;size=octaves(low=172);share=114;place=square;size=constant;"
          "place=comb(width=36.8);size=power(most=6.06e-09);share=129;then=pulse(sizes=1070)",
          "h1;n=100000;seed=448;place=radial(octaves=82.6);place=square;size=constant;share=19.2;"
          "then=rescale(places=2.29e-07,sizes=30800)"}) {
        worlds::Frames frames(world_of(text));
        CountingExecutor executor;
        Engine engine({.executor = executor.executor()});
        for (int k = 0; k < 2; ++k, frames.next())
            ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_LE(executor.calls(), 9u) << "a frame takes three rounds: it was five frames, and four";
    }
}

// With the work spaces of queries, slabs that were as large as those of many agents, and buffers for those that were oversized.
TEST(Update, gives_memory_back_when_most_agents_leave) {
    for (const char* text :
         {"h1;n=60000;seed=968;place=square;size=sliver(long=869000,thin=0.317);share=0.588;place=square;"
          "then=shrink(share=0.05)",
          "h1;n=100000;seed=238;place=radial(octaves=68.5);size=distance(factor=0.02);"
          "then=shrink(share=0.05)"}) {
        worlds::Frames frames(world_of(text));
        CountingResource memory;
        Engine engine({.executor = serial_executor(), .memory = &memory});
        for (int k = 0; k < 11; ++k) {
            if (k != 0) frames.next();
            ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
            std::vector<std::uint32_t> counts(frames.boxes().size());
            ASSERT_EQ(engine.frame().count(Boxes::of(frames.boxes()), counts), Status{});
        }
        EXPECT_LE(memory.bytes_out(), 500 * frames.boxes().size()) << text;
    }
}

// Slabs go back in portions, which are larger for more agents.
TEST(Update, gives_slabs_back_within_four_updates_after_most_agents_leave) {
    worlds::Frames frames(
        world_of("h1;n=100000;seed=238;place=radial(octaves=68.5);size=distance(factor=0.03);"
                 "then=shrink(share=0.05)"));
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    for (int k = 0; k < 5; ++k) {
        if (k != 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    }
    EXPECT_LE(memory.bytes_out(), 600 * frames.boxes().size()) << "it was 837 for each";
}

}  // namespace
}  // namespace throng::test
