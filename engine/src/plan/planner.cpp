#include "engine/src/plan/planner.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "base/sample.hpp"
#include "engine/src/plan/numbers.hpp"
#include "simd/query_kernels.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// --- What a frame costs ------------------------------------------------------------------------------------

// Some lookups together.
struct Lookups {
    simd::QueryCost cost;
    std::uint64_t hits = 0, count = 0;

    void add(const FrameState& frame, const Box& box, const Band& band) noexcept {
        const simd::Query query = query_of(box);
        const Filter filter{.categories = all_categories, .heights = band};
        simd::LabelFilters filters;
        if (frame.has_heights()) filters = {.first = &filter.categories, .bands = &filter.heights.min_z};
        std::uint32_t found = 0;
        simd::add_cost(frame.view, query, filters, cost);
        frame.kernels->queries->count_in_order(frame.view, filters, &query, 1, &found);
        hits += found;
        ++count;
    }
    // Weighed as in worlds/hunted/steps.hpp: eight agents are compared at once, and a row or an island takes
    // as long as several nodes.
    double looks_for_an_answer() const noexcept {
        const double looks = looks_of_lookup * number(count) + looks_of_row * number(cost.rows) +
                             looks_of_island * number(cost.islands) + number(cost.nodes) +
                             looks_of_agent * number(cost.tested) + looks_of_covered * number(cost.covered);
        return looks / number(std::max<std::uint64_t>(count + hits, 1));
    }
    double misses() const noexcept {
        return (number(cost.tested + cost.covered) - number(hits)) /
               number(std::max<std::uint64_t>(count, 1));
    }

private:
    static double number(std::uint64_t n) noexcept { return static_cast<double>(n); }
};

// About how many pairs of an agent on a storey and one between storeys share a cell of the plane.
double sharing_with_between(const FrameState& frame) noexcept {
    const WorldMap& map = frame.map;
    double sharing = 0;
    for (std::uint32_t region = 0; map.has_storeys() && region < map.regions(); ++region) {
        if (!map.has_storeys(region)) continue;
        const simd::Grid& grid = map.grid_of_region(region);
        const simd::Row* const rows = frame.rows.data() + map.first_row(region);
        double between = 0, on_storeys = 0;
        for (std::uint32_t r = 0; r < map.rows_of(region); ++r)
            (r < grid.rows ? between : on_storeys) += rows[r].common();
        sharing += between * on_storeys / (static_cast<double>(grid.columns) * grid.rows);
    }
    return sharing;
}

}  // namespace

double work_of(const FrameState& frame) noexcept {
    const double work = static_cast<double>(frame.sharing) + sharing_with_between(frame) +
                        static_cast<double>(work_of_oversized) * frame.view.oversized.count;
    return work / static_cast<double>(std::max<std::size_t>(frame.agents, 1));
}

Cost probe(const FrameState& frame, const Agents& agents) noexcept {
    std::array<Box, fewest_surveyed> boxes;
    std::array<Band, fewest_surveyed> bands;
    const std::size_t some = std::min(agents.count(), fewest_surveyed);
    for (std::size_t k = 0; k < some; ++k) {
        const std::size_t i = sampled(k, some, agents.count());
        boxes[k] = agents(i);
        if (agents.have_heights()) bands[k] = agents.band(i);
    }
    // In steps all over the sample, so that agents left out at the end are spread too.
    constexpr std::size_t step = 97;
    static_assert(fewest_surveyed % step != 0);
    Lookups own, points;
    for (std::size_t k = 0; k < some; ++k) {
        const std::size_t at = some == fewest_surveyed ? k * step % fewest_surveyed : k;
        const Box& box = boxes[at];
        if (check(box) != Code::ok) continue;
        if (own.cost.tested < most_looks) own.add(frame, box, bands[at]);
        if (points.count < probed_points && points.cost.tested < most_looks)
            points.add(frame, Box::around(box.centre(), 0), bands[at]);
    }
    const double oversized = static_cast<double>(frame.view.oversized.count) /
                             static_cast<double>(std::max<std::size_t>(frame.agents, 1));
    const double looks =
        std::max(own.looks_for_an_answer(), points.looks_for_an_answer()) + looks_of_oversized * oversized;
    // In a cheap frame that overlaps they find very many agents, and nobody asks.
    Lookups wide;
    for (std::size_t k = 0; k < some && looks > expensive_wide / 2 && wide.cost.tested < most_looks; ++k) {
        const Point middle = boxes[k].centre();
        const Box box = Box::around(middle.x, middle.y, 5 * (boxes[k].max_x - boxes[k].min_x),
                                    5 * (boxes[k].max_y - boxes[k].min_y));
        if (check(boxes[k]) == Code::ok && check(box) == Code::ok) wide.add(frame, box, bands[k]);
    }
    return {looks, own.misses(), wide.looks_for_an_answer()};
}

// --- Whether another plan is tried -------------------------------------------------------------------------

namespace {

// The table of planner.hpp: how many frames pass at most until the next try.
enum Expense { cheap, as_expensive, more_expensive };
constexpr std::uint32_t at_once = 0, not_at_all = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t longest_wait[2][3] = {
    {not_at_all, longest_pause, at_once},  // for the same agents
    {longest_pause, at_once, at_once},     // for others
};

bool is_another_number(std::size_t agents, std::size_t than) noexcept {
    const auto now = static_cast<double>(agents), before = static_cast<double>(than);
    return now > clearly * before || clearly * now < before;
}

// Whether nearly all agents are too large for the cells of the plan, for example after all have grown. No new
// plan is like that, unless the host fixes its sizes.
bool serves_few(const Plan& plan, const FrameState& frame) noexcept {
    return plan.map->has_cells() && !plan.grid.is_fixed() &&
           frame.view.oversized.count > too_large * static_cast<double>(frame.agents);
}

// Whether agents have left the storeys of a plan.
bool lost_storeys(const Plan& plan, const FrameState& frame) noexcept {
    return plan.map->has_storeys() && plan.frames != 0 && work_of(frame) > clearly * plan.work_at_first;
}

}  // namespace

// A surveyed agent costs as much as several in a frame.
void Planner::survey(const Agents& agents, std::size_t most) noexcept {
    survey_.take(agents, std::min(most, std::max(agents.count() / survey_one_in, fewest_surveyed)));
}

void Planner::start_counting(std::size_t agents) noexcept {
    state_.since.agents = agents;
    state_.since.frames = 0;
    state_.since.changes = 0;
}

void Planner::take(const Plan& plan) noexcept {
    state_.last_one_lasted = state_.times_chosen == 0 || state_.plan.frames >= frames_to_last;
    state_.plan = plan;
    ++state_.times_chosen;
}

// --- The sources of a plan ---------------------------------------------------------------------------------

Plan Planner::for_few(GridChoice grid) const noexcept {
    grid.choose_brute_force();
    return {grid, HeldMap(store_.blocks, WorldMap(grid.grid()))};
}

Plan Planner::without_cells(const GridChoice& grid) const noexcept {
    return {grid, HeldMap(store_.blocks, WorldMap(make_rows(grid.ground())))};
}

// On one grid each storey has all of its rows. So there are no storeys if they would want no cells, or would
// have too many rows.
bool Planner::may_have_storeys(const GridChoice& grid, std::size_t floors) noexcept {
    return floors != 0 && grid.fits_cells() && WorldMap(grid.grid()).has_cells() &&
           (floors + 2) * grid.grid().rows <= simd::max_rows;
}

Planner::Made Planner::draw(const GridChoice& grid, const Agents& agents, const simd::Floors& floors,
                            std::size_t points) noexcept {
    WorldMap drawn(grid.grid(), may_have_storeys(grid, floors.count) ? floors : simd::Floors{});
    if (grid.wants_islands()) {
        IslandPlanner::Task task{grid.ground(), grid.shortage(), points, floors};
        task.ground.agents = agents.count();
        if (!islands_.plan(store_, survey_, task, agents, drawn)) return {{Code::out_of_memory}, {}};
    }
    if (!drawn.has_islands() && !grid.fits_cells()) return {{}, without_cells(grid)};
    return {{}, Plan{grid, HeldMap(store_.blocks, drawn)}};
}

void Planner::settle_storeys() noexcept {
    const simd::Floors floors = survey_.floors();
    if (floors.count == 0) return;
    GridChoice grid = state_.plan.grid.none();
    grid.choose(survey_);
    if (!may_have_storeys(grid, floors.count) && !grid.wants_islands()) survey_.divide({});
}

// Whether other floors would not be clearly better.
bool Planner::fits_storeys() const noexcept {
    const simd::Floors &present = state_.plan.map->floors(), &best = survey_.floors();
    if (present.count == 0 || best.count == 0) return present.count == best.count;
    return present.count <= other_floors * best.count &&
           survey_.looks_with(present) <= other_storeys * survey_.looks_with(best);
}

// --- Before a frame ----------------------------------------------------------------------------------------

bool Planner::is_due(std::size_t agents, std::size_t changes) const noexcept {
    const SinceCheck& since = state_.since;
    if (is_too_fine(state_.plan, agents)) return true;
    if (state_.plan.grid.is_for_few()) return agents > few_agents;
    if (state_.times_chosen == 0) return agents != 0;
    return is_another_number(agents, since.agents) ||
           (since.frames + 1 >= frames_to_check &&
            std::min(since.changes, since.edits + changes) >= agents / check_one_in);
}

// So memory follows the agents, whatever became of the agents of the plan.
bool Planner::is_too_fine(const Plan& plan, std::size_t agents) noexcept {
    return static_cast<double>(plan.map->cells()) > far_too_fine * most_cells_for(agents);
}

// Samples disagree on how uneven a world is. So islands are judged by the work of their frames, and so is a
// plan that was tried on these agents.
bool Planner::fits(std::size_t agents, bool another_number) const noexcept {
    const Plan& plan = state_.plan;
    const Tried& tried = state_.tried;
    if (state_.times_chosen == 0 || plan.grid.is_for_few() || is_too_fine(plan, agents)) return false;
    if (!fits_storeys()) return false;
    const bool costs_as_at_first =
        !another_number && plan.work_at_last <= other_work * plan.work_at_first + 1;
    if (costs_as_at_first && tried.looks > 0 && survey_.eighths().are_about(tried.agents)) return true;
    return plan.map->has_islands() ? costs_as_at_first && plan.grid.still_wants_islands(survey_)
                                   : plan.grid.still_fits(survey_);
}

Planner::Made Planner::check(const Agents& agents) noexcept {
    const bool another_number = is_another_number(agents.count(), state_.since.agents),
               first = state_.times_chosen == 0;
    start_counting(agents.count());
    if (state_.plan.grid.suits_few(agents.count())) {
        if (state_.plan.grid.is_for_few() && !is_too_fine(state_.plan, agents.count())) return {};
        take(for_few(state_.plan.grid));
        return {{}, state_.plan};
    }
    // Agents are compared with a plan by a sample as large as the plan's.
    if (first || !another_number)
        survey_.take(agents, first ? surveyed : surveyed_again);
    else
        survey(agents, surveyed_again);
    if (survey_.empty()) return {};
    settle_storeys();
    if (fits(agents.count(), another_number)) {
        state_.plan.grid.count_partners(survey_);
        return {};
    }
    GridChoice grid = state_.plan.grid;
    grid.choose(survey_);
    Made made = draw(grid, agents, survey_.floors(), IslandPlanner::points_for(agents.count()));
    if (made.plan) take(*made.plan);
    return made;
}

// --- After a frame -----------------------------------------------------------------------------------------

Planner::Verdict Planner::judge(const FrameState& frame, const Agents& agents) noexcept {
    const Plan& plan = state_.plan;
    Tried& tried = state_.tried;
    state_.since.judged_work = work_of(frame);
    state_.since.edits = 0;
    if (frame.agents <= few_agents || work_of(frame) <= cheap_work) return Verdict::fine;
    cost_ = probe(frame, agents);
    const bool is_cheap = cost_.looks <= expensive_looks && cost_.wide <= expensive_wide &&
                          !serves_few(plan, frame) && !lost_storeys(plan, frame);
    if (plan.map->has_cells() && is_cheap) return Verdict::fine;
    survey(agents, surveyed_again);
    if (!plan.map->has_cells() && plan.frames == 0) {
        tried = {survey_.eighths(), cost_.looks, 1, 1};
        return Verdict::keep;
    }
    const Expense expense = is_cheap                                                  ? cheap
                            : tried.looks == 0 || cost_.looks > clearly * tried.looks ? more_expensive
                                                                                      : as_expensive;
    const bool are_others = !survey_.eighths().are_about(tried.agents);
    const std::uint32_t wait = longest_wait[are_others][expense];
    if (wait == not_at_all) return Verdict::keep;
    if (expense == more_expensive) tried.pause = 1;
    tried.frames_left = std::min(tried.frames_left, wait);
    if (tried.frames_left == 0) return Verdict::try_another;
    --tried.frames_left;
    return Verdict::keep;
}

// Not before an eighth of the agents were edited, or the work has clearly grown.
bool Planner::is_worth_judging(const FrameState& frame, std::size_t edits) noexcept {
    SinceCheck& since = state_.since;
    since.edits += edits;
    const double work = work_of(frame);
    return work > cheap_work &&
           (since.edits >= frame.agents / check_one_in || work > clearly * since.judged_work);
}

// If the present plan was made for these very agents, the next one takes a larger sample. If another plan
// would be like it, or was no better the last time, or plans do not last, only the tree is left, unless the
// host wants cells.
Planner::Made Planner::plan_again(const FrameState& frame, const Agents& agents) noexcept {
    const Plan& present = state_.plan;
    const bool is_new = present.frames == 0;
    const double in_a_cell =
        std::min(cost_.misses, 2 * static_cast<double>(frame.sharing) /
                                   static_cast<double>(std::max<std::size_t>(frame.agents, 1)));
    survey(agents, surveyed);
    state_.tried.agents = survey_.eighths();
    start_counting(agents.count());
    if (survey_.empty()) return {};
    settle_storeys();
    GridChoice grid = present.grid;
    // Other floors part agents that shared a cell, whatever its size.
    const bool keeps_storeys = fits_storeys();
    if (keeps_storeys)
        grid.choose_again(survey_, present.has_one_grid() ? in_a_cell : 0);
    else
        grid.choose(survey_);
    const bool none_lasts = !is_new && !state_.last_one_lasted && present.frames < frames_to_last;
    Made made;
    if (grid.is_fixed() || !keeps_storeys || !(none_lasts || state_.tried.pause > 1)) {
        const std::size_t points = IslandPlanner::points_for(agents.count());
        made = draw(grid, agents, survey_.floors(), is_new ? closer * points : points);
        if (!made.status.ok()) return made;
        if (keeps_storeys && present.has_one_grid() && made.plan->has_one_grid() &&
            present.grid.is_like(grid))
            made.plan.reset();
        if (!made.plan && grid.is_fixed()) return made;
    }
    if (!made.plan) made.plan = without_cells(grid);
    // From the tree to the tree.
    if (!present.map->has_cells() && !made.plan->map->has_cells()) made.plan.reset();
    return made;
}

bool Planner::take_if_better(const Plan& other, const FrameState& on_other, const Agents& agents) noexcept {
    const Cost cost = probe(on_other, agents);
    const bool saves_much = cost.looks <= better * cost_.looks, keeps_promise = cost_.wide > expensive_wide &&
                                                                                cost.wide <= expensive_wide &&
                                                                                cost.looks <= expensive_looks;
    if (!saves_much && !keeps_promise) return false;
    cost_ = cost;
    take(other);
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
    published_ = state_;
    is_another_ = false;
}

// --- A plan that is kept -----------------------------------------------------------------------------------

Status Planner::read(std::span<const std::byte> bytes) noexcept {
    if (const Status bad = read_plan(bytes, store_, published_); !bad.ok()) return bad;
    state_ = published_;
    is_another_ = true;
    return {};
}

void Planner::forget() noexcept {
    state_ = published_ = for_nothing(store_, published_.plan.grid.none());
    is_another_ = true;
}

// --- Else --------------------------------------------------------------------------------------------------

Status Planner::move(float dx, float dy, const Agents& agents) noexcept {
    GridChoice grid = state_.plan.grid;
    grid.move(dx, dy);
    const simd::Floors floors = state_.plan.map->floors();
    Made made = draw(grid, agents, floors, IslandPlanner::points_for(agents.count()));
    if (!made.plan) return made.status;
    // A plan from bytes may have chosen another grid than its map has.
    if (is_too_fine(*made.plan, agents.count())) made.plan = without_cells(grid);
    state_.plan.grid = grid;
    state_.plan.map = made.plan->map;
    state_.plan.frames = 0;
    return {};
}

}  // namespace throng::detail
