// The bounds of a region's tile. An agent whose lower left corner is within them is in the region, and need not be looked for.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/src/base/box_math.hpp"
#include "engine/src/base/cell_math.hpp"
#include "simd/types.hpp"

namespace throng::detail {

// The coordinates on one axis that lead to tile `number` under any rounding mode, so a little less than the tile has. None where
// tiles are finer than floats.
struct SureRange {
    static constexpr float infinity = std::numeric_limits<float>::infinity();
    float from = -infinity, behind = infinity;

    SureRange(std::uint32_t number, float origin, float inverse, float last) noexcept {
        constexpr double margin = 0x1p-20;
        const double next = number + 1.0;
        if (number != 0) from = float_at_least(origin + (number + next * margin) / inverse);
        if (static_cast<float>(number) < last) behind = float_at_most(origin + next * (1 - margin) / inverse);
        const auto leads_here = [&](float at) { return place(at, origin, inverse, last) == number; };
        if (!(from < behind) || !leads_here(from) || !leads_here(std::nextafter(behind, -infinity)))
            from = infinity, behind = -infinity;
    }
};

// No corner is surely on the background of the world: all are looked for there.
inline constexpr simd::RegionBounds no_corner{SureRange::infinity, SureRange::infinity, -SureRange::infinity,
                                              -SureRange::infinity};

inline simd::RegionBounds bounds_of_tile(const simd::Tiles& tiles, std::uint32_t tile) noexcept {
    const SureRange x(tile % tiles.columns, tiles.origin_x, tiles.inverse_width, tiles.last_column),
        y(tile / tiles.columns, tiles.origin_y, tiles.inverse_height, tiles.last_row);
    return {x.from, y.from, x.behind, y.behind};
}

inline simd::RegionBounds within(const simd::RegionBounds& a, const simd::RegionBounds& b) noexcept {
    return {std::max(a.min_x, b.min_x), std::max(a.min_y, b.min_y), std::min(a.behind_x, b.behind_x),
            std::min(a.behind_y, b.behind_y)};
}

}  // namespace throng::detail
