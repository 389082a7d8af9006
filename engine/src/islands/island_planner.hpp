// Plans the islands of a world whose agents stand in a few crowded spots: villages on a continent, ships at
// sea, a city and its hinterland.
//
// A region is cut into tiles, small enough for most spots to have a tile of their own, and not so small that
// a spot is cut too finely. Tiles with enough agents become islands, which are cut again where they are as uneven (docs/design.md
// has a picture). Planning uses a sample of the agents; the true cost of a plan is known once a frame is built on it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/base/box_check.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/islands/island_tables.hpp"
#include "engine/src/islands/region_sizes.hpp"
#include "engine/src/memory/scratch.hpp"
#include "engine/src/plan/effort.hpp"
#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/motion.hpp"
#include "engine/src/plan/sample.hpp"
#include "engine/src/store/store.hpp"
#include "simd/kernels.hpp"
#include "simd/types.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

class IslandPlanner {
public:
    IslandPlanner(const simd::Kernels& kernels, MemoryResource* memory) noexcept
        : kernels_(kernels), memory_(memory) {}

    // The sample size of a plan: an eighth of the agents, and more of few. The first plan of all looks at more of these.
    static constexpr std::size_t points_at_first(std::size_t agents, bool first_of_all = false) noexcept {
        constexpr std::size_t max_points = 32768;
        const std::size_t fewest = first_of_all ? 2048 : 256, some = first_of_all ? 8192 : 2048;
        return std::clamp(agents / 8, std::clamp(agents / 4, fewest, some), max_points);
    }
    static constexpr std::size_t points_at_most = std::size_t{1} << 20;
    // The new plan will have about as many levels as the last one: so many points that all looks at them are one pass over all
    // agents.
    std::size_t points_for_plan_ahead(std::size_t agents) const noexcept {
        constexpr std::size_t fewest = 2048;
        return std::min(points_at_first(agents), std::max(fewest, agents / levels_of_last()));
    }
    // The sample size of a second, closer plan, after a disappointing frame. It costs no more than two
    // passes over all agents: the more levels the last plan had, the fewer points. Nor more steps than are left.
    std::size_t points_for_closer_look(std::size_t agents, std::size_t steps,
                                       std::size_t passes = 2) const noexcept {
        constexpr std::size_t steps_of_a_point = 2;
        const std::size_t levels = levels_of_last(),
                          share = levels <= passes ? agents : agents / levels * passes;
        return std::min({share, points_at_most, steps / (steps_of_a_point * levels)});
    }

    // That of a plan for many more agents, or far fewer: a plan that takes more steps than there are has to be made again. Few agents have
    // no larger share in it than many.
    std::size_t points_for_review(std::size_t agents, std::size_t steps) const noexcept {
        constexpr std::size_t fewest = 256;
        return std::clamp(std::min(agents / 8, points_for_closer_look(agents, steps, 3)), fewest,
                          points_at_first(agents));
    }

    // The input: the grid that the world would have without islands, by what factor it is too coarse, and the
    // sample size. Where no plan tells how many levels there will be, points are thinned out from the second one on.
    struct Task {
        Ground ground;
        double shortage;
        std::size_t points;
        bool thins_out = false;
        bool first_of_all = false;
    };

    // Makes a map with islands. `box_at(i)` returns the boxes of the agents in an order that depends on the
    // data alone; it is called with ascending i. The map has no islands if they would hold too few of the
    // agents; its tables have no reference yet. Where there are no steps left, regions stay as they are.
    // Returns false if there is no memory.
    template <class BoxAt>
    [[nodiscard]] bool plan(Store& store, Effort& effort, const Task& task, BoxAt&& box_at,
                            WorldMap& map) noexcept {
        const std::size_t agents = task.ground.agents, wanted = std::min(agents, points_of(task));
        points_.clear();
        if (!reserve_amply(points_, wanted)) return false;
        for (std::size_t k = 0; k < wanted; ++k) {
            const Box box = box_at(sampled(k, wanted, agents));
            if (check(box) == Code::ok) (void)points_.push_back(box);
        }
        return plan_points(store, effort, task, map);
    }

    // Makes a map with the same islands elsewhere, which has no reference yet. Returns false if there is no memory.
    [[nodiscard]] bool move(Store& store, const WorldMap& from, const Motion& by, WorldMap& map) noexcept;
    // The steps that this takes.
    static std::size_t steps_to_move(const WorldMap& map) noexcept;
    // Whether there were not enough steps for the last plan, and another one needs fewer.
    bool is_cut_short() const noexcept { return cut_short_ && goes_on_; }
    // How many points it looks at for a task: fewer where the last plan was cut short.
    std::size_t points_of(const Task& task) const noexcept {
        constexpr std::size_t fewest = 64;
        return std::max(task.points >> 2 * lessons.coarser, std::min(task.points, fewest));
    }
    // Of the points of the last plan.
    double share_oversized() const noexcept {
        return static_cast<double>(oversized_) / static_cast<double>(std::max<std::uint64_t>(settled_, 1));
    }
    // Frees buffers that were made for many times as many agents.
    void give_back_excess(std::size_t agents) noexcept;

    // What the last plan tells the next.
    struct Lessons {
        unsigned coarser = 0;    // how often the points of the next plan are quartered
        std::size_t points = 0;  // of the last one
        std::size_t looks = 0;   // points examined, counted once for each region they were in
        bool held_few = false;   // it has no cells since islands would hold few of the world's few agents
    };
    Lessons lessons;

private:
    // How many levels a point of the last plan was led through.
    std::size_t levels_of_last() const noexcept {
        const std::size_t looked_at = std::max<std::size_t>(lessons.points, 1);
        return std::max<std::size_t>((lessons.looks + looked_at - 1) / looked_at, 1);
    }
    // Where the next points of an island go, or of what is left beside islands: those of the first half of the region from the front
    // on, the others from the back on.
    struct Home {
        std::uint32_t front, back;
    };
    struct Region {
        std::uint32_t begin, end;  // its points
        WorldMap::Place place;
        std::uint32_t own_cut, depth;
        Ground ground;
        Sizes common_before;     // before islands were cut out
        double taller;           // the height of its rows relative to others
        std::uint32_t all;       // its points before islands were cut out
        Box extent_before;       // of all of them
        std::uint32_t each = 1;  // how many points of the sample one of its points stands for
    };

    [[nodiscard]] bool plan_points(Store& store, Effort& effort, const Task& task, WorldMap& map) noexcept;
    [[nodiscard]] bool cut(std::uint32_t region, double shortage) noexcept;
    [[nodiscard]] bool plan_region(std::uint32_t region) noexcept;
    bool may_spend(std::size_t steps) noexcept;
    void follow_effort(std::size_t steps_before) noexcept;
    void thin_out(Region& region) noexcept;
    void settle(const Region& region) noexcept;
    bool fits_no_cells() const noexcept;
    bool holds_few(const Task& task, std::size_t islands) const noexcept;
    void fit_extent(Region& region) const noexcept;
    void spread_evenly(Region& region) const noexcept;
    bool lay_tiles(const Region& region, double wanted, simd::Tiles& tiles) const noexcept;
    [[nodiscard]] bool count_tiles(const Region& region, const simd::Tiles& tiles) noexcept;
    void join_tiles(simd::Tiles& tiles) noexcept;
    // How crowded the agents outside islands would be: the number in the average agent's cell.
    double crowding_left(const Ground& ground, const simd::Tiles& tiles, std::uint32_t least) const noexcept;
    // Of agents of one spot, in tiles with as many points as that.
    double pairs_on_islands(const simd::Tiles& tiles, std::uint32_t least) const noexcept;
    std::uint32_t min_on_an_island(std::uint32_t depth) const noexcept;
    // Calls front(point, tile) for the first half of a region's points, in order, and by turns back(point, tile) for the others, from the
    // last one on.
    template <class Front, class Back>
    void for_each_tile(const Region& region, const simd::Tiles& tiles, Front&& front,
                       Back&& back) const noexcept;
    [[nodiscard]] bool add_islands(const Region& region, std::uint32_t least) noexcept;
    [[nodiscard]] bool part(const Region& region, const simd::Tiles& tiles, std::uint32_t least) noexcept;
    // Fits a region's ground to its points, and finds by what factor its own grid would be too coarse.
    [[nodiscard]] bool fit_ground(Region& region, const Ground& around, double& shortage) noexcept;
    [[nodiscard]] bool find_shortage(Region& region, double& shortage) noexcept;
    [[nodiscard]] bool fit_fewer(Region& region, double& shortage) noexcept;
    bool fit_out_of_sight(Region& world) noexcept;
    [[nodiscard]] bool count_uneven_crowding(const Region& region, double& others) noexcept;
    [[nodiscard]] bool fit_open(Region& open, double agents_before) noexcept;
    [[nodiscard]] bool make_map(Store& store, WorldMap& map) noexcept;
    std::span<const Box> points_of(const Region& region) const noexcept {
        return {points_.data() + region.begin, points_.data() + region.end};
    }
    double agents_in(std::size_t points) const noexcept { return static_cast<double>(points) * weight_; }

    const simd::Kernels& kernels_;
    MemoryResource* const memory_;
    RegionSurveys surveys_;
    Effort* effort_ = nullptr;
    bool cut_short_ = false;                 // there were no steps left for some region
    bool goes_on_ = false;                   // the next plan needs fewer
    bool thins_out_ = false;                 // from the second level on
    double weight_at_first_ = 1;             // how many agents a point of the sample stands for
    double weight_ = 1;                      // how many one of the region that is planned stands for
    std::size_t settled_ = 0;                // points of the sample whose regions are planned
    std::size_t oversized_ = 0;              // how many of these are oversized there
    Buffer<Box> points_{memory_};            // region by region
    Buffer<Box> sorted_{memory_};            // the points of the region that is parted
    Buffer<std::uint32_t> counts_{memory_};  // by tile: how many points, and later in which home they are
    Buffer<Home> homes_{memory_};            // while a region is parted: its open, and its islands
    Buffer<Region> regions_{memory_};
    Buffer<PlannedCut> cuts_{memory_};
    Buffer<PlannedRegion> planned_{memory_};
};

}  // namespace throng::detail
