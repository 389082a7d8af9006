// The check behind `validate`: everything that the rest of the library takes for granted about a frame, and
// about the engine's table of where agents are.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/write/staging.hpp"
#include "throng/memory.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

// `staging` may be null, where only the frame is at hand.
Validation validate(const FrameState& frame, const Staging* staging, MemoryResource* memory) noexcept;

}  // namespace throng::detail
