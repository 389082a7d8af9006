// Box arithmetic for inner loops, branch-free since hits are unpredictable; and the cell of a box on a grid,
// computed as in the kernels.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "simd/types.hpp"
#include "throng/detail/grid_axis.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

inline bool overlap(const Box& a, const Box& b) noexcept {
    return (a.min_x <= b.max_x) & (b.min_x <= a.max_x) & (a.min_y <= b.max_y) & (b.min_y <= a.max_y);
}

// Whether it is `no_box`, the bounds of no boxes.
inline bool is_empty(const Box& bounds) noexcept { return bounds.min_x > bounds.max_x; }

// The nearest float that is not larger, and the one that is not smaller; finite, unless it is not a number.
inline float float_at_most(double value) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    const float nearest = static_cast<float>(std::clamp(value, -double(largest), double(largest)));
    return nearest > value ? std::nextafter(nearest, -largest) : nearest;
}
inline float float_at_least(double value) noexcept { return -float_at_most(-value); }

inline std::uint32_t column_at(const simd::Grid& g, float x) noexcept {
    return bin(x, g.origin_x, g.inverse_width, g.last_column);
}
inline std::uint32_t row_at(const simd::Grid& g, float y) noexcept {
    return bin(y, g.origin_y, g.inverse_height, g.last_row);
}
inline bool is_common(const simd::Grid& g, const Box& b) noexcept {
    return b.max_x - b.min_x <= g.common_width && b.max_y - b.min_y <= g.common_height;
}

// The cell of an agent. Oversized agents are in the column after the last.
struct Cell {
    std::uint32_t row, column;
    friend bool operator==(const Cell&, const Cell&) = default;
};
inline Cell cell_of(const simd::Grid& g, const Box& b) noexcept {
    return {row_at(g, b.min_y), is_common(g, b) ? column_at(g, b.min_x) : g.columns};
}

// The largest extent of any agent becomes the distance that searches reach back. It is rounded up, so no
// rounding of the extent or the reach misses an agent, in any rounding mode.
inline float rounded_up(float extent) noexcept { return extent * (1.0f + 4.8e-7f); }

}  // namespace throng::detail
