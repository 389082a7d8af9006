// Builds the part of a frame that queries read: the last step, after its rows. Regions get their views,
// islands their bounds, and the oversized agents their tree.
#pragma once

#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"

namespace throng::detail {

// Returns false if there is no memory.
[[nodiscard]] bool finish_view(FrameState& frame) noexcept;
// How a frame differs from the one before.
struct Changes {
    std::span<const std::uint32_t> touched;  // rows, in ascending order
    bool up_to_date;                         // from Store::take_frame_after
    std::span<const OversizedEdit> oversized;
};
// The same for a frame on the same map as the one before.
[[nodiscard]] bool finish_view(FrameState& frame, const FrameState& before, const Changes& changes) noexcept;

}  // namespace throng::detail
