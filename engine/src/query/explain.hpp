// What a query looks at, worked out beside the kernels rather than in them, so that they need not count.
#pragma once

#include "engine/src/frame/frame_state.hpp"
#include "throng/geometry.hpp"
#include "throng/reports.hpp"

namespace throng::detail {

// Adds what a legal query would look at; the hits are left to others.
void add_cost(Explain& sum, const FrameState& frame, const Box& box) noexcept;

}  // namespace throng::detail
