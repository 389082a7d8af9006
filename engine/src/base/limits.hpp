// How many there may be.
#pragma once

#include <cstddef>

namespace throng::detail {

// So that ids, and the places in a row of all of them, fit into 32 bits with some to spare.
inline constexpr std::size_t max_agents = 4294967040u;

}  // namespace throng::detail
