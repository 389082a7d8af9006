// The order of the elements of a StaticIndex: tiles of sixteen, tiles of sixteen tiles, and so on.
#pragma once

#include <cstddef>

#include "throng/geometry.hpp"

namespace throng::detail {

// An element by its centre.
struct Placed {
    float at[2];
    AgentId id;
};

// Sorts the elements so that each tile is square and compact, as far as sixteen to a tile
// allow. The order follows from the elements alone, whatever order they come in. O(n log n) on
// average, and n log^2 n at worst.
void sort_into_tiles(Placed* elements, std::size_t count) noexcept;

}  // namespace throng::detail
