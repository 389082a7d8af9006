// Which plan an engine builds a frame on: the present one, the one before it, or one that is made for these agents.
#include <algorithm>
#include <optional>
#include <utility>

#include "engine/src/api/engine_state.hpp"
#include "engine/src/base/box_reader.hpp"
#include "engine/src/write/frame_view.hpp"

namespace throng {

using namespace detail;

namespace {

// No closer plan is made to spare what is worth it: where one in eight pairs that share a cell overlaps, the others are tested in
// about the time that a plain crowd takes for such an answer. `share_found` counts two for each already.
constexpr double worth_of_found = 8.0 / 2;

// Whether no closer plan is needed after a frame on a plan made for its agents: more points part those that share cells, but those
// that are too large for their island stay so, and the share of those that overlap. After a plan in vain, twice as much has to be
// at stake.
bool is_enough(const Tuner& tuner, const FrameState& frame, bool taken, double share_found = 0) noexcept {
    const std::uint64_t searches = work_of_searches(frame), work = without_found(frame, share_found);
    return !tuner.is_worth_a_closer_plan(taken ? work - std::min(searches, work) : work / 2, frame.agents);
}

}  // namespace

Status Engine::State::review_and_build(const Input& input, Look look, FrameState*& frame) noexcept {
    expect(input.boxes.size());
    const Decisions before = decisions();
    planning.start(input.boxes.size(), plan.tuner.tuning().times_chosen == 0);
    frame = nullptr;
    bool changed = false;
    Status status;
    if (look == Look::review)
        status = planning.review(store, input.boxes.size(), BoxAt(input.boxes), plan, changed);
    bool planned = changed && (plan.map->has_islands() || !plan.map->has_cells());
    bool hopeless = false, moved = false;
    if (status.ok() && !planned) {
        const BoxAt box_at(input.boxes);
        const bool may_return = !changed && former.tuner.tuning().times_chosen != 0 &&
                                !former.tuner.is_another_number(input.boxes.size());
        Foreseen here = planning.foresee_enough(plan, input.boxes.size(), box_at, may_return);
        if (waits) here.work = std::max(here.work, plan.tuner.work_as_at_last(input.boxes.size()));
        status = build_on_moved_plan(input, here, frame);
        moved = frame != nullptr;
        if (may_return && status.ok() && frame == nullptr) status = build_on_former_plan(input, here, frame);
        if (status.ok() && frame == nullptr) status = build_ahead(input, here, frame, hopeless);
        if (plan.map->has_islands() && status.ok() && frame == nullptr)
            planned = hopeless = planning.leave_to_tree(store, input.boxes.size(), here, box_at, plan);
    }
    planned = planned || frame != nullptr;
    if (status.ok() && frame == nullptr) status = build(input, plan, frame);
    const bool is_dear = status.ok() && moved && !is_as_at_first(work_of_plan(*frame), frame->agents);
    const bool stays = is_dear || (status.ok() && !planned && look != Look::promised && may_wait(*frame));
    waits = stays && plan.tuner.is_expensive(work_of(*frame), frame->agents) && (is_dear || is_news(*frame));
    if (status.ok() && !stays) status = build_on_better_plan(input, planned, hopeless, frame);
    if (status.ok()) status = finish(frame);
    if (!status.ok()) return go_back_to(before, status);
    plan.tuner.count_build(work_of(*frame), frame->agents);
    if (before.plan.tuner.tuning().times_chosen != plan.tuner.tuning().times_chosen) former = before.plan;
    if (plan.map->has_islands() && current->map.tables().block != plan.map->tables().block)
        tracker.note(input.boxes.size(), BoxAt(input.boxes));
    return status;
}

// Whether a frame costs more than a little more than the last one.
bool Engine::State::is_news(const FrameState& frame) const noexcept {
    return !plan.tuner.would_cost_as_at_last(work_of_plan(frame), frame.agents, Tuner::little_more);
}

// As the tuner counts it: without what overlaps, where the plan was chosen for that.
std::uint64_t Engine::State::work_of_plan(const FrameState& frame) const noexcept {
    return without_found(frame, plan.tuner.share_found());
}

// Whether so much work is about that of the first frame on this plan.
bool Engine::State::is_as_at_first(std::uint64_t work, std::size_t agents) const noexcept {
    return plan.tuner.would_cost_as_at_first(work, agents, Tuner::half_as_much_again);
}

// Whether a frame on islands stays as it is although it is expensive: it costs less than twice what is expensive, and is no news.
// What grows little by little gets its next plan ahead of a frame, which costs less than a second frame. Where islands are in
// islands, both a frame and a plan take long, so there even news may wait, for one frame.
bool Engine::State::may_wait(const FrameState& frame) const noexcept {
    const bool even_news = !waits && plan.map->cuts() > 1;
    return plan.map->has_islands() && !plan.tuner.is_expensive(work_of(frame) / 2, frame.agents) &&
           (even_news || !is_news(frame));
}

// Where agents moved together, out of islands that were made for them, the islands move with them, unless a frame on them would cost half
// as much again as the first one did. If one turns out to, the next gets a plan ahead, as any that waits for one.
Status Engine::State::build_on_moved_plan(const Input& input, const Foreseen& here,
                                          FrameState*& frame) noexcept {
    const std::size_t agents = input.boxes.size();
    const BoxAt box_at(input.boxes);
    if (waits || !plan.map->has_islands() || !plan.tuner.is_expensive(here.work, agents)) return {};
    if (plan.tuner.would_cost_as_at_first(here.work, agents, Tuner::little_more)) return {};
    const std::optional<Motion> motion = tracker.motion_to(agents, box_at);
    if (!motion || !is_as_at_first(planning.foresee_moved(plan, *motion, agents, box_at), agents)) return {};
    Plan other = plan;
    bool made = false;
    if (const Status bad = planning.move(store, *motion, other, made); !bad.ok() || !made) return bad;
    const Foreseen there = Planning::with_looks(other, planning.foresee(other, agents, box_at, closely));
    const std::uint64_t then = planning.work_of_close(other, there, agents, box_at);
    if (!is_better(then, planning.foresee_work(plan, here, agents, box_at)) || !is_as_at_first(then, agents))
        return {};
    if (const Status bad = build(input, other, frame); !bad.ok()) return bad;
    plan = other;
    return {};
}

// Two worlds in turns: where the present plan promises to cost much more than it did at last, and the one before it no more than
// it did, that one is taken again, as far as a few agents can tell. Where it would cost far less than it did, its agents are not back.
Status Engine::State::build_on_former_plan(const Input& input, const Foreseen& here,
                                           FrameState*& frame) noexcept {
    const std::size_t agents = input.boxes.size();
    const BoxAt box_at(input.boxes);
    const std::uint64_t now = planning.foresee_work(plan, here, agents, box_at);
    // Where what overlaps counts on neither plan, little more says nothing.
    const bool some_found = plan.tuner.share_found() != 0 || former.tuner.share_found() != 0;
    // The tree costs as much on any agents.
    if (!plan.tuner.is_expensive(now, agents) ||
        (plan.map->has_cells() && plan.tuner.would_cost_as_at_last(now, agents, some_found ? 2 : 1)))
        return {};
    const std::size_t one_in = plan.map->has_islands() ? closely : loosely;
    const std::uint64_t then =
        planning.foresee_work(former, planning.foresee(former, agents, box_at, one_in), agents, box_at);
    if (4 * then > 3 * now || !former.tuner.would_cost_as_at_last(then, agents, Tuner::little_more) ||
        (plan.tuner.is_expensive(then, agents) &&
         former.tuner.would_cost_far_less_than_at_last(then, agents)))
        return {};
    Plan other = former;
    other.tuner.take_over_counts(plan.tuner);
    if (const Status bad = build(input, other, frame); !bad.ok()) return bad;
    plan = other;
    return {};
}

// What was made for many times as many agents goes back to the host, and with it the tables of the former plan.
void Engine::State::expect(std::size_t agents) noexcept {
    if (store.expect(agents)) former = first_plan(store, config);
}

// The view is made of the frame that is kept alone: the tree over oversized agents may cost more than all rows.
Status Engine::State::finish(FrameState*& frame) noexcept {
    if (finish_view(*frame)) return {};
    store.abandon(std::exchange(frame, nullptr));
    return {Code::out_of_memory};
}

// Builds no frame on a plan that a few agents already show to be left behind, but one on a plan made for these agents. If that
// costs no less than the foreseen work, as its frame shows or a few agents tell, the frame on the old plan is built after all.
Status Engine::State::build_ahead(const Input& input, const Foreseen& here, FrameState*& frame,
                                  bool& hopeless) noexcept {
    const std::size_t agents = input.boxes.size();
    const BoxAt box_at(input.boxes);
    if (!planning.should_plan_ahead(plan, agents, here, box_at)) return {};
    PlanAhead ahead{.plan = plan};
    bool made = false;
    Status status = planning.start_again(store, agents, box_at, planning.points_for_plan_ahead(agents),
                                         ahead.plan, made, here.sharing);
    hopeless = status.ok() && made && is_like(plan, ahead.plan);
    if (!status.ok() || !made || hopeless) return status;
    ahead.foreseen = planning.foresee(ahead.plan, agents, box_at, closely);
    if (is_better(least_of(ahead.foreseen), here.work)) status = plan_closer(input, here, ahead);
    return status.ok() ? build_if_promised(input, here, ahead, frame, hopeless) : status;
}

// Whether no closer plan is needed: by all work, or by what is left without pairs that overlap, as far as they are worth it.
template <class IsEnough>
bool Engine::State::is_enough_but_for_found(const Input& input, const Plan& on,
                                            IsEnough&& is_enough_without) const noexcept {
    if (is_enough_without(0.0)) return true;
    const double found = planning.share_found(on, input.boxes.size(), BoxAt(input.boxes));
    return is_enough_without(std::min(worth_of_found * found, 1.0));
}

// Makes a plan ahead again from more points where it is foreseen not to be enough, so that no frame is built on the first of the two.
Status Engine::State::plan_closer(const Input& input, const Foreseen& here, PlanAhead& ahead) noexcept {
    const std::size_t agents = input.boxes.size(), points = planning.points_for_closer_look(agents);
    const BoxAt box_at(input.boxes);
    if (!ahead.plan.map->has_islands() || points < 2 * IslandPlanner::points_at_first(agents)) return {};
    const Foreseen& there = ahead.foreseen;
    ahead.is_enough = is_enough_but_for_found(input, ahead.plan, [&](double found) {
        const auto in_cells = static_cast<double>(there.sharing - there.opens);
        return !plan.tuner.is_worth_a_closer_plan(without_found(there.sharing, found, in_cells), agents);
    });
    if (ahead.is_enough) return {};
    PlanAhead closer{.plan = plan, .is_close = true};
    bool made = false;
    const Status status =
        planning.start_again(store, agents, box_at, points, closer.plan, made, here.sharing);
    if (!status.ok() || !made) return status;
    ahead.is_close = true;
    closer.foreseen = planning.foresee(closer.plan, agents, box_at, closely);
    if (is_better(closer.foreseen.work, ahead.foreseen.work)) ahead = closer;
    return {};
}

// What a plan ahead promises: less work than there would be on the present one, or less of what does not overlap.
Engine::State::Promise Engine::State::promise_of(const Input& input, const Foreseen& here,
                                                 const PlanAhead& ahead) const noexcept {
    const std::size_t agents = input.boxes.size();
    const BoxAt box_at(input.boxes);
    if (is_better(least_of(ahead.foreseen), here.work)) return {true, 0, here.work};
    // What overlaps has to be found on either plan. What is left may be too little to spare any of it.
    const double found = planning.share_found(ahead.plan, agents, box_at);
    const std::uint64_t before = without_found(here, planning.share_found(plan, agents, box_at)),
                        least = least_of({without_found(ahead.foreseen, found), ahead.foreseen.oversized});
    // `least` is a small difference of large numbers here, and a small sample told the share: it has to be half of what would do.
    return {plan.tuner.is_expensive(before, agents) && is_better(2 * least, before), found, before};
}

// Keeps the frame on that plan, or the one on the present plan, as in build_ahead. Builds none where that plan promises too little and
// nearly all agents would be oversized on the islands of the present one: they are left to the tree next.
Status Engine::State::build_if_promised(const Input& input, const Foreseen& here, const PlanAhead& planned,
                                        FrameState*& frame, bool& hopeless) noexcept {
    const Plan& other = planned.plan;
    const Foreseen& there = planned.foreseen;
    auto [promised, found, before] = promise_of(input, here, planned);
    if (!promised && plan.map->has_islands() && planning.is_for_tree(here, input.boxes.size())) return {};
    FrameState *ahead = nullptr, *behind = nullptr;
    Status status;
    if (promised) status = build(input, other, ahead);
    // One on the old plan would hardly cost less than is foreseen.
    const bool kept = promised && status.ok() && without_found(*ahead, found) <= before;
    if (status.ok() && !kept) status = build(input, plan, behind);
    // What oversized agents look at in cells is not foreseen.
    if (status.ok() && !promised && !planning.was_foreseen(work_of(*behind)) &&
        may_be_better(there, *behind)) {
        promised = true;
        status = build(input, other, ahead);
    }
    if (!status.ok()) {
        for (FrameState* built : {ahead, behind})
            if (built != nullptr) store.abandon(built);
        return status;
    }
    const bool taken = kept || (promised && is_better(*ahead, *behind));
    frame = taken ? ahead : behind;
    if (FrameState* rest = taken ? behind : ahead; rest != nullptr) store.abandon(rest);
    if (taken) plan = other;
    if (kept) plan.tuner.count_found(found);
    const bool is_last_word =
        taken && (planned.is_close || (planned.is_enough && 2 * work_of(*frame) <= 3 * there.work));
    hopeless = !other.map->has_cells() || is_last_word ||
               (promised ? is_enough(plan.tuner, *frame, taken) : !may_be_better(there, *frame));
    if (promised) plan.tuner.count_rebuild();
    plan.tuner.count_try(taken && 2 * work_of(*frame) <= here.work);
    return {};
}

// An expensive frame is rebuilt on a plan made for its agents, and the new one is kept if it is much better:
// first with a sample, and if that is not enough with as many more agents as planning may cost. Where there were not enough
// steps for it, the next update goes on.
Status Engine::State::build_on_better_plan(const Input& input, bool planned, bool hopeless,
                                           FrameState*& frame) noexcept {
    const std::size_t agents = input.boxes.size(), first = IslandPlanner::points_at_first(agents);
    const std::uint64_t before = work_of(*frame);
    if (!plan.tuner.is_expensive(before, agents)) return {};
    const BoxAt box_at(input.boxes);
    // Where the planner just found that cells do not pay, it would find so with more points, too.
    hopeless = hopeless || (planned && !plan.map->has_cells());
    if (!hopeless) {
        const bool foreseen = !planned && planning.was_foreseen(before);
        if (foreseen ? !planning.looked_ahead()
                     : !planning.is_worth_a_look(plan, agents, before, frame->sharing, box_at))
            return {};
        const bool promised =
            !foreseen && planning.may_do_better(plan, agents, work_of(*frame), box_at, frame->sharing_places);
        if (planning.is_cut_short()) return {};
        if (!promised && (foreseen || !plan.tuner.is_worth_a_try(before, agents, frame->sharing))) {
            planning.count_vain_look(plan, agents, work_of(*frame), box_at);
            return {};
        }
    }
    if (!planned) {
        const std::size_t some =
            plan.tuner.is_much(before, agents) ? first : planning.points_for_plan_ahead(agents);
        if (const Status bad = build_on_closer_plan(input, some, frame, hopeless); !bad.ok()) return bad;
    }
    const std::size_t points = planning.points_for_closer_look(agents);
    // Where the frame before cost as much, one plan is enough for this one. So it is where enough pairs overlap.
    if (!hopeless && (planned || is_news(*frame)) && agents > first && points >= 2 * first &&
        !is_enough_but_for_found(input, plan,
                                 [&](double found) { return is_enough(plan.tuner, *frame, true, found); }) &&
        (planned || planning.may_do_better(plan, agents, work_of(*frame), box_at, frame->sharing_places)))
        if (const Status bad = build_on_closer_plan(input, points, frame, hopeless); !bad.ok()) return bad;
    planning.accept(plan, agents, work_of(*frame), box_at);
    // A plan without cells that was made for these agents is the last word on them for a while.
    if (!planned || work_of(*frame) != before || !plan.map->has_cells())
        plan.tuner.count_try(2 * work_of(*frame) <= before);
    // If not, the next try is for these very agents, too.
    if (!planning.is_cut_short()) planning.count_vain_look(plan, agents, work_of(*frame), box_at);
    return {};
}

// Keeps the cheaper frame, and its plan. No frame is built on a plan that is hopeless, as a few agents tell.
Status Engine::State::build_on_closer_plan(const Input& input, std::size_t points, FrameState*& frame,
                                           bool& hopeless) noexcept {
    Plan other = plan;
    FrameState* again = nullptr;
    bool made = false;
    const BoxAt box_at(input.boxes);
    const std::size_t agents = input.boxes.size();
    Status status = planning.start_again(store, agents, box_at, points, other, made, frame->sharing);
    hopeless = status.ok() && made &&
               (is_like(plan, other) || !(plan.map->has_cells() || other.map->has_cells()) ||
                !may_be_better(planning.foresee(other, agents, box_at, closely), *frame));
    made = made && !hopeless;
    if (status.ok() && made) status = build(input, other, again);
    if (!status.ok()) store.abandon(frame);
    if (!status.ok() || !made) return status;
    hopeless = !other.map->has_cells();  // as more points would tell
    if (is_better(*again, *frame)) {
        std::swap(frame, again);
        plan = other;
    }
    store.abandon(again);
    plan.tuner.count_rebuild();
    return {};
}

}  // namespace throng
