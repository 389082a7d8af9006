#include "engine/src/islands/spots/tree_spot.hpp"

#include <algorithm>

#include "engine/src/frame/curve.hpp"
#include "engine/src/places/shared_places.hpp"

namespace throng::detail {

namespace {

// Ascending regions: the one that most are in.
std::uint32_t fullest(const Giants& giants) noexcept {
    std::uint32_t found = 0;
    std::size_t most = 0;
    for (std::size_t begin = 0, end = 0; begin < giants.count; begin = end) {
        while (end < giants.count && giants.regions[end] == giants.regions[begin]) ++end;
        if (end - begin <= most) continue;
        most = end - begin;
        found = giants.regions[begin];
    }
    return found;
}

Box box_of(const simd::Grid& grid) noexcept {
    return {grid.origin_x, grid.origin_y,
            grid.origin_x + static_cast<float>(grid.columns) / grid.inverse_width,
            grid.origin_y + static_cast<float>(grid.rows) / grid.inverse_height};
}

// Where the middle half of them are, on each axis.
Box middle(const Giants& giants) noexcept {
    std::array<float, Giants::most> centres{};
    const auto range = [&](auto centre, float& low, float& high) {
        for (std::size_t i = 0; i < giants.count; ++i) centres[i] = centre(giants.boxes[i]);
        const auto begin = centres.begin(), end = begin + giants.count;
        const auto first = begin + giants.count / 4, last = begin + (giants.count - 1 - giants.count / 4);
        std::nth_element(begin, first, end);
        low = *first;
        std::nth_element(first, last, end);
        high = *last;
    };
    Box box;
    range([](const Box& b) { return b.min_x * 0.5f + b.max_x * 0.5f; }, box.min_x, box.max_x);
    range([](const Box& b) { return b.min_y * 0.5f + b.max_y * 0.5f; }, box.min_y, box.max_y);
    return box;
}

std::size_t pairs_sharing(const WorldMap& map, const Giants& giants) noexcept {
    std::array<std::uint64_t, Giants::most> places;
    const Curve curve(map);
    for (std::size_t i = 0; i < giants.count; ++i) places[i] = curve(giants.boxes[i]);
    return pairs_at_one_place({places.data(), giants.count});
}

}  // namespace

void choose_tree_spot(WorldMap& map, const Giants& giants) noexcept {
    const std::size_t before = pairs_sharing(map, giants);
    if (before < giants.count / 4) return;
    const std::uint32_t island = fullest(giants);
    std::size_t fewest = before / 2;
    Box spot;
    bool found = false;
    for (const Box& one :
         {island == 0 ? middle(giants) : box_of(map.grid_of_region(island)), middle(giants)}) {
        map.set_tree_spot(one);
        const std::size_t pairs = pairs_sharing(map, giants);
        if (pairs > fewest || (found && pairs == fewest)) continue;
        found = true;
        fewest = pairs;
        spot = one;
    }
    map.forget_tree_spot();
    if (found) map.set_tree_spot(spot);
}

}  // namespace throng::detail
