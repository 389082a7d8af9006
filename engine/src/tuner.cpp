#include "engine/src/tuner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace throng::detail {

namespace {

// Measured on crowds of 100,000 and 1,000,000 agents; docs/decisions.md has the figures.
constexpr double agents_in_a_cell = 1.875;
constexpr double cell_over_agent = 1.25;  // width
constexpr double most_cells_an_agent = 0.62;
constexpr double fewest_cells = 256;
constexpr double most_cells = 1 << 28;  // a cell's number has to fit into 31 bits (see staging.hpp)
constexpr double widest_cell = 1e30, narrowest_cell = 1e-30;

struct Sizes {
    double width, height;
};

// The size up to which agents are common. Larger ones are compared with every question and every other of
// their kind, sixteen at a time; a larger limit makes every search reach further. Both are estimated in
// agents looked at.
Sizes common_size(const Survey& survey) {
    constexpr std::array shares = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1.0};
    const double question_width = 4 * double(survey.width_at(0.5)),
                 question_height = 4 * double(survey.height_at(0.5));
    const double density = std::min(survey.density(), 1e20);
    double best = std::numeric_limits<double>::infinity();
    Sizes size{0, 0};
    for (const double share : shares) {
        const double width = survey.width_at(share), height = survey.height_at(share);
        const double looked_at = density * (width + question_width) * (height + question_height) +
                                 (1 - share) * static_cast<double>(survey.agents()) / 16;
        // A larger limit that costs the same is better.
        if (looked_at > best * 1.02) continue;
        best = std::min(best, looked_at);
        size = {width, height};
    }
    return size;
}

struct Choice {
    double width, height;  // of a cell
    double columns, rows;
    Sizes common;
    TuningReason reason;
};

void fit_cells_to_budget(Choice& c, double world_width, double world_height, std::size_t agents, bool fixed) {
    const auto count = [&] {
        c.columns = std::floor(world_width / c.width) + 1;
        c.rows = std::floor(world_height / c.height) + 1;
    };
    count();
    const double budget =
        std::min(fewest_cells + most_cells_an_agent * static_cast<double>(agents), most_cells);
    for (int tries = 0; tries < 64 && c.columns * c.rows > budget && !fixed; ++tries) {
        const double factor = std::max(1.02, std::sqrt(c.columns * c.rows / budget));
        // A world that is flat in one direction can only have fewer cells in the other.
        if (c.rows > 1) c.height *= c.columns > 1 ? factor : factor * factor;
        if (c.columns > 1) c.width *= c.rows > 1 ? factor : factor * factor;
        c.reason = TuningReason::sparse;
        count();
    }
    // A grid that the host fixed covers as much of the world as it may; what lies beyond is in its outermost
    // cells.
    c.columns = std::clamp(c.columns, 1.0, double{simd::most_columns});
    c.rows = std::clamp(c.rows, 1.0, double{simd::most_rows});
    if (!fixed) {
        c.width = std::max(c.width, world_width / c.columns);
        c.height = std::max(c.height, world_height / c.rows);
    } else {
        const double most = std::min(4 * budget + 4096, most_cells);
        if (c.columns * c.rows > most) c.rows = std::max(1.0, std::floor(most / c.columns));
        if (c.columns * c.rows > most) c.columns = std::max(1.0, std::floor(most / c.rows));
    }
}

Choice choose(const Survey& survey, float fixed_width, float fixed_height) {
    Choice c{};
    c.reason = TuningReason::sizes;
    c.common = common_size(survey);
    const double density = std::clamp(survey.density(), 1e-30, 1e30);
    const double area = agents_in_a_cell / density;
    c.width = std::max(cell_over_agent * c.common.width, std::sqrt(area / 4.8));
    c.height = std::max(1.5 * c.common.height, area / c.width);
    const bool fixed = fixed_width > 0 || fixed_height > 0;
    if (fixed_width > 0) c.width = fixed_width;
    if (fixed_height > 0) c.height = fixed_height;
    c.width = std::clamp(c.width, narrowest_cell, widest_cell);
    c.height = std::clamp(c.height, narrowest_cell, widest_cell);
    const Box& e = survey.extent();
    fit_cells_to_budget(c, double(e.max_x) - e.min_x, double(e.max_y) - e.min_y, survey.agents(), fixed);
    if (fixed) c.reason = TuningReason::set_by_host;
    return c;
}

bool about(double a, double b, double factor) { return a <= b * factor && b <= a * factor; }

}  // namespace

bool Tuner::wants_survey(std::size_t agents) const noexcept {
    if (tuning_.times_chosen == 0) return agents != 0;
    if (frames_since_review_ + 1 >= review_interval) return agents != 0;
    return agents > agents_at_review_ + agents_at_review_ / 2 || agents + agents / 2 < agents_at_review_;
}

// The grid may lie where no agent is any more, and so may leave the floats where they do not.
void Tuner::rebase(float dx, float dy) noexcept {
    constexpr float most = std::numeric_limits<float>::max();
    grid_.origin_x = tuning_.origin_x = std::clamp(grid_.origin_x - dx, -most, most);
    grid_.origin_y = tuning_.origin_y = std::clamp(grid_.origin_y - dy, -most, most);
}

bool Tuner::review(const Survey& survey) noexcept {
    frames_since_review_ = 0;
    if (survey.empty()) return false;
    agents_at_review_ = survey.agents();
    const Choice c = choose(survey, fixed_width_, fixed_height_);
    const Box& e = survey.extent();
    if (tuning_.times_chosen != 0) {
        const double left = grid_.origin_x, bottom = grid_.origin_y;
        const double width = double(tuning_.cell_width) * tuning_.columns;
        const double height = double(tuning_.row_height) * tuning_.rows;
        const auto covers = [](double low, double size, double from, double to) {
            const double slack = 0.03 * size;
            return from >= low - slack && to <= low + size + slack && to - from >= 0.7 * size - slack;
        };
        const bool fits = about(c.width, tuning_.cell_width, 1.3) &&
                          about(c.height, tuning_.row_height, 1.3) &&
                          about(c.common.width * 1.05, grid_.common_width, 1.5) &&
                          about(c.common.height * 1.05, grid_.common_height, 1.5) &&
                          (covers(left, width, e.min_x, e.max_x) || tuning_.columns == 1) &&
                          (covers(bottom, height, e.min_y, e.max_y) || tuning_.rows == 1);
        if (fits) return false;
    }
    grid_ = {.origin_x = e.min_x,
             .origin_y = e.min_y,
             .inverse_width = static_cast<float>(1 / c.width),
             .inverse_height = static_cast<float>(1 / c.height),
             .last_column = static_cast<float>(c.columns - 1),
             .last_row = static_cast<float>(c.rows - 1),
             .common_width = static_cast<float>(std::min(c.common.width * 1.05, 3e38)),
             .common_height = static_cast<float>(std::min(c.common.height * 1.05, 3e38)),
             .columns = static_cast<std::uint32_t>(c.columns),
             .rows = static_cast<std::uint32_t>(c.rows)};
    tuning_.cell_width = static_cast<float>(c.width);
    tuning_.row_height = static_cast<float>(c.height);
    tuning_.origin_x = e.min_x;
    tuning_.origin_y = e.min_y;
    tuning_.columns = grid_.columns;
    tuning_.rows = grid_.rows;
    tuning_.common_width = grid_.common_width;
    tuning_.common_height = grid_.common_height;
    tuning_.crowding = static_cast<float>(std::min(survey.density() * c.width * c.height, 1e30));
    tuning_.reason = c.reason;
    ++tuning_.times_chosen;
    return true;
}

}  // namespace throng::detail
