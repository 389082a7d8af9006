#include "engine/src/plan/islands/island_planner.hpp"

#include <cmath>

#include "base/box_math.hpp"
#include "base/kernels.hpp"
#include "base/sample.hpp"
#include "engine/src/plan/islands/extents.hpp"
#include "engine/src/plan/islands/tile_sides.hpp"
#include "engine/src/plan/survey/common_size.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

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
        if (check(box) != Code::ok) continue;
        (void)points_.push_back(box);
        if (have_bands) (void)bands_.push_back(agents.band(i));
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
    survey_->take(
        points.size(),
        std::clamp<std::size_t>(points.size() / region_one_in, fewest_in_region, surveyed_in_region),
        [&](std::size_t i) { return is_inside(points[i], e) ? points[i] : no_box; },
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
