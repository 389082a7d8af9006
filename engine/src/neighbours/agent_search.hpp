// Neighbours of the agents of a frame: among themselves, or among the agents of another frame.
#pragma once

#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/centre_frames.hpp"
#include "engine/src/neighbours/list_batch.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

// How many lists the agents of a frame have in row order: a ghost has none.
inline std::size_t lists_in_row_order(const FrameState& sites) noexcept {
    return sites.agents - sites.ghost_count;
}
// Empty lists for the agents of a frame, if there is nothing to find: for sites in row order, or for ids.
inline Status empty_lists(const FrameState& sites, const Neighbourhood& wanted, const parallel::Range& range,
                          ListResult& result) noexcept {
    if (!result.make_empty(range.size())) return {Code::out_of_memory};
    if (!wanted.in_row_order) return {};
    if (!resize_amply(result.agents, range.size())) return {Code::out_of_memory};
    const AgentSites owned(sites, true);
    owned.ids(owned.range_of_wanted(range), result.agents.data());
    return {};
}

// Whether half lists are made from whole ones, since an owned agent may have a higher id than a ghost: the
// kernels know no ghosts.
bool are_halved(const FrameState& sites, const Neighbourhood& wanted) noexcept;

// The heights at which agents look: their own, if they have any, or every height.
enum class AtHeights { own, every };

// The status of the lowest id with an illegal radius, of all agents or of a range of them in row order. Radii
// of ghosts count if they may find ghosts.
Status check_radii_of_agents(const FrameState& sites, const FrameState& searched, const Executor& executor,
                             const Neighbourhood& wanted, const Filters& filters,
                             const parallel::Range* range = nullptr) noexcept;
// The lists of all agents that look, by id or in row order as wanted, or of a range of them in row order.
Status lists_of_agents(const AgentsToLook& look, const Executor& executor, const Neighbourhood& wanted,
                       ListResult& result, AtHeights at_heights = AtHeights::own,
                       const parallel::Range* range = nullptr) noexcept;

// The same, and in a world that wraps around what lies across its seams.
Status make_lists(const Frame& sites, const FrameState& searched, const Neighbourhood& wanted,
                  const Filters& filters, ListResult& result) noexcept;
// The lists of the agents of `sites`, by legal options.
Status make_lists(const FrameState& sites, const FrameState& searched, const Executor& executor,
                  const Neighbourhood& wanted, const Filters& filters, ListResult& result,
                  AtHeights at_heights = AtHeights::own) noexcept;

}  // namespace throng::detail
