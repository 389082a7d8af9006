// Queries that a loose grid answers together have the answers that they have one by one, on every instruction
// set.
#include "structures/tests/loose_grid_support.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {
namespace of_loose_grid_together {

using Hits = std::vector<std::pair<std::size_t, ElementId>>;

Hits one_by_one(const LooseGrid& grid, const std::vector<Box>& queries) {
    Hits hits;
    for (std::size_t i = 0; i < queries.size(); ++i)
        for (const ElementId id : overlapping(grid, queries[i])) hits.emplace_back(i, id);
    return hits;
}

Hits together(const LooseGrid& grid, const Boxes& queries) {
    Hits hits;
    EXPECT_TRUE(
        grid.for_each_overlap(queries, [&](std::size_t i, ElementId id) { hits.emplace_back(i, id); }));
    std::sort(hits.begin(), hits.end());
    return hits;
}

TEST(LooseGridTogether, answers_as_one_by_one_with_every_instruction_set) {
    std::vector<Box> boxes = some_boxes(3000, 100, 1, 11);
    const std::vector<Box> giants = some_boxes(20, 100, 80, 12);
    boxes.insert(boxes.end(), giants.begin(), giants.end());
    Hits first;
    for (const Isa isa : instruction_sets()) {
        auto config =
            LooseGrid::recommended({.extents = {0, 0, 100, 100}, .elements = 3000, .typical_size = 1});
        config.isa = isa;
        LooseGrid grid(config);
        ASSERT_TRUE(grid.status());
        ASSERT_EQ(grid.isa(), isa);
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        std::vector<Box> queries;
        grid.for_each_element([&](ElementId id) {
            const Box& b = boxes[id];
            queries.push_back({b.min_x - 1, b.min_y - 1, b.max_x + 1, b.max_y + 1});
        });
        const Hits expected = one_by_one(grid, queries);
        EXPECT_GT(expected.size(), queries.size());
        ASSERT_EQ(together(grid, queries), expected);
        // The order of the answers, too, is the same with every set.
        Hits hits;
        ASSERT_TRUE(grid.for_each_overlap(queries, [&](std::size_t i, std::span<const ElementId> ids) {
            for (const ElementId id : ids) hits.emplace_back(i, id);
        }));
        if (first.empty()) first = hits;
        EXPECT_EQ(hits, first);
    }
}

TEST(LooseGridTogether, takes_any_number_of_queries_in_any_order) {
    const std::vector<Box> boxes = some_boxes(2000, 100, 1, 13);
    for (const Isa isa : instruction_sets()) {
        auto config = ten_by_ten();
        config.isa = isa;
        LooseGrid grid(config);
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        for (const std::size_t count : {0u, 1u, 2u, 15u, 16u, 17u, 33u, 80u})
            for (const float size : {0.5f, 20.0f, 200.0f}) {
                const std::vector<Box> queries = some_boxes(count, 100, size, count);
                ASSERT_EQ(together(grid, queries), one_by_one(grid, queries));
            }
    }
}

TEST(LooseGridTogether, reads_queries_where_they_lie) {
    LooseGrid grid(ten_by_ten());
    ASSERT_TRUE(fill(grid, some_boxes(1000, 100, 1)));
    const std::vector<float> x{10, 12, 50, 90}, y{10, 12, 50, 90}, half{5, 6, 7, 8};
    const Boxes queries = Boxes::centre_half(x, y, half, half);
    std::vector<Box> same;
    for (std::size_t i = 0; i < queries.size(); ++i) same.push_back(queries[i]);
    const Hits expected = one_by_one(grid, same);
    EXPECT_GT(expected.size(), 4u);
    EXPECT_EQ(together(grid, queries), expected);
}

TEST(LooseGridTogether, refuses_all_if_one_query_is_none) {
    LooseGrid grid(ten_by_ten());
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({1, 1, 2, 2}, id));
    const std::vector<Box> queries{{0, 0, 9, 9}, {0, 0, 9, 9}, {9, 0, 0, 9}};
    bool called = false;
    const Status status = grid.for_each_overlap(queries, [&](std::size_t, ElementId) { called = true; });
    EXPECT_EQ(status.code, Code::inverted);
    EXPECT_EQ(status.index, 2u);
    EXPECT_FALSE(called);
}

TEST(LooseGridTogether, refuses_a_null_view_of_queries) {
    const LooseGrid grid(ten_by_ten());
    const auto ignored = [](std::size_t, ElementId) {};
    const std::span<const Box> nowhere(static_cast<const Box*>(nullptr), 3);
    EXPECT_EQ(grid.for_each_overlap(nowhere, ignored).code, Code::null_view);
    const std::vector<float> two{1, 2}, three{1, 2, 3};
    EXPECT_EQ(grid.for_each_overlap(Boxes::points(two, three, 1), ignored).code, Code::size_mismatch);
    EXPECT_TRUE(grid.for_each_overlap({}, ignored));
}

TEST(LooseGridTogether, stops_when_the_visitor_has_enough) {
    LooseGrid grid(ten_by_ten());
    ASSERT_TRUE(fill(grid, some_boxes(1000, 100, 1)));
    // Near each other, and far from each other.
    for (const float step : {0.1f, 40.0f}) {
        std::vector<Box> queries;
        for (int i = 0; i < 3; ++i) {
            const float x = 10 + step * static_cast<float>(i);
            queries.push_back({x, 10, x + 10, 20});
        }
        std::size_t calls = 0;
        ASSERT_TRUE(grid.for_each_overlap(queries, [&](std::size_t, ElementId) { return ++calls < 3; }));
        EXPECT_EQ(calls, 3u);
    }
}

std::size_t seen_by_function = 0;
void count_of_query(std::size_t, ElementId) { ++seen_by_function; }

TEST(LooseGridTogether, takes_a_plain_function_as_visitor) {
    const std::vector<Box> boxes(3, Box{0, 0, 1, 1});
    LooseGrid grid(ten_by_ten());
    ElementId id = 0;
    ASSERT_TRUE(grid.insert(boxes[0], id));
    EXPECT_TRUE(grid.for_each_overlap(boxes, count_of_query));
    EXPECT_EQ(seen_by_function, 3u);
}

}  // namespace of_loose_grid_together
}  // namespace throng::structures::test
