// What a frame costs. Work is counted while a frame is built, and nearly free: it tells most frames that are
// cheap. The others are probed, by the counting search of `Frame::explain`: it sees cells, islands, the tree,
// and rows without a hit alike. Both are counts, so every machine decides the same.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/plan/agents.hpp"

namespace throng::detail {

// For each agent: pairs of agents that are compared as they share a cell, and the searches of oversized
// agents in the same unit.
double work_of(const FrameState& frame) noexcept;

struct Cost {
    // For a lookup and each of its answers, in visits of a node of the tree; with what an oversized agent
    // costs a frame.
    double looks;
    double misses;  // agents that a lookup compares and does not find
};
// The mean over the own boxes of some agents and over points at some of them, at their own heights. The view
// of the frame is finished.
Cost probe(const FrameState& frame, const Agents& agents) noexcept;

}  // namespace throng::detail
