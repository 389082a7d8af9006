// The bounds of shapes: a box that overlaps the box of each agent that the shape finds.
#pragma once

#include <cmath>
#include <limits>

#include "simd/shape_kernels.hpp"

namespace throng::detail {

inline float next_below(float v) noexcept {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    return v > lowest ? std::nextafter(v, lowest) : lowest;
}
inline float next_above(float v) noexcept { return -next_below(-v); }

// The margin covers the rounding of distances, and squares that are too small for a float, or flushed to zero. If
// the square of the radius is too large for a float, so are those of some distances, and everything is found.
inline simd::Query bounds_of_circle(float x, float y, float radius) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!(radius * radius <= largest)) return {-largest, -largest, largest, largest};
    const float reach = radius * (1 + 0x1p-20f) + 0x1p-62f;
    return {next_below(x - reach), next_below(y - reach), next_above(x + reach), next_above(y + reach)};
}

}  // namespace throng::detail
