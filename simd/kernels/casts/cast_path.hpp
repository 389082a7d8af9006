// The rows in which a cast may touch an agent, in the order of its travel, and in each row the columns that
// it may touch while it is in the row's band:
//
//         +---+---+---+---+---+---+
//     7   |   |   |   |   | x | x |      A row's agents reach up from their corners, by the reach of
//         +---+---+---+---+---+---+      the grid. So its band is higher than the row, and an agent may
//     6   |   | x | x | x | x |   |      lie that much to the left of what it overlaps.
//         +---+---+---+---+---+---+
//     5   | x | x |   |   |   |   |      The tiles of islands are found in the same way.
//         +---+---+---+---+---+---+
//
// Everything is computed in double, whose rounding is nothing beside the margins. There are two: cells are
// found as in simd/types.hpp (`scaled_down`, `scaled_up`), and times are widened by more than the error of
// the probe's float arithmetic. That error is relative, since a difference of two coordinates is rounded only
// once. Subnormal times are the exception: those of very long casts in very small worlds may even be rounded
// from below zero to zero. So everything begins an instant before time 0.
//
// The direction differs from cast to cast, so nothing branches on it: the times at which a cast comes to a
// row and leaves it are two lanes of a vector, in the order of the columns at these times.
#pragma once

#include "simd/kernels/casts/cast_probe.hpp"

namespace throng::simd {

// How much earlier and later than computed a cast may be anywhere, and how much wider a reach is.
struct CastMargins {
    static constexpr double shrunk = 1 - 0x1p-19, grown = 1 + 0x1p-19, instant = 0x1p-146;
};

template <class V>
class CastPath : CastMargins {
public:
    // The numbers of rows, from `row` by `step` up to and including `last_row`.
    std::int32_t row, last_row, step;

    // Agents of a cell reach at most so far to the right and up.
    CastPath(const GridAxes& axes, float reach_x, float reach_y, const CastProbe<V>& probe)
        : last_column_(double{axes.last_x}), leftwards_(probe.x().backwards != 0) {
        // Both axes side by side.
        const Query& s = probe.cast().start;
        const Two radius(probe.radius()), origin = two(axes.origin_x, axes.origin_y),
                                          scale = two(axes.inverse_width, axes.inverse_height);
        const Two low =
                      (two(s.min_x, s.min_y) - radius - two(reach_x, reach_y) * Two(grown) - origin) * scale,
                  high = (two(s.max_x, s.max_y) + radius - origin) * scale;
        double moves[2];
        (two(probe.x().movement, probe.y().movement) * scale).store_unaligned(moves);
        const Two edges = xsimd::zip_lo(low, high), sides = xsimd::zip_hi(low, high);
        set_rows(moves[1], sides, axes.last_y, probe.y().backwards);
        set_times(moves[1], sides, probe.x().backwards ^ probe.y().backwards);
        set_columns(moves[0], edges);
    }

    // When the cast comes to a row, and the columns where it may touch the row's agents, no later than
    // `limit`. Later rows begin no earlier.
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
        double at[2];
        t.store_unaligned(at);
        const double begin = (at[0] < at[1] ? at[0] : at[1]) * shrunk - instant;
        clamped(columns_ + speeds_ * clamped(t, Two(double{limit})), last_column_).store_unaligned(at);
        return {begin, whole(at[0]), whole(at[1])};
    }
    bool leftwards() const { return leftwards_; }

private:
    using Two = xsimd::batch<double, typename V::Four::arch_type>;

    static Two two(double a, double b) { return Two{a, b}; }
    static Two two(float a, float b) { return Two{double{a}, double{b}}; }
    static Two swapped(const Two& t) { return xsimd::zip_lo(xsimd::zip_hi(t, t), t); }
    static Two clamped(const Two& t, const Two& last) { return xsimd::max(xsimd::min(t, last), Two(0.0)); }
    static Two replaced(const Two& t, bool which, double value) {
        double lanes[2];
        t.store_unaligned(lanes);
        lanes[which] = value;
        return Two::load_unaligned(lanes);
    }
    static std::uint32_t whole(double v) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(v)); }

    void set_rows(double move, const Two& sides, float outer_row, std::int32_t down) {
        const double first = move * -instant, last = move * grown;
        const Two ends = two(first < last ? first : last, first < last ? last : first);
        double at[2];
        clamped((sides + ends) * two(scaled_down, scaled_up), Two(double{outer_row})).store_unaligned(at);
        const auto lowest = static_cast<std::int32_t>(at[0]), highest = static_cast<std::int32_t>(at[1]),
                   outer = static_cast<std::int32_t>(outer_row);
        row = lowest ^ ((lowest ^ highest) & down);
        last_row = lowest ^ highest ^ row;
        step = 1 + 2 * down;
        outer_from_ = outer & down;
        outer_to_ = outer - outer_from_;
    }
    // The cast arrives when its leading edge comes to the near side of the row's band, and departs when its
    // trailing edge comes to the other side: both linear functions of the row's number. The lower side is
    // already lower by the reach, as the band's upper side would be higher.
    void set_times(double move, const Two& sides, std::int32_t top_first) {
        const Two zero(0.0);
        if (move == 0.0) [[unlikely]] {
            slopes_ = zero;
            offsets_ = replaced(zero, !leftwards_, 1.0);
        } else {
            // To the row's bottom, and to its top.
            const Two inverse(1.0 / move), to = two(scaled_down, scaled_up) * inverse,
                                           from = to * two(0.0, 1.0) - swapped(sides) * inverse;
            const auto swaps = Two(static_cast<double>(top_first)) < zero;
            slopes_ = xsimd::select(swaps, swapped(to), to);
            offsets_ = xsimd::select(swaps, swapped(from), from);
        }
    }
    // The place of its edges is a linear function of the time. The left edge is earlier there than computed,
    // and the right one later.
    void set_columns(double move, const Two& edges) {
        const Two scaled = two(scaled_down, scaled_up), speed(move), early = two(shrunk, grown);
        columns_ = (edges + xsimd::abs(speed) * two(-instant, instant)) * scaled;
        speeds_ = speed * xsimd::select(speed < Two(0.0), swapped(early), early) * scaled;
    }

    const Two last_column_;
    Two slopes_, offsets_, columns_, speeds_;
    std::int32_t outer_from_, outer_to_;
    bool leftwards_;
};

}  // namespace throng::simd
