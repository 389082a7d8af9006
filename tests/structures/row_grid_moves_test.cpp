// Elements of a RowGrid that move, one by one and all at once, and visitors that have enough.
#include "structures/grid_twin.hpp"
#include "structures/row_grid_support.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// --- Row by row ---

TEST(RowGrid, moves_an_element_within_its_row_and_nowhere_else) {
    RowGrid grid(ten_rows());
    std::vector<Box> boxes = {{10, 15, 11, 16}, {12, 15, 13, 16}, {14, 25, 15, 26}};
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    boxes[0] = {90, 17, 91, 21};
    EXPECT_TRUE(grid.move_within_row(0, boxes[0]));
    EXPECT_EQ(grid.move_within_row(0, {10, 25, 11, 26}).code, Code::other_row);
    EXPECT_EQ(grid.move_within_row(0, {10, 15, 80, 16}).code, Code::other_row);
    EXPECT_EQ(grid.move_within_row(5, {10, 15, 11, 16}).code, Code::unknown_id);
    EXPECT_EQ(grid.move_within_row(0, {10, 15, 9, 16}).code, Code::inverted);
    expect_holds(grid, boxes);
    EXPECT_EQ(grid.row_of({10, 25, 11, 26}), 2u);
    EXPECT_EQ(grid.row_of({10, 15, 80, 16}), grid.rows());
    EXPECT_EQ(grid.row_of(ElementId{0}), 1u);
}

TEST(RowGrid, moves_all_as_single_moves_do) {
    Random random(13);
    RowGrid grid = grid_for(1000, 100);
    std::vector<Box> boxes = crowd_in(random, 1000, 0, 100);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    for (int frame = 0; frame < 20; ++frame) {
        walk(random, boxes, frame % 5 == 4 ? 30.0f : 0.3f);
        boxes[random.below(1000)] = box_in(random, 0, 100, 40);
        ASSERT_TRUE(grid.move_all(Boxes::of(boxes), {}));
        if (frame % 3 == 0) grid.clean_up();
        expect_holds(grid, boxes);
        if (HasFatalFailure()) return;
    }
}

TEST(RowGrid, moves_no_element_if_it_cannot_move_all) {
    Random random(14);
    RowGrid grid = grid_for(1000, 100);
    const std::vector<Box> boxes = crowd_in(random, 1000, 0, 100);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    std::vector<Box> others = crowd_in(random, 1000, 0, 100);
    others[700].max_x = std::numeric_limits<float>::quiet_NaN();
    others[900].max_x = -1000;
    EXPECT_EQ(grid.move_all(Boxes::of(others), {}), (Status{Code::not_finite, 700}));
    EXPECT_EQ(grid.assign(Boxes::of(others)), (Status{Code::not_finite, 700}));
    EXPECT_EQ(grid.move_all(Boxes::of(std::span(others).first(999)), {}).code, Code::size_mismatch);
    EXPECT_EQ(grid.move_all(Boxes::of(std::span<const Box>(static_cast<const Box*>(nullptr), 1000)), {}).code,
              Code::null_view);
    expect_holds(grid, boxes);
    ASSERT_TRUE(grid.remove(44));
    EXPECT_EQ(grid.move_all(Boxes::of(std::span(boxes).first(999)), {}), (Status{Code::unknown_id, 44}));
    EXPECT_TRUE(grid.validate());
}

TEST(RowGrid, reads_boxes_in_every_form) {
    Random random(15);
    std::vector<float> x, y;
    std::vector<Box> boxes;
    for (int i = 0; i < 2000; ++i) {
        x.push_back(random.uniform(0, 100));
        y.push_back(random.uniform(0, 100));
        boxes.push_back(Box::around(x.back(), y.back(), 0.75f, 0.75f));
    }
    const std::vector<float> half(2000, 0.75f);
    RowGrid grid = grid_for(2000, 100);
    ASSERT_TRUE(grid.assign(Boxes::points(x.data(), y.data(), 0.75f, x.size())));
    expect_holds(grid, boxes);
    ASSERT_TRUE(grid.assign(Boxes::centre_half(x.data(), y.data(), half.data(), half.data(), x.size())));
    expect_holds(grid, boxes);
}

// --- Visitors ---

TEST(RowGrid, lets_a_visitor_throw) {
    RowGrid grid(ten_rows());
    const std::vector<Box> boxes(500, Box{50, 55, 51, 56});
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    const auto throws = [](Pair) { throw std::runtime_error("enough"); };
    EXPECT_THROW((void)grid.for_each_pair(throws), std::runtime_error);
    EXPECT_EQ(
        grid.for_each_pair_concurrently([](std::span<const Pair>, std::size_t) { throw 1; }, Executor{}).code,
        Code::visitor_threw);
    EXPECT_TRUE(grid.validate());
    EXPECT_EQ(pairs_of(grid).size(), 500u * 499 / 2);
}

TEST(RowGrid, tells_of_its_rows_and_cells) {
    RowGrid grid(ten_rows());
    const std::vector<Box> given{{1, 35, 2, 36}, {1.5f, 35, 2, 36}, {9, 35, 10, 36}, {0, 0, 60, 60}};
    ASSERT_TRUE(grid.assign(Boxes::of(given)));
    std::vector<Part> parts;
    grid.for_each_part([&](const Part& part) { parts.push_back(part); });
    ASSERT_EQ(parts.size(), 4u);
    EXPECT_FALSE(parts[0].leaf);
    EXPECT_NEAR(parts[0].box.min_y, 30, 0.01);
    EXPECT_NEAR(parts[2].box.min_x, 8, 0.01);
    EXPECT_EQ(parts[1].elements, 2u);
    EXPECT_EQ(parts[2].elements, 1u);
    EXPECT_EQ(parts[3].elements, 1u);
    EXPECT_EQ(parts[3].depth, 0u);
}

}  // namespace
}  // namespace throng::test
