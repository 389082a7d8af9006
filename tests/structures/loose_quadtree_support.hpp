// What the tests of the loose quadtree have in common: brute force over what a tree says it holds, and its
// nodes.
#pragma once

#include "structures/index_answers.hpp"
#include "support/test.hpp"
#include "throng/structures/loose_quadtree.hpp"

namespace throng::test::loose {

inline void expect_right(LooseQuadtree& tree) { expect_same_as_brute_force(tree, 7); }

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
