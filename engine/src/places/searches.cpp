#include "engine/src/places/searches.hpp"

#include <algorithm>
#include <array>

#include "engine/src/base/box_math.hpp"
#include "engine/src/base/cell_math.hpp"
#include "engine/src/places/some_oversized.hpp"
#include "engine/src/plan/tuner.hpp"

namespace throng::detail {

namespace {

// What the search of an oversized agent compares in vain in the cells of its own region, as far as some rows and agents there tell.
// A row in which it finds nothing takes as long as some agents do: one far from a grid looks into all rows at its border.
double looks_in_vain(const FrameState& frame, const Box& box) noexcept {
    constexpr std::uint32_t some_rows = 16, some_agents = 8;
    constexpr double a_row = 16;
    const std::uint32_t region = frame.map.region_at(box.min_x, box.min_y);
    const simd::Grid& grid = frame.map.grid_of_region(region);
    const std::uint32_t low = row_at(grid, box.min_y - grid.common_height), high = row_at(grid, box.max_y),
                        left = column_at(grid, box.min_x - grid.common_width),
                        right = column_at(grid, box.max_x), row_step = (high - low) / some_rows + 1;
    double looks = 0;
    for (std::uint32_t r = low; r <= high; r += row_step) {
        const simd::Row& row = frame.rows[frame.map.first_row(region) + r];
        if (row.count == 0) continue;
        const std::uint32_t begin = row.cells[left], end = row.cells[right + 1],
                            step = (end - begin) / some_agents + 1;
        std::uint32_t compared = 0, found = 0;
        for (std::uint32_t i = begin; i < end; i += step, ++compared)
            found += overlap(box, RowArrays(row).box(i));
        const double all = end - begin, share = compared == 0 ? 0 : double(found) / compared;
        looks += std::max(all * (1 - share), a_row - all * share) * row_step;
    }
    return looks;
}

}  // namespace

std::uint64_t looks_of_oversized(const FrameState& frame) noexcept {
    constexpr std::size_t sample = 128;
    constexpr double a_pair = 4;  // so many agents of a long row are compared in the time of a pair in a cell
    const std::size_t all = frame.view.oversized.count;
    if (all <= frame.agents / 16 || !frame.map.has_cells()) return 0;
    std::array<Box, sample> boxes;
    double looks = 0;
    const std::span<const Box> some =
        take_some_oversized(frame, std::span(boxes).first(std::min(all, sample)));
    for (const Box& box : some) looks += looks_in_vain(frame, box);
    const double each = looks / a_pair / static_cast<double>(some.size()) - Tuner::work_of_oversized;
    return static_cast<std::uint64_t>(std::max(each, 0.0) * static_cast<double>(all));
}

}  // namespace throng::detail
