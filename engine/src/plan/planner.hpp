// Decides what frames are built on. The whole story:
//
//   plan for     few agents: one cell, and brute force.
//                one grid, where a survey of the agents says so.
//                else islands, at most two levels of them.
//                else no cells: the tree over all agents, which serves whatever a grid does not fit.
//   check        every 32 frames, and when there are many more or far fewer agents, a survey tells whether
//                the plan still fits.
//   judge        a frame that may be expensive is probed. If it is, another plan is tried, once in a call; a
//                frame is built on it and probed, and kept if it costs at most half. After a try that was no
//                use the next one on such agents waits for 2, 4 .. 32 frames.
//
// So an update or a commit builds at most two frames and makes at most two plans. All is decided by counts of
// the agents and of what was decided before, which is the planner's state: the plan and what was tried last.
// A call that fails leaves all of it as it was.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/plan/agents.hpp"
#include "engine/src/plan/islands/island_planner.hpp"
#include "engine/src/plan/plan.hpp"
#include "engine/src/plan/probe.hpp"
#include "engine/src/plan/survey/survey.hpp"
#include "engine/src/store/store.hpp"
#include "throng/engine.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class Planner {
public:
    // What was tried last: on which agents, at what cost, and for how many frames such agents are left alone.
    struct Tried {
        Survey::Eighths agents{};
        double looks = 0;
        std::uint32_t pause = 1, frames_left = 0;
    };
    // How frames were since the last check, and since a frame was judged last.
    struct Since {
        std::size_t agents = 0, changes = 0;
        std::uint32_t frames = 0;
        double judged_work = 0;
        std::size_t edits = 0;
    };
    struct State {
        Plan plan;
        Tried tried;
        Since since;
        bool last_one_lasted = true;     // the plan before this one, for some frames
        std::uint64_t times_chosen = 0;  // for reports
    };
    enum class Verdict { fine, try_another, keep };

    Planner(Store& store, const simd::Kernels& kernels, const EngineConfig& config) noexcept
        : store_(store),
          islands_(kernels, &store.memory()),
          state_{.plan = nothing_for(store, config), .tried = {}, .since = {}} {}

    const Plan& plan() const noexcept { return state_.plan; }
    // Calls that fail leave it as it was.
    const State& state() const noexcept { return state_; }
    void go_back_to(const State& before) noexcept { state_ = before; }

    // --- Before a frame ---

    // Whether the plan is to be checked before a frame in which so many agents are updated or edited.
    bool is_due(std::size_t agents, std::size_t changes) const noexcept;
    // Checks whether the plan fits the agents, and makes another one if not. `changed` tells whether it did.
    [[nodiscard]] Status check(const Agents& agents, bool& changed) noexcept;

    // --- After a frame ---

    // The frame is on the present plan, and its view is finished.
    Verdict judge(const FrameState& frame, const Agents& agents) noexcept;
    // Whether so many edits since the last frame that was judged make this one worth judging.
    bool is_worth_judging(const FrameState& frame, std::size_t edits) noexcept;
    // Makes another plan for the agents of that frame. Returns false in `made` if it would be like the
    // present one.
    [[nodiscard]] Status plan_again(const FrameState& frame, const Agents& agents, Plan& other,
                                    bool& made) noexcept;
    // Takes another plan if a frame on it costs clearly less.
    bool take_if_better(const Plan& other, const FrameState& on_other, const Agents& agents) noexcept;
    // A try ends: whether it was worth it decides how long such agents are left alone.
    void end_try(bool taken) noexcept;
    // A frame is published, in which so many agents were updated or edited.
    void count_frame(const FrameState& frame, std::size_t changes) noexcept;

    // --- Else ---

    // The agents have moved by so much, all of them.
    [[nodiscard]] Status move(float dx, float dy, const Agents& agents) noexcept;
    void give_back_excess(std::size_t agents) noexcept { islands_.give_back_excess(agents); }

private:
    // The plan of an engine without agents.
    static Plan nothing_for(Store& store, const EngineConfig& config) noexcept {
        const GridChoice grid(config.cell_width, config.row_height, config.common_size);
        return {grid, HeldMap(store.blocks, WorldMap(grid.grid()))};
    }
    static bool is_another_number(std::size_t agents, std::size_t than) noexcept {
        const auto now = static_cast<double>(agents), before = static_cast<double>(than);
        return now > tuned::other_number * before || tuned::other_number * now < before;
    }
    void survey(const Agents& agents, std::size_t most) noexcept;
    void replace(const Plan& by) noexcept;
    [[nodiscard]] Status draw(const Agents& agents, std::size_t points, Plan& plan) noexcept;

    Store& store_;
    Survey survey_;
    IslandPlanner islands_;
    State state_;
    Cost cost_{};  // of the frame that was judged last
};

}  // namespace throng::detail
