// What questions read of a frame: made last, when its rows are there. Regions get their views, islands their
// bounds, and the oversized agents their tree.
#pragma once

#include <cstdint>
#include <span>

#include "engine/src/frame_state.hpp"
#include "engine/src/oversized_tree.hpp"

namespace throng::detail {

// False if there is no memory.
[[nodiscard]] bool finish_view(FrameState& frame) noexcept;
// The same for a frame that differs from the one before, which stands on the same map, in some rows. These are
// in ascending order. `giants` are the edits of oversized agents.
[[nodiscard]] bool finish_view(FrameState& frame, const FrameState& before,
                               std::span<const std::uint32_t> touched,
                               std::span<const GiantEdit> giants) noexcept;

}  // namespace throng::detail
