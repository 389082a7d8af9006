// The cells of a frame with very many agents, and the piles: very many agents with one and the same box. No
// grid and no tree tells these apart. A search that touches no agent of a crowded cell need not compare them
// all. One for a first hit or the nearest needs only a few of a pile.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// For simd::PileFinder. The first call of each, for a frame that may have some, looks at all agents of
// crowded cells. That takes a few hundredths of an update, and others wait. Without memory there are none.
const simd::Pile* next_pile(const simd::PileFinder& finder, const AgentId* slot) noexcept;
const simd::CrowdedCell* next_crowded_cell(const simd::PileFinder& finder, const AgentId* slot) noexcept;

}  // namespace throng::detail
