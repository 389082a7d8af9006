// What the tests of the loose quadtree have in common: brute force over what a tree says it holds, and its
// nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "support/random.hpp"
#include "throng/structures/loose_quadtree.hpp"

namespace throng::test::loose {

using IdPairs = std::vector<std::pair<ElementId, ElementId>>;

inline std::vector<ElementId> ids_of(const LooseQuadtree& tree) {
    std::vector<ElementId> ids;
    tree.for_each_element([&](ElementId id) { ids.push_back(id); });
    std::sort(ids.begin(), ids.end());
    return ids;
}

inline std::vector<ElementId> found(const LooseQuadtree& tree, const Box& box) {
    std::vector<ElementId> ids;
    EXPECT_TRUE(tree.for_each_overlap(box, [&](ElementId id) { ids.push_back(id); }));
    std::sort(ids.begin(), ids.end());
    return ids;
}

inline IdPairs pairs_of(LooseQuadtree& tree) {
    IdPairs pairs;
    EXPECT_TRUE(tree.for_each_pair(
        [&](Pair pair) { pairs.emplace_back(std::min(pair.a, pair.b), std::max(pair.a, pair.b)); }));
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

inline std::vector<Part> parts_of(const LooseQuadtree& tree) {
    std::vector<Part> parts;
    tree.for_each_part([&](const Part& part) { parts.push_back(part); });
    return parts;
}

// Pairs, and queries as large as elements, by brute force.
inline void expect_right(LooseQuadtree& tree) {
    const IndexValidation state = tree.validate();
    ASSERT_TRUE(state) << state.what << " at " << state.where;
    const std::vector<ElementId> ids = ids_of(tree);
    ASSERT_EQ(ids.size(), tree.size());
    std::vector<Box> boxes;
    for (const ElementId id : ids) boxes.push_back(tree.box(id));
    IdPairs touching;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        std::vector<ElementId> overlapping;
        for (std::size_t k = 0; k < ids.size(); ++k) {
            if (!boxes[i].overlaps(boxes[k])) continue;
            overlapping.push_back(ids[k]);
            if (i < k) touching.emplace_back(ids[i], ids[k]);
        }
        if (i % 7 == 0) {
            ASSERT_EQ(found(tree, boxes[i]), overlapping);
        }
    }
    ASSERT_EQ(pairs_of(tree), touching);
    const IndexValidation after = tree.validate();
    ASSERT_TRUE(after) << after.what << " at " << after.where;
}

// As in a crowd of half of them, within a square of the given side.
inline std::vector<Box> some_boxes(std::size_t count, float side, float half, std::uint64_t seed = 1) {
    Random random(seed);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), half * random.uniform(),
                                    half * random.uniform()));
    return boxes;
}

inline LooseQuadtree::Config config_of(float side, std::uint32_t max_depth = 10,
                                       std::uint32_t leaf_elements = 4) {
    return {.extents = {0, 0, side, side}, .max_depth = max_depth, .leaf_elements = leaf_elements};
}

}  // namespace throng::test::loose
