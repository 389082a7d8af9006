// How large tiles are and where they begin, and how large an agent may be to be common in them.
#pragma once

#include <cstddef>
#include <span>

#include "engine/src/plan/grid_fit.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// The sides of tiles that hold the common agents, `least`, and of which there are about as many as wanted in the region.
// Where these agents are long and thin, so are the tiles: a square that holds them would hold far too many. In a
// region as flat as one row of tiles no agent reaches into another row, however high it is. There are at most
// `side_by_side` long tiles next to each other.
Sizes sides_of_tiles(double tiles, double side_by_side, const Sizes& region, const Sizes& least) noexcept;

// So few tiles of a region are not joined to larger ones.
inline constexpr std::size_t few_tiles = 256;

// If a quarter of the points are within a tile's side of the median, that is a spot which levels of islands
// may lie around. A border of tiles at the spot would go through all of these levels, and a search near it
// would look at islands on both sides in each. The result is by how many tiles the first one has to begin
// before the extent, so that the spot is a third of a tile from a border: a third or two thirds, however often
// tiles are joined in twos.
Sizes room_before_spot(std::span<const Box> points, const Box& extent, const Sizes& side) noexcept;

// A search looks as far as the largest common agent of the islands of a cut, and of the land between them, whichever
// island it is on its way to. So what is much larger than the agents `around` is common only up to a part of a tile; few
// searches meet another tile for its sake.
Sizes widest_common(const Sizes& around, const simd::Tiles& tiles) noexcept;

}  // namespace throng::detail
