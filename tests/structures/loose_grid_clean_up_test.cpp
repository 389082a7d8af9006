// The loose grid's clean-up, spread over several calls.
#include "structures/loose_grid_support.hpp"

namespace throng::test {
namespace {

static_assert(SpreadsCleanUp<LooseGrid>);

LooseGrid::Config config_for_many() {
    return LooseGrid::recommended({.extents = {0, 0, 100, 100}, .elements = 4000, .typical_size = 1});
}

// A third of the elements to other places, with sizes of which a few are giants'.
void stir(LooseGrid& grid, std::vector<Box>& boxes, std::uint64_t seed) {
    Random random(seed);
    for (ElementId id = 0; id < boxes.size(); id += 3) {
        boxes[id] = some_box(random, random.one_in(20) ? 60.0f : 1.0f);
        ASSERT_TRUE(grid.move(id, boxes[id]));
    }
}

TEST(LooseGridCleanUp, takes_as_many_calls_as_the_budget_asks_for_and_leaves_the_same_bounds) {
    for (const std::size_t budget : {1u, 7u, 100u}) {
        std::vector<Box> boxes = some_boxes(1000, 3, 8), others = boxes;
        LooseGrid grid(config_for_many()), at_once(config_for_many());
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        ASSERT_TRUE(at_once.assign(Boxes::of(boxes)));
        for (std::uint64_t round = 0; round < 3; ++round) {
            stir(grid, boxes, round);
            stir(at_once, others, round);
            const std::size_t touched = Inspector::touched(grid).count();
            ASSERT_GT(touched, 200u);
            std::size_t calls = 1;
            while (!grid.clean_up(budget)) {
                ++calls;
                expect_sound(grid);
                ASSERT_EQ(Inspector::touched(grid).count(), touched - (calls - 1) * budget);
            }
            EXPECT_EQ(calls, (touched + budget - 1) / budget);
            EXPECT_TRUE(Inspector::touched(grid).none());
            at_once.clean_up();
            for (std::size_t cell = 0; cell < Inspector::cells(grid).size(); ++cell)
                EXPECT_EQ(Inspector::cells(grid)[cell].bounds, Inspector::cells(at_once)[cell].bounds);
            EXPECT_EQ(Inspector::wide_cells(grid), Inspector::wide_cells(at_once));
            EXPECT_EQ(Inspector::links(grid), Inspector::links(at_once));
            expect_all_answers(grid, boxes, some_boxes(20, 4, 20));
        }
    }
}

// Cells at the beginning are touched again and again; those behind them have their turn all the same.
TEST(LooseGridCleanUp, comes_to_every_cell_though_the_first_are_touched_all_the_time) {
    LooseGrid grid(ten_by_ten());
    const auto at = [](float x, float y) { return Box::around(x, y, 1, 1); };
    std::vector<ElementId> ids(20, no_element);
    for (std::size_t i = 0; i < 20; ++i)
        ASSERT_TRUE(grid.insert(at(5 + 10 * static_cast<float>(i % 10), 5), ids[i]));
    ElementId last = no_element;
    ASSERT_TRUE(grid.insert(at(95, 95), last));
    ASSERT_TRUE(grid.move(last, at(94, 94)));
    for (int frame = 0; frame < 8 && Inspector::touched(grid).test(99); ++frame) {
        for (std::size_t i = 0; i < 20; ++i)
            ASSERT_TRUE(
                grid.move(ids[i], at(5 + 10 * static_cast<float>(i % 10), frame % 2 == 0 ? 6.0f : 5.0f)));
        static_cast<void>(grid.clean_up(4));
        expect_sound(grid);
    }
    EXPECT_FALSE(Inspector::touched(grid).test(99));
    EXPECT_EQ(Inspector::bounds(grid, {95, 95, 95, 95}), at(94, 94));
}

TEST(LooseGridCleanUp, has_nothing_to_do_in_a_grid_that_is_new_or_could_not_be_made) {
    LooseGrid grid(ten_by_ten()), bad({.extents = {1, 1, 0, 0}});
    EXPECT_TRUE(grid.clean_up(0));
    EXPECT_TRUE(bad.clean_up(5));
    const LooseGrid elsewhere(std::move(grid));
    EXPECT_TRUE(grid.clean_up(5));
    EXPECT_TRUE(elsewhere.validate());
}

}  // namespace
}  // namespace throng::test
