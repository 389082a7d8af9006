#include "engine/src/places/beside_islands.hpp"

#include <algorithm>
#include <span>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/frame/row_layout.hpp"

namespace throng::detail {

namespace {

// Agents that reach out of their tile are counted for a region that has so much of all work.
constexpr double large_share = 1.0 / 16;

// The rows of some regions that follow each other.
std::span<const simd::Row> rows_of(const FrameState& frame, std::uint32_t region,
                                   std::uint32_t end) noexcept {
    const std::uint32_t first = frame.map.first_row(region),
                        behind = frame.map.first_row(end - 1) + frame.map.grid_of_region(end - 1).rows;
    return {frame.rows.data() + first, behind - first};
}

double agents_in_rows(std::span<const simd::Row> rows) noexcept {
    std::uint64_t agents = 0;
    for (const simd::Row& row : rows) agents += row.count;
    return static_cast<double>(agents);
}

double pairs_in_cells(std::span<const simd::Row> rows, std::uint32_t columns) noexcept {
    std::uint64_t pairs = 0;
    for (const simd::Row& row : rows)
        for (std::uint32_t c = 0; c < columns && row.count != 0; ++c) {
            const std::uint64_t agents = row.cells[c + 1] - row.cells[c];
            pairs += agents * (agents - (agents != 0)) / 2;
        }
    return static_cast<double>(pairs);
}

// Calls visit(cut, islanders, pairs) for each region that has islands: how many agents are on these, and what each of them looks at
// in the region's open if they are spread as those in it are.
template <class Visit>
void visit_opens(const FrameState& frame, Visit&& visit) noexcept {
    for (std::uint32_t c = 0; c < frame.map.cuts(); ++c) {
        const WorldMap::Cut& cut = frame.map.tables().cuts[c];
        const std::span<const simd::Row> open = rows_of(frame, cut.region, cut.region + 1);
        const double agents = agents_in_rows(open);
        if (agents == 0) continue;
        const double pairs = pairs_in_cells(open, frame.map.grid_of_region(cut.region).columns) / agents;
        if (pairs > 0) visit(c, agents_in_rows(rows_of(frame, cut.first_island, cut.end_island)), pairs);
    }
}

// Calls `visit(row)` for the rows of some regions that have agents, and for those of all islands in them.
template <class Visit>
void visit_rows(const WorldMap& map, std::uint32_t region, std::uint32_t end, Visit&& visit) noexcept {
    for (; region != end; ++region) {
        const std::uint32_t first = map.first_row(region), cut = map.tables().regions[region].cut;
        for (std::uint32_t r = 0; r < map.grid_of_region(region).rows; ++r) visit(first + r);
        if (const WorldMap::Cut& inner = map.tables().cuts[cut]; cut != 0)
            visit_rows(map, inner.first_island, inner.end_island, visit);
    }
}

// How many agents on the islands of a region reach out of their tile, as some of each row tell.
double agents_that_reach_out(const FrameState& frame, std::uint32_t number) noexcept {
    constexpr std::uint32_t some_agents = 8;
    const WorldMap::Cut& cut = frame.map.tables().cuts[number];
    const simd::Tiles& tiles = frame.map.tables().tiles[number];
    simd::RowReach reach{0, 0};
    const auto add_reach = [&](std::uint32_t r) {
        reach = {std::max(reach.width, frame.reach[r].width), std::max(reach.height, frame.reach[r].height)};
    };
    for (std::uint32_t r = 0; r < frame.map.grid_of_region(cut.region).rows; ++r)
        add_reach(frame.map.first_row(cut.region) + r);
    visit_rows(frame.map, cut.first_island, cut.end_island, add_reach);
    double all = 0;
    visit_rows(frame.map, cut.first_island, cut.end_island, [&](std::uint32_t r) {
        const simd::Row& row = frame.rows[r];
        const simd::Bounds& b = frame.bounds[r];
        if (row.count == 0 ||
            !WorldMap::leaves_tile(tiles, {b.min_x, b.min_y, -b.negated_max_x, -b.negated_max_y}, reach))
            return;
        const std::uint32_t step = row.count / some_agents + 1;
        std::uint32_t looked_at = 0, out = 0;
        for (std::uint32_t i = 0; i < row.count; i += step, ++looked_at)
            out += WorldMap::leaves_tile(tiles, RowArrays(row).box(i), reach);
        all += static_cast<double>(row.count) * out / looked_at;
    });
    return all;
}

}  // namespace

std::uint64_t pairs_beside_islands(const FrameState& frame) noexcept {
    double by_all = 0, looks = 0;
    visit_opens(frame, [&](std::uint32_t, double islanders, double pairs) { by_all += islanders * pairs; });
    if (by_all <= static_cast<double>(frame.agents)) return static_cast<std::uint64_t>(by_all);
    visit_opens(frame, [&](std::uint32_t cut, double islanders, double pairs) {
        const bool is_much = islanders * pairs >= large_share * by_all;
        looks += (is_much ? agents_that_reach_out(frame, cut) : islanders) * pairs;
    });
    return static_cast<std::uint64_t>(looks);
}

}  // namespace throng::detail
