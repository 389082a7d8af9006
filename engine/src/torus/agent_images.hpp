// Images of agents in a world that wraps around, and what these find: among the agents of the same frame, or
// of another frame of the same world.
#pragma once

#include "engine/src/neighbours/list_batch.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

inline constexpr auto all_agents = static_cast<std::size_t>(-1);

// Adds to the lists of agents of `sites` what another frame of the same world has at images of their places.
// They are the lists of all agents or, by id, of those from number `first` on.
Status add_images_of_agents(const Frame& sites, const FrameState& searched, const Executor& executor,
                            const Neighbourhood& wanted, const Filters& filters, const ListResult& lists,
                            std::size_t first = all_agents) noexcept;

}  // namespace throng::detail
