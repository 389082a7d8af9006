#include "engine/src/plan/tuner.hpp"

#include <limits>

#include "engine/src/plan/common_size.hpp"

namespace throng::detail {

namespace {

// If the cells are too few by this factor, the agents stand in a few crowded spots, which should get their
// own grids.
constexpr double crowded_spots = 6;

// This many agents in a cell count like one missing cell.
constexpr double crowded_cell = 4;

// Below this, a query that compares all agents is cheaper than the way through islands.
constexpr std::size_t min_on_islands = 4 * few_agents;

// From this many cell-sharing pairs for each agent on, another plan may pay.
constexpr double expensive = 16;
// Below this, missing a better plan costs only a few vector comparisons an agent.
constexpr double very_expensive = 4 * expensive;
// Above this, cells are so full that a box which finds hardly any agent takes many times as long as one in a crowd.
constexpr double enormous = 8 * very_expensive;

// Work is about as much within an eighth.
constexpr double as_much = 1.125;

bool about(double a, double b, double factor) { return a <= b * factor && b <= a * factor; }

// Whether two grounds are about the same.
bool alike(const Ground& a, const Ground& b) {
    const auto extent = [](const Ground& g) {
        return std::max(double(g.extent.max_x) - g.extent.min_x, double(g.extent.max_y) - g.extent.min_y);
    };
    return about(a.density, b.density, 2) && about(extent(a), extent(b), 2) &&
           about(a.common.width, b.common.width, 2) && about(a.common.height, b.common.height, 2);
}

}  // namespace

// A world with a grid keeps it until there are clearly fewer agents.
bool Tuner::suits_few(std::size_t agents) const noexcept {
    const bool none = tuning_.reason == TuningReason::few || tuning_.reason == TuningReason::nothing_to_fit;
    return agents != 0 && agents <= (none ? few_agents : few_agents / 2) && !(fixed_width_ > 0) &&
           !(fixed_height_ > 0) && !(fixed_common_ > 0);
}

bool Tuner::use_brute_force(std::size_t agents) noexcept {
    agents_at_review_ = agents;
    frames_since_review_ = 0;
    changes_since_review_ = 0;
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
               .times_rebuilt = tuning_.times_rebuilt,
               .times_moved = tuning_.times_moved,
               .reason = TuningReason::few};
    return true;
}

bool Tuner::wants_survey(std::size_t agents, std::size_t changes) const noexcept {
    if (tuning_.reason == TuningReason::few) return agents > few_agents;
    if (tuning_.times_chosen == 0) return agents != 0;
    return is_another_number(agents) ||
           (frames_since_review_ + 1 >= review_interval &&
            std::min(changes_since_review_, edits_since_look_ + changes) >= agents / share_to_review);
}

bool Tuner::wants_islands() const noexcept {
    return !(fixed_common_ > 0) && shortage_ >= crowded_spots && ground_.agents >= min_on_islands;
}

// The old grid may lie far from all agents, so it may overflow where they do not.
void Tuner::move(const Motion& by) noexcept {
    grid_.origin_x = tuning_.origin_x = moved(grid_.origin_x, by.x);
    grid_.origin_y = tuning_.origin_y = moved(grid_.origin_y, by.y);
    ground_.extent = moved(ground_.extent, by);
}

Ground Tuner::ground_of(const Survey& survey) const noexcept {
    if (!survey.chosen_size) survey.chosen_size = common_size(survey);
    return {.extent = survey.extent(),
            .agents = survey.agents(),
            .density = survey.density(),
            .common = fixed_common_ > 0 ? Sizes{fixed_common_ / sample_room, fixed_common_ / sample_room}
                                        : *survey.chosen_size,
            .fixed = {fixed_width_, fixed_height_}};
}

bool Tuner::review(const Survey& survey) noexcept {
    const bool as_many = !is_another_number(survey.agents());
    frames_since_review_ = 0;
    changes_since_review_ = 0;
    if (survey.empty()) return false;
    agents_at_review_ = survey.agents();
    const Ground ground = ground_of(survey);
    const GridFit fit = fit_grid(ground);
    const bool first = tuning_.times_chosen == 0 || tuning_.reason == TuningReason::few;
    const bool may_stay = as_many && islands_still_fit(fit);
    if (!first && (may_stay || still_fits(fit, ground))) {
        count_partners(survey);
        return false;
    }
    choose(survey, ground, fit);
    return true;
}

void Tuner::count_partners(const Survey& survey) noexcept {
    partners_ = survey.others_within(2 * double(survey.width_at(0.5)), 2 * double(survey.height_at(0.5)));
}

void Tuner::choose(const Survey& survey, const Ground& ground, const GridFit& fit) noexcept {
    ground_ = ground;
    count_partners(survey);
    work_at_first_ = -1;
    share_found_ = 0;
    grid_ = make_grid(fit, ground);
    constexpr double min_share_in_cells = 0.375;
    const bool is_fixed = fit.reason == TuningReason::set_by_host;
    fits_cells_ = is_fixed || fixed_common_ > 0 ||
                  survey.share_within(grid_.common_width, grid_.common_height) >= min_share_in_cells;
    shortage_ = is_fixed ? 0 : fit.shortage;
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
}

// --- The true cost of a frame ------------------------------------------------------------------------------

bool Tuner::is_expensive(std::uint64_t work, std::size_t agents) const noexcept {
    return agents > few_agents && static_cast<double>(work) > expensive * static_cast<double>(agents);
}

std::uint64_t Tuner::work_as_at_last(std::size_t agents) const noexcept {
    return static_cast<std::uint64_t>(work_at_last_ * static_cast<double>(agents));
}

bool Tuner::was_expensive() const noexcept { return work_at_last_ > expensive; }

bool Tuner::wants_close_look(std::uint64_t work, std::size_t agents, bool counts) noexcept {
    const double now = static_cast<double>(work) / static_cast<double>(agents);
    frames_to_next_try_ -= counts && frames_to_next_try_ != 0;
    if (frames_to_let_pass_ == 0 || !about(now, vain_work_, as_much)) return true;
    frames_to_let_pass_ -= counts;
    return false;
}

void Tuner::count_vain_look(std::uint64_t work, std::size_t agents) noexcept {
    constexpr std::uint32_t frames = 16;
    vain_work_ = static_cast<double>(work) / static_cast<double>(agents);
    frames_to_let_pass_ = frames;
}

bool Tuner::wants_look(std::uint64_t work, std::size_t agents, std::size_t edits) noexcept {
    edits_since_look_ += edits;
    return is_expensive(work, agents) &&
           (edits_since_look_ >= agents / 8 ||
            static_cast<double>(work) > 1.5 * looked_at_ * static_cast<double>(agents));
}

bool Tuner::is_worth_a_closer_plan(std::uint64_t work, std::size_t agents) const noexcept {
    return static_cast<double>(work) > very_expensive * static_cast<double>(agents);
}

bool Tuner::may_do_better(const Survey& survey, std::uint64_t work, const WorldMap* map,
                          std::uint64_t places) noexcept {
    if (survey.empty()) return false;
    const double now = static_cast<double>(work) / static_cast<double>(survey.agents());
    const Ground ground = ground_of(survey);
    tried_before_ = accepted_ > 0 && now <= 1.5 * accepted_ && are_such_agents(survey, ground);
    pairs_ = 0;
    is_for_others_ = !tried_before_ && frames_to_next_try_ == 0 && frames_since_review_ != 0 &&
                     now > 2 * work_at_first_ && !alike(ground, ground_);
    // The same work means that they did not move.
    const bool is_due = frames_to_next_try_ == 0 && now > very_expensive && now != accepted_;
    if (tried_before_ && is_due && pause_ < longest_pause && overlap_as_before(survey, ground)) {
        count_try(false);
        return false;
    }
    tried_before_ = tried_before_ && !is_due;
    if (tried_before_) return false;
    // Cells of the desired size, which islands can have even if one grid cannot.
    const Sizes cell = wanted_cell(ground);
    const double common = survey.share_within(ground.common.width, ground.common.height);
    promised_ = survey.others_within(cell.width, cell.height) / 2 + (1 - common) * work_of_oversized;
    // No plan spares a search the pairs that it is for. Only those of agents that are common on both plans can be compared; one
    // that is oversized, by the limit of its island, costs what the tree does, or its pairs where these cost less, or where the
    // frame counts them.
    if (2 * promised_ <= now || now > very_expensive) {
        const Survey::Pairs overlapping =
            survey.overlapping_pairs({std::min<double>(ground.common.width, grid_.common_width),
                                      std::min<double>(ground.common.height, grid_.common_height)},
                                     map, work_of_oversized);
        pairs_ = overlapping.all;
        const double counted = static_cast<double>(places) / static_cast<double>(survey.agents()),
                     all = overlapping.of_common + overlapping.of_others;
        promised_ = std::max(promised_, all + std::clamp(pairs_ - all, 0.0, counted));
    }
    // A small box finds only what covers it, and the tree spares it the rest. Agents of one size cover a quarter of those that they overlap,
    // so nothing is promised for them.
    if (now > enormous)
        promised_ = std::min(promised_, work_of_oversized + 16 * survey.others_over_middles());
    if (now <= 1.5 * accepted_ && now <= very_expensive && 2 * promised_ >= promised_in_vain_) return false;
    return 2 * promised_ <= now;
}

// As those for which a plan was tried. Two samples of heavy tails agree on no extent and no density, but on where most are.
bool Tuner::are_such_agents(const Survey& survey, const Ground& ground) const noexcept {
    if (alike(ground, accepted_on_)) {
        // A pile that has spread along a road may still share one cell, and cover as much ground as before.
        const Sizes steps = survey.steps();
        if (about(steps.width, accepted_steps_.width, 4) && about(steps.height, accepted_steps_.height, 4))
            return true;
    }
    return survey.eighths().are_about(accepted_eighths_);
}

// Agents that walk to where another plan serves them come to overlap fewer others, or more.
bool Tuner::overlap_as_before(const Survey& survey, const Ground& ground) noexcept {
    const double factor = survey.is_a_glance() ? 2 : 1.125;
    pairs_ = survey.overlapping_pairs(ground.common).all;
    return accepted_pairs_ > 0 && about(pairs_, accepted_pairs_, factor);
}

void Tuner::start_again(const Survey& survey, std::uint64_t sharing) noexcept {
    frames_since_review_ = 0;
    changes_since_review_ = 0;
    agents_at_review_ = survey.agents();
    const Ground ground = ground_of(survey);
    const GridFit fit = fit_grid(ground);
    const double cell_before = double{tuning_.cell_width} * tuning_.row_height;
    const double in_cells_before =
        survey.share_in({tuning_.origin_x, tuning_.origin_y,
                         tuning_.origin_x + tuning_.cell_width * static_cast<float>(tuning_.columns),
                         tuning_.origin_y + tuning_.row_height * static_cast<float>(tuning_.rows)});
    choose(survey, ground, fit);
    if (fit.reason == TuningReason::set_by_host) return;
    // A cell as large as the largest common agent may hold many small ones.
    shortage_ = std::max(shortage_, survey.others_within(fit.width, fit.height) / crowded_cell);
    // And a spot may be too small for the survey. The frame knows that agents share its cells, and others of this size will not
    // part them, unless they share those at its border, since they have left it.
    if (in_cells_before < 0.5) return;
    const double others =
        2 * (static_cast<double>(sharing) / static_cast<double>(survey.agents()) - promised_);
    if (2 * fit.width * fit.height >= cell_before) shortage_ = std::max(shortage_, others / crowded_cell);
}

void Tuner::accept(std::uint64_t work, const Survey& survey) noexcept {
    accepted_ = static_cast<double>(work) / static_cast<double>(std::max<std::size_t>(survey.agents(), 1));
    accepted_on_ = ground_of(survey);
    promised_in_vain_ = promised_;
    accepted_pairs_ = pairs_ > 0 ? pairs_ : survey.overlapping_pairs(accepted_on_.common).all;
    accepted_steps_ = survey.steps();
    accepted_eighths_ = survey.eighths();
}

// Where islands were wanted and are, no two samples agree on how uneven the world is, and what a plan is worth is what its
// frames cost.
bool Tuner::islands_still_fit(const GridFit& fit) const noexcept {
    constexpr double much = 1.25;
    return wants_islands() && fit.shortage >= crowded_spots && work_at_first_ >= 0 &&
           work_at_last_ <= much * work_at_first_ + 1;
}

bool Tuner::still_fits(const GridFit& fit, const Ground& ground) const noexcept {
    const double left = grid_.origin_x, bottom = grid_.origin_y;
    const double width = double(tuning_.cell_width) * tuning_.columns;
    const double height = double(tuning_.row_height) * tuning_.rows;
    const Box& e = ground.extent;
    // A grid fixed by the host may not cover all agents.
    const double right = std::min(double(e.max_x), e.min_x + fit.columns * fit.width),
                 top = std::min(double(e.max_y), e.min_y + fit.rows * fit.height);
    const auto covers = [](double low, double size, double from, double to) {
        const double slack = 0.04 * size;
        return from >= low - slack && to <= low + size + slack && to - from >= 0.7 * size - slack;
    };
    return about(fit.width, tuning_.cell_width, 1.3) && about(fit.height, tuning_.row_height, 1.3) &&
           about(ground.common.width * sample_room, grid_.common_width, 1.5) &&
           about(ground.common.height * sample_room, grid_.common_height, 1.5) &&
           (shortage_ < crowded_spots || fit.shortage < crowded_spots || about(fit.shortage, shortage_, 2)) &&
           (covers(left, width, e.min_x, right) || tuning_.columns == 1) &&
           (covers(bottom, height, e.min_y, top) || tuning_.rows == 1);
}

bool Tuner::has_such_a_grid(const Tuner& other) const noexcept {
    const Tuning &a = tuning_, &b = other.tuning_;
    // Shortage counts for islands only.
    const GridFit fit{.width = b.cell_width,
                      .height = b.row_height,
                      .columns = static_cast<double>(b.columns),
                      .rows = static_cast<double>(b.rows),
                      .reason = b.reason,
                      .shortage = 0};
    // One column or row fits agents wherever they are, but does not part them.
    return still_fits(fit, other.ground_) && about(a.columns, b.columns, 2) && about(a.rows, b.rows, 2) &&
           about(double{a.cell_width} * a.row_height, double{b.cell_width} * b.row_height, 1.2) &&
           about(grid_.common_width, other.grid_.common_width, 1.1) &&
           about(grid_.common_height, other.grid_.common_height, 1.1);
}

}  // namespace throng::detail
