// How large tiles are, where they begin, and how large a common agent in them may be.
#pragma once

#include "engine/src/plan/grid_fit.hpp"
#include "simd/types.hpp"

namespace throng::detail {

// The sides of about as many tiles as wanted in the region. A tile is at least as large as the common agents,
// `least`. If these are long and thin, so are the tiles: a square for them would hold far too many. In a
// region as flat as one row of tiles no agent reaches into another row, however high it is. At most
// `side_by_side` long tiles lie next to each other.
Sizes sides_of_tiles(double tiles, double side_by_side, const Sizes& region, const Sizes& least) noexcept;

// A search looks as far as the largest common agent of the islands of a cut and of the land between them, on
// its way to any island. So agents much larger than those `around` are common only up to a part of a tile:
// few searches then meet another tile for them.
Sizes widest_common(const Sizes& around, const simd::Tiles& tiles) noexcept;

}  // namespace throng::detail
