#include "engine/src/plan/planner.hpp"

#include <algorithm>

#include "engine/src/plan/numbers.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// Whether nearly all agents are too large for the cells of the plan, as when all have grown since it was
// made. No plan is made so, unless the host fixes its sizes: cells are for at least half of the agents.
bool serves_few(const Plan& plan, const FrameState& frame) noexcept {
    return plan.map->has_cells() && !plan.grid.is_fixed() &&
           frame.view.oversized.count > too_large * static_cast<double>(frame.agents);
}

}  // namespace

// A surveyed agent costs as much as several in a frame.
void Planner::survey(const Agents& agents, std::size_t most) noexcept {
    survey_.take(agents.count(), std::min(most, std::max(agents.count() / survey_one_in, fewest_surveyed)),
                 agents);
}

void Planner::replace(const Plan& by) noexcept {
    state_.last_one_lasted = state_.times_chosen == 0 || state_.plan.frames >= frames_to_last;
    state_.plan = by;
    ++state_.times_chosen;
}

// Makes the map of a plan whose grid is chosen.
Status Planner::draw(const Agents& agents, std::size_t points, Plan& plan) noexcept {
    WorldMap drawn(plan.grid.grid());
    if (plan.grid.wants_islands()) {
        IslandPlanner::Task task{plan.grid.ground(), plan.grid.shortage(), points};
        task.ground.agents = agents.count();
        if (!islands_.plan(store_, survey_, task, agents, drawn)) return {Code::out_of_memory};
    }
    if (!drawn.has_islands() && !plan.grid.fits_cells()) drawn = WorldMap(make_rows(plan.grid.ground()));
    plan.map = HeldMap(store_.blocks, drawn);
    plan.frames = 0;
    return {};
}

// --- Before a frame ----------------------------------------------------------------------------------------

bool Planner::is_due(std::size_t agents, std::size_t changes) const noexcept {
    const GridChoice& grid = state_.plan.grid;
    const Since& since = state_.since;
    if (grid.is_for_few()) return agents > few_agents;
    if (state_.times_chosen == 0) return agents != 0;
    return is_another_number(agents, since.agents) ||
           (since.frames + 1 >= frames_to_check &&
            std::min(since.changes, since.edits + changes) >= agents / check_one_in);
}

Status Planner::check(const Agents& agents, bool& changed) noexcept {
    Plan next = state_.plan;
    Since& since = state_.since;
    const bool another_number = is_another_number(agents.count(), since.agents),
               first = state_.times_chosen == 0;
    since.agents = agents.count();
    since.frames = 0;
    since.changes = 0;
    changed = false;
    if (next.grid.suits_few(agents.count())) {
        changed = !next.grid.is_for_few();
        if (!changed) return {};
        next.grid.choose_brute_force();
        next.map = HeldMap(store_.blocks, WorldMap(next.grid.grid()));
        next.frames = 0;
        replace(next);
        return {};
    }
    // What is compared with a plan is looked at as closely as that was.
    if (first || !another_number)
        survey_.take(agents.count(), first ? surveyed : surveyed_again, agents);
    else
        survey(agents, surveyed_again);
    if (survey_.empty()) return {};
    // No two samples agree on how uneven a world is, and what islands are worth is what their frames cost.
    const Tried& tried = state_.tried;
    const bool costs_as_at_first = next.work_at_last <= other_work * next.work_at_first + 1,
               was_tried = tried.looks > 0 && survey_.eighths().are_about(tried.agents);
    const bool is_as_good = costs_as_at_first && !another_number;
    const bool fits = !first && !next.grid.is_for_few() &&
                      ((is_as_good && was_tried) ||
                       (next.map->has_islands() ? is_as_good && next.grid.still_wants_islands(survey_)
                                                : next.grid.still_fits(survey_)));
    if (fits) {
        state_.plan.grid.count_partners(survey_);
        return {};
    }
    next.grid.choose(survey_);
    const Status status = draw(agents, IslandPlanner::points_for(agents.count()), next);
    changed = status.ok();
    if (changed) replace(next);
    return status;
}

// --- After a frame -----------------------------------------------------------------------------------------

Planner::Verdict Planner::judge(const FrameState& frame, const Agents& agents) noexcept {
    const Plan& plan = state_.plan;
    Tried& tried = state_.tried;
    state_.since.judged_work = work_of(frame);
    state_.since.edits = 0;
    if (frame.agents <= few_agents || work_of(frame) <= cheap_work) return Verdict::fine;
    cost_ = probe(frame, agents);
    const bool is_fine = cost_.looks <= expensive_looks && !serves_few(plan, frame);
    if (plan.map->has_cells() && is_fine) return Verdict::fine;
    survey(agents, surveyed_again);
    if (!plan.map->has_cells() && plan.frames == 0) {
        tried = {survey_.eighths(), cost_.looks, 1, 1};
        return Verdict::keep;
    }
    const bool is_news = tried.looks == 0 || cost_.looks > news * tried.looks,
               are_such = survey_.eighths().are_about(tried.agents);
    // The tree costs little on any agents: what tells that cells would serve these is that they are others.
    if (is_fine && are_such) return Verdict::keep;
    if (is_news) tried.pause = 1, tried.frames_left = 0;
    if (!are_such)
        tried.frames_left = cost_.looks > much_looks ? 0 : std::min(tried.frames_left, pause_for_others);
    if (tried.frames_left == 0) return Verdict::try_another;
    --tried.frames_left;
    return Verdict::keep;
}

// Not before an eighth of the agents were edited, or the work has grown by half.
bool Planner::is_worth_judging(const FrameState& frame, std::size_t edits) noexcept {
    Since& since = state_.since;
    since.edits += edits;
    const double work = work_of(frame);
    return work > cheap_work &&
           (since.edits >= frame.agents / check_one_in || work > news * since.judged_work);
}

// Where the present plan was made for these very agents, the next one has a closer look at them. Where
// another plan would be like it, or was no better the last time, or plans do not last, the tree is what is
// left, unless the host wants cells.
Status Planner::plan_again(const FrameState& frame, const Agents& agents, Plan& other, bool& made) noexcept {
    const std::size_t points = IslandPlanner::points_for(agents.count());
    const bool is_new = state_.plan.frames == 0;
    const double others =
        std::min(cost_.misses, 2 * static_cast<double>(frame.sharing) /
                                   static_cast<double>(std::max<std::size_t>(frame.agents, 1)));
    survey(agents, surveyed);
    state_.tried.agents = survey_.eighths();
    state_.since.agents = agents.count();
    state_.since.frames = 0;
    state_.since.changes = 0;
    other = state_.plan;
    made = !survey_.empty();
    if (!made) return {};
    other.grid.choose_again(survey_, state_.plan.has_one_grid() ? others : 0);
    const bool none_lasts = !is_new && !state_.last_one_lasted && state_.plan.frames < frames_to_last;
    bool leaves_cells = !other.grid.is_fixed() && (none_lasts || state_.tried.pause > 1);
    if (!leaves_cells) {
        if (const Status bad = draw(agents, is_new ? closer * points : points, other); !bad.ok()) return bad;
        const bool is_like =
            state_.plan.has_one_grid() && other.has_one_grid() && state_.plan.grid.is_like(other.grid);
        made = !is_like || !other.grid.is_fixed();
        leaves_cells = made && is_like;
    }
    if (leaves_cells) {
        other.map = HeldMap(store_.blocks, WorldMap(make_rows(other.grid.ground())));
        other.frames = 0;
    }
    made = made && (state_.plan.map->has_cells() || other.map->has_cells());
    return {};
}

bool Planner::take_if_better(const Plan& other, const FrameState& on_other, const Agents& agents) noexcept {
    const Cost cost = probe(on_other, agents);
    if (cost.looks > better * cost_.looks) return false;
    cost_ = cost;
    replace(other);
    state_.since.judged_work = work_of(on_other);
    return true;
}

void Planner::end_try(bool taken) noexcept {
    Tried& tried = state_.tried;
    tried.looks = cost_.looks;
    tried.pause = taken ? 1 : std::min(2 * tried.pause, longest_pause);
    tried.frames_left = tried.pause;
}

// The first frame after a check is the one that was checked.
void Planner::count_frame(const FrameState& frame, std::size_t changes) noexcept {
    Plan& plan = state_.plan;
    plan.work_at_last = work_of(frame);
    if (plan.frames++ == 0) plan.work_at_first = plan.work_at_last;
    if (state_.since.frames++ != 0) state_.since.changes += changes;
}

// --- Else --------------------------------------------------------------------------------------------------

Status Planner::move(float dx, float dy, const Agents& agents) noexcept {
    state_.plan.grid.move(dx, dy);
    return draw(agents, IslandPlanner::points_for(agents.count()), state_.plan);
}

}  // namespace throng::detail
