// How large tiles are and where they begin, and how large an agent may be to be common in them.
#pragma once

#include "engine/src/plan/grid_fit.hpp"
#include "simd/types.hpp"

namespace throng::detail {

// The sides of tiles that hold the common agents, `least`, and of which there are about as many as wanted in
// the region. Where these agents are long and thin, so are the tiles: a square that holds them would hold far
// too many. In a region as flat as one row of tiles no agent reaches into another row, however high it is.
// There are at most `side_by_side` long tiles next to each other.
Sizes sides_of_tiles(double tiles, double side_by_side, const Sizes& region, const Sizes& least) noexcept;

// A search looks as far as the largest common agent of the islands of a cut, and of the land between them,
// whichever island it is on its way to. So what is much larger than the agents `around` is common only up to
// a part of a tile; few searches meet another tile for its sake.
Sizes widest_common(const Sizes& around, const simd::Tiles& tiles) noexcept;

}  // namespace throng::detail
