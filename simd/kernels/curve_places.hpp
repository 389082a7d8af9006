// The places of boxes on the curve through oversized agents: see engine/src/frame/tree/curve.hpp. Plain loops over some boxes at
// a time, without a branch that depends on a box, so that compilers make vectors of them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct CurvePlaces : Vectors<V> {
    using Base = Vectors<V>;

    static constexpr std::size_t at_once = 64;
    // An agent counts as flat or tall from this ratio of its sides on.
    static constexpr float long_from = 8;

    // Some boxes on one axis.
    struct Extents {
        float low[at_once], high[at_once];
        std::uint32_t is_long[at_once], places[at_once];
    };

    // How an axis is divided: the places of some coordinates, and how many places each box covers.
    struct ByMap {
        static constexpr bool by_ends = false;
        const CurveAxis& axis;
        bool by_octaves;
        // By octaves: the highest bits of a float, mapped to keep the order of floats: its sign, its exponent and six bits more.
        std::uint32_t place_at(float x) const {
            constexpr std::uint32_t sign = 0x80000000u;
            const float distance = x - axis.origin;
            const auto bits = std::bit_cast<std::uint32_t>(distance + 0.0f);
            return by_octaves ? ((bits & sign) != 0 ? ~bits : bits | sign) >> (32 - curve_bits)
                              : Base::place(distance, axis.scale, (1 << curve_bits) - 1);
        }
        void find(const float* x, std::size_t count, std::uint32_t* places) const {
            for (std::size_t i = 0; i < count; ++i) places[i] = place_at(x[i]);
        }
        void measure(const Extents& e, std::size_t count, std::uint32_t* lengths) const {
            for (std::size_t i = 0; i < count; ++i)
                lengths[i] = by_octaves
                                 ? place_at(e.high[i]) - place_at(e.low[i])
                                 : Base::place(e.high[i] - e.low[i], axis.scale, (1 << curve_bits) - 1);
        }
    };
    // Most of what a frame of many oversized agents costs, so a long one has the middle of its ends' places: one search less.
    struct ByMarks {
        static constexpr bool by_ends = true;
        const AxisMarks& marks;
        // The number of marks up to each coordinate by halving: all take one step before any takes the next.
        void find(const float* x, std::size_t count, std::uint32_t* places) const {
            std::int32_t up_to[at_once];
            for (std::size_t i = 0; i < count; ++i) up_to[i] = marks.at[63] <= x[i] ? 64 : 0;
            for (std::int32_t half = 32; half > 0; half /= 2)
                for (std::size_t i = 0; i < count; ++i)
                    up_to[i] += marks.at[up_to[i] + half - 1] <= x[i] ? half : 0;
            for (std::size_t i = 0; i < count; ++i) {
                const std::int32_t part = up_to[i] > 0 ? up_to[i] - 1 : 0;
                const float distance = x[i] - marks.at[part];
                // Its exponent, and five bits more. The difference of equals may be a negative zero, by the rounding mode.
                const std::uint32_t far =
                    (std::bit_cast<std::uint32_t>(distance) & 0x7FFFFFFFu) >> (31 - (curve_bits - 2));
                // Where that is even, or by octaves.
                constexpr std::int32_t last = (1 << AxisMarks::bits) - 1;
                const std::uint32_t evenly = Base::place(distance, marks.scale[part], last);
                const bool above = marks.places[part] == AxisMarks::from_above;
                const float near = above ? marks.at[part + 1] - x[i] : distance;
                const auto bits = static_cast<std::int32_t>(
                    (std::bit_cast<std::uint32_t>(near) & 0x7FFFFFFFu) >> AxisMarks::octave_shift);
                const std::int32_t out = bits - marks.nearest[part], octave = out < 0      ? 0
                                                                              : out > last ? last
                                                                                           : out;
                const auto by_octaves = static_cast<std::uint32_t>(above ? last - octave : octave);
                const std::uint32_t inside =
                    AxisMarks::quarter + (static_cast<std::uint32_t>(part) << AxisMarks::bits |
                                          (marks.places[part] == AxisMarks::even ? evenly : by_octaves));
                places[i] = up_to[i] == 0                  ? AxisMarks::quarter - 1 - far
                            : up_to[i] == AxisMarks::count ? 3 * AxisMarks::quarter + far
                                                           : inside;
            }
        }
        void measure(const Extents& e, std::size_t count, std::uint32_t* lengths) const {
            find(e.high, count, lengths);
            for (std::size_t i = 0; i < count; ++i) lengths[i] -= e.places[i];
        }
    };

    // Keeps the bits that are worth more than a length.
    static std::uint32_t rounded(std::uint32_t at, std::uint32_t length) {
        length |= length >> 1;
        length |= length >> 2;
        length |= length >> 4;
        return at & ~(length | length >> 8);
    }
    template <class Axis>
    static void find_places(const Axis& axis, std::size_t count, Extents& e) {
        float at[at_once];
        std::uint32_t some_are_long = 0, lengths[at_once];
        for (std::size_t i = 0; i < count; ++i) {
            const float low = e.low[i], centre = low * 0.5f + e.high[i] * 0.5f;
            at[i] = Axis::by_ends && e.is_long[i] != 0 ? low : centre;
            some_are_long |= e.is_long[i];
        }
        axis.find(at, count, e.places);
        if (some_are_long == 0) return;
        axis.measure(e, count, lengths);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t place = e.places[i],
                                middle = rounded(place + (Axis::by_ends ? lengths[i] / 2 : 0), lengths[i]);
            e.places[i] = e.is_long[i] != 0 ? middle : place;
        }
    }
    // Puts a zero in front of every bit.
    static std::uint32_t spread(std::uint32_t bits) {
        bits = (bits | bits << 8) & 0x00FF00FFu;
        bits = (bits | bits << 4) & 0x0F0F0F0Fu;
        bits = (bits | bits << 2) & 0x33333333u;
        return (bits | bits << 1) & 0x55555555u;
    }
    static void find_some(const Curve& curve, const Query* boxes, std::size_t count, std::uint32_t* places) {
        Extents x, y;
        for (std::size_t i = 0; i < count; ++i) {
            const Query& box = boxes[i];
            x.low[i] = box.min_x, x.high[i] = box.max_x, y.low[i] = box.min_y, y.high[i] = box.max_y;
            const float width = (box.max_x - box.min_x) * curve.x.shape,
                        height = (box.max_y - box.min_y) * curve.y.shape;
            x.is_long[i] = width > long_from * height ? 1 : 0;
            y.is_long[i] = height > long_from * width ? 1 : 0;
        }
        const auto find_on = [&](const CurveAxis& axis, Extents& e) {
            if (axis.marks != nullptr)
                find_places(ByMarks{*axis.marks}, count, e);
            else
                find_places(ByMap{axis, curve.by_octaves}, count, e);
        };
        find_on(curve.x, x);
        find_on(curve.y, y);
        for (std::size_t i = 0; i < count; ++i)
            places[i] = (x.is_long[i] | y.is_long[i] << 1) << 2 * curve_bits | spread(x.places[i]) |
                        spread(y.places[i]) << 1;
    }
    THRONG_KERNEL static void find(const Curve& curve, const Query* boxes, std::size_t count,
                                   std::uint32_t* places) {
        for (std::size_t first = 0; first < count; first += at_once)
            find_some(curve, boxes + first, count - first < at_once ? count - first : at_once,
                      places + first);
    }
};

}  // namespace throng::simd
