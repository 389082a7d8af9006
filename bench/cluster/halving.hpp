// Plain recursive halving of a sample that one rank has, to show what Zoltan costs and gives: each half of
// the ranks gets half of the points, along the longer side.
#pragma once

#include <span>
#include <vector>

#include "throng/geometry.hpp"

namespace throng::cluster_bench {

// How many of the points each rank has.
std::vector<std::size_t> halved(std::vector<Point> points, int ranks);

}  // namespace throng::cluster_bench
