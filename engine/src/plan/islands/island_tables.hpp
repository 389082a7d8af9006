// Lays out the tables of a WorldMap with islands in one block: the island planner's choice, in the form that
// frames and kernels read.
#pragma once

#include <span>

#include "engine/src/frame/world_map.hpp"
#include "engine/src/store/store.hpp"

namespace throng::detail {

struct PlannedRegion {
    simd::Grid grid;
    WorldMap::Position place;   // its cut and tile; unused for region 0
    std::uint32_t own_cut = 0;  // the cut of its own islands; 0 for region 0, and if it is not cut
    bool has_storeys = false;   // between the floors of the world

    std::uint32_t layers(const simd::Floors& floors) const noexcept {
        return has_storeys ? floors.count + 2 : 1;
    }
};
struct PlannedCut {
    simd::Tiles tiles;  // without its tables
    WorldMap::Cut cut;
};

// The map has no reference to its block yet. Returns false if there is no memory.
[[nodiscard]] bool make_tables(Store& store, std::span<const PlannedRegion> regions,
                               std::span<const PlannedCut> cuts, const simd::Floors& floors,
                               WorldMap& map) noexcept;

}  // namespace throng::detail
