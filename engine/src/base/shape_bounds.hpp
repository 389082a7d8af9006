// The bounds of shapes: a box that overlaps the box of each agent that the shape finds.
#pragma once

#include <algorithm>
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

// How far a circle may find something: more than the radius, by the rounding of distances and squares that are too small for
// a float, or flushed to zero.
inline float reach_of_circle(float radius) noexcept { return radius * (1 + 0x1p-20f) + 0x1p-62f; }

// The margins cover the rounding of sums. If the square of the radius is too large for a float, so are those of some
// distances, and everything is found.
inline simd::Query bounds_of_circle(float x, float y, float radius) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!(radius * radius <= largest)) return {-largest, -largest, largest, largest};
    const float reach = reach_of_circle(radius);
    return {below(x - reach), below(y - reach), above(x + reach), above(y + reach)};
}

// The same where agents are their boxes or centres, without a margin for the sums. The edge of a box that is found is at
// most x + reach, and it is a float: so it is at most what that is rounded to, however it is rounded. Far from the
// origin the margin would be wider than many agents.
inline simd::Query close_bounds_of_circle(float x, float y, float radius) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (!(radius * radius <= largest)) return {-largest, -largest, largest, largest};
    const float reach = reach_of_circle(radius);
    return {std::max(x - reach, -largest), std::max(y - reach, -largest), std::min(x + reach, largest),
            std::min(y + reach, largest)};
}

}  // namespace throng::detail
