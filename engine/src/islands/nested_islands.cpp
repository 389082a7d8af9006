#include "engine/src/islands/nested_islands.hpp"

#include <algorithm>
#include <limits>

#include "engine/src/base/cell_math.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

// Fewer levels are searched one by one.
constexpr std::uint32_t min_levels = 4;

// Floats as integers in the same order, and back, including both infinities.
constexpr std::int64_t lowest = -0x7F800000, highest = 0x7F800000;
float float_at(std::int64_t order) noexcept {
    const auto bits = static_cast<std::uint32_t>(order < 0 ? -order : order);
    return detail::bits_as<float>(order < 0 ? bits | 0x80000000u : bits);
}

// The smallest float for which `reached` is true. `reached` is monotonic, and true for infinity.
template <class Reached>
float least(const Reached& reached) noexcept {
    std::int64_t low = lowest, high = highest;
    while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (reached(float_at(middle)))
            high = middle;
        else
            low = middle + 1;
    }
    return float_at(low);
}

// The coordinates on one axis that map to tile `number`.
struct Range {
    float from, behind;  // `behind` is exclusive, unless it is infinite
    Range(std::uint32_t number, float origin, float inverse, float last) noexcept
        : from(least([&](float at) { return place(at, origin, inverse, last) >= number; })),
          behind(static_cast<float>(number) >= last
                     ? std::numeric_limits<float>::infinity()
                     : least([&](float at) { return place(at, origin, inverse, last) > number; })) {}
};

simd::NestedIsland rectangle_of(const simd::Tiles& tiles, std::uint32_t tile) noexcept {
    const Range x(tile % tiles.columns, tiles.origin_x, tiles.inverse_width, tiles.last_column),
        y(tile / tiles.columns, tiles.origin_y, tiles.inverse_height, tiles.last_row);
    return {x.from, y.from, x.behind, y.behind, 0};
}

// Among the islands of a cut that have points and are cut themselves, the one with the most; 0 if there is none.
std::uint32_t fullest(std::span<const PlannedRegion> regions, const WorldMap::Cut& cut) noexcept {
    std::uint32_t found = 0;
    for (std::uint32_t i = cut.first_island; i < cut.end_island; ++i)
        if (regions[i].own_cut != 0 && regions[i].points > (found == 0 ? 0 : regions[found].points))
            found = i;
    return found;
}

}  // namespace

void nest_islands(std::span<const PlannedRegion> regions, std::span<const PlannedCut> cuts,
                  simd::Tiles* tiles, simd::NestedIsland* nested) noexcept {
    // Cuts are numbered from the outside inwards, so a chain is followed from its start.
    for (std::uint32_t first = 0; first < cuts.size(); ++first) {
        if (tiles[first].nested != nullptr) continue;
        std::uint32_t levels = 0;
        for (std::uint32_t at = fullest(regions, cuts[first].cut); at != 0;
             at = fullest(regions, cuts[regions[at].own_cut].cut))
            ++levels;
        if (levels < min_levels) continue;
        simd::NestedIsland* next = nested;
        simd::NestedIsland around{
            -std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
            std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(), 0};
        for (std::uint32_t cut = first; levels > 0; --levels) {
            const std::uint32_t island = fullest(regions, cuts[cut].cut);
            const simd::NestedIsland here = rectangle_of(tiles[cut], regions[island].place.tile);
            around = {std::max(around.min_x, here.min_x), std::max(around.min_y, here.min_y),
                      std::min(around.behind_x, here.behind_x), std::min(around.behind_y, here.behind_y),
                      island};
            *next++ = around;
            tiles[cut].nested = next - 1;
            tiles[cut].nested_count = levels >= min_levels ? levels : 0;
            cut = regions[island].own_cut;
        }
        nested = next;
    }
}

}  // namespace throng::detail
