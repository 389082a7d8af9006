// What makes the loose quadtree itself: one leaf an element, bounds that follow the boxes, and a clean-up.
#include <cfenv>
#include <cfloat>

#include "structures/loose_quadtree_support.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using namespace loose;

std::size_t listed(const std::vector<Part>& parts) {
    std::size_t elements = 0;
    for (const Part& part : parts) elements += part.elements;
    return elements;
}

TEST(LooseQuadtree, keeps_a_giant_in_one_leaf_and_in_no_more_memory_than_a_dwarf) {
    const std::vector<Box> dwarfs = some_boxes(2000, 100, 0.01f);
    std::vector<Box> giants;
    for (const Box& box : dwarfs)
        giants.push_back({box.min_x - 1024, box.min_y - 1024, box.max_x + 1024, box.max_y + 1024});
    LooseQuadtree small(config_of(100)), large(config_of(100));
    ASSERT_TRUE(small.assign(Boxes::of(dwarfs)));
    ASSERT_TRUE(large.assign(Boxes::of(giants)));
    EXPECT_EQ(listed(parts_of(large)), giants.size());
    EXPECT_EQ(parts_of(small).size(), parts_of(large).size());
    EXPECT_EQ(small.bytes(), large.bytes());
    EXPECT_EQ(pairs_of(large).size(), giants.size() * (giants.size() - 1) / 2);
}

TEST(LooseQuadtree, finds_a_box_in_the_cell_of_its_centre_from_far_away) {
    LooseQuadtree tree(config_of(100));
    for (const Box& box : some_boxes(500, 100, 0.01f)) {
        ElementId id;
        ASSERT_TRUE(tree.insert(box, id));
    }
    ElementId giant;
    ASSERT_TRUE(tree.insert({-500, 40, 560, 41}, giant));
    EXPECT_EQ(overlapping(tree, {-500, 40, -499, 40}), std::vector{giant});
    EXPECT_EQ(overlapping(tree, {560, 41, 600, 50}), std::vector{giant});
    expect_right(tree);
}

TEST(LooseQuadtree, widens_its_bounds_at_once_and_narrows_them_in_the_clean_up) {
    LooseQuadtree tree(config_of(100));
    ElementId a, b;
    ASSERT_TRUE(tree.insert({10, 10, 12, 12}, a));
    EXPECT_EQ(tree.bounds(), (Box{10, 10, 12, 12}));
    ASSERT_TRUE(tree.insert({50, -60, 200, 70}, b));
    EXPECT_EQ(tree.bounds(), (Box{10, -60, 200, 70}));
    ASSERT_TRUE(tree.move(a, {20, 20, 21, 21}));
    EXPECT_EQ(tree.bounds(), (Box{10, -60, 200, 70}));
    tree.clean_up();
    EXPECT_EQ(tree.bounds(), (Box{20, -60, 200, 70}));
    ASSERT_TRUE(tree.remove(b));
    EXPECT_EQ(tree.bounds(), (Box{20, -60, 200, 70}));
    tree.clean_up();
    EXPECT_EQ(tree.bounds(), (Box{20, 20, 21, 21}));
}

TEST(LooseQuadtree, shows_bounds_that_hold_just_what_is_in_a_node_after_a_clean_up) {
    LooseQuadtree tree(config_of(100));
    const std::vector<Box> boxes = some_boxes(300, 100, 3);
    ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
    for (ElementId id = 0; id < 300; id += 2) ASSERT_TRUE(tree.move(id, boxes[299 - id]));
    for (ElementId id = 1; id < 300; id += 4) ASSERT_TRUE(tree.remove(id));
    tree.clean_up();
    for (const Part& part : parts_of(tree)) {
        std::array<bool, 4> reached{};
        for (const ElementId id : overlapping(tree, part.box)) {
            const Box box = tree.box(id);
            reached[0] = reached[0] || box.min_x == part.box.min_x;
            reached[1] = reached[1] || box.min_y == part.box.min_y;
            reached[2] = reached[2] || box.max_x == part.box.max_x;
            reached[3] = reached[3] || box.max_y == part.box.max_y;
        }
        EXPECT_EQ(reached, (std::array{true, true, true, true}));
    }
    expect_right(tree);
}

TEST(LooseQuadtree, splits_leaves_beyond_their_limit_down_to_the_last_level) {
    for (const std::uint32_t limit : {1u, 4u, 16u, 100u}) {
        LooseQuadtree assigned(config_of(64, 6, limit)), inserted(config_of(64, 6, limit));
        const std::vector<Box> boxes = some_boxes(3000, 64, 0.5f, limit);
        ASSERT_TRUE(assigned.assign(Boxes::of(boxes)));
        for (const Box& box : boxes) {
            ElementId id;
            ASSERT_TRUE(inserted.insert(box, id));
        }
        EXPECT_EQ(parts_of(assigned).size(), parts_of(inserted).size());
        for (const LooseQuadtree* tree : {&assigned, &inserted})
            for (const Part& part : parts_of(*tree)) {
                EXPECT_LE(part.depth, 6u);
                if (part.depth < 6) {
                    EXPECT_LE(part.elements, limit);
                }
            }
    }
}

TEST(LooseQuadtree, merges_what_holds_little_and_uses_its_groups_again) {
    LooseQuadtree tree(config_of(100));
    const std::vector<Box> boxes = some_boxes(2000, 100, 1);
    ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
    const std::size_t bytes = tree.bytes();
    for (ElementId id = 0; id < 2000; ++id)
        if (id % 100 != 0) {
            ASSERT_TRUE(tree.remove(id));
        }
    const std::size_t before = parts_of(tree).size();
    tree.clean_up();
    EXPECT_LT(parts_of(tree).size(), before / 4);
    expect_right(tree);
    for (ElementId id = 0; id < 2000; id += 100) ASSERT_TRUE(tree.remove(id));
    tree.clean_up();
    EXPECT_TRUE(parts_of(tree).empty());
    EXPECT_TRUE(tree.validate());
    for (const Box& box : boxes) {
        ElementId id;
        ASSERT_TRUE(tree.insert(box, id));
    }
    EXPECT_EQ(tree.bytes(), bytes);
    expect_right(tree);
}

TEST(LooseQuadtree, merges_four_leaves_when_they_would_fill_half_of_one) {
    LooseQuadtree tree(config_of(64, 6, 8));
    for (int i = 0; i < 9; ++i) {
        const float x = i % 2 == 0 ? 10 : 50, y = i % 4 < 2 ? 10 : 50;
        ElementId id;
        ASSERT_TRUE(tree.insert({x, y, x, y}, id));
    }
    ASSERT_EQ(parts_of(tree).size(), 5u);
    for (ElementId id = 8; id >= 5; --id) ASSERT_TRUE(tree.remove(id));
    tree.clean_up();
    EXPECT_EQ(parts_of(tree).size(), 5u);
    ASSERT_TRUE(tree.remove(4));
    EXPECT_EQ(parts_of(tree).size(), 5u);
    tree.clean_up();
    ASSERT_EQ(parts_of(tree).size(), 1u);
    EXPECT_EQ(parts_of(tree)[0].elements, 4u);
    EXPECT_EQ(parts_of(tree)[0].box, (Box{10, 10, 50, 50}));
    expect_right(tree);
}

TEST(LooseQuadtree, merges_no_more_than_fills_half_a_leaf) {
    Random random(8);
    LooseQuadtree tree(config_of(64, 6, 8));
    ASSERT_TRUE(fill(tree, some_boxes(3000, 64, 1)));
    for (ElementId id = 0; id < 3000; ++id) {
        if (!random.one_in(4)) {
            ASSERT_TRUE(tree.remove(id));
        }
    }
    const std::size_t before = parts_of(tree).size();
    tree.clean_up();
    EXPECT_LT(parts_of(tree).size(), before * 3 / 4);
    for (const Part& part : parts_of(tree)) {
        if (part.depth < 6 && part.leaf) {
            EXPECT_LE(part.elements, 8u);
        }
    }
    expect_right(tree);
}

TEST(LooseQuadtree, pairs_the_elements_of_long_leaves) {
    for (const std::uint32_t depth : {1u, 2u, 5u}) {
        for (const std::size_t count : {15u, 16u, 17u, 33u, 700u}) {
            LooseQuadtree tree(config_of(64, depth, 3));
            ASSERT_TRUE(fill(tree, some_boxes(count, 64, 2, count)));
            expect_right(tree);
            // Lists are in another order now, and made longer at their fronts.
            for (const Box& box : some_boxes(count, 80, 5, count + 1)) {
                ElementId id;
                ASSERT_TRUE(tree.insert(box, id));
            }
            expect_right(tree);
            // On a lattice, where boxes touch and many begin at the same place.
            Random random(count);
            for (ElementId id = 0; id < 2 * count; ++id) {
                const auto x = static_cast<float>(random.below(30)), y = static_cast<float>(random.below(5));
                ASSERT_TRUE(tree.move(id, {x, y, x + 1, y + 1}));
            }
            expect_right(tree);
            ASSERT_FALSE(::testing::Test::HasFailure()) << depth << " " << count;
        }
    }
}

TEST(LooseQuadtree, pairs_giants_throughout_a_tree_of_all_depths) {
    Random random(5);
    LooseQuadtree tree(config_of(1, 24, 1));
    for (int i = 0; i < 300; ++i) {
        const float x = random.decades(-7, -1), y = random.decades(-7, -1);
        ElementId id;
        ASSERT_TRUE(tree.insert(Box::around(x, y, random.uniform(0, 2), random.uniform(0, 2)), id));
    }
    expect_right(tree);
}

TEST(LooseQuadtree, removes_an_element_though_the_rounding_mode_is_another) {
    LooseQuadtree tree({.extents = {0.1f, 0.1f, 0.3f, 0.3f}, .max_depth = 24, .leaf_elements = 1});
    // Two of each, so that they are in the smallest cells there are.
    std::vector<Box> boxes = some_boxes(500, 0.3f, 0.001f);
    boxes.insert(boxes.end(), boxes.begin(), boxes.end());
    ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
    const int mode = std::fegetround();
    std::fesetround(FE_UPWARD);
    for (ElementId id = 0; id < boxes.size(); id += 3) EXPECT_TRUE(tree.remove(id));
    std::fesetround(mode);
    expect_right(tree);
}

TEST(LooseQuadtree, is_made_for_what_is_expected) {
    const auto suited = [](float side, std::size_t elements, float size) {
        return LooseQuadtree::recommended(
            {.extents = {0, 0, side, side}, .elements = elements, .typical_size = size});
    };
    EXPECT_EQ(suited(64, 10, 1).max_depth, 8u);
    EXPECT_EQ(suited(64, 1'000'000, 1).max_depth, 10u);
    EXPECT_EQ(suited(1e9f, 10, 1).max_depth, 24u);
    EXPECT_EQ(suited(0, 0, 1).max_depth, 4u);
    EXPECT_EQ(suited(3e38f, 10, 0).max_depth, 24u);
    EXPECT_TRUE(LooseQuadtree(LooseQuadtree::recommended({.extents = {0, 0, 1, 1}})).status());
}

TEST(LooseQuadtree, refuses_a_configuration_that_makes_no_sense) {
    const LooseQuadtree::Config bad[] = {{.extents = {1, 0, 0, 1}},
                                         {.extents = {0, 0, NAN, 1}},
                                         {.extents = {0, 0, INFINITY, 1}},
                                         {},
                                         {.extents = {7, 7, 7, 7}},
                                         {.extents = {0, 0, 1, 1}, .max_depth = 0},
                                         {.extents = {0, 0, 1, 1}, .max_depth = 25},
                                         {.extents = {0, 0, 1, 1}, .leaf_elements = 0},
                                         {.extents = {0, 0, 1, 1}, .leaf_elements = 1025}};
    for (const LooseQuadtree::Config& config : bad) expect_refused(LooseQuadtree(config), Code::bad_config);
}

}  // namespace
}  // namespace throng::test
