// What the searches of a frame that was built from scratch compare beside the agents of their own cell, in pairs of agents.
#pragma once

#include <cstdint>

#include "engine/src/frame/frame_state.hpp"

namespace throng::detail {

// What searches by oversized agents compare in vain in cells, above what each of them counts for (Tuner::work_of_oversized), as far
// as a sample can tell. One that is as wide as hundreds of cells of its region goes through all of these; where agents have
// walked to an island that was planned for smaller ones, half of all may do so. None where few agents are oversized.
std::uint64_t looks_of_oversized(const FrameState& frame) noexcept;

}  // namespace throng::detail
