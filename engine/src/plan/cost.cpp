// What a frame costs.
#include <algorithm>
#include <array>
#include <cstdint>

#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "base/sample.hpp"
#include "engine/src/plan/numbers.hpp"
#include "engine/src/plan/planner.hpp"
#include "simd/query_kernels.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// Some lookups together.
struct Lookups {
    simd::QueryCost cost;
    std::uint64_t hits = 0, count = 0;

    void add(const FrameState& frame, const Box& box, const Band& band) noexcept {
        const simd::Query query = query_of(box);
        const Filter filter{.categories = all_categories, .heights = band};
        simd::LabelFilters filters;
        if (frame.has_heights()) filters = {.first = &filter.categories, .bands = &filter.heights.min_z};
        std::uint32_t found = 0;
        simd::add_cost(frame.view, query, filters, cost);
        frame.kernels->queries->count_in_order(frame.view, filters, &query, 1, &found);
        hits += found;
        ++count;
    }
    // Weighed as in worlds/hunted/steps.hpp: eight agents are compared at once, and a row or an island takes
    // as long as several nodes.
    double looks_for_an_answer() const noexcept {
        const double looks = looks_of_lookup * number(count) + looks_of_row * number(cost.rows) +
                             looks_of_island * number(cost.islands) + number(cost.nodes) +
                             looks_of_agent * number(cost.tested) + looks_of_covered * number(cost.covered);
        return looks / number(std::max<std::uint64_t>(count + hits, 1));
    }
    double misses() const noexcept {
        return (number(cost.tested + cost.covered) - number(hits)) /
               number(std::max<std::uint64_t>(count, 1));
    }

private:
    static double number(std::uint64_t n) noexcept { return static_cast<double>(n); }
};

// About how many pairs of an agent on a storey and one between storeys share a cell of the plane.
double sharing_with_between(const FrameState& frame) noexcept {
    const WorldMap& map = frame.map;
    double sharing = 0;
    for (std::uint32_t region = 0; map.has_storeys() && region < map.regions(); ++region) {
        if (!map.has_storeys(region)) continue;
        const simd::Grid& grid = map.grid_of_region(region);
        const simd::Row* const rows = frame.rows.data() + map.first_row(region);
        double between = 0, on_storeys = 0;
        for (std::uint32_t r = 0; r < map.rows_of(region); ++r)
            (r < grid.rows ? between : on_storeys) += rows[r].common();
        sharing += between * on_storeys / (static_cast<double>(grid.columns) * grid.rows);
    }
    return sharing;
}

}  // namespace

double work_of(const FrameState& frame) noexcept {
    const double work = static_cast<double>(frame.sharing) + sharing_with_between(frame) +
                        static_cast<double>(work_of_oversized) * frame.view.oversized.count;
    return work / static_cast<double>(std::max<std::size_t>(frame.agents, 1));
}

Cost probe(const FrameState& frame, const Agents& agents) noexcept {
    std::array<Box, fewest_surveyed> boxes;
    std::array<Band, fewest_surveyed> bands;
    const std::size_t some = std::min(agents.count(), fewest_surveyed);
    for (std::size_t k = 0; k < some; ++k) {
        const std::size_t i = sampled(k, some, agents.count());
        boxes[k] = agents(i);
        if (agents.have_heights()) bands[k] = agents.band(i);
    }
    // In steps all over the sample, so that agents left out at the end are spread too.
    constexpr std::size_t step = 97;
    static_assert(fewest_surveyed % step != 0);
    Lookups own, points;
    for (std::size_t k = 0; k < some; ++k) {
        const std::size_t at = some == fewest_surveyed ? k * step % fewest_surveyed : k;
        const Box& box = boxes[at];
        if (check(box) != Code::ok) continue;
        if (own.cost.tested < most_looks) own.add(frame, box, bands[at]);
        if (points.count < probed_points && points.cost.tested < most_looks)
            points.add(frame, Box::around(box.centre(), 0), bands[at]);
    }
    const double oversized = static_cast<double>(frame.view.oversized.count) /
                             static_cast<double>(std::max<std::size_t>(frame.agents, 1));
    return {
        std::max(own.looks_for_an_answer(), points.looks_for_an_answer()) + looks_of_oversized * oversized,
        own.misses()};
}

}  // namespace throng::detail
