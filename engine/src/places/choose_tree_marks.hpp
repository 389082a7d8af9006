// Where the tree over a frame's oversized agents divides the axes (curve.hpp). Its places are laid over the grid or all tiles,
// or by octaves around the innermost cut. These belong to the plan, which may be older than the frame. Where they leave many
// oversized agents at a few places, the axes are divided by marks among these agents instead (frame/tree_marks.hpp). What
// is better is tried on a sample of them.
#pragma once

#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

// Gives a frame that was built from scratch its marks, if they spread its oversized agents, and counts how many pairs of these
// share a place then. The rows have to be there, the tree must not. Returns false if there is no memory.
[[nodiscard]] bool choose_tree_marks(FrameState& frame) noexcept;

}  // namespace throng::detail
