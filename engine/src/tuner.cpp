#include "engine/src/tuner.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace throng::detail {

namespace {

// The size up to which agents are common. A larger limit makes every search reach further; a smaller
// one leaves more agents to the tree, which every question walks through and which has to be made
// anew. Both are estimated in agents looked at: what a walk costs, and what an agent in the tree
// costs a frame, were measured.
Sizes common_size(const Survey& survey) {
    constexpr std::array shares = {0.5, 0.75, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 1.0};
    constexpr double walk = 16, walk_deeper = 2, agent_in_tree = 200;
    const double question_width = 4 * double(survey.width_at(0.5)),
                 question_height = 4 * double(survey.height_at(0.5));
    double best = std::numeric_limits<double>::infinity();
    Sizes size;
    for (const double share : shares) {
        const double width = survey.width_at(share), height = survey.height_at(share);
        const double reach = std::sqrt((width + question_width) * (height + question_height));
        const double left = 1 - survey.share_within(width, height);
        double looked_at = survey.others_within(reach);
        if (left > 0) {
            // How deep the tree is, counted and not computed: every machine has to come to the same.
            const auto in_tree = static_cast<std::uint64_t>(left * static_cast<double>(survey.agents()));
            looked_at +=
                walk + walk_deeper * static_cast<double>(std::bit_width(in_tree)) + agent_in_tree * left;
        }
        // A larger limit that costs the same is better.
        if (looked_at > best * 1.02) continue;
        best = std::min(best, looked_at);
        size = {width, height};
    }
    return size;
}

// From how many times too few cells on the agents stand in a few crowded spots, which are better
// off with grids of their own.
constexpr double crowded_spots = 6;

bool about(double a, double b, double factor) { return a <= b * factor && b <= a * factor; }

}  // namespace

// Who has a grid keeps it until there are clearly fewer.
bool Tuner::suits_few(std::size_t agents) const noexcept {
    const bool none = tuning_.reason == TuningReason::few || tuning_.reason == TuningReason::nothing_to_fit;
    return agents != 0 && agents <= (none ? few_agents : few_agents / 2) && !(fixed_width_ > 0) &&
           !(fixed_height_ > 0) && !(fixed_common_ > 0);
}

bool Tuner::settle_for_few(std::size_t agents) noexcept {
    agents_at_review_ = agents;
    frames_since_review_ = 0;
    if (tuning_.reason == TuningReason::few) return false;
    constexpr float any = 3e38f;
    grid_ = {.inverse_width = 1,
             .inverse_height = 1,
             .common_width = any,
             .common_height = any,
             .columns = 1,
             .rows = 1};
    shortage_ = partners_ = 0;
    tuning_ = {.columns = 1,
               .rows = 1,
               .common_width = any,
               .common_height = any,
               .times_chosen = tuning_.times_chosen + 1,
               .reason = TuningReason::few};
    return true;
}

bool Tuner::wants_survey(std::size_t agents) const noexcept {
    if (tuning_.reason == TuningReason::few) return agents > few_agents;
    if (tuning_.times_chosen == 0) return agents != 0;
    if (frames_since_review_ + 1 >= review_interval) return agents != 0;
    return agents > agents_at_review_ + agents_at_review_ / 2 || agents + agents / 2 < agents_at_review_;
}

bool Tuner::wants_islands() const noexcept {
    return !(fixed_common_ > 0) && shortage_ >= crowded_spots && ground_.agents >= 1024;
}

// The grid may lie where no agent is any more, and so may leave the floats where they do not.
void Tuner::rebase(float dx, float dy) noexcept {
    constexpr float most = std::numeric_limits<float>::max();
    const auto moved = [&](float at, float by) { return std::clamp(at - by, -most, most); };
    grid_.origin_x = tuning_.origin_x = moved(grid_.origin_x, dx);
    grid_.origin_y = tuning_.origin_y = moved(grid_.origin_y, dy);
    Box& e = ground_.extent;
    e = {moved(e.min_x, dx), moved(e.min_y, dy), moved(e.max_x, dx), moved(e.max_y, dy)};
}

bool Tuner::review(const Survey& survey) noexcept {
    frames_since_review_ = 0;
    if (survey.empty()) return false;
    agents_at_review_ = survey.agents();
    const Ground ground{.extent = survey.extent(),
                        .agents = survey.agents(),
                        .density = survey.density(),
                        .common = fixed_common_ > 0
                                      ? Sizes{fixed_common_ / sample_room, fixed_common_ / sample_room}
                                      : common_size(survey),
                        .fixed = {fixed_width_, fixed_height_}};
    partners_ = survey.others_within(2 * std::sqrt(double(survey.width_at(0.5)) * survey.height_at(0.5)));
    const GridFit fit = fit_grid(ground);
    const bool first = tuning_.times_chosen == 0 || tuning_.reason == TuningReason::few;
    if (!first && still_fits(fit, ground)) return false;
    ground_ = ground;
    grid_ = make_grid(fit, ground);
    shortage_ = fit.reason == TuningReason::set_by_host ? 0 : fit.shortage;
    tuning_.cell_width = static_cast<float>(fit.width);
    tuning_.row_height = static_cast<float>(fit.height);
    tuning_.origin_x = grid_.origin_x;
    tuning_.origin_y = grid_.origin_y;
    tuning_.columns = grid_.columns;
    tuning_.rows = grid_.rows;
    tuning_.common_width = grid_.common_width;
    tuning_.common_height = grid_.common_height;
    tuning_.crowding = static_cast<float>(std::min(survey.density() * fit.width * fit.height, 1e30));
    tuning_.reason = fit.reason;
    ++tuning_.times_chosen;
    return true;
}

bool Tuner::still_fits(const GridFit& fit, const Ground& ground) const noexcept {
    const double left = grid_.origin_x, bottom = grid_.origin_y;
    const double width = double(tuning_.cell_width) * tuning_.columns;
    const double height = double(tuning_.row_height) * tuning_.rows;
    const Box& e = ground.extent;
    // A grid that the host fixed may end before the agents do.
    const double right = std::min(double(e.max_x), e.min_x + fit.columns * fit.width),
                 top = std::min(double(e.max_y), e.min_y + fit.rows * fit.height);
    const auto covers = [](double low, double size, double from, double to) {
        const double slack = 0.03 * size;
        return from >= low - slack && to <= low + size + slack && to - from >= 0.7 * size - slack;
    };
    return about(fit.width, tuning_.cell_width, 1.3) && about(fit.height, tuning_.row_height, 1.3) &&
           about(ground.common.width * sample_room, grid_.common_width, 1.5) &&
           about(ground.common.height * sample_room, grid_.common_height, 1.5) &&
           (shortage_ < crowded_spots || fit.shortage < crowded_spots || about(fit.shortage, shortage_, 2)) &&
           (covers(left, width, e.min_x, right) || tuning_.columns == 1) &&
           (covers(bottom, height, e.min_y, top) || tuning_.rows == 1);
}

}  // namespace throng::detail
