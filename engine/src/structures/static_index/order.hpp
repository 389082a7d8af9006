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

// Sorts the elements so that tiles are compact and nearly square. The result depends on the elements alone,
// not on their initial order. O(n log n) on average, O(n log^2 n) at worst.
void sort_into_tiles(Placed* elements, std::size_t count) noexcept;

}  // namespace throng::detail
