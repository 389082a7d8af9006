// How many oversized agents are at one place of the tree over them (oversized_tree.hpp). The tree cannot divide
// these by where they are, so whatever meets one of them is compared with all. Where there are marks (mark_maker.hpp), only boxes
// that are nearly the same share a place.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

// The pairs of oversized agents that share a place, as far as a sample can tell; none where few agents are oversized,
// since looking would cost these frames more than it could save. The rows have to be there, the tree need not.
std::uint64_t pairs_that_share_places(const FrameState& frame) noexcept;

// What searches by oversized agents compare in vain in cells, above what each of them counts for (Tuner::work_of_oversized), as far
// as a sample can tell. One that is as wide as hundreds of cells of its region goes through all of these; where agents have
// walked to an island that was planned for smaller ones, half of all may do so. None where few agents are oversized. For a frame that
// was built from scratch.
std::uint64_t looks_of_oversized(const FrameState& frame) noexcept;

// Up to so many are left to the places of the map, where these tell them apart and they are not long.
inline constexpr std::size_t few_oversized = 512;

// Gives a frame that was built from scratch marks, if it has many oversized agents, and counts how many pairs share a place. The
// rows have to be there, the tree must not. Returns false if there is no memory.
[[nodiscard]] bool choose_tree_marks(FrameState& frame) noexcept;

// Gives it other marks. A hole in a row counts as an agent that is nowhere.
[[nodiscard]] bool renew_tree_marks(FrameState& frame) noexcept;

// What searches by agents on islands cost outside of islands, in pairs of agents. For each region: the pairs that share a cell of
// its open, times the agents on its islands over the agents in its open. Cells of the open that were empty when the islands were
// planned fill as agents walk off them, and all these searches go through them. For a frame that was built from scratch.
std::uint64_t pairs_beside_islands(const FrameState& frame) noexcept;

}  // namespace throng::detail
