// What makes RowGrid itself: rows with memory of their own, cells as runs and as lists, a reach that shrinks,
// oversized elements, and elements that move within their rows or all at once.
#include <cfenv>
#include <cstddef>
#include <memory>
#include <span>

#include "structures/src/row_grid/state.hpp"
#include "structures/tests/index_inside.hpp"
#include "structures/tests/row_grid_support.hpp"
#include "structures/tests/test.hpp"
#include "support/rounding.hpp"

namespace throng::structures::test {
namespace of_row_grid {

using State = RowGrid::State;
using Row = detail::GridRow;

constexpr float largest = std::numeric_limits<float>::max();

RowGrid::Config ten_rows() {
    return {.extents = {0, 0, 100, 100}, .cell_width = 2, .row_height = 10, .largest_common = 5};
}
Row& row_of(RowGrid& grid, std::size_t r) { return inside(grid).rows_[r]; }

// --- Rows and their memory ---

TEST(RowGrid, gives_back_a_row_that_stays_empty) {
    RowGrid grid(ten_rows());
    ElementId id = inserted(grid, {1, 35, 2, 36});
    inserted(grid, {1, 55, 2, 56});
    ASSERT_TRUE(grid.remove(id));
    for (int i = 0; i < 7; ++i) grid.clean_up();
    EXPECT_TRUE(grid.has_memory(3));
    const std::size_t before = grid.bytes();
    grid.clean_up();
    EXPECT_FALSE(grid.has_memory(3));
    EXPECT_TRUE(grid.has_memory(5));
    EXPECT_LT(grid.bytes(), before);
    EXPECT_TRUE(grid.validate());
    id = inserted(grid, {1, 35, 2, 36});
    EXPECT_EQ(overlapping(grid, {0, 30, 5, 40}), std::vector{id});
}

TEST(RowGrid, tells_of_rows_and_elements_that_do_not_exist) {
    RowGrid grid(ten_rows());
    ElementId id = inserted(grid, {1, 35, 2, 36});
    for (const ElementId unknown : {id + 1, id + 1000, no_element})
        EXPECT_EQ(grid.row_of(unknown), grid.rows());
    for (const std::uint32_t row : {grid.rows() + 1, 0xFFFFFFFFu}) EXPECT_FALSE(grid.has_memory(row));
    ASSERT_TRUE(grid.remove(id));
    EXPECT_EQ(grid.row_of(id), grid.rows());
    RowGrid unusable(RowGrid::Config{});
    EXPECT_EQ(unusable.row_of(id), 0u);
    EXPECT_FALSE(unusable.has_memory(0));
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
        // One stays behind in each row, so no row is ever empty.
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

// --- Cells and reach ---

TEST(RowGrid, uses_the_holes_of_a_row_again) {
    RowGrid grid(ten_rows());
    ElementId id = no_element;
    const auto at = [](int x, float y) {
        return Box{static_cast<float>(x), y, static_cast<float>(x + 1), y + 1};
    };
    for (int i = 0; i < 20; ++i) id = inserted(grid, at(5 * i, 15));
    const std::size_t nodes = row_of(grid, 1).nodes.size();
    for (int round = 0; round < 50; ++round) {
        ASSERT_TRUE(grid.remove(static_cast<ElementId>(round % 20)));
        id = inserted(grid, at(2 * round, 12));
        ASSERT_EQ(id, static_cast<ElementId>(round % 20));
    }
    EXPECT_EQ(row_of(grid, 1).nodes.size(), nodes);
    EXPECT_TRUE(grid.validate());
}

TEST(RowGrid, sorts_an_edited_row_when_it_is_cleaned_up) {
    Random random(6);
    RowGrid grid(ten_rows());
    std::vector<Box> boxes = some_boxes(300, 100, 0.5f);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    EXPECT_TRUE(row_of(grid, 4).sorted);
    walk(random, boxes, 20);
    for (ElementId id = 0; id < boxes.size(); ++id) ASSERT_TRUE(grid.move(id, boxes[id]));
    EXPECT_FALSE(row_of(grid, 4).sorted);
    expect_holds(grid, boxes);
    grid.clean_up();
    EXPECT_TRUE(row_of(grid, 4).sorted);
    expect_holds(grid, boxes);
}

TEST(RowGrid, keeps_a_row_sorted_while_boxes_change_within_their_cells) {
    RowGrid grid(ten_rows());
    std::vector<Box> boxes = {{1, 15, 2, 16}, {3, 15, 4, 16}, {9, 15, 10, 16}};
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    boxes[1] = {3.5f, 17, 8, 19};
    ASSERT_TRUE(grid.move(1, boxes[1]));
    EXPECT_TRUE(row_of(grid, 1).sorted);
    expect_holds(grid, boxes);
}

TEST(RowGrid, reaches_back_less_once_the_widest_element_is_gone) {
    RowGrid grid(ten_rows());
    const ElementId wide = inserted(grid, {10, 15, 15, 16}), tall = inserted(grid, {10, 15, 11, 20});
    inserted(grid, {10, 15, 11, 16});
    EXPECT_EQ(row_of(grid, 1).width, 5);
    EXPECT_EQ(row_of(grid, 1).top, 20);
    ASSERT_TRUE(grid.remove(wide));
    ASSERT_TRUE(grid.move(tall, {10, 15, 11, 17}));
    EXPECT_EQ(row_of(grid, 1).width, 5);
    grid.clean_up();
    EXPECT_EQ(row_of(grid, 1).width, 1);
    EXPECT_EQ(row_of(grid, 1).top, 17);
}

TEST(RowGrid, makes_rows_at_least_half_as_high_as_common_elements) {
    Random random(10);
    RowGrid grid(
        {.extents = {0, 0, 100, 100}, .cell_width = 0.5f, .row_height = 0.01f, .largest_common = 30});
    EXPECT_LE(grid.rows(), 7u);
    std::vector<Box> boxes = some_boxes(400, 100, 15);
    ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
    expect_holds(grid, boxes);
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

// --- Oversized elements ---

TEST(RowGrid, keeps_oversized_elements_apart_and_finds_them_everywhere) {
    Random random(8);
    RowGrid grid(ten_rows());
    std::vector<Box> boxes = some_boxes(500, 100, 0.5f);
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
    ASSERT_TRUE(grid.move(8, boxes[8]));
    EXPECT_EQ(grid.oversized(), 2u);
    expect_holds(grid, boxes);
}

TEST(RowGrid, knows_an_oversized_element_by_its_size_under_every_rounding_mode) {
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

TEST(RowGrid, takes_edits_under_the_mode_of_the_last_assignment) {
    THRONG_SKIP_WITHOUT_ROUNDING_MODES();
    Random random(5);
    std::vector<Box> boxes(4000);
    for (Box& box : boxes) {
        const float x = 0.1f + 0.7f * static_cast<float>(random.below(40));
        box = {x, x, x, x};
    }
    const auto first = std::span(boxes).first(2000), second = std::span(boxes).last(2000);
    RowGrid grid({.extents = {0.1f, 0.1f, 28.1f, 28.1f}, .cell_width = 0.7f, .row_height = 0.7f});
    ASSERT_TRUE(grid.assign(Boxes::of(first)));
    const Rounding rounding(FE_UPWARD);
    ASSERT_TRUE(grid.assign(Boxes::of(second)));
    for (ElementId id = 0; id < first.size(); ++id) ASSERT_TRUE(grid.move(id, first[id]));
    EXPECT_TRUE(grid.validate());
    const Rounding home(FE_TONEAREST);
    EXPECT_EQ(grid.remove(0).code, Code::other_rounding);
}

// Hands out its bytes from the first to the last. (The standard library's resource of one buffer may begin at
// its end.)
class FrontToBack final : public MemoryResource {
public:
    explicit FrontToBack(std::span<std::byte> bytes) noexcept : left_(bytes) {}

    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        void* at = left_.data();
        std::size_t room = left_.size();
        if (std::align(alignment, bytes, at, room) == nullptr) return nullptr;
        left_ = {static_cast<std::byte*>(at) + bytes, room - bytes};
        return at;
    }
    void deallocate(void*, std::size_t, std::size_t) noexcept override {}

private:
    std::span<std::byte> left_;
};

// An empty run at the end of a full row begins where the memory of the oversized ones does.
TEST(RowGrid, knows_oversized_elements_from_what_lies_in_front_of_them_in_memory) {
    alignas(64) std::byte bytes[65536];
    FrontToBack one_after_the_other(bytes);
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
    for (; boxes.size() < 74; boxes.push_back({4, 1, 5, 2})) inserted(grid, {4, 1, 5, 2});
    grid.clean_up();
    const detail::GridRow &row = row_of(grid, 0), &oversized = row_of(grid, 1);
    ASSERT_TRUE(row.sorted);
    ASSERT_EQ(row.nodes.end(), oversized.nodes.begin());
    expect_holds(grid, boxes);
}

// --- Moving ---

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

// --- Planted faults ---

// With rows that are lists with holes, and with sorted ones.
RowGrid a_grid() {
    RowGrid grid(ten_rows());
    EXPECT_TRUE(fill(grid, some_boxes(300, 100, 0.5f, 18)));
    for (ElementId id = 0; id < 300; id += 7) EXPECT_TRUE(grid.remove(id));
    return grid;
}
// The row of element 1, as lists, and its node.
Row& row(State& grid) { return grid.rows_[grid.where_[1].row]; }
Row::Node& node(State& grid) { return row(grid).nodes[grid.where_[1].node]; }
Row& a_sorted_row(State& grid) {
    grid.clean_up();
    std::size_t r = 0;
    while (!grid.rows_[r].sorted) ++r;
    return grid.rows_[r];
}

const Corruption<State> corruptions[] = {
    {nullptr, [](State& g) { node(g).next = g.where_[1].node; }},
    {nullptr, [](State& g) { node(g).next = 1'000'000; }},
    {nullptr, [](State& g) { ++row(g).size; }},
    {"a list of holes leaves its row or has no end",
     [](State& g) { row(g).nodes[row(g).first_hole].next = row(g).first_hole; }},
    {"a list of holes leaves its row or has no end", [](State& g) { row(g).first_hole = 1'000'000; }},
    {"the box of a hole could be found", [](State& g) { row(g).nodes[row(g).first_hole].box = {}; }},
    {"the elements and holes of a row are not its nodes", [](State& g) { row(g).first_hole = Row::none; }},
    {"an element is in a wrong row", [](State& g) { node(g).box = moved(node(g).box, 0, 50); }},
    {"an element is in a wrong cell",
     [](State& g) {
         Box& box = node(g).box;
         const float half_width = (box.max_x - box.min_x) / 2;
         box.min_x = box.min_x < 50 ? 90.0f : 3.0f;
         box.max_x = box.min_x + half_width;
     }},
    {"an element has a box that is not legal",
     [](State& g) { node(g).box.max_x = std::numeric_limits<float>::quiet_NaN(); }},
    {"a node has an id that is not in use", [](State& g) { node(g).id = 7; }},
    {"a node has an id that is not in use", [](State& g) { node(g).id = 4'000'000; }},
    {"an element is not where it is said to be", [](State& g) { node(g).id = 2; }},
    {"an element reaches further than its row says", [](State& g) { row(g).width = 0; }},
    {"an element reaches further than its row says", [](State& g) { row(g).top = -1; }},
    {"an element reaches further than its row says",
     [](State& g) { row(g).top = std::numeric_limits<float>::quiet_NaN(); }},
    {"the cells of a sorted row are not runs", [](State& g) { a_sorted_row(g).heads[3] = 1'000'000; }},
    {"the cells of a sorted row are not runs", [](State& g) { a_sorted_row(g).heads.end()[-1] += 1; }},
};

TEST(RowGrid, is_found_unsound_with_any_planted_fault) { expect_found<RowGrid>(a_grid, corruptions); }

}  // namespace of_row_grid
}  // namespace throng::structures::test
