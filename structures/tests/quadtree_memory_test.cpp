// The quadtree without memory, and with memory that other code writes to.
#include "structures/src/quadtree/state.hpp"
#include "structures/tests/index_inside.hpp"
#include "structures/tests/test.hpp"
#include "structures/tests/worlds.hpp"

namespace throng::structures::test {
namespace of_quadtree_memory {

using State = Quadtree::State;

constexpr std::uint32_t none = State::none, far_away = 1000001;

TEST(QuadtreeMemory, may_be_missing_for_the_pairs_of_a_crowd) {
    CountingResource memory;
    Quadtree tree({.extents = {0, 0, 64, 64}, .max_depth = 2}, &memory);
    ASSERT_TRUE(fill(tree, std::vector<Box>(1000, Box{1, 1, 2, 2})));
    memory.fail_after(0);
    EXPECT_EQ(tree.for_each_pair([](Pair) {}).code, Code::out_of_memory);
    memory.stop_failing();
    EXPECT_EQ(pairs_of(tree).size(), 1000u * 999 / 2);
}

// The last element nodes would go to a leaf that is divided, while the element must still come into others.
TEST(QuadtreeMemory, that_an_element_in_several_leaves_needs_is_not_spent_on_dividing_the_first) {
    Random random(5);
    int short_of_memory = 0;
    for (int run = 0; run < 100; ++run) {
        CountingResource memory;
        Quadtree tree({.extents = {0, 0, 64, 64}, .max_depth = 7, .leaf_limit = 2}, &memory);
        for (const Box& box : even_crowd(40 + random.below(100), 64, 3)) inserted(tree, box);
        for (ElementId id = 0; id < 140; id += 2) static_cast<void>(tree.remove(id));
        for (int i = 0; i < 7; ++i) tree.clean_up();
        memory.fail_after(0);
        for (int edit = 0; edit < 300; ++edit) {
            const float x = random.uniform(26, 38), y = random.uniform(26, 38);
            const float half_x = random.uniform(0, 2), half_y = random.uniform(0, 2);
            const Box box = Box::around(x, y, half_x, half_y);
            auto id = static_cast<ElementId>(random.below(140));
            static_cast<void>(!tree.contains(id) ? tree.insert(box, id)
                              : random.one_in(4) ? tree.remove(id)
                                                 : tree.move(id, box));
            const IndexValidation report = tree.validate();
            ASSERT_TRUE(report) << report.what << " in run " << run;
        }
        short_of_memory += memory.failures() != 0;
    }
    // A tree that was cleaned up has room for the results of moves, and some moves need no more.
    EXPECT_GT(short_of_memory, 50);
}

// --- Planted faults ----------------------------------------------------------------------------------------

// With unused nodes of both kinds. Element 0 is where no other is, and 1 was removed.
Quadtree a_tree_with_holes() {
    Quadtree tree({.extents = {0, 0, 64, 64}, .max_depth = 6, .leaf_limit = 3});
    std::vector<Box> boxes = even_crowd(100, 64, 2);
    boxes[0] = {20, 20, 21, 21};
    EXPECT_TRUE(tree.assign(Boxes::of(boxes)));
    for (ElementId id = 1; id < 100; ++id)
        if (id % 3 != 0 || tree.box(id).min_x > 30) {
            EXPECT_TRUE(tree.remove(id));
        }
    tree.clean_up();
    EXPECT_NE(inside(tree).free_children_, none);
    return tree;
}

detail::QuadNode& node_with(State& tree, std::int32_t at_least) {
    std::uint32_t i = 0;
    while (tree.nodes_[i].count < at_least) ++i;
    return tree.nodes_[i];
}
detail::QuadNode& branch_of(State& tree) {
    std::uint32_t i = 1;
    while (tree.nodes_[i].count != detail::QuadNode::branch) ++i;
    return tree.nodes_[i];
}
// The first element node of a leaf that has several.
detail::QuadElementNode& listed(State& tree, std::int32_t at_least = 1) {
    return tree.element_nodes_[node_with(tree, at_least).first];
}

const Corruption<State> corruptions[] = {
    {"a node in the tree is marked as unused", [](State& t) { t.nodes_[0].count = -2; }},
    {"the children of a branch are no group of nodes", [](State& t) { t.nodes_[0].first = far_away; }},
    {"the children of a branch are no group of nodes", [](State& t) { branch_of(t).first += 1; }},
    {"a branch at the largest depth", [](State& t) { branch_of(t).first = t.nodes_[0].first; }},
    {"the children of a branch are no group of nodes", [](State& t) { branch_of(t).first = none; }},
    {"nodes are neither in the tree nor unused",
     [](State& t) {
         branch_of(t) = {none, 0};
     }},
    {"a leaf's list is shorter than its count", [](State& t) { ++node_with(t, 1).count; }},
    {"a leaf's list is longer than its count", [](State& t) { --node_with(t, 1).count; }},
    {"a leaf's list is shorter than its count", [](State& t) { node_with(t, 1).first = none; }},
    {"a leaf's list leads nowhere", [](State& t) { node_with(t, 1).first = far_away; }},
    {"a leaf's list is longer than its count", [](State& t) { listed(t, 2).next = node_with(t, 2).first; }},
    {"elements are not in the leaves that they lie in",
     [](State& t) { listed(t).element = listed(t).element == 0 ? 3 : 0; }},
    {"an element node without an element", [](State& t) { listed(t).element = 1; }},
    {"elements are not in the leaves that they lie in",
     [](State& t) {
         detail::QuadNode& leaf = node_with(t, 1);
         std::swap(leaf, *std::find_if(&leaf, t.nodes_.end(), [](auto& node) { return node.count == 0; }));
     }},
    {"elements are not in the leaves that they lie in",
     [](State& t) { listed(t, 2).element = t.element_nodes_[listed(t, 2).next].element; }},
    {"element nodes are neither in a leaf nor unused", [](State& t) { t.free_element_node_ = none; }},
    {"a link to an unused element node leads nowhere", [](State& t) { t.free_element_node_ = far_away; }},
    {"the unused element nodes form a ring",
     [](State& t) { t.element_nodes_[t.free_element_node_].next = t.free_element_node_; }},
    {"an unused element node has an element", [](State& t) { t.free_element_node_ = node_with(t, 1).first; }},
    {"nodes are neither in the tree nor unused", [](State& t) { t.free_children_ = none; }},
    {"a link to unused children leads nowhere", [](State& t) { t.free_children_ = far_away; }},
    {"the unused children form a ring",
     [](State& t) { t.nodes_[t.free_children_].first = t.free_children_; }},
    {"an unused node is not marked as such", [](State& t) { t.free_children_ = t.nodes_[0].first; }},
    {"an unused node is not marked as such", [](State& t) { t.nodes_[t.free_children_ + 2].count = 0; }},
    {"the number of element nodes is not that of the lists", [](State& t) { ++t.used_element_nodes_; }},
    {"elements are not in the leaves that they lie in",
     [](State& t) {
         t.elements_[0] = {60, 60, 61, 61};
     }},
    {"an element's box is not a legal one",
     [](State& t) { std::swap(t.elements_[0].min_x, t.elements_[0].max_x); }},
    {"elements are not in the leaves that they lie in",
     [](State& t) {
         static_cast<void>(t.elements_.insert({1, 1, 2, 2}));
     }},
    {"an element node without an element", [](State& t) { t.elements_.erase(0); }},
    {"a group of nodes is not whole",
     [](State& t) { static_cast<void>(t.nodes_.resize(t.nodes_.size() - 2)); }},
    {"there are elements, but no root", [](State& t) { t.nodes_.clear(); }},
    {"a leaf's list is longer than its count",
     [](State& t) { listed(t, 2).next = node_with(t, 2).first, node_with(t, 2).count = 0x7FFFFFFF; }},
    {"the grid is not that of the configuration", [](State& t) { t.grid_.depth = 40; }},
    {"the grid is not that of the configuration", [](State& t) { t.grid_.x = 1; }},
    {"the grid is not that of the configuration", [](State& t) { t.grid_.cells_a_unit *= 2; }},
    {"the grid is not that of the configuration", [](State& t) { t.grid_.last_cell += 1; }},
    {"the grid is not that of the configuration", [](State& t) { t.config_.max_depth = 40; }},
    {"the place to clean up lies outside", [](State& t) { t.clean_up_at_ = ~std::uint64_t{0}; }},
};

TEST(QuadtreeMemory, is_validated_and_every_planted_fault_is_found) {
    expect_found<Quadtree>(a_tree_with_holes, corruptions);
}

}  // namespace of_quadtree_memory
}  // namespace throng::structures::test
