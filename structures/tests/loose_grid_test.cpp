// What makes a loose grid itself: bounds that stretch and shrink, cells of cells, wide cells, and a clean-up
// in parts.
#include "structures/tests/index_inside.hpp"
#include "structures/tests/loose_grid_support.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {
namespace of_loose_grid {

using State = LooseGrid::State;

constexpr float huge = 3e38f;

const Box& bounds_at(LooseGrid& grid, float x, float y) {
    return inside(grid).cells_[inside(grid).cell_of({x, y, x, y})].bounds;
}
std::size_t links(const LooseGrid& grid) { return inside(grid).nodes_.size(); }
std::size_t wide_cells(const LooseGrid& grid) {
    std::size_t count = 0;
    const State& state = inside(grid);
    for (std::uint32_t node = state.tight_[state.wide_list()]; node != State::none;
         node = state.nodes_[node].next)
        ++count;
    return count;
}
// Element i has the id i.
void expect_all_answers(LooseGrid& grid, const std::vector<Box>& boxes) {
    expect_sound(grid);
    for (const Box& query : some_boxes(20, 100, 20, 4))
        ASSERT_EQ(overlapping(grid, query), overlapping(boxes, query));
    ASSERT_EQ(pairs_of(grid), pairs_of(boxes));
}

TEST(LooseGrid, keeps_an_element_in_the_cell_of_its_lower_left_corner_only) {
    LooseGrid grid(ten_by_ten());
    // Over all cells, and linked as one.
    inserted(grid, {1, 1, 99, 99});
    std::size_t parts = 0;
    grid.for_each_part([&](const Part& part) {
        if (!part.leaf) return;
        ++parts;
        EXPECT_EQ(part.elements, 1u);
        EXPECT_EQ(part.box, (Box{1, 1, 99, 99}));
    });
    EXPECT_EQ(parts, 1u);
    EXPECT_EQ(inside(grid).cell_of({1, 1, 99, 99}), 0u);
    EXPECT_EQ(inside(grid).cell_of({11, 21, 99, 99}), 21u);
}

TEST(LooseGrid, clamps_corners_to_the_outermost_cells) {
    LooseGrid grid(ten_by_ten());
    EXPECT_EQ(inside(grid).cell_of({-huge, -huge, -huge, -huge}), 0u);
    EXPECT_EQ(inside(grid).cell_of({huge, huge, huge, huge}), 99u);
    EXPECT_EQ(inside(grid).cell_of({huge, 0, huge, 0}), 9u);
    EXPECT_EQ(inside(grid).cell_of({-huge, -huge, huge, huge}), 0u);
    EXPECT_EQ(inside(grid).cell_of({100, 50, 100, 50}), 59u);
}

TEST(LooseGrid, stretches_bounds_at_once_and_shrinks_them_in_a_clean_up) {
    LooseGrid grid(ten_by_ten());
    inserted(grid, {54, 54, 56, 56});
    const ElementId large = inserted(grid, {51, 52, 70, 58});
    EXPECT_EQ(bounds_at(grid, 55, 55), (Box{51, 52, 70, 58}));
    ASSERT_TRUE(grid.move(large, {54, 55, 58, 57}));
    EXPECT_EQ(bounds_at(grid, 55, 55), (Box{51, 52, 70, 58}));
    expect_sound(grid);
    grid.clean_up();
    EXPECT_EQ(bounds_at(grid, 55, 55), (Box{54, 54, 58, 57}));
    expect_sound(grid);
}

TEST(LooseGrid, links_only_cells_that_are_wider_than_two_or_reach_beyond_the_next_row) {
    LooseGrid grid(ten_by_ten());
    const ElementId id = inserted(grid, {54, 54, 73, 69});
    EXPECT_EQ(links(grid), 0u);
    EXPECT_EQ(overlapping(grid, {72, 68, 73, 69}), std::vector<ElementId>{id});
    ASSERT_TRUE(grid.move(id, {54, 54, 75, 69}));
    EXPECT_EQ(links(grid), 4u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {75, 69, 81, 69}), std::vector<ElementId>{id});
    ASSERT_TRUE(grid.move(id, {54, 54, 56, 70}));
    grid.clean_up();
    EXPECT_EQ(links(grid), 2u);
    EXPECT_EQ(overlapping(grid, {56, 70, 56, 71}), std::vector<ElementId>{id});
    ASSERT_TRUE(grid.remove(id));
    EXPECT_TRUE(overlapping(grid, {0, 0, 100, 100}).empty());
    grid.clean_up();
    EXPECT_EQ(links(grid), 0u);
    expect_sound(grid);
}

TEST(LooseGrid, has_one_link_for_a_cell_that_is_wide) {
    LooseGrid grid(ten_by_ten());
    const ElementId small = inserted(grid, {4, 4, 6, 6}), giant = inserted(grid, {1, 1, 99, 99});
    EXPECT_EQ(links(grid), 1u);
    EXPECT_EQ(wide_cells(grid), 1u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {0, 0, 1, 1}), std::vector<ElementId>{giant});
    EXPECT_EQ(pairs_of(grid), (IdPairs{{small, giant}}));
    ASSERT_TRUE(grid.remove(giant));
    grid.clean_up();
    EXPECT_EQ(links(grid), 0u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {5, 5, 5, 5}), std::vector<ElementId>{small});
}

TEST(LooseGrid, finds_pairs_of_any_two_sizes_in_cells_of_any_size) {
    for (const std::uint32_t columns : {1u, 2u, 3u, 17u, 100u})
        for (const std::uint32_t rows : {1u, 2u, 40u})
            for (const float largest : {0.0f, 1.0f, 6.0f, 40.0f}) {
                LooseGrid grid({.extents = {0, 0, 100, 100}, .columns = columns, .rows = rows});
                const std::vector<Box> boxes = some_boxes(scaled(200, 80), 100, largest, columns + rows);
                ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
                expect_all_answers(grid, boxes);
            }
}

// Eight candidates of the row above are written at once, and neighbours in the row one by one.
TEST(LooseGrid, hands_over_pairs_of_two_rows_in_blocks_that_are_never_too_full) {
    for (std::size_t below = 1; below < 12; ++below)
        for (std::size_t above = 1; above < 66; ++above) {
            std::vector<Box> boxes(below, Box{5, 9, 6, 10.6f});
            boxes.insert(boxes.end(), above, Box{5, 10.5f, 6, 11.5f});
            LooseGrid grid(ten_by_ten());
            ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
            std::size_t pairs = 0;
            ASSERT_TRUE(grid.for_each_pair([&](std::span<const Pair> some) {
                EXPECT_LE(some.size(), detail::PairAnswers::capacity);
                pairs += some.size();
            }));
            ASSERT_EQ(pairs, boxes.size() * (boxes.size() - 1) / 2);
        }
}

// Only so much of a cell's list is searched; then its first element takes the place of the one that leaves.
TEST(LooseGrid, takes_a_pile_apart_from_the_top_from_below_and_anywhere) {
    const std::size_t count = scaled(40'000, 400);
    for (const int order : {0, 1, 2})
        for (const bool moves : {false, true}) {
            LooseGrid grid(ten_by_ten());
            std::vector<ElementId> ids;
            for (ElementId i = 0; i < count; ++i) {
                ids.push_back(no_element);
                ASSERT_TRUE(grid.insert(Box{5, 5, 6 + static_cast<float>(i) / 65536, 6}, ids.back()));
            }
            Random random(2);
            if (order == 1) std::reverse(ids.begin(), ids.end());
            for (std::size_t i = count; order == 2 && i > 1; --i) std::swap(ids[i - 1], ids[random.below(i)]);
            for (std::size_t i = 0; i < count; ++i) {
                if (i % (count / 4) == 7) expect_sound(grid);
                ASSERT_EQ(grid.box(ids[i]).max_x, 6 + static_cast<float>(ids[i]) / 65536);
                if (moves)
                    ASSERT_TRUE(grid.move(ids[i], {75, 75, 76, 76}));
                else
                    ASSERT_TRUE(grid.remove(ids[i]));
            }
            grid.clean_up();
            expect_sound(grid);
            EXPECT_TRUE(overlapping(grid, {0, 0, 50, 50}).empty());
            EXPECT_EQ(overlapping(grid, {50, 50, 90, 90}).size(), moves ? count : 0u);
        }
}

// --- Clean-up ----------------------------------------------------------------------------------------------

LooseGrid::Config config_for_many() {
    return LooseGrid::recommended({.extents = {0, 0, 100, 100}, .elements = 4000, .typical_size = 1});
}

// A third of the elements go to other places, a few of them as giants.
void stir(LooseGrid& grid, std::vector<Box>& boxes, std::uint64_t seed) {
    Random random(seed);
    for (ElementId id = 0; id < boxes.size(); id += 3) {
        boxes[id] = some_box(random, 100, random.one_in(20) ? 60.0f : 1.0f);
        ASSERT_TRUE(grid.move(id, boxes[id]));
    }
}

TEST(LooseGridCleanUp, takes_as_many_calls_as_the_budget_asks_for_and_leaves_the_same_bounds) {
    for (const std::size_t budget : {1u, 7u, 100u}) {
        std::vector<Box> boxes = some_boxes(1000, 100, 8, 3), others = boxes;
        LooseGrid grid(config_for_many()), at_once(config_for_many());
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        ASSERT_TRUE(at_once.assign(Boxes::of(boxes)));
        for (std::uint64_t round = 0; round < 3; ++round) {
            stir(grid, boxes, round);
            stir(at_once, others, round);
            const std::size_t touched = inside(grid).touched_.count();
            ASSERT_GT(touched, 200u);
            std::size_t calls = 1;
            while (!grid.clean_up(budget)) {
                ++calls;
                expect_sound(grid);
                ASSERT_EQ(inside(grid).touched_.count(), touched - (calls - 1) * budget);
            }
            EXPECT_EQ(calls, (touched + budget - 1) / budget);
            EXPECT_TRUE(inside(grid).touched_.none());
            at_once.clean_up();
            for (std::size_t cell = 0; cell < inside(grid).cells_.size(); ++cell)
                EXPECT_EQ(inside(grid).cells_[cell].bounds, inside(at_once).cells_[cell].bounds);
            EXPECT_EQ(wide_cells(grid), wide_cells(at_once));
            EXPECT_EQ(links(grid), links(at_once));
            expect_all_answers(grid, boxes);
        }
    }
}

// Cells at the beginning are touched again and again; the cells behind them must have their turn all the
// same.
TEST(LooseGridCleanUp, comes_to_every_cell_though_the_first_are_touched_all_the_time) {
    LooseGrid grid(ten_by_ten());
    const auto at = [](float x, float y) { return Box::around(x, y, 1, 1); };
    std::vector<ElementId> ids(20, no_element);
    for (std::size_t i = 0; i < 20; ++i)
        ASSERT_TRUE(grid.insert(at(5 + 10 * static_cast<float>(i % 10), 5), ids[i]));
    const ElementId last = inserted(grid, at(95, 95));
    ASSERT_TRUE(grid.move(last, at(94, 94)));
    for (int frame = 0; frame < 8 && inside(grid).touched_.test(99); ++frame) {
        for (std::size_t i = 0; i < 20; ++i)
            ASSERT_TRUE(
                grid.move(ids[i], at(5 + 10 * static_cast<float>(i % 10), frame % 2 == 0 ? 6.0f : 5.0f)));
        static_cast<void>(grid.clean_up(4));
        expect_sound(grid);
    }
    EXPECT_FALSE(inside(grid).touched_.test(99));
    EXPECT_EQ(bounds_at(grid, 95, 95), at(94, 94));
}

// With clean-ups of so many cells.
constexpr std::size_t everything = 1000;
class CrammedLooseGrid : public ::testing::TestWithParam<std::size_t> {};

TEST_P(CrammedLooseGrid, leaves_cells_wide_until_there_is_memory_for_their_links) {
    const auto clean_up = [](LooseGrid& some) {
        if (GetParam() == everything) return some.clean_up();
        while (!some.clean_up(GetParam())) expect_sound(some);
    };
    CountingResource memory;
    LooseGrid grid({.extents = {0, 0, 160, 160}, .columns = 40, .rows = 40}, &memory);
    std::vector<Box> boxes;
    for (int i = 0; i < 20; ++i) boxes.push_back(Box::around(42 + 4 * static_cast<float>(i), 80, 40, 40));
    for (const Box& box : boxes) inserted(grid, box);
    ASSERT_EQ(wide_cells(grid), 20u);
    ASSERT_EQ(links(grid), 20u);
    memory.fail_after(0);
    for (ElementId id = 0; id < boxes.size(); ++id) {
        boxes[id].max_x -= 60;
        boxes[id].max_y -= 60;
        ASSERT_TRUE(grid.move(id, boxes[id]));
    }
    // A few touched cells at first, and then all of them.
    for (int round = 0; round < 3; ++round) {
        clean_up(grid);
        EXPECT_GT(wide_cells(grid), 15u);
        expect_sound(grid);
        EXPECT_EQ(overlapping(grid, {0, 0, 160, 160}).size(), 20u);
        EXPECT_EQ(overlapping(grid, {4, 50, 4, 50}), std::vector<ElementId>{0});
    }
    EXPECT_GT(memory.failures(), 0u);
    memory.stop_failing();
    clean_up(grid);
    EXPECT_EQ(wide_cells(grid), 0u);
    expect_all_answers(grid, boxes);
}

INSTANTIATE_TEST_SUITE_P(AtOnceAndInParts, CrammedLooseGrid,
                         ::testing::Values(std::size_t{1}, 3, everything));

// --- Planted faults ----------------------------------------------------------------------------------------

// With a wide cell, and one that is in two tight cells.
LooseGrid a_grid() {
    std::vector<Box> boxes = some_boxes(200, 100, 1, 30);
    boxes.insert(boxes.end(), {{1, 1, 99, 99}, {25, 5, 58, 6}});
    LooseGrid grid(ten_by_ten());
    EXPECT_TRUE(grid.assign(Boxes::of(boxes)));
    EXPECT_EQ(wide_cells(grid), 1u);
    return grid;
}
// One with elements, as is the next one.
LooseGrid::State::Cell& full_cell(State& grid) { return grid.cells_[grid.cell_of({55, 55, 55, 55})]; }

const Corruption<State> corruptions[] = {
    {"an id leads to a record that is not its own", [](State& g) { g.records_[3].id = 7; }},
    {"an element is listed twice", [](State& g) { g.records_[3].next = 3; }},
    {"a list leads to no element", [](State& g) { g.records_[3].next = 123456; }},
    {"a cell's bounds leave out an element", [](State& g) { g.records_[3].box.min_x = -1000; }},
    {"an element's box is not legal",
     [](State& g) { g.records_[3].box.min_x = std::numeric_limits<float>::quiet_NaN(); }},
    {"an element is listed in another cell",
     [](State& g) {
         g.records_[3].box = {95, 95, 96, 96};
     }},
    {"an id leads to a record that is not its own", [](State& g) { g.slots_[5] = 900; }},
    {"an id leads to a record that is not its own", [](State& g) { g.slots_[5] = g.slots_[6]; }},
    {"a list leads to no element", [](State& g) { full_cell(g).head = 77777; }},
    {"a cell's bounds are not tight, and nothing was touched",
     [](State& g) { full_cell(g).head = State::none; }},
    {"an element is listed in another cell", [](State& g) { full_cell(g).head = (&full_cell(g))[1].head; }},
    {"a cell's bounds leave out an element", [](State& g) { full_cell(g).bounds.max_x = 0; }},
    {"a cell's bounds are not tight, and nothing was touched",
     [](State& g) { full_cell(g).bounds.max_x += 0.5f; }},
    {"a row's elements are miscounted", [](State& g) { g.row_sizes_[4] = 0; }},
    {"a link is in no list", [](State& g) { g.tight_[1] = State::none; }},
    {"a tight cell leads to no link", [](State& g) { g.tight_[1] = 99999; }},
    {"cells are not linked where their bounds are", [](State& g) { g.tight_[1] = g.tight_[g.wide_list()]; }},
    {"a link is listed twice", [](State& g) { g.nodes_[g.tight_[1]].next = g.tight_[1]; }},
    {"a link leads to no cell", [](State& g) { g.nodes_[g.tight_[1]].cell = 100; }},
    {"cells are not linked where their bounds are", [](State& g) { ++g.nodes_[g.tight_[1]].cell; }},
    {"a link is in no list", [](State& g) { g.tight_[g.wide_list()] = State::none; }},
    {"cells are not linked where their bounds are", [](State& g) { g.tight_[g.wide_list()] = g.tight_[1]; }},
};

TEST(LooseGrid, is_found_unsound_with_any_planted_fault) { expect_found<LooseGrid>(a_grid, corruptions); }

}  // namespace of_loose_grid
}  // namespace throng::structures::test
