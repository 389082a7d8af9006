// The rows that a cast may touch an agent of, in the order of its travel, and in each the columns that it may
// touch while it is in the row's band:
//
//         +---+---+---+---+---+---+
//     7   |   |   |   |   | x | x |      A row's agents reach up from their corners, by the reach of the grid;
//         +---+---+---+---+---+---+      so its band is higher than the row, and an agent may lie that much to
//     6   |   | x | x | x | x |   |      the left of what it overlaps.
//         +---+---+---+---+---+---+
//     5   | x | x |   |   |   |   |      The tiles of islands are found in the same way.
//         +---+---+---+---+---+---+
//
// Everything is computed in double, whose rounding is nothing beside the margins. There are two of them: cells
// are found as in simd/types.hpp (`scaled_down`, `scaled_up`), and times are widened by more than the float
// arithmetic of the probe can be off. That error is relative, since a difference of two coordinates is rounded
// only once, except for subnormal times: those of very long casts in very small worlds may even be rounded from
// below zero to zero. So all begins an instant before time 0.
#pragma once

#include "simd/kernels/casts/cast_probe.hpp"

namespace throng::simd {

class CastPath {
public:
    // The numbers of rows, from `row` by `step` up to and including `last_row`.
    std::int32_t row, last_row, step;

    // Agents of a cell reach at most so far to the right and up.
    template <class V>
    CastPath(const Place& place, float reach_x, float reach_y, const CastProbe<V>& probe) {
        const Query& s = probe.cast().start;
        const double radius = probe.radius(), scale_x = place.inverse_width, scale_y = place.inverse_height;
        last_column_ = place.last_x;
        outer_row_ = static_cast<std::int32_t>(place.last_y);
        left_ = (double{s.min_x} - radius - double{reach_x} * grown - double{place.origin_x}) * scale_x;
        right_ = (double{s.max_x} + radius - double{place.origin_x}) * scale_x;
        move_x_ = double{probe.x().movement} * scale_x;
        low_ = (double{s.min_y} - radius - double{place.origin_y}) * scale_y;
        high_ = (double{s.max_y} + radius - double{place.origin_y}) * scale_y;
        reach_ = double{reach_y} * scale_y * grown;
        const double move = double{probe.y().movement} * scale_y;
        inverse_ = move == 0.0 ? 0.0 : 1.0 / move;
        still_ = move == 0.0;
        up_ = !(move < 0.0);
        const double begin = move * -instant, end = move * grown;
        const std::int32_t lowest = cell((low_ - reach_ + (up_ ? begin : end)) * scaled_down, outer_row_),
                           highest = cell((high_ + (up_ ? end : begin)) * scaled_up, outer_row_);
        row = up_ ? lowest : highest;
        last_row = up_ ? highest : lowest;
        step = up_ ? 1 : -1;
    }

    // The times at which the cast may touch agents of this row. Rows that come later begin no earlier.
    struct Times {
        double in, out;
    };
    Times times(std::int32_t r) const {
        // The agents of the outermost rows may be anywhere beyond them.
        const bool from_before = r == (up_ ? 0 : outer_row_), to_behind = r == (up_ ? outer_row_ : 0);
        if (still_) return {-instant, 1.0};
        const double low = r * double{scaled_down}, high = (r + 1) * double{scaled_up} + reach_;
        const double in = ((up_ ? low : high) - (up_ ? high_ : low_)) * inverse_ * shrunk - instant,
                     out = ((up_ ? high : low) - (up_ ? low_ : high_)) * inverse_ * grown + instant;
        return {from_before || in < -instant ? -instant : in, to_behind || out > 1.0 ? 1.0 : out};
    }
    // The columns that it may touch between two times.
    std::uint32_t first_column(const Times& t) const {
        return column((left_ + move_x_ * (move_x_ < 0.0 ? later(t.out) : t.in)) * scaled_down);
    }
    std::uint32_t last_column(const Times& t) const {
        return column((right_ + move_x_ * (move_x_ < 0.0 ? t.in : later(t.out))) * scaled_up);
    }
    bool leftwards() const { return move_x_ < 0.0; }

private:
    static constexpr double shrunk = 1 - 0x1p-19, grown = 1 + 0x1p-19, instant = 0x1p-146;

    static double later(double t) { return t * grown + instant; }
    static std::int32_t cell(double at, std::int32_t last) {
        return static_cast<std::int32_t>(at > 0.0 ? (at < last ? at : last) : 0.0);
    }
    std::uint32_t column(double at) const {
        return static_cast<std::uint32_t>(
            static_cast<std::int32_t>(at > 0.0 ? (at < last_column_ ? at : last_column_) : 0.0));
    }

    double left_, right_, move_x_, low_, high_, reach_, inverse_, last_column_;
    std::int32_t outer_row_;
    bool still_, up_;
};

}  // namespace throng::simd
