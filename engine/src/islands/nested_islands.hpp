// Shortcuts through islands within islands. From each cut, a chain follows the island with the most agents
// inwards, level by level. The level at which a corner leaves the chain is found by binary search:
//
//     +---------------------+
//     | +---------------+   |     Each step that finds a tile keeps order, so the corners that it leads
//     | | +---------+   |   |     into one tile are a rectangle, exactly; and these lie within each other.
//     | | | +-+  x  |   |   |     The innermost that holds x is the last that is found.
//
// So if one spot holds most of the agents, they are placed in a few steps however deep it is.
#pragma once

#include <span>

#include "engine/src/islands/island_tables.hpp"
#include "simd/types.hpp"

namespace throng::detail {

// Fills `nested`, which has room for one entry for each region, and sets where each of `tiles` finds its
// entries.
void nest_islands(std::span<const PlannedRegion> regions, std::span<const PlannedCut> cuts,
                  simd::Tiles* tiles, simd::NestedIsland* nested) noexcept;

}  // namespace throng::detail
