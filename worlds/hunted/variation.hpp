// Random worlds, worlds that differ a little from others, and worlds between two: what breeding needs.
#pragma once

#include <vector>

#include "worlds/hunted/world.hpp"

namespace throng::worlds {

World random_world(std::size_t agents, Random& random);
World mutated(World world, Random& random);
World crossed(const World& a, const World& b, Random& random);
// All worlds that say one thing less, those with fewer layers first.
std::vector<World> simpler(const World& world);

}  // namespace throng::worlds
