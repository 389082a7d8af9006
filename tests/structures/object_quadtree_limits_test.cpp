// What an object quadtree does with boxes that are none, memory that is not there, functions that throw,
// extents and values of any size, and memory that was overwritten.
#include "structures/object_things.hpp"
#include "support/test.hpp"
#include "throng/structures/object_quadtree.hpp"

namespace throng {

template <>
struct IndexInspector<test::ThingTree<float>> {
    template <class Tree>
    static auto& tree(Tree& quadtree) {
        return quadtree.tree_;
    }
    template <class Tree>
    static auto& root(Tree& quadtree) {
        return quadtree.tree_.nodes_.root_;
    }
    template <class Tree>
    static auto& child(Tree& quadtree, unsigned which) {
        return quadtree.tree_.nodes_.groups_[root(quadtree).children].nodes[which];
    }
    template <class Tree>
    static auto& element(Tree& quadtree, std::uint32_t index) {
        return quadtree.tree_.elements_[index];
    }
};

namespace test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = std::numeric_limits<float>::max();
constexpr float smallest = std::numeric_limits<float>::denorm_min();

using Tree = ThingTree<float>;
using Inspector = IndexInspector<Tree>;
using Things = std::vector<Thing<float>>;

Things some_things(std::size_t count, std::uint64_t seed = 1) {
    Random random(seed);
    Things things;
    for (std::size_t i = 0; i < count; ++i)
        things.push_back({Tracked(static_cast<int>(i)), some_box<float>(random)});
    return things;
}

TEST(ObjectQuadtreeLimits, refuses_what_is_no_box) {
    Tree tree({.extents = {0, 0, 100, 100}});
    Things things = some_things(50);
    ASSERT_TRUE(tree.assign(things));
    for (const Box box :
         {Box{nan, 0, 1, 1}, Box{0, 0, 1, nan}, Box{-infinity, 0, 1, 1}, Box{0, 0, 1, infinity}}) {
        EXPECT_EQ(tree.insert({Tracked(99), box}).code, Code::not_finite);
        EXPECT_EQ(tree.move(things[3].box, {Tracked(3), box}).code, Code::not_finite);
        EXPECT_EQ(tree.for_each_overlap(box, [](const auto&) {}).code, Code::not_finite);
        EXPECT_FALSE(tree.contains(box, things[3]));
        EXPECT_FALSE(tree.remove(box, things[3]));
    }
    EXPECT_EQ(tree.insert({Tracked(99), Box{2, 0, 1, 1}}).code, Code::inverted);
    Things wrong = some_things(20, 2);
    wrong[7].box.max_y = nan;
    EXPECT_EQ(tree.assign(wrong), (Status{Code::not_finite, 7}));
    check_same(tree, things, {{0, 0, 50, 50}});
}

TEST(ObjectQuadtreeLimits, refuses_every_edit_and_query_after_a_bad_config) {
    for (const Tree::Config config :
         {Tree::Config{.extents = {0, 0, nan, 1}}, Tree::Config{.extents = {2, 0, 1, 1}},
          Tree::Config{.extents = {}}, Tree::Config{.extents = {3, 3, 3, 3}},
          Tree::Config{.extents = {0, 0, 1, 1}, .split_above = 0},
          Tree::Config{.extents = {0, 0, 1, 1}, .max_depth = 15}}) {
        Tree tree(config);
        EXPECT_EQ(tree.status().code, Code::bad_config);
        EXPECT_EQ(tree.insert({Tracked(1), {}}).code, Code::bad_config);
        EXPECT_EQ(tree.assign(some_things(40)).code, Code::bad_config);
        EXPECT_EQ(tree.move({}, {Tracked(1), {}}).code, Code::bad_config);
        EXPECT_FALSE(tree.remove({Tracked(1), {}}));
        EXPECT_EQ(tree.for_each_overlap({0, 0, 1, 1}, [](const auto&) {}).code, Code::bad_config);
        EXPECT_EQ(tree.for_each_pair([](const auto&, const auto&) {}).code, Code::bad_config);
        EXPECT_EQ(tree.size(), 0u);
        EXPECT_TRUE(tree.validate());
    }
}

TEST(ObjectQuadtreeLimits, refuses_every_query_after_a_move_whatever_its_box) {
    ThingTree<float> tree({.extents = {0, 0, 1, 1}});
    const ThingTree<float> other(std::move(tree));
    for (const Box& box : {Box{0, 0, 1, 1}, Box{1, 0, 0, 1}})
        EXPECT_EQ(tree.for_each_overlap(box, [](const auto&) {}).code,  // NOLINT(bugprone-use-after-move)
                  Code::moved_from);
}

TEST(ObjectQuadtreeLimits, shows_nodes_whose_boxes_are_numbers_whatever_the_extents) {
    for (const Box& extents : {Box{-largest, -largest, largest, largest}, Box{-largest, 0, 0, 1},
                               Box{0, -largest, 1, largest}, Box{0, 0, smallest, smallest}})
        for (const std::uint32_t depth : {0u, 1u, 2u, 14u}) {
            Tree tree({.extents = extents, .split_above = 1, .max_depth = depth});
            ASSERT_TRUE(tree.assign(some_things(50)));
            tree.for_each_part([&](const Tree::Part& part) {
                EXPECT_EQ(part.box.check(), Code::ok) << part.depth << " of " << depth;
            });
        }
}

TEST(ObjectQuadtreeLimits, answers_right_for_values_and_extents_of_any_size) {
    Random random(4);
    const std::vector<Box> extents = {{0, 0, 100, 100},
                                      {-largest, -largest, largest, largest},
                                      {0, 0, largest, 1},
                                      {5, 5, 5, 6},
                                      {5, 0, 5, 100},
                                      {0, 0, 3e-34f, 1e-37f},
                                      {-smallest, 0, smallest, smallest},
                                      {1e6f, 1e6f, 1e6f + 1, 1e6f + 1}};
    Things things = some_things(120);
    for (int i = 0; i < 250; ++i) {
        const float x = i % 2 == 0 ? random.any_finite() : random.subnormal();
        const float y = i % 3 == 0 ? random.any_finite() : random.uniform(1e6f, 1e6f + 1);
        const float x2 = i % 5 == 0 ? random.any_finite() : x, y2 = i % 7 == 0 ? random.any_finite() : y;
        things.push_back(
            {Tracked(1000 + i), {std::min(x, x2), std::min(y, y2), std::max(x, x2), std::max(y, y2)}});
    }
    for (int i = 0; i < 60; ++i)
        things.push_back({Tracked(2000 + i), {i % 2 ? -largest : 0, -largest, largest, i % 3 ? largest : 0}});
    std::vector<ObjectBox<float>> queries = {{-largest, -largest, largest, largest}, {0, 0, 0, 0}};
    for (std::size_t i = 0; i < things.size(); i += 5) queries.push_back(things[i].box);
    for (const Box& box : extents) {
        SCOPED_TRACE(box.max_x);
        Tree assigned({.extents = box, .split_above = 4, .max_depth = 14}), edited({box, 4, 14});
        ASSERT_TRUE(assigned.assign(things));
        check_same(assigned, things, queries);
        for (const auto& thing : things) ASSERT_TRUE(edited.insert(thing));
        check_same(edited, things, queries);
        for (const auto& thing : things) ASSERT_TRUE(edited.remove(thing));
        ASSERT_TRUE(sound(edited));
    }
}

// Enough in one node that they are sorted and swept: on both centre lines, all in one spot,
// and under the lowest level.
TEST(ObjectQuadtreeLimits, finds_all_intersections_where_many_lie_in_one_node) {
    Random random(6);
    Things cross, cluster, heap;
    for (int i = 0; i < 1200; ++i) {
        const float along = random.uniform(0, 100), half = random.one_in(50) ? 20 : 0.1f;
        cross.push_back({Tracked(i), i % 2 == 0 ? Box::around(50, along, 0.1f, half)
                                                : Box::around(along, 50, half, 0.1f)});
        const float x = random.uniform(30, 30.05f), y = random.uniform(60, 60.05f);
        cluster.push_back({Tracked(i), Box::around(x, y, 0.0005f, random.one_in(9) ? 0.02f : 0.0005f)});
        if (i < 200) heap.push_back({Tracked(i), {10, 10, 11, 11}});
    }
    Tree tree({.extents = {0, 0, 100, 100}});
    for (const Things* things : {&cross, &cluster, &heap}) {
        ASSERT_TRUE(tree.assign(*things));
        check_same(tree, *things, {{40, 40, 60, 60}, {30, 60, 30.01f, 60.02f}});
    }
    ASSERT_TRUE(tree.assign(cross));
    int seen = 0;
    ASSERT_TRUE(tree.for_each_pair([&](const auto&, const auto&) { return ++seen < 5; }));
    EXPECT_EQ(seen, 5) << "a sweep ends, too, when enough was seen";
}

TEST(ObjectQuadtreeLimits, is_as_it_was_when_memory_runs_out) {
    CountingResource memory;
    {
        Tree tree({.extents = {0, 0, 100, 100}, .split_above = 2}, {}, {}, &memory);
        Things things;
        const std::vector<ObjectBox<float>> queries = {{0, 0, 50, 50}, {-9, 20, 110, 30}};
        for (Thing<float>& thing : some_things(150)) {
            for (std::uint64_t successes = 0;; ++successes) {
                memory.fail_after(successes);
                const Status added = tree.insert(std::move(thing));
                memory.stop_failing();
                if (added) break;
                ASSERT_EQ(added.code, Code::out_of_memory);
                ASSERT_NE(thing.number(), Tracked::moved_from) << "it stays with its owner";
                ASSERT_TRUE(sound(tree));
                ASSERT_EQ(tree.size(), things.size());
            }
            things = some_things(things.size() + 1);
        }
        check_same(tree, things, queries);
        const Things others = some_things(1000, 9);
        std::uint64_t successes = 0;
        for (Code code = Code::out_of_memory; code == Code::out_of_memory; ++successes) {
            memory.fail_after(successes);
            code = tree.assign(others).code;
            memory.stop_failing();
            if (code == Code::out_of_memory) check_same(tree, things, {});
        }
        EXPECT_GT(successes, 5u);
        check_same(tree, others, queries);
    }
    EXPECT_EQ(memory.bytes_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(ObjectQuadtreeLimits, leaves_a_value_that_cannot_move_with_its_owner) {
    CountingResource memory;
    Tree tree({.extents = {0, 0, 100, 100}, .split_above = 1, .max_depth = 14}, {}, {}, &memory);
    const Box corner{1, 1, 1, 1};
    ASSERT_TRUE(tree.insert({Tracked(1), corner}));
    ASSERT_TRUE(tree.insert({Tracked(2), {99, 99, 99, 99}}));
    const auto refused = [&tree](const Box& from, int number, const Box& to) {
        Thing<float> thing{Tracked(number), to};
        const Status status = tree.move(from, std::move(thing));
        EXPECT_EQ(thing.number(), number);
        return status.code;
    };
    EXPECT_EQ(refused(corner, 1, {0, 0, nan, 1}), Code::not_finite);
    EXPECT_EQ(refused(corner, 3, {0, 0, 1, 1}), Code::unknown_id);
    memory.fail_after(0);
    EXPECT_EQ(refused(corner, 1, {99, 98.99f, 99, 98.99f}), Code::out_of_memory);
    memory.stop_failing();
    EXPECT_EQ(refused({0, 0, nan, 1}, 1, corner), Code::unknown_id);
    ASSERT_TRUE(sound(tree));
    EXPECT_TRUE(tree.contains(corner, {Tracked(1), corner}));
    Thing<float> thing{Tracked(1), {50, 50, 60, 60}};
    EXPECT_TRUE(tree.move(corner, std::move(thing)));
    EXPECT_EQ(thing.number(), Tracked::moved_from);
}

TEST(ObjectQuadtreeLimits, says_so_when_there_is_no_memory_for_all_intersections) {
    CountingResource memory;
    Tree tree({.extents = {0, 0, 100, 100}}, {}, {}, &memory);
    const Things things = some_things(2000);
    ASSERT_TRUE(tree.assign(things));
    int failed = 0;
    for (std::uint64_t successes = 0;; ++successes, ++failed) {
        memory.fail_after(successes);
        const Status status = tree.for_each_pair([](const auto&, const auto&) {});
        memory.stop_failing();
        ASSERT_TRUE(sound(tree));
        if (status) break;
        ASSERT_EQ(status.code, Code::out_of_memory);
    }
    EXPECT_GE(failed, 5);
    EXPECT_EQ(meeting(tree), meeting(things));
}

struct Walker {
    int number;
    Box box;
    bool operator==(const Walker& other) const { return number == other.number; }
};
struct BoxOfWalker {
    Box operator()(const Walker& walker) const noexcept { return walker.box; }
};

TEST(ObjectQuadtreeLimits, allocates_nothing_in_a_steady_state) {
    CountingResource memory;
    Random random(8);
    ObjectQuadtree<Walker, BoxOfWalker> tree({.extents = {0, 0, 100, 100}}, {}, {}, &memory);
    std::vector<Walker> walkers;
    for (int i = 0; i < 2000; ++i) walkers.push_back({i, some_box<float>(random)});
    std::uint64_t calls = 0;
    for (int frame = 0; frame < 60; ++frame) {
        if (frame == 20) calls = memory.calls();
        for (Walker& walker : walkers) {
            const Box from = walker.box;
            walker.box = some_box<float>(random);
            ASSERT_TRUE(frame % 2 == 1 || tree.size() == 0 || tree.move(from, walker));
        }
        ASSERT_TRUE((frame % 2 == 0 && frame != 0) || tree.assign(walkers));
        ASSERT_TRUE(tree.for_each_pair([](const Walker&, const Walker&) {}));
        ASSERT_EQ(tree.bytes(), memory.bytes_out());
    }
    EXPECT_LE(memory.calls(), calls + 3) << "but for a world with more nodes than any before";
}

// The worst for the nodes: as few as split a leaf, so close together that they split all the way down.
TEST(ObjectQuadtreeLimits, takes_memory_in_proportion_to_its_values) {
    for (const int spots : {10, 100}) {
        ObjectQuadtree<Walker, BoxOfWalker> tree({.extents = {0, 0, 1000, 1000}, .max_depth = 14});
        Random random(2);
        for (int spot = 0; spot < spots; ++spot) {
            const float x = random.uniform(0, 1000), y = random.uniform(0, 1000);
            for (int i = 0; i < 17; ++i) ASSERT_TRUE(tree.insert({i, {x, y, x, y}}));
        }
        EXPECT_LE(tree.bytes(), tree.size() * 160) << "two thirds of it nodes, and a third not used yet";
        EXPECT_TRUE(tree.validate());
    }
}

TEST(ObjectQuadtreeLimits, is_as_it_was_when_a_copy_throws) {
    Tree tree({.extents = {0, 0, 100, 100}});
    const Things things = some_things(100), others = some_things(200, 3);
    ASSERT_TRUE(tree.assign(things));
    for (int copies = 0; copies < 200; copies += 33) {
        Tracked::copies_until_throw = copies;
        EXPECT_THROW((void)tree.assign(others), std::runtime_error);
        check_same(tree, things, {{0, 0, 50, 50}});
    }
    Tracked::copies_until_throw = 0;
    EXPECT_THROW((void)tree.insert(others[0]), std::runtime_error);
    Tracked::copies_until_throw = 0;
    EXPECT_THROW((void)tree.move(things[0].box, things[0]), std::runtime_error);
    Tracked::copies_until_throw = -1;
    check_same(tree, things, {{0, 0, 50, 50}});
}

TEST(ObjectQuadtreeLimits, is_as_it_was_when_a_function_or_a_visitor_throws) {
    bool throwing = false;
    const auto where = [&throwing](const Box& box) {
        if (throwing) throw std::runtime_error("no");
        return box;
    };
    ObjectQuadtree<Box, decltype(where)> tree({.extents = {0, 0, 100, 100}}, where);
    Random random(1);
    std::vector<Box> boxes;
    for (int i = 0; i < 300; ++i) boxes.push_back(some_box<float>(random));
    ASSERT_TRUE(tree.assign(boxes));
    throwing = true;
    EXPECT_THROW((void)tree.insert(boxes[0]), std::runtime_error);
    EXPECT_THROW((void)tree.remove(boxes[0]), std::runtime_error);
    EXPECT_THROW((void)tree.move(boxes[0], boxes[0]), std::runtime_error);
    EXPECT_THROW((void)tree.assign(boxes), std::runtime_error);
    throwing = false;
    const auto no = [](const auto&...) { throw std::runtime_error("no"); };
    EXPECT_THROW((void)tree.for_each_overlap({0, 0, 100, 100}, no), std::runtime_error);
    EXPECT_THROW((void)tree.for_each_pair(no), std::runtime_error);
    EXPECT_EQ(tree.size(), 300u);
    EXPECT_TRUE(tree.validate());
    for (const Box& box : boxes) ASSERT_TRUE(tree.contains(box));
}

TEST(ObjectQuadtreeLimits, finds_what_was_written_over_it) {
    Tree tree({.extents = {0, 0, 100, 100}});
    ASSERT_TRUE(tree.assign(some_things(2000)));
    auto& root = Inspector::root(tree);
    auto& child = Inspector::child(tree, 1);
    ASSERT_TRUE(sound(tree));
    ASSERT_FALSE(child.leaf());
    const auto planted = [&tree](auto& where, auto what) {
        const auto before = std::exchange(where, static_cast<std::remove_reference_t<decltype(where)>>(what));
        const bool seen = !tree.validate();
        where = before;
        return seen;
    };
    auto& first = Inspector::element(tree, root.first);
    const auto count = root.count;
    EXPECT_TRUE(planted(root.count, root.count + 1)) << "a count too large";
    EXPECT_TRUE(planted(root.count, root.count - 1)) << "a count too small";
    EXPECT_TRUE(planted(root.first, child.first)) << "two lists become one";
    EXPECT_TRUE(planted(root.first, 0xFFFFFFF0u)) << "a list that leads nowhere";
    EXPECT_TRUE(planted(root.children, 0xFFFFFFFFu)) << "children are lost";
    EXPECT_TRUE(planted(root.children, 0xFFFFFF0u)) << "children that are none";
    EXPECT_TRUE(planted(child.children, root.children)) << "a node below itself";
    EXPECT_TRUE(planted(first.next, root.first)) << "a circle";
    EXPECT_TRUE(planted(first.next, 0xFFFFFFFFu)) << "the end of a list is lost";
    root.count = 0xFFFFFFFFu;
    EXPECT_TRUE(planted(first.next, root.first)) << "a circle with a count without end";
    root.count = count;
    EXPECT_TRUE(planted(first.box.min_x, nan)) << "a box that is none";
    EXPECT_TRUE(planted(first.box, ObjectBox<float>(1, 1, 1, 1))) << "a value in the wrong node";
    EXPECT_TRUE(sound(tree));
}

}  // namespace
}  // namespace test
}  // namespace throng
