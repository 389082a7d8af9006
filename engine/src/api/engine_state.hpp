// The private state of an Engine. engine.cpp has its public calls, engine_frames.cpp builds its frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>

#include "engine/src/islands/planning.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/write/committer.hpp"
#include "engine/src/write/frame_builder.hpp"
#include "engine/src/write/ids/agent_list.hpp"
#include "engine/src/write/ids/legal_agents.hpp"
#include "engine/src/write/ids/named_agents.hpp"
#include "engine/src/write/staging.hpp"
#include "simd/kernels.hpp"
#include "throng/engine.hpp"
#include "throng/memory.hpp"

namespace throng {

// The state that one engine owns alone; what it shares with its frames is in the store.
struct THRONG_INSIDE Engine::State {
    State(detail::Store& shared, const EngineConfig& c, const simd::Kernels& k) noexcept
        : store(shared), config(c), kernels(k), plan(first_plan(shared, c)), former(first_plan(shared, c)) {}
    ~State() {
        drop(current);
        // Frames that readers dropped, and the one above, are reclaimed with the last reference to the store.
    }

    detail::Store& store;
    EngineConfig config;
    const simd::Kernels& kernels;
    detail::Plan plan;    // the plan of the current frame
    detail::Plan former;  // the plan before that one, or the first one, on which nothing was chosen
    bool waits =
        false;  // whether the last frame became expensive and stayed, so that the next one is planned for before it is built
    detail::MotionTracker
        tracker;  // since the islands of the present plan were made or moved, or agents renumbered
    detail::Planning planning{kernels, &store.memory()};
    detail::FrameBuilder builder{&store.memory()};
    detail::Committer committer{&store.memory()};
    detail::Staging staging{&store.memory()};
    detail::NamedAgents named{&store.memory()};
    detail::LegalAgents legal{&store.memory()};

    // Readers take the newest frame under this lock; it is held only while a reference is counted.
    mutable std::mutex mutex;
    detail::FrameState* current = nullptr;
    std::uint64_t number = 0;
    Frame layer;  // of the frames to come; empty if there is none

    static detail::Plan first_plan(detail::Store& store, const EngineConfig& c) noexcept {
        const detail::Tuner tuner(c.cell_width, c.row_height, c.common_size);
        return {tuner, detail::HeldMap(store.blocks, detail::WorldMap(tuner.grid()))};
    }
    // How the next frame is planned. A call that fails leaves it as it was, but for what expect() gives back.
    struct Decisions {
        detail::Plan plan, former;
        detail::Planning::Lessons lessons;
        detail::MotionTracker tracker;
        bool waits;
    };
    Decisions decisions() const noexcept { return {plan, former, planning.lessons(), tracker, waits}; }
    Status go_back_to(const Decisions& before, Status failure) noexcept {
        plan = before.plan;
        former = before.former;
        planning.go_back_to(before.lessons);
        tracker = before.tracker;
        waits = before.waits;
        return failure;
    }
    using Input = detail::AgentList;
    Status build(const Input& input, const detail::Plan& on, detail::FrameState*& frame) noexcept {
        return builder.build(store, {input, *on.map, &kernels, config.executor}, frame);
    }
    // Whether the agents are looked at before there is a frame, or were, and promise much on another plan.
    enum class Look { none, review, promised };
    static Look look_if(bool due) noexcept { return due ? Look::review : Look::none; }
    Status review_and_build(const Input& input, Look look, detail::FrameState*& frame) noexcept;
    bool is_news(const detail::FrameState& frame) const noexcept;
    std::uint64_t work_of_plan(const detail::FrameState& frame) const noexcept;
    bool is_as_at_first(std::uint64_t work, std::size_t agents) const noexcept;
    bool may_wait(const detail::FrameState& frame) const noexcept;
    void expect(std::size_t agents) noexcept;
    // These leave `frame` null where the present plan is to be built on first.
    Status build_on_moved_plan(const Input& input, const detail::Foreseen& here,
                               detail::FrameState*& frame) noexcept;
    Status build_on_former_plan(const Input& input, const detail::Foreseen& here,
                                detail::FrameState*& frame) noexcept;
    // `here` is what a few agents tell of a frame on the present plan.
    Status build_ahead(const Input& input, const detail::Foreseen& here, detail::FrameState*& frame,
                       bool& hopeless) noexcept;
    // A plan that was made before there is a frame on it.
    struct PlanAhead {
        detail::Plan plan;
        detail::Foreseen foreseen;
        bool is_enough = false;  // no closer one is made, if its frame costs what was foreseen
        bool is_close = false;   // it was made from more points already, or no better one was
    };
    Status plan_closer(const Input& input, const detail::Foreseen& here, PlanAhead& ahead) noexcept;
    template <class IsEnough>
    bool is_enough_but_for_found(const Input& input, const detail::Plan& on,
                                 IsEnough&& is_enough_without) const noexcept;
    struct Promise {
        bool is_much;
        double found;          // the share of the pairs that was left out on both plans
        std::uint64_t before;  // the work on the present one without that
    };
    Promise promise_of(const Input& input, const detail::Foreseen& here,
                       const PlanAhead& ahead) const noexcept;
    // Builds on that plan if a few agents, or its frame, tell that it is worth it, and else on the present one.
    Status build_if_promised(const Input& input, const detail::Foreseen& here, const PlanAhead& planned,
                             detail::FrameState*& frame, bool& hopeless) noexcept;
    // `planned` says whether the frame's plan was made for its agents, `hopeless` that another one was, and would not help.
    Status build_on_better_plan(const Input& input, bool planned, bool hopeless,
                                detail::FrameState*& frame) noexcept;
    Status build_on_closer_plan(const Input& input, std::size_t points, detail::FrameState*& frame,
                                bool& hopeless) noexcept;
    Status finish(detail::FrameState*& frame) noexcept;
    // `touched` are the rows that differ from the frame before; null if all may.
    void publish(detail::FrameState* frame, std::size_t changes,
                 const std::span<const std::uint32_t>* touched = nullptr) noexcept;
    // After a call that read or wrote `boxes` boxes: frees what is no longer used.
    void tidy_up(std::size_t boxes) noexcept;
    Status build_update(const Input& input, detail::Buffer<Pair>* pairs, detail::FrameState*& frame) noexcept;
    // The updates of an engine, by ids unless `ids` is null, and with the pairs of the new frame unless `pairs` is.
    static Status update(Engine& engine, const std::span<const AgentId>* ids, const Boxes& boxes,
                         const Labels& labels, PairList* pairs) noexcept;
    // The pairs are found before the frame is published, unless `pairs` is null.
    Status update_all(const Input& input, detail::Buffer<Pair>* pairs) noexcept;
    Status update_named(std::span<const AgentId> ids, const Boxes& boxes, const Labels& labels,
                        detail::Buffer<Pair>* pairs) noexcept;
    // Of ids below `bound`. If all are legal, none is left out.
    Filled update_legal(const Input& input, std::size_t bound, std::span<AgentId> left_out) noexcept;
    Status commit() noexcept;
    // Looks for a plan where one is due; the commit is built from nothing if there is another.
    Status review_for_commit(bool& rebuild) noexcept;
    Status edit_rows(detail::FrameState*& frame) noexcept;
    Status merge_rows(detail::FrameState*& frame) noexcept;
    void note_cells(bool rebuilt) noexcept;
    bool became_expensive(const detail::FrameState& frame, std::size_t edits) noexcept;
    Status commit_from_nothing(std::size_t agents, detail::FrameState*& frame, Look look) noexcept;
    Status rebase(float dx, float dy) noexcept;
    Status renumber(std::span<const AgentId> order) noexcept;
};

}  // namespace throng
