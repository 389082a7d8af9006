// The cost of a query, computed outside the kernels, so they need not count.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "throng/geometry.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

// Adds the cost of a legal query, without its hits.
void add_cost(Explain& sum, const FrameState& frame, const Box& box) noexcept;

}  // namespace throng::detail
