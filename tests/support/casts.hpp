// Casts that are awkward for the agents of a scene.
#pragma once

#include "support/test.hpp"

namespace throng::test {

// Rays from agent to agent, along edges and through corners, along the axes, across the world and far beyond
// it; boxes and circles that move, a lot, a little or not at all. All of them legal.
std::vector<Cast> casts_for(const Scene& scene, std::size_t count, std::uint64_t seed = 1);
// Most of them with heights that are awkward for agents with random ones (support/filtered_answers.hpp).
std::vector<Cast> at_some_heights(std::vector<Cast> casts, std::uint64_t seed = 1);

}  // namespace throng::test
