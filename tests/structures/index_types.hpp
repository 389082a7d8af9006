// The structures that the common tests run on: a line for each, and nothing else in them knows which there
// are.
#pragma once

#include "bench/common/object_index.hpp"
#include "gtest/gtest.h"
#include "oracle/brute_index.hpp"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng::test {

// Edited element by element.
using DynamicIndexes = ::testing::Types<oracle::BruteIndex, UniformGrid, LooseQuadtree, RowGrid, Quadtree,
                                        LooseGrid, bench::ObjectIndex, GridHierarchy>;

// All that can be asked.
using Indexes = ::testing::Types<oracle::BruteIndex, UniformGrid, LooseQuadtree, StaticIndex, RowGrid,
                                 Quadtree, LooseGrid, bench::ObjectIndex, GridHierarchy>;

}  // namespace throng::test
