// A search reaches back by the extent of the largest agent. That extent is a difference, and so rounded. Here
// it is rounded down, and just the lost part decides in which column the agent is looked for.
//
//     column 9        |  column 10
//                   [-+---------------------------]    the widest agent, from -(h + e) to 1
//                     |                           [    a query that begins at 1
//
// The grid begins at -12.5 with cells of 1.25, so column 10 begins at 0. When the grid's origin is taken
// away, a number that is at most h below 0 is rounded up to 0, and one that is further below is not. 1 + h is
// a float, and 1 + h + e is not.
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float h = 0x1p-21f, e = 0x1p-25f;

Box between(bool column, float low, float high) {
    return column ? Box{0, low, 0.5f, high} : Box{low, 0, high, 0.5f};
}

void expect_found(bool column) {
    // Many of the widest, so that their size is the common one. And one at either end of the grid: what lies
    // beyond the last column would be looked for in the last.
    std::vector<Box> agents(20, between(column, -(h + e), 1));
    agents.push_back({-12.5f, -12.5f, -12.25f, -12.25f});
    agents.push_back({12.5f, 12.5f, 12.75f, 12.75f});
    const Box next = between(column, 1, 1.25f);
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(
            agents, {.executor = serial_executor(), .cell_width = 1.25f, .row_height = 1.25f, .isa = isa});
        ASSERT_EQ(engine.frame().tuning().origin_x, -12.5f) << "the numbers above are made for this grid";
        ASSERT_EQ(engine.frame().tuning().origin_y, -12.5f);
        ASSERT_GT(engine.frame().tuning().columns, 11u);
        ASSERT_GT(engine.frame().tuning().rows, 11u);
        ASSERT_EQ(engine.frame().tuning().oversized, 0u);
        EXPECT_EQ(hits_of(engine.frame(), next).size(), 20u) << to_string(isa);
        EXPECT_EQ(engine.frame().count(next).total, 20u) << to_string(isa);
        EXPECT_EQ(engine.frame().any(next).found, 1u) << to_string(isa);

        std::vector<Box> touched = agents;
        touched.push_back(next);
        ASSERT_EQ(engine.update(Boxes::of(touched)), Status{});
        EXPECT_EQ(engine.frame().count_pairs().total, 20u * 19 / 2 + 20) << to_string(isa);
    }
}

TEST(RoundedExtent, does_not_hide_the_widest_agent) { expect_found(false); }

TEST(RoundedExtent, does_not_hide_the_highest_agent) { expect_found(true); }

}  // namespace
}  // namespace throng::test
