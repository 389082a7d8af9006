// Box arithmetic for inner loops. Branch-free: hits are unpredictable.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "throng/geometry.hpp"

namespace throng::detail {

inline bool overlap(const Box& a, const Box& b) noexcept {
    return (a.min_x <= b.max_x) & (b.min_x <= a.max_x) & (a.min_y <= b.max_y) & (b.min_y <= a.max_y);
}

inline bool encloses(const Box& outer, const Box& inner) noexcept {
    return (outer.min_x <= inner.min_x) & (outer.min_y <= inner.min_y) & (outer.max_x >= inner.max_x) &
           (outer.max_y >= inner.max_y);
}

// Whether it is `no_box`, the bounds of no boxes.
inline bool is_empty(const Box& bounds) noexcept { return bounds.min_x > bounds.max_x; }

// The part that is in both; inverted if there is none.
inline Box common_part(const Box& a, const Box& b) noexcept {
    return {std::max(a.min_x, b.min_x), std::max(a.min_y, b.min_y), std::min(a.max_x, b.max_x),
            std::min(a.max_y, b.max_y)};
}

// The nearest float that is not larger, and the one that is not smaller; finite, unless it is not a number.
inline float float_at_most(double value) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    const float nearest = static_cast<float>(std::clamp(value, -double(largest), double(largest)));
    return nearest > value ? std::nextafter(nearest, -largest) : nearest;
}
inline float float_at_least(double value) noexcept { return -float_at_most(-value); }

}  // namespace throng::detail
