// What makes the quadtree itself: how it divides, what it leaves for later, and what keeps it small.
#include "structures/index_answers.hpp"
#include "structures/quadtree_inspector.hpp"
#include "support/test.hpp"

namespace throng {

namespace test {
namespace {

using Inspector = IndexInspector<Quadtree>;

static_assert(DynamicSpatialIndex<Quadtree>);
static_assert(sizeof(detail::QuadNode) == 8 && sizeof(detail::QuadElementNode) == 8);

constexpr Quadtree::Config small_world{.extents = {0, 0, 64, 64}, .max_depth = 6, .leaf_limit = 2};

Box at(float x, float y, float half = 0.1f) { return Box::around(x, y, half, half); }

ElementId inserted(Quadtree& tree, const Box& box) {
    ElementId id = no_element;
    EXPECT_TRUE(tree.insert(box, id));
    return id;
}

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
    EXPECT_EQ(Inspector::used_element_nodes(tree), tree.size());
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

TEST(Quadtree, keeps_a_branch_that_has_a_single_element_left) {
    Quadtree tree(small_world);
    std::vector<ElementId> ids = insert_a_knot(tree);
    for (std::size_t i = 1; i < ids.size(); ++i) ASSERT_TRUE(tree.remove(ids[i]));
    const std::size_t before = deepest_of(tree);
    for (int i = 0; i < 10; ++i) tree.clean_up();
    EXPECT_EQ(deepest_of(tree), before);
    EXPECT_EQ(overlapping(tree, {0, 0, 64, 64}), std::vector<ElementId>{ids[0]});
}

TEST(Quadtree, uses_children_and_element_nodes_again) {
    Quadtree tree(small_world);
    std::size_t nodes = 0, element_nodes = 0;
    for (int round = 0; round < 5; ++round) {
        const std::vector<ElementId> ids = insert_a_knot(tree);
        if (round == 0) {
            nodes = Inspector::nodes(tree).size();
            element_nodes = Inspector::element_nodes(tree).size();
        }
        EXPECT_EQ(Inspector::nodes(tree).size(), nodes);
        EXPECT_EQ(Inspector::element_nodes(tree).size(), element_nodes);
        for (const ElementId id : ids) ASSERT_TRUE(tree.remove(id));
        for (std::size_t i = 0; i < 6; ++i) tree.clean_up();
        EXPECT_NE(Inspector::free_children(tree), 0xFFFFFFFFu);
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
    // A branch whose children are given back is looked at itself, and they were no branches.
    EXPECT_EQ(calls, (branches + 2) / 3);
    EXPECT_EQ(parts_of(tree).size(), parts_of(at_once).size());
    EXPECT_FALSE(tree.clean_up(0));
}

TEST(Quadtree, goes_on_cleaning_up_after_the_tree_has_changed) {
    Random random(4);
    Quadtree tree(small_world);
    std::vector<ElementId> ids;
    for (std::size_t step = 0; step < 2000; ++step) {
        if (ids.size() < 100 || random.one_in(2)) {
            ids.push_back(inserted(tree, at(random.uniform(0, 64), random.uniform(0, 64))));
        } else {
            std::swap(ids[random.below(ids.size())], ids.back());
            ASSERT_TRUE(tree.remove(ids.back()));
            ids.pop_back();
        }
        tree.clean_up(2);
        if (step % 50 == 0) expect_sound(tree);
    }
    for (const ElementId id : ids) ASSERT_TRUE(tree.remove(id));
    for (int calls = 0; calls < 5000; ++calls) tree.clean_up(1);
    EXPECT_EQ(parts_of(tree).size(), 1u);
}

TEST(Quadtree, changes_nothing_but_the_box_of_an_element_that_stays_in_its_leaves) {
    Quadtree tree(small_world);
    for (const float x : {8.f, 24.f, 40.f, 56.f})
        for (const float y : {8.f, 24.f, 40.f, 56.f}) inserted(tree, at(x, y));
    const auto element_nodes = [&] {
        const auto& all = Inspector::element_nodes(tree);
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

TEST(Quadtree, does_not_divide_where_most_would_lie_in_two_of_the_children) {
    Quadtree one_by_one(small_world), at_once(small_world);
    std::vector<Box> boxes;
    for (int i = 0; i < 60; ++i)
        boxes.push_back({10, static_cast<float>(i), 50, static_cast<float>(i) + 0.5f});
    for (const Box& box : boxes) inserted(one_by_one, box);
    ASSERT_TRUE(at_once.assign(Boxes::of(boxes)));
    EXPECT_EQ(parts_of(one_by_one).size(), 1u);
    EXPECT_EQ(parts_of(at_once).size(), 1u);
    expect_same_as_brute_force(at_once);
}

TEST(Quadtree, does_not_divide_long_lines_around_a_small_crowd_without_end) {
    // Each division alone is worth while: the crowd stays together, and the lines leave a part behind.
    Random random(10);
    std::vector<Box> boxes;
    for (int i = 0; i < 500; ++i) {
        boxes.push_back({0, random.uniform(0, 0.2f), 256, 0.2f});
        boxes.push_back(at(random.uniform(0, 0.2f), random.uniform(0, 0.2f), 0));
    }
    Quadtree tree({.extents = {0, 0, 256, 256}, .max_depth = 12, .leaf_limit = 8});
    ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
    EXPECT_LE(Inspector::used_element_nodes(tree), 4 * boxes.size());
    EXPECT_GT(Inspector::used_element_nodes(tree), 2 * boxes.size());
    expect_same_as_brute_force(tree, 7);
}

TEST(Quadtree, compares_a_crowd_that_reaches_over_borders_once) {
    // A fine cell grid is not allowed, so hundreds meet in each leaf, and many lie in two or four of them.
    Random random(5);
    Quadtree tree({.extents = {0, 0, 8, 8}, .max_depth = 1, .leaf_limit = 4});
    std::vector<Box> boxes;
    for (int i = 0; i < 3000; ++i)
        boxes.push_back(
            Box::around(random.uniform(-1, 9), random.uniform(-1, 9), random.uniform(0, 0.1f), 0.1f));
    for (int i = 0; i < 20; ++i) boxes.push_back(at(4, 4, random.uniform(0, 5)));
    ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
    ASSERT_EQ(parts_of(tree).size(), 5u);
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
        ASSERT_LE(Inspector::used_element_nodes(tree), 8 * tree.size() + 256);
    }
    EXPECT_LT(parts_of(tree).size(), fine / 4);
    expect_sound(tree);
    EXPECT_GE(overlapping(tree, {100, 100, 101, 101}).size(), 2000u);
    // So it does when they grow.
    for (ElementId id = 0; id < 2000; ++id) ASSERT_TRUE(tree.move(id, {0, 0, 256, 256}));
    EXPECT_LE(Inspector::used_element_nodes(tree), 8 * tree.size() + 256);
    expect_sound(tree);
}

TEST(Quadtree, is_made_with_at_most_four_element_nodes_an_element) {
    Random random(7);
    for (int scene = 0; scene < 4; ++scene) {
        std::vector<Box> boxes;
        for (int i = 0; i < 2000; ++i) {
            const float x = random.uniform(0, 256), y = random.uniform(0, 256);
            const float long_side = scene == 0 ? 256 : random.uniform(0, 30), short_side = scene < 2 ? 0 : 4;
            boxes.push_back(scene == 3 && i % 2 == 0 ? at(x, y, 0)
                                                     : Box::around(x, y, long_side, short_side));
        }
        Quadtree tree({.extents = {0, 0, 256, 256}, .max_depth = 12, .leaf_limit = 1});
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        EXPECT_LE(Inspector::used_element_nodes(tree), 4 * boxes.size());
        expect_same_as_brute_force(tree, 7);
    }
}

TEST(Quadtree, is_the_same_after_any_history_at_any_depth_and_limit) {
    Random random(9);
    for (std::size_t world = 0; world < scaled(24, 4); ++world) {
        const unsigned depth = static_cast<unsigned>(random.below(Quadtree::depth_limit + 1));
        Quadtree tree({.extents = {0, 0, 50, 100},
                       .max_depth = depth,
                       .leaf_limit = static_cast<unsigned>(1 + random.below(9))});
        std::vector<ElementId> ids;
        const float largest = random.decades(-2, 1);
        const auto some_box = [&] {
            const float half = random.one_in(30) ? 40 : random.uniform(0, largest);
            return Box::around(random.uniform(-5, 60), random.uniform(-5, 105), half,
                               random.uniform(0, half));
        };
        for (int step = 0; step < 1500; ++step) {
            if (ids.empty() || random.one_in(3)) {
                ids.push_back(inserted(tree, some_box()));
            } else if (const std::size_t k = random.below(ids.size()); random.one_in(3)) {
                ASSERT_TRUE(tree.remove(ids[k]));
                ids[k] = ids.back();
                ids.pop_back();
            } else {
                ASSERT_TRUE(tree.move(ids[k], some_box()));
            }
            if (random.one_in(40)) tree.clean_up();
        }
        expect_same_as_brute_force(tree, 7);
        if (HasFatalFailure()) return;
    }
}

TEST(Quadtree, refuses_a_configuration_that_makes_no_sense) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (const Quadtree::Config& config :
         {Quadtree::Config{.extents = {0, 0, 1, 1}, .max_depth = Quadtree::depth_limit + 1},
          Quadtree::Config{.extents = {0, 0, 1, 1}, .leaf_limit = 0}, Quadtree::Config{},
          Quadtree::Config{.extents = {7, 7, 7, 7}}, Quadtree::Config{.extents = {0, 0, nan, 1}},
          Quadtree::Config{.extents = {0, 0, -1, 1}}})
        expect_refused(Quadtree(config), Code::bad_config);
}

}  // namespace
}  // namespace test
}  // namespace throng
