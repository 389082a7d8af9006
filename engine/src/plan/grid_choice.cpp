#include "engine/src/plan/grid_choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/src/plan/numbers.hpp"
#include "engine/src/plan/survey/common_size.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

bool about(double a, double b, double factor) noexcept { return a <= b * factor && b <= a * factor; }

float moved(float at, float by) noexcept {
    constexpr float most = std::numeric_limits<float>::max();
    return std::clamp(at + by, -most, most);
}

}  // namespace

bool GridChoice::suits_few(std::size_t agents) const noexcept {
    const bool has_none = is_for_few() || tuning_.reason == TuningReason::nothing_to_fit;
    return agents != 0 && agents <= (has_none ? few_agents : few_agents / few_again) && !(fixed_.width > 0) &&
           !(fixed_.height > 0) && !(fixed_common_ > 0);
}

void GridChoice::choose_brute_force() noexcept {
    constexpr float any = 3e38f;
    grid_ = {.inverse_width = 1,
             .inverse_height = 1,
             .common_width = any,
             .common_height = any,
             .columns = 1,
             .rows = 1};
    shortage_ = partners_ = 0;
    fits_cells_ = true;
    tuning_ = {
        .columns = 1, .rows = 1, .common_width = any, .common_height = any, .reason = TuningReason::few};
}

bool GridChoice::wants_islands() const noexcept {
    return !(fixed_common_ > 0) && shortage_ >= crowded_spots && ground_.agents >= fewest_for_islands;
}

// The grid may lie far from all agents, so it may overflow even if they do not.
void GridChoice::move(float dx, float dy) noexcept {
    grid_.origin_x = tuning_.origin_x = moved(grid_.origin_x, dx);
    grid_.origin_y = tuning_.origin_y = moved(grid_.origin_y, dy);
    Box& e = ground_.extent;
    e = {moved(e.min_x, dx), moved(e.min_y, dy), moved(e.max_x, dx), moved(e.max_y, dy)};
}

Ground GridChoice::ground_of(const Survey& survey) const noexcept {
    const double fixed = fixed_common_ / sample_room;
    return {.extent = survey.extent(),
            .agents = survey.agents() / survey.storeys(),
            .density = survey.density(),
            .common = fixed > 0 ? Sizes{fixed, fixed} : common_size(survey),
            .fixed = fixed_};
}

void GridChoice::count_partners(const Survey& survey) noexcept {
    partners_ = survey.others_within(2 * double(survey.width_at(0.5)), 2 * double(survey.height_at(0.5)));
}

void GridChoice::set(const Survey& survey, const Ground& ground, const GridFit& fit) noexcept {
    const bool is_fixed = fit.reason == TuningReason::set_by_host;
    count_partners(survey);
    ground_ = ground;
    grid_ = make_grid(fit, ground);
    fits_cells_ = is_fixed || fixed_common_ > 0 ||
                  survey.share_within(grid_.common_width, grid_.common_height) >= share_in_cells;
    shortage_ = is_fixed ? 0 : fit.shortage;
    tuning_.cell_width = static_cast<float>(fit.width);
    tuning_.row_height = static_cast<float>(fit.height);
    tuning_.origin_x = grid_.origin_x;
    tuning_.origin_y = grid_.origin_y;
    tuning_.columns = grid_.columns;
    tuning_.rows = grid_.rows;
    tuning_.common_width = grid_.common_width;
    tuning_.common_height = grid_.common_height;
    tuning_.crowding = static_cast<float>(std::min(survey.density() * fit.width * fit.height, huge));
    tuning_.reason = fit.reason;
}

void GridChoice::choose(const Survey& survey) noexcept {
    const Ground ground = ground_of(survey);
    set(survey, ground, fit_grid(ground));
}

void GridChoice::choose_again(const Survey& survey, double others) noexcept {
    const Ground ground = ground_of(survey);
    const GridFit fit = fit_grid(ground);
    const double cell_before = double{tuning_.cell_width} * tuning_.row_height;
    const double in_cells_before =
        survey.share_in({tuning_.origin_x, tuning_.origin_y,
                         tuning_.origin_x + tuning_.cell_width * static_cast<float>(tuning_.columns),
                         tuning_.origin_y + tuning_.row_height * static_cast<float>(tuning_.rows)});
    set(survey, ground, fit);
    if (fit.reason == TuningReason::set_by_host) return;
    // A cell as large as the largest common agent may hold many small ones.
    shortage_ = std::max(shortage_, survey.others_within(fit.width, fit.height) / crowded_cell);
    // If agents shared a cell of this size before, new ones do not part them, unless they have left the grid
    // and shared a cell at its border.
    if (in_cells_before >= mostly && fit.width * fit.height >= mostly * cell_before)
        shortage_ = std::max(shortage_, others / crowded_cell);
}

bool GridChoice::is_about(const GridFit& fit, const Ground& ground) const noexcept {
    const double left = grid_.origin_x, bottom = grid_.origin_y;
    const double width = double(tuning_.cell_width) * tuning_.columns,
                 height = double(tuning_.row_height) * tuning_.rows;
    const Box& e = ground.extent;
    // A grid fixed by the host may not cover all agents.
    const double right = std::min(double(e.max_x), e.min_x + fit.columns * fit.width),
                 top = std::min(double(e.max_y), e.min_y + fit.rows * fit.height);
    const auto covers = [](double low, double size, double from, double to) {
        const double slack = over_the_edge * size;
        return from >= low - slack && to <= low + size + slack && to - from >= covered * size - slack;
    };
    return about(fit.width, tuning_.cell_width, other_cell) &&
           about(fit.height, tuning_.row_height, other_cell) &&
           about(ground.common.width * sample_room, grid_.common_width, other_common) &&
           about(ground.common.height * sample_room, grid_.common_height, other_common) &&
           (covers(left, width, e.min_x, right) || tuning_.columns == 1) &&
           (covers(bottom, height, e.min_y, top) || tuning_.rows == 1);
}

bool GridChoice::still_fits(const Survey& survey) const noexcept {
    const Ground ground = ground_of(survey);
    const GridFit fit = fit_grid(ground);
    return is_about(fit, ground) && (shortage_ < crowded_spots || fit.shortage < crowded_spots ||
                                     about(fit.shortage, shortage_, other_count));
}

bool GridChoice::still_wants_islands(const Survey& survey) const noexcept {
    return wants_islands() && fit_grid(ground_of(survey)).shortage >= crowded_spots;
}

bool GridChoice::is_like(const GridChoice& other) const noexcept {
    const Tuning &a = tuning_, &b = other.tuning_;
    const GridFit fit{.width = b.cell_width,
                      .height = b.row_height,
                      .columns = static_cast<double>(b.columns),
                      .rows = static_cast<double>(b.rows),
                      .reason = b.reason,
                      .shortage = 0};
    // One column or row fits agents anywhere, but does not part them.
    return is_about(fit, other.ground_) && about(a.columns, b.columns, other_count) &&
           about(a.rows, b.rows, other_count);
}

}  // namespace throng::detail
