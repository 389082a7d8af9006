#include "throng/structures/grid_hierarchy.hpp"
#include "structures/grid_hierarchy_support.hpp"
#include "structures/worlds.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(GridHierarchy, writes_each_element_down_at_the_level_it_fits) {
    GridHierarchy index = hierarchy({0, 0, 1000, 1000}, 1);
    const float sizes[] = {0, 0.9f, 1, 7.9f, 8, 63, 64, 5000};
    const unsigned levels[] = {0, 0, 1, 1, 2, 2, 3, 3};
    for (int i = 0; i < 8; ++i) {
        ElementId wide = no_element, high = no_element;
        ASSERT_TRUE(index.insert({100, 100, 100 + sizes[i], 100}, wide));
        ASSERT_TRUE(index.insert({500, 500, 500, 500 + sizes[i]}, high));
        EXPECT_EQ(Inspector::level(index, wide), levels[i]) << sizes[i];
        EXPECT_EQ(Inspector::level(index, high), levels[i]) << sizes[i];
    }
    expect_same_as_brute_force(index);
}

TEST(GridHierarchy, finds_elements_of_all_levels_from_wherever_they_reach) {
    Random random(1);
    for (const float cell : {0.03f, 0.5f, 3.0f, 40.0f}) {
        GridHierarchy index = hierarchy({0, 0, 300, 300}, cell);
        const std::vector<Box> boxes = of_all_sizes(scaled(800, 300), 300, random);
        ASSERT_TRUE(index.assign(Boxes::of(boxes)));
        expect_same_as_brute_force(index);
        for (ElementId id = 0; id < boxes.size(); id += 2)
            ASSERT_TRUE(index.move(id, of_all_sizes(1, 300, random)[0]));
        expect_same_as_brute_force(index);
        if (HasFailure()) return;
    }
}

// Elements that are as large as their level allows, and touch over the edges of cells, sub-regions and
// regions.
TEST(GridHierarchy, loses_no_element_to_rounding) {
    Random random(2);
    for (const float unit : {1e-36f, 1e-4f, 1.0f, 1e10f, 1e33f}) {
        for (const float offset : {0.0f, 3.0f, -50000.0f}) {
            const float low = offset * unit;
            GridHierarchy index = hierarchy({low, low, low + 400 * unit, low + 400 * unit}, unit);
            std::size_t count = 0;
            for (int i = 0; i < 200; ++i) {
                const float size = (random.one_in(4) ? 8 : 1) * unit * (random.one_in(2) ? 1 : 0.999999f);
                const float x = low + static_cast<float>(random.below(80)) * unit,
                            y = low + static_cast<float>(random.below(8)) * unit;
                ElementId id = no_element;
                ASSERT_TRUE(index.insert({x, y, x + size, y + size}, id));
                ++count;
            }
            expect_same_as_brute_force(index);
            if (HasFailure()) FAIL() << unit << ", " << offset;
        }
    }
}

TEST(GridHierarchy, refuses_a_configuration_that_makes_no_sense) {
    const float nan = std::numeric_limits<float>::quiet_NaN(),
                infinity = std::numeric_limits<float>::infinity();
    for (const GridHierarchy::Config& config :
         {GridHierarchy::Config{{1, 0, 0, 1}, 1}, GridHierarchy::Config{{0, 0, nan, 1}, 1},
          GridHierarchy::Config{{0, 0, 1, 1}, 0}, GridHierarchy::Config{{0, 0, 1, 1}, -1},
          GridHierarchy::Config{{0, 0, 1, 1}, nan}, GridHierarchy::Config{{0, 0, 1, 1}, infinity}})
        expect_refused(GridHierarchy(config), Code::bad_config);
}

TEST(GridHierarchy, gives_back_what_is_empty_when_it_is_cleaned_up_and_not_before) {
    GridHierarchy index = hierarchy({0, 0, 6400, 6400}, 1);
    ElementId id = no_element, other = no_element;
    ASSERT_TRUE(index.insert({10, 10, 10.5f, 10.5f}, id));
    ASSERT_TRUE(index.insert({4000, 10, 4020, 10}, other));
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

TEST(GridHierarchy, keeps_regions_only_where_elements_are) {
    Random random(3);
    GridHierarchy index = hierarchy({0, 0, 100000, 100000}, 2);
    std::vector<Box> boxes;
    for (int i = 0; i < 400; ++i) {
        const float x = random.one_in(2) ? 500.0f : 90000.0f;
        boxes.push_back(Box::around(x + random.uniform(0, 100), 700 + random.uniform(0, 100), 0.5f, 0.5f));
    }
    ASSERT_TRUE(index.assign(Boxes::of(boxes)));
    EXPECT_LE(index.regions(), 8u);
    for (Box& box : boxes) box.min_y += 50000, box.max_y += 50000;
    ASSERT_TRUE(index.assign(Boxes::of(boxes)));
    EXPECT_LE(index.regions(), 8u) << "those that were left are gone";
    expect_same_as_brute_force(index);
}

TEST(GridHierarchy, passes_over_empty_regions_in_a_world_of_any_shape) {
    // A walk over every row of regions for every query would take the better part of an hour.
    for (const bool tall : {false, true}) {
        const auto turned = [tall](const Box& b) {
            return tall ? Box{b.min_y, b.min_x, b.max_y, b.max_x} : b;
        };
        const float length = 64 * 4'194'304.0f;
        GridHierarchy index = hierarchy(turned({0, 0, length, 64}), 1);
        ASSERT_EQ(Inspector::places(index), GridHierarchy::max_regions);
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

TEST(GridHierarchy, takes_little_memory_however_far_apart_its_elements_are) {
    CountingResource memory;
    {
        GridHierarchy index(GridHierarchy::recommended(
                                {.extents = {0, 0, 400, 400}, .elements = 40000, .typical_size = 0.85f}),
                            &memory);
        ASSERT_TRUE(fill(index, even_crowd(40000, 400, 5)));
        pairs_of(index);
        EXPECT_LT(memory.bytes_out(), 48u * 40000) << "in a crowd";
        EXPECT_EQ(index.bytes(), memory.bytes_out());
    }
    GridHierarchy index(
        GridHierarchy::recommended({.extents = {0, 0, 1e6f, 1e6f}, .elements = 5000, .typical_size = 0.85f}),
        &memory);
    ASSERT_TRUE(fill(index, even_crowd(5000, 1e6f, 5)));
    pairs_of(index);
    // The pools grow by half, and a little more than what was asked for may be there.
    EXPECT_LT(memory.bytes_out(), 1500u * 5000) << "all alone";
    EXPECT_EQ(index.bytes(), memory.bytes_out());
}

}  // namespace
}  // namespace throng::test
