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
//
// Which way a cast goes differs from one to the next, so nothing in the loop over rows branches on it: the times at
// which it comes to a row and leaves it are two lanes of a vector, in the order of the columns where it is then.
#pragma once

#include "simd/kernels/casts/cast_probe.hpp"

namespace throng::simd {

// How much earlier and later than computed a cast may be anywhere, and by how much wider a reach is.
struct CastMargins {
    static constexpr double shrunk = 1 - 0x1p-19, grown = 1 + 0x1p-19, instant = 0x1p-146;
};

template <class V>
class CastPath : CastMargins {
public:
    // The numbers of rows, from `row` by `step` up to and including `last_row`.
    std::int32_t row, last_row, step;

    // Agents of a cell reach at most so far to the right and up.
    CastPath(const Place& place, float reach_x, float reach_y, const CastProbe<V>& probe)
        : move_(double{probe.x().movement} * double{place.inverse_width}),
          last_column_(double{place.last_x}),
          leftwards_(double{probe.x().movement} * double{place.inverse_width} < 0.0) {
        const Query& s = probe.cast().start;
        const double radius = probe.radius(), scale_x = place.inverse_width, scale_y = place.inverse_height;
        edges_ = two((double{s.min_x} - radius - double{reach_x} * grown - double{place.origin_x}) * scale_x,
                     (double{s.max_x} + radius - double{place.origin_x}) * scale_x);
        const double low = (double{s.min_y} - radius - double{reach_y} * grown - double{place.origin_y}) *
                           scale_y,
                     high = (double{s.max_y} + radius - double{place.origin_y}) * scale_y;
        const double move = double{probe.y().movement} * scale_y;
        set_rows(move, low, high, static_cast<std::int32_t>(place.last_y));
        set_times(move, low, high);
    }

    // When the cast comes to a row, and the columns of which it may touch agents there, no later than `limit`.
    // Rows that come later begin no earlier.
    struct Band {
        double begin;
        std::uint32_t first, last;
    };
    Band band(std::int32_t r, float limit) const {
        Two t = Two(static_cast<double>(r)) * slopes_ + offsets_;
        // The agents of the outermost rows may be anywhere beyond them.
        if (r == outer_from_) [[unlikely]]
            t = replaced(t, leftwards_, 0.0);
        if (r == outer_to_) [[unlikely]]
            t = replaced(t, !leftwards_, 1.0);
        const double begin = lane(t, leftwards_) * shrunk - instant;
        const Two until(double{limit}), zero(0.0);
        t = xsimd::select(t < until, t, until);
        t = xsimd::select(t > zero, t, zero);
        Two at = (edges_ + move_ * (t * factors_ + instants_)) * two(scaled_down, scaled_up);
        at = xsimd::select(at > zero, at, zero);
        at = xsimd::select(at < last_column_, at, last_column_);
        double columns[2];
        at.store_unaligned(columns);
        return {begin, whole(columns[0]), whole(columns[1])};
    }
    bool leftwards() const { return leftwards_; }

private:
    using Two = xsimd::batch<double, typename V::Four::arch_type>;

    static Two two(double a, double b) { return xsimd::zip_lo(Two(a), Two(b)); }
    static double lane(const Two& t, bool which) {
        double lanes[2];
        t.store_unaligned(lanes);
        return lanes[which];
    }
    static Two replaced(const Two& t, bool which, double value) {
        double lanes[2];
        t.store_unaligned(lanes);
        lanes[which] = value;
        return Two::load_unaligned(lanes);
    }
    static std::uint32_t whole(double v) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(v)); }
    static std::int32_t cell(double at, std::int32_t last) {
        at = at > 0.0 ? at : 0.0;
        return static_cast<std::int32_t>(at < last ? at : last);
    }

    void set_rows(double move, double low, double high, std::int32_t outer_row) {
        const bool down = move < 0.0;
        const double ends[2] = {move * -instant, move * grown};
        const std::int32_t rows[2] = {cell((low + ends[down]) * scaled_down, outer_row),
                                      cell((high + ends[!down]) * scaled_up, outer_row)};
        row = rows[down];
        last_row = rows[!down];
        step = 1 - 2 * std::int32_t{down};
        outer_from_ = outer_row & -std::int32_t{down};
        outer_to_ = outer_row - outer_from_;
    }
    // The cast arrives when its leading edge comes to the near side of the row's band, and departs when its
    // trailing edge comes to the other side: both linear functions of the row's number. `low` is already lower by
    // the reach, as the band's upper side would be higher.
    void set_times(double move, double low, double high) {
        // Not by a divisor that is chosen: a compiler may divide first, by zero too, and choose then.
        const double inverse = 1.0 / (move + (move == 0.0 ? 1.0 : 0.0));
        const double to_bottom = double{scaled_down} * inverse, from_bottom = -high * inverse;
        const double to_top = double{scaled_up} * inverse, from_top = to_top - low * inverse;
        const double slopes[2] = {to_bottom, to_top}, offsets[2] = {from_bottom, from_top};
        arrive_slope_ = slopes[move < 0.0];
        arrive_offset_ = offsets[move < 0.0];
        const Two zero(0.0);
        const auto left = move_ < zero;
        const auto top_first = (Two(move) < zero) ^ left;
        slopes_ = xsimd::select(top_first, two(to_top, to_bottom), two(to_bottom, to_top));
        offsets_ = xsimd::select(top_first, two(from_top, from_bottom), two(from_bottom, from_top));
        if (move == 0.0) [[unlikely]] {
            slopes_ = zero;
            arrive_slope_ = arrive_offset_ = 0.0;
            offsets_ = replaced(zero, !leftwards_, 1.0);
        }
        factors_ = xsimd::select(left, two(grown, shrunk), two(shrunk, grown));
        instants_ = xsimd::select(left, two(instant, -instant), two(-instant, instant));
    }

    Two move_, last_column_;
    Two edges_, slopes_, offsets_, factors_, instants_;
    double arrive_slope_, arrive_offset_;
    std::int32_t outer_from_, outer_to_;
    bool leftwards_;
};

}  // namespace throng::simd
