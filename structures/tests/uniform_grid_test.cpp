// What makes the uniform grid itself: a point for each element, answers that are candidates, and elements of
// one size only.
#include "simd/types.hpp"
#include "structures/src/uniform_grid/state.hpp"
#include "structures/tests/index_inside.hpp"
#include "structures/tests/test.hpp"
#include "structures/tests/worlds.hpp"

namespace throng::structures::test {
namespace of_uniform_grid {

using State = UniformGrid::State;

constexpr float largest = std::numeric_limits<float>::max();

UniformGrid grid_of(const Box& extents, float largest_size, float cell_size) {
    return UniformGrid({.extents = extents, .largest_size = largest_size, .cell_size = cell_size});
}

TEST(UniformGrid, cuts_its_axes_where_it_is_said_to) {
    const throng::detail::GridAxis axis(10, 410, 100);
    for (std::uint32_t cell = 0; cell < 100; ++cell) EXPECT_EQ(axis.cell(10.0 + 4 * cell), cell);
}

TEST(UniformGrid, takes_every_element_for_little_more_than_the_largest_one) {
    for (const float offset : {0.0f, -1e6f, 3e7f}) {
        UniformGrid grid = grid_of({offset, offset, offset + 1000, offset + 1000}, 1, 2);
        const Box kept = grid.box(inserted(grid, {offset + 8, offset + 8, offset + 8, offset + 8}));
        const float slack = 1e-4f + 4e-6f * std::abs(offset + 1000);
        EXPECT_LE(kept.max_x - kept.min_x, 1 + slack);
        EXPECT_LE(kept.max_y - kept.min_y, 1 + slack);
    }
    static_assert(answers_are_candidates<UniformGrid>);
}

TEST(UniformGrid, finds_elements_whose_true_box_is_not_touched) {
    UniformGrid grid = grid_of({0, 0, 100, 100}, 2, 2);
    const ElementId id = inserted(grid, {50, 50, 50, 50});
    EXPECT_EQ(overlapping(grid, {50.5f, 50.5f, 51, 51}), Ids{id}) << "a candidate";
    EXPECT_EQ(overlapping(grid, {51.5f, 51.5f, 52, 52}), Ids{});
}

TEST(UniformGrid, refuses_what_is_larger_than_the_largest_and_has_not_changed) {
    UniformGrid grid = grid_of({0, 0, 100, 100}, 1, 2);
    ElementId id = 7;
    EXPECT_EQ(grid.insert({0, 0, 1.01f, 1}, id), (Status{Code::too_large, 0}));
    EXPECT_EQ(grid.insert({0, 0, 1, 1.01f}, id).code, Code::too_large);
    EXPECT_EQ(grid.insert({-largest, 0, largest, 1}, id).code, Code::too_large);
    EXPECT_EQ(id, 7u);
    ASSERT_TRUE(grid.insert({0, 0, 1, 1}, id));
    const Box before = grid.box(id);
    EXPECT_EQ(grid.move(id, {5, 5, 7, 6}).code, Code::too_large);
    EXPECT_EQ(grid.box(id), before);

    const std::vector<Box> boxes{{1, 1, 2, 2}, {3, 3, 3, 4}, {5, 5, 8, 6}, {9, 9, 20, 20}};
    EXPECT_EQ(grid.assign(Boxes::of(boxes)), (Status{Code::too_large, 2}));
    EXPECT_EQ(grid.size(), 1u);
    EXPECT_EQ(grid.box(id), before);
    std::vector<Box> bad = boxes;
    bad[1] = {3, 3, 2, 4};
    EXPECT_EQ(grid.assign(Boxes::of(bad)), (Status{Code::inverted, 1})) << "the first fault counts";
    bad[1] = {3, 3, std::numeric_limits<float>::infinity(), 4};
    EXPECT_EQ(grid.assign(Boxes::of(bad)), (Status{Code::not_finite, 1}));
    EXPECT_TRUE(grid.validate());
}

TEST(UniformGrid, makes_cells_larger_where_there_would_be_too_many) {
    const UniformGrid grid = grid_of({0, 0, 1e6f, 1e5f}, 1, 1);
    const State& state = inside(grid);
    EXPECT_LE(std::size_t{state.columns_.cells()} * state.rows_.cells(), UniformGrid::max_cells);
    EXPECT_GT(state.heads_.size(), UniformGrid::max_cells / 3);
}

TEST(UniformGrid, finds_pairs_in_rows_of_more_columns_than_the_kernel_takes) {
    UniformGrid grid = grid_of({0, 0, 200000, 16}, 1, 2);
    ASSERT_GT(inside(grid).columns_.cells(), 3 * simd::max_columns);
    std::vector<Box> boxes;
    for (float x = 0; x < 200000; x += 40) {
        boxes.push_back({x, 4.5f, x + 1, 5.2f});
        boxes.push_back({x + 0.5f, 5.1f, x + 1.5f, 6});  // in the next row
    }
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    EXPECT_EQ(pairs_of(grid).size(), boxes.size() / 2);
}

// Where rounding could lose a pair: each element reaches exactly to the next, over the whole range of floats.
TEST(UniformGrid, loses_no_element_to_rounding) {
    Random random(2);
    for (const float scale : {1e-38f, 1e-6f, 1.0f, 1e4f, 1e16f, 1e30f}) {
        for (const float offset : {0.0f, 1.0f, 16777216.0f}) {
            const float low = offset * scale, high = std::min((offset + 64) * scale, largest);
            UniformGrid grid = grid_of({low, low, high, high}, scale, scale * 0.4f);
            ASSERT_TRUE(grid.status());
            std::size_t count = 0;
            for (int i = 0; i < 500; ++i) {
                const float x = low + scale * std::floor(random.uniform(0, 64)),
                            y = low + scale * random.uniform(0, 64);
                inserted(grid, {x, y, x, y});
                ++count;
            }
            expect_same_as_brute_force(grid);
            for (ElementId id = 0; id < count; ++id) {
                const Box box = grid.box(id);
                const Box beside{box.max_x, box.min_y, box.max_x, box.max_y};
                Ids expected;
                for (ElementId other = 0; other < count; ++other)
                    if (grid.box(other).overlaps(beside)) expected.push_back(other);
                ASSERT_EQ(overlapping(grid, beside), expected) << scale << ", " << offset;
            }
        }
    }
}

TEST(UniformGrid, lists_its_cells_row_by_row_with_what_is_in_them) {
    UniformGrid grid = grid_of({0, 0, 60, 60}, 1, 2);
    const std::vector<Box> boxes = even_crowd(500, 60, 3);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    std::size_t elements = 0;
    Box before{-1, -1, -1, -1};
    grid.for_each_part([&](const Part& part) {
        EXPECT_TRUE(part.leaf);
        EXPECT_GT(part.elements, 0u);
        elements += part.elements;
        EXPECT_TRUE(part.box.min_y > before.min_y || part.box.min_x > before.min_x);
        EXPECT_GT(part.box.max_y - part.box.min_y, part.box.max_x - part.box.min_x);
        before = part.box;
    });
    EXPECT_EQ(elements, boxes.size());
}

// --- Planted faults ----------------------------------------------------------------------------------------

UniformGrid a_grid() {
    UniformGrid grid = grid_of({0, 0, 20, 20}, 1, 2);
    EXPECT_TRUE(fill(grid, even_crowd(200, 20, 7)));
    return grid;
}

const Corruption<State> corruptions[] = {
    {"a row with another number of elements",
     [](State& s) { s.heads_[s.cell(s.place(s.elements_[5]))] = no_element; }},
    {"a list that does not end", [](State& s) { s.elements_[5].next = 5; }},
    {"a cell lists an element that there is not", [](State& s) { s.elements_[5].next = 200; }},
    {"an element in another cell than its centre",
     [](State& s) { s.elements_[5].x += s.elements_[5].x < 10 ? 10.0f : -10.0f; }},
    {"a centre that is not finite",
     [](State& s) { s.elements_[5].y = std::numeric_limits<float>::quiet_NaN(); }},
    {"a row with another number of elements", [](State& s) { ++s.row_sizes_[1]; }},
};

TEST(UniformGrid, is_found_unsound_with_any_planted_fault) { expect_found<UniformGrid>(a_grid, corruptions); }

}  // namespace of_uniform_grid
}  // namespace throng::structures::test
