// The values in the object quadtrees of the tests, and all their queries answered by a look at every value.
#pragma once

#include "structures/tests/test.hpp"
#include "structures/tests/tracked.hpp"
#include "throng/structures/object_quadtree.hpp"

namespace throng::structures::test {

// Knows its box, is told apart by its number, counts its copies and may throw in them.
template <class Float>
struct Thing {
    Tracked name;
    ObjectBox<Float> box;

    int number() const { return name.number(); }
    friend bool operator==(const Thing& a, const Thing& b) { return a.name == b.name; }
};

template <class Float>
struct BoxOfThing {
    const ObjectBox<Float>& operator()(const Thing<Float>& thing) const noexcept { return thing.box; }
};

template <class Float>
using ThingTree = ObjectQuadtree<Thing<Float>, BoxOfThing<Float>, std::equal_to<Thing<Float>>, Float>;

using Numbers = std::vector<int>;
using NumberPairs = std::vector<std::pair<int, int>>;

template <class Tree, class Box>
Numbers found(const Tree& tree, const Box& box) {
    Numbers numbers;
    EXPECT_TRUE(tree.for_each_overlap(box, [&](const auto& thing) { numbers.push_back(thing.number()); }));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}
template <class Tree, class Box>
Numbers found_without(const Tree& tree, const Box& box, int omitted) {
    Numbers numbers;
    EXPECT_TRUE(tree.for_each_overlap(box, [&](const auto& thing) { numbers.push_back(thing.number()); },
                                      {Tracked(omitted), {}}));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}
template <class Tree>
NumberPairs meeting(Tree& tree) {
    NumberPairs pairs;
    EXPECT_TRUE(tree.for_each_pair([&](const auto& a, const auto& b) {
        pairs.emplace_back(std::min(a.number(), b.number()), std::max(a.number(), b.number()));
    }));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}
template <class Tree>
Numbers all_of(const Tree& tree) {
    Numbers numbers;
    tree.for_each_element([&](const auto& thing) { numbers.push_back(thing.number()); });
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

template <class Float>
Numbers found(const std::vector<Thing<Float>>& things, const ObjectBox<Float>& box) {
    Numbers numbers;
    for (const Thing<Float>& thing : things)
        if (thing.box.overlaps(box)) numbers.push_back(thing.number());
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}
template <class Float>
NumberPairs meeting(const std::vector<Thing<Float>>& things) {
    NumberPairs pairs;
    for (std::size_t i = 0; i < things.size(); ++i)
        for (std::size_t k = 0; k < i; ++k)
            if (things[i].box.overlaps(things[k].box))
                pairs.emplace_back(std::min(things[i].number(), things[k].number()),
                                   std::max(things[i].number(), things[k].number()));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

template <class Float>
::testing::AssertionResult sound(const ThingTree<Float>& tree) {
    const IndexValidation report = tree.validate();
    if (report) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << report.what << " at " << report.where;
}
// Content and answers are those of the things, and the inside is sound.
template <class Float>
void check_same(ThingTree<Float>& tree, const std::vector<Thing<Float>>& things,
                const std::vector<ObjectBox<Float>>& queries) {
    ASSERT_TRUE(sound(tree));
    ASSERT_EQ(tree.size(), things.size());
    Numbers numbers;
    for (const Thing<Float>& thing : things) numbers.push_back(thing.number());
    std::sort(numbers.begin(), numbers.end());
    ASSERT_EQ(all_of(tree), numbers);
    for (const ObjectBox<Float>& box : queries) {
        Numbers all = found(things, box);
        ASSERT_EQ(found(tree, box), all);
        if (all.empty()) continue;
        // Without one of them.
        const int omitted = all[all.size() / 2];
        all.erase(all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2));
        ASSERT_EQ(found_without(tree, box, omitted), all);
    }
    ASSERT_EQ(meeting(tree), meeting(things));
}

// Mostly small, some large, some on the centre lines of [0, 100] x [0, 100], some beyond it.
template <class Float>
ObjectBox<Float> some_box(Random& random) {
    const auto half = static_cast<Float>(random.one_in(20) ? random.uniform(0, 60) : random.uniform(0, 1));
    const auto x = static_cast<Float>(random.one_in(10) ? 50 : random.uniform(-10, 110));
    const auto y = static_cast<Float>(random.one_in(10) ? 25 : random.uniform(-10, 110));
    return ObjectBox<Float>::around(x, y, half, half / 2);
}

}  // namespace throng::structures::test
