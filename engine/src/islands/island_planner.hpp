// Plans the islands of a world whose agents stand in a few crowded spots: villages on a continent, ships at
// sea, a city and its hinterland.
//
// A region is cut into tiles, small enough for most spots to have a tile of their own, and not so small that
// a spot is cut into crumbs. A tile that holds enough agents becomes an island, with a grid fitted to
// just the agents in it; all others stay in the region's own grid. An island in which the agents stand as
// unevenly as in the world is cut again, so each scale of the world has cells of its size:
//
//     +------+------+------+
//     |      |      |  .:: |    cut 0: the world. Two tiles are islands,
//     |      |      | :##: |    and the one on the right is cut again:
//     |  ::  |      |  ::  |    cut 1, with the tile # in the middle as an island
//     +------+------+------+
//
// So memory follows the agents, and a cell is as small as it should be. Planning looks at a sample of the
// agents; what a plan is worth shows when a frame is built on it (frame_builder.hpp counts).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/base/box_check.hpp"
#include "engine/src/frame/store.hpp"
#include "engine/src/islands/island_tables.hpp"
#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/sample.hpp"
#include "engine/src/plan/survey.hpp"
#include "engine/src/plan/world_map.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class IslandPlanner {
public:
    explicit IslandPlanner(MemoryResource* memory) noexcept
        : points_(memory), counts_(memory), regions_(memory), cuts_(memory), planned_(memory) {}

    // How many agents a plan looks at; and where the frame that was built on it disappointed.
    static std::size_t points_at_first(std::size_t agents) noexcept {
        const std::size_t share = agents / 8;
        return share < 8192 ? 8192 : share > 32768 ? 32768 : share;
    }
    static constexpr std::size_t points_at_most = std::size_t{1} << 20;
    // How many points a closer plan of such agents may look at, so that it costs no more than a few passes over all
    // agents: where the last plan led its points through many levels, the next one has fewer of them.
    std::size_t points_for_closer_look(std::size_t agents) const noexcept {
        constexpr std::size_t passes = 3;
        const std::size_t looked_at = points_.size() == 0 ? 1 : points_.size();
        const std::size_t levels = (looks_ + looked_at - 1) / looked_at;
        const std::size_t share = levels <= passes ? agents : agents / levels * passes;
        return share < points_at_most ? share : points_at_most;
    }

    // What is to be planned: the grid that the world would have without islands, by how much it would be too
    // coarse, and how many agents to look at.
    struct Task {
        Ground ground;
        double shortage;
        std::size_t points;
    };

    // Makes a map with islands. `box_at(i)` gives the boxes of the agents, in any order that the data alone
    // decides, and is called with ascending i. The map has no islands if they would hold too few of the agents;
    // its tables have no reference yet. `survey` is overwritten. False if there is no memory.
    template <class BoxAt>
    [[nodiscard]] bool plan(Store& store, Survey& survey, const Task& task, BoxAt&& box_at,
                            WorldMap& map) noexcept {
        const std::size_t agents = task.ground.agents, wanted = agents < task.points ? agents : task.points;
        if (!reserve_points(wanted)) return false;
        for (std::size_t k = 0; k < wanted; ++k) {
            const Box box = box_at(sampled(k, wanted, agents));
            if (check(box) == Code::ok) (void)points_.push_back(box);
        }
        return plan_points(store, survey, task, map);
    }

    // After a frame of so many agents: gives back what was made for many times as many.
    void give_back_excess(std::size_t agents) noexcept;

private:
    static constexpr std::uint32_t nowhere = 0xFFFFFFFFu;

    struct Region {
        std::uint32_t begin, end;  // its points
        std::uint32_t filled;      // how far they are sorted
        WorldMap::Place place;
        std::uint32_t own_cut, depth;
        Ground ground;
        Sizes common_before;  // before islands were cut out
        double taller;        // how much higher its rows are than others'
        std::uint32_t all;    // its points before islands were cut out
    };

    [[nodiscard]] bool reserve_points(std::size_t count) noexcept;
    [[nodiscard]] bool plan_points(Store& store, Survey& survey, const Task& task, WorldMap& map) noexcept;
    [[nodiscard]] bool cut(std::uint32_t region, double shortage, Survey& survey) noexcept;
    bool lay_tiles(const Region& region, double wanted, simd::Tiles& tiles) const noexcept;
    [[nodiscard]] bool count_tiles(const Region& region, const simd::Tiles& tiles) noexcept;
    void join_tiles(simd::Tiles& tiles) noexcept;
    // How crowded the agents outside of islands would be, in agents to a cell as the average one sees it.
    double crowding_left(const simd::Tiles& tiles, std::uint32_t least) const noexcept;
    std::uint32_t min_on_an_island(std::uint32_t depth) const noexcept;
    [[nodiscard]] bool part(const Region& region, const simd::Tiles& tiles, std::uint32_t least) noexcept;
    // Fits a region's ground to its points. Returns by how much its own grid would be too coarse.
    [[nodiscard]] bool fit_ground(Region& region, const Ground& around, Survey& survey,
                                  double& shortage) noexcept;
    [[nodiscard]] bool count_uneven_crowding(const Region& region, double& others) noexcept;
    void fit_open(Region& open, double agents_before, Survey& survey) const noexcept;
    [[nodiscard]] bool make_map(Store& store, WorldMap& map) noexcept;
    std::span<const Box> points_of(const Region& region) const noexcept {
        return {points_.data() + region.begin, points_.data() + region.end};
    }
    double agents_in(std::size_t points) const noexcept { return static_cast<double>(points) * weight_; }

    double weight_ = 1;             // for how many agents a point stands
    std::size_t looks_ = 0;         // at points, summed over the regions that each was in
    Buffer<Box> points_;            // region by region
    Buffer<std::uint32_t> counts_;  // by tile: how many points, and later which island
    Buffer<Region> regions_;
    Buffer<PlannedCut> cuts_;
    Buffer<PlannedRegion> planned_;
};

}  // namespace throng::detail
