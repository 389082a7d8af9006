// What makes the loose quadtree itself: one leaf for each element, bounds that follow the boxes, and a
// clean-up that tightens them.
#include <cfenv>

#include "structures/src/loose_quadtree/nodes.hpp"
#include "structures/tests/index_inside.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {
namespace of_loose_quadtree {

using State = LooseQuadtree::State;

void expect_right(LooseQuadtree& tree) { expect_same_as_brute_force(tree, 7); }

LooseQuadtree::Config config_of(float side, std::uint32_t max_depth = 10, std::uint32_t leaf_elements = 4) {
    return {.extents = {0, 0, side, side}, .max_depth = max_depth, .leaf_elements = leaf_elements};
}

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

TEST(LooseQuadtree, merges_four_leaves_when_they_would_fill_half_of_one) {
    LooseQuadtree tree(config_of(64, 6, 8));
    for (int i = 0; i < 9; ++i) {
        const float x = i % 2 == 0 ? 10 : 50, y = i % 4 < 2 ? 10 : 50;
        inserted(tree, {x, y, x, y});
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

TEST(LooseQuadtree, needs_no_memory_for_moving_and_splits_leaves_when_there_is_some_again) {
    CountingResource memory;
    LooseQuadtree tree(config_of(100, 10, 2), &memory);
    const std::vector<Box> boxes = some_boxes(500, 100, 1);
    for (std::size_t i = 0; i < boxes.size(); ++i) inserted(tree, {1, 1, 1, 1});
    memory.fail_after(0);
    for (ElementId id = 0; id < 499; ++id) ASSERT_TRUE(tree.move(id, boxes[id]));
    EXPECT_GT(memory.failures(), 0u);
    ASSERT_TRUE(tree.remove(499));
    tree.clean_up();
    expect_right(tree);
    const std::size_t before = parts_of(tree).size();
    memory.stop_failing();
    for (ElementId id = 0; id < 499; ++id) {
        ASSERT_TRUE(tree.move(id, {200, 200, 200, 200}));
        ASSERT_TRUE(tree.move(id, boxes[id]));
    }
    EXPECT_GT(parts_of(tree).size(), before + 100);
    for (const Part& part : parts_of(tree))
        if (part.depth < 10) {
            EXPECT_LE(part.elements, 2u);
        }
    expect_right(tree);
}

// --- Clean-up ----------------------------------------------------------------------------------------------

// Most elements go, and most of the others to other places.
void stir(LooseQuadtree& tree, const std::vector<Box>& boxes) {
    for (ElementId id = 0; id < boxes.size(); ++id)
        ASSERT_TRUE(id % 5 != 0 ? tree.remove(id) : tree.move(id, boxes[boxes.size() - 1 - id]));
}

std::size_t branches_of(const LooseQuadtree& tree) {
    std::size_t branches = 0;
    for (const Part& part : parts_of(tree)) branches += !part.leaf;
    return branches;
}

void expect_same_parts(const LooseQuadtree& a, const LooseQuadtree& b) {
    const std::vector<Part> some = parts_of(a), others = parts_of(b);
    ASSERT_EQ(some.size(), others.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
        EXPECT_EQ(some[i].box, others[i].box);
        EXPECT_EQ(some[i].depth, others[i].depth);
        EXPECT_EQ(some[i].elements, others[i].elements);
    }
}

TEST(LooseQuadtreeCleanUp, takes_as_many_calls_as_the_budget_asks_for_and_leaves_the_same_tree) {
    const std::vector<Box> boxes = some_boxes(2000, 100, 2);
    for (const std::size_t budget : {1u, 3u, 50u}) {
        LooseQuadtree tree(config_of(100)), at_once(config_of(100));
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        ASSERT_TRUE(at_once.assign(Boxes::of(boxes)));
        stir(tree, boxes);
        stir(at_once, boxes);
        const std::size_t branches = branches_of(tree);
        std::size_t calls = 1;
        while (!tree.clean_up(budget)) {
            ++calls;
            const IndexValidation state = tree.validate();
            ASSERT_TRUE(state) << state.what << " at " << state.where;
            ASSERT_LE(calls, branches);
        }
        at_once.clean_up();
        EXPECT_EQ(calls, (branches + budget - 1) / budget);
        EXPECT_LT(branches_of(tree), branches / 2);
        expect_same_parts(tree, at_once);
        // By its own check, too: `validate` asks for tight bounds where nothing is left to clean up.
        expect_right(tree);
        EXPECT_TRUE(tree.clean_up(0));
    }
}

TEST(LooseQuadtreeCleanUp, does_nothing_without_a_budget_and_nothing_twice) {
    LooseQuadtree tree(config_of(100));
    EXPECT_TRUE(tree.clean_up(0));
    ASSERT_TRUE(fill(tree, some_boxes(500, 100, 1)));
    EXPECT_TRUE(tree.clean_up(0));
    ASSERT_TRUE(tree.remove(7));
    const Box before = tree.bounds();
    for (int calls = 0; calls < 3; ++calls) EXPECT_FALSE(tree.clean_up(0));
    EXPECT_EQ(tree.bounds(), before);
    EXPECT_TRUE(tree.clean_up(1000));
    EXPECT_TRUE(tree.clean_up(0));
}

TEST(LooseQuadtreeCleanUp, starts_over_in_a_tree_that_was_emptied_or_assigned_to) {
    const std::vector<Box> boxes = some_boxes(1000, 100, 1);
    for (const bool emptied : {false, true}) {
        LooseQuadtree tree(config_of(100));
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        stir(tree, boxes);
        EXPECT_FALSE(tree.clean_up(10));
        if (emptied) {
            tree.clear();
            EXPECT_TRUE(tree.clean_up(0));
        }
        ASSERT_TRUE(tree.assign(Boxes::of(boxes)));
        EXPECT_TRUE(tree.clean_up(0));
        expect_right(tree);
    }
}

// --- Planted faults ----------------------------------------------------------------------------------------

LooseQuadtree a_tree() {
    LooseQuadtree tree(config_of(100));
    EXPECT_TRUE(fill(tree, some_boxes(500, 100, 1)));
    return tree;
}

std::int32_t new_group(State& tree) {
    return static_cast<std::int32_t>(tree.quads_.insert(detail::LooseQuad{}));
}
// Group 0 has the root alone, and group 1 its children. The first leaf that holds something:
std::pair<std::uint32_t, std::uint32_t> leaf_of(State& tree) {
    for (std::uint32_t quad = 0;; ++quad)
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            if (tree.quads_.contains(quad) && tree.quads_[quad].child[lane] < 0) return {quad, lane};
}
std::int32_t& child_of_leaf(State& tree) {
    const auto [quad, lane] = leaf_of(tree);
    return tree.quads_[quad].child[lane];
}
// The last of a path down to the last level, on which there is nothing else.
std::uint32_t deepest_group(State& tree) {
    ElementId id;
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(tree.insert({300, 300, 300, 300}, id));
    return tree.quads_.range() - 1;
}

const Corruption<State> corruptions[] = {
    {"there is no root", [](State& t) { t.quads_.clear(); }},
    {"the root has siblings", [](State& t) { t.quads_[0].child[2] = ~5; }},
    {"a branch has no children", [](State& t) { t.quads_[0].child[0] = 1'000'000; }},
    {"a node is too deep",
     [](State& t) {
         const std::uint32_t last = deepest_group(t);
         for (std::int32_t& child : t.quads_[last].child) child = new_group(t);
     }},
    {"a group does not know its place",
     [](State& t) {
         auto& children = t.quads_[deepest_group(t) - 1].child;
         const std::int32_t group = new_group(t);
         for (std::int32_t& child : children)
             if (child == 0) child = group;
     }},
    {"a group is in no tree", [](State& t) { t.quads_[1].child[3] = 0; }},
    {"a group is in no tree", [](State& t) { new_group(t); }},
    {"an element is in no leaf, or in two", [](State& t) { child_of_leaf(t) = 0; }},
    {"an element is in two leaves",
     [](State& t) {
         const std::uint32_t slot = static_cast<std::uint32_t>(~child_of_leaf(t));
         t.elements_[slot].next = slot;
     }},
    {"a leaf holds an element that is not there", [](State& t) { child_of_leaf(t) = ~2'000'000; }},
    {"an element and its id disagree", [](State& t) { ++t.elements_[7].id; }},
    {"an element and its id disagree", [](State& t) { t.elements_[7].id = 4'000'000; }},
    {"an element and its id disagree", [](State& t) { t.where_[3].slot = 4'000'000; }},
    {"an element has no legal box", [](State& t) { t.elements_[9].box.min_x = NAN; }},
    {"an element has no legal box", [](State& t) { t.elements_[9].box.max_y = -1e30f; }},
    {"an element is in a leaf that is not its own",
     [](State& t) {
         Box& box = t.elements_[9].box;
         box = {100 - box.max_x, 100 - box.max_y, 100 - box.min_x, 100 - box.min_y};
     }},
    {"a node's bounds do not hold all that is in it",
     [](State& t) {
         const auto [quad, lane] = leaf_of(t);
         t.quads_[quad].max_x[lane] = std::nextafter(t.quads_[quad].max_x[lane], -1e30f);
     }},
    {"a node's bounds do not hold all that is in it", [](State& t) { t.quads_[0].min_y[0] = NAN; }},
    {"a node's bounds are too large", [](State& t) { t.quads_[0].max_x[0] += 1; }},
    {"the cells are not those of the configuration", [](State& t) { t.config_.max_depth = 200; }},
    {"the cells are not those of the configuration", [](State& t) { t.scale_ *= 2; }},
    {"the cells are not those of the configuration", [](State& t) { t.half_left_ += 1; }},
    {"a leaf has less room than it says",
     [](State& t) {
         const auto [quad, lane] = leaf_of(t);
         t.quads_[quad].room[lane] = 255;
     }},
    {"a group has another parent", [](State& t) { ++t.quads_[2].parent; }},
    {"an id leads to a node that does not hold its element", [](State& t) { t.where_[3].leaf = 1; }},
    {"an id leads to a node that does not hold its element", [](State& t) { t.where_[3].leaf = 4'000'000; }},
    {"a group does not know its place", [](State& t) { t.quads_[0].depth = 1; }},
    {"a group does not know its place", [](State& t) { ++t.quads_[1].x; }},
    {"a group does not know its place", [](State& t) { ++t.quads_[1].depth; }},
    {"there are not as many ids as elements", [](State& t) { t.where_.erase(3); }},
};

TEST(LooseQuadtreeFaults, are_found_and_named) { expect_found<LooseQuadtree>(a_tree, corruptions); }

TEST(LooseQuadtreeFaults, in_bounds_are_found_as_far_as_they_may_not_be_loose) {
    LooseQuadtree tree = a_tree();
    detail::LooseQuad& root = inside(tree).quads_[0];
    ASSERT_TRUE(tree.move(3, {0, 0, 100, 100}));
    root.max_x[0] += 1;
    EXPECT_TRUE(tree.validate());
    root.max_x[0] = 50;
    EXPECT_FALSE(tree.validate());
    tree.clean_up();
    EXPECT_TRUE(tree.validate());
    root.max_x[0] += 1;
    EXPECT_FALSE(tree.validate());
}

// Any number in any place: validation says something, and ends.
TEST(LooseQuadtreeFaults, of_any_kind_are_survived) {
    Random random(11);
    for (int run = 0; run < 500; ++run) {
        LooseQuadtree tree = a_tree();
        ASSERT_TRUE(tree.remove(5));
        const auto number = [&] {
            return static_cast<std::uint32_t>(random.next() >> random.between(32, 60));
        };
        auto& quads = inside(tree).quads_;
        auto& all = inside(tree).elements_;
        const auto slot = static_cast<std::uint32_t>(random.below(all.range()));
        auto& child = quads[static_cast<std::uint32_t>(random.below(quads.range()))].child[random.below(4)];
        const auto old_child = child;
        const auto old_next = all[slot].next;
        if (random.one_in(2))
            child = static_cast<std::int32_t>(number());
        else if (all.contains(slot))
            all[slot].next = number();
        const bool changed = child != old_child || (all.contains(slot) && all[slot].next != old_next);
        EXPECT_EQ(tree.validate().sound(), !changed) << run;
    }
}

}  // namespace of_loose_quadtree
}  // namespace throng::structures::test
