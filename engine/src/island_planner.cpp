#include "engine/src/island_planner.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/src/work_spaces.hpp"

namespace throng::detail {

namespace {

constexpr double agents_in_a_spot = 512;  // what a tile in a crowded spot should hold
constexpr std::uint32_t fewest_on_an_island = 32;
constexpr std::size_t most_islands = 16384;
constexpr std::uint32_t most_rows_together = 65000;
constexpr double most_tiles = 1 << 24;
// Rows on islands are higher than elsewhere: they are short, and what a row costs beside its agents counts.
constexpr double row_over_row = 1.5;
// Tiles are so many times as large as a common agent.
constexpr double tile_over_agent = 8;

// Where the tables of a map are in their block, one behind the other.
struct Layout {
    std::size_t regions, grids, first_cell, tile_of_region, region_of_row, region_of, occupied, bytes;

    Layout(std::size_t count, std::size_t rows, const simd::Tiles& tiles) noexcept {
        std::size_t at = 0;
        const auto next = [&](std::size_t size) {
            const std::size_t begin = at;
            at += (size + 63) / 64 * 64;
            return begin;
        };
        regions = next(count * sizeof(simd::RegionRows));
        grids = next(count * sizeof(simd::Grid));
        first_cell = next(count * sizeof(CellNumber));
        tile_of_region = next(count * sizeof(std::uint32_t));
        region_of_row = next(rows * sizeof(std::uint16_t));
        region_of = next(std::size_t{tiles.columns} * tiles.rows * sizeof(std::uint16_t));
        occupied = next(std::size_t{tiles.words} * tiles.rows * sizeof(std::uint64_t));
        bytes = at;
    }
};

bool same_tiles(const simd::Tiles& a, const simd::Tiles& b) noexcept {
    return a.origin_x == b.origin_x && a.origin_y == b.origin_y && a.inverse_width == b.inverse_width &&
           a.inverse_height == b.inverse_height && a.columns == b.columns && a.rows == b.rows;
}

bool nearly_equal(const simd::Grid& a, const simd::Grid& b) noexcept {
    const float shift = std::max(std::abs(a.origin_x - b.origin_x) * a.inverse_width,
                                 std::abs(a.origin_y - b.origin_y) * a.inverse_height);
    const auto about = [](float x, float y) { return x <= y * 1.5f && y <= x * 1.5f; };
    return shift <= 3 && about(a.inverse_width, b.inverse_width) &&
           about(a.inverse_height, b.inverse_height) && about(a.last_column + 4, b.last_column + 4) &&
           about(a.last_row + 4, b.last_row + 4);
}

}  // namespace

bool IslandPlanner::lay_tiles(const Ground& ground, double shortage) noexcept {
    const Box& e = ground.extent;
    const double width = double(e.max_x) - e.min_x, height = double(e.max_y) - e.min_y;
    const auto agents = static_cast<double>(ground.agents);
    const double wanted =
        std::clamp(agents * shortage / agents_in_a_spot, 64.0, std::min(agents, most_tiles));
    const double longer = std::max(width, height);
    double side = std::max(std::sqrt(width * height / wanted), longer / std::min(wanted, 65000.0));
    side = std::max({side, tile_over_agent * ground.common.width, tile_over_agent * ground.common.height});
    const double columns = std::floor(width / side) + 1, rows = std::floor(height / side) + 1;
    tiles_ = {.origin_x = e.min_x,
              .origin_y = e.min_y,
              .inverse_width = scale_of(side, columns),
              .inverse_height = scale_of(side, rows),
              .last_column = static_cast<float>(columns - 1),
              .last_row = static_cast<float>(rows - 1),
              .columns = static_cast<std::uint32_t>(columns),
              .rows = static_cast<std::uint32_t>(rows),
              .region_of = nullptr,
              .occupied = nullptr,
              .words = (static_cast<std::uint32_t>(columns) + 63) / 64};
    counts_.clear();
    return resize_amply(counts_, std::size_t{tiles_.columns} * tiles_.rows, 0u);
}

// Turns the counts into the numbers of spots. If there were more islands than can be
// numbered, only the larger ones are.
bool IslandPlanner::choose_islands(const Ground& ground) noexcept {
    std::uint32_t least = fewest_on_an_island;
    std::size_t islands = 0, on_islands = 0;
    for (;; least *= 2) {
        islands = on_islands = 0;
        for (const std::uint32_t count : counts_)
            if (count >= least) ++islands, on_islands += count;
        if (islands <= most_islands) break;
    }
    spots_.clear();
    strays_ = ground.agents - on_islands;
    if (on_islands < ground.agents / 2) return true;
    if (!reserve_amply(spots_, islands)) return false;
    constexpr float far = std::numeric_limits<float>::infinity();
    for (std::size_t tile = 0; tile < counts_.size(); ++tile) {
        std::uint32_t& count = counts_[tile];
        if (count < least) {
            count = nobody;
            continue;
        }
        (void)spots_.push_back({static_cast<std::uint32_t>(tile), count, {far, far, -far, -far}});
        count = static_cast<std::uint32_t>(spots_.size() - 1);
    }
    return true;
}

// The corners may lie outside the tile where it is at the edge of the world; nobody needs a cell out there.
GridFit IslandPlanner::fit(const Ground& ground, const Spot& spot, double taller,
                           Ground& here) const noexcept {
    const Box& e = ground.extent;
    here = ground;
    here.agents = spot.agents;
    here.extent = {
        std::clamp(spot.corners.min_x, e.min_x, e.max_x), std::clamp(spot.corners.min_y, e.min_y, e.max_y),
        std::clamp(spot.corners.max_x, e.min_x, e.max_x), std::clamp(spot.corners.max_y, e.min_y, e.max_y)};
    const double width = double(here.extent.max_x) - here.extent.min_x,
                 height = double(here.extent.max_y) - here.extent.min_y;
    const double area = std::max(width, std::max(ground.common.width, 1e-30)) *
                        std::max(height, std::max(ground.common.height, 1e-30));
    here.density = spot.agents / area;
    GridFit fit = fit_grid(here);
    fit.height *= taller;
    fit.rows = std::floor(height / fit.height) + 1;
    return fit;
}

bool IslandPlanner::make_map(Store& store, const Ground& ground, WorldMap& map) noexcept {
    const std::size_t count = spots_.size() + 1;
    Ground open = ground, here;
    open.agents = strays_;
    const double width = double(ground.extent.max_x) - ground.extent.min_x,
                 height = double(ground.extent.max_y) - ground.extent.min_y;
    open.density = static_cast<double>(strays_) / std::max(width * height, 1e-30);
    if (!resize_amply(grids_, count)) return false;
    std::size_t rows = 0;
    for (double taller = row_over_row;; taller *= 1.4) {
        grids_[0] = make_grid(fit_grid(open), open);
        rows = grids_[0].rows;
        for (std::size_t i = 1; i < count; ++i) {
            const GridFit found = fit(ground, spots_[i - 1], taller, here);
            grids_[i] = make_grid(found, here);
            rows += grids_[i].rows;
        }
        if (rows <= most_rows_together) break;
    }

    const Layout layout(count, rows, tiles_);
    Block* block = store.blocks.take(layout.bytes);
    if (block == nullptr) return false;
    std::memset(block->memory, 0, layout.bytes);
    const auto at = [&]<class T>(std::size_t offset, T*& pointer) {
        pointer = reinterpret_cast<T*>(block->memory + offset);
    };
    simd::RegionRows* regions;
    simd::Grid* grids;
    CellNumber* first_cell;
    std::uint32_t* tile_of_region;
    std::uint16_t *region_of_row, *region_of;
    std::uint64_t* occupied;
    at(layout.regions, regions);
    at(layout.grids, grids);
    at(layout.first_cell, first_cell);
    at(layout.tile_of_region, tile_of_region);
    at(layout.region_of_row, region_of_row);
    at(layout.region_of, region_of);
    at(layout.occupied, occupied);
    std::uint32_t row = 0;
    CellNumber cell = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const simd::Grid& grid = grids[i] = grids_[i];
        regions[i] = {grid.origin_y, grid.inverse_height, grid.last_row, row};
        first_cell[i] = cell;
        for (std::uint32_t r = 0; r < grid.rows; ++r) region_of_row[row++] = static_cast<std::uint16_t>(i);
        cell += grid.rows * (grid.columns + 1);
        if (i == 0) continue;
        const std::uint32_t tile = spots_[i - 1].tile;
        tile_of_region[i] = tile;
        region_of[tile] = static_cast<std::uint16_t>(i);
        occupied[std::size_t{tile / tiles_.columns} * tiles_.words + tile % tiles_.columns / 64] |=
            std::uint64_t{1} << tile % tiles_.columns % 64;
    }
    WorldMap::Tables tables{.block = block,
                            .tiles = tiles_,
                            .regions = regions,
                            .grids = grids,
                            .first_cell = first_cell,
                            .region_of_row = region_of_row,
                            .tile_of_region = tile_of_region,
                            .count = static_cast<std::uint32_t>(count)};
    tables.tiles.region_of = region_of;
    tables.tiles.occupied = occupied;
    map = WorldMap(tables, row);
    return true;
}

bool IslandPlanner::serves(const WorldMap& used, const WorldMap& planned) const noexcept {
    if (used.has_islands() != planned.has_islands()) return false;
    if (!used.has_islands()) return true;
    const WorldMap::Tables &s = used.tables(), &t = planned.tables();
    if (!same_tiles(s.tiles, t.tiles) || s.count > 2 * t.count) return false;
    std::size_t agents = 0, served = 0;
    for (std::uint32_t i = 1; i < t.count; ++i) {
        const std::uint32_t region = s.tiles.region_of[t.tile_of_region[i]];
        agents += spots_[i - 1].agents;
        if (region != 0 && nearly_equal(s.grids[region], t.grids[i])) served += spots_[i - 1].agents;
    }
    return served >= agents - agents / 4;
}

}  // namespace throng::detail
