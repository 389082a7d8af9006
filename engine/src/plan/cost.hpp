// What a frame costs. Work is counted while a frame is built, at almost no cost. It tells most cheap frames.
// The others are probed by the counting search of `Frame::explain`, which sees cells, islands, the tree and
// rows without a hit alike. Both are counts, so every machine decides the same.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/plan/agents.hpp"

namespace throng::detail {

// For each agent: the pairs of agents that are compared because they share a cell, and the searches of
// oversized agents in the same unit.
double work_of(const FrameState& frame) noexcept;

struct Cost {
    // For a lookup and each of its answers, in visits to a node of the tree; with the cost of an oversized
    // agent to a frame.
    double looks;
    double misses;  // agents that a lookup compares in vain
};
// The mean over the boxes of some agents and over points at some of them, at their own heights. The view of
// the frame is finished.
Cost probe(const FrameState& frame, const Agents& agents) noexcept;

}  // namespace throng::detail
