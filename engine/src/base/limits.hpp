// The maximum number of agents.
#pragma once

#include <cstddef>

namespace throng::detail {

// Ids, and the places of a row that has them all, fit into 32 bits with some to spare.
inline constexpr std::size_t max_agents = 4294967040u;

}  // namespace throng::detail
