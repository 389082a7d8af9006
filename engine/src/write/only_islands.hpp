// The chains of nested islands as searches need them: the boxes that have all their agents on one
// island, and on all islands around it.
//
// A search finds its innermost island by halving these bounds. They are those of the step from level to level
// (IslandSearch::only_island): each is made a little narrower than what rounding could need, and then checked by the
// step itself, which keeps order. So what is within them would have taken every step, whatever the rounding.
#pragma once

#include <cstdint>

#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

// Sets the bounds of a cut that is on a chain; `reach` is that of all agents of its region. Those of the chain are
// followed up afterwards.
void note_only_island(FrameState& frame, std::uint32_t cut, const simd::RowReach& reach) noexcept;
// Follows up a chain from this cut inwards, as far as anything changes.
void follow_chain(FrameState& frame, std::uint32_t cut) noexcept;
// Follows up all chains of a frame whose cuts are all noted.
void follow_chains(FrameState& frame) noexcept;

}  // namespace throng::detail
