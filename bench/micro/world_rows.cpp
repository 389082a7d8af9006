#include "bench/micro/world_rows.hpp"
#include "simd/row_kernels.hpp"

#include <algorithm>
#include <limits>

namespace throng::bench {

namespace {

// The design's measured best for agents of size 1: cells a little wider than an agent, rows several times as
// tall.
constexpr float cell_width = 1.25f, row_height = 6.0f, largest_common = 1.01f;

simd::Grid grid_for(float side) {
    simd::Grid grid{};
    // Agents reach half their size over the world's edge.
    grid.origin_x = grid.origin_y = -0.5f;
    grid.inverse_width = 1 / cell_width;
    grid.inverse_height = 1 / row_height;
    grid.columns = std::min(static_cast<std::uint32_t>((side + 1) / cell_width) + 1, simd::max_columns);
    grid.rows = std::min(static_cast<std::uint32_t>((side + 1) / row_height) + 1, simd::max_rows);
    grid.last_column = static_cast<float>(grid.columns - 1);
    grid.last_row = static_cast<float>(grid.rows - 1);
    grid.common_width = grid.common_height = largest_common;
    return grid;
}

// Places in each array of a row: its agents, the gap, and what sorting may write past the last agent.
std::uint32_t stride_for(std::size_t agents) {
    return static_cast<std::uint32_t>((agents + simd::gap + 3 + 15) / 16 * 16);
}

}  // namespace

WorldRows::WorldRows(const simd::Kernels& kernels, const std::string& scenario, std::size_t agents)
    : kernels_(kernels), world_(workload::make(scenario, agents)) {
    view_.grid = grid_for(world_.side);
    const std::size_t rows = view_.grid.rows;
    row_of_.resize(agents + 16);
    for (auto* values : {&histogram_, &strides_}) values->resize(rows);
    rows_.resize(rows);
    begins_.resize(rows);
    cells_.resize(rows);
    data_.resize(rows);
    count();
    lay_out();
    scatter();
    sort();
    measure();
    collect_oversized();
    view_.rows = rows_.data();
    view_.is_all = true;
}

simd::Columns WorldRows::columns() const {
    return {world_.x.data(), world_.y.data(), world_.hx.data(), world_.hy.data(), true};
}

void WorldRows::lay_out() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        strides_[r] = stride_for(histogram_[r]);
        data_[r].resize(std::size_t{5} * strides_[r] / 16);
        begins_[r] = reinterpret_cast<simd::Record*>(floats(data_[r]));
        cells_[r].resize(view_.grid.columns + std::size_t{1});
    }
    const std::uint32_t most = *std::max_element(histogram_.begin(), histogram_.end());
    scratch_.resize(simd::sort_scratch(most));
}

void WorldRows::count() {
    std::fill(histogram_.begin(), histogram_.end(), 0u);
    kernels_.rows->count_rows(view_.grid, columns(), agents(), row_of_.data(), histogram_.data());
}

void WorldRows::scatter() {
    cursors_ = begins_;
    kernels_.rows->scatter(columns(), agents(), nullptr, 0, row_of_.data(), cursors_.data(), cursors_.size());
}

void WorldRows::sort() {
    simd::RowSummary summary{};
    for (std::size_t r = 0; r < rows_.size(); ++r)
        rows_[r] = kernels_.rows->sort_row(view_.grid, begins_[r], floats(data_[r]), strides_[r],
                                           cells_[r].data(), histogram_[r], scratch_.data(), summary);
}

void WorldRows::measure() {
    view_.reach_x = view_.reach_y = 0;
    for (const simd::Row& row : rows_) {
        const simd::RowReach reach = kernels_.rows->measure_row(row);
        view_.reach_x = std::max(view_.reach_x, reach.width * 1.000001f);
        view_.reach_y = std::max(view_.reach_y, reach.height * 1.000001f);
    }
    view_.locate = simd::locate(view_.grid, view_.reach_x, view_.reach_y);
}

// The oversized agents of all rows as one row without cells, padded with NaN.
void WorldRows::collect_oversized() {
    std::size_t count = 0;
    for (const simd::Row& row : rows_) count += row.oversized;
    const std::uint32_t stride = stride_for(count);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    oversized_.resize(std::size_t{5} * stride / 16);
    float* to = floats(oversized_);
    std::fill(to, to + std::size_t{4} * stride, nan);
    std::size_t at = 0;
    for (const simd::Row& row : rows_)
        for (std::uint32_t k = 0; k < row.oversized; ++k, ++at)
            for (std::size_t array = 0; array < 5; ++array)
                to[array * stride + at] = row.data[array * row.stride + row.count + simd::gap + k];
    view_.oversized = {to, nullptr, stride, static_cast<std::uint32_t>(count), 0};
}

}  // namespace throng::bench
