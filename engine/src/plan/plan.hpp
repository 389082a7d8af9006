// A plan, and what frames on two of them cost beside each other.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/plan/foreseen.hpp"
#include "engine/src/plan/tuner.hpp"

namespace throng::detail {

struct Plan {
    Tuner tuner;
    HeldMap map;
};

// The work of searches by oversized agents, in the tree over them and in cells.
inline std::uint64_t work_of_searches(const FrameState& frame) noexcept {
    return frame.looks_of_oversized + std::uint64_t{Tuner::work_of_oversized} * frame.view.oversized.count;
}
// The work of an all-pairs search, or of one query for each agent: the pairs of agents that share a cell,
// plus what those of islanders look at outside of islands, and the cost of oversized agents in such pairs: that of their
// searches, and of those at one place of the tree.
inline std::uint64_t work_of(const FrameState& frame) noexcept {
    return frame.sharing + frame.sharing_places + frame.sharing_opens + work_of_searches(frame);
}

// Three quarters of the work or less.
inline bool is_better(std::uint64_t work, std::uint64_t than) noexcept { return 4 * work <= 3 * than; }
// Whether a frame on another plan should take the place of one: it costs three quarters of the work or less, or no
// more work with a quarter of the oversized agents where these are many. Pairs in a cell are swept where they are too many; for
// what overlaps an oversized agent there is only the search.
inline bool is_better(const FrameState& other, const FrameState& frame) noexcept {
    const std::size_t before = frame.view.oversized.count, after = other.view.oversized.count;
    const bool fits_sizes = before > frame.agents / 16 && 4 * after <= before;
    return is_better(work_of(other), work_of(frame)) || (fits_sizes && work_of(other) <= work_of(frame));
}

// Work without a share of the pairs that share a cell, since they overlap: no plan spares those.
inline std::uint64_t without_found(std::uint64_t work, double share, double sharing) noexcept {
    const double found = share * sharing;
    return found < static_cast<double>(work) ? work - static_cast<std::uint64_t>(found) : 0;
}
inline std::uint64_t without_found(const FrameState& frame, double share) noexcept {
    return without_found(work_of(frame), share, static_cast<double>(frame.sharing));
}
inline std::uint64_t without_found(const Foreseen& foreseen, double share) noexcept {
    return without_found(foreseen.work, share, static_cast<double>(foreseen.sharing - foreseen.opens));
}

// Whether a frame of which that is foreseen may be better than this one. Those at one place of the tree are there on any plan, as
// far as they are oversized on it.
inline bool may_be_better(const Foreseen& foreseen, const FrameState& frame) noexcept {
    const bool fits_sizes = frame.view.oversized.count > frame.agents / 16;
    const double share = foreseen.oversized / std::max<double>(frame.view.oversized.count, 1),
                 places = static_cast<double>(frame.sharing_places) * std::min(share * share, 1.0),
                 least = static_cast<double>(least_of(foreseen)) + places;
    return (fits_sizes ? 1 : 2) * foreseen.work <= 2 * work_of(frame) &&
           (fits_sizes && 2 * share < 1 ? 3 : 4) * least <= 3 * static_cast<double>(work_of(frame));
}

// Whether a frame on another plan would cost as much: both have one grid, of cells as large over the same ground, and more
// points would find no islands for the other.
inline bool is_like(const Plan& plan, const Plan& other) noexcept {
    const auto has_one_grid = [](const Plan& a) { return a.map->has_cells() && !a.map->has_islands(); };
    return has_one_grid(plan) && has_one_grid(other) && !other.tuner.wants_islands() &&
           plan.tuner.has_such_a_grid(other.tuner);
}

}  // namespace throng::detail
