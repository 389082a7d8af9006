// The plan of the next frame: the grid that the tuner chose, and the map with its islands.
//
// A plan is made from a sample of the agents. What it truly costs is known after a frame was built on it (work_of).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "engine/src/base/box_math.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/islands/island_planner.hpp"
#include "engine/src/plan/effort.hpp"
#include "engine/src/plan/foreseen.hpp"
#include "engine/src/plan/plan.hpp"
#include "engine/src/plan/survey.hpp"
#include "engine/src/plan/tuner.hpp"
#include "engine/src/store/store.hpp"
#include "throng/compiler.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class Planning {
public:
    // Agents that were looked at, and what their frame cost.
    struct Looked {
        std::uint64_t mark = 0, mark_of_few = 0, work = 0;
    };
    // What the plans so far tell the next one.
    struct Lessons {
        std::array<Looked, 4> in_vain;  // the latest first: worlds may take turns
        IslandPlanner::Lessons of_islands;
        std::uint32_t plans_to_next_try;
    };

    Planning(const simd::Kernels& kernels, MemoryResource* memory) noexcept
        : kernels_(kernels), planner_(kernels, memory) {}

    Lessons lessons() const noexcept { return {in_vain_, planner_.lessons, plans_to_next_try_}; }
    void go_back_to(const Lessons& before) noexcept {
        in_vain_ = before.in_vain;
        planner_.lessons = before.of_islands;
        plans_to_next_try_ = before.plans_to_next_try;
    }

    // Before the agents of another frame are looked at, of which there are so many.
    void start(std::size_t agents, bool first_of_all = false) noexcept {
        effort_.start(agents, first_of_all);
        taken_ = 0;
        cut_short_ = counted_ = looked_ahead_ = false;
        foreseen_ = 0;
        mark_.reset();
    }
    std::size_t steps_left() const noexcept { return effort_.left(); }
    // Whether since then there were not enough steps for something.
    bool is_cut_short() const noexcept { return cut_short_; }

    // Surveys the agents and reviews the plan; `changed` tells whether it is another one now. `box_at(i)` is
    // called with ascending i. On failure the plan may have changed all the same.
    template <class BoxAt>
    Status review(Store& store, std::size_t agents, BoxAt&& box_at, Plan& plan, bool& changed) noexcept {
        if (plan.tuner.suits_few(agents)) {
            changed = plan.tuner.use_brute_force(agents);
            if (changed) plan.map = HeldMap(store.blocks, WorldMap(plan.tuner.grid()));
            return {};
        }
        const Plan before = plan;
        const bool first = plan.tuner.tuning().times_chosen == 0;
        changed = look(agents, plan.tuner.survey_size(agents), box_at) && plan.tuner.review(survey_);
        // Where cells held few of such agents on all islands, they hold few of more or fewer of them, too, unless the tree was chosen because
        // there were few agents in all.
        if (changed && !plan.map->has_cells() && plan.tuner.wants_islands() &&
            plan.tuner.has_tried_on(survey_) && !planner_.lessons.held_few) {
            plan.map = HeldMap(store.blocks, WorldMap(make_rows(plan.tuner.ground())));
            return {};
        }
        const Points points{.number = first ? IslandPlanner::points_at_first(agents, first)
                                            : planner_.points_for_review(agents, effort_.left()),
                            .first_of_all = first};
        return changed ? draw_for_most(store, agents, box_at, points, before, plan) : Status{};
    }

    // Whether a survey promises a much better plan than the one that led to this much work.
    template <class BoxAt>
    bool may_do_better(Plan& plan, std::size_t agents, std::uint64_t work, BoxAt&& box_at,
                       std::uint64_t places = 0) noexcept {
        return plan.tuner.is_expensive(work, agents) &&
               look(agents, Survey::at_most(Survey::max_for_review, agents), box_at) &&
               plan.tuner.may_do_better(survey_, work, &*plan.map, places);
    }
    template <class BoxAt>
    Foreseen foresee(const Plan& plan, std::size_t agents, BoxAt&& box_at,
                     std::size_t one_in = loosely) const noexcept {
        return detail::foresee(kernels_, *plan.map, agents, box_at, one_in);
    }
    // On islands by a small sample, and closely where that or the last frame is expensive, unless it shows 64 times what is expensive. On one grid at a glance, unless the
    // former plan may be taken instead, and by a small sample where that is expensive.
    template <class BoxAt>
    Foreseen foresee_enough(const Plan& plan, std::size_t agents, BoxAt&& box_at,
                            bool may_return) const noexcept {
        return with_looks(plan, foresee_as_needed(plan, agents, box_at, may_return));
    }
    // What oversized agents looked at in the last frame on this plan comes to it.
    static Foreseen with_looks(const Plan& plan, Foreseen foreseen) noexcept {
        foreseen.work += static_cast<std::uint64_t>(plan.tuner.looks_of(foreseen.oversized));
        return foreseen;
    }
    template <class BoxAt>
    Foreseen foresee_as_needed(const Plan& plan, std::size_t agents, BoxAt&& box_at,
                               bool may_return) const noexcept {
        constexpr std::uint64_t clear = 64;
        const bool on_islands = plan.map->has_islands();
        const Foreseen here = foresee(plan, agents, box_at, on_islands || may_return ? loosely : at_a_glance);
        // So many times as much as is expensive is no accident of a small sample.
        const bool is_clear = on_islands && plan.tuner.is_expensive(here.work / clear, agents),
                   is_cheap = !plan.tuner.is_expensive(here.work, agents) &&
                              !(on_islands && plan.tuner.was_expensive());
        if (is_clear || is_cheap || (!on_islands && may_return)) return here;
        return foresee(plan, agents, box_at, on_islands ? closely : loosely);
    }
    // Of the pairs of a few agents that share a cell on this plan, the share that counts for nothing beside a plan that leaves
    // them to the tree: those that surely overlap, and as many again, since the tree finds these in twice the time or more.
    template <class BoxAt>
    double share_found(const Plan& plan, std::size_t agents, BoxAt&& box_at) const noexcept {
        constexpr std::size_t next = 8;  // each is compared with so many
        const std::size_t sample = std::min(agents / closely, max_foreseen);
        std::array<Box, max_foreseen> boxes;
        std::array<std::uint64_t, max_foreseen> order;  // by cell, and by their place among the boxes
        std::size_t common = 0, pairs = 0, found = 0;
        for (std::size_t k = 0; k < sample; ++k) {
            const Box box = boxes[common] = box_at(sampled(k, sample, agents));
            if (check(box) != Code::ok) continue;
            const Cell cell = plan.map->cell_of(box);
            if (cell.column == plan.map->columns(cell.row)) continue;  // it is oversized
            order[common] = std::uint64_t{plan.map->number_of(cell)} << 32 | common;
            ++common;
        }
        std::sort(order.data(), order.data() + common);
        for (std::size_t i = 0; i < common; ++i)
            for (std::size_t k = i + 1; k < std::min(common, i + 1 + next); ++k) {
                if (order[k] >> 32 != order[i] >> 32) break;
                ++pairs;
                found += overlap(boxes[order[i] & 0xFFFFFFFFu], boxes[order[k] & 0xFFFFFFFFu]);
            }
        return std::min(2 * surely(found) / std::max(static_cast<double>(pairs), 1.0), 1.0);
    }
    // The least work on a plan: the foreseen work, or less what overlaps if the plan was chosen for that.
    template <class BoxAt>
    std::uint64_t foresee_work(const Plan& plan, const Foreseen& foreseen, std::size_t agents,
                               BoxAt&& box_at) const noexcept {
        if (plan.tuner.share_found() == 0) return foreseen.work;
        return work_of_close(plan, with_looks(plan, foresee(plan, agents, box_at, closely)), agents, box_at);
    }
    // The same where that was foreseen closely.
    template <class BoxAt>
    std::uint64_t work_of_close(const Plan& plan, const Foreseen& close, std::size_t agents,
                                BoxAt&& box_at) const noexcept {
        if (plan.tuner.share_found() == 0) return close.work;
        return without_found(close, share_found(plan, agents, box_at));
    }
    // Whether to plan before the frame is built: on the present plan it would be expensive, by the foreseen work, a
    // survey promises a much better one, and nothing was looked for in vain for these agents or in a frame like theirs.
    template <class BoxAt>
    bool should_plan_ahead(Plan& plan, std::size_t agents, const Foreseen& foreseen,
                           BoxAt&& box_at) noexcept {
        if (!plan.tuner.is_expensive(foreseen.work, agents)) return false;
        foreseen_ = foreseen.work;
        looked_ahead_ = is_worth_a_look(plan, agents, foreseen.work, foreseen.sharing, box_at);
        return looked_ahead_ && (may_do_better(plan, agents, foreseen.work, box_at) ||
                                 plan.tuner.is_worth_a_try(foreseen.work, agents, foreseen.sharing));
    }
    // Whether a frame costs what was foreseen, and was judged by that; and whether agents were looked at for that.
    bool was_foreseen(std::uint64_t work) const noexcept { return 2 * work <= 3 * foreseen_; }
    bool looked_ahead() const noexcept { return looked_ahead_; }
    // Whether to examine an expensive frame that was built from scratch closely. If that found nothing a few frames ago,
    // and work is about the same, a small sample decides: agents that left one pile may still share their old
    // cell.
    template <class BoxAt>
    bool is_worth_a_look(Plan& plan, std::size_t agents, std::uint64_t work, std::uint64_t sharing,
                         BoxAt&& box_at) noexcept {
        const bool wants_close_look = plan.tuner.wants_close_look(work, agents, !counted_);
        counted_ = true;
        if (looked_in_vain_at(agents, work, box_at)) return false;
        if (wants_close_look) return true;
        return look(agents, Survey::for_a_glance, box_at) &&
               (plan.tuner.may_do_better(survey_, work, &*plan.map) ||
                plan.tuner.is_worth_a_try(work, agents, sharing));
    }
    // Records that nothing better was found, or tried, for these agents.
    template <class BoxAt>
    void count_vain_look(Plan& plan, std::size_t agents, std::uint64_t work, BoxAt&& box_at) noexcept {
        plan.tuner.count_vain_look(work, agents);
        std::shift_right(in_vain_.begin(), in_vain_.end(), 1);
        in_vain_[0] = {mark_once(agents, box_at), mark_of_few(agents, box_at), work};
    }
    // Makes a plan for the present agents, whatever the old plan was, on which so many pairs shared cells, if that is known.
    // Returns false in `made` if there are no steps left for one.
    template <class BoxAt>
    Status start_again(Store& store, std::size_t agents, BoxAt&& box_at, std::size_t points, Plan& plan,
                       bool& made, std::uint64_t sharing = 0) noexcept {
        made = look(agents, Survey::at_most(Survey::at_first, agents), box_at);
        if (!made) return {};
        const Plan before = plan;
        plan.tuner.start_again(survey_, plan.map->has_islands() ? 0 : sharing);
        return draw_for_most(
            store, agents, box_at,
            {.number = points, .thins_out = points == IslandPlanner::points_at_first(agents)}, before, plan);
    }
    // Whether nearly all agents would be oversized.
    static bool is_for_tree(const Foreseen& here, std::size_t agents) noexcept {
        return here.oversized >= 0.9 * static_cast<double>(agents);
    }
    // Makes a plan without cells where nearly all agents would be oversized on the present one, and no other promises more. Their
    // way to islands is for nothing then.
    template <class BoxAt>
    bool leave_to_tree(Store& store, std::size_t agents, const Foreseen& here, BoxAt&& box_at,
                       Plan& plan) noexcept {
        if (!is_for_tree(here, agents) ||
            !look(agents, Survey::at_most(Survey::max_for_review, agents), box_at))
            return false;
        plan.tuner.start_again(survey_);
        plan.map = HeldMap(store.blocks, WorldMap(make_rows(plan.tuner.ground())));
        return true;
    }
    // The least work on islands that moved by so much, as far as few agents can tell. These are moved back, and looked up on the present
    // islands.
    template <class BoxAt>
    std::uint64_t foresee_moved(const Plan& plan, const Motion& by, std::size_t agents,
                                BoxAt&& box_at) const noexcept {
        const auto back_at = [&](std::size_t i) { return moved(Box(box_at(i)), Motion{-by.x, -by.y}); };
        return foresee_work(plan, foresee(plan, agents, back_at), agents, back_at);
    }
    // Makes the same plan with its islands elsewhere. Returns false in `made` if there are no steps left for that.
    Status move(Store& store, const Motion& by, Plan& plan, bool& made) noexcept {
        made = effort_.spend(IslandPlanner::steps_to_move(*plan.map));
        if (!made) return {};
        WorldMap map;
        if (!planner_.move(store, *plan.map, by, map)) return {Code::out_of_memory};
        plan.map = HeldMap(store.blocks, map);
        plan.tuner.move(by);
        plan.tuner.count_move();
        return {};
    }
    // Records that no better plan was found for these agents than one with this much work.
    template <class BoxAt>
    void accept(Plan& plan, std::size_t agents, std::uint64_t work, BoxAt&& box_at) noexcept {
        if (taken_ == 0 || survey_.is_a_glance()) {
            taken_ = Survey::at_most(Survey::max_for_review, agents);
            survey_.take(agents, taken_, box_at);
        }
        plan.tuner.accept(work, survey_);
    }
    // The sample of a map with islands.
    struct Points {
        std::size_t number;
        bool thins_out = false, first_of_all = false;
    };
    // Makes the map for the chosen grid, with islands if it needs them.
    template <class BoxAt>
    Status draw(Store& store, std::size_t agents, BoxAt&& box_at, const Points& points, Plan& plan) noexcept {
        WorldMap drawn(plan.tuner.grid());
        if (plan.tuner.wants_islands()) {
            IslandPlanner::Task task{plan.tuner.ground(), plan.tuner.shortage(), points.number,
                                     points.thins_out, points.first_of_all};
            task.ground.agents = agents;
            if (!planner_.plan(store, effort_, task, box_at, drawn)) return {Code::out_of_memory};
            cut_short_ = cut_short_ || planner_.is_cut_short();
        }
        if (!drawn.has_islands() && !plan.tuner.fits_cells())
            drawn = WorldMap(make_rows(plan.tuner.ground()));
        plan.map = HeldMap(store.blocks, drawn);
        return {};
    }
    // The same. If many of the points would be oversized, and some are many times as large as the common ones, cells for nearly all are
    // tried as well, from fewer points: one cell may hold a crowd of small agents then, since islands part them, which the chosen
    // size does not know of. If that promises far less work, a map is made so from all points. Else some plans make no such try.
    template <class BoxAt>
    Status draw_for_most(Store& store, std::size_t agents, BoxAt&& box_at, const Points& points,
                         const Plan& before, Plan& plan) noexcept {
        constexpr double many = 0.25, nearly_all = 0.98, far_larger = 16;
        constexpr std::uint32_t plans_to_skip = 15, far_less = 2, one_point_in = 8;
        if (const Status bad = draw(store, agents, box_at, points, plan); !bad.ok()) return bad;
        const Sizes chosen = plan.tuner.ground().common,
                    large{survey_.width_at(nearly_all), survey_.height_at(nearly_all)};
        if (!plan.tuner.wants_islands() || planner_.share_oversized() < many ||
            (large.width < far_larger * chosen.width && large.height < far_larger * chosen.height))
            return {};
        if (plans_to_next_try_ != 0) return --plans_to_next_try_, Status{};
        const IslandPlanner::Lessons lessons = planner_.lessons;
        const bool cut_short = std::exchange(cut_short_, false);
        const std::optional<Sizes> size = std::exchange(survey_.chosen_size, large);
        const auto work_on = [&](const Plan& on) { return foresee(on, agents, box_at).work; };
        const std::uint64_t work = work_on(plan);
        Plan other = before;
        other.tuner.start_again(survey_);
        Status status = draw(store, agents, box_at, {.number = points.number / one_point_in}, other);
        bool pays = status.ok() && !cut_short_ && far_less * work_on(other) < work;
        if (pays) {
            status = draw(store, agents, box_at, points, other);
            pays = status.ok() && !cut_short_ && far_less * work_on(other) < work;
        }
        survey_.chosen_size = size;
        cut_short_ = cut_short;
        if (pays) {
            plan = other;
        } else {
            planner_.lessons = lessons;
            plans_to_next_try_ = plans_to_skip;
        }
        return status;
    }
    // The sample size of a plan that is to improve on the last one.
    std::size_t points_for_closer_look(std::size_t agents) const noexcept {
        return planner_.points_for_closer_look(agents, effort_.left());
    }
    // That of a plan that is made before there is a frame.
    std::size_t points_for_plan_ahead(std::size_t agents) const noexcept {
        return planner_.points_for_plan_ahead(agents);
    }
    void give_back_excess(std::size_t agents) noexcept { planner_.give_back_excess(agents); }

private:
    // A number for the boxes of all agents: another one as soon as any moves. A sample would not see that a few in a hundred
    // left a pile. Four sums side by side, since each waits for its last product.
    template <class BoxAt>
    static std::uint64_t mark_of(std::size_t agents, BoxAt&& box_at) noexcept {
        std::array<std::uint64_t, 4> marks{agents, 1, 2, 3};
        for (std::size_t i = 0; i < agents; ++i) {
            const auto words = detail::bits_as<std::array<std::uint64_t, 2>>(Box(box_at(i)));
            std::uint64_t& mark = marks[i % marks.size()];
            mark = (std::rotl(mark, 29) ^ words[0] ^ std::rotl(words[1], 32)) * 0x9E3779B97F4A7C15u;
        }
        std::uint64_t all = 0;
        for (const std::uint64_t mark : marks) all = mixed(all ^ mark);
        return all;
    }
    template <class BoxAt>
    std::uint64_t mark_once(std::size_t agents, BoxAt&& box_at) noexcept {
        if (!mark_) mark_ = mark_of(agents, box_at);
        return *mark_;
    }
    // Takes a survey, unless the last one of these agents looked at about as many. Returns false if there are no steps left for
    // it.
    template <class BoxAt>
    bool look(std::size_t agents, std::size_t at_most, BoxAt&& box_at) noexcept {
        if (2 * taken_ > at_most) return true;
        if (!effort_.spend(Effort::of_survey(std::min(agents, at_most)))) {
            cut_short_ = true;
            return false;
        }
        survey_.take(agents, at_most, box_at);
        taken_ = at_most;
        return true;
    }

    // Where a few agents moved, so did all.
    template <class BoxAt>
    static std::uint64_t mark_of_few(std::size_t agents, BoxAt&& box_at) noexcept {
        const std::size_t few = std::min<std::size_t>(agents, 64);
        return mark_of(few, [&](std::size_t k) { return box_at(sampled(k, few, agents)); });
    }
    // Whether nothing was found for the very same agents, and they cost no more than then.
    template <class BoxAt>
    bool looked_in_vain_at(std::size_t agents, std::uint64_t work, BoxAt&& box_at) noexcept {
        const std::uint64_t few = mark_of_few(agents, box_at);
        return std::any_of(in_vain_.begin(), in_vain_.end(), [&](const Looked& then) {
            return few == then.mark_of_few && work <= then.work && mark_once(agents, box_at) == then.mark;
        });
    }

    const simd::Kernels& kernels_;
    Effort effort_;
    Survey survey_;
    std::array<Looked, 4> in_vain_;
    std::optional<std::uint64_t> mark_;  // of the agents that are looked at
    bool cut_short_ = false;
    bool counted_ = false;                 // whether this frame was counted as one that costs much
    bool looked_ahead_ = false;            // whether a survey was taken before there was a frame
    std::uint64_t foreseen_ = 0;           // its work as it was judged then, or 0
    std::uint32_t plans_to_next_try_ = 0;  // of cells for nearly all agents
    std::size_t taken_ = 0;                // how many it was to look at; 0 if it was of other agents
    IslandPlanner planner_;
};

}  // namespace throng::detail
