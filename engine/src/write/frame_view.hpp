// What queries read of a frame: made last, when its rows are there. Regions get their views, islands their
// bounds, and the oversized agents their tree.
#pragma once

#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/oversized_tree.hpp"

namespace throng::detail {

// False if there is no memory.
[[nodiscard]] bool finish_view(FrameState& frame) noexcept;
// How a frame differs from the one before.
struct Changes {
    std::span<const std::uint32_t> touched;  // rows, in ascending order
    bool up_to_date;                         // as Store::take_frame_after says it
    std::span<const GiantEdit> giants;
};
// The same for a frame that differs from the one before, which stands on the same map.
[[nodiscard]] bool finish_view(FrameState& frame, const FrameState& before, const Changes& changes) noexcept;

}  // namespace throng::detail
