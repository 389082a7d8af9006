// Decides what frames are built on; docs/design.md tells and draws the whole story. Before a frame a check
// says whether the plan still fits the agents. After it, a frame that may be expensive is probed, and one
// table says when another plan is tried:
//
//                     cheap             expensive as at       clearly more
//                                       the last try          expensive
//     same agents     never             after the pause       at once
//     other agents    after the pause   at once               at once
//
// Agents are the same if they are about where they were at the last try, and as large. In cells a cheap frame
// is fine, so the first column is for the tree, which is never dear. After a failed try the pause on the same
// agents is 2, 4 .. 32 frames. A failed call leaves the planner as it was when the last frame was published.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/plan/grid_choice.hpp"
#include "engine/src/plan/islands/island_planner.hpp"
#include "engine/src/plan/survey.hpp"
#include "engine/src/store/store.hpp"
#include "throng/engine.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// --- A plan, and what the planner remembers from frame to frame ---

struct Plan {
    GridChoice grid;
    HeldMap map;
    // How many frames it had, and the work for each agent in the first and the last of them.
    std::uint32_t frames = 0;
    double work_at_first = 0, work_at_last = 0;

    bool has_one_grid() const noexcept { return map->has_cells() && !map->has_islands(); }
};

// The last try: on which agents, at what cost, and for how many frames they are left alone.
struct Tried {
    Survey::Eighths agents{};
    double looks = 0;
    std::uint32_t pause = 1, frames_left = 0;
};

// The frames since the last check, and since a frame was judged last.
struct SinceCheck {
    std::size_t agents = 0, changes = 0;
    std::uint32_t frames = 0;
    double judged_work = 0;
    std::size_t edits = 0;
};

// All decisions follow from it and from the agents.
struct PlannerState {
    Plan plan;
    Tried tried;
    SinceCheck since;
    bool last_one_lasted = true;  // the plan before this one, for some frames
    std::uint64_t times_chosen = 0;
};

// --- As bytes: Engine::plan and Engine::set_plan ---

// Writes as many bytes as fit. Returns how many there are.
std::size_t write_plan(const PlannerState& state, std::span<std::byte> bytes) noexcept;
// Fails with `bad_plan` or `out_of_memory`, and `state` is as it was. `state` is of an engine with the same
// configuration.
[[nodiscard]] Status read_plan(std::span<const std::byte> bytes, Store& store, PlannerState& state) noexcept;

// --- What a frame costs ---
//
// Work is counted while a frame is built, at almost no cost. It tells most cheap frames. The others are
// probed by the counting search of `Frame::explain`, which sees cells, islands, the tree and rows without a
// hit alike. Both are counts, so every machine decides the same.

// For each agent: the pairs of agents that are compared because they share a cell, and the searches of
// oversized agents in the same unit.
double work_of(const FrameState& frame) noexcept;

struct Cost {
    // For a lookup and each of its answers, in visits to a node of the tree; with the cost of an oversized
    // agent to a frame.
    double looks;
    double misses;  // agents that a lookup compares in vain
    double wide;    // looks for boxes ten times as wide, without oversized agents
};
// The mean over the boxes of some agents and over points at some of them, at their own heights. The view of
// the frame is finished.
Cost probe(const FrameState& frame, const Agents& agents) noexcept;

class Planner {
public:
    enum class Verdict { fine, try_another, keep };
    // A plan, unless none is needed, or there was no memory for one.
    struct Made {
        Status status;
        std::optional<Plan> plan;
    };

    Planner(Store& store, const simd::Kernels& kernels, const EngineConfig& config) noexcept
        : store_(store),
          islands_(kernels, store.scratch),
          state_(for_nothing(store, {config.cell_width, config.row_height, config.common_size})) {}

    const Plan& plan() const noexcept { return state_.plan; }
    // How often a plan was chosen.
    std::uint64_t times_chosen() const noexcept { return state_.times_chosen; }

    // --- Before a frame ---

    // Whether the plan is to be checked before a frame with `changes` agents updated or edited.
    bool is_due(std::size_t agents, std::size_t changes) const noexcept;
    // Checks whether the plan fits the agents, and takes the plan that it makes if not.
    [[nodiscard]] Made check(const Agents& agents) noexcept;

    // --- After a frame ---

    // The frame is on the present plan, and its view is finished.
    Verdict judge(const FrameState& frame, const Agents& agents) noexcept;
    // Whether a frame is worth judging after `edits` more edits.
    bool is_worth_judging(const FrameState& frame, std::size_t edits) noexcept;
    // Makes another plan for the agents of that frame, unless it would be like the present one.
    [[nodiscard]] Made plan_again(const FrameState& frame, const Agents& agents) noexcept;
    // Takes another plan if a frame on it costs clearly less.
    bool take_if_better(const Plan& other, const FrameState& on_other, const Agents& agents) noexcept;
    // Ends a try: its success decides how long these agents are left alone.
    void end_try(bool taken) noexcept;
    // A frame is published, with `changes` agents updated or edited.
    void count_frame(const FrameState& frame, std::size_t changes) noexcept;

    // --- A plan that is kept ---

    // As bytes, as many as fit. Returns how many there are.
    std::size_t write(std::span<std::byte> bytes) const noexcept { return write_plan(published_, bytes); }
    // The next frame is built as by the engine of the plan.
    [[nodiscard]] Status read(std::span<const std::byte> bytes) noexcept;
    // The next frame is built as the first one of an engine.
    void forget() noexcept;
    // Whether the next frame is on another plan than the newest, so that it cannot be an edit of it.
    bool is_another() const noexcept { return is_another_; }

    // --- Else ---

    // A call failed: back to the state when the last frame was published.
    void go_back() noexcept { state_ = published_; }
    // All agents have moved by (dx, dy).
    [[nodiscard]] Status move(float dx, float dy, const Agents& agents) noexcept;

private:
    // --- The sources of a plan ---

    // Of an engine without agents.
    static PlannerState for_nothing(Store& store, const GridChoice& none) noexcept {
        return {.plan = {none, HeldMap(store.blocks, WorldMap(none.grid()))}, .tried = {}, .since = {}};
    }
    Plan for_few(GridChoice grid) const noexcept;
    Plan without_cells(const GridChoice& grid) const noexcept;
    static bool may_have_storeys(const GridChoice& grid, std::size_t floors) noexcept;
    // On a chosen grid: with storeys between these floors if it may have them, or with islands if it wants
    // them. Islands are made from a sample of `points`, and have storeys of their own.
    [[nodiscard]] Made draw(const GridChoice& grid, const Agents& agents, const simd::Floors& floors,
                            std::size_t points) noexcept;
    // Forgets the storeys of the survey if a plan may not have them.
    void settle_storeys() noexcept;
    bool fits_storeys() const noexcept;

    // Whether the map has far more cells than another plan for so many agents would have.
    static bool is_too_fine(const Plan& plan, std::size_t agents) noexcept;
    bool fits(std::size_t agents, bool another_number) const noexcept;
    void survey(const Agents& agents, std::size_t most) noexcept;
    // A check or a try looks at these agents.
    void start_counting(std::size_t agents) noexcept;
    void take(const Plan& plan) noexcept;

    Store& store_;
    Survey survey_;
    IslandPlanner islands_;
    PlannerState state_, published_{state_};
    bool is_another_ = false;  // than the newest frame's
    Cost cost_{};              // of the frame that was judged last
};

}  // namespace throng::detail
