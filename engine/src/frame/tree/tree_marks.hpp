// Which marks divide the tree over the oversized agents of a frame (oversized_tree.hpp, mark_maker.hpp).
#pragma once

#include <cstddef>

#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

class TreeBlocks;

// Up to few_oversized agents go by the ranks of the map, if these tell them apart and they are not long.
inline constexpr std::size_t few_oversized = 512;

// Gives marks to a frame that was built from scratch, if it has many oversized agents. It has rows, but no
// tree yet. Returns false if there is no memory.
[[nodiscard]] bool choose_tree_marks(FrameState& frame, TreeBlocks& blocks) noexcept;

// Gives it other marks. A slot without an agent counts as one that is nowhere.
[[nodiscard]] bool renew_tree_marks(FrameState& frame, TreeBlocks& blocks) noexcept;

}  // namespace throng::detail
