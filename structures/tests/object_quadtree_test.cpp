#include "throng/structures/object_quadtree.hpp"
#include "structures/tests/object_things.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {
namespace of_object_quadtree {

constexpr Box world{0, 0, 100, 100};

template <class Float>
class ObjectQuadtreeOf : public ::testing::Test {};
using Floats = ::testing::Types<float, double>;
TYPED_TEST_SUITE(ObjectQuadtreeOf, Floats);

template <class Float>
class History {
public:
    History(typename ThingTree<Float>::Config config, std::uint64_t seed, std::size_t most)
        : tree_(config), random_(seed), most_(most) {}

    void step(bool growing) {
        const std::size_t k = things_.empty() ? 0 : random_.below(things_.size());
        const std::size_t choice = things_.empty() ? 0 : random_.below(10);
        if (choice < (growing ? 5u : 1u) && things_.size() < most_)
            add();
        else if (choice < 6)
            move(k);
        else if (!things_.empty())
            remove(k);
    }
    void check() {
        std::vector<ObjectBox<Float>> queries;
        for (int i = 0; i < 10; ++i) queries.push_back(some_box<Float>(random_));
        check_same(tree_, things_, queries);
    }
    void assign_some(std::size_t count) {
        things_.clear();
        for (std::size_t i = 0; i < count; ++i)
            things_.push_back({Tracked(next_number_++), some_box<Float>(random_)});
        ASSERT_TRUE(tree_.assign(things_));
    }

private:
    void add() {
        things_.push_back({Tracked(next_number_++), some_box<Float>(random_)});
        ASSERT_FALSE(tree_.contains(things_.back()));
        ASSERT_TRUE(tree_.insert(things_.back()));
        ASSERT_TRUE(tree_.contains(things_.back()));
    }
    void move(std::size_t k) {
        const ObjectBox<Float> from = things_[k].box;
        const auto step = static_cast<Float>(random_.uniform(-1, 1));
        const ObjectBox<Float> near{from.min_x + step, from.min_y, from.max_x + step, from.max_y};
        things_[k].box = random_.one_in(2) ? near : some_box<Float>(random_);
        ASSERT_TRUE(tree_.move(from, things_[k]));
    }
    void remove(std::size_t k) {
        ASSERT_TRUE(tree_.remove(things_[k]));
        ASSERT_FALSE(tree_.remove(things_[k])) << "it is gone";
        std::swap(things_[k], things_.back());
        things_.pop_back();
    }

    ThingTree<Float> tree_;
    Random random_;
    std::size_t most_;
    int next_number_ = 0;
    std::vector<Thing<Float>> things_;
};

TYPED_TEST(ObjectQuadtreeOf, answers_as_brute_force_does_after_any_history) {
    struct Shape {
        std::uint32_t split_above, max_depth;
    };
    for (const Shape shape : {Shape{16, 8}, Shape{1, 14}, Shape{2, 3}, Shape{4, 1}, Shape{16, 0}}) {
        SCOPED_TRACE(shape.max_depth);
        History<TypeParam> history({world, shape.split_above, shape.max_depth}, 7 + shape.max_depth, 500);
        for (std::size_t step = 0; step < scaled(4000, 800); ++step) {
            history.step(step % 1000 < 600);
            if (step % 100 == 99) history.check();
            if (step % 1500 == 1499) history.assign_some(step % 7 * 100);
            if (this->HasFatalFailure()) return;
        }
    }
    EXPECT_EQ(Tracked::living, 0);
}

TYPED_TEST(ObjectQuadtreeOf, answers_as_brute_force_does_after_an_assignment) {
    Random random(3);
    History<TypeParam> history({world, 16, 9}, 11, 0);
    for (const std::size_t count : {0u, 1u, 16u, 17u, 2500u, 300u, 0u, 40u}) {
        history.assign_some(count);
        history.check();
        if (this->HasFatalFailure()) return;
    }
}

// Boxes on a grid of whole numbers, whose edges lie on those of nodes.
std::vector<Thing<float>> row_of_things(int count) {
    std::vector<Thing<float>> things;
    for (int i = 0; i < count; ++i) {
        const auto x = static_cast<float>(i % 30) * 3 + 1;
        const auto y = static_cast<float>(i / 30) * 3 + 1;
        things.push_back({Tracked(i), {x, y, x + 1, y + 1}});
    }
    return things;
}

std::vector<ThingTree<float>::Part> parts(const ThingTree<float>& tree) {
    std::vector<ThingTree<float>::Part> all;
    tree.for_each_part([&](const ThingTree<float>::Part& part) { all.push_back(part); });
    return all;
}

TEST(ObjectQuadtree, splits_full_leaves_and_merges_them_when_half_as_many_are_left) {
    ThingTree<float> tree({.extents = world, .split_above = 4, .max_depth = 6});
    const std::vector<Thing<float>> things = row_of_things(900);
    std::size_t max_parts = 0;
    for (const Thing<float>& thing : things) {
        ASSERT_TRUE(tree.insert(thing));
        max_parts = std::max(max_parts, parts(tree).size());
    }
    EXPECT_GT(max_parts, 200u);
    for (const auto& part : parts(tree))
        ASSERT_LE(part.leaf && part.depth < 6 ? part.values : 0, 4u) << "a full leaf was not split";
    for (std::size_t i = 0; i + 2 < things.size(); ++i) ASSERT_TRUE(tree.remove(things[i]));
    EXPECT_EQ(parts(tree).size(), 1u) << "two are left, which the root can hold";
    EXPECT_EQ(all_of(tree), (Numbers{898, 899}));
    EXPECT_TRUE(sound(tree));
}

TEST(ObjectQuadtree, does_not_split_and_merge_each_time_at_the_limit) {
    CountingResource memory;
    ThingTree<float> tree({.extents = world, .split_above = 4, .max_depth = 6}, {}, {}, &memory);
    std::vector<Thing<float>> things = row_of_things(60);
    things.erase(things.begin() + 5, things.begin() + 55);
    for (const Thing<float>& thing : things) ASSERT_TRUE(tree.insert(thing));
    const std::size_t split = parts(tree).size();
    EXPECT_GT(split, 1u);
    ASSERT_TRUE(tree.remove(things[0]));
    EXPECT_EQ(parts(tree).size(), split) << "four fewer would be needed for a merge";
}

TEST(ObjectQuadtree, keeps_each_value_in_the_smallest_node_that_holds_it) {
    ThingTree<float> tree({.extents = {0, 0, 64, 64}, .split_above = 1, .max_depth = 3});
    const std::vector<Thing<float>> things = {
        {Tracked(0), {31, 1, 33, 2}},   // across the first line
        {Tracked(1), {15, 1, 17, 2}},   // across that of the first quarter
        {Tracked(2), {1, 1, 2, 2}},     // in the first cell of all
        {Tracked(3), {60, 60, 61, 61}}  // alone in its quarter
    };
    for (const Thing<float>& thing : things) ASSERT_TRUE(tree.insert(thing));
    std::vector<std::pair<std::uint32_t, float>> holding;
    for (const auto& part : parts(tree))
        if (part.values != 0) holding.emplace_back(part.depth, part.box.max_x);
    EXPECT_EQ(holding, (std::vector<std::pair<std::uint32_t, float>>{{0, 64}, {1, 32}, {2, 16}, {1, 64}}));
}

TEST(ObjectQuadtree, tells_values_apart_by_equality_and_place) {
    ThingTree<float> tree({.extents = world});
    const Thing<float> here{Tracked(1), {10, 10, 11, 11}}, there{Tracked(1), {80, 80, 81, 81}};
    ASSERT_TRUE(tree.assign(row_of_things(200)));
    tree.clear();
    EXPECT_FALSE(tree.remove(here));
    ASSERT_TRUE(tree.insert(here) && tree.insert(here) && tree.assign(row_of_things(300)));
    ASSERT_TRUE(tree.insert(here) && tree.insert(here));
    EXPECT_FALSE(tree.contains(there)) << "equal, but not there";
    EXPECT_TRUE(tree.contains(here.box, there));
    EXPECT_TRUE(tree.remove(here));
    EXPECT_TRUE(tree.remove(here.box, there)) << "the second of two equal ones";
    EXPECT_FALSE(tree.remove(here));
    EXPECT_EQ(tree.size(), 300u);
    EXPECT_EQ(tree.move(here.box, there).code, Code::unknown_id);
}

TEST(ObjectQuadtree, goes_by_the_box_that_a_value_had_when_it_was_added) {
    auto lamp = std::make_unique<Box>(Box{1, 1, 2, 2});
    const auto where = [](const Box* object) { return *object; };
    ObjectQuadtree<const Box*, decltype(where)> tree({.extents = world}, where);
    ASSERT_TRUE(tree.insert(lamp.get()));
    const Box before = std::exchange(*lamp, {90, 90, 91, 91});
    int hits = 0;
    ASSERT_TRUE(tree.for_each_overlap(before, [&](const Box*) { ++hits; }));
    EXPECT_EQ(hits, 1);
    ASSERT_TRUE(tree.move(before, lamp.get()));
    ASSERT_TRUE(tree.for_each_overlap(before, [&](const Box*) { ++hits; }));
    EXPECT_EQ(hits, 1);
    EXPECT_TRUE(tree.remove(lamp.get()));
}

TEST(ObjectQuadtree, stops_when_a_visitor_has_seen_enough) {
    ThingTree<float> tree({.extents = world});
    std::vector<Thing<float>> things = row_of_things(500);
    for (Thing<float>& thing : things) thing.box.max_x += 3;  // so that neighbours meet
    ASSERT_TRUE(tree.assign(things));
    int seen = 0;
    const auto three = [&](const auto&...) { return ++seen < 3; };
    ASSERT_TRUE(tree.for_each_overlap(world, three));
    EXPECT_EQ(std::exchange(seen, 0), 3);
    ASSERT_TRUE(tree.for_each_pair(three));
    EXPECT_EQ(std::exchange(seen, 0), 3);
    tree.for_each_element(three);
    EXPECT_EQ(std::exchange(seen, 0), 3);
    tree.for_each_part(three);
    EXPECT_EQ(seen, 3);
}

// Neither the value nor the functions can be copied.
struct LivesThere {
    std::unique_ptr<float> offset;
    Box operator()(const std::unique_ptr<Box>& house) const {
        return {house->min_x + *offset, house->min_y, house->max_x + *offset, house->max_y};
    }
};
struct SameHouse {
    std::unique_ptr<int> nothing;
    bool operator()(const std::unique_ptr<Box>& a, const std::unique_ptr<Box>& b) const { return *a == *b; }
};

TEST(ObjectQuadtree, takes_values_and_functions_that_can_only_be_moved) {
    using Houses = ObjectQuadtree<std::unique_ptr<Box>, LivesThere, SameHouse>;
    Houses first({.extents = world}, LivesThere{std::make_unique<float>(0.5f)}, SameHouse{});
    for (int i = 0; i < 100; ++i) {
        const auto x = static_cast<float>(i);
        ASSERT_TRUE(first.insert(std::make_unique<Box>(Box{x, x, x + 1, x + 1})));
    }
    Houses tree = std::move(first);
    EXPECT_EQ(tree.size(), 100u);
    EXPECT_TRUE(tree.validate());
    std::vector<float> found;
    ASSERT_TRUE(tree.for_each_overlap({20, 20, 20.4f, 20.4f},
                                      [&](const auto& house) { found.push_back(house->min_x); }));
    EXPECT_EQ(found, (std::vector<float>{19})) << "20 and a half begins further right";
    EXPECT_TRUE(tree.remove(std::make_unique<Box>(Box{7, 7, 8, 8})));
    EXPECT_TRUE(tree.move(Box{9.5f, 9, 10.5f, 10}, std::make_unique<Box>(Box{9, 9, 10, 10})));
    std::vector<std::unique_ptr<Box>> some;
    for (int i = 0; i < 30; ++i) some.push_back(std::make_unique<Box>(Box{1, 1, 2, 2}));
    const auto moved = [&some](std::size_t i) -> std::unique_ptr<Box>&& { return std::move(some[i]); };
    ASSERT_TRUE(tree.assign(some.size(), moved));
    EXPECT_EQ(tree.size(), 30u);
    EXPECT_EQ(some[0], nullptr);
}

struct Lamp {
    std::string name;
    Box bounds;
    bool operator==(const Lamp&) const = default;
};

TEST(ObjectQuadtree, takes_a_member_as_the_function_that_says_where_a_value_is) {
    ObjectQuadtree<Lamp, Box Lamp::*> tree({.extents = world}, &Lamp::bounds);
    ASSERT_TRUE(tree.insert({"left", {1, 1, 2, 2}}) && tree.insert({"right", {80, 1, 82, 2}}));
    std::string found;
    ASSERT_TRUE(tree.for_each_overlap({70, 0, 90, 9}, [&](const Lamp& lamp) { found += lamp.name; }));
    EXPECT_EQ(found, "right");
}

struct NoBox {
    int operator()(int) const { return 0; }
};
struct NotConst {
    Box operator()(int) { return {}; }
};
struct Doubles {
    ObjectBox<double> operator()(int) const { return {}; }
};
struct OnlyEqualToSome {
    bool operator()(int, const char*) const { return false; }
};
static_assert(!BoxGetter<NoBox, int, float> && !BoxGetter<NotConst, int, float>);
static_assert(BoxGetter<Doubles, int, double> && !BoxGetter<Doubles, int, float>);
static_assert(!ValueEquality<OnlyEqualToSome, int> && ValueEquality<std::equal_to<int>, int>);
static_assert(!ObjectValue<const int> && !ObjectValue<int&> && ObjectValue<std::unique_ptr<int>>);
static_assert(ValueVisitor<void (*)(int), int> && !ValueVisitor<std::string (*)(int), int>);

}  // namespace of_object_quadtree
}  // namespace throng::structures::test
