// What an object quadtree does with illegal boxes, without memory, with functions that throw, with extents
// and values of any size, and with memory that was overwritten.
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "structures/tests/object_things.hpp"
#include "structures/tests/test.hpp"
#include "throng/structures/object_quadtree.hpp"

namespace throng::structures {

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
namespace of_object_quadtree_limits {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

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

#if defined(__x86_64__)
// Two cells of the widest extents have a scale that is subnormal.
TEST(ObjectQuadtreeLimits, misses_no_pair_where_hosts_take_subnormals_for_zero) {
    const Things things{{Tracked(0), {1e36f, 2.9e38f, 9e36f, 2.95e38f}},
                        {Tracked(1), {2e36f, 2.9e38f, 3e36f, 2.9e38f}},
                        {Tracked(2), {1e36f, 1e36f, 2e36f, 2e36f}}};
    for (const unsigned flushed : {0x8000u, 0x40u, 0x8040u}) {
        const unsigned before = _mm_getcsr();
        _mm_setcsr(before | flushed);
        Tree tree({.extents = {0, 0, 1e37f, 3e38f}, .split_above = 1, .max_depth = 1});
        EXPECT_TRUE(tree.assign(things));
        check_same(tree, things, {{0, 2.9e38f, 1e37f, 3e38f}});
        _mm_setcsr(before);
    }
}
#endif

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

}  // namespace of_object_quadtree_limits
}  // namespace test
}  // namespace throng::structures
