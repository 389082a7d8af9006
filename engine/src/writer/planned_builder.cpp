#include "engine/src/writer/planned_builder.hpp"

#include <utility>

#include "base/box_reader.hpp"
#include "engine/src/frame/frame_reader.hpp"

namespace throng::detail {

namespace {

// The heights of a list's agents, in the order of their boxes.
struct BandAt {
    const AgentList& list;
    Band operator()(std::size_t i) const noexcept {
        return list.heights[list.ids == nullptr || !list.traits_are_by_id ? i : list.ids[i]];
    }
};

}  // namespace

Status PlannedBuilder::build_planned(const AgentList& agents, bool due, FrameState*& frame) noexcept {
    store_.expect(agents.boxes.size());
    const BoxAt box_at(agents.boxes);
    const BandAt band_at{agents};
    const Agents all(agents.boxes.size(), box_at, band_at, !agents.heights.empty());
    frame = nullptr;
    bool taken = false;
    Status status;
    if (due) status = planner_.check(all).status;
    if (status.ok()) status = build(agents, frame);
    if (status.ok() && planner_.judge(*frame, all) == Planner::Verdict::try_another)
        status = try_another_plan(agents, all, frame, taken);
    if (!status.ok()) planner_.go_back();
    return status;
}

Status PlannedBuilder::build_moved(const AgentList& agents, float dx, float dy, FrameState*& frame) noexcept {
    const BoxAt box_at(agents.boxes);
    const BandAt band_at{agents};
    const Status status =
        planner_.move(dx, dy, {agents.boxes.size(), box_at, band_at, !agents.heights.empty()});
    return status.ok() ? build(agents, frame) : status;
}

// Builds a frame on another plan as well, and keeps it if it costs at most half.
Status PlannedBuilder::try_another_plan(const AgentList& list, const Agents& agents, FrameState*& frame,
                                        bool& taken) noexcept {
    FrameState* again = nullptr;
    const Planner::Made other = planner_.plan_again(*frame, agents);
    Status status = other.status;
    if (other.plan) status = build_on(*other.plan, list, again);
    if (!status.ok()) {
        store_.abandon(std::exchange(frame, nullptr));
        return status;
    }
    taken = other.plan && planner_.take_if_better(*other.plan, *again, agents);
    if (taken) std::swap(frame, again);
    if (again != nullptr) store_.abandon(again);
    planner_.end_try(taken);
    return {};
}

Status PlannedBuilder::build_on(const Plan& plan, const AgentList& agents, FrameState*& frame) noexcept {
    const Status status = builder_.build(store_, {agents, *plan.map, &kernels_, executor_}, frame);
    return status.ok() ? finish(frame) : status;
}

Status PlannedBuilder::finish(FrameState*& frame) noexcept {
    if (finish_view(*frame)) return {};
    store_.abandon(std::exchange(frame, nullptr));
    return {Code::out_of_memory};
}

// --- Edits -------------------------------------------------------------------------------------------------

Status PlannedBuilder::check(const FrameState& frame, bool& changed) noexcept {
    FrameReader reader(frame);
    const auto box_at = [&](std::size_t i) { return reader.box(i); };
    const auto band_at = [&](std::size_t i) { return reader.band(i); };
    const Planner::Made made = planner_.check({frame.agents, box_at, band_at, frame.has_heights()});
    changed = made.plan.has_value();
    return made.status;
}

bool PlannedBuilder::became_expensive(const FrameState& frame, std::size_t edits) noexcept {
    if (!planner_.is_worth_judging(frame, edits)) return false;
    FrameReader reader(frame);
    const auto box_at = [&](std::size_t i) { return reader.box(i); };
    const auto band_at = [&](std::size_t i) { return reader.band(i); };
    return planner_.judge(frame, {frame.agents, box_at, band_at, frame.has_heights()}) ==
           Planner::Verdict::try_another;
}

Status PlannedBuilder::try_another_plan(const AgentList& list, FrameState*& frame, bool& taken) noexcept {
    const BoxAt box_at(list.boxes);
    const BandAt band_at{list};
    return try_another_plan(list, {list.boxes.size(), box_at, band_at, !list.heights.empty()}, frame, taken);
}

// --- Memory ------------------------------------------------------------------------------------------------

void PlannedBuilder::give_back_excess(std::size_t agents) noexcept {
    builder_.give_back_excess(agents);
    planner_.give_back_excess(agents);
}

}  // namespace throng::detail
