// How the planner cuts a region into tiles, and makes islands of the crowded ones.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/kernels.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/plan/islands/extents.hpp"
#include "engine/src/plan/islands/island_planner.hpp"
#include "engine/src/plan/islands/tile_sides.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// The smallest tiles that hold a common agent with room to spare.
Sizes least_sides(const Sizes& common, std::uint32_t level) noexcept {
    const double width = common.width, height = common.height;
    if (level == 0) return {tile_over_agent * width, tile_over_agent * height};
    const double roomy = tile_over_islander * std::min(width, height);
    return {std::min(tile_over_islander * width, std::max(tile_over_sliver * width, roomy)),
            std::min(tile_over_islander * height, std::max(tile_over_sliver * height, roomy))};
}

// So many agents spread evenly over a ground.
Ground evenly_on(Ground ground, double agents) noexcept {
    ground.common = {};
    ground.agents = static_cast<std::size_t>(agents);
    ground.density = agents / std::max(width_of(ground.extent) * height_of(ground.extent), 1 / huge);
    return ground;
}

}  // namespace

bool IslandPlanner::lay_tiles(const Region& region, double wanted, simd::Tiles& tiles) const noexcept {
    const Box& e = region.ground.extent;
    const double width = width_of(e), height = height_of(e);
    // A flat world is one row of tiles; in others, spots are small, and rows short.
    const bool is_flat = region.level == 0 && std::max(width, height) > flat * std::min(width, height);
    const double evenly =
        is_flat ? std::max(fewest_tiles, agents_in(region.end - region.begin) / agents_in_a_spot) : wanted;
    Sizes least = least_sides(region.ground.common, region.level);
    least.height = std::max(least.height, step_between(e.min_y, e.max_y));
    const Sizes side = sides_of_tiles(wanted, std::min(wanted, evenly), {width, height}, least);
    if (!(side.width > least_length && side.height > least_length)) return false;
    const double columns = std::floor(width / side.width) + 1, rows = std::floor(height / side.height) + 1;
    tiles = {.origin_x = e.min_x,
             .origin_y = e.min_y,
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

// If many points are in one tile, counting or placing a point waits for the one before. The other half of the
// points does not.
template <class Front, class Back>
void IslandPlanner::for_each_tile(const Region& region, const simd::Tiles& tiles, Front&& front,
                                  Back&& back) const noexcept {
    constexpr std::size_t at_once = 64;
    std::array<std::uint32_t, at_once> in_front, behind;
    const Box* first = points_.data() + region.begin;
    const Box* end = points_.data() + region.end;
    while (first != end) {
        const auto left = static_cast<std::size_t>(end - first), count = std::min(at_once, (left + 1) / 2),
                   others = std::min(count, left - count);
        kernels_.rows->find_tiles(tiles, as_kernel(first), count, in_front.data());
        kernels_.rows->find_tiles(tiles, as_kernel(end - others), others, behind.data());
        for (std::size_t i = 0; i < others; ++i) {
            front(first[i], in_front[i]);
            back(*--end, behind[others - 1 - i]);
        }
        if (others != count) front(first[others], in_front[others]);
        first += count;
    }
}

bool IslandPlanner::count_tiles(const Region& region, const simd::Tiles& tiles) noexcept {
    const std::size_t count = std::size_t{tiles.columns} * tiles.rows;
    // With many tiles, hardly two points in a row are in one tile.
    const bool apart = count <= region.end - region.begin;
    counts_.clear();
    if (!resize_amply(counts_, apart ? 2 * count : count, 0u)) return false;
    std::uint32_t *const of_first = counts_.data(), *const of_others = of_first + (apart ? count : 0);
    for_each_tile(
        region, tiles, [of_first](const Box&, std::uint32_t tile) { ++of_first[tile]; },
        [of_others](const Box&, std::uint32_t tile) { ++of_others[tile]; });
    for (std::size_t tile = 0; apart && tile < count; ++tile) of_first[tile] += of_others[tile];
    (void)counts_.resize(count);
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

// The least number of points of an island. It rises if there would be more islands than region numbers.
std::uint32_t IslandPlanner::least_on_island(std::uint32_t level) const noexcept {
    const double fewest = level == 0 ? on_outer_island : on_inner_island;
    auto least = static_cast<std::uint32_t>(std::ceil(fewest / weight_));
    if (weight_ > 1) least = std::max(least, points_on_an_island);
    for (;; least *= 2) {
        std::size_t islands = 0;
        for (const std::uint32_t count : counts_) islands += count >= least;
        if (regions_.size() + islands <= most_regions) return least;
    }
}

// How many agents share a cell beside the islands, whose grid is over all tiles. Seen by an agent there, or
// by any agent, since those on islands look there too.
double IslandPlanner::crowding_beside(const Ground& ground, const simd::Tiles& tiles,
                                      std::uint32_t least) const noexcept {
    std::uint64_t points = 0, left = 0;
    for (const std::uint32_t count : counts_) {
        points += count;
        if (count < least) left += count;
    }
    if (left == 0) return 0;
    const GridFit fit = fit_grid(evenly_on(ground, agents_in(static_cast<std::size_t>(left))));
    const double cells = fit.columns * fit.rows;
    const auto across = std::min(squares_beside, static_cast<std::uint32_t>(std::sqrt(cells))),
               columns = std::min(across, tiles.columns), rows = std::min(across, tiles.rows);
    std::array<std::uint32_t, squares_beside * squares_beside> beside, on_islands;
    std::fill_n(beside.begin(), columns * rows, 0u);
    std::fill_n(on_islands.begin(), columns * rows, 0u);
    // Where the tiles of each column begin.
    std::array<std::uint32_t, squares_beside + 1> begins;
    for (std::uint32_t k = 0; k <= columns; ++k) begins[k] = (k * tiles.columns + columns - 1) / columns;
    for (std::uint32_t row = 0; row < tiles.rows; ++row) {
        const std::uint32_t* here = counts_.data() + std::size_t{row} * tiles.columns;
        const std::size_t to = std::size_t{row} * rows / tiles.rows * columns;
        for (std::uint32_t k = 0; k < columns; ++k) {
            std::uint32_t few = 0, all = 0;
            for (std::uint32_t column = begins[k]; column < begins[k + 1]; ++column) {
                all += here[column];
                few += here[column] < least ? here[column] : 0;
            }
            beside[to + k] += few;
            on_islands[to + k] += all - few;
        }
    }
    double seen = 0, seen_from_islands = 0;
    for (std::uint32_t i = 0; i < columns * rows; ++i) {
        seen += double{1} * beside[i] * beside[i];
        seen_from_islands += double{1} * beside[i] * on_islands[i];
    }
    return std::max(seen / static_cast<double>(left),
                    (seen + seen_from_islands) / static_cast<double>(points)) *
           weight_ * std::min(1.0, static_cast<double>(columns * rows) / cells);
}

// A spot across a border of tiles is one spot: each island counts with the fullest square of two by two tiles
// that it is in.
double IslandPlanner::pairs_on_islands(const simd::Tiles& tiles, std::uint32_t least) const noexcept {
    const auto on_island = [&](std::uint32_t column, std::uint32_t row) -> std::uint32_t {
        // Before the first one the number wraps around.
        if (column >= tiles.columns || row >= tiles.rows) return 0;
        const std::uint32_t count = counts_[std::size_t{row} * tiles.columns + column];
        return count >= least ? count : 0;
    };
    double pairs = 0;
    for (std::uint32_t row = 0; row < tiles.rows; ++row)
        for (std::uint32_t column = 0; column < tiles.columns; ++column) {
            const std::uint32_t here = on_island(column, row);
            if (here == 0) continue;
            std::uint32_t fullest = 0;
            for (const std::uint32_t beside : {column - 1, column + 1})
                for (const std::uint32_t above : {row - 1, row + 1})
                    fullest = std::max(fullest, here + on_island(beside, row) + on_island(column, above) +
                                                    on_island(beside, above));
            pairs += agents_in(here) * agents_in(fullest) / 2;
        }
    return pairs;
}

// Leaves the region as it is if islands would hold too few of its agents.
bool IslandPlanner::cut(std::uint32_t number, double shortage) noexcept {
    const Region region = regions_[number];
    const double agents = agents_on_one(region);
    // An inner region's spots can be cut again, so cuts with less than two points a tile are not tried.
    const double points = region.end - region.begin,
                 most = region.level == 0 ? agents : std::min(agents, points / points_in_a_tile);
    const double wanted = std::clamp(agents * shortage / agents_in_a_spot, fewest_tiles,
                                     std::max(fewest_tiles, std::min(most, most_tiles)));
    simd::Tiles tiles{};
    if (!lay_tiles(region, wanted, tiles)) return true;
    if (!count_tiles(region, tiles)) return false;
    std::uint32_t least = least_on_island(region.level);
    while (counts_.size() > few_tiles && crowding_beside(region.ground, tiles, least) > most_beside) {
        join_tiles(tiles);
        least = least_on_island(region.level);
    }
    std::size_t islands = 0, on_islands = 0;
    for (const std::uint32_t count : counts_)
        if (count >= least) ++islands, on_islands += count;
    const double all = agents_in(region.end - region.begin);
    if (islands == 0 ||
        (agents_in(on_islands) < least_on_islands * all && pairs_on_islands(tiles, least) < many_pairs * all))
        return true;

    const auto first = static_cast<std::uint32_t>(regions_.size());
    if (!cuts_.push_back({tiles, {number, first, first + static_cast<std::uint32_t>(islands)}}) ||
        !part(region, tiles, least))
        return false;
    return fit_beside(regions_[number]);
}

// Makes the regions of the islands of the last cut, at their future places among the points.
bool IslandPlanner::add_islands(const Region& region, std::uint32_t least) noexcept {
    const auto own_cut = static_cast<std::uint32_t>(cuts_.size() - 1);
    const WorldMap::Cut& cut = cuts_[own_cut].cut;
    std::uint32_t at = region.end - region.begin;
    for (const std::uint32_t count : counts_)
        if (count >= least) at -= count;
    homes_.clear();
    if (!reserve_amply(homes_, 1 + cut.end_island - cut.first_island)) return false;
    (void)homes_.push_back({0, at});
    for (std::size_t tile = 0; tile < counts_.size(); ++tile) {
        std::uint32_t& count = counts_[tile];
        if (count < least) {
            count = 0;
            continue;
        }
        const WorldMap::Position place{own_cut, static_cast<std::uint32_t>(tile)};
        const std::uint32_t first = region.begin + at;
        if (!regions_.push_back({.begin = first,
                                 .end = first + count,
                                 .place = place,
                                 .level = region.level + 1,
                                 .ground = {},
                                 .before = {}}))
            return false;
        at += count;
        const auto home = static_cast<std::uint32_t>(homes_.size());
        (void)homes_.push_back({at - count, at});
        count = home;
    }
    Region& open = regions_[cut.region];
    open.own_cut = own_cut;
    open.end = region.begin + homes_[0].back;
    return true;
}

// Makes the islands' regions, and sorts the points by island, points outside islands first. It is stable.
bool IslandPlanner::part(const Region& region, const simd::Tiles& tiles, std::uint32_t least) noexcept {
    const std::uint32_t points = region.end - region.begin;
    const bool have_bands = bands_.size() != 0;
    if (!add_islands(region, least) || !resize_amply(sorted_, points) ||
        (have_bands && !resize_amply(sorted_bands_, points)))
        return false;
    Home* const homes = homes_.data();
    const std::uint32_t* const home_of = counts_.data();
    const auto put = [this, have_bands](const Box& point, std::uint32_t at) {
        sorted_[at] = point;
        if (have_bands) sorted_bands_[at] = bands_[static_cast<std::size_t>(&point - points_.data())];
    };
    for_each_tile(
        region, tiles,
        [=](const Box& point, std::uint32_t tile) { put(point, homes[home_of[tile]].front++); },
        [=](const Box& point, std::uint32_t tile) { put(point, --homes[home_of[tile]].back); });
    std::copy_n(sorted_.begin(), points, points_.begin() + region.begin);
    if (have_bands) std::copy_n(sorted_bands_.begin(), points, bands_.begin() + region.begin);
    return true;
}

}  // namespace throng::detail
