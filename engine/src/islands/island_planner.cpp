#include "engine/src/islands/island_planner.hpp"

#include <cmath>

#include "engine/src/base/as_kernel.hpp"
#include "engine/src/base/cell_math.hpp"
#include "engine/src/islands/extents.hpp"
#include "engine/src/islands/tile_sides.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

constexpr std::size_t max_rows_together = 65000;
// An island is cut again if it has this many agents and its grid is too coarse by this factor.
constexpr double min_to_cut = 96, crowded_spots = 6;
// This many agents in a cell count like one missing cell.
constexpr double crowded_cell = 4;
constexpr std::uint32_t max_depth = 48;
// What a region costs without its points, in steps, and how often points may be quartered.
constexpr std::size_t steps_of_a_region = 32;
constexpr unsigned max_coarser = 1;
// Whether cells pay is known early if this many points, and one in so many, have got their region. That is asked only this deep,
// since the agents farthest outside may be of another kind.
constexpr std::size_t min_settled = 128, points_for_one_settled = 8;
constexpr std::uint32_t min_depth_to_tell = 3;
// The tree serves a world of few agents in less time than islands if these are many, would hold few each on average, and such a share of
// all would be oversized.
constexpr double few_on_an_island = 128, share_of_oversized = 1.0 / 8;
constexpr std::size_t few_in_the_world = 8192, islands_that_tell = 16;
// From which level of islands on points are thinned out, to how few in a region and in all, and until each stands for how many
// agents.
constexpr std::uint32_t min_depth_to_thin = 2, fewest_to_thin_to = 64, fewest_in_all = 512;
constexpr double most_for_a_point = 48;

}  // namespace

void IslandPlanner::give_back_excess(std::size_t agents) noexcept {
    const auto release = [agents](auto&... buffers) { (release_excess(buffers, agents), ...); };
    release(points_, sorted_, counts_, homes_, regions_, cuts_, planned_);
}

bool IslandPlanner::plan_points(Store& store, Effort& effort, const Task& task, WorldMap& map) noexcept {
    map = WorldMap(make_grid(fit_grid(task.ground), task.ground));
    regions_.clear();
    cuts_.clear();
    lessons.points = lessons.looks = points_.size();
    lessons.held_few = false;
    settled_ = oversized_ = 0;
    effort_ = &effort;
    surveys_.start(effort);
    cut_short_ = false;
    if (points_.size() == 0) return true;
    const std::size_t steps = effort.left();
    thins_out_ = task.thins_out;
    weight_ = weight_at_first_ =
        static_cast<double>(task.ground.agents) / static_cast<double>(points_.size());
    if (!regions_.push_back({0, static_cast<std::uint32_t>(points_.size()), {}, 0, 0, task.ground, {}, 1, 0}))
        return false;
    if (!cut(0, task.shortage)) return false;
    if (cuts_.size() == 0 && fit_out_of_sight(regions_[0]) && !cut(0, task.shortage)) return false;
    settle(regions_[0]);
    for (std::uint32_t r = 1; r < regions_.size(); ++r) {
        if (!plan_region(r)) return false;
        settle(regions_[r]);
        const bool tells = settled_ >= std::max(min_settled, points_.size() / points_for_one_settled);
        if (regions_[r].depth >= min_depth_to_tell && ((tells && fits_no_cells()) || holds_few(task, r)))
            break;
    }
    follow_effort(steps);
    if (cuts_.size() == 0) return true;
    lessons.held_few = holds_few(task, regions_.size() - 1);
    if (!fits_no_cells() && !lessons.held_few) return make_map(store, map);
    map = WorldMap(make_rows(task.ground));
    return true;
}

// Counts the points that stay in a region.
void IslandPlanner::settle(const Region& region) noexcept {
    const double width = region.ground.common.width * sample_room,
                 height = region.ground.common.height * sample_room;
    const std::span<const Box> points = points_of(region);
    std::size_t oversized = 0;
    for (const Box& box : points)
        oversized += double(box.max_x) - box.min_x > width || double(box.max_y) - box.min_y > height;
    settled_ += points.size() * region.each;
    oversized_ += oversized * region.each;
}

// Where sizes grow with the distance from some place, most agents may be oversized on every island, too. Then a search would go
// through islands and find nearly everything in the tree.
bool IslandPlanner::fits_no_cells() const noexcept { return 11 * oversized_ > 6 * settled_; }

// Whether islands hold so few of a world's few agents each that it has none. Told by the first so many of them.
bool IslandPlanner::holds_few(const Task& task, std::size_t islands) const noexcept {
    const auto settled = static_cast<double>(settled_);
    return !task.first_of_all && task.ground.agents <= few_in_the_world && islands >= islands_that_tell &&
           weight_at_first_ * settled < few_on_an_island * static_cast<double>(islands) &&
           static_cast<double>(oversized_) > share_of_oversized * settled;
}

// Keeps every other point of a region on each level from the second one on, until each stands for as many agents as it may, or
// few are left in all.
void IslandPlanner::thin_out(Region& region) noexcept {
    const std::uint32_t points = region.end - region.begin, half = points / 2;
    if (!thins_out_ || region.depth < min_depth_to_thin || half < fewest_to_thin_to ||
        2 * region.each * weight_at_first_ > most_for_a_point ||
        2 * region.each * fewest_in_all > points_.size())
        return;
    for (std::uint32_t k = 0; k < half; ++k)
        points_[region.begin + k] = points_[region.begin + sampled(k, half, points)];
    region.end = region.begin + half;
    region.each *= 2;
}

bool IslandPlanner::plan_region(std::uint32_t r) noexcept {
    const std::size_t led_here = std::size_t{regions_[r].end - regions_[r].begin} * regions_[r].each;
    thin_out(regions_[r]);
    weight_ = weight_at_first_ * regions_[r].each;
    const std::uint32_t home = cuts_[regions_[r].place.cut].cut.region,
                        points = regions_[r].end - regions_[r].begin;
    Ground around = regions_[home].ground;
    around.common = regions_[home].common_before;
    around.extent = regions_[home].extent_before;
    around.searched_by = {};
    if (!may_spend(steps_of_a_region + points)) {
        regions_[r].ground = around;
        fit_extent(regions_[r]);
        spread_evenly(regions_[r]);
        return true;
    }
    double shortage = 1;
    lessons.looks += led_here;
    if (!fit_ground(regions_[r], around, shortage)) return false;
    if (shortage < crowded_spots || regions_[r].depth >= max_depth) return true;
    if (!cut(r, shortage)) return false;
    if (regions_[r].own_cut != 0) return true;
    // Tiles are as large as the common agents need: with fewer of these it may be cut after all.
    if (!fit_fewer(regions_[r], shortage)) return false;
    return shortage < crowded_spots || cut(r, shortage);
}

bool IslandPlanner::may_spend(std::size_t steps) noexcept {
    const bool may = effort_->spend(steps);
    cut_short_ = cut_short_ || !may;
    return may;
}

// A plan that there were not enough steps for is followed by one from a quarter of the points, which reaches four times as far
// with them, and that by one from as many as ever where there would be steps enough.
void IslandPlanner::follow_effort(std::size_t steps_before) noexcept {
    const std::size_t spent = steps_before - effort_->left();
    cut_short_ = cut_short_ || surveys_.refused();
    goes_on_ = lessons.coarser < max_coarser;
    if (cut_short_)
        lessons.coarser += goes_on_;
    else if (lessons.coarser > 0 && 5 * spent <= steps_before)
        --lessons.coarser;
}

std::size_t IslandPlanner::steps_to_move(const WorldMap& map) noexcept {
    std::size_t tiles = 0;
    for (std::uint32_t c = 0; c < map.cuts(); ++c)
        tiles += std::size_t{map.tables().tiles[c].columns} * map.tables().tiles[c].rows;
    return (steps_of_a_region * map.regions() + tiles) / 4;
}

bool IslandPlanner::move(Store& store, const WorldMap& from, const Motion& by, WorldMap& map) noexcept {
    const WorldMap::Tables& t = from.tables();
    planned_.clear();
    cuts_.clear();
    if (!resize_amply(planned_, t.count) || !reserve_amply(cuts_, t.cut_count)) return false;
    const auto move_origin = [&](auto& of) {
        of.origin_x = moved(of.origin_x, by.x);
        of.origin_y = moved(of.origin_y, by.y);
    };
    for (std::uint32_t r = 0; r < t.count; ++r) {
        planned_[r] = {t.grids[r], t.places[r], t.regions[r].cut, 0};
        move_origin(planned_[r].grid);
    }
    for (std::uint32_t c = 0; c < t.cut_count; ++c) {
        simd::Tiles tiles = t.tiles[c];
        // Only islands in chains get a point, so the same chains are found again.
        for (std::uint32_t k = 0; k < tiles.nested_count; ++k) planned_[tiles.nested[k].region].points = 1;
        tiles.nested = nullptr;
        tiles.nested_count = 0;
        move_origin(tiles);
        (void)cuts_.push_back({tiles, t.cuts[c]});
    }
    return make_tables(store, {planned_.data(), planned_.size()}, {cuts_.data(), cuts_.size()}, map);
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
    const auto looked_at =
        static_cast<double>(visit_some(points_of(region), enough_points, [&](const Box& point) {
            seen += counts_[std::size_t{row_at(grid, point.min_y)} * grid.columns +
                            column_at(grid, point.min_x)]++;
        }));
    const double agents = agents_in(region.end - region.begin),
                 found = 2 * static_cast<double>(seen) / looked_at * (agents / looked_at);
    if (found > much * agents / static_cast<double>(cells)) others = found;
    return true;
}

// Around its points. These may lie outside a tile at the edge of the world; no cells are needed there.
void IslandPlanner::fit_extent(Region& region) const noexcept {
    const std::span<const Box> points = points_of(region);
    const simd::Query corners = kernels_.rows->bound_corners(as_kernel(points.data()), points.size());
    region.ground.extent = clamped(box_of(corners), region.ground.extent);
}

// Finds the factor by which its own grid would be too coarse.
bool IslandPlanner::fit_ground(Region& region, const Ground& around, double& shortage) noexcept {
    Ground& here = region.ground;
    here = around;
    fit_extent(region);
    here.common = common_size_in(points_of(region), weight_, here.extent, around.common,
                                 widest_common(around.common, cuts_[region.place.cut].tiles), surveys_);
    return find_shortage(region, shortage);
}

void IslandPlanner::spread_evenly(Region& region) const noexcept {
    Ground& here = region.ground;
    here.agents = static_cast<std::size_t>(agents_in(region.end - region.begin));
    const double area = std::max(width_of(here.extent), std::max(here.common.width, 1e-37)) *
                        std::max(height_of(here.extent), std::max(here.common.height, 1e-37));
    here.density = static_cast<double>(here.agents) / std::max(area, 1e-300);
}

bool IslandPlanner::find_shortage(Region& region, double& shortage) noexcept {
    const Ground& here = region.ground;
    spread_evenly(region);
    shortage = 1;
    if (static_cast<double>(here.agents) < min_to_cut) return true;
    if (!count_uneven_crowding(region, shortage)) return false;
    shortage /= crowded_cell;
    return true;
}

// A few large agents among many in one spot: too few to be noticed by their share, and a cell that fits them would
// hold few others if the region were evenly crowded. A survey sees the spot. If it leaves the common agents as they
// were, nothing is short.
bool IslandPlanner::fit_fewer(Region& region, double& shortage) noexcept {
    const Sizes before = region.ground.common;
    const Sizes fewer =
        common_size_of_crowd(points_of(region), weight_, region.ground.extent, before, surveys_);
    shortage = 1;
    if (2 * fewer.width > before.width && 2 * fewer.height > before.height) return true;
    region.ground.common = {std::min(fewer.width, before.width), std::min(fewer.height, before.height)};
    return find_shortage(region, shortage);
}

// A survey sees nothing below its smallest square. A world may be so large, for the sake of a few agents far out, that a crowd in
// one such square seems empty, and agents as large as the world common. Returns whether nearly all are far smaller.
bool IslandPlanner::fit_out_of_sight(Region& world) noexcept {
    constexpr double smallest_square = 0x1p-16;
    const Sizes before = world.ground.common,
                fewer =
                    common_size_in(points_of(world), weight_, world.ground.extent, before, before, surveys_);
    if (fewer.width >= smallest_square * before.width && fewer.height >= smallest_square * before.height)
        return false;
    world.ground.common = fewer;
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
