// The cells that a plan gives its agents: on islands, beside them, and where no survey sees a crowd.
#include "bench/common/worlds/frames.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"
#include "worst_worlds/world_of.hpp"

namespace throng::test {
namespace {

// Tiles of what is left beside islands are as high as the slivers there, and nearly all others in them are far lower.
TEST(PlannedCells, gives_cells_to_the_middle_of_what_is_left_beside_islands) {
    const worlds::Frames frames(world_of(
        "h1;n=100000;seed=0;place=star(rays=9,octaves=15.8);size=distance(factor=2.65e-06);share=0.00514;"
        "place=villages(each=127,continent=1.83e+25);size=distance(factor=0.0331);place=star(rays=9,octaves="
        "15.8);size=distance(factor=6.57e-06);share=16.4;place=hinterland(octaves=100);at=at(y=-1560);"
        "share=25.1;place=piles;size=sliver(long=8.27e+08)"));
    const Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    EXPECT_LE(engine.tuning().sharing, 64 * frames.boxes().size()) << "it was 318 for each";
}

// Fifteen levels of islands lie around a column of slivers, and 23 around a crowd. What is left beside the islands of a level may be
// few, but those on its islands look for it in one cell.
TEST(PlannedCells, leaves_no_crowded_cell_beside_the_islands_of_a_level) {
    for (const char* text :
         {"h1;n=100000;seed=18;place=square;share=0.00167;place=square;at=at(spread=3.46);place=square;size="
          "sliver(long=7850000,tall=1);at=at(x=-3.97e+10,scale=5e+07);share=0.0219;place=hinterland(octaves="
          "67);at=at(scale=0.0136);ids=squads;then=from_crowd",
          "h1;n=100000;seed=297;place=hinterland(octaves=81.4);place=square;share=0.147;place=hinterland("
          "octaves=100);size=distance(factor=3.82e-05);share=0.0491;then=grow(share=0.192)"}) {
        worlds::Frames frames(world_of(text));
        Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
        frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        const Explain cost = engine.frame().explain(Boxes::of(frames.boxes()));
        ASSERT_EQ(cost.status, Status{});
        EXPECT_LE(cost.rows + cost.islands, 5 * cost.queries) << "it was 14 and 23 a query: " << text;
    }
}

// Slivers on islands look at what is left beside these, which has wide cells for agents of its own.
TEST(PlannedCells, gives_long_cells_to_what_is_left_beside_islands_of_slivers) {
    const worlds::Frames frames(
        world_of("h1;n=100000;seed=31;place=square;size=sliver(long=4.94e+06,tall=0,thin=0);"
                 "place=hinterland(octaves=60)"));
    const Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    std::vector<Box> some;
    for (std::size_t i = 0; i < frames.boxes().size(); i += 97) some.push_back(frames.boxes()[i]);
    const Explain cost = engine.frame().explain(some);
    ASSERT_EQ(cost.status, Status{});
    EXPECT_LE(cost.tested, 150 * cost.queries) << "it was 530";
}

// A third of the agents are billions of times as large as the others. One cell for a large agent holds all small ones, but
// islands divide these. Without that, all large agents were in the tree, or all agents.
TEST(PlannedCells, fit_agents_billions_of_times_as_large_as_most) {
    for (const char* text :
         {"h1;n=100000;seed=1;place=square;share=2.72;place=square;at=at(scale=4e+09);share=1.88",
          "h1;n=100000;seed=1;place=square;share=2.72;place=square;at=at(scale=4e+09);share=1.88;place="
          "radial;"
          "size=distance",
          "h1;n=100000;seed=941;place=square(aspect=1.26e-08);share=2.72;place=square;at=at(scale=4.8e+09,"
          "turn="
          "0.88);share=1.88;place=radial;size=distance;then=drift(y=-19700000)"}) {
        worlds::Frames frames(world_of(text));
        Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
        for (int frame = 0; frame < 4; ++frame) {
            const std::size_t agents = frames.boxes().size();
            EXPECT_LT(engine.tuning().oversized, agents / 100) << text;
            EXPECT_LT(engine.tuning().sharing, 16 * agents) << text;
            frames.next();
            ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        }
    }
}

// Where floats are 256 apart, a search that spans some of them went through thousands of rows of empty tiles.
TEST(PlannedCells, cuts_no_tiles_lower_than_floats_are_apart) {
    worlds::Frames frames(world_of("h1;n=20000;seed=412;place=square;at=at(y=3.05e+09,scale=1.11e-07)"));
    Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    frames.next();
    ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    const detail::WorldMap& map = state_behind(engine.frame()).map;
    ASSERT_TRUE(map.has_islands());
    EXPECT_LE(map.tables().tiles[0].rows, 100u);
}

// Half of a thousand agents are in one cell of a grid that holds them all. And nearly all of 20,000 are in a square so small beside
// the world that no survey sees them at one place.
TEST(PlannedCells, divides_few_agents_and_those_that_no_survey_sees) {
    for (const char* text :
         {"h1;n=1000;seed=535;place=radial(centres=260);size=giants;then=still",
          "h1;n=20000;seed=727;place=disc;share=0.00228;place=hinterland;share=0.00228;"
          "place=hinterland(octaves=89.3);share=0.00228;place=square;place=hinterland(octaves=89.5);"
          "size=distance;at=at(x=-2.47e+09,scale=9.27e+08,spread=2.21e+11);share=0.00221;place=disc;"
          "share=0.00228;place=hinterland(octaves=51);share=0.00228"}) {
        worlds::Frames frames(world_of(text));
        const Explain cost = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()})
                                 .frame()
                                 .explain(Boxes::of(frames.boxes()));
        ASSERT_EQ(cost.status, Status{});
        EXPECT_LE(cost.tested, 60 * cost.queries) << text;
    }
}

// Rays on whose islands agents are larger than further inside. Cells for the largest of an island hold few of its agents, so all
// are common there.
TEST(PlannedCells, fits_the_largest_agents_of_an_island_where_cells_for_them_hold_few) {
    const worlds::Frames frames(
        world_of("h1;n=10000;seed=238;place=radial(octaves=68.5);size=distance(factor=0.02)"));
    const Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    EXPECT_TRUE(state_behind(engine.frame()).map.has_islands());
    EXPECT_LE(engine.tuning().oversized, 1200u) << "it was 1736";
}

// A few thousand agents over a hundred octaves: islands would hold some sixty each, and many would be oversized all the same. The tree
// serves them in less time; more agents, and such that cells fit, have islands.
TEST(PlannedCells, are_none_for_few_agents_of_whom_islands_would_hold_few_each) {
    const auto has_islands_after_a_change = [](const char* text) {
        worlds::Frames frames(world_of(text));
        Engine engine({.executor = serial_executor()});
        EXPECT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        frames.next();
        EXPECT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        return state_behind(engine.frame()).map.has_islands();
    };
    EXPECT_FALSE(has_islands_after_a_change(
        "h1;n=100000;seed=1;place=radial(octaves=96.8);size=distance(factor=0.104);place=hinterland(octaves="
        "99.7);then=shrink(share=0.05)"));
    EXPECT_TRUE(has_islands_after_a_change(
        "h1;n=100000;seed=1;place=radial(octaves=96.8);size=distance(factor=0.104);place=hinterland(octaves="
        "99.7);then=shrink(share=0.2)"));
    EXPECT_TRUE(has_islands_after_a_change(
        "h1;n=100000;seed=1;place=radial(octaves=40);size=constant(half=0.01);then=shrink(share=0.05)"));
}

TEST(PlannedCells, are_back_when_few_agents_that_had_none_become_many) {
    const char* text =
        "h1;n=100000;seed=1;place=radial(octaves=96.8);size=distance(factor=0.104);place=hinterland(octaves="
        "99.7);then=still";
    const std::vector<Box> all = worlds::Frames(world_of(text)).boxes();
    std::vector<Box> some;
    for (std::size_t i = 0; i < all.size(); i += 2) some.push_back(all[i]);
    std::vector<Box> few;
    for (std::size_t i = 0; i < all.size(); i += 20) few.push_back(all[i]);
    Engine engine({.executor = serial_executor()});
    const auto has_islands = [&](const std::vector<Box>& boxes) {
        EXPECT_EQ(engine.update(Boxes::of(boxes)), Status{});
        return state_behind(engine.frame()).map.has_islands();
    };
    EXPECT_TRUE(has_islands(all));
    EXPECT_FALSE(has_islands(few));
    EXPECT_TRUE(has_islands(some));
}

}  // namespace
}  // namespace throng::test
