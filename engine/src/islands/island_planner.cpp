#include "engine/src/islands/island_planner.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/src/base/cell_math.hpp"
#include "engine/src/islands/extents.hpp"
#include "engine/src/islands/region_sizes.hpp"
#include "engine/src/islands/spots/spot.hpp"
#include "engine/src/islands/tile_sides.hpp"
#include "engine/src/memory/scratch.hpp"

namespace throng::detail {

namespace {

constexpr double agents_in_a_spot = 512;  // desired in a tile of a crowded spot
constexpr double min_on_outer_island = 32, min_on_inner_island = 16;
constexpr std::uint32_t min_points_on_an_island = 4;
constexpr std::size_t max_regions = 16384;
constexpr std::size_t max_rows_together = 65000;
constexpr double min_tiles = 64, max_tiles = 1 << 24;
// Rows on islands are higher than elsewhere: they are short, and the fixed cost of a row counts.
constexpr double row_over_row = 1.5;
// The size of tiles, in sizes of a common agent of the world, and of an island.
constexpr double tile_over_agent = 8, tile_over_islander = 2;
// Islands that hold less than this share of a region's agents do not pay, unless pairs on one island are this many for
// each agent of the region.
constexpr double min_share = 1.0 / 16, many_pairs = 16;
// If agents outside the islands are more crowded than this, the tiles are made larger.
constexpr double max_crowding_left = 8;
// An island is cut again if it has this many agents and its grid is too coarse by this factor.
constexpr double min_to_cut = 96, crowded_spots = 6;
// This many agents in a cell count like one missing cell.
constexpr double crowded_cell = 4;
constexpr std::uint32_t deepest = 48;
// The sample size of an island's own survey.
constexpr std::size_t survey_of_an_island = 256;

}  // namespace

bool IslandPlanner::reserve_points(std::size_t count) noexcept {
    points_.clear();
    return reserve_amply(points_, count);
}

void IslandPlanner::give_back_excess(std::size_t agents) noexcept {
    release_excess(points_, agents);
    release_excess(sorted_, agents);
    release_excess(counts_, agents);
    release_excess(regions_, agents);
    release_excess(cuts_, agents);
    release_excess(planned_, agents);
}

bool IslandPlanner::plan_points(Store& store, Survey& survey, const Task& task, WorldMap& map) noexcept {
    map = WorldMap(make_grid(fit_grid(task.ground), task.ground));
    regions_.clear();
    cuts_.clear();
    looks_ = points_.size();
    if (points_.size() == 0) return true;
    weight_ = static_cast<double>(task.ground.agents) / static_cast<double>(points_.size());
    if (!regions_.push_back(
            {0, static_cast<std::uint32_t>(points_.size()), 0, {}, 0, 0, task.ground, {}, 1, 0}))
        return false;
    if (!cut(0, task.shortage, survey)) return false;
    if (cuts_.size() == 0) return true;
    for (std::uint32_t r = 1; r < regions_.size(); ++r) {
        const std::uint32_t home = cuts_[regions_[r].place.cut].cut.region;
        Ground around = regions_[home].ground;
        around.common = regions_[home].common_before;
        around.extent = regions_[home].extent_before;
        double shortage = 1;
        looks_ += regions_[r].end - regions_[r].begin;
        if (!fit_ground(regions_[r], around, survey, shortage)) return false;
        if (shortage < crowded_spots || regions_[r].depth >= deepest) continue;
        if (!cut(r, shortage, survey)) return false;
        if (regions_[r].own_cut != 0) continue;
        // Tiles are as large as the common agents need: with fewer of these it may be cut after all.
        if (!fit_fewer(regions_[r], survey, shortage)) return false;
        if (shortage >= crowded_spots && !cut(r, shortage, survey)) return false;
    }
    return make_map(store, map);
}

// --- One region --------------------------------------------------------------------------------------------

// How many others an agent would find in its cell of the grid fitted to the region. Zero if that is about the
// number for an even spread, which islands could not improve.
bool IslandPlanner::count_uneven_crowding(const Region& region, double& others) noexcept {
    constexpr double much = 3;
    others = 0;
    const simd::Grid grid = make_grid(fit_grid(region.ground), region.ground);
    const std::size_t cells = std::size_t{grid.columns} * grid.rows;
    if (cells == 1) return true;
    counts_.clear();
    if (!resize_amply(counts_, cells, 0u)) return false;
    std::uint64_t seen = 0;
    for (std::uint32_t i = region.begin; i < region.end; ++i)
        seen += counts_[std::size_t{row_at(grid, points_[i].min_y)} * grid.columns +
                        column_at(grid, points_[i].min_x)]++;
    const double points = region.end - region.begin, found = 2 * static_cast<double>(seen) / points * weight_;
    if (found > much * agents_in(region.end - region.begin) / static_cast<double>(cells)) others = found;
    return true;
}

// Finds the factor by which its own grid would be too coarse.
bool IslandPlanner::fit_ground(Region& region, const Ground& around, Survey& survey,
                               double& shortage) noexcept {
    Ground& here = region.ground;
    here = around;
    here.agents = static_cast<std::size_t>(agents_in(region.end - region.begin));
    const Box corners = corners_of(points_.data() + region.begin, region.end - region.begin);
    // The corners may lie outside a tile at the edge of the world; no cells are needed there.
    here.extent = clamped(corners, around.extent);
    here.common = common_size_in(points_of(region), weight_, here.extent, around.common,
                                 widest_common(around.common, cuts_[region.place.cut].tiles), survey);
    return find_shortage(region, shortage);
}

bool IslandPlanner::find_shortage(Region& region, double& shortage) noexcept {
    Ground& here = region.ground;
    const double area = std::max(width_of(here.extent), std::max(here.common.width, 1e-37)) *
                        std::max(height_of(here.extent), std::max(here.common.height, 1e-37));
    here.density = static_cast<double>(here.agents) / std::max(area, 1e-300);
    shortage = 1;
    if (static_cast<double>(here.agents) < min_to_cut) return true;
    if (!count_uneven_crowding(region, shortage)) return false;
    shortage /= crowded_cell;
    return true;
}

// A few large agents among many in one spot: too few to be noticed by their share, and a cell that fits them would
// hold few others if the region were evenly crowded. A survey sees the spot. If it leaves the common agents as they
// were, nothing is short.
bool IslandPlanner::fit_fewer(Region& region, Survey& survey, double& shortage) noexcept {
    const Sizes before = region.ground.common;
    const Sizes fewer = common_size_of_crowd(points_of(region), weight_, survey);
    shortage = 1;
    if (2 * fewer.width > before.width && 2 * fewer.height > before.height) return true;
    region.ground.common = {std::min(fewer.width, before.width), std::min(fewer.height, before.height)};
    return find_shortage(region, shortage);
}

// --- Cutting -----------------------------------------------------------------------------------------------

bool IslandPlanner::lay_tiles(const Region& region, double wanted, simd::Tiles& tiles) const noexcept {
    const Box& e = region.ground.extent;
    const double width = width_of(e), height = height_of(e);
    const double over = region.depth == 0 ? tile_over_agent : tile_over_islander;
    // A flat world is one row of tiles; where it is not, spots are small, and rows short.
    const bool is_flat = region.depth == 0 && std::max(width, height) > 8 * std::min(width, height);
    const double evenly =
        is_flat ? std::max(min_tiles, agents_in(region.end - region.begin) / agents_in_a_spot) : wanted;
    const Sizes side =
        sides_of_tiles(wanted, std::min(wanted, evenly), {width, height},
                       {over * region.ground.common.width, over * region.ground.common.height});
    if (!(side.width > 1e-37 && side.height > 1e-37)) return false;
    const Sizes before = room_before_spot(points_of(region), e, side);
    const double columns = std::floor(width / side.width + before.width) + 1,
                 rows = std::floor(height / side.height + before.height) + 1;
    tiles = {.origin_x = static_cast<float>(e.min_x - before.width * side.width),
             .origin_y = static_cast<float>(e.min_y - before.height * side.height),
             .inverse_width = scale_of(side.width, columns),
             .inverse_height = scale_of(side.height, rows),
             .last_column = static_cast<float>(columns - 1),
             .last_row = static_cast<float>(rows - 1),
             .columns = static_cast<std::uint32_t>(columns),
             .rows = static_cast<std::uint32_t>(rows),
             .region_of = nullptr,
             .occupied = nullptr,
             .words = (static_cast<std::uint32_t>(columns) + 63) / 64};
    return columns * rows > 1;
}

bool IslandPlanner::count_tiles(const Region& region, const simd::Tiles& tiles) noexcept {
    counts_.clear();
    if (!resize_amply(counts_, std::size_t{tiles.columns} * tiles.rows, 0u)) return false;
    for (std::uint32_t i = region.begin; i < region.end; ++i)
        ++counts_[WorldMap::tile_at(tiles, points_[i].min_x, points_[i].min_y)];
    return true;
}

// Joins four tiles into one. Halving a scale is exact, so each point is in the tile that contains its old
// one.
void IslandPlanner::join_tiles(simd::Tiles& tiles) noexcept {
    const std::uint32_t columns = (tiles.columns - 1) / 2 + 1, rows = (tiles.rows - 1) / 2 + 1;
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column) {
            const std::size_t first = std::size_t{2 * row} * tiles.columns + 2 * column;
            const bool two_columns = 2 * column + 1 < tiles.columns, two_rows = 2 * row + 1 < tiles.rows;
            std::uint32_t count = counts_[first];
            if (two_columns) count += counts_[first + 1];
            if (two_rows) count += counts_[first + tiles.columns];
            if (two_columns && two_rows) count += counts_[first + tiles.columns + 1];
            counts_[std::size_t{row} * columns + column] = count;
        }
    (void)counts_.resize(std::size_t{columns} * rows);
    tiles.inverse_width /= 2;
    tiles.inverse_height /= 2;
    tiles.last_column = static_cast<float>(columns - 1);
    tiles.last_row = static_cast<float>(rows - 1);
    tiles.columns = columns;
    tiles.rows = rows;
    tiles.words = (columns + 63) / 64;
}

// The minimum number of points of an island. It rises if there would be more islands than can be numbered.
std::uint32_t IslandPlanner::min_on_an_island(std::uint32_t depth) const noexcept {
    const double fewest = depth == 0 ? min_on_outer_island : min_on_inner_island;
    auto least = static_cast<std::uint32_t>(std::ceil(fewest / weight_));
    if (weight_ > 1) least = std::max(least, min_points_on_an_island);
    for (;; least *= 2) {
        std::size_t islands = 0;
        for (const std::uint32_t count : counts_) islands += count >= least;
        if (regions_.size() + islands <= max_regions) return least;
    }
}

// The agents outside islands share a grid with about as many cells as agents, over all tiles.
double IslandPlanner::crowding_left(const simd::Tiles& tiles, std::uint32_t least) const noexcept {
    constexpr std::uint32_t max_across = 64;
    std::uint64_t points = 0;
    for (const std::uint32_t count : counts_)
        if (count < least) points += count;
    if (points == 0) return 0;
    const double cells = 0.62 * agents_in(points) + 256;
    const auto across = std::min(max_across, static_cast<std::uint32_t>(std::sqrt(cells))),
               columns = std::min(across, tiles.columns), rows = std::min(across, tiles.rows);
    std::array<std::uint32_t, max_across * max_across> inside;
    std::fill_n(inside.begin(), columns * rows, 0u);
    for (std::uint32_t row = 0; row < tiles.rows; ++row) {
        const std::uint32_t* here = counts_.data() + std::size_t{row} * tiles.columns;
        std::uint32_t* to = inside.data() + std::size_t{row} * rows / tiles.rows * columns;
        for (std::uint32_t column = 0; column < tiles.columns; ++column)
            if (here[column] != 0 && here[column] < least)
                to[std::size_t{column} * columns / tiles.columns] += here[column];
    }
    double seen = 0;
    for (std::uint32_t i = 0; i < columns * rows; ++i) seen += static_cast<double>(inside[i]) * inside[i];
    return seen * weight_ / static_cast<double>(points) *
           std::min(1.0, static_cast<double>(columns * rows) / cells);
}

double IslandPlanner::pairs_on_islands(std::uint32_t least) const noexcept {
    double pairs = 0;
    for (const std::uint32_t count : counts_)
        if (count >= least) pairs += agents_in(count) * agents_in(count) / 2;
    return pairs;
}

// Leaves the region as it is if islands would hold too few of its agents.
bool IslandPlanner::cut(std::uint32_t number, double shortage, Survey& survey) noexcept {
    const Region region = regions_[number];
    const double agents = agents_in(region.end - region.begin);
    // An inner region's spots can be cut again, so tiles with less than two points on average are not tried.
    const double points = region.end - region.begin,
                 most = region.depth == 0 ? agents : std::min(agents, points / 2);
    const double wanted = std::clamp(agents * shortage / agents_in_a_spot, min_tiles,
                                     std::max(min_tiles, std::min(most, max_tiles)));
    simd::Tiles tiles{};
    if (!lay_tiles(region, wanted, tiles)) return true;
    if (!count_tiles(region, tiles)) return false;
    std::uint32_t least = min_on_an_island(region.depth);
    while (counts_.size() > few_tiles && crowding_left(tiles, least) > max_crowding_left) {
        join_tiles(tiles);
        least = min_on_an_island(region.depth);
    }
    std::size_t islands = 0, on_islands = 0;
    for (const std::uint32_t count : counts_)
        if (count >= least) ++islands, on_islands += count;
    if (islands == 0 ||
        (agents_in(on_islands) < min_share * agents && pairs_on_islands(least) < many_pairs * agents))
        return true;

    const auto first = static_cast<std::uint32_t>(regions_.size());
    if (!cuts_.push_back({tiles, {number, first, first + static_cast<std::uint32_t>(islands)}}) ||
        !part(region, tiles, least))
        return false;
    fit_open(regions_[number], agents, survey);
    return true;
}

// Fits the grid of what is left of a region without its islands. Few agents are taken to be spread evenly.
void IslandPlanner::fit_open(Region& open, double agents_before, Survey& survey) const noexcept {
    const std::size_t points = open.end - open.begin;
    const double agents = agents_in(points), width = width_of(open.ground.extent),
                 height = height_of(open.ground.extent);
    open.common_before = open.ground.common;
    open.extent_before = open.ground.extent;
    open.ground.agents = static_cast<std::size_t>(agents);
    open.ground.density = agents / std::max(width * height, 1e-30);
    if (points == 0) return;
    open.ground.common = common_size_in(points_of(open), weight_, open.ground.extent, open.ground.common,
                                        widest_common(open.ground.common, cuts_[open.own_cut].tiles), survey);
    if (agents < min_share * agents_before && agents * agents < 2 * many_pairs * agents_before) return;
    // Agents far outside the grid, in its outermost cells, are no measure of the crowd inside; an illegal box is left out.
    const Box* first = points_.data() + open.begin;
    survey.take(
        points, survey_of_an_island,
        [&](std::size_t i) { return is_inside(first[i], open.ground.extent) ? first[i] : no_box; },
        open.ground.agents);
    if (survey.empty()) return;
    open.ground.density = survey.density();
    open.ground.extent = narrowed(open.ground.extent, survey.extent());
}

// Makes the islands' regions, and sorts the points by island, those outside islands first. The sort is stable.
bool IslandPlanner::part(const Region& region, const simd::Tiles& tiles, std::uint32_t least) noexcept {
    const auto own_cut = static_cast<std::uint32_t>(cuts_.size() - 1);
    std::uint32_t at = region.end;
    for (const std::uint32_t count : counts_)
        if (count >= least) at -= count;
    const std::uint32_t left = at - region.begin;
    for (std::size_t tile = 0; tile < counts_.size(); ++tile) {
        std::uint32_t& count = counts_[tile];
        if (count < least) {
            count = nowhere;
            continue;
        }
        const WorldMap::Place place{own_cut, static_cast<std::uint32_t>(tile)};
        if (!regions_.push_back(
                {at, at + count, at, place, 0, region.depth + 1, {}, {}, row_over_row, count}))
            return false;
        at += count;
        count = static_cast<std::uint32_t>(regions_.size() - 1);
    }
    Region& open = regions_[cuts_[own_cut].cut.region];
    open.own_cut = own_cut;
    open.end = region.begin + left;
    open.filled = open.begin;
    if (!resize_amply(sorted_, region.end - region.begin)) return false;
    for (std::uint32_t i = region.begin; i < region.end; ++i) {
        const std::uint32_t island = counts_[WorldMap::tile_at(tiles, points_[i].min_x, points_[i].min_y)];
        Region& home = island == nowhere ? open : regions_[island];
        sorted_[home.filled++ - region.begin] = points_[i];
    }
    std::copy(sorted_.begin(), sorted_.begin() + (region.end - region.begin), points_.begin() + region.begin);
    return true;
}

// --- All regions -------------------------------------------------------------------------------------------

bool IslandPlanner::make_map(Store& store, WorldMap& map) noexcept {
    planned_.clear();
    if (!resize_amply(planned_, regions_.size())) return false;
    for (double taller = 1;; taller *= 1.4) {
        std::size_t rows = 0;
        for (std::size_t r = 0; r < regions_.size(); ++r) {
            const Region& region = regions_[r];
            GridFit fit = fit_grid(region.ground);
            if (r != 0) {
                fit.height *= region.taller * taller;
                fit.rows = std::floor(height_of(region.ground.extent) / fit.height) + 1;
            }
            planned_[r] = {make_grid(fit, region.ground), region.place, region.own_cut, region.all};
            rows += planned_[r].grid.rows;
        }
        if (rows <= max_rows_together) break;
    }
    return make_tables(store, {planned_.data(), planned_.size()}, {cuts_.data(), cuts_.size()}, map);
}

}  // namespace throng::detail
