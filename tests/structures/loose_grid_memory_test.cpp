// A loose grid's memory: how much, when there is none, and when it was overwritten.
#include "structures/loose_grid_support.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(LooseGrid, takes_no_more_than_45_bytes_for_each_of_many_elements) {
    CountingResource memory;
    const std::size_t count = 20000;
    std::vector<Box> boxes;
    Random random(5);
    const float side = 283;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), 0.45f, 0.45f));
    LooseGrid grid(
        LooseGrid::recommended({.extents = {0, 0, side, side}, .elements = count, .typical_size = 0.9f}),
        &memory);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    ASSERT_TRUE(grid.for_each_pair([](Pair) {}));
    EXPECT_EQ(memory.bytes_out(), grid.bytes());
    EXPECT_LE(grid.bytes(), 45 * count);
}

TEST(LooseGrid, needs_memory_linear_in_the_number_of_elements_however_large_they_are) {
    for (const float size : {0.1f, 30.0f, 500.0f}) {
        CountingResource memory;
        LooseGrid grid({.extents = {0, 0, 100, 100}, .columns = 100, .rows = 100}, &memory);
        const std::size_t fixed = memory.bytes_out();
        const std::size_t count = scaled(2000, 500);
        ASSERT_TRUE(fill(grid, some_boxes(count, 6, size)));
        EXPECT_LE(memory.bytes_out() - fixed, count * (2 * 28 + 9 * (LooseGrid::max_tight_cells + 2)) + 1000);
    }
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
    for (const Box& box : boxes) {
        ElementId id = no_element;
        ASSERT_TRUE(grid.insert(box, id));
    }
    ASSERT_EQ(Inspector::wide_cells(grid), 20u);
    ASSERT_EQ(Inspector::links(grid), 20u);
    memory.fail_after(0);
    for (ElementId id = 0; id < boxes.size(); ++id) {
        boxes[id].max_x -= 60;
        boxes[id].max_y -= 60;
        ASSERT_TRUE(grid.move(id, boxes[id]));
    }
    // A few touched cells at first, and then all of them.
    for (int round = 0; round < 3; ++round) {
        clean_up(grid);
        EXPECT_GT(Inspector::wide_cells(grid), 15u);
        expect_sound(grid);
        EXPECT_EQ(overlapping(grid, {0, 0, 160, 160}).size(), 20u);
        EXPECT_EQ(overlapping(grid, {4, 50, 4, 50}), std::vector<ElementId>{0});
    }
    EXPECT_GT(memory.failures(), 0u);
    memory.stop_failing();
    clean_up(grid);
    EXPECT_EQ(Inspector::wide_cells(grid), 0u);
    expect_all_answers(grid, boxes, some_boxes(20, 2, 30));
}

INSTANTIATE_TEST_SUITE_P(AtOnceAndInParts, CrammedLooseGrid,
                         ::testing::Values(std::size_t{1}, 3, everything));

// --- Corruption ---

class BrokenLooseGrid : public ::testing::Test {
protected:
    LooseGrid grid{ten_by_ten()};

    void SetUp() override {
        std::vector<Box> boxes = some_boxes(200, 30);
        boxes.push_back({1, 1, 99, 99});
        boxes.push_back({25, 5, 58, 6});  // in two tight cells
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        ASSERT_TRUE(grid.validate());
    }
    // The value is changed, found to be wrong, and put back.
    template <class T>
    void expect_found(T& value, T broken) {
        const T right = std::exchange(value, broken);
        EXPECT_FALSE(grid.validate());
        value = right;
        EXPECT_TRUE(grid.validate());
    }
};

TEST_F(BrokenLooseGrid, shows_in_its_elements) {
    auto& records = Inspector::records(grid);
    expect_found(records[3].id, ElementId{7});
    expect_found(records[3].next, std::uint32_t{3});
    expect_found(records[3].next, std::uint32_t{123456});
    expect_found(records[3].box.min_x, -1000.0f);
    expect_found(records[3].box.min_x, std::numeric_limits<float>::quiet_NaN());
    expect_found(records[3].box, Box{95, 95, 96, 96});
    expect_found(Inspector::slots(grid)[5], std::uint32_t{900});
    expect_found(Inspector::slots(grid)[5], Inspector::slots(grid)[6]);
}

TEST_F(BrokenLooseGrid, shows_in_its_cells) {
    auto& cells = Inspector::cells(grid);
    const std::uint32_t c = Inspector::cell_of(grid, {55, 55, 55, 55});
    expect_found(cells[c].head, LooseGrid::Config{}.columns + 77777);
    expect_found(cells[c].head, FreeList<int>::none);
    expect_found(cells[c].head, cells[c + 1].head);
    expect_found(cells[c].bounds.max_x, 0.0f);
    expect_found(cells[c + 1].bounds.max_x, 500.0f);
    expect_found(Inspector::row_sizes(grid)[4], std::uint32_t{0});
}

TEST_F(BrokenLooseGrid, shows_in_its_links) {
    auto& tight = Inspector::tight(grid);
    auto& nodes = Inspector::nodes(grid);
    expect_found(tight[1], FreeList<int>::none);
    expect_found(tight[1], std::uint32_t{99999});
    expect_found(tight[1], tight.end()[-1]);
    expect_found(nodes[tight[1]].next, tight[1]);
    expect_found(nodes[tight[1]].cell, std::uint32_t{100});
    expect_found(nodes[tight[1]].cell, nodes[tight[1]].cell + 1);
    ASSERT_EQ(Inspector::wide_cells(grid), 1u);
    expect_found(tight.end()[-1], FreeList<int>::none);
    expect_found(tight.end()[-1], tight[1]);
}

}  // namespace
}  // namespace throng::test
