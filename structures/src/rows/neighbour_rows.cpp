#include "structures/src/rows/neighbour_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/box_math.hpp"
#include "simd/pair_kernels.hpp"
#include "simd/row_kernels.hpp"
#include "structures/src/rows/carver.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures::detail {

bool NeighbourRows::reserve(std::size_t elements, std::size_t columns) noexcept {
    columns = std::min<std::size_t>(columns, simd::max_columns);
    return carve(
        space_.rows, space_.room_for_pairs, [&](Carver& carver) { lay_out(carver, elements, columns); },
        [&](Carver& carver) { lay_out(carver, with_headroom(elements), columns); });
}

void NeighbourRows::lay_out(Carver& carver, std::size_t elements, std::size_t columns) noexcept {
    stride_ = static_cast<std::uint32_t>((elements + simd::gap + 15) / 16 * 16);
    for (SortedRow* row : {&row_, &above_}) {
        *row = {};
        row->records = carver.take<simd::Record>(stride_);
        row->cells = carver.take<std::uint32_t>(columns + 1);
    }
    room_ = static_cast<std::uint32_t>(elements);
    scratch_ = carver.take<std::byte>(simd::sort_scratch(elements));
}

void NeighbourRows::set_columns(double origin, double width, std::uint32_t columns) noexcept {
    const double extent = width * columns;
    columns = std::min(columns, simd::max_columns);
    const double wide = extent / columns;
    // In worlds as wide as the floats a distance may overflow, and in the smallest ones the inverse of a
    // width: all elements are in one column there.
    if (extent + std::abs(origin) > 1e38 || !(wide > 1e-37)) columns = 1;
    simd::Grid& grid = view_.grid;
    grid.columns = columns;
    grid.last_column = static_cast<float>(columns - 1);
    grid.origin_x = columns == 1 ? 0 : static_cast<float>(origin);
    grid.inverse_width = columns == 1 ? 1 : static_cast<float>(1 / wide);
    grid.common_width = grid.common_height = std::numeric_limits<float>::infinity();
}

void NeighbourRows::sort(std::uint32_t count) noexcept {
    longest_ = std::max(longest_, count);
    if (count == 0) return;
    simd::RowSummary summary;
    above_.row = kernels_.rows->sort_row(view_.grid, above_.records, &above_.records->min_x, stride_,
                                         above_.cells, count, scratch_, summary);
    above_.widest = summary.reach.width;
    above_.lowest = kernels_.rows->bound_row(above_.row).min_y;
}

// An element is in the second of two rows if (y - origin) * scale is at least one: so for every y from the
// lowest element of the row above on, and for few below that.
void NeighbourRows::set_edge() noexcept {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    simd::Grid& grid = view_.grid;
    const float lowest = above_.lowest;
    const float step = std::max(std::abs(lowest) * 0x1p-10f, 1e-30f);
    grid.rows = above_.row.count == 0 ? 1 : 2;
    grid.last_row = 1;
    grid.origin_y = std::abs(lowest) < 1e38f ? lowest - step : -infinity;
    grid.inverse_height = grid.origin_y == -infinity ? 1 : 1 / (lowest - grid.origin_y);
}

void NeighbourRows::find() noexcept {
    if (row_.row.count == 0) return;
    rows_[0] = row_.row;
    rows_[1] = above_.row;
    set_edge();
    view_.rows = rows_;
    view_.is_all = true;
    view_.reach_x = rounded_up(std::max(row_.widest, above_.row.count == 0 ? 0 : above_.widest));
    view_.reach_y = 0;
    SweepScratch scratch(kernels_, list(), &space_.sweep);
    kernels_.pairs->boxes(view_, 0, {}, scratch, into_.sink);
}

}  // namespace throng::structures::detail
