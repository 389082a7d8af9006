// Where a frame has very many agents in a cell, and where very many of them have one and the same box: a
// pile. No grid and no tree tells them apart. A search that touches none of a crowded cell's agents need not
// compare them all, nor one for a first hit or the nearest all of a pile, since it needs a few.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// For simd::PileFinder. The first call of each for a frame that may have some looks at all agents of crowded
// cells, which takes a few hundredths of an update, and others wait. Without memory for it there are none.
const simd::Pile* next_pile(const simd::PileFinder& finder, const AgentId* slot) noexcept;
const simd::CrowdedCell* next_crowded_cell(const simd::PileFinder& finder, const AgentId* slot) noexcept;

}  // namespace throng::detail
