#include "engine/src/places/beside_islands.hpp"

#include <algorithm>
#include <array>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/frame/row_layout.hpp"

namespace throng::detail {

namespace {

// Of more cuts, the inner ones count for all agents on their islands.
constexpr std::uint32_t max_cuts = 256;

// The islands of a cut, and the open that is beside them.
struct Beside {
    double islanders = 0;        // on these islands and on those inside them
    double for_each = 0;         // the pairs that share a cell of the open, for each agent in it
    simd::RowReach reach{0, 0};  // of all agents of the region
};

// Returns how many agents are in a region, but for those on its islands.
double add_region(const FrameState& frame, std::uint32_t region, simd::RowReach& reach) noexcept {
    const std::uint32_t first = frame.map.first_row(region);
    std::uint64_t agents = 0;
    for (std::uint32_t r = first; r < first + frame.map.grid_of_region(region).rows; ++r) {
        agents += frame.rows[r].count;
        reach = {std::max(reach.width, frame.reach[r].width), std::max(reach.height, frame.reach[r].height)};
    }
    return static_cast<double>(agents);
}

double pairs_in_cells(const FrameState& frame, std::uint32_t region) noexcept {
    const simd::Grid& grid = frame.map.grid_of_region(region);
    const std::uint32_t first = frame.map.first_row(region);
    std::uint64_t pairs = 0;
    for (std::uint32_t r = first; r < first + grid.rows; ++r) {
        const simd::Row& row = frame.rows[r];
        for (std::uint32_t c = 0; c < grid.columns && row.count != 0; ++c) {
            const std::uint64_t agents = row.cells[c + 1] - row.cells[c];
            pairs += agents * (agents - (agents != 0)) / 2;
        }
    }
    return static_cast<double>(pairs);
}

// How many agents of a row look into more than one tile, as some of them tell.
double agents_that_leave(const simd::Row& row, const simd::Tiles& tiles,
                         const simd::RowReach& reach) noexcept {
    constexpr std::uint32_t some_agents = 8;
    const std::uint32_t step = row.count / some_agents + 1;
    double some = 0, leave = 0;
    for (std::uint32_t i = 0; i < row.count; i += step, ++some)
        leave += WorldMap::leaves_tile(tiles, RowArrays(row).box(i), reach);
    return row.count * leave / some;
}

// What agents on islands look at where all of them look into the open.
double by_all(const FrameState& frame, std::array<Beside, max_cuts>& all) noexcept {
    const WorldMap::Tables& tables = frame.map.tables();
    double looks = 0;
    // An inner cut comes after that around it.
    for (std::uint32_t c = frame.map.cuts(); c-- != 0;) {
        const WorldMap::Cut& cut = tables.cuts[c];
        Beside other, &here = c < max_cuts ? all[c] : other;
        const double open = add_region(frame, cut.region, here.reach);
        if (open > 1) here.for_each = pairs_in_cells(frame, cut.region) / open;
        for (std::uint32_t island = cut.first_island; island < cut.end_island; ++island)
            here.islanders += add_region(frame, island, here.reach);
        looks += here.islanders * here.for_each;
        if (const std::uint32_t around = c == 0 ? max_cuts : tables.places[cut.region].cut;
            around < max_cuts) {
            Beside& outer = all[around];
            outer.islanders += here.islanders;
            outer.reach = {std::max(outer.reach.width, here.reach.width),
                           std::max(outer.reach.height, here.reach.height)};
        }
    }
    return looks;
}

}  // namespace

std::uint64_t pairs_beside_islands(const FrameState& frame) noexcept {
    const WorldMap& map = frame.map;
    if (map.cuts() == 0) return 0;
    std::array<Beside, max_cuts> beside{};
    double looks = by_all(frame, beside);
    if (looks <= static_cast<double>(frame.agents)) return static_cast<std::uint64_t>(looks);
    for (std::uint32_t c = 0; c < std::min(map.cuts(), max_cuts); ++c)
        looks -= beside[c].islanders * beside[c].for_each;
    for (std::uint32_t r = map.open().rows; r < map.rows(); ++r) {
        const simd::Row& row = frame.rows[r];
        if (row.count == 0) continue;
        const simd::Bounds& b = frame.bounds[r];
        const Box bounds{b.min_x, b.min_y, -b.negated_max_x, -b.negated_max_y};
        map.visit_cuts_around(map.region_of_row(r), [&](std::uint32_t c) {
            if (c >= max_cuts || beside[c].for_each == 0) return;
            const simd::Tiles& tiles = map.tables().tiles[c];
            if (WorldMap::leaves_tile(tiles, bounds, beside[c].reach))
                looks += beside[c].for_each * agents_that_leave(row, tiles, beside[c].reach);
        });
    }
    return static_cast<std::uint64_t>(std::max(looks, 0.0));
}

}  // namespace throng::detail
