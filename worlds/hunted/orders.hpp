// Which agent has which id.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "worlds/hunted/recipe.hpp"

namespace throng::worlds {

std::span<const Recipe> orders() noexcept;

// The agents as they were placed, layer after layer.
struct Placed {
    std::span<const Point> centres;
    // Where the last layer begins.
    std::size_t last_layer = 0;
};

// Element `i` is the agent that gets the id `i`.
std::vector<std::uint32_t> order(const Call& call, const Placed& placed, Random& random);

// Neighbours one after the other: along the curve through cells of the bounding box.
std::vector<std::uint32_t> morton_order(std::span<const Point> centres);

}  // namespace throng::worlds
