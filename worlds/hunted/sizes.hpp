// How large the agents of a layer are.
#pragma once

#include <span>

#include "worlds/hunted/recipe.hpp"

namespace throng::worlds {

std::span<const Recipe> size_laws() noexcept;

// Half sizes of agents at these points. `side` is that of the plain crowd's square.
void give_sizes(const Call& call, double side, std::span<const Point> points, Random& random,
                std::span<Point> halves);

}  // namespace throng::worlds
