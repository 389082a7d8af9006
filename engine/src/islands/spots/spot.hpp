// Where tiles begin, so that no border goes through the spot that most agents are around.
#pragma once

#include <cstddef>
#include <span>

#include "engine/src/plan/grid_fit.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// So few tiles of a region are not joined to larger ones.
inline constexpr std::size_t few_tiles = 256;

// If a quarter of the points are within a tile's side of the median, that is a spot which levels of islands
// may lie around. A border of tiles at the spot would go through all of these levels, and a search near it
// would look at islands on both sides in each. The result is by how many tiles the first one has to begin
// before the extent, so that the spot is a third of a tile from a border: a third or two thirds, however often
// tiles are joined in twos.
Sizes room_before_spot(std::span<const Box> points, const Box& extent, const Sizes& side) noexcept;

}  // namespace throng::detail
