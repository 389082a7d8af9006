#include "engine/src/plan/islands/island_planner.hpp"

#include <array>
#include <cmath>

#include "base/box_math.hpp"
#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "base/sample.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/traits.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// --- The place of a region's agents: boxes around their lower left corners ---

Box clamped(const Box& box, const Box& to) noexcept {
    const auto x = [&](float at) { return std::clamp(at, to.min_x, to.max_x); };
    const auto y = [&](float at) { return std::clamp(at, to.min_y, to.max_y); };
    return {x(box.min_x), y(box.min_y), x(box.max_x), y(box.max_y)};
}
// Keeps each side of a box that is less than half of the box of most agents.
Box narrowed(Box box, const Box& most) noexcept {
    const auto narrow = [](float& low, float& high, float from, float to) {
        if (2 * (double(to) - from) < double(high) - low) low = from, high = to;
    };
    narrow(box.min_x, box.max_x, most.min_x, most.max_x);
    narrow(box.min_y, box.max_y, most.min_y, most.max_y);
    return box;
}
bool is_inside(const Box& box, const Box& extent) noexcept {
    return box.min_x >= extent.min_x && box.min_x <= extent.max_x && box.min_y >= extent.min_y &&
           box.min_y <= extent.max_y;
}

double width_of(const Box& box) noexcept { return double(box.max_x) - box.min_x; }
double height_of(const Box& box) noexcept { return double(box.max_y) - box.min_y; }

// Whether so few pairs of some points overlap that the tree saves most comparisons of a cell.
bool few_overlap(std::span<const Box> points) noexcept {
    const std::size_t some = std::min(compared_points, points.size());
    std::size_t pairs = 0, found = 0;
    for (std::size_t i = 0; i < some; ++i)
        for (std::size_t k = 0; k < i; ++k, ++pairs)
            found +=
                overlap(points[sampled(i, some, points.size())], points[sampled(k, some, points.size())]);
    return overlap_one_in * found < pairs;
}

// --- How large tiles are, and how large a common agent in them may be ---

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

// The sides of about as many tiles as wanted in the region. A tile is at least as large as the common agents,
// `least`. If these are long and thin, so are the tiles: a square for them would hold far too many. In a
// region as flat as one row of tiles no agent reaches into another row, however high it is. At most
// `side_by_side` long tiles lie next to each other.
Sizes sides_of_tiles(double tiles, double side_by_side, const Sizes& region, const Sizes& least) noexcept {
    const double area = region.width * region.height,
                 wanted = std::max(std::sqrt(area / tiles), std::max(region.width, region.height) /
                                                                std::min(tiles, double{most_rows}));
    const double wide = std::min(least.width, region.width), high = std::min(least.height, region.height);
    if (wide > std::max(wanted, long_from * least.height))
        return {wide, std::max({least.height, area / tiles / wide,
                                region.height / std::min(side_by_side, double{most_rows})})};
    if (high > std::max(wanted, long_from * least.width))
        return {std::max({least.width, area / tiles / high,
                          region.width / std::min(side_by_side, double{most_rows})}),
                high};
    const auto square = [](double side) { return Sizes{side, side}; };
    if (region.height < std::max(wanted, least.width)) return square(std::max(wanted, least.width));
    if (region.width < std::max(wanted, least.height)) return square(std::max(wanted, least.height));
    return square(std::max({wanted, least.width, least.height}));
}

// A search looks as far as the largest common agent of the islands of a cut and of the land between them, on
// its way to any island. So agents much larger than those `around` are common only up to a part of a tile:
// few searches then meet another tile for them.
Sizes widest_common(const Sizes& around, const simd::Tiles& tiles) noexcept {
    const double width = part_of_a_tile / double(tiles.inverse_width),
                 height = part_of_a_tile / double(tiles.inverse_height);
    // With one row of tiles, common agents may be higher than the tiles. That does not limit their width. The
    // same is true the other way round.
    const double side = 1 / double(tiles.inverse_width);
    const bool is_flat = around.width > side || around.height > side;
    if (width != height || is_flat) return {std::max(around.width, width), std::max(around.height, height)};
    const double most = std::max({around.width, around.height, width});
    return {most, most};
}

}  // namespace

bool IslandPlanner::plan(Store& store, Survey& survey, const Task& task, const Agents& agents,
                         WorldMap& map) noexcept {
    const std::size_t wanted = std::min(agents.count(), task.points);
    if (!map.has_storeys()) map = WorldMap(make_grid(fit_grid(task.ground), task.ground));
    floors_ = task.floors;
    const bool have_bands = floors_.count != 0 && agents.have_heights();
    points_.clear();
    bands_.clear();
    regions_.clear();
    cuts_.clear();
    if (!reserve_amply(points_, wanted) || (have_bands && !reserve_amply(bands_, wanted))) return false;
    for (std::size_t k = 0; k < wanted; ++k) {
        const std::size_t i = sampled(k, wanted, agents.count());
        const Box box = agents(i);
        const Band band = have_bands ? agents.band(i) : Band{};
        if (check(box) != Code::ok || check(band) != Code::ok) continue;
        (void)points_.push_back(box);
        if (have_bands) (void)bands_.push_back(band);
    }
    if (points_.size() == 0) return true;
    weight_ = static_cast<double>(agents.count()) / static_cast<double>(points_.size());
    const auto points = static_cast<std::uint32_t>(points_.size());
    if (!regions_.push_back(
            {.begin = 0, .end = points, .place = {}, .level = 0, .ground = task.ground, .before = {}}))
        return false;
    find_storeys(regions_[0]);
    if (!plan_regions(survey, task.shortage)) return false;
    if (cuts_.size() == 0) return true;
    if (!leaves_most_to_tree()) return make_map(store, map);
    map = WorldMap(make_rows(task.ground));
    return true;
}

bool IslandPlanner::plan_regions(Survey& survey, double shortage) noexcept {
    survey_ = &survey;
    if (!cut(0, shortage)) return false;
    for (std::uint32_t r = 1; r < regions_.size(); ++r)
        if (!plan_island(r)) return false;
    return true;
}

bool IslandPlanner::plan_island(std::uint32_t number) noexcept {
    Region& island = regions_[number];
    const PlannedCut& home = cuts_[island.place.cut];
    island.ground = regions_[home.cut.region].before;
    const Sizes around = island.ground.common;
    fit_extent(island);
    find_storeys(island);
    fit_common(island, around);
    spread_evenly(island);
    double shortage = 0;
    if (!find_shortage(island, shortage)) return false;
    if (shortage < crowded_spots) return true;
    if (island.level < most_levels && !cut(number, shortage)) return false;
    // For regions that could not be cut, or not again.
    Region& whole = regions_[number];
    if (whole.own_cut == 0) whole.to_tree = few_overlap(points_of(whole));
    return true;
}

// If sizes grow with the distance from some place, most agents may be oversized on every island too. Then a
// search would go through islands and find nearly everything in the tree.
bool IslandPlanner::leaves_most_to_tree() const noexcept {
    std::size_t oversized = 0;
    for (const Region& region : regions_) {
        const Sizes &common = region.ground.common,
                    largest{common.width * sample_room, common.height * sample_room};
        for (const Box& box : points_of(region))
            oversized += region.to_tree || width_of(box) > largest.width || height_of(box) > largest.height;
    }
    return static_cast<double>(oversized) > most_oversized * static_cast<double>(points_.size());
}

// --- One region --------------------------------------------------------------------------------------------

// Around its points. These may lie outside a tile at the edge of the world; no cells are needed there.
void IslandPlanner::fit_extent(Region& region) const noexcept {
    const std::span<const Box> points = points_of(region);
    const simd::Query corners = kernels_.rows->bound_corners(as_kernel(points.data()), points.size());
    region.ground.extent = clamped(box_of(corners), region.ground.extent);
}

// Agents nearly as large as the agents around count as these, so the sample need not have the largest one.
void IslandPlanner::fit_common(Region& region, const Sizes& around) noexcept {
    const std::span<const Box> points = points_of(region);
    const std::uint32_t cut = region.own_cut != 0 || region.level == 0 ? region.own_cut : region.place.cut;
    const Sizes most = widest_common(around, cuts_[cut].tiles);
    // Agents in the outermost cells, outside of the grid, do not measure the crowd inside.
    const Box& e = region.ground.extent;
    const auto inside = [&](std::size_t i) { return is_inside(points[i], e) ? points[i] : no_box; };
    survey_->take(
        Agents(points.size(), inside),
        std::clamp<std::size_t>(points.size() / region_one_in, fewest_in_region, surveyed_in_region),
        static_cast<std::size_t>(agents_in(points.size())));
    if (survey_->empty()) return;
    const Sizes found = common_size(*survey_, most);
    // Sizes have the rounding error of their coordinates.
    const auto fit = [](double size, double as_around, double rounded) {
        return size < as_around && other_common * size >= as_around ? as_around : size + rounded;
    };
    region.ground.common = {fit(found.width, around.width, rounding * step_between(e.min_x, e.max_x)),
                            fit(found.height, around.height, rounding * step_between(e.min_y, e.max_y))};
}

// A region has no storeys if its agents are few, hardly above each other, or on few of the storeys.
void IslandPlanner::find_storeys(Region& region) const noexcept {
    const std::size_t points = region.end - region.begin;
    region.storeys = 1;
    if (bands_.size() == 0 || agents_in(points) < fewest_on_storeys) return;
    const double storeys =
        static_cast<double>(points) / looks_with(floors_, {bands_.data() + region.begin, points});
    if (storeys >= std::max(less_crowded, least_of_layers * (floors_.count + 2))) region.storeys = storeys;
}

// On each storey alike.
void IslandPlanner::spread_evenly(Region& region) const noexcept {
    Ground& here = region.ground;
    here.agents = static_cast<std::size_t>(agents_on_one(region));
    const double area = std::max(width_of(here.extent), std::max(here.common.width, least_length)) *
                        std::max(height_of(here.extent), std::max(here.common.height, least_length));
    here.density = static_cast<double>(here.agents) / area;
}

bool IslandPlanner::find_shortage(const Region& region, double& shortage) noexcept {
    shortage = 0;
    if (region.ground.agents < fewest_to_cut) return true;
    const simd::Grid grid = make_grid(fit_grid(region.ground), region.ground);
    const std::size_t cells = std::size_t{grid.columns} * grid.rows;
    if (cells == 1) return true;
    counts_.clear();
    if (!resize_amply(counts_, cells, 0u)) return false;
    std::uint64_t seen = 0;
    const auto looked_at =
        static_cast<double>(visit_some(points_of(region), enough_points, [&](const Box& point) {
            seen += counts_[std::size_t{row_at(grid, point.min_y)} * grid.columns +
                            column_at(grid, point.min_x)]++;
        }));
    const double agents = agents_on_one(region),
                 found = 2 * static_cast<double>(seen) / looked_at * (agents / looked_at);
    if (found > uneven * agents / static_cast<double>(cells)) shortage = found / crowded_cell;
    return true;
}

// The rest of a region beside its islands. Few agents are taken to be spread evenly.
bool IslandPlanner::fit_beside(Region& region) noexcept {
    const double before = static_cast<double>(region.ground.agents);
    region.before = region.ground;
    find_storeys(region);
    spread_evenly(region);
    if (region.begin == region.end) return true;
    fit_common(region, region.before.common);
    const auto agents = static_cast<double>(region.ground.agents);
    if (survey_->empty() || (agents < least_on_islands * before && agents * agents < 2 * many_pairs * before))
        return true;
    region.ground.density = survey_->density() / region.storeys;
    region.ground.extent = narrowed(region.ground.extent, survey_->extent());
    double shortage = 0;
    if (!find_shortage(region, shortage)) return false;
    region.to_tree = shortage >= crowded_spots && few_overlap(points_of(region));
    return true;
}

// --- Tiles: how a region is cut, and its crowded ones become islands ---

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

// --- All regions -------------------------------------------------------------------------------------------

bool IslandPlanner::make_map(Store& store, WorldMap& map) noexcept {
    planned_.clear();
    if (!resize_amply(planned_, regions_.size())) return false;
    // Rows of islands become higher until all together are few enough, and fewer regions have storeys.
    for (double higher = row_over_row;; higher *= 2) {
        std::size_t rows = 0;
        for (std::size_t r = 0; r < regions_.size(); ++r) {
            const Region& region = regions_[r];
            GridFit fit = fit_grid(region.ground);
            if (r != 0) {
                fit.height *= higher;
                fit.rows = std::floor(height_of(region.ground.extent) / fit.height) + 1;
            }
            const bool has_storeys =
                region.storeys > 1 && !region.to_tree &&
                agents_in(region.end - region.begin) * row_over_row >= fewest_on_storeys * higher;
            planned_[r] = {make_grid(fit, region.ground), region.place, region.own_cut, has_storeys};
            if (region.to_tree) planned_[r].grid.common_width = planned_[r].grid.common_height = -1;
            rows += planned_[r].grid.rows * planned_[r].layers(floors_);
        }
        if (rows <= most_rows) break;
    }
    return make_tables(store, {planned_.data(), planned_.size()}, {cuts_.data(), cuts_.size()}, floors_, map);
}

}  // namespace throng::detail
