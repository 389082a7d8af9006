// Turns a window of a batch of questions into packets: the questions in an order in which neighbours in the world follow
// each other, so that the few cells around them stay in the first-level cache while they are asked. One counting sort by
// a coarse cell does it; within a packet order does not matter.
//
// Where the caller's questions come in such an order already, they are left as they are.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/frame_state.hpp"
#include "engine/src/work_spaces.hpp"
#include "throng/boxes.hpp"
#include "throng/status.hpp"

namespace throng::detail {

struct Window {
    const simd::Question* questions = nullptr;
    const std::uint32_t* order = nullptr;
    std::size_t count = 0;
    bool as_asked = false;  // the order is the caller's
};

// Prepares the questions [begin, end). The window points into the space, or to the caller's boxes where they lie as the
// kernels want them. The status names the first question, counted from the start of the batch, that is not legal.
Status prepare_window(const FrameState& frame, const Boxes& boxes, std::size_t begin, std::size_t end, WindowSpace& space,
                      Window& window) noexcept;

}  // namespace throng::detail
