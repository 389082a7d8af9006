// What makes RowGrid itself: rows with memory of their own, cells as runs and as lists, and reach that shrinks.
#include <memory_resource>

#include "structures/grid_twin.hpp"
#include "structures/row_grid_support.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Inspector = IndexInspector<RowGrid>;

// --- Rows and their memory ---

TEST(RowGrid, gives_a_row_memory_when_its_first_element_comes) {
    RowGrid grid(ten_rows());
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({1, 35, 2, 36}, id));
    for (std::uint32_t r = 0; r <= grid.rows(); ++r) EXPECT_EQ(grid.has_memory(r), r == 3);
    EXPECT_EQ(grid.row_of(id), 3u);
}

TEST(RowGrid, tells_of_rows_and_elements_that_do_not_exist) {
    RowGrid grid(ten_rows());
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({1, 35, 2, 36}, id));
    for (const ElementId unknown : {id + 1, id + 1000, no_element})
        EXPECT_EQ(grid.row_of(unknown), grid.rows());
    for (const std::uint32_t row : {grid.rows() + 1, 0xFFFFFFFFu}) EXPECT_FALSE(grid.has_memory(row));
    ASSERT_TRUE(grid.remove(id));
    EXPECT_EQ(grid.row_of(id), grid.rows());
    RowGrid unusable(RowGrid::Config{});
    EXPECT_EQ(unusable.row_of(id), 0u);
    EXPECT_FALSE(unusable.has_memory(0));
}

TEST(RowGrid, gives_back_a_row_that_stays_empty) {
    RowGrid grid(ten_rows());
    ElementId id = no_element, other = no_element;
    ASSERT_TRUE(grid.insert({1, 35, 2, 36}, id));
    ASSERT_TRUE(grid.insert({1, 55, 2, 56}, other));
    ASSERT_TRUE(grid.remove(id));
    for (int i = 0; i < 7; ++i) grid.clean_up();
    EXPECT_TRUE(grid.has_memory(3));
    const std::size_t before = grid.bytes();
    grid.clean_up();
    EXPECT_FALSE(grid.has_memory(3));
    EXPECT_TRUE(grid.has_memory(5));
    EXPECT_LT(grid.bytes(), before);
    EXPECT_TRUE(grid.validate());
    ASSERT_TRUE(grid.insert({1, 35, 2, 36}, id));
    EXPECT_EQ(overlapping(grid, {0, 30, 5, 40}), std::vector{id});
}

TEST(RowGrid, keeps_the_memory_of_a_row_that_is_empty_now_and_then) {
    CountingResource memory;
    RowGrid grid(ten_rows(), &memory);
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({1, 35, 2, 36}, id));
    ASSERT_TRUE(grid.move(id, {1, 45, 2, 46}));
    grid.clean_up();
    const std::uint64_t calls = memory.calls();
    for (int i = 0; i < 100; ++i) {
        ASSERT_TRUE(grid.move(id, i % 2 == 0 ? Box{1, 35, 2, 36} : Box{1, 45, 2, 46}));
        grid.clean_up();
    }
    EXPECT_EQ(memory.calls(), calls);
}

TEST(RowGrid, cuts_down_rows_through_which_a_crowd_has_passed) {
    Random random(1);
    RowGrid grid(ten_rows());
    std::vector<Box> boxes(2000);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    for (int r = 0; r < 10; ++r) {
        const float low = 10.0f * static_cast<float>(r);
        for (Box& box : boxes)
            box = Box::around(random.uniform(0, 100), random.uniform(low + 1, low + 9), 0.5f, 0.5f);
        // One stays behind in each row, which so is never empty.
        for (int k = 0; k <= r; ++k) {
            const float at = 10.0f * static_cast<float>(k) + 5;
            boxes[static_cast<std::size_t>(k)] = {5, at, 6, at + 1};
        }
        for (ElementId id = 0; id < boxes.size(); ++id) ASSERT_TRUE(grid.move(id, boxes[id]));
        grid.clean_up();
        expect_holds(grid, boxes);
        if (HasFatalFailure()) return;
        EXPECT_LT(grid.bytes(), 150 * boxes.size());
    }
    // The same where nothing is moved one by one.
    for (int r = 0; r < 10; ++r) {
        const float low = 10.0f * static_cast<float>(r);
        for (Box& box : boxes) box = Box::around(random.uniform(0, 100), low + 5, 0.5f, 0.5f);
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        EXPECT_LT(grid.bytes(), 200 * boxes.size());
    }
}

TEST(RowGrid, takes_about_forty_bytes_an_element) {
    Random random(2);
    constexpr std::size_t count = 20000;
    CountingResource memory;
    RowGrid grid = grid_for(count, 283, &memory);
    const std::vector<Box> boxes = crowd_in(random, count, 0, 283);
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        ASSERT_TRUE(grid.for_each_pair([](std::span<const Pair>) {}));
    }
    EXPECT_EQ(grid.bytes(), memory.bytes_out());
    EXPECT_LE(grid.bytes(), 48 * count);
}

TEST(RowGrid, has_no_more_cells_than_expected_elements) {
    Random random(3);
    for (int i = 0; i < 1000; ++i) {
        const float width = random.decades(-30, 37), height = random.decades(-30, 37);
        const std::size_t elements = 64 + random.below(100000);
        const float size = random.decades(-35, 35);
        const RowGrid::Config config = RowGrid::recommended({.extents = {0, 0, width, height},
                                                             .elements = elements,
                                                             .typical_size = size,
                                                             .largest_size = size * random.uniform(1, 100)});
        const RowGrid grid(config);
        ASSERT_TRUE(grid.status());
        EXPECT_LE(std::size_t{grid.rows()} * grid.columns(), 4 * elements) << width << " " << height;
    }
}

// --- Cells ---

TEST(RowGrid, uses_the_holes_of_a_row_again) {
    RowGrid grid(ten_rows());
    ElementId id = no_element;
    const auto at = [](int x, float y) {
        return Box{static_cast<float>(x), y, static_cast<float>(x + 1), y + 1};
    };
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(grid.insert(at(5 * i, 15), id));
    const std::size_t nodes = Inspector::row(grid, 1).nodes.size();
    for (int round = 0; round < 50; ++round) {
        ASSERT_TRUE(grid.remove(static_cast<ElementId>(round % 20)));
        ASSERT_TRUE(grid.insert(at(2 * round, 12), id));
        ASSERT_EQ(id, static_cast<ElementId>(round % 20));
    }
    EXPECT_EQ(Inspector::row(grid, 1).nodes.size(), nodes);
    EXPECT_TRUE(grid.validate());
}

TEST(RowGrid, sorts_an_edited_row_when_it_is_cleaned_up) {
    Random random(6);
    RowGrid grid(ten_rows());
    std::vector<Box> boxes = crowd_in(random, 300, 0, 100);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    EXPECT_TRUE(Inspector::row(grid, 4).sorted);
    walk(random, boxes, 20);
    for (ElementId id = 0; id < boxes.size(); ++id) ASSERT_TRUE(grid.move(id, boxes[id]));
    EXPECT_FALSE(Inspector::row(grid, 4).sorted);
    expect_holds(grid, boxes);
    grid.clean_up();
    EXPECT_TRUE(Inspector::row(grid, 4).sorted);
    expect_holds(grid, boxes);
}

TEST(RowGrid, keeps_a_row_sorted_while_boxes_change_within_their_cells) {
    RowGrid grid(ten_rows());
    std::vector<Box> boxes = {{1, 15, 2, 16}, {3, 15, 4, 16}, {9, 15, 10, 16}};
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    boxes[1] = {3.5f, 17, 8, 19};
    ASSERT_TRUE(grid.move(1, boxes[1]));
    EXPECT_TRUE(Inspector::row(grid, 1).sorted);
    expect_holds(grid, boxes);
}

// --- Reach ---

TEST(RowGrid, reaches_back_less_once_the_widest_element_is_gone) {
    RowGrid grid(ten_rows());
    ElementId wide = no_element, tall = no_element, id = no_element;
    ASSERT_TRUE(grid.insert({10, 15, 15, 16}, wide));
    ASSERT_TRUE(grid.insert({10, 15, 11, 20}, tall));
    ASSERT_TRUE(grid.insert({10, 15, 11, 16}, id));
    EXPECT_EQ(Inspector::row(grid, 1).width, 5);
    EXPECT_EQ(Inspector::row(grid, 1).top, 20);
    ASSERT_TRUE(grid.remove(wide));
    ASSERT_TRUE(grid.move(tall, {10, 15, 11, 17}));
    EXPECT_EQ(Inspector::row(grid, 1).width, 5);
    grid.clean_up();
    EXPECT_EQ(Inspector::row(grid, 1).width, 1);
    EXPECT_EQ(Inspector::row(grid, 1).top, 17);
}

TEST(RowGrid, makes_rows_at_least_half_as_high_as_common_elements) {
    Random random(10);
    RowGrid grid(
        {.extents = {0, 0, 100, 100}, .cell_width = 0.5f, .row_height = 0.01f, .largest_common = 30});
    EXPECT_LE(grid.rows(), 7u);
    std::vector<Box> boxes = crowd_in(random, 400, 0, 100, 15);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    expect_holds(grid, boxes);
}

// --- Numbers of all kinds ---

TEST(RowGrid, refuses_a_configuration_without_a_meaning) {
    const float nan = std::numeric_limits<float>::quiet_NaN(),
                infinity = std::numeric_limits<float>::infinity();
    const RowGrid::Config good = ten_rows();
    EXPECT_EQ(RowGrid(good).status().code, Code::ok);
    for (const float bad : {nan, infinity, -1.0f, -infinity}) {
        for (float RowGrid::Config::*member :
             {&RowGrid::Config::cell_width, &RowGrid::Config::row_height, &RowGrid::Config::largest_common}) {
            RowGrid::Config config = good;
            config.*member = bad;
            RowGrid grid(config);
            EXPECT_EQ(grid.status().code, Code::bad_config);
            ElementId id = 77;
            EXPECT_EQ(grid.insert(Box{}, id).code, Code::bad_config);
            EXPECT_EQ(id, 77u);
            EXPECT_EQ(grid.assign(Boxes{}).code, Code::bad_config);
            EXPECT_EQ(grid.move_all(Boxes{}, {}).code, Code::bad_config);
            EXPECT_EQ(grid.for_each_overlap({0, 0, 1, 1}, [](ElementId) {}).code, Code::bad_config);
            EXPECT_EQ(grid.for_each_pair([](Pair) {}).code, Code::bad_config);
            const auto nothing = [](std::span<const Pair>, std::size_t) {};
            EXPECT_EQ(grid.for_each_pair_concurrently(nothing, serial_executor()).code, Code::bad_config);
            EXPECT_TRUE(grid.validate());
            grid.clean_up();
            grid.clear();
        }
    }
    EXPECT_EQ(RowGrid(RowGrid::Config{}).status().code, Code::bad_config);
    EXPECT_EQ(RowGrid({.extents = {7, 7, 7, 7}}).status().code, Code::bad_config);
    EXPECT_EQ(RowGrid({.extents = {0, 0, -1, 1}}).status().code, Code::bad_config);
    EXPECT_EQ(RowGrid({.extents = {0, nan, 1, 1}}).status().code, Code::bad_config);
}

}  // namespace
}  // namespace throng::test
