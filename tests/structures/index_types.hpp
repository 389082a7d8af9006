// The structures that the common tests run on: a line for each, and nothing else in them knows which there are.
#pragma once

#include "gtest/gtest.h"
#include "oracle/brute_index.hpp"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng::test {

// Edited element by element.
using DynamicIndexes = ::testing::Types<oracle::BruteIndex, GridHierarchy, UniformGrid>;

// All that can be asked.
using Indexes = ::testing::Types<oracle::BruteIndex, GridHierarchy, UniformGrid>;

}  // namespace throng::test
