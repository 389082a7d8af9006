// Which part of a world the tree over its oversized agents divides (curve.hpp). Its places are laid over all tiles, or by
// octaves around the innermost cut. Where that leaves many oversized agents at a few of these places, the spot where most
// of them are is divided instead: the island with the most of them, or the middle of them all, whichever islands they
// are on. What is best is tried on a sample of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/plan/sample.hpp"
#include "engine/src/plan/world_map.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// Some oversized agents, and the regions that they are in.
struct Giants {
    static constexpr std::size_t most = 512;
    std::array<Box, most> boxes;
    std::array<std::uint16_t, most> regions;
    std::size_t count = 0;
};

// Sets the spot of a map with islands, if one spreads these agents.
void choose_tree_spot(WorldMap& map, const Giants& giants) noexcept;

// The same for the points of all regions, `points_of(region)`. Without effect if hardly any of them are oversized.
template <class PointsOf>
void choose_tree_spot(WorldMap& map, const PointsOf& points_of) noexcept {
    constexpr std::size_t fewest = 16;
    std::size_t oversized = 0;
    const auto each_giant = [&](auto&& visit) {
        for (std::uint32_t region = 0; region < map.regions(); ++region)
            for (const Box& box : points_of(region))
                if (!is_common(map.grid_of_region(region), box)) visit(box, region);
    };
    each_giant([&](const Box&, std::uint32_t) { ++oversized; });
    if (oversized < fewest) return;
    Giants giants;
    const std::size_t wanted = oversized < Giants::most ? oversized : Giants::most;
    std::size_t number = 0;
    each_giant([&](const Box& box, std::uint32_t region) {
        if (giants.count == wanted || number++ != sampled(giants.count, wanted, oversized)) return;
        giants.boxes[giants.count] = box;
        giants.regions[giants.count++] = static_cast<std::uint16_t>(region);
    });
    choose_tree_spot(map, giants);
}

}  // namespace throng::detail
