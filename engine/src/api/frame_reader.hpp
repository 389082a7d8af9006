// Reads a frame's agents one after the other, in the order of the rows. The order is the frame's own, so a
// sample taken through it is the same on every machine.
#pragma once

#include <cstddef>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_holes.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

class FrameReader {
public:
    explicit FrameReader(const FrameState& frame) noexcept : frame_(frame) {}

    // The box of the i-th agent. Reading forwards is cheap; a step back starts again from the first row.
    Box box(std::size_t i) noexcept {
        if (i < before_) row_ = before_ = 0;
        while (i - before_ >= agents_in(frame_.rows[row_])) before_ += agents_in(frame_.rows[row_++]);
        const simd::Row& row = frame_.rows[row_];
        const std::size_t slot = i - before_;
        const std::uint32_t common = common_agents_in(row);
        return RowArrays(row).box(
            slot < common ? place_of(row, frame_.map.columns(row_), static_cast<std::uint32_t>(slot))
                          : oversized_begin(row) + (slot - common));
    }

private:
    const FrameState& frame_;
    std::size_t row_ = 0;
    std::size_t before_ = 0;  // agents in the rows before
};

}  // namespace throng::detail
