// What questions read of a frame: made last, when its rows are there. Regions get their views, islands their
// bounds, and the oversized agents their tree.
#pragma once

#include "engine/src/frame_state.hpp"

namespace throng::detail {

// False if there is no memory.
[[nodiscard]] bool finish_view(FrameState& frame) noexcept;

}  // namespace throng::detail
