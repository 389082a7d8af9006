// Where the agents of a layer stand, around the origin.
#pragma once

#include <span>

#include "worlds/hunted/recipe.hpp"

namespace throng::worlds {

std::span<const Recipe> placements() noexcept;

// `side` is the side of the square in which all agents of the world would be a plain crowd.
void place(const Call& call, double side, Random& random, std::span<Point> points);

}  // namespace throng::worlds
