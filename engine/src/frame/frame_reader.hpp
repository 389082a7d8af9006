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
        if (i < before_) row_ = before_ = at_ = 0;
        for (; i - before_ >= agents_in(frame_.rows[row_]); at_ = 0)
            before_ += agents_in(frame_.rows[row_++]);
        const simd::Row& row = frame_.rows[row_];
        const std::size_t slot = i - before_;
        const std::uint32_t common = common_agents_in(row);
        return RowArrays(row).box(
            slot < common ? place_of(row, frame_.map.columns(row_), static_cast<std::uint32_t>(slot))
                          : oversized_place(row, slot - common));
    }

private:
    // The place of the n-th oversized agent of the row.
    std::size_t oversized_place(const simd::Row& row, std::size_t n) noexcept {
        if (row.holes == 0) return oversized_begin(row) + n;
        if (at_ == 0 || n < number_) at_ = oversized_begin(row), number_ = 0;
        for (;; ++at_) {
            if (is_hole(row, at_)) continue;
            if (number_ == n) return at_;
            ++number_;
        }
    }

    const FrameState& frame_;
    std::size_t row_ = 0;
    std::size_t before_ = 0;  // agents in the rows before
    std::size_t at_ = 0,
                number_ = 0;  // the last place of an oversized agent in this row; 0 if there was none
};

}  // namespace throng::detail
