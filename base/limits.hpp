// The limits: how many agents and ids there may be, and how many agents are few.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::detail {

inline constexpr bool sizes_are_short = sizeof(std::size_t) < 8;

// All ids are below this. Ids, and the slots of a row with all of them, fit into 32 bits with some to spare.
// If a size has only 32 bits, two are spared, so that an id plus the size of a page is never too large.
inline constexpr std::size_t max_ids = sizes_are_short ? std::size_t{1} << 30 : 4294967040u;

// If a size has 32 bits: so few agents that a table with up to 255 bytes for each fits into one. So sums and
// products of such sizes need no check.
inline constexpr std::size_t max_agents = sizes_are_short ? std::size_t{1} << 24 : max_ids;

// Up to this many agents brute force is as fast as anything: they have one cell, and no survey is made.
inline constexpr std::uint32_t few_agents = 32;

}  // namespace throng::detail
