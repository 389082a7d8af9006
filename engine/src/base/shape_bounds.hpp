// The bounds of shapes: a box that overlaps the box of each agent that the shape finds.
#pragma once

#include <limits>

#include "simd/shape_kernels.hpp"

namespace throng::detail {

// A little further out, by more than the rounding of `v`.
inline float below(float v) noexcept {
    constexpr float lowest = std::numeric_limits<float>::lowest();
    const float lower = v - (v < 0 ? -v : v) * 0x1p-22f;
    return lower > lowest ? lower : lowest;
}
inline float above(float v) noexcept { return -below(-v); }

// The margin covers the rounding of distances, and squares that are too small for a float, or flushed to zero. If
// the square of the radius is too large for a float, so are those of some distances, and everything is found.
inline simd::Query bounds_of_circle(float x, float y, float radius) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!(radius * radius <= largest)) return {-largest, -largest, largest, largest};
    const float reach = radius * (1 + 0x1p-20f) + 0x1p-62f;
    return {below(x - reach), below(y - reach), above(x + reach), above(y + reach)};
}

}  // namespace throng::detail
