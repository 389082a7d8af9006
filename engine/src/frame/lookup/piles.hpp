// Where a frame has very many agents with one and the same box in a cell. No grid and no tree tells them
// apart, so a search would look at each of them: for a first hit or the nearest, which need a few.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// For simd::PileFinder. The first call for a frame that may have piles looks for all of them, and others
// wait: that takes a look at the agents of overfull cells, which is a few hundredths of an update. Without
// memory for them there are none.
const simd::Pile* next_pile(const simd::PileFinder& finder, const AgentId* slot) noexcept;

}  // namespace throng::detail
