// Floors: at which heights a world is divided into storeys, by a sample of the agents' bands.
#pragma once

#include <cstddef>
#include <span>

#include "engine/src/frame/world_map.hpp"
#include "simd/types.hpp"
#include "throng/heights.hpp"

namespace throng::detail {

// The floors for which a search would look at the fewest agents, if these stood anywhere in the plane: it
// looks at those of its storey, and at all through which a floor goes. None if there are no such floors, or
// none that save enough. There are `most` storeys at most.
simd::Floors find_floors(std::span<const Band> bands, std::size_t most) noexcept;
// How many of these agents such a search looks at with some floors, on average.
double looks_with(const simd::Floors& floors, std::span<const Band> bands) noexcept;

}  // namespace throng::detail
