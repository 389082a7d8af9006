// The circle in which a search for the nearest begins. Later circles follow from the answers before
// (simd/kernels/neighbours/radius_guess.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numbers>

#include "engine/src/frame/frame_state.hpp"
#include "simd/neighbour_kernels.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// The radius in which the nearest are looked for first. With room for chance, it holds as many as wanted if
// agents stand as densely as in the cells around the point, or as in the whole grid if there are none.
inline float likely_radius(const FrameState& frame, const Point& point, std::uint32_t wanted) noexcept {
    const simd::View& view = frame.view_of(frame.map.region_at(point.x, point.y));
    const simd::Grid& grid = view.grid;
    const float height = 1.0f / grid.inverse_height;
    const float row = (point.y - grid.origin_y) * grid.inverse_height,
                column = (point.x - grid.origin_x) * grid.inverse_width;
    float agents = 0, cells = 1;
    if (0 <= row && row <= grid.last_row && 0 <= column && column <= grid.last_column) {
        const simd::Row& here = view.rows[static_cast<std::size_t>(row)];
        constexpr std::uint32_t beside = 2;
        const auto at = static_cast<std::uint32_t>(column);
        const std::uint32_t first = at < beside ? 0 : at - beside,
                            end = std::min(at + beside + 1, grid.columns);
        if (here.count != 0) agents = static_cast<float>(here.cells[end] - here.cells[first]);
        cells = static_cast<float>(end - first);
    }
    if (agents == 0) {
        if (frame.view.islands != nullptr) return height;
        agents = static_cast<float>(frame.agents - frame.view.oversized.count);
        cells = static_cast<float>(grid.columns) * static_cast<float>(grid.rows);
    }
    const auto count = static_cast<float>(wanted);
    const float area = (count + 3.5f * std::sqrt(count)) * cells /
                       (agents * std::numbers::pi_v<float> * grid.inverse_width * grid.inverse_height);
    return area > 0 && area < std::numeric_limits<float>::max() ? std::sqrt(area) : height;
}

// Searches around sites, one after the other, and leaves the circle for the next ones in `output`.
inline void search_sites(const FrameState& frame, const simd::LabelFilters& filters,
                         const simd::Queriers& queriers, const simd::NeighbourQuery& query,
                         simd::NeighbourOutput& output) noexcept {
    if (query.max_count != 0 && output.guess == 0)
        output.guess = likely_radius(frame, {queriers.x[0], queriers.y[0]}, query.max_count);
    frame.kernels->neighbours->around(frame.view, filters, queriers, query, output);
}

}  // namespace throng::detail
