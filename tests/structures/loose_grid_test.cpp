// What makes a loose grid itself: bounds that stretch and shrink, cells of cells, and wide cells.
#include "structures/loose_grid_support.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(LooseGrid, keeps_an_element_in_the_cell_of_its_lower_left_corner_only) {
    LooseGrid grid(ten_by_ten());
    ElementId id = no_element;
    // Over all cells, and linked as one.
    ASSERT_TRUE(grid.insert({1, 1, 99, 99}, id));
    std::size_t parts = 0;
    grid.for_each_part([&](const Part& part) {
        if (!part.leaf) return;
        ++parts;
        EXPECT_EQ(part.elements, 1u);
        EXPECT_EQ(part.box, (Box{1, 1, 99, 99}));
    });
    EXPECT_EQ(parts, 1u);
    EXPECT_EQ(Inspector::cell_of(grid, {1, 1, 99, 99}), 0u);
    EXPECT_EQ(Inspector::cell_of(grid, {11, 21, 99, 99}), 21u);
}

TEST(LooseGrid, clamps_corners_to_the_outermost_cells) {
    LooseGrid grid(ten_by_ten());
    EXPECT_EQ(Inspector::cell_of(grid, {-huge, -huge, -huge, -huge}), 0u);
    EXPECT_EQ(Inspector::cell_of(grid, {huge, huge, huge, huge}), 99u);
    EXPECT_EQ(Inspector::cell_of(grid, {huge, 0, huge, 0}), 9u);
    EXPECT_EQ(Inspector::cell_of(grid, {-huge, -huge, huge, huge}), 0u);
    EXPECT_EQ(Inspector::cell_of(grid, {100, 50, 100, 50}), 59u);
}

TEST(LooseGrid, stretches_bounds_at_once_and_shrinks_them_in_a_clean_up) {
    LooseGrid grid(ten_by_ten());
    ElementId small = no_element, large = no_element;
    ASSERT_TRUE(grid.insert({54, 54, 56, 56}, small));
    ASSERT_TRUE(grid.insert({51, 52, 70, 58}, large));
    EXPECT_EQ(Inspector::bounds(grid, {55, 55, 55, 55}), (Box{51, 52, 70, 58}));
    ASSERT_TRUE(grid.move(large, {54, 55, 58, 57}));
    EXPECT_EQ(Inspector::bounds(grid, {55, 55, 55, 55}), (Box{51, 52, 70, 58}));
    expect_sound(grid);
    grid.clean_up();
    EXPECT_EQ(Inspector::bounds(grid, {55, 55, 55, 55}), (Box{54, 54, 58, 57}));
    expect_sound(grid);
}

TEST(LooseGrid, links_only_cells_that_are_wider_than_two_or_reach_beyond_the_next_row) {
    LooseGrid grid(ten_by_ten());
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({54, 54, 73, 69}, id));
    EXPECT_EQ(Inspector::links(grid), 0u);
    EXPECT_EQ(overlapping(grid, {72, 68, 73, 69}), std::vector<ElementId>{id});
    ASSERT_TRUE(grid.move(id, {54, 54, 75, 69}));
    EXPECT_EQ(Inspector::links(grid), 4u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {75, 69, 81, 69}), std::vector<ElementId>{id});
    ASSERT_TRUE(grid.move(id, {54, 54, 56, 70}));
    grid.clean_up();
    EXPECT_EQ(Inspector::links(grid), 2u);
    EXPECT_EQ(overlapping(grid, {56, 70, 56, 71}), std::vector<ElementId>{id});
    ASSERT_TRUE(grid.remove(id));
    EXPECT_TRUE(overlapping(grid, {0, 0, 100, 100}).empty());
    grid.clean_up();
    EXPECT_EQ(Inspector::links(grid), 0u);
    expect_sound(grid);
}

TEST(LooseGrid, links_a_stretched_cell_only_where_it_was_not_yet) {
    LooseGrid grid(ten_by_ten());
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({54, 54, 56, 56}, id));
    // Tight cells are 20 wide: the bounds reach into two more to the right, and then also into those above.
    ASSERT_TRUE(grid.move(id, {54, 54, 84, 56}));
    EXPECT_EQ(Inspector::links(grid), 3u);
    ASSERT_TRUE(grid.move(id, {54, 54, 56, 64}));
    EXPECT_EQ(Inspector::links(grid), 6u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {0, 0, 100, 100}), std::vector<ElementId>{id});
    grid.clean_up();
    EXPECT_EQ(Inspector::links(grid), 0u);
    expect_sound(grid);
}

TEST(LooseGrid, has_one_link_for_a_cell_that_is_wide) {
    LooseGrid grid(ten_by_ten());
    ElementId small = no_element, giant = no_element;
    ASSERT_TRUE(grid.insert({4, 4, 6, 6}, small));
    ASSERT_TRUE(grid.insert({1, 1, 99, 99}, giant));
    EXPECT_EQ(Inspector::links(grid), 1u);
    EXPECT_EQ(Inspector::wide_cells(grid), 1u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {0, 0, 1, 1}), std::vector<ElementId>{giant});
    EXPECT_EQ(pairs_of(grid), (IdPairs{{small, giant}}));
    ASSERT_TRUE(grid.remove(giant));
    grid.clean_up();
    EXPECT_EQ(Inspector::links(grid), 0u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {5, 5, 5, 5}), std::vector<ElementId>{small});
}

TEST(LooseGrid, takes_a_few_touched_cells_and_nearly_all_of_them_alike) {
    for (const std::size_t moved : {1u, 4u, 40u, 1000u}) {
        std::vector<Box> boxes = some_boxes(1000, 3, 8);
        LooseGrid grid(
            LooseGrid::recommended({.extents = {0, 0, 100, 100}, .elements = 4000, .typical_size = 1}));
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        Random random(moved);
        for (std::size_t round = 0; round < 3; ++round) {
            for (ElementId id = 0; id < moved; ++id) {
                boxes[id] = some_box(random, random.one_in(10) ? 60.0f : 1.0f);
                ASSERT_TRUE(grid.move(id, boxes[id]));
            }
            expect_sound(grid);
            grid.clean_up();
            EXPECT_TRUE(Inspector::touched(grid).none());
            expect_all_answers(grid, boxes, some_boxes(20, 4, 20));
        }
    }
}

TEST(LooseGrid, finds_pairs_of_any_two_sizes_in_cells_of_any_size) {
    for (const std::uint32_t columns : {1u, 2u, 3u, 17u, 100u})
        for (const std::uint32_t rows : {1u, 2u, 40u})
            for (const float largest : {0.0f, 1.0f, 6.0f, 40.0f}) {
                LooseGrid grid({.extents = {0, 0, 100, 100}, .columns = columns, .rows = rows});
                const std::vector<Box> boxes = some_boxes(scaled(200, 80), columns + rows, largest);
                ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
                expect_all_answers(grid, boxes, some_boxes(10, 9, 30));
            }
}

TEST(LooseGrid, finds_what_touches_on_a_lattice_of_the_cells_own_edges) {
    // Boxes from edge to edge of cells and of half cells, where it is decided which are neighbours.
    for (const float step : {10.0f, 5.0f, 2.5f}) {
        std::vector<Box> boxes;
        for (float y = -step; y <= 100; y += 2 * step)
            for (float x = -step; x <= 100; x += step) boxes.push_back({x, y, x + step, y + 2 * step});
        LooseGrid grid(ten_by_ten());
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        expect_all_answers(grid, boxes, some_boxes(10, 5, 10));
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

TEST(LooseGrid, refuses_a_configuration_that_makes_no_grid) {
    const auto code = [](LooseGrid::Config c) { return LooseGrid(c).status().code; };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(code(ten_by_ten()), Code::ok);
    EXPECT_EQ(code({.extents = {0, 0, 1, 1}, .columns = 0}), Code::bad_config);
    EXPECT_EQ(code({.extents = {0, 0, 1, 1}, .rows = 32769}), Code::bad_config);
    EXPECT_EQ(code({.extents = {0, 0, 1, 1}, .columns = 32768, .rows = 32768}), Code::bad_config);
    EXPECT_EQ(code({.extents = {0, 0, 1, 1}, .tight_columns = 0}), Code::bad_config);
    EXPECT_EQ(code({.extents = {0, 0, nan, 1}}), Code::bad_config);
    EXPECT_EQ(code({}), Code::bad_config);
    EXPECT_EQ(code({.extents = {7, 7, 7, 7}}), Code::bad_config);
    EXPECT_EQ(code({.extents = {1, 0, 0, 1}}), Code::bad_config);
    expect_refused(LooseGrid({.extents = {0, 0, 1, 1}, .columns = 0}), Code::bad_config);
}

TEST(LooseGrid, that_could_not_be_made_has_no_parts_and_no_elements) {
    const auto count = [](const LooseGrid& grid) {
        std::size_t parts = 0, elements = 0;
        grid.for_each_part([&](const Part&) { ++parts; });
        grid.for_each_element([&](ElementId) { ++elements; });
        return parts + elements;
    };
    EXPECT_EQ(count(LooseGrid({.extents = {0, 0, 1, 1}, .columns = 0})), 0u);
    LooseGrid grid(ten_by_ten());
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({1, 1, 2, 2}, id));
    EXPECT_EQ(count(grid), 2u);
    for (std::uint64_t left = 0; left < 5; ++left) {
        CountingResource memory;
        memory.fail_after(left);
        const LooseGrid lacking(ten_by_ten(), &memory);
        ASSERT_EQ(lacking.status().code, Code::out_of_memory);
        EXPECT_EQ(count(lacking), 0u);
    }
}

// The list of a cell is gone through only so far; then the first of it takes the place of the one that leaves.
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

}  // namespace
}  // namespace throng::test
