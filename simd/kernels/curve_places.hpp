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
    struct Places {
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
    // Keeps the bits that are worth more than a length.
    static std::uint32_t rounded(std::uint32_t at, std::uint32_t length) {
        length |= length >> 1;
        length |= length >> 2;
        length |= length >> 4;
        return at & ~(length | length >> 8);
    }
    static void find_places(const Places& axis, std::size_t count, Extents& e) {
        float centre[at_once];
        std::uint32_t some_are_long = 0, lengths[at_once];
        for (std::size_t i = 0; i < count; ++i) {
            centre[i] = e.low[i] * 0.5f + e.high[i] * 0.5f;
            some_are_long |= e.is_long[i];
        }
        axis.find(centre, count, e.places);
        if (some_are_long == 0) return;
        axis.measure(e, count, lengths);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t place = e.places[i], middle = rounded(place, lengths[i]);
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
    static std::uint32_t ordered_bits(float x) {
        const auto bits = std::bit_cast<std::uint32_t>(x);
        return bits ^ ((0u - (bits >> 31)) | 0x80000000u);
    }
    static std::uint32_t place_in_part(std::uint32_t edge, std::uint32_t first, std::uint32_t shift) {
        constexpr std::uint32_t last = (1u << TreeMarks::place_bits) - 1;
        const std::uint32_t place = (edge > first ? edge - first : 0) >> shift;
        return place < last ? place : last;
    }
    static void find_by_marks(const TreeMarks& tree, const Query* boxes, std::size_t count,
                              std::uint32_t* places) {
        const TreeMarks::Mark* const marks = tree.marks();
        std::uint32_t edges[4 * at_once], number[at_once];
        for (std::size_t i = 0; i < count; ++i) {
            const Query& box = boxes[i];
            edges[i] = ordered_bits(box.min_x), edges[at_once + i] = ordered_bits(box.min_y);
            edges[2 * at_once + i] = ordered_bits(box.max_x), edges[3 * at_once + i] = ordered_bits(box.max_y);
            number[i] = 1;
        }
        for (std::uint32_t level = 0; level < tree.levels; ++level)
            for (std::size_t i = 0; i < count; ++i) {
                const TreeMarks::Mark& mark = marks[number[i]];
                number[i] = 2 * number[i] + (edges[mark.edge * at_once + i] >= mark.at ? 1 : 0);
            }
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t part = number[i] - (1u << tree.levels);
            const TreeMarks::Mark& mark = marks[part];
            const std::uint32_t edge = mark.first_edge,
                                a = place_in_part(edges[edge * at_once + i], mark.first[0], mark.shift[0]),
                                b = place_in_part(edges[(edge ^ 1) * at_once + i], mark.first[1], mark.shift[1]);
            places[i] = part << 2 * TreeMarks::place_bits | spread(a) << 1 | spread(b);
        }
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
        find_places({curve.x, curve.by_octaves}, count, x);
        find_places({curve.y, curve.by_octaves}, count, y);
        for (std::size_t i = 0; i < count; ++i)
            places[i] = (x.is_long[i] | y.is_long[i] << 1) << 2 * curve_bits | spread(x.places[i]) |
                        spread(y.places[i]) << 1;
    }
    THRONG_KERNEL static void find(const Curve& curve, const Query* boxes, std::size_t count,
                                   std::uint32_t* places) {
        for (std::size_t first = 0; first < count; first += at_once) {
            const std::size_t some = count - first < at_once ? count - first : at_once;
            if (curve.marks != nullptr)
                find_by_marks(*curve.marks, boxes + first, some, places + first);
            else
                find_some(curve, boxes + first, some, places + first);
        }
    }
};

}  // namespace throng::simd
