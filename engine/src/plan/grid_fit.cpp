#include "engine/src/plan/grid_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/src/plan/numbers.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

double budget_for(std::size_t agents) noexcept {
    return std::min(fewest_cells + cells_an_agent * static_cast<double>(agents), most_cells);
}

double most_fixed_cells(double budget) noexcept {
    return std::min(fixed_cells * budget + fewest_fixed_cells, most_cells);
}

void fit_to_budget(GridFit& fit, double world_width, double world_height, double agents, double budget) {
    const auto count = [&] {
        fit.columns = std::floor(world_width / fit.width) + 1;
        fit.rows = std::floor(world_height / fit.height) + 1;
    };
    count();
    fit.shortage = fit.columns * fit.rows / budget;
    for (int tries = 0; tries < most_growths && fit.columns * fit.rows > budget; ++tries) {
        const double factor = std::max(grows, std::sqrt(fit.columns * fit.rows / budget));
        // A world with a single row or column can have fewer cells only along the other axis.
        if (fit.rows > 1) fit.height *= fit.columns > 1 ? factor : factor * factor;
        if (fit.columns > 1) fit.width *= fit.rows > 1 ? factor : factor * factor;
        fit.reason = TuningReason::sparse;
        count();
    }
    fit.columns = std::clamp(fit.columns, 1.0, double{simd::max_columns});
    const double max_rows = std::clamp(std::floor(agents / agents_in_a_row), 1.0, double{simd::max_rows});
    fit.rows = std::min(fit.rows, max_rows);
    fit.width = std::max(fit.width, world_width / fit.columns);
    fit.height = std::max(fit.height, world_height / fit.rows);
}

// A grid fixed by the host covers as much of the world as the limits allow; the rest is in its outermost
// cells.
void cover_what_it_may(GridFit& fit, double world_width, double world_height, double budget) {
    fit.columns = std::clamp(std::floor(world_width / fit.width) + 1, 1.0, double{simd::max_columns});
    fit.rows = std::clamp(std::floor(world_height / fit.height) + 1, 1.0, double{simd::max_rows});
    const double may = most_fixed_cells(budget);
    if (fit.columns * fit.rows > may) fit.rows = std::max(1.0, std::floor(may / fit.columns));
    if (fit.columns * fit.rows > may) fit.columns = std::max(1.0, std::floor(may / fit.rows));
    fit.reason = TuningReason::set_by_host;
}

}  // namespace

double step_between(float low, float high) noexcept {
    return 0x1p-24 * std::max(std::abs(double(low)), std::abs(double(high)));
}

// A cell holds a few agents. If the world, or a row of it, is thinner than such a cell, the cell is longer or
// shorter along the other axis: in a world as flat as a line, cells follow each other along it.
Sizes wanted_cell(const Ground& ground) noexcept {
    const double area = agents_in_a_cell / std::clamp(ground.density, 1 / huge, huge);
    const Box& e = ground.extent;
    const double narrowest = std::max(cell_over_agent * ground.common.width, step_between(e.min_x, e.max_x)),
                 lowest = std::max(row_over_agent * ground.common.height, step_between(e.min_y, e.max_y));
    // A line is as high as the survey assumes, and no less.
    const double across = double(e.max_x) - e.min_x, up = double(e.max_y) - e.min_y,
                 thin = thinnest * std::max(across, up);
    const double world_width = std::max({across, narrowest, thin}),
                 world_height = std::max({up, lowest, thin});
    const double width = std::max(narrowest, std::sqrt(area / cell_shape));
    const double height = std::max(lowest, area / std::min(width, world_width > 0 ? world_width : width));
    const bool is_too_high = height == lowest || height > world_height;
    return {is_too_high
                ? std::clamp(area / std::max(std::min(height, world_height), least_length), narrowest, width)
                : width,
            height};
}

double most_cells_for(std::size_t agents) noexcept { return most_fixed_cells(budget_for(agents)); }

GridFit fit_grid(const Ground& ground) noexcept {
    GridFit fit{};
    fit.reason = TuningReason::sizes;
    const Sizes wanted = wanted_cell(ground);
    fit.width = wanted.width;
    fit.height = wanted.height;
    if (ground.fixed.width > 0) fit.width = ground.fixed.width;
    if (ground.fixed.height > 0) fit.height = ground.fixed.height;
    fit.width = std::clamp(fit.width, narrowest_cell, widest_cell);
    fit.height = std::clamp(fit.height, narrowest_cell, widest_cell);
    const double world_width = double(ground.extent.max_x) - ground.extent.min_x,
                 world_height = double(ground.extent.max_y) - ground.extent.min_y;
    const double budget = budget_for(ground.agents);
    if (ground.fixed.width > 0 || ground.fixed.height > 0)
        cover_what_it_may(fit, world_width, world_height, budget);
    else
        fit_to_budget(fit, world_width, world_height, static_cast<double>(ground.agents), budget);
    return fit;
}

float scale_of(double cell, double cells) noexcept {
    constexpr double widest_grid = 3e38;
    return std::max(static_cast<float>(std::max(1 / cell, (cells - 1) / widest_grid)),
                    std::numeric_limits<float>::min());
}

simd::Grid make_grid(const GridFit& fit, const Ground& ground) noexcept {
    return {.origin_x = ground.extent.min_x,
            .origin_y = ground.extent.min_y,
            .inverse_width = scale_of(fit.width, fit.columns),
            .inverse_height = scale_of(fit.height, fit.rows),
            .last_column = static_cast<float>(fit.columns - 1),
            .last_row = static_cast<float>(fit.rows - 1),
            .common_width = static_cast<float>(std::min(ground.common.width * sample_room, 3e38)),
            .common_height = static_cast<float>(std::min(ground.common.height * sample_room, 3e38)),
            .columns = static_cast<std::uint32_t>(fit.columns),
            .rows = static_cast<std::uint32_t>(fit.rows)};
}

simd::Grid make_rows(Ground ground) noexcept {
    ground.common = {};
    GridFit fit = fit_grid(ground);
    fit.columns = 1;
    simd::Grid rows = make_grid(fit, ground);
    rows.common_width = rows.common_height = -1;
    return rows;
}

}  // namespace throng::detail
