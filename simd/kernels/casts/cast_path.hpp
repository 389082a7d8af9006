// The rows in which a cast may touch an agent, in the order of its travel, and in each row the columns that
// it may touch while it is in the row's band: docs/design.md has a drawing. The tiles of islands are found in
// the same way.
//
// Everything is computed in double, whose rounding is nothing beside the margins. There are two: cells are
// found as in simd/types.hpp (`scaled_down`, `scaled_up`), and times are widened by more than the error of
// the probe's float arithmetic. That error is relative, since a difference of two coordinates is rounded only
// once. Subnormal times are the exception: those of very long casts in very small worlds may even be rounded
// from below zero to zero. So everything begins an instant before time 0.
//
// The columns have a low and a high end. At one of them the cast arrives, when its leading edge comes to the
// near side of the row's band; at the other it departs, when its trailing edge comes to the far side. Both
// times are linear functions of the row's number, and the columns are linear functions of the time. The
// direction differs from cast to cast, so nothing branches on it. Of one cast, the ends are two lanes of a
// vector; of many casts each end has vectors of its own, with a lane for each cast.
#pragma once

#include "simd/kernels/casts/cast_probe.hpp"

namespace throng::simd {

// How much earlier and later than computed a cast may be anywhere, and how much wider a reach is.
struct CastMargins {
    static constexpr double shrunk = 1 - 0x1p-19, grown = 1 + 0x1p-19, instant = 0x1p-146;
};

template <class V, class B>
struct PathEnd : CastMargins {
    // A cast is there at time row * slope + offset, but in row `outer` at `outer_time`: the agents of the
    // outermost rows may be anywhere beyond them.
    B slope, offset, outer, outer_time;
    B column, speed;  // where it is at time 0, and how fast it moves

    // Of a cast that moves by (x, y), all in cells: it starts at `edge`, and in the rows from `low`, less the
    // reach, to `high`. Of two numbers, pick(low, high) is that of the end, in each lane.
    template <class Pick>
    void set(const Pick& pick, const B& x, const B& y, const B& edge, const B& low, const B& high,
             const B& last_row) {
        const B zero(0.0), one(1.0), scaled = pick(double{scaled_down}, double{scaled_up});
        const auto still = y == zero, leftwards = x < zero;
        // 0 if it is still: then it is everywhere from time 0 to 1.
        const B inverse = one / (y + xsimd::select(still, B(double{infinite}), zero)),
                to_bottom = B(double{scaled_down}) * inverse, from_bottom = zero - high * inverse,
                to_top = B(double{scaled_up}) * inverse,
                from_top = xsimd::select(still, one, to_top - low * inverse);
        outer_time = xsimd::select(leftwards, pick(1, 0), pick(0, 1));
        const B at_top = xsimd::select(y < zero, one - outer_time, outer_time);
        const auto is_at_top = at_top == one;
        slope = xsimd::select(is_at_top, to_top, to_bottom);
        offset = xsimd::select(is_at_top, from_top, from_bottom);
        outer = at_top * last_row;
        // The low end is earlier there than computed, and the high end later.
        column = (edge + xsimd::abs(x) * pick(-instant, instant)) * scaled;
        speed = x * xsimd::select(leftwards, pick(grown, shrunk), pick(shrunk, grown)) * scaled;
    }
    // The lowest row, or the highest, that the cast may touch: it starts on that side.
    template <class Pick>
    static B row(const Pick& pick, const B& y, const B& side, const B& last_row) {
        const B latest = y * xsimd::select(y < B(0.0), pick(grown, -instant), pick(-instant, grown));
        return clamped((side + latest) * pick(double{scaled_down}, double{scaled_up}), last_row);
    }

    B time(const B& in_row) const { return in_row * slope + offset; }
    B time_or_outer(const B& in_row) const {
        return xsimd::select(in_row == outer, outer_time, time(in_row));
    }
    // No later than `limit`.
    B column_at(const B& time, const B& limit, const B& last_column) const {
        return clamped(column + speed * clamped(time, limit), last_column);
    }
    static B clamped(const B& v, const B& last) { return xsimd::max(xsimd::min(v, last), B(0.0)); }
};

template <class V>
class CastPath : CastMargins {
public:
    // The numbers of rows, from `row` by `step` up to and including `last_row`.
    std::int32_t row, last_row, step;

    // Agents of a cell reach at most so far to the right and up.
    template <class GridOrTiles>
    CastPath(const GridOrTiles& cells, float reach_x, float reach_y, const CastProbe<V>& probe)
        : last_column_(double{cells.last_column}), leftwards_(probe.x().backwards != 0) {
        // Both axes side by side.
        const Query& s = probe.cast().start;
        const Two radius(probe.radius()), origin = two(cells.origin_x, cells.origin_y),
                                          scale = two(cells.inverse_width, cells.inverse_height);
        const Two low =
                      (two(s.min_x, s.min_y) - radius - two(reach_x, reach_y) * Two(grown) - origin) * scale,
                  high = (two(s.max_x, s.max_y) + radius - origin) * scale,
                  move = two(probe.x().movement, probe.y().movement) * scale;
        // Both ends side by side.
        const Two edges = xsimd::zip_lo(low, high), x = xsimd::zip_lo(move, move),
                  y = xsimd::zip_hi(move, move), bottom = xsimd::zip_hi(low, low),
                  top = xsimd::zip_hi(high, high), outer_row(double{cells.last_row});
        const auto both = [](double of_low, double of_high) { return Two{of_low, of_high}; };
        ends_.set(both, x, y, edges, bottom, top, outer_row);
        double at[2];
        Ends::row(both, y, xsimd::zip_hi(low, high), outer_row).store_unaligned(at);
        const auto lowest = static_cast<std::int32_t>(at[0]), highest = static_cast<std::int32_t>(at[1]),
                   down = probe.y().backwards;
        row = lowest ^ ((lowest ^ highest) & down);
        last_row = lowest ^ highest ^ row;
        step = 1 + 2 * down;
    }

    // When the cast comes to a row, and the columns where it may touch the row's agents, no later than
    // `limit`. Later rows begin no earlier.
    struct Band {
        double begin;
        std::uint32_t first, last;
    };
    Band band(std::int32_t r, float limit) const {
        const Two t = ends_.time_or_outer(Two(static_cast<double>(r)));
        double at[2];
        t.store_unaligned(at);
        const double begin = (at[0] < at[1] ? at[0] : at[1]) * shrunk - instant;
        ends_.column_at(t, Two(double{limit}), last_column_).store_unaligned(at);
        return {begin, whole(at[0]), whole(at[1])};
    }
    bool leftwards() const { return leftwards_; }

private:
    using Two = xsimd::batch<double, typename V::Four::arch_type>;
    using Ends = PathEnd<V, Two>;

    static Two two(float a, float b) { return Two{double{a}, double{b}}; }
    static std::uint32_t whole(double v) { return static_cast<std::uint32_t>(static_cast<std::int32_t>(v)); }

    const Two last_column_;
    Ends ends_;
    bool leftwards_;
};

// The paths of many casts without a radius, and the input of their probes (cast_probe.hpp): a vector of casts
// at a time, the same numbers. Each cast has a lane.
template <class V, std::uint32_t size>
class CastPaths : CastMargins {
public:
    CastPaths(const Grid& grid, float reach_x, float reach_y)
        : origin_x_(double{grid.origin_x}),
          origin_y_(double{grid.origin_y}),
          scale_x_(double{grid.inverse_width}),
          scale_y_(double{grid.inverse_height}),
          reach_x_(double{reach_x} * grown),
          reach_y_(double{reach_y} * grown),
          last_column_(double{grid.last_column}),
          outer_row_(double{grid.last_row}) {}
    CastPaths(const CastPaths&) = delete;

    // A cast takes a lane.
    void begin(std::uint32_t lane, const CastQuery& cast) {
        x_.min[lane] = cast.start.min_x;
        y_.min[lane] = cast.start.min_y;
        x_.max[lane] = cast.start.max_x;
        y_.max[lane] = cast.start.max_y;
        x_.movement[lane] = cast.dx;
        y_.movement[lane] = cast.dy;
    }
    // For the first `lanes` lanes; `first_row` and `last_row` are the rows of a whole cast. Called once for
    // many casts, and kept apart: in each kind of wave it would be six kilobytes.
    THRONG_NOINLINE void find_first_rows(std::uint32_t lanes) {
        x_.find(lanes);
        y_.find(lanes);
        for (std::size_t k = 0; k < lanes; k += Lanes::size) find_ends(k);
    }
    CastAxes axes(std::uint32_t k) const { return {x_.of(k), y_.of(k)}; }
    // All bits, or none.
    std::int32_t goes_leftwards(std::uint32_t k) const { return x_.of(k).backwards; }
    std::int32_t goes_down(std::uint32_t k) const { return y_.of(k).backwards; }
    std::int32_t first_row(std::uint32_t lane) const { return static_cast<std::int32_t>(first_row_[lane]); }
    std::int32_t last_row(std::uint32_t lane) const { return static_cast<std::int32_t>(last_row_[lane]); }

    // The columns of its row that each cast may touch no later than its limit, and when it comes to the next
    // row.
    void find_bands(std::uint32_t lanes, const std::int32_t* rows, const float* limits) {
        for (std::size_t k = 0; k < lanes; k += Lanes::size) find_bands_from(k, rows, limits);
        for (std::uint32_t k = 0; k < size; ++k) {
            first_[k] = static_cast<std::uint32_t>(static_cast<std::int32_t>(from_column_[k]));
            last_[k] = static_cast<std::uint32_t>(static_cast<std::int32_t>(to_column_[k]));
            comes_[k] = static_cast<float>(next_begin_[k]);
        }
    }
    std::uint32_t first_column(std::uint32_t lane) const { return first_[lane]; }
    std::uint32_t last_column(std::uint32_t lane) const { return last_[lane]; }
    bool comes_too_late(std::uint32_t lane, float limit) const { return comes_[lane] > limit; }

private:
    using Wide = typename V::Wide;
    using Lanes = xsimd::batch<double, typename Wide::arch_type>;
    using End = PathEnd<V, Lanes>;
    static_assert(size % Wide::size == 0);

    // Where casts start on an axis, and how they move.
    struct Axis {
        float min[size] = {}, max[size] = {}, movement[size] = {};
        float inverse[size], entry[size], exit[size];

        void find(std::uint32_t lanes) {
            for (std::uint32_t k = 0; k < lanes; k += Wide::size) {
                const Wide given = Wide::load_unaligned(movement + k), from = Wide::load_unaligned(min + k),
                           to = Wide::load_unaligned(max + k), moving = moved(given);
                const auto backwards = moves_backwards(given);
                moving.store_unaligned(movement + k);
                inverse_of<V>(moving).store_unaligned(inverse + k);
                xsimd::select(backwards, from, to).store_unaligned(entry + k);
                xsimd::select(backwards, to, from).store_unaligned(exit + k);
            }
        }
        CastAxis of(std::uint32_t k) const { return {movement[k], inverse[k], entry[k], exit[k]}; }
    };
    template <class Number>
    static Lanes load(const Number* from) {
        if constexpr (requires { V::doubles(from); }) {
            return V::doubles(from);
        } else {
            double at[Lanes::size];
            for (std::size_t k = 0; k < Lanes::size; ++k) at[k] = static_cast<double>(from[k]);
            return Lanes::load_unaligned(at);
        }
    }

    void find_ends(std::size_t k) {
        const Lanes x = load(x_.movement + k) * scale_x_, y = load(y_.movement + k) * scale_y_,
                    left = (load(x_.min + k) - reach_x_ - origin_x_) * scale_x_,
                    right = (load(x_.max + k) - origin_x_) * scale_x_,
                    bottom = (load(y_.min + k) - reach_y_ - origin_y_) * scale_y_,
                    top = (load(y_.max + k) - origin_y_) * scale_y_;
        const auto low = [](double of_low, double) { return Lanes(of_low); };
        const auto high = [](double, double of_high) { return Lanes(of_high); };
        low_[k / Lanes::size].set(low, x, y, left, bottom, top, outer_row_);
        high_[k / Lanes::size].set(high, x, y, right, bottom, top, outer_row_);
        const Lanes zero(0.0), lowest = End::row(low, y, bottom, outer_row_),
                               highest = End::row(high, y, top, outer_row_);
        const auto down = y < zero;
        xsimd::select(down, highest, lowest).store_unaligned(first_row_ + k);
        xsimd::select(down, lowest, highest).store_unaligned(last_row_ + k);
        xsimd::select(down, Lanes(-1.0), Lanes(1.0)).store_unaligned(step_ + k);
    }
    void find_bands_from(std::size_t k, const std::int32_t* rows, const float* limits) {
        const End &low = low_[k / Lanes::size], &high = high_[k / Lanes::size];
        const Lanes limit = load(limits + k), row = load(rows + k), next_row = row + load(step_ + k);
        low.column_at(low.time_or_outer(row), limit, last_column_).store_unaligned(from_column_ + k);
        high.column_at(high.time_or_outer(row), limit, last_column_).store_unaligned(to_column_ + k);
        const Lanes next =
            xsimd::min(low.time(next_row), high.time(next_row)) * Lanes(shrunk) - Lanes(instant);
        End::clamped(next, Lanes(2.0)).store_unaligned(next_begin_ + k);
    }

    const Lanes origin_x_, origin_y_, scale_x_, scale_y_, reach_x_, reach_y_, last_column_, outer_row_;
    Axis x_, y_;
    End low_[size / Lanes::size], high_[size / Lanes::size];
    double first_row_[size], last_row_[size], step_[size];
    // Its present place.
    double from_column_[size] = {}, to_column_[size] = {}, next_begin_[size] = {};
    // The same as the nearest integers and floats: limits are floats too, so none of these is passed sooner.
    std::uint32_t first_[size], last_[size];
    float comes_[size];
};

}  // namespace throng::simd
