// Distances of boxes from a point, by the definitions in queries/neighbours.hpp, and where to look for boxes
// near a point.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/box_math.hpp"
#include "base/kernels.hpp"
#include "simd/box_tree.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::detail {

// Each operation is rounded by itself, as in the kernels.
inline float squared_distance(const Point& from, const Box& box, AgentsAs agents_as) noexcept {
    const auto outside = [](float before, float behind) {
        const float larger = before > behind ? before : behind;
        return larger > 0 ? larger : 0.0f;
    };
    const auto square = [](float dx, float dy) { return dx * dx + dy * dy; };
    const float to_box = square(outside(box.min_x - from.x, from.x - box.max_x),
                                outside(box.min_y - from.y, from.y - box.max_y));
    if (agents_as == AgentsAs::boxes) return to_box;
    const float to_centre =
        square(0.5f * box.min_x + 0.5f * box.max_x - from.x, 0.5f * box.min_y + 0.5f * box.max_y - from.y);
    if (agents_as == AgentsAs::centres) return to_centre;
    const float width = 0.5f * box.max_x - 0.5f * box.min_x, height = 0.5f * box.max_y - 0.5f * box.min_y;
    const float beyond = outside(std::sqrt(to_centre) - (width < height ? width : height), 0.0f);
    return std::max(to_box, beyond * beyond);
}

// A box that overlaps everything so near: wider by more than the rounding of distances, and of squares that
// are too small for a float. The edge of a box that is found is a float itself, so no rounding of the sum
// leaves it out. If the limit is too large for a float, so are some distances, and all boxes are within it.
inline simd::Query around(const Point& point, float squared_limit) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!(squared_limit < largest)) return {-largest, -largest, largest, largest};
    const double reach = std::sqrt(static_cast<double>(squared_limit)) * (1 + 0x1p-18) + 0x1p-60;
    return {float_at_most(point.x - reach), float_at_most(point.y - reach), float_at_least(point.x + reach),
            float_at_least(point.y + reach)};
}

}  // namespace throng::detail
