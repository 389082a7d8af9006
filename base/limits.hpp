// The maximum number of agents, and of ids; and how many agents are few.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::detail {

inline constexpr bool sizes_are_short = sizeof(std::size_t) < 8;

// All ids are below this. Ids, and the slots of a row that has them all, fit into 32 bits with some to
// spare; where a size has no more bits than that, with two to spare, so that no sum of an id and the size of
// a page is too large.
inline constexpr std::size_t max_ids = sizes_are_short ? std::size_t{1} << 30 : 4294967040u;

// Where a size has 32 bits, so few that what the tables of all agents take, up to 255 bytes for each, fits
// into one: sums and products of such sizes are not looked at.
inline constexpr std::size_t max_agents = sizes_are_short ? std::size_t{1} << 24 : max_ids;

// Up to this many agents, brute force is as fast as anything: they have one cell, and no survey is made.
inline constexpr std::uint32_t few_agents = 32;

}  // namespace throng::detail
