// What searches by agents on islands compare outside of islands.
#pragma once

#include <cstdint>

#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

// In pairs of agents, of a frame that was built from scratch. Cells of a region's open that were empty when the islands were planned
// fill as agents walk off them, and searches from islands go through them. For each region: the pairs that share a cell of its
// open, times the agents on its islands over the agents in its open. If that comes to more than one pair an agent, only agents
// count of which a search looks into more than one tile, as some of each row tell: any other search is done with its island.
std::uint64_t pairs_beside_islands(const FrameState& frame) noexcept;

}  // namespace throng::detail
