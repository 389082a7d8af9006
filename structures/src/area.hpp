// The area that a structure divides: whether it is legal, its axes, and boxes within boxes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/legal.hpp"
#include "throng/detail/grid_axis.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// Whether a structure can divide this area: a legal box, and more than a point, which it is if it was never
// set.
inline bool are_legal_extents(const Box& extents) noexcept {
    return check(extents) == Code::ok && (extents.min_x < extents.max_x || extents.min_y < extents.max_y);
}

inline bool encloses(const Box& outer, const Box& inner) noexcept {
    return (outer.min_x <= inner.min_x) & (outer.min_y <= inner.min_y) & (outer.max_x >= inner.max_x) &
           (outer.max_y >= inner.max_y);
}

// The part that is in both; inverted if there is none.
inline Box common_part(const Box& a, const Box& b) noexcept {
    return {std::max(a.min_x, b.min_x), std::max(a.min_y, b.min_y), std::min(a.max_x, b.max_x),
            std::min(a.max_y, b.max_y)};
}

// One axis of a grid (grid_axis.hpp), in doubles, where the distance between any two floats is finite.
class GridAxis {
public:
    GridAxis() = default;
    // Equal cells from `min` to `max`, at least one.
    GridAxis(float min, float max, std::uint32_t cells) noexcept
        : origin_(min), scale_(scale_of(extent(min, max), cells)), last_(cells - 1.0) {}
    // Cells of a given side from `min` on, at least one.
    static GridAxis of_side(float min, double side, std::uint32_t cells) noexcept {
        GridAxis axis;
        axis.origin_ = min;
        axis.scale_ = 1 / side;
        axis.last_ = cells - 1.0;
        return axis;
    }

    static double extent(float min, float max) noexcept { return double{max} - double{min}; }

    double origin() const noexcept { return origin_; }
    double side() const noexcept { return 1 / scale_; }
    std::uint32_t cells() const noexcept { return static_cast<std::uint32_t>(last_) + 1; }
    // The cell of any value but NaN.
    std::uint32_t cell(double value) const noexcept { return bin(value, origin_, scale_, last_); }
    // Where a cell begins, up to rounding: for drawing. The widest grids end beyond all floats.
    float begin(std::uint32_t cell) const noexcept {
        constexpr double largest = std::numeric_limits<float>::max();
        return static_cast<float>(std::min(origin_ + cell / scale_, largest));
    }

private:
    // Never zero, so an infinity stays infinite.
    static double scale_of(double extent, std::uint32_t cells) noexcept {
        return extent > 0 ? cells / extent : 1e-200;
    }

    double origin_ = 0;
    double scale_ = 1;
    double last_ = 0;
};

}  // namespace throng::detail
