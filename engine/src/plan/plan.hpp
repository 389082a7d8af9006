// What a frame is built on, what the planner remembers from frame to frame, and both as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/world_map.hpp"
#include "engine/src/plan/grid_choice.hpp"
#include "engine/src/plan/survey.hpp"
#include "engine/src/store/store.hpp"
#include "throng/status.hpp"

namespace throng::detail {

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

}  // namespace throng::detail
