// Grid arithmetic for single agents: the same as in the kernels.
#pragma once

#include <cstdint>

#include "simd/types.hpp"
#include "throng/detail/grid_axis.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

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
