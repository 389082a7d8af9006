// The quadtree's memory: how much, what happens without, and what happens when other code writes to it.
#include "bench/common/workload.hpp"
#include "structures/quadtree_inspector.hpp"
#include "support/test.hpp"
#include "throng/structures/quadtree.hpp"

namespace throng {
namespace test {
namespace {

using Inspector = IndexInspector<Quadtree>;

constexpr std::uint32_t none = 0xFFFFFFFFu;

Quadtree::Config crowd_config(const workload::World& world) {
    return Quadtree::recommended({.extents = {0, 0, world.side, world.side},
                                  .elements = world.size(),
                                  .typical_size = 0.85f,
                                  .largest_size = 1});
}

Boxes boxes_of(const workload::World& w) {
    return Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
}

std::size_t count_pairs(Quadtree& tree) {
    std::size_t count = 0;
    EXPECT_TRUE(tree.for_each_pair([&](Pair) { ++count; }));
    return count;
}

TEST(QuadtreeMemory, is_at_most_36_bytes_an_element_while_all_move) {
    constexpr std::size_t agents = 100000;
    workload::World world = workload::make("crowd", agents);
    CountingResource memory;
    Quadtree tree(crowd_config(world), &memory);
    for (int frame = 0; frame < 10; ++frame) {
        world.step();
        ASSERT_TRUE(tree.assign(boxes_of(world)));
        EXPECT_NE(count_pairs(tree), 0u);
    }
    EXPECT_LE(memory.bytes_out(), 36 * agents);
    EXPECT_EQ(tree.bytes(), memory.bytes_out());
}

struct Answers {
    std::size_t size, pairs, found;
    friend bool operator==(const Answers&, const Answers&) = default;
};
Answers answers_of(Quadtree& tree, CountingResource& memory) {
    memory.stop_failing();
    Answers answers{tree.size(), count_pairs(tree), 0};
    EXPECT_TRUE(tree.for_each_overlap({10, 10, 40, 40}, [&](ElementId) { ++answers.found; }));
    const IndexValidation report = tree.validate();
    EXPECT_TRUE(report) << report.what;
    return answers;
}

// `edit` fails with every allocation in turn, until it does not.
void expect_all_or_nothing(const std::function<void(Quadtree&)>& prepare,
                           const std::function<Status(Quadtree&)>& edit) {
    bool has_failed = false;
    for (std::uint64_t successes = 0; successes < 100; ++successes) {
        CountingResource memory;
        Quadtree tree({.extents = {0, 0, 64, 64}, .max_depth = 7, .leaf_limit = 3}, &memory);
        prepare(tree);
        const Answers before = answers_of(tree, memory);
        memory.fail_after(successes);
        const Status status = edit(tree);
        const bool failed = memory.failures() != 0;
        const Answers after = answers_of(tree, memory);
        has_failed |= !status;
        if (!status) {
            EXPECT_EQ(status.code, Code::out_of_memory);
            EXPECT_EQ(after, before);
        } else {
            // What was not needed may have been missing; the answers are those of a tree that had it.
            CountingResource enough;
            Quadtree other({.extents = {0, 0, 64, 64}, .max_depth = 7, .leaf_limit = 3}, &enough);
            prepare(other);
            EXPECT_TRUE(edit(other));
            EXPECT_EQ(after, answers_of(other, enough));
        }
        EXPECT_FALSE(memory.misused());
        if (!failed) {
            EXPECT_TRUE(has_failed);
            return;
        }
    }
    FAIL() << "it never stopped asking";
}

std::vector<Box> some_boxes(std::size_t count, float half) {
    Random random(count);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = random.uniform(0, 64), y = random.uniform(0, 64);
        boxes.push_back(Box::around(x, y, half, half));
    }
    return boxes;
}

void insert_all(Quadtree& tree, const std::vector<Box>& boxes) {
    ElementId id = 0;
    for (const Box& box : boxes) ASSERT_TRUE(tree.insert(box, id));
}

TEST(QuadtreeMemory, may_be_missing_for_any_part_of_an_assignment) {
    for (const std::size_t before : {0u, 30u, 600u})
        expect_all_or_nothing([&](Quadtree& tree) { insert_all(tree, some_boxes(before, 1)); },
                              [&](Quadtree& tree) {
                                  const std::vector<Box> boxes = some_boxes(500, 0.7f);
                                  return tree.assign(Boxes::of(boxes));
                              });
}

TEST(QuadtreeMemory, may_be_missing_for_any_part_of_an_insertion_or_a_move) {
    for (const std::size_t before : {0u, 1u, 4u, 16u, 64u, 300u}) {
        const auto prepare = [&](Quadtree& tree) {
            const std::vector<Box> boxes = some_boxes(before, 0.3f);
            EXPECT_TRUE(tree.assign(Boxes::of(boxes)));
        };
        expect_all_or_nothing(prepare, [](Quadtree& tree) {
            ElementId id = 0;
            return tree.insert({-1, -1, 70, 70}, id);
        });
    }
    expect_all_or_nothing(
        [&](Quadtree& tree) {
            const std::vector<Box> boxes = some_boxes(300, 0.3f);
            EXPECT_TRUE(tree.assign(Boxes::of(boxes)));
        },
        [](Quadtree& tree) {
            return tree.move(7, {0, 0, 64, 64});
        });
}

TEST(QuadtreeMemory, may_be_missing_for_the_pairs_of_a_crowd) {
    CountingResource memory;
    Quadtree tree({.extents = {0, 0, 64, 64}, .max_depth = 2}, &memory);
    insert_all(tree, std::vector<Box>(1000, Box{1, 1, 2, 2}));
    memory.fail_after(0);
    EXPECT_EQ(tree.for_each_pair([](Pair) {}).code, Code::out_of_memory);
    memory.stop_failing();
    EXPECT_EQ(count_pairs(tree), 1000u * 999 / 2);
}

// The last element nodes would go to a leaf that is divided, while the element is still to come into others.
TEST(QuadtreeMemory, that_an_element_in_several_leaves_needs_is_not_spent_on_dividing_the_first) {
    Random random(5);
    int short_of_memory = 0;
    for (int run = 0; run < 100; ++run) {
        CountingResource memory;
        Quadtree tree({.extents = {0, 0, 64, 64}, .max_depth = 7, .leaf_limit = 2}, &memory);
        insert_all(tree, some_boxes(40 + random.below(100), 0.3f));
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
        memory.stop_failing();
        ASSERT_FALSE(memory.misused());
    }
    // A tree that was cleaned up has room for what moves lead to, and some need no more than that.
    EXPECT_GT(short_of_memory, 50);
}

// --- Planted faults ----------------------------------------------------------------------------------------

Quadtree a_tree_with_holes() {
    Quadtree tree({.extents = {0, 0, 64, 64}, .max_depth = 6, .leaf_limit = 3});
    std::vector<Box> boxes = some_boxes(100, 0.5f);
    boxes[0] = {20, 20, 21, 21};  // stays, wherever the others are
    insert_all(tree, boxes);
    for (ElementId id = 0; id < 100; ++id)
        if (id % 3 != 0 || tree.box(id).min_x > 30) {
            EXPECT_TRUE(tree.remove(id));
        }
    tree.clean_up();
    return tree;
}

std::uint32_t first_branch(Quadtree& tree) {
    const auto& nodes = Inspector::nodes(tree);
    for (std::uint32_t i = 1; i < nodes.size(); ++i)
        if (nodes[i].count == detail::QuadNode::branch) return i;
    return none;
}
std::uint32_t leaf_with(Quadtree& tree, std::int32_t at_least) {
    const auto& nodes = Inspector::nodes(tree);
    for (std::uint32_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].count >= at_least) return i;
    return none;
}

TEST(QuadtreeMemory, is_validated_and_every_planted_fault_is_found) {
    using Tree = Quadtree&;
    using I = Inspector;
    struct Fault {
        const char* what;
        void (*plant)(Tree);
    };
    const Fault faults[] = {
        {"a root that is unused", [](Tree t) { I::nodes(t)[0].count = -2; }},
        {"children beyond the end", [](Tree t) { I::nodes(t)[0].first = 1000001; }},
        {"children that are no group", [](Tree t) { I::nodes(t)[first_branch(t)].first += 1; }},
        {"a ring of branches", [](Tree t) { I::nodes(t)[first_branch(t)].first = I::nodes(t)[0].first; }},
        {"a branch without children", [](Tree t) { I::nodes(t)[first_branch(t)].first = none; }},
        {"a lost subtree",
         [](Tree t) {
             I::nodes(t)[first_branch(t)] = {none, 0};
         }},
        {"a count too large", [](Tree t) { ++I::nodes(t)[leaf_with(t, 1)].count; }},
        {"a count too small", [](Tree t) { --I::nodes(t)[leaf_with(t, 1)].count; }},
        {"a leaf's list lost", [](Tree t) { I::nodes(t)[leaf_with(t, 1)].first = none; }},
        {"a leaf's list beyond the end", [](Tree t) { I::nodes(t)[leaf_with(t, 1)].first = 1000001; }},
        {"a list that is a ring",
         [](Tree t) {
             const auto i = I::nodes(t)[leaf_with(t, 2)].first;
             I::element_nodes(t)[i].next = i;
         }},
        {"another element's node",
         [](Tree t) {
             auto& node = I::element_nodes(t)[I::nodes(t)[leaf_with(t, 1)].first];
             node.element = node.element == 0 ? 3 : 0;
         }},
        {"a removed element's node",
         [](Tree t) { I::element_nodes(t)[I::nodes(t)[leaf_with(t, 1)].first].element = 1; }},
        {"two leaves exchanged",
         [](Tree t) {
             const std::uint32_t a = leaf_with(t, 1);
             for (std::uint32_t b = a + 1; b < I::nodes(t).size(); ++b)
                 if (I::nodes(t)[b].count == 0) return std::swap(I::nodes(t)[a], I::nodes(t)[b]);
         }},
        {"the same element twice",
         [](Tree t) {
             const auto i = I::nodes(t)[leaf_with(t, 2)].first;
             I::element_nodes(t)[i].element = I::element_nodes(t)[I::element_nodes(t)[i].next].element;
         }},
        {"unused element nodes lost", [](Tree t) { I::free_element_node(t) = none; }},
        {"unused element nodes beyond the end", [](Tree t) { I::free_element_node(t) = 1000001; }},
        {"unused element nodes in a ring",
         [](Tree t) {
             const auto i = I::free_element_node(t);
             I::element_nodes(t)[i].next = i;
         }},
        {"a used element node among the unused",
         [](Tree t) { I::free_element_node(t) = I::nodes(t)[leaf_with(t, 1)].first; }},
        {"unused children lost", [](Tree t) { I::free_children(t) = none; }},
        {"unused children beyond the end", [](Tree t) { I::free_children(t) = 1000001; }},
        {"unused children in a ring",
         [](Tree t) {
             const auto i = I::free_children(t);
             I::nodes(t)[i].first = i;
         }},
        {"used children among the unused", [](Tree t) { I::free_children(t) = I::nodes(t)[0].first; }},
        {"an unused node with a count", [](Tree t) { I::nodes(t)[I::free_children(t) + 2].count = 0; }},
        {"the number of element nodes", [](Tree t) { ++I::used_element_nodes(t); }},
        {"a box elsewhere",
         [](Tree t) {
             I::elements(t)[0] = {60, 60, 61, 61};
         }},
        {"a box turned over", [](Tree t) { std::swap(I::elements(t)[0].min_x, I::elements(t)[0].max_x); }},
        {"an element without a leaf",
         [](Tree t) {
             EXPECT_NE(I::elements(t).insert({1, 1, 2, 2}), none);
         }},
        {"an element lost", [](Tree t) { EXPECT_TRUE(I::elements(t).erase(0)); }},
        {"half a group", [](Tree t) { EXPECT_TRUE(I::nodes(t).resize(I::nodes(t).size() - 2)); }},
        {"no root", [](Tree t) { I::nodes(t).clear(); }},
        {"a ring with a count without end",
         [](Tree t) {
             auto& node = I::nodes(t)[leaf_with(t, 2)];
             node.count = 0x7FFFFFFF;
             I::element_nodes(t)[node.first].next = node.first;
         }},
        {"a grid that is too deep", [](Tree t) { I::grid(t).depth = 40; }},
        {"a grid that lies elsewhere", [](Tree t) { I::grid(t).x = 1; }},
        {"a grid of other cells", [](Tree t) { I::grid(t).cells_a_unit *= 2; }},
        {"a grid that is larger", [](Tree t) { I::grid(t).last_cell += 1; }},
        {"a configuration that is too deep", [](Tree t) { I::config(t).max_depth = 40; }},
        {"cleaning up elsewhere", [](Tree t) { I::clean_up_at(t) = ~std::uint64_t{0}; }},
    };
    Quadtree whole = a_tree_with_holes();
    ASSERT_TRUE(whole.validate());
    ASSERT_NE(Inspector::free_children(whole), none);
    ASSERT_TRUE(whole.contains(0));
    ASSERT_FALSE(whole.contains(1));
    for (const Fault& fault : faults) {
        Quadtree tree = a_tree_with_holes();
        fault.plant(tree);
        EXPECT_FALSE(tree.validate()) << fault.what;
    }
}

}  // namespace
}  // namespace test
}  // namespace throng
