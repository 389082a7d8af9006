// What makes the hierarchy itself: elements at the level they fit, regions where elements are, and walks that
// pass over the rest.
#include "structures/src/grid_hierarchy/state.hpp"
#include "structures/tests/index_inside.hpp"
#include "structures/tests/test.hpp"
#include "structures/tests/worlds.hpp"

namespace throng::structures::test {
namespace of_grid_hierarchy {

using State = GridHierarchy::State;

GridHierarchy hierarchy(const Box& extents, float cell_size) {
    return GridHierarchy({.extents = extents, .cell_size = cell_size});
}

// As many of each order of size, so that all levels have elements.
std::vector<Box> of_all_sizes(std::size_t count, float side, Random& random) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(some_box(random, side, random.decades(-2, random.one_in(20) ? 2 : 0)));
    return boxes;
}

TEST(GridHierarchy, writes_each_element_down_at_the_level_it_fits) {
    GridHierarchy index = hierarchy({0, 0, 1000, 1000}, 1);
    const float sizes[] = {0, 0.9f, 1, 7.9f, 8, 63, 64, 5000};
    const unsigned levels[] = {0, 0, 1, 1, 2, 2, 3, 3};
    for (int i = 0; i < 8; ++i) {
        const ElementId wide = inserted(index, {100, 100, 100 + sizes[i], 100}),
                        high = inserted(index, {500, 500, 500, 500 + sizes[i]});
        EXPECT_EQ(inside(index).place(index.box(wide)).level, levels[i]) << sizes[i];
        EXPECT_EQ(inside(index).place(index.box(high)).level, levels[i]) << sizes[i];
    }
    expect_same_as_brute_force(index);
}

// Elements that are as large as their level allows, and touch over the edges of cells, sub-regions and
// regions.
TEST(GridHierarchy, loses_no_element_to_rounding) {
    Random random(2);
    for (const float unit : {1e-36f, 1e-4f, 1.0f, 1e10f, 1e33f}) {
        for (const float offset : {0.0f, 3.0f, -50000.0f}) {
            const float low = offset * unit;
            GridHierarchy index = hierarchy({low, low, low + 400 * unit, low + 400 * unit}, unit);
            for (int i = 0; i < 200; ++i) {
                const float size = (random.one_in(4) ? 8 : 1) * unit * (random.one_in(2) ? 1 : 0.999999f);
                const float x = low + static_cast<float>(random.below(80)) * unit,
                            y = low + static_cast<float>(random.below(8)) * unit;
                inserted(index, {x, y, x + size, y + size});
            }
            expect_same_as_brute_force(index);
            if (HasFailure()) FAIL() << unit << ", " << offset;
        }
    }
}

// A row of cells that is longer than the first room for it asks for more.
TEST(GridHierarchy, tells_that_there_was_no_memory_for_a_long_row) {
    std::vector<Box> boxes;
    for (int i = 0; i < 1500; ++i)
        boxes.push_back(Box::around(static_cast<float>(i) * 0.1f, 5, 0.04f, 0.04f));
    boxes.push_back(boxes.back());
    for (std::uint64_t successes = 0, failed = 1; failed != 0; ++successes) {
        CountingResource memory;
        GridHierarchy index({.extents = {0, 0, 200, 200}, .cell_size = 1}, &memory);
        ASSERT_EQ(index.assign(boxes), Status{});
        memory.fail_after(successes);
        int pairs = 0;
        const Status status = index.for_each_pair([&](Pair) { ++pairs; });
        failed = memory.failures();
        ASSERT_EQ(status, Status{failed != 0 ? Code::out_of_memory : Code::ok}) << successes;
        EXPECT_TRUE(failed != 0 || pairs == 1) << pairs;
        EXPECT_TRUE(failed != 0 || successes > 2) << "the row fits at once";
    }
}

TEST(GridHierarchy, gives_back_what_is_empty_when_it_is_cleaned_up_and_not_before) {
    GridHierarchy index = hierarchy({0, 0, 6400, 6400}, 1);
    const ElementId id = inserted(index, {10, 10, 10.5f, 10.5f}),
                    other = inserted(index, {4000, 10, 4020, 10});
    EXPECT_EQ(index.regions(), 2u);
    EXPECT_EQ(index.sub_regions(), 1u) << "the larger one is in a list of its region";
    ASSERT_TRUE(index.move(id, {3000, 3000, 3000, 3000}));
    EXPECT_EQ(index.regions(), 3u);
    EXPECT_EQ(index.sub_regions(), 2u);
    EXPECT_TRUE(index.validate());
    index.clean_up();
    EXPECT_EQ(index.regions(), 2u);
    EXPECT_EQ(index.sub_regions(), 1u);
    ASSERT_TRUE(index.remove(other));
    ASSERT_TRUE(index.remove(id));
    EXPECT_EQ(index.regions(), 2u);
    index.clean_up();
    EXPECT_EQ(index.regions(), 0u);
    EXPECT_EQ(index.sub_regions(), 0u);
    EXPECT_TRUE(index.validate());
    EXPECT_TRUE(overlapping(index, {0, 0, 6400, 6400}).empty());
}

TEST(GridHierarchy, passes_over_empty_regions_in_a_world_of_any_shape) {
    // A walk over every row of regions for every query would take the better part of an hour.
    for (const bool tall : {false, true}) {
        const auto turned = [tall](const Box& b) {
            return tall ? Box{b.min_y, b.min_x, b.max_y, b.max_x} : b;
        };
        const float length = 64 * 4'194'304.0f;
        GridHierarchy index = hierarchy(turned({0, 0, length, 64}), 1);
        ASSERT_EQ(inside(index).world_.size(), GridHierarchy::max_regions);
        const std::vector<Box> boxes{turned({1, 1, 2, 2}), turned({length - 128, 1, length - 64, 2}),
                                     turned({0, 3, length, 4})};
        ASSERT_TRUE(index.assign(Boxes::of(boxes)));
        const Box everything = turned({0, 0, length, 64}), between = turned({200, 0, length - 200, 2});
        for (int round = 0; round < 50000; ++round) {
            std::size_t all = 0, some = 0;
            ASSERT_TRUE(index.for_each_overlap(everything, [&](ElementId) { ++all; }));
            ASSERT_TRUE(index.for_each_overlap(between, [&](ElementId) { ++some; }));
            ASSERT_EQ(all, 3u);
            ASSERT_EQ(some, 0u);
        }
    }
}

TEST(GridHierarchy, finds_pairs_in_rows_of_more_columns_than_the_kernel_takes) {
    GridHierarchy index = hierarchy({0, 0, 80000, 64}, 1);
    std::vector<Box> boxes;
    IdPairs expected;
    for (float x = 0; x < 72000; x += 8) {
        const auto id = static_cast<ElementId>(boxes.size());
        expected.emplace_back(id, id + 1);
        boxes.push_back({x + 0.5f, 1, x + 1.25f, 1.5f});
        boxes.push_back({x + 1, 0.7f, x + 1.75f, 1.3f});
    }
    ASSERT_TRUE(index.assign(Boxes::of(boxes)));
    EXPECT_EQ(pairs_of(index), expected);
}

TEST(GridHierarchy, lists_the_world_then_regions_sub_regions_and_cells) {
    Random random(4);
    GridHierarchy index = hierarchy({0, 0, 300, 300}, 1);
    const std::vector<Box> boxes = of_all_sizes(500, 300, random);
    ASSERT_TRUE(index.assign(Boxes::of(boxes)));
    std::size_t elements = 0;
    std::uint32_t depth = 0, deepest = 0;
    index.for_each_part([&](const Part& part) {
        EXPECT_LE(part.depth, depth + 1) << "an outer part before those in it";
        EXPECT_EQ(part.leaf, part.depth == 3);
        EXPECT_TRUE(!part.leaf || part.elements > 0);
        depth = part.depth;
        deepest = std::max(deepest, depth);
        elements += part.elements;
    });
    EXPECT_EQ(elements, boxes.size());
    EXPECT_EQ(deepest, 3u);
}

TEST(GridHierarchy, takes_little_memory_for_elements_that_are_all_alone) {
    CountingResource memory;
    GridHierarchy index(
        GridHierarchy::recommended({.extents = {0, 0, 1e6f, 1e6f}, .elements = 5000, .typical_size = 0.85f}),
        &memory);
    ASSERT_TRUE(fill(index, even_crowd(5000, 1e6f, 5)));
    pairs_of(index);
    // The pools grow by half, and a little more than what was asked for may be there.
    EXPECT_LT(memory.bytes_out(), 1500u * 5000);
}

// --- Planted faults ----------------------------------------------------------------------------------------

// With elements of all sizes, then a point in a cell and one that is larger than a cell.
constexpr ElementId point = 500, bulky = 501;
GridHierarchy a_hierarchy() {
    Random random(8);
    GridHierarchy index = hierarchy({0, 0, 300, 300}, 1);
    EXPECT_TRUE(fill(index, of_all_sizes(500, 300, random)));
    EXPECT_EQ(inserted(index, {200.3f, 200.3f, 200.3f, 200.3f}), point);
    EXPECT_EQ(inserted(index, {200, 200, 205, 205}), bulky);
    return index;
}

const Corruption<State> corruptions[] = {
    {"a list that does not end", [](State& s) { s.elements_[point].next = point; }},
    {"a list of an element that there is not", [](State& s) { s.elements_[bulky].next = 5000; }},
    {"an element in a list that is not its own",
     [](State& s) {
         s.elements_[point].box = {100.5f, 100.5f, 100.5f, 100.5f};
     }},
    {"an element in a list that is not its own", [](State& s) { s.elements_[bulky].box.max_x = 220; }},
    {"a box that is not finite, or inverted",
     [](State& s) { s.elements_[point].box.max_x = std::numeric_limits<float>::infinity(); }},
    {"an element beyond the reach of its level", [](State& s) { s.reach_[1] = 1; }},
    {"an element beyond the reach of its level",
     [](State& s) { s.reach_[1] = std::numeric_limits<double>::quiet_NaN(); }},
    {"a level of another size", [](State& s) { ++s.sizes_[2]; }},
    {"a region whose occupation is not noted", [](State& s) { s.occupied_.reset(s.regions_[1].place); }},
    {"a region that there is not, or is elsewhere", [](State& s) { s.world_[0] = s.world_[1] = 1; }},
    {"a region that there is not, or is elsewhere", [](State& s) { s.world_[0] = 5000; }},
    {"a sub-region that there is not, or is elsewhere", [](State& s) { ++s.sub_regions_[1].where; }},
    {"a cell whose occupation is not noted", [](State& s) { s.sub_regions_[1].occupied ^= 1; }},
    {"a cell whose occupation is not noted",
     [](State& s) { s.sub_regions_[1].occupied ^= State::Word{1} << 63; }},
    {"a sub-region whose occupation is not noted", [](State& s) { s.regions_[1].occupied ^= 1; }},
    {"an occupied sub-region that there is not",
     [](State& s) { s.regions_[1].occupied ^= State::Word{1} << 63; }},
    {"a list that is not noted", [](State& s) { s.regions_[1].listed ^= 1; }},
    {"a list that is not noted", [](State& s) { s.regions_[1].listed ^= State::Word{1} << 63; }},
    {"a sub-region that is not noted", [](State& s) { s.regions_[1].made ^= 1; }},
    {"a sub-region that is not noted", [](State& s) { s.regions_[1].made ^= State::Word{1} << 63; }},
};

TEST(GridHierarchy, is_found_unsound_with_any_planted_fault) {
    expect_found<GridHierarchy>(a_hierarchy, corruptions);
}

}  // namespace of_grid_hierarchy
}  // namespace throng::structures::test
