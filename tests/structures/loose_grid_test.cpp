// What makes a loose grid itself: bounds that stretch and shrink, cells of cells, wide cells, and questions asked
// together.
#include "throng/structures/loose_grid.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "support/counting_resource.hpp"
#include "support/instruction_sets.hpp"
#include "support/random.hpp"
#include "support/scale.hpp"

namespace throng {

struct IndexInspector {
    static auto& records(LooseGrid& g) { return g.records_; }
    static auto& slots(LooseGrid& g) { return g.slots_; }
    static auto& cells(LooseGrid& g) { return g.cells_; }
    static auto& tight(LooseGrid& g) { return g.tight_; }
    static auto& nodes(LooseGrid& g) { return g.nodes_; }
    static auto& touched(LooseGrid& g) { return g.touched_; }
    static auto& wide(LooseGrid& g) { return g.wide_; }
    static auto& row_sizes(LooseGrid& g) { return g.row_sizes_; }
    static std::uint32_t cell_of(const LooseGrid& g, const Box& box) { return g.cell_of(box); }
    static const Box& bounds(LooseGrid& g, const Box& of) { return g.cells_[g.cell_of(of)].bounds; }
    static std::size_t links(const LooseGrid& g) { return g.nodes_.size(); }
};

namespace test {
namespace {

using Inspector = IndexInspector;
constexpr float huge = 3e38f;

// Ten by ten loose cells of size 10, and five by five tight ones.
LooseGrid::Config ten_by_ten() {
    return {.extents = {0, 0, 100, 100}, .columns = 10, .rows = 10, .tight_columns = 2, .tight_rows = 2};
}

std::vector<ElementId> overlapping(const LooseGrid& grid, const Box& box) {
    std::vector<ElementId> ids;
    EXPECT_TRUE(grid.overlaps(box, [&](ElementId id) { ids.push_back(id); }));
    std::sort(ids.begin(), ids.end());
    return ids;
}

using Pairs = std::vector<std::pair<ElementId, ElementId>>;

Pairs touching(LooseGrid& grid) {
    Pairs pairs;
    EXPECT_TRUE(
        grid.for_each_pair([&](Pair p) { pairs.emplace_back(std::min(p.a, p.b), std::max(p.a, p.b)); }));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

void expect_sound(const LooseGrid& grid) {
    const IndexValidation state = grid.validate();
    EXPECT_TRUE(state) << state.what << " at " << state.where;
}

// Against all boxes, one by one. Element i of them has the id i.
void expect_all_answers(LooseGrid& grid, const std::vector<Box>& boxes, const std::vector<Box>& questions) {
    expect_sound(grid);
    for (const Box& question : questions) {
        std::vector<ElementId> expected;
        for (ElementId i = 0; i < boxes.size(); ++i)
            if (boxes[i].overlaps(question)) expected.push_back(i);
        ASSERT_EQ(overlapping(grid, question), expected);
    }
    Pairs expected;
    for (ElementId a = 0; a < boxes.size(); ++a)
        for (ElementId b = a + 1; b < boxes.size(); ++b)
            if (boxes[a].overlaps(boxes[b])) expected.emplace_back(a, b);
    ASSERT_EQ(touching(grid), expected);
}

Box some_box(Random& random, float largest) {
    return Box::around(random.uniform(-5, 105), random.uniform(-5, 105), random.uniform(0, largest),
                       random.uniform(0, largest));
}

std::vector<Box> some_boxes(std::size_t count, std::uint64_t seed, float largest = 1) {
    Random random(seed);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) boxes.push_back(some_box(random, largest));
    return boxes;
}

TEST(LooseGrid, keeps_an_element_in_the_cell_of_its_centre_only) {
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
    EXPECT_EQ(Inspector::cell_of(grid, {1, 1, 99, 99}), 55u);
}

TEST(LooseGrid, clamps_centres_to_the_outermost_cells) {
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
    ASSERT_TRUE(grid.insert({40, 52, 70, 58}, large));
    EXPECT_EQ(Inspector::bounds(grid, {55, 55, 55, 55}), (Box{40, 52, 70, 58}));
    ASSERT_TRUE(grid.move(large, {54, 55, 58, 57}));
    EXPECT_EQ(Inspector::bounds(grid, {55, 55, 55, 55}), (Box{40, 52, 70, 58}));
    expect_sound(grid);
    grid.clean_up();
    EXPECT_EQ(Inspector::bounds(grid, {55, 55, 55, 55}), (Box{54, 54, 58, 57}));
    expect_sound(grid);
}

TEST(LooseGrid, has_no_links_for_empty_cells_after_a_clean_up) {
    LooseGrid grid(ten_by_ten());
    EXPECT_EQ(Inspector::links(grid), 0u);
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({54, 54, 56, 56}, id));
    EXPECT_EQ(Inspector::links(grid), 1u);
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
    // Tight cells are 20 wide: the bounds reach into the one to the left.
    ASSERT_TRUE(grid.move(id, {38, 54, 64, 56}));
    EXPECT_EQ(Inspector::links(grid), 3u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {0, 0, 100, 100}), std::vector<ElementId>{id});
    ASSERT_TRUE(grid.move(id, {54, 54, 56, 56}));
    grid.clean_up();
    EXPECT_EQ(Inspector::links(grid), 1u);
    expect_sound(grid);
}

TEST(LooseGrid, has_one_link_for_a_cell_that_is_wide) {
    LooseGrid grid(ten_by_ten());
    ElementId small = no_element, giant = no_element;
    ASSERT_TRUE(grid.insert({54, 54, 56, 56}, small));
    ASSERT_TRUE(grid.insert({1, 1, 99, 99}, giant));
    EXPECT_EQ(Inspector::links(grid), 1u);
    EXPECT_EQ(Inspector::wide(grid).count(), 1u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {0, 0, 1, 1}), std::vector<ElementId>{giant});
    EXPECT_EQ(touching(grid), (Pairs{{small, giant}}));
    ASSERT_TRUE(grid.remove(giant));
    grid.clean_up();
    EXPECT_TRUE(Inspector::wide(grid).none());
    EXPECT_EQ(Inspector::links(grid), 1u);
    expect_sound(grid);
    EXPECT_EQ(overlapping(grid, {55, 55, 55, 55}), std::vector<ElementId>{small});
}

TEST(LooseGrid, takes_a_few_touched_cells_and_nearly_all_of_them_alike) {
    for (const std::size_t moved : {1u, 4u, 40u, 1000u}) {
        std::vector<Box> boxes = some_boxes(1000, 3, 8);
        LooseGrid grid(
            LooseGrid::suited_to({.extents = {0, 0, 100, 100}, .elements = 4000, .typical_size = 1}));
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
    // Boxes from edge to edge of cells and of half cells, where it is decided who is a neighbour of whom.
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

TEST(LooseGrid, is_right_where_floats_are_far_apart) {
    const std::vector<Box> extents{
        {-huge, -huge, huge, huge},   {0, 0, 0, 0},           {5, 5, 5, 6},
        {1e30f, 1e30f, 2e30f, 2e30f}, {0, 0, 1e-44f, 1e-44f}, {1e9f, 0, 1e9f + 640, 9}};
    std::vector<Box> boxes = some_boxes(60, 8, 10);
    Random random(7);
    for (int i = 0; i < 60; ++i) {
        const float x = random.any_finite(), y = random.any_finite(), u = random.any_finite(),
                    v = random.any_finite();
        boxes.push_back({std::min(x, u), std::min(y, v), std::max(x, u), std::max(y, v)});
        const float a = random.subnormal(), b = random.subnormal();
        boxes.push_back({std::min(a, b), std::min(a, b), std::max(a, b), std::max(a, b)});
        boxes.push_back({x, y, x, y});
        const float at = 1e9f + 64 * static_cast<float>(i % 9);
        boxes.push_back({at, 0, at + 64, 9});
    }
    for (const Box& extent : extents) {
        LooseGrid grid({.extents = extent, .columns = 30, .rows = 20});
        ASSERT_TRUE(grid.status());
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        expect_all_answers(grid, boxes, boxes);
        for (ElementId id = 0; id < boxes.size(); ++id)
            ASSERT_TRUE(grid.move(id, boxes[boxes.size() - 1 - id]));
        grid.clean_up();
        std::reverse(boxes.begin(), boxes.end());
        expect_all_answers(grid, boxes, boxes);
    }
}

TEST(LooseGrid, refuses_a_configuration_that_makes_no_grid) {
    const auto code = [](LooseGrid::Config c) { return LooseGrid(c).status().code; };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(code(ten_by_ten()), Code::ok);
    EXPECT_EQ(code({.columns = 0}), Code::bad_config);
    EXPECT_EQ(code({.rows = 32769}), Code::bad_config);
    EXPECT_EQ(code({.columns = 32768, .rows = 32768}), Code::bad_config);
    EXPECT_EQ(code({.tight_columns = 0}), Code::bad_config);
    EXPECT_EQ(code({.extents = {0, 0, nan, 1}}), Code::bad_config);
    EXPECT_EQ(code({.extents = {1, 0, 0, 1}}), Code::bad_config);
    LooseGrid grid({.columns = 0});
    ElementId id = 7;
    EXPECT_EQ(grid.insert({0, 0, 1, 1}, id).code, Code::bad_config);
    EXPECT_EQ(grid.assign({}).code, Code::bad_config);
    EXPECT_EQ(grid.overlaps({0, 0, 1, 1}, [](ElementId) {}).code, Code::bad_config);
    EXPECT_EQ(grid.for_each_pair([](Pair) {}).code, Code::bad_config);
    EXPECT_EQ(id, 7u);
}

TEST(LooseGrid, says_so_when_its_content_was_moved_to_another) {
    LooseGrid grid(ten_by_ten());
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({1, 1, 2, 2}, id));
    LooseGrid other(std::move(grid));
    EXPECT_EQ(overlapping(other, {0, 0, 9, 9}), std::vector<ElementId>{id});
    EXPECT_EQ(grid.status().code, Code::moved_from);
    EXPECT_EQ(grid.insert({1, 1, 2, 2}, id).code, Code::moved_from);
    grid.clear();
    grid.clean_up();
    EXPECT_EQ(grid.size(), 0u);
}

TEST(LooseGrid, that_could_not_be_made_or_was_moved_from_has_no_parts_and_no_elements) {
    const auto count = [](const LooseGrid& grid) {
        std::size_t parts = 0, elements = 0;
        grid.for_each_part([&](const Part&) { ++parts; });
        grid.for_each_element([&](ElementId) { ++elements; });
        return parts + elements;
    };
    EXPECT_EQ(count(LooseGrid({.columns = 0})), 0u);
    LooseGrid grid(ten_by_ten());
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({1, 1, 2, 2}, id));
    const LooseGrid other(std::move(grid));
    EXPECT_EQ(count(grid), 0u);
    EXPECT_EQ(count(other), 3u);
    for (std::uint64_t left = 0; left < 5; ++left) {
        CountingResource memory;
        memory.fail_after(left);
        const LooseGrid lacking(ten_by_ten(), &memory);
        ASSERT_EQ(lacking.status().code, Code::out_of_memory);
        EXPECT_EQ(count(lacking), 0u);
    }
}

// The list of a cell is gone through only so far; then the first of it goes in the place of whoever leaves.
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

TEST(LooseGrid, is_suited_to_whatever_is_expected) {
    for (const std::size_t elements : {0u, 1u, 100u, 100000u})
        for (const Box& extents : {Box{0, 0, 0, 0}, Box{0, 0, 1e6f, 0}, Box{-huge, -huge, huge, huge},
                                   Box{0, 0, 9, 9}, Box{0, 0, std::numeric_limits<float>::infinity(), 1}})
            for (const float size : {0.0f, 1.0f, 1e30f}) {
                const auto config =
                    LooseGrid::suited_to({.extents = extents, .elements = elements, .typical_size = size});
                LooseGrid grid(config);
                EXPECT_TRUE(grid.status());
                EXPECT_LE(std::size_t{config.columns} * config.rows, elements + 2);
            }
}

// --- Questions asked together ---

using Hits = std::vector<std::pair<std::size_t, ElementId>>;

Hits one_by_one(const LooseGrid& grid, const std::vector<Box>& questions) {
    Hits hits;
    for (std::size_t i = 0; i < questions.size(); ++i)
        for (const ElementId id : overlapping(grid, questions[i])) hits.emplace_back(i, id);
    return hits;
}

Hits together(const LooseGrid& grid, const std::vector<Box>& questions) {
    Hits hits;
    EXPECT_TRUE(
        grid.overlaps_together(questions, [&](std::size_t i, ElementId id) { hits.emplace_back(i, id); }));
    std::sort(hits.begin(), hits.end());
    return hits;
}

TEST(LooseGridTogether, answers_as_one_by_one_with_every_instruction_set) {
    std::vector<Box> boxes = some_boxes(3000, 11);
    const std::vector<Box> giants = some_boxes(20, 12, 80);
    boxes.insert(boxes.end(), giants.begin(), giants.end());
    Hits first;
    for (const Isa isa : instruction_sets()) {
        auto config =
            LooseGrid::suited_to({.extents = {0, 0, 100, 100}, .elements = 3000, .typical_size = 1});
        config.isa = isa;
        LooseGrid grid(config);
        ASSERT_TRUE(grid.status());
        ASSERT_EQ(grid.isa(), isa);
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        std::vector<Box> questions;
        grid.for_each_element([&](ElementId id) {
            const Box& b = boxes[id];
            questions.push_back({b.min_x - 1, b.min_y - 1, b.max_x + 1, b.max_y + 1});
        });
        const Hits expected = one_by_one(grid, questions);
        EXPECT_GT(expected.size(), questions.size());
        ASSERT_EQ(together(grid, questions), expected);
        // The order of the answers, too, is the same with every set.
        Hits hits;
        ASSERT_TRUE(grid.overlaps_together(questions, [&](std::size_t i, std::span<const ElementId> ids) {
            for (const ElementId id : ids) hits.emplace_back(i, id);
        }));
        if (first.empty()) first = hits;
        EXPECT_EQ(hits, first);
    }
}

TEST(LooseGridTogether, takes_any_number_of_questions_in_any_order) {
    const std::vector<Box> boxes = some_boxes(2000, 13);
    for (const Isa isa : instruction_sets()) {
        auto config = ten_by_ten();
        config.isa = isa;
        LooseGrid grid(config);
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        for (const std::size_t count : {0u, 1u, 2u, 15u, 16u, 17u, 33u, 200u})
            for (const float size : {0.5f, 20.0f, 200.0f}) {
                const std::vector<Box> questions = some_boxes(count, count, size);
                ASSERT_EQ(together(grid, questions), one_by_one(grid, questions));
            }
    }
}

TEST(LooseGridTogether, finds_thousands_in_one_place) {
    for (const Isa isa : instruction_sets()) {
        auto config = ten_by_ten();
        config.isa = isa;
        LooseGrid grid(config);
        const std::vector<Box> boxes(1500, Box{50, 50, 51, 51});
        ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        const std::vector<Box> questions(20, Box{51, 51, 52, 52});
        EXPECT_EQ(together(grid, questions).size(), 20u * 1500u);
    }
}

TEST(LooseGridTogether, refuses_all_if_one_question_is_none) {
    LooseGrid grid(ten_by_ten());
    ElementId id = no_element;
    ASSERT_TRUE(grid.insert({1, 1, 2, 2}, id));
    const std::vector<Box> questions{{0, 0, 9, 9}, {0, 0, 9, 9}, {9, 0, 0, 9}};
    bool called = false;
    const Status status = grid.overlaps_together(questions, [&](std::size_t, ElementId) { called = true; });
    EXPECT_EQ(status.code, Code::inverted);
    EXPECT_EQ(status.index, 2u);
    EXPECT_FALSE(called);
}

TEST(LooseGridTogether, refuses_questions_that_are_nowhere) {
    const LooseGrid grid(ten_by_ten());
    const auto nobody = [](std::size_t, ElementId) {};
    const std::span<const Box> nowhere(static_cast<const Box*>(nullptr), 3);
    EXPECT_EQ(grid.overlaps_together(nowhere, nobody).code, Code::null_view);
    EXPECT_TRUE(grid.overlaps_together({}, nobody));
}

TEST(LooseGridTogether, stops_when_the_visitor_has_enough) {
    LooseGrid grid(ten_by_ten());
    ASSERT_TRUE(grid.assign(Boxes::of(some_boxes(1000, 1))));
    // Near each other, and far from each other.
    for (const float step : {0.1f, 40.0f}) {
        std::vector<Box> questions;
        for (int i = 0; i < 3; ++i) {
            const float x = 10 + step * static_cast<float>(i);
            questions.push_back({x, 10, x + 10, 20});
        }
        std::size_t calls = 0;
        ASSERT_TRUE(grid.overlaps_together(questions, [&](std::size_t, ElementId) { return ++calls < 3; }));
        EXPECT_EQ(calls, 3u);
    }
}

TEST(LooseGridTogether, refuses_an_instruction_set_that_cannot_run_here) {
    for (const Isa isa : {Isa::sse2, Isa::avx2, Isa::avx512, Isa::neon64}) {
        auto config = ten_by_ten();
        config.isa = isa;
        EXPECT_EQ(LooseGrid(config).status().code, supported(isa) ? Code::ok : Code::unsupported_isa);
    }
}

// --- Memory ---

TEST(LooseGrid, takes_no_more_than_45_bytes_for_each_of_many_elements) {
    CountingResource memory;
    const std::size_t count = 20000;
    std::vector<Box> boxes;
    Random random(5);
    const float side = 283;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), 0.45f, 0.45f));
    LooseGrid grid(
        LooseGrid::suited_to({.extents = {0, 0, side, side}, .elements = count, .typical_size = 0.9f}),
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
        ASSERT_TRUE(grid.assign(Boxes::of(some_boxes(count, 6, size))));
        EXPECT_LE(memory.bytes_out() - fixed,
                  count * (2 * 28 + 9 * (LooseGrid::most_tight_cells + 2)) + 1000);
    }
}

TEST(LooseGrid, allocates_nothing_while_everybody_moves) {
    CountingResource memory;
    std::vector<Box> boxes = some_boxes(2000, 20);
    LooseGrid grid(LooseGrid::suited_to({.extents = {0, 0, 100, 100}, .elements = 2000, .typical_size = 1}),
                   &memory);
    Random random(1);
    std::uint64_t calls = 0;
    for (int frame = 0; frame < 60; ++frame) {
        if (frame == 20) calls = memory.calls();
        for (Box& box : boxes) {
            const float dx = random.uniform(-0.2f, 0.2f), dy = random.uniform(-0.2f, 0.2f);
            box = {box.min_x + dx, box.min_y + dy, box.max_x + dx, box.max_y + dy};
        }
        if (frame % 3 == 0) {
            ASSERT_TRUE(grid.assign(Boxes::of(boxes)));
        } else {
            for (ElementId id = 0; id < boxes.size(); ++id) ASSERT_TRUE(grid.move(id, boxes[id]));
            grid.clean_up();
        }
        ASSERT_TRUE(grid.for_each_pair([](Pair) {}));
    }
    EXPECT_EQ(memory.calls(), calls);
    EXPECT_GT(calls, 0u);
}

// Runs some edits with the memory running out at every point, and compares with what must be there.
TEST(LooseGrid, keeps_its_elements_when_memory_runs_out) {
    std::size_t refusals = 0;
    for (std::uint64_t left = 0; left < 60; ++left) {
        CountingResource memory;
        memory.fail_after(left);
        LooseGrid grid({.extents = {0, 0, 100, 100}, .columns = 20, .rows = 20}, &memory);
        if (!grid.status()) {
            EXPECT_EQ(grid.status().code, Code::out_of_memory);
            continue;
        }
        std::vector<Box> boxes;
        const auto assign = [&](std::vector<Box> some) {
            const Status status = grid.assign(Boxes::of(some));
            if (status.ok()) boxes = std::move(some);
            refusals += !status.ok();
            EXPECT_TRUE(status.ok() || status.code == Code::out_of_memory);
        };
        const auto check = [&] {
            memory.stop_failing();
            expect_all_answers(grid, boxes, some_boxes(5, 1, 30));
            memory.fail_after(left);
        };
        assign(some_boxes(50, 1, 3));
        check();
        assign(some_boxes(150, 2, 20));
        check();
        Random random(left);
        for (int i = 0; i < 150; ++i) {
            const Box box = some_box(random, random.one_in(4) ? 50.0f : 2.0f);
            ElementId id = no_element;
            if (const Status status = grid.insert(box, id); status.ok()) {
                ASSERT_EQ(id, boxes.size());
                boxes.push_back(box);
            } else {
                ++refusals;
            }
            if (boxes.empty()) continue;
            const std::size_t k = random.below(boxes.size());
            const Box other = some_box(random, random.one_in(4) ? 50.0f : 2.0f);
            if (grid.move(static_cast<ElementId>(k), other))
                boxes[k] = other;
            else
                ++refusals;
            if (i % 10 == 0) grid.clean_up();
        }
        check();
        // Giants become small, and there is no memory for the links they then need.
        for (ElementId id = 0; id < boxes.size(); ++id)
            if (const Box small = Box::around(50, boxes[id].min_y, 1, 1); grid.move(id, small))
                boxes[id] = small;
        grid.clean_up();
        check();
        grid.clean_up();
        check();
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(refusals, 0u);
}

TEST(LooseGrid, leaves_cells_wide_until_there_is_memory_for_their_links) {
    CountingResource memory;
    LooseGrid grid({.extents = {0, 0, 160, 160}, .columns = 40, .rows = 40}, &memory);
    std::vector<Box> boxes;
    for (int i = 0; i < 20; ++i) boxes.push_back(Box::around(42 + 4 * static_cast<float>(i), 80, 40, 40));
    for (const Box& box : boxes) {
        ElementId id = no_element;
        ASSERT_TRUE(grid.insert(box, id));
    }
    ASSERT_EQ(Inspector::wide(grid).count(), 20u);
    ASSERT_EQ(Inspector::links(grid), 20u);
    memory.fail_after(0);
    for (ElementId id = 0; id < boxes.size(); ++id) {
        boxes[id] = Box::around(boxes[id].min_x + 40, 80, 10, 10);
        ASSERT_TRUE(grid.move(id, boxes[id]));
    }
    // A few touched cells at first, and then all of them.
    for (int round = 0; round < 3; ++round) {
        grid.clean_up();
        EXPECT_GT(Inspector::wide(grid).count(), 15u);
        expect_sound(grid);
        EXPECT_EQ(overlapping(grid, {0, 0, 160, 160}).size(), 20u);
        EXPECT_EQ(overlapping(grid, {32, 80, 32, 80}), std::vector<ElementId>{0});
    }
    EXPECT_GT(memory.failures(), 0u);
    memory.stop_failing();
    grid.clean_up();
    EXPECT_TRUE(Inspector::wide(grid).none());
    expect_all_answers(grid, boxes, some_boxes(20, 2, 30));
}

// --- Corruption ---

class BrokenLooseGrid : public ::testing::Test {
protected:
    LooseGrid grid{ten_by_ten()};

    void SetUp() override {
        std::vector<Box> boxes = some_boxes(200, 30);
        boxes.push_back({1, 1, 99, 99});
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
    expect_found(tight[3], FreeList<int>::none);
    expect_found(tight[3], std::uint32_t{99999});
    expect_found(tight[3], tight[4]);
    expect_found(nodes[tight[3]].next, tight[3]);
    expect_found(nodes[tight[3]].cell, std::uint32_t{100});
    expect_found(nodes[tight[3]].cell, nodes[tight[3]].cell + 1);
    auto& wide = Inspector::wide(grid);
    const std::size_t giant = wide.first();
    ASSERT_EQ(wide.count(), 1u);
    wide.reset(giant);
    EXPECT_FALSE(grid.validate());
    wide.set(giant);
    wide.set(giant + 1);
    EXPECT_FALSE(grid.validate());
}

}  // namespace
}  // namespace test
}  // namespace throng
