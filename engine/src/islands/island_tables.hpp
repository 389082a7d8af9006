// Lays out the tables of a WorldMap with islands, in one block: what the island planner chose, in the form in
// which frames and kernels read it.
#pragma once

#include <span>

#include "engine/src/frame/store.hpp"
#include "engine/src/plan/world_map.hpp"

namespace throng::detail {

struct PlannedRegion {
    simd::Grid grid;
    WorldMap::Place place;      // in which it is an island; of no meaning for region 0
    std::uint32_t own_cut = 0;  // that it is cut into; 0 for region 0, and for an island that is not cut
    std::uint32_t points = 0;   // how many were seen in it and its islands
};
struct PlannedCut {
    simd::Tiles tiles;  // without its tables
    WorldMap::Cut cut;
};

// The map has no reference to its block yet. False if there is no memory.
[[nodiscard]] bool make_tables(Store& store, std::span<const PlannedRegion> regions,
                               std::span<const PlannedCut> cuts, WorldMap& map) noexcept;

}  // namespace throng::detail
