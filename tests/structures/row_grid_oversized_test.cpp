// Oversized elements, which a RowGrid keeps apart from its rows.
#include <cfenv>
#include <memory_resource>

#include "structures/grid_twin.hpp"
#include "structures/row_grid_support.hpp"
#include "support/test.hpp"
#include "throng/adapters/pmr.hpp"

namespace throng::test {
namespace {

using Inspector = IndexInspector<RowGrid>;

TEST(RowGrid, keeps_oversized_elements_apart_and_finds_them_everywhere) {
    Random random(8);
    RowGrid grid(ten_rows());
    std::vector<Box> boxes = crowd_in(random, 500, 0, 100);
    boxes[7] = {-largest, -largest, largest, largest};
    boxes[8] = {20, 20, 20, 80};
    boxes[9] = {0, 50, 90, 50.5f};
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    EXPECT_EQ(grid.oversized(), 3u);
    EXPECT_EQ(grid.row_of(ElementId{7}), grid.rows());
    expect_holds(grid, boxes);
    // Grown and shrunk.
    boxes[7] = {30, 30, 31, 31};
    boxes[10] = {10, 0, 70, 1};
    ASSERT_TRUE(grid.move(7, boxes[7]));
    ASSERT_TRUE(grid.move(10, boxes[10]));
    EXPECT_EQ(grid.oversized(), 3u);
    expect_holds(grid, boxes);
    boxes[8] = {20, 20, 21, 21};
    ASSERT_TRUE(grid.move_all(Boxes::of(boxes), {}));
    EXPECT_EQ(grid.oversized(), 2u);
    expect_holds(grid, boxes);
}

TEST(RowGrid, knows_an_oversized_element_by_its_size_under_every_rounding_mode) {
    constexpr float largest = std::numeric_limits<float>::max();
    for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(rounding);
        RowGrid grid({.extents = {-largest, -largest, largest, largest},
                      .cell_width = 1e37f,
                      .row_height = 1e37f,
                      .largest_common = largest});
        // Wider than any number.
        const Box wide{-1.4e38f, 0, 2.4e38f, 1};
        const Status taken = grid.assign(Boxes::of(std::span(&wide, 1)));
        std::size_t found = 0;
        const Status asked = grid.for_each_overlap({2.4e38f, 0, 2.4e38f, 1}, [&](ElementId) { ++found; });
        const std::size_t oversized = grid.oversized();
        std::fesetround(FE_TONEAREST);
        EXPECT_TRUE(taken && asked);
        EXPECT_EQ(oversized, 1u) << rounding;
        EXPECT_EQ(found, 1u) << rounding;
    }
}

TEST(RowGrid, agrees_with_brute_force_where_all_are_oversized) {
    Random random(9);
    RowGrid grid({.extents = {0, 0, 100, 100}, .largest_common = 1e-3f});
    std::vector<Box> boxes = crowd_in(random, 400, 0, 100, 3);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    expect_holds(grid, boxes);
    for (ElementId id = 100; id < 400; ++id) ASSERT_TRUE(grid.remove(id));
    boxes.resize(100);
    expect_holds(grid, boxes);
    grid.clean_up();
    expect_holds(grid, boxes);
}

// A run of no nodes at the end of a full row begins where the memory of the oversized ones does.
TEST(RowGrid, knows_oversized_elements_from_what_lies_in_front_of_them_in_memory) {
    alignas(64) std::byte bytes[65536];
    std::pmr::monotonic_buffer_resource buffer(bytes, sizeof bytes, std::pmr::null_memory_resource());
    PmrMemory one_after_the_other(buffer);
    RowGrid grid({.extents = {0, 0, 100, 5}, .cell_width = 2, .row_height = 10, .largest_common = 5},
                 &one_after_the_other);
    ASSERT_EQ(grid.rows(), 1u);
    const std::vector<Box> given{{1, 1, 2, 2}};
    ASSERT_TRUE(grid.assign(Boxes::of(given)));
    // 26 get room for 72, which end where a cache line does; and here the oversized ones get theirs.
    ASSERT_EQ(detail::with_headroom(26), 72u);
    std::vector<Box> boxes(26, Box{1, 1, 2, 2});
    boxes.insert(boxes.end(), {{80, 0, 99, 4}, {80, 0, 98, 4}});
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    for (ElementId id = no_element; boxes.size() < 74; boxes.push_back({4, 1, 5, 2}))
        ASSERT_TRUE(grid.insert({4, 1, 5, 2}, id));
    grid.clean_up();
    const detail::GridRow &row = Inspector::row(grid, 0), &oversized = Inspector::row(grid, 1);
    ASSERT_TRUE(row.sorted);
    ASSERT_EQ(row.nodes.end(), oversized.nodes.begin());
    expect_holds(grid, boxes);
}

}  // namespace
}  // namespace throng::test
