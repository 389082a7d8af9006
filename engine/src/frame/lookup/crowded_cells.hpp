// Where the agents of a frame's crowded cells are (simd/types.hpp): a search that touches none of them need
// not compare them all.
#pragma once

#include <cstdint>

#include "engine/src/frame/frame_state.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// For simd::PileFinder. The first call looks at all agents of such cells, which takes as long as one search
// that compares them, and others wait. Without memory for it there are none.
const simd::CrowdedCell* next_crowded_cell(const simd::PileFinder& finder, const AgentId* slot) noexcept;

}  // namespace throng::detail
