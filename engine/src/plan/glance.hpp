// What a few agents tell of a frame before it is built.
#pragma once

#include "engine/src/frame/world_map.hpp"
#include "engine/src/plan/agents.hpp"
#include "simd/kernels.hpp"

namespace throng::detail {

// The work for each agent of a frame on this map (probe.hpp): at least so much, as far as a few hundred agents can tell. So it
// sees only what is much.
double work_at_a_glance(const simd::Kernels& kernels, const WorldMap& map, const Agents& agents) noexcept;

}  // namespace throng::detail
