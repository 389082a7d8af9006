// The box and the traits of an agent of a frame, by its id. The first call makes a table of all agents;
// threads that call meanwhile wait. Without memory for it, the frame is searched row by row.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/traits.hpp"
#include "engine/src/store/spaces.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// A frame's table as it is, under the lock `making_agent_table`; null if there is no memory for one.
AgentTable* table_to_fill(const FrameState& frame) noexcept;
// The table of a frame with all boxes, which lives as long as the frame; null if there is no memory for it.
const AgentTable* agent_table(const FrameState& frame) noexcept;
// `no_box` for an id that is not in use, and the default traits.
Box box_of(const FrameState& frame, AgentId id) noexcept;
Traits traits_of(const FrameState& frame, AgentId id) noexcept;

}  // namespace throng::detail
