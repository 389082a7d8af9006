// What makes the quadtree itself: how it divides, what it leaves for later, and what keeps it small.
#include "structures/src/quadtree/state.hpp"
#include "structures/tests/index_inside.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {
namespace of_quadtree {

static_assert(DynamicSpatialIndex<Quadtree>);
static_assert(sizeof(detail::QuadNode) == 8 && sizeof(detail::QuadElementNode) == 8);

constexpr Quadtree::Config small_world{.extents = {0, 0, 64, 64}, .max_depth = 6, .leaf_limit = 2};

Box at(float x, float y, float half = 0.1f) { return Box::around(x, y, half, half); }

TEST(Quadtree, divides_a_leaf_that_holds_more_than_the_limit) {
    Quadtree tree(small_world);
    inserted(tree, at(10, 10));
    inserted(tree, at(50, 10));
    EXPECT_EQ(parts_of(tree).size(), 1u);
    inserted(tree, at(10, 50));
    const std::vector<Part> parts = parts_of(tree);
    ASSERT_EQ(parts.size(), 5u);
    EXPECT_FALSE(parts[0].leaf);
    EXPECT_EQ(parts[0].box, (Box{0, 0, 64, 64}));
    EXPECT_EQ(parts[2].box, (Box{32, 0, 64, 32}));
    EXPECT_EQ(parts[4].elements, 0u);
    EXPECT_EQ(parts[1].depth, 1u);
    expect_sound(tree);
}

TEST(Quadtree, keeps_an_element_in_every_leaf_that_it_lies_in_and_reports_it_once) {
    Quadtree tree(small_world);
    for (const float x : {5.f, 20.f, 40.f, 60.f})
        for (const float y : {5.f, 20.f, 40.f, 60.f}) inserted(tree, at(x, y));
    const ElementId middle = inserted(tree, at(32, 32, 3));
    std::size_t held = 0;
    for (const Part& part : parts_of(tree)) held += part.elements;
    EXPECT_EQ(held, tree.size() + 3);
    EXPECT_EQ(overlapping(tree, {29, 29, 35, 35}), std::vector<ElementId>{middle});
    EXPECT_EQ(overlapping(tree, {0, 0, 64, 64}).size(), tree.size());
    ASSERT_TRUE(tree.remove(middle));
    EXPECT_EQ(inside(tree).used_element_nodes_, tree.size());
    expect_sound(tree);
}

// Eight of them so close together that the way down to where they part is long.
std::vector<ElementId> insert_a_knot(Quadtree& tree) {
    std::vector<ElementId> ids;
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 2; ++k)
            ids.push_back(inserted(tree, at(static_cast<float>(i) + 0.5f, static_cast<float>(k) + 0.5f)));
    return ids;
}

std::size_t deepest_of(const Quadtree& tree) {
    std::size_t depth = 0;
    for (const Part& part : parts_of(tree)) depth = std::max<std::size_t>(depth, part.depth);
    return depth;
}

TEST(Quadtree, gives_empty_leaves_back_one_level_a_call) {
    Quadtree tree(small_world);
    const std::vector<ElementId> ids = insert_a_knot(tree);
    const std::size_t depth = deepest_of(tree);
    ASSERT_GE(depth, 4u);
    for (const ElementId id : ids) ASSERT_TRUE(tree.remove(id));
    EXPECT_EQ(deepest_of(tree), depth);
    for (std::size_t call = 1; call <= depth; ++call) {
        tree.clean_up();
        EXPECT_EQ(deepest_of(tree), depth - call);
        expect_sound(tree);
    }
    EXPECT_EQ(parts_of(tree).size(), 1u);
}

TEST(Quadtree, uses_children_and_element_nodes_again) {
    Quadtree tree(small_world);
    std::size_t nodes = 0, element_nodes = 0;
    for (int round = 0; round < 5; ++round) {
        const std::vector<ElementId> ids = insert_a_knot(tree);
        if (round == 0) {
            nodes = inside(tree).nodes_.size();
            element_nodes = inside(tree).element_nodes_.size();
        }
        EXPECT_EQ(inside(tree).nodes_.size(), nodes);
        EXPECT_EQ(inside(tree).element_nodes_.size(), element_nodes);
        for (const ElementId id : ids) ASSERT_TRUE(tree.remove(id));
        for (std::size_t i = 0; i < 6; ++i) tree.clean_up();
        EXPECT_NE(inside(tree).free_children_, 0xFFFFFFFFu);
        expect_sound(tree);
    }
}

static_assert(SpreadsCleanUp<Quadtree>);

TEST(Quadtree, spreads_cleaning_up_over_as_many_calls_as_the_budget_asks_for) {
    Random random(3);
    Quadtree tree(small_world), at_once(small_world);
    for (int i = 0; i < 300; ++i) {
        const Box box = at(random.uniform(0, 64), random.uniform(0, 64));
        ASSERT_EQ(inserted(tree, box), inserted(at_once, box));
    }
    for (ElementId id = 0; id < 300; ++id)
        if (id % 10 != 0) {
            ASSERT_TRUE(tree.remove(id));
            ASSERT_TRUE(at_once.remove(id));
        }
    std::size_t branches = 0, calls = 1;
    for (const Part& part : parts_of(tree)) branches += !part.leaf;
    while (!tree.clean_up(3)) {
        ++calls;
        expect_sound(tree);
        ASSERT_LE(calls, branches);
    }
    at_once.clean_up();
    // A branch whose children are given back is counted itself, and they were no branches.
    EXPECT_EQ(calls, (branches + 2) / 3);
    EXPECT_EQ(parts_of(tree).size(), parts_of(at_once).size());
    EXPECT_FALSE(tree.clean_up(0));
}

TEST(Quadtree, changes_nothing_but_the_box_of_an_element_that_stays_in_its_leaves) {
    Quadtree tree(small_world);
    for (const float x : {8.f, 24.f, 40.f, 56.f})
        for (const float y : {8.f, 24.f, 40.f, 56.f}) inserted(tree, at(x, y));
    const auto element_nodes = [&] {
        const auto& all = inside(tree).element_nodes_;
        IdPairs copy;
        for (const auto& node : all) copy.emplace_back(node.next, node.element);
        return copy;
    };
    const IdPairs before = element_nodes();
    ASSERT_TRUE(tree.move(5, at(20, 28)));
    EXPECT_EQ(element_nodes(), before);
    EXPECT_EQ(overlapping(tree, at(20, 28)), std::vector<ElementId>{5});
    EXPECT_TRUE(overlapping(tree, at(24, 24)).empty());
    ASSERT_TRUE(tree.move(5, at(20, 40)));
    EXPECT_NE(element_nodes(), before);
    expect_same_as_brute_force(tree, 7);
}

TEST(Quadtree, does_not_divide_for_what_lies_in_one_cell) {
    Quadtree one_by_one(small_world), at_once(small_world);
    std::vector<Box> boxes(1500, at(10.5f, 10.5f));
    for (std::size_t i = 0; i < boxes.size(); i += 3) boxes[i] = at(10.9f, 10.1f, 0.01f);
    for (const Box& box : boxes) inserted(one_by_one, box);
    ASSERT_TRUE(at_once.assign(Boxes::of(boxes)));
    EXPECT_EQ(parts_of(one_by_one).size(), 1u);
    EXPECT_EQ(parts_of(at_once).size(), 1u);
    expect_same_as_brute_force(one_by_one);
    EXPECT_EQ(pairs_of(at_once), pairs_of(one_by_one));
}

TEST(Quadtree, does_not_divide_long_lines_around_a_small_crowd_without_end) {
    // Each division alone is worthwhile: the crowd stays together, and the lines leave a part behind.
    Random random(10);
    std::vector<Box> boxes;
    for (int i = 0; i < 500; ++i) {
        boxes.push_back({0, random.uniform(0, 0.2f), 256, 0.2f});
        boxes.push_back(at(random.uniform(0, 0.2f), random.uniform(0, 0.2f), 0));
    }
    Quadtree tree({.extents = {0, 0, 256, 256}, .max_depth = 12, .leaf_limit = 8});
    ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
    EXPECT_LE(inside(tree).used_element_nodes_, 4 * boxes.size());
    EXPECT_GT(inside(tree).used_element_nodes_, 2 * boxes.size());
    expect_same_as_brute_force(tree, 7);
}

TEST(Quadtree, compares_a_crowd_whose_edges_touch) {
    for (const bool upright : {false, true}) {
        Quadtree tree({.extents = {0, 0, 16, 16}, .max_depth = 0});
        std::vector<Box> boxes;
        for (int i = 0; i < 1000; ++i) {
            const float begin = static_cast<float>(i) / 64, end = begin + 1.0f / 64;
            boxes.push_back(upright ? Box{1, begin, 2, end} : Box{begin, 1, end, 2});
        }
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        EXPECT_EQ(pairs_of(tree).size(), 999u);
    }
}

TEST(Quadtree, stays_small_when_giants_come_into_a_fine_tree) {
    Random random(6);
    Quadtree tree({.extents = {0, 0, 256, 256}, .max_depth = 8, .leaf_limit = 4});
    for (int i = 0; i < 4000; ++i) inserted(tree, at(random.uniform(0, 256), random.uniform(0, 256)));
    const std::size_t fine = parts_of(tree).size();
    for (int i = 0; i < 2000; ++i) {
        inserted(tree, {random.uniform(-9, 9), -1, 260, 300});
        ASSERT_LE(inside(tree).used_element_nodes_, 8 * tree.size() + 256);
    }
    EXPECT_LT(parts_of(tree).size(), fine / 4);
    expect_sound(tree);
    EXPECT_GE(overlapping(tree, {100, 100, 101, 101}).size(), 2000u);
    // So it does when they grow.
    for (ElementId id = 0; id < 2000; ++id) ASSERT_TRUE(tree.move(id, {0, 0, 256, 256}));
    EXPECT_LE(inside(tree).used_element_nodes_, 8 * tree.size() + 256);
    expect_sound(tree);
}

TEST(Quadtree, is_right_at_any_depth_and_limit) {
    Random random(9);
    for (std::size_t world = 0; world < scaled(24, 4); ++world) {
        Quadtree tree({.extents = {0, 0, 50, 100},
                       .max_depth = static_cast<unsigned>(random.below(Quadtree::depth_limit + 1)),
                       .leaf_limit = static_cast<unsigned>(1 + random.below(9))});
        const float largest = random.decades(-2, 1);
        ASSERT_TRUE(fill(tree, some_boxes(500, 100, largest)));
        for (int step = 0; step < 500; ++step) {
            const auto id = static_cast<ElementId>(random.below(500));
            ASSERT_TRUE(tree.move(id, some_box(random, 100, random.one_in(30) ? 40 : largest)));
        }
        expect_same_as_brute_force(tree, 7);
        if (HasFatalFailure()) return;
    }
}

}  // namespace of_quadtree
}  // namespace throng::structures::test
