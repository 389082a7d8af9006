// What tables that readers make find in a frame: boxes by id, piles, and crowded cells. The first call makes
// a table; threads that call meanwhile wait.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/traits.hpp"
#include "engine/src/store/spaces.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// The table of a frame with the boxes and the traits of all agents by id, which lives as long as the frame.
// Null if there is no memory for it. Then the calls below search the frame row by row.
const AgentTable* agent_table(const FrameState& frame) noexcept;
// `no_box` for an id that is not in use, and the default traits.
Box box_of(const FrameState& frame, AgentId id) noexcept;
Traits traits_of(const FrameState& frame, AgentId id) noexcept;

// The cells of a frame with very many agents, and the piles: very many agents with one and the same box. No
// grid and no tree tells these apart. A search that touches no agent of a crowded cell need not compare them
// all. One for a first hit or the nearest needs only a few of a pile.
//
// These are for simd::PileFinder. The first call of each, for a frame that may have some, looks at all agents
// of crowded cells, which takes a few hundredths of an update. Without memory there are none.
const simd::Pile* next_pile(const simd::PileFinder& finder, const AgentId* slot) noexcept;
const simd::CrowdedCell* next_crowded_cell(const simd::PileFinder& finder, const AgentId* slot) noexcept;

}  // namespace throng::detail
