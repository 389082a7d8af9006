// The boxes of all agents of a frame, by id.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/write/ids/box_arrays.hpp"
#include "throng/executor.hpp"

namespace throng::detail {

// Writes each agent's box to where its id is. There is room for all ids. Returns false if the executor failed.
bool write_boxes_by_id(const Executor& executor, const FrameState& frame, BoxArrays& boxes) noexcept;

}  // namespace throng::detail
