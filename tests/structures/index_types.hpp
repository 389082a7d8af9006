// The structures that the common tests run on: a line for each, and nothing else in them knows which there are.
#pragma once

#include "bench/compare/object_index.hpp"
#include "gtest/gtest.h"
#include "oracle/brute_index.hpp"

namespace throng::test {

// Edited element by element.
using DynamicIndexes = ::testing::Types<oracle::BruteIndex, bench::ObjectIndex>;

// All that can be asked.
using Indexes = ::testing::Types<oracle::BruteIndex, bench::ObjectIndex>;

}  // namespace throng::test
