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

// Up to so many are left to the places of the map, where these tell them apart and they are not long.
inline constexpr std::size_t few_oversized = 512;

// Gives a frame that was built from scratch marks, if it has many oversized agents, and counts how many pairs share a place. The
// rows have to be there, the tree must not. Returns false if there is no memory.
[[nodiscard]] bool choose_tree_marks(FrameState& frame) noexcept;

// Gives it other marks. A hole in a row counts as an agent that is nowhere.
[[nodiscard]] bool renew_tree_marks(FrameState& frame) noexcept;

}  // namespace throng::detail
