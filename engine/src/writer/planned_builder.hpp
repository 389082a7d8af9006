// Builds frames from scratch on the plan that fits their agents: it checks the plan before, judges the frame
// after, and builds at most one more frame on another plan. The planner decides (plan/planner.hpp), the
// builder builds (frame_builder.hpp), and neither knows the other.
#pragma once

#include <cstddef>

#include "engine/src/build/agent_list.hpp"
#include "engine/src/build/frame_builder.hpp"
#include "engine/src/plan/planner.hpp"
#include "engine/src/store/store.hpp"
#include "simd/kernels.hpp"
#include "throng/engine.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class PlannedBuilder {
public:
    PlannedBuilder(Store& store, const simd::Kernels& kernels, const EngineConfig& config) noexcept
        : store_(store),
          kernels_(kernels),
          executor_(config.executor),
          planner_(store, kernels, config),
          builder_(store.scratch) {}

    Planner& planner() noexcept { return planner_; }
    FrameBuilder& builder() noexcept { return builder_; }

    // A frame with its view on the plan that fits; `due` says whether to check the present one first. If that
    // fails, the planner is as before.
    [[nodiscard]] Status build_planned(const AgentList& agents, bool due, FrameState*& frame) noexcept;
    // The same on the present plan.
    [[nodiscard]] Status build(const AgentList& agents, FrameState*& frame) noexcept {
        return build_on(planner_.plan(), agents, frame);
    }
    // The same on that plan moved by (dx, dy), like all agents.
    [[nodiscard]] Status build_moved(const AgentList& agents, float dx, float dy,
                                     FrameState*& frame) noexcept;
    // Completes a frame without a view, or gives it back.
    [[nodiscard]] Status finish(FrameState*& frame) noexcept;

    // For edits of a frame. Checks the plan; `changed` tells whether it is another one now.
    [[nodiscard]] Status check(const FrameState& frame, bool& changed) noexcept;
    // Whether edits have made a frame so expensive that another plan should be tried.
    bool became_expensive(const FrameState& frame, std::size_t edits) noexcept;
    // Then builds a frame of the same agents on that plan. `taken` tells whether it is the better one, and
    // `frame` is now that one. If this fails, the frame is given back.
    [[nodiscard]] Status try_another_plan(const AgentList& list, FrameState*& frame, bool& taken) noexcept;

private:
    Status build_on(const Plan& plan, const AgentList& agents, FrameState*& frame) noexcept;
    Status try_another_plan(const AgentList& list, const Agents& agents, FrameState*& frame,
                            bool& taken) noexcept;

    Store& store_;
    const simd::Kernels& kernels_;
    const Executor executor_;
    Planner planner_;
    FrameBuilder builder_;
};

}  // namespace throng::detail
