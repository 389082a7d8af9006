// Floors: the heights that divide a world into storeys, from a sample of the agents' bands.
#pragma once

#include <cstddef>
#include <span>

#include "engine/src/frame/world_map.hpp"
#include "simd/types.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

// The floors for which a search would look at the fewest agents, if these stood anywhere in the plane: at
// those of its storey, and at all that a floor goes through. None if no floors save enough. There are at most
// `most` storeys.
simd::Floors find_floors(std::span<const Band> bands, std::size_t most) noexcept;
// How many of these agents such a search looks at with some floors, on average.
double looks_with(const simd::Floors& floors, std::span<const Band> bands) noexcept;

}  // namespace throng::detail
