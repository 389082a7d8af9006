#include "engine/src/structures/rows/neighbour_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/structures/rows/carver.hpp"
#include "engine/src/structures/rows/sweep_scratch.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::detail {

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

float least(const float* values, std::uint32_t count) noexcept {
    float least = infinity;
    for (std::uint32_t i = 0; i < count; ++i) least = values[i] < least ? values[i] : least;
    return least;
}
float largest_difference(const float* high, const float* low, std::uint32_t count) noexcept {
    float largest = 0;
    for (std::uint32_t i = 0; i < count; ++i) largest = std::max(largest, high[i] - low[i]);
    return largest;
}

}  // namespace

bool NeighbourRows::reserve(std::size_t elements, std::size_t columns) noexcept {
    return carve(
        space_.rows, [&](Carver& carver) { lay_out(carver, elements, columns); },
        [&](Carver& carver) { lay_out(carver, with_headroom(elements), columns); });
}

void NeighbourRows::lay_out(Carver& carver, std::size_t elements, std::size_t columns) noexcept {
    stride_ = static_cast<std::uint32_t>((elements + simd::gap + 15) / 16 * 16);
    for (PackedRow* row : {&row_, &above_}) {
        float* data = carver.take<float>(std::size_t{5} * stride_);
        *row = {};
        row->cells = carver.take<std::uint32_t>(columns + 1);
        if (data == nullptr) continue;
        row->min_x = data;
        row->min_y = data + stride_;
        row->max_x = data + std::size_t{2} * stride_;
        row->max_y = data + std::size_t{3} * stride_;
        row->id = reinterpret_cast<ElementId*>(data + std::size_t{4} * stride_);
    }
    room_ = static_cast<std::uint32_t>(elements);
    edge_ = carver.take<std::uint32_t>(elements + simd::gap);
    other_list_ = carver.take<std::uint32_t>(elements + simd::gap);
}

// The kernel computes in floats, and so the origin lies a little further down, and searches go as much
// further back: by eight units in the last place of the origin. What is relative to the distance from the
// origin is covered by the kernel's own allowance (`scaled_up`).
void NeighbourRows::set_columns(double origin, double width, std::uint32_t columns) noexcept {
    const double allowance = std::abs(origin) * 0x1p-21 + std::numeric_limits<float>::min();
    columns_ = columns;
    in_one_ = (columns - 1) / simd::max_columns + 1;
    const double wide = width * in_one_;
    // In worlds as wide as the floats a distance may overflow, and in the smallest ones the inverse of a width: all
    // elements are in one column there.
    if (wide * columns + std::abs(origin) > 1e38 || !(wide > 1e-37)) in_one_ = columns;
    simd::Grid& grid = view_.grid;
    grid.columns = (columns - 1) / in_one_ + 1;
    grid.last_column = static_cast<float>(grid.columns - 1);
    grid.origin_x = grid.columns == 1 ? 0 : static_cast<float>(origin - allowance);
    grid.inverse_width = grid.columns == 1 ? 1 : static_cast<float>(1 / wide);
    allowance_ = static_cast<float>(std::min(4 * allowance, 1e38));
}

void NeighbourRows::packed() noexcept {
    const std::uint32_t columns = view_.grid.columns;
    for (std::uint32_t c = 0; c < columns && in_one_ != 1; ++c) above_.cells[c] = above_.cells[c * in_one_];
    above_.cells[columns] = above_.count;
    longest_ = std::max(longest_, above_.count);
    // Vectors read past the last element; the padding overlaps nothing.
    for (float* values : {above_.min_x, above_.min_y, above_.max_x, above_.max_y})
        std::fill_n(values + above_.count, simd::gap, std::numeric_limits<float>::quiet_NaN());
    above_.lowest = least(above_.min_y, above_.count);
    above_.widest = largest_difference(above_.max_x, above_.min_x, above_.count);
}

simd::Row NeighbourRows::as_kernel_row(const PackedRow& row) const noexcept {
    return {row.min_x, row.cells, stride_, row.count, 0};
}

// An element is in the second of two rows if (y - origin) * scale is at least one: so for every y from the
// lowest element of the row above on, and for few below that.
void NeighbourRows::set_edge() noexcept {
    simd::Grid& grid = view_.grid;
    const float lowest = above_.lowest;
    const float step = std::max(std::abs(lowest) * 0x1p-10f, 1e-30f);
    grid.rows = above_.count == 0 ? 1 : 2;
    grid.last_row = 1;
    grid.origin_y = std::abs(lowest) < 1e38f ? lowest - step : -infinity;
    grid.inverse_height = grid.origin_y == -infinity ? 1 : 1 / (lowest - grid.origin_y);
}

void NeighbourRows::find() noexcept {
    if (row_.count == 0) return;
    rows_[0] = as_kernel_row(row_);
    rows_[1] = as_kernel_row(above_);
    set_edge();
    view_.rows = rows_;
    view_.is_all = true;
    view_.reach_x = rounded_up(std::max(row_.widest, above_.count == 0 ? 0 : above_.widest)) + allowance_;
    view_.reach_y = 0;
    SweepScratch scratch(edge_, space_.sweep);
    kernels_.row_pairs(view_, 0, scratch, into_.sink);
}

}  // namespace throng::detail
