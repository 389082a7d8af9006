// The order in which the casts of a batch are searched: by the cell in which they start, so that neighbours in
// it read the same few rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/scratch.hpp"
#include "throng/executor.hpp"
#include "throng/queries/casts.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// Writes the order of the casts [0, count) to `space.order`.
Status sort_casts(const FrameState& frame, const Executor& executor, const Cast* casts, std::size_t count,
                  CastSpace& space) noexcept;

}  // namespace throng::detail
