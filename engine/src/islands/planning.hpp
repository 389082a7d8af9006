// The plan of the next frame: the grid that the tuner chose, and the map with its islands.
//
// A plan is made from a sample of the agents. Its true cost is known after a frame was built on it, since the
// counting sort counts how many agents share a cell (work_of). An expensive frame is rebuilt before it is
// published, if a survey promises a much better plan. If no better plan is found, none is tried again until
// the world changes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/islands/island_planner.hpp"
#include "engine/src/plan/held_map.hpp"
#include "engine/src/plan/survey.hpp"
#include "engine/src/plan/tuner.hpp"
#include "engine/src/store/store.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

struct Plan {
    Tuner tuner;
    HeldMap map;
};

// The work of an all-pairs search, or of one query for each agent: the pairs of agents that share a cell,
// plus the cost of oversized agents in such pairs: that of their searches, and of those at one place of the tree.
inline std::uint64_t work_of(const FrameState& frame) noexcept {
    return frame.sharing + frame.sharing_places +
           std::uint64_t{Tuner::work_of_oversized} * frame.view.oversized.count;
}

// Whether a frame on another plan should take the place of one: it costs half of the work, or less with a
// quarter of the oversized agents where these are many. Pairs in a cell are swept where they are too many; for
// what overlaps an oversized agent there is only the search.
inline bool is_better(const FrameState& other, const FrameState& frame) noexcept {
    const std::size_t before = frame.view.oversized.count, after = other.view.oversized.count;
    const bool fits_sizes = before > frame.agents / 16 && 4 * after <= before;
    return (fits_sizes ? 1 : 2) * work_of(other) <= work_of(frame);
}

// Whether a frame on a plan for common agents should take the place of another: these share half as much, and hardly any of them
// has become oversized.
inline bool parts_common_better(const FrameState& other, const FrameState& frame) noexcept {
    const std::size_t before = frame.view.oversized.count, after = other.view.oversized.count;
    return 2 * other.sharing <= frame.sharing && after <= before + before / 16;
}

class Planning {
public:
    explicit Planning(MemoryResource* memory) noexcept : planner_(memory) {}

    // Surveys the agents and reviews the plan; `changed` tells whether it is another one now. `box_at(i)` is
    // called with ascending i. On failure the plan may have changed all the same.
    template <class BoxAt>
    Status review(Store& store, std::size_t agents, BoxAt&& box_at, Plan& plan, bool& changed) noexcept {
        if (plan.tuner.suits_few(agents)) {
            changed = plan.tuner.use_brute_force(agents);
            if (changed) plan.map = HeldMap(store.blocks, WorldMap(plan.tuner.grid()));
            return {};
        }
        survey_.take(agents, plan.tuner.survey_size(agents), box_at);
        changed = plan.tuner.review(survey_);
        return changed ? draw(store, agents, box_at, IslandPlanner::points_at_first(agents), plan) : Status{};
    }

    // Whether a survey promises a much better plan than the one that led to this much work.
    template <class BoxAt>
    bool may_do_better(Plan& plan, std::size_t agents, std::uint64_t work, BoxAt&& box_at) noexcept {
        if (!plan.tuner.is_expensive(work, agents)) return false;
        survey_.take(agents, Survey::at_most(Survey::max_for_review, agents), box_at);
        return plan.tuner.may_do_better(survey_, work);
    }
    // The least work of a frame on this plan, as far as a few agents can tell: how often two of them share a
    // cell. It costs so little only because the sample is small, so it sees no work but much.
    template <class BoxAt>
    std::uint64_t foreseen_work(const Plan& plan, std::size_t agents, BoxAt&& box_at) const noexcept {
        const std::size_t sample = std::min(agents / 200, max_foreseen);
        std::array<CellNumber, max_foreseen> cells;
        std::size_t common = 0, oversized = 0;
        for (std::size_t k = 0; k < sample; ++k) {
            const Box box = box_at(sampled(k, sample, agents));
            // The frame will refuse a box that is illegal; here it is one that shares no cell.
            if (check(box) != Code::ok) continue;
            const Cell cell = plan.map->cell_of(box);
            if (cell.column == plan.map->columns(cell.row))
                ++oversized;
            else
                cells[common++] = plan.map->number_of(cell);
        }
        const double weight =
            static_cast<double>(agents) / static_cast<double>(std::max(sample, std::size_t{1}));
        return work_in_sample({cells.data(), common}, oversized, weight);
    }
    // Whether to plan before the frame is built: on the present plan it would be very expensive, and a survey
    // promises a much better one. Only crowds on islands move on often enough to justify a survey.
    template <class BoxAt>
    bool should_plan_ahead(Plan& plan, std::size_t agents, std::uint64_t foreseen, BoxAt&& box_at) noexcept {
        return plan.tuner.is_worth_a_closer_plan(foreseen, agents) &&
               may_do_better(plan, agents, foreseen, box_at);
    }
    // Whether to examine a frame that was built from scratch closely. If that found nothing a few frames ago,
    // and work is about the same, a small sample decides: agents that left one pile may still share their old
    // cell.
    template <class BoxAt>
    bool is_worth_a_look(Plan& plan, const FrameState& frame, BoxAt&& box_at) noexcept {
        const std::size_t agents = frame.agents;
        const std::uint64_t work = work_of(frame);
        if (!plan.tuner.is_expensive(work, agents)) return false;
        if (plan.tuner.wants_close_look(work, agents)) return true;
        survey_.take(agents, Survey::for_a_glance, box_at);
        return plan.tuner.may_do_better(survey_, work) ||
               plan.tuner.is_worth_a_try(work, agents, frame.sharing);
    }
    // Makes a plan for the present agents, whatever the old plan was.
    template <class BoxAt>
    Status start_again(Store& store, std::size_t agents, BoxAt&& box_at, std::size_t points,
                       Plan& plan) noexcept {
        survey_.take(agents, Survey::at_most(Survey::most, agents), box_at);
        plan.tuner.start_again(survey_);
        return draw(store, agents, box_at, points, plan);
    }
    // Makes a plan for a frame's common agents alone, where these are crowded and few among oversized ones, which have a tree of
    // their own. Returns false in `made` if that promises nothing.
    Status start_again_for_common(Store& store, const FrameState& frame, Plan& plan, bool& made) noexcept;
    // Records that no better plan was found for these agents than one with this much work.
    template <class BoxAt>
    void accept(Plan& plan, std::size_t agents, std::uint64_t work, BoxAt&& box_at) noexcept {
        survey_.take(agents, Survey::at_most(Survey::max_for_review, agents), box_at);
        plan.tuner.accept(work, survey_);
    }
    // Makes the map for the chosen grid, with islands if it needs them.
    template <class BoxAt>
    Status draw(Store& store, std::size_t agents, BoxAt&& box_at, std::size_t points, Plan& plan) noexcept {
        WorldMap drawn(plan.tuner.grid());
        if (plan.tuner.wants_islands()) {
            IslandPlanner::Task task{plan.tuner.ground(), plan.tuner.shortage(), points};
            task.ground.agents = agents;
            if (!planner_.plan(store, survey_, task, box_at, drawn)) return {Code::out_of_memory};
        }
        plan.map = HeldMap(store.blocks, drawn);
        return {};
    }
    // The sample size of a plan that is to improve on the last one.
    std::size_t points_for_closer_look(std::size_t agents) const noexcept {
        return planner_.points_for_closer_look(agents);
    }
    void give_back_excess(std::size_t agents) noexcept { planner_.give_back_excess(agents); }

private:
    static constexpr std::size_t max_foreseen = 512;
    static std::uint64_t work_in_sample(std::span<CellNumber> cells, std::size_t oversized,
                                        double weight) noexcept;

    Survey survey_;
    IslandPlanner planner_;
};

}  // namespace throng::detail
