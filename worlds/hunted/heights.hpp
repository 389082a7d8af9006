// At which heights the agents are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "throng/labels.hpp"
#include "worlds/hunted/recipe.hpp"

namespace throng::worlds {

std::span<const Recipe> height_laws() noexcept;

// Of each agent by its id; none, if every agent is at every height.
std::vector<Band> heights_of(const Call& call, std::size_t agents, std::uint64_t seed);

}  // namespace throng::worlds
