#include "engine/src/plan/grid_choice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/src/plan/numbers.hpp"
#include "engine/src/plan/survey.hpp"

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
    return std::max(static_cast<float>(std::max(1 / cell, (cells - 1) / largest_size)),
                    std::numeric_limits<float>::min());
}

simd::Grid make_grid(const GridFit& fit, const Ground& ground) noexcept {
    const auto common_of = [](double size) {
        return static_cast<float>(std::min(size * sample_room, largest_size));
    };
    return {.origin_x = ground.extent.min_x,
            .origin_y = ground.extent.min_y,
            .inverse_width = scale_of(fit.width, fit.columns),
            .inverse_height = scale_of(fit.height, fit.rows),
            .last_column = static_cast<float>(fit.columns - 1),
            .last_row = static_cast<float>(fit.rows - 1),
            .common_width = common_of(ground.common.width),
            .common_height = common_of(ground.common.height),
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

// --- The common size ---------------------------------------------------------------------------------------

namespace {

// The tested agents that oversized agents add, for each agent: the rows that an oversized agent crosses, as
// far as these matter, and the agents in the cells along it that it looks at but does not overlap, as far as
// they are more than usual. If cells are as high as tall slivers, a wide one looks at all agents above and
// below it. If they are as wide as wide ones, and therefore low, a tall one crosses many rows.
double looked_at_along_oversized(const Survey& survey, const Sizes& common, double oversized) noexcept {
    if (oversized == 0) return 0;
    const Box& e = survey.extent();
    const Ground ground{
        .extent = e, .agents = survey.agents(), .density = survey.density(), .common = common};
    const Sizes cell = wanted_cell(ground), typical{survey.width_at(0.5), survey.height_at(0.5)};
    // The rows of the world's own grid: only in a crowd may cells be smaller.
    const double row_height = fit_grid(ground).height;
    const double across_leaf = std::sqrt(in_a_leaf / (oversized * std::max(survey.density(), 1 / huge)));
    const auto others_within = [&](const Sizes& box, const Sizes& beside) {
        return survey.others_within(std::min(box.width + beside.width, double(e.max_x) - e.min_x),
                                    std::min(box.height + beside.height, double(e.max_y) - e.min_y));
    };
    const double each = survey.mean_of_larger(common, oversized, [&](const Sizes& box) {
        const double rows = std::min(box.height + across_leaf, double(e.max_y) - e.min_y) / row_height;
        return std::min(looks_a_row * rows, looks_for_rows) + others_within(box, cell) -
               others_within(box, typical);
    });
    return oversized * std::max(each - usual_looks, 0.0);
}

// The cheapest common size so far.
class Cheapest {
public:
    Cheapest(const Survey& survey, const Sizes& largest) noexcept
        : survey_(survey),
          largest_(largest),
          query_{query_over_median * double(survey.width_at(0.5)),
                 query_over_median * double(survey.height_at(0.5))} {}

    // Smaller sizes come before larger ones.
    void consider(Sizes size) noexcept {
        size = {std::min(size.width, largest_.width), std::min(size.height, largest_.height)};
        // In a small sample many shares are the same agent.
        if (size.width == before_.width && size.height == before_.height) return;
        before_ = size;
        const double left = 1 - survey_.share_within(size.width, size.height);
        const double others = survey_.others_within(size.width + query_.width, size.height + query_.height);
        const double in_tree = cost_of_tree(left);
        double looked_at = others + in_tree;
        // A larger limit at the same cost is better if it lets in an eighth of the rest.
        const double same = left <= lets_in * left_ ? same_cost : 1;
        const auto is_worse = [&] { return looked_at > looked_at_ * same; };
        if (is_worse()) return;
        const double along = looked_at_along_oversized(survey_, size, left);
        looked_at += along;
        if (is_worse()) return;
        looked_at_ = std::min(looked_at_, looked_at);
        left_ = left;
        of_oversized_ = in_tree + along;
        size_ = size;
    }
    // None, if all agents in the tree would cost far less than the oversized ones.
    Sizes size() const noexcept { return of_oversized_ > far_less * cost_of_tree(1) ? Sizes{} : size_; }

private:
    // The cost of a share of the agents in the tree.
    double cost_of_tree(double share) const noexcept {
        if (!(share > 0)) return 0;
        // Its depth, by integer arithmetic, so that every machine gets the same.
        const auto agents = static_cast<std::uint64_t>(share * static_cast<double>(survey_.agents()));
        return walk + walk_deeper * static_cast<double>(std::bit_width(agents)) + agent_in_tree * share;
    }

    const Survey& survey_;
    const Sizes largest_;
    const Sizes query_;
    Sizes before_{-1, -1}, size_;
    double looked_at_ = std::numeric_limits<double>::infinity(), left_ = 2, of_oversized_ = 0;
};

}  // namespace

Sizes common_size(const Survey& survey, const Sizes& limit) noexcept {
    const Sizes largest = survey.largest_within(limit);
    // If none is twice as large as half of them, cells for that half are hardly smaller than for all.
    if (largest.width <= alike * survey.width_at(0.5) && largest.height <= alike * survey.height_at(0.5))
        return largest;
    Cheapest cheapest(survey, largest);
    for (const double share : shares) cheapest.consider({survey.width_at(share), survey.height_at(share)});
    return cheapest.size();
}

// --- The choice --------------------------------------------------------------------------------------------

namespace {

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
    grid_ = {.inverse_width = 1,
             .inverse_height = 1,
             .common_width = static_cast<float>(largest_size),
             .common_height = static_cast<float>(largest_size),
             .columns = 1,
             .rows = 1};
    shortage_ = partners_ = 0;
    fits_cells_ = true;
    tuning_ = {.columns = 1,
               .rows = 1,
               .common_width = grid_.common_width,
               .common_height = grid_.common_height,
               .reason = TuningReason::few};
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
