// The limits that docs/semantics.md gives.
#pragma once

#include <cstddef>

#include "throng/geometry.hpp"

namespace throng::test {

inline constexpr bool sizes_are_short = sizeof(std::size_t) < 8;
inline constexpr std::size_t most_agents = sizes_are_short ? 16777216u : 4294967040u;
inline constexpr AgentId largest_id = sizes_are_short ? 1073741823u : 4294967039u;

}  // namespace throng::test
