// The paths of many casts without a radius, as cast_path.hpp has them for one, and the input of
// cast_probe.hpp: a vector of casts at a time, the same numbers, and no branch on the direction of a cast.
// Each cast has a lane.
#pragma once

#include "simd/kernels/casts/cast_path.hpp"

namespace throng::simd {

template <class V, std::uint32_t size>
class CastPaths {
public:
    CastPaths(const GridAxes& axes, float reach_x, float reach_y)
        : origin_x_(double{axes.origin_x}),
          origin_y_(double{axes.origin_y}),
          scale_x_(double{axes.inverse_width}),
          scale_y_(double{axes.inverse_height}),
          reach_x_(double{reach_x} * Margins::grown),
          reach_y_(double{reach_y} * Margins::grown),
          last_column_(double{axes.last_x}),
          outer_row_(double{axes.last_y}) {}
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
        for (std::uint32_t k = 0; k < lanes; k += Wide::size) {
            x_.find(k);
            y_.find(k);
        }
        widen(x_.min, min_x_);
        widen(y_.min, min_y_);
        widen(x_.max, max_x_);
        widen(y_.max, max_y_);
        widen(x_.movement, dx_);
        widen(y_.movement, dy_);
        for (std::uint32_t k = 0; k < lanes; k += Lanes::size) find_slopes(k);
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
        for (std::uint32_t k = 0; k < size; ++k) {
            row_[k] = static_cast<double>(rows[k]);
            limit_[k] = double{limits[k]};
        }
        for (std::uint32_t k = 0; k < lanes; k += Lanes::size) find_bands_from(k);
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
    using Margins = CastMargins;
    static_assert(size % Wide::size == 0);

    // Where casts start on an axis, and how they move.
    struct Axis {
        float min[size] = {}, max[size] = {}, movement[size] = {};
        float inverse[size], entry[size], exit[size];

        void find(std::uint32_t k) {
            const Wide given = Wide::load_unaligned(movement + k), low = Wide::load_unaligned(min + k),
                       high = Wide::load_unaligned(max + k), moving = moved(given);
            const auto backwards = moves_backwards(given);
            moving.store_unaligned(movement + k);
            inverse_of<V>(moving).store_unaligned(inverse + k);
            xsimd::select(backwards, low, high).store_unaligned(entry + k);
            xsimd::select(backwards, high, low).store_unaligned(exit + k);
        }
        CastAxis of(std::uint32_t k) const { return {movement[k], inverse[k], entry[k], exit[k]}; }
    };

    static void widen(const float* from, double* to) {
        for (std::uint32_t k = 0; k < size; ++k) to[k] = double{from[k]};
    }
    static Lanes load(const double* from) { return Lanes::load_unaligned(from); }
    static Lanes clamped(Lanes v, const Lanes& last) {
        const Lanes zero(0.0);
        v = xsimd::select(v > zero, v, zero);
        return xsimd::select(v < last, v, last);
    }

    void find_slopes(std::uint32_t k) {
        const Lanes zero(0.0), one(1.0), down_scale(double{scaled_down}), up_scale(double{scaled_up});
        (load(dx_ + k) * scale_x_).store_unaligned(move_x_ + k);
        ((load(min_x_ + k) - reach_x_ - origin_x_) * scale_x_).store_unaligned(left_ + k);
        ((load(max_x_ + k) - origin_x_) * scale_x_).store_unaligned(right_ + k);
        const Lanes low = (load(min_y_ + k) - reach_y_ - origin_y_) * scale_y_,
                    high = (load(max_y_ + k) - origin_y_) * scale_y_, move = load(dy_ + k) * scale_y_;
        const auto down = move < zero, still = move == zero;
        const Lanes inverse = one / (move + xsimd::select(still, one, zero));
        const Lanes to_bottom = down_scale * inverse, from_bottom = zero - high * inverse,
                    to_top = up_scale * inverse, from_top = to_top - low * inverse;
        const auto store = [&](double* to, const Lanes& moving, double without) {
            xsimd::select(still, Lanes(without), moving).store_unaligned(to + k);
        };
        store(arrive_slope_, xsimd::select(down, to_top, to_bottom), 0.0);
        store(arrive_offset_, xsimd::select(down, from_top, from_bottom), 0.0);
        store(depart_slope_, xsimd::select(down, to_bottom, to_top), 0.0);
        store(depart_offset_, xsimd::select(down, from_bottom, from_top), 1.0);
        const Lanes at_first = move * Lanes(-Margins::instant), at_last = move * Lanes(Margins::grown);
        const Lanes lowest = clamped((low + xsimd::select(down, at_last, at_first)) * down_scale, outer_row_);
        const Lanes highest = clamped((high + xsimd::select(down, at_first, at_last)) * up_scale, outer_row_);
        xsimd::select(down, highest, lowest).store_unaligned(first_row_ + k);
        xsimd::select(down, lowest, highest).store_unaligned(last_row_ + k);
        xsimd::select(down, outer_row_, zero).store_unaligned(outer_from_ + k);
    }
    void find_bands_from(std::uint32_t k) {
        const Lanes zero(0.0), one(1.0), limit = load(limit_ + k), row = load(row_ + k);
        const Lanes arrive_slope = load(arrive_slope_ + k), arrive_offset = load(arrive_offset_ + k);
        const Lanes outer_from = load(outer_from_ + k);
        Lanes arrive = row * arrive_slope + arrive_offset,
              depart = row * load(depart_slope_ + k) + load(depart_offset_ + k);
        // The agents of the outermost rows may be anywhere beyond them.
        arrive = xsimd::select(row == outer_from, zero, arrive);
        depart = xsimd::select(row == outer_row_ - outer_from, one, depart);
        arrive = xsimd::select(arrive < limit, arrive, limit);
        depart = xsimd::select(depart < limit, depart, limit);
        arrive = xsimd::select(arrive > zero, arrive, zero);
        depart = xsimd::select(depart > zero, depart, zero);
        const Lanes move = load(move_x_ + k), shrunk(Margins::shrunk), instant(Margins::instant);
        const Lanes from = move * (arrive * shrunk - instant),
                    to = move * (depart * Lanes(Margins::grown) + instant);
        const auto leftwards = move < zero;
        const Lanes first = load(left_ + k) + xsimd::select(leftwards, to, from),
                    last = load(right_ + k) + xsimd::select(leftwards, from, to);
        clamped(first * Lanes(double{scaled_down}), last_column_).store_unaligned(from_column_ + k);
        clamped(last * Lanes(double{scaled_up}), last_column_).store_unaligned(to_column_ + k);
        const Lanes step = xsimd::select(outer_from > zero, zero - one, one);
        const Lanes next = ((row + step) * arrive_slope + arrive_offset) * shrunk - instant;
        clamped(next, one + one).store_unaligned(next_begin_ + k);
    }

    const Lanes origin_x_, origin_y_, scale_x_, scale_y_, reach_x_, reach_y_, last_column_, outer_row_;
    // The cast, and the same in double.
    Axis x_, y_;
    double min_x_[size], min_y_[size], max_x_[size], max_y_[size], dx_[size], dy_[size];
    // The same in cells, and when it comes to a row and leaves it: linear functions of the row's number.
    double move_x_[size], left_[size], right_[size], first_row_[size], last_row_[size], outer_from_[size],
        arrive_slope_[size], arrive_offset_[size], depart_slope_[size], depart_offset_[size];
    // Its present place.
    double row_[size], limit_[size], from_column_[size] = {}, to_column_[size] = {}, next_begin_[size] = {};
    // The same as the nearest integers and floats: limits are floats too, so none of these is passed sooner.
    std::uint32_t first_[size], last_[size];
    float comes_[size];
};

}  // namespace throng::simd
