// The state of a planner as a block of bytes: Engine::plan and Engine::set_plan.
//
//     magic, version | grid | what was tried, what was counted | the map: grids of regions, tiles of cuts
//
// Islands follow from the agents of the frame for which they were planned, and these are gone. So the map is
// part of a plan; with islands it makes plans long. Everything else follows from the agents of the frame to
// build.
//
// A block may come from anywhere. Each number has limits that keep the planner's arithmetic defined, and the
// memory of a frame in proportion to its agents. Combinations of numbers are checked too. Any grid gives
// right answers, since the outermost cells hold everything beyond them.
#pragma once

#include <cstddef>
#include <span>

#include "engine/src/plan/planner_state.hpp"
#include "engine/src/store/store.hpp"
#include "throng/status.hpp"

namespace throng::detail {

// Writes as many bytes as fit. Returns how many there are.
std::size_t write_plan(const PlannerState& state, std::span<std::byte> bytes) noexcept;
// Fails with `bad_plan` or `out_of_memory`, and `state` is as it was. `state` is of an engine with the same
// configuration.
[[nodiscard]] Status read_plan(std::span<const std::byte> bytes, Store& store, PlannerState& state) noexcept;

}  // namespace throng::detail
