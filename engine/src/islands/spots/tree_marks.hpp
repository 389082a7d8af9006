// Where the tree over its oversized agents divides a world with islands (curve.hpp). Its places are laid over all tiles, or
// by octaves around the innermost cut. Where that leaves many oversized agents at a few of these places, the axes are
// divided by marks among these agents instead (plan/tree_marks.hpp). What is better is tried on a sample of them.
#pragma once

#include <array>
#include <cstddef>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/plan/sample.hpp"
#include "engine/src/plan/world_map.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// Some oversized agents.
struct Giants {
    static constexpr std::size_t most = 512;
    std::array<Box, most> boxes;
    std::size_t count = 0;
};

// Sets the marks of a map with islands, if they spread these agents.
void choose_tree_marks(WorldMap& map, const Giants& giants) noexcept;

// The same for the points of all regions, `points_of(region)`. Without effect if hardly any of them are oversized.
template <class PointsOf>
void choose_tree_marks(WorldMap& map, const PointsOf& points_of) noexcept {
    constexpr std::size_t fewest = 16;
    std::size_t oversized = 0;
    const auto each_giant = [&](auto&& visit) {
        for (std::uint32_t region = 0; region < map.regions(); ++region)
            for (const Box& box : points_of(region))
                if (!is_common(map.grid_of_region(region), box)) visit(box);
    };
    each_giant([&](const Box&) { ++oversized; });
    if (oversized < fewest) return;
    Giants giants;
    const std::size_t wanted = oversized < Giants::most ? oversized : Giants::most;
    std::size_t number = 0;
    each_giant([&](const Box& box) {
        if (giants.count == wanted || number++ != sampled(giants.count, wanted, oversized)) return;
        giants.boxes[giants.count++] = box;
    });
    choose_tree_marks(map, giants);
}

}  // namespace throng::detail
