#include "engine/src/islands/tree_spot.hpp"

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
    map.set_tree_spot(fullest(giants));
    if (2 * pairs_sharing(map, giants) > before) map.set_tree_spot(0);
}

}  // namespace throng::detail
