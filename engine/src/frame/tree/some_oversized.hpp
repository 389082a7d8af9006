// A sample of the oversized agents of a frame.
#pragma once

#include <cstddef>
#include <span>

#include "base/sample.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"

namespace throng::detail {

// Fills `boxes` with oversized agents, taken evenly from all rows. Looking at one costs as much as putting it
// into the tree.
inline std::span<const Box> take_some_oversized(const FrameState& frame, std::span<Box> boxes) noexcept {
    const std::size_t all = frame.view.oversized.count;
    std::size_t r = 0, before = 0;
    for (std::size_t k = 0; k < boxes.size(); ++k) {
        const std::size_t number = sampled(k, boxes.size(), all);
        while (number - before >= frame.rows[r].oversized) before += frame.rows[r++].oversized;
        const simd::Row& row = frame.rows[r];
        boxes[k] = RowArrays(row).box(oversized_begin(row) + static_cast<std::uint32_t>(number - before));
    }
    return boxes;
}

}  // namespace throng::detail
