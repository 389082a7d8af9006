// All pairs of a frame, whether it is published or not.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/executor.hpp"
#include "throng/results.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// Adds them to a list, in the order of Frame::pairs.
Status list_all_pairs(const FrameState& frame, const Executor& executor, Buffer<Pair>& list) noexcept;

}  // namespace throng::detail
