// The queries and edits that a world is measured with. All of them are made from its own boxes.
#pragma once

#include <cstddef>
#include <vector>

#include "throng/geometry.hpp"
#include "throng/queries/shapes.hpp"
#include "worlds/hunted/arithmetic.hpp"

namespace throng::hunt {

std::vector<Box> shuffled(const std::vector<Box>& boxes, worlds::Random& random);
// Neighbours one after the other.
std::vector<Box> coherent(const std::vector<Box>& boxes);
// The first `count` of them, or all.
std::vector<Box> sample(const std::vector<Box>& boxes, std::size_t count, worlds::Random& random);
// Squares around agents, with a hundred times the area of the typical agent.
std::vector<Box> wide(const std::vector<Box>& boxes, std::size_t count, worlds::Random& random);
// Circles around agents, five times as wide as the typical agent is long, and thin segments from agents in
// all directions, twenty times as long as it.
std::vector<Shape> circles(const std::vector<Box>& boxes, std::size_t count, worlds::Random& random);
std::vector<Shape> segments(const std::vector<Box>& boxes, std::size_t count, worlds::Random& random);
// The box a small step further.
Box nudged(const Box& box);

}  // namespace throng::hunt
