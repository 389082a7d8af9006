// ObjectGrid: maps a box to its node of a quadtree, with integers. The extents are divided into 2^levels by
// 2^levels cells, and a node of depth d is a square of 2^(levels - d) by 2^(levels - d) cells. So the
// smallest node that holds a box follows from the cells of its corners, without a walk: its depth is the
// length of their common bit prefix.
//
//     cells of the corners    x: 0110 and 0111     y: 1000 and 1011        levels = 4
//     bits agree                 011                  10                   depth 2: 01, 10
//
// A coordinate becomes a cell by steps that keep order (grid_axis.hpp). Hence boxes that overlap have cells
// that overlap, even with rounding; all that lies outside the extents belongs to the cells along their edge.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>

#include "throng/detail/grid_axis.hpp"
#include "throng/structures/detail/names.hpp"
#include "throng/structures/object/object_box.hpp"

namespace throng::structures::detail {

template <std::floating_point Float>
class ObjectGrid {
public:
    using Box = ObjectBox<Float>;
    // A place takes 2 * levels bits, and its depth another 4.
    static constexpr unsigned max_levels = 14;

    // The cells that a box touches, both ends included.
    struct Cells {
        std::uint32_t min_x, min_y, max_x, max_y;
    };
    // A node: the interleaved bits of x and y (Morton order) from the top down, and how many pairs of them
    // count; the others are 0.
    struct Place {
        std::uint32_t path;
        std::uint32_t depth;
    };

    ObjectGrid() = default;
    ObjectGrid(const Box& extents, unsigned levels) noexcept
        : levels_(levels),
          last_(static_cast<Float>((1u << levels) - 1)),
          x_(extents.min_x, extents.max_x, levels),
          y_(extents.min_y, extents.max_y, levels) {}

    unsigned levels() const noexcept { return levels_; }

    Cells cells(const Box& box) const noexcept {
        return {x_.cell(box.min_x, last_), y_.cell(box.min_y, last_), x_.cell(box.max_x, last_),
                y_.cell(box.max_y, last_)};
    }
    Place place(const Box& box) const noexcept {
        const Cells c = cells(box);
        const auto unlike =
            static_cast<std::uint32_t>(std::bit_width((c.min_x ^ c.max_x) | (c.min_y ^ c.max_y)));
        const std::uint32_t path = interleaved(c.min_x, c.min_y);
        return {path >> (2 * unlike) << (2 * unlike), levels_ - unlike};
    }
    // The node in column `x` and row `y` of its depth.
    Place place_of(std::uint32_t x, std::uint32_t y, std::uint32_t depth) const noexcept {
        return {interleaved(x, y) << (2 * (levels_ - depth)), depth};
    }
    // Whether a node equals another one or lies in it.
    bool within(const Place& inner, const Place& outer) const noexcept {
        return inner.depth >= outer.depth && (inner.path ^ outer.path) >> (2 * (levels_ - outer.depth)) == 0;
    }
    // The child, of four, that the path takes from a node of this depth.
    unsigned child(std::uint32_t path, unsigned depth) const noexcept {
        return path >> (2 * (levels_ - 1 - depth)) & 3;
    }
    // Whether a box straddles the vertical centre line of its node of this depth.
    bool straddles_vertical_line(const Box& box, unsigned depth) const noexcept {
        return (x_.cell(box.min_x, last_) ^ x_.cell(box.max_x, last_)) >> (levels_ - 1 - depth) != 0;
    }

    // The square of the node in column `x` and row `y` of its depth, for drawing.
    Box box(std::uint32_t x, std::uint32_t y, unsigned depth) const noexcept {
        const unsigned shift = levels_ - depth;
        return {x_.at(x << shift), y_.at(y << shift), x_.at((x + 1) << shift), y_.at((y + 1) << shift)};
    }
    // A box that overlaps every box with a cell in that node. It is larger than the node by more than the
    // rounding error, and unbounded where the node lies on the edge.
    Box reach(std::uint32_t x, std::uint32_t y, unsigned depth) const noexcept {
        const unsigned shift = levels_ - depth;
        const std::uint32_t end = 1u << depth;
        constexpr Float infinity = std::numeric_limits<Float>::infinity();
        return {x == 0 ? -infinity : x_.below(x << shift), y == 0 ? -infinity : y_.below(y << shift),
                x + 1 == end ? infinity : x_.above((x + 1) << shift),
                y + 1 == end ? infinity : y_.above((y + 1) << shift)};
    }

private:
    struct Axis {
        Float low = 0, scale = 0, width = 0;

        Axis() = default;
        Axis(Float from, Float to, unsigned levels) noexcept : low(from) {
            constexpr Float largest = std::numeric_limits<Float>::max();
            // The width of the extents would overflow: the cells divide their inner half.
            if (to / 2 - low / 2 > largest / 2) low /= 2, to /= 2;
            const Float cells = static_cast<Float>(1u << levels), wide = to - low;
            // The scale would overflow, or the width is too small for full precision, or the scale so small
            // that hosts may take it for zero: everything is in one cell.
            if (wide < cells / (largest / 64) || cells / wide < std::numeric_limits<Float>::min()) return;
            scale = cells / wide;
            width = wide / cells;
        }
        std::uint32_t cell(Float v, Float last) const noexcept { return detail::bin(v, low, scale, last); }
        // The rounding error of `cell` is less than 1/100 of a cell.
        static constexpr Float margin = Float(1) / 64;
        Float at(std::uint32_t cell) const noexcept { return low + static_cast<Float>(cell) * width; }
        Float below(std::uint32_t cell) const noexcept {
            return low + (static_cast<Float>(cell) - margin) * width;
        }
        Float above(std::uint32_t cell) const noexcept {
            if (width == 0) return std::numeric_limits<Float>::infinity();
            return low + (static_cast<Float>(cell) + margin) * width;
        }
    };

    unsigned levels_ = 0;
    Float last_ = 0;
    Axis x_, y_;
};

}  // namespace throng::structures::detail
