// The check behind `validate`: every invariant of a frame and of the engine's table of agents.
#pragma once

#include "engine/src/edit/staging.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "throng/memory.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

// `staging` may be null if only the frame is to be checked.
Validation validate(const FrameState& frame, const Staging* staging, MemoryResource* memory) noexcept;

}  // namespace throng::detail
