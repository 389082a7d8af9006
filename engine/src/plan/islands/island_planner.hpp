// Plans the islands of a world whose agents stand in a few crowded spots: villages on a continent, ships at
// sea, a city and its hinterland.
//
// A region is cut into tiles: small enough that most spots have a tile of their own, but not so small that a
// spot is cut too finely. Tiles with enough agents become islands, with grids of their own. An island that is
// just as uneven is cut once more. Places that are still crowded then, without overlaps, are left to the
// tree. Planning uses a sample of the agents. The cost of a plan is known only when a frame is built on it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/world_map.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/plan/grid_choice.hpp"
#include "engine/src/plan/numbers.hpp"
#include "engine/src/plan/survey.hpp"
#include "engine/src/store/store.hpp"
#include "simd/kernels.hpp"
#include "simd/types.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// --- What is planned, and its tables: in one block, in the form that frames and kernels read ---

struct PlannedRegion {
    simd::Grid grid;
    WorldMap::Position place;   // its cut and tile; unused for region 0
    std::uint32_t own_cut = 0;  // the cut of its own islands; 0 for region 0, and if it is not cut
    bool has_storeys = false;   // between the floors of the world

    std::uint32_t layers(const simd::Floors& floors) const noexcept {
        return has_storeys ? floors.count + 2 : 1;
    }
};
struct PlannedCut {
    simd::Tiles tiles;  // without its tables
    WorldMap::Cut cut;
};

// The map has no reference to its block yet. Returns false if there is no memory.
[[nodiscard]] bool make_tables(Store& store, std::span<const PlannedRegion> regions,
                               std::span<const PlannedCut> cuts, const simd::Floors& floors,
                               WorldMap& map) noexcept;

class IslandPlanner {
public:
    IslandPlanner(const simd::Kernels& kernels, ScratchList& scratch) noexcept
        : kernels_(kernels), scratch_(scratch) {}

    // The sample of a plan: an eighth of the agents, and more if they are few.
    static constexpr std::size_t points_for(std::size_t agents) noexcept {
        return std::clamp(agents / tuned::points_one_in, std::min(agents, tuned::fewest_points),
                          tuned::most_points);
    }

    // The grid that the world would have without islands, by what factor it is too coarse, the sample size,
    // and the floors of the world.
    struct Task {
        Ground ground;
        double shortage;
        std::size_t points;
        simd::Floors floors;
    };
    // Makes a map. Without islands if they would hold too few of the agents, which leaves storeys as they are
    // on it, and without cells if most agents would be oversized; its tables have no reference yet. `survey`
    // is for surveys of regions. Returns false if there is no memory.
    [[nodiscard]] bool plan(Store& store, Survey& survey, const Task& task, const Agents& agents,
                            WorldMap& map) noexcept;

private:
    struct Region {
        std::uint32_t begin, end;  // its points
        WorldMap::Position place;
        std::uint32_t level, own_cut = 0;
        Ground ground;
        Ground before;         // before islands were cut out
        bool to_tree = false;  // none of its agents is common
        double storeys = 1;    // so many times as many agents are at its places as on one storey
    };
    // The place for the next points of an island, or of the rest beside islands: for the first half of the
    // region from the front on, for the others from the back on.
    struct Home {
        std::uint32_t front, back;
    };

    [[nodiscard]] bool plan_regions(Survey& survey, double shortage) noexcept;
    [[nodiscard]] bool plan_island(std::uint32_t number) noexcept;
    // Cuts a region whose grid is too coarse by that factor, or leaves it as it is if islands would hold too
    // few of its agents.
    [[nodiscard]] bool cut(std::uint32_t number, double shortage) noexcept;
    bool lay_tiles(const Region& region, double wanted, simd::Tiles& tiles) const noexcept;
    [[nodiscard]] bool count_tiles(const Region& region, const simd::Tiles& tiles) noexcept;
    void join_tiles(simd::Tiles& tiles) noexcept;
    std::uint32_t least_on_island(std::uint32_t level) const noexcept;
    double crowding_beside(const Ground& ground, const simd::Tiles& tiles,
                           std::uint32_t least) const noexcept;
    double pairs_on_islands(const simd::Tiles& tiles, std::uint32_t least) const noexcept;
    // Calls front(point, tile) for the first half of a region's points, in order, and in turn back(point,
    // tile) for the others, from the last one on.
    template <class Front, class Back>
    void for_each_tile(const Region& region, const simd::Tiles& tiles, Front&& front,
                       Back&& back) const noexcept;
    [[nodiscard]] bool add_islands(const Region& region, std::uint32_t least) noexcept;
    [[nodiscard]] bool part(const Region& region, const simd::Tiles& tiles, std::uint32_t least) noexcept;
    void find_storeys(Region& region) const noexcept;
    [[nodiscard]] bool fit_beside(Region& region) noexcept;
    void fit_extent(Region& region) const noexcept;
    void fit_common(Region& region, const Sizes& around) noexcept;
    void spread_evenly(Region& region) const noexcept;
    // By what factor the grid fitted to the region is too coarse for its agents. Zero if they are spread
    // about evenly: islands could not improve that.
    [[nodiscard]] bool find_shortage(const Region& region, double& shortage) noexcept;
    bool leaves_most_to_tree() const noexcept;
    [[nodiscard]] bool make_map(Store& store, WorldMap& map) noexcept;

    std::span<const Box> points_of(const Region& region) const noexcept {
        return {points_.data() + region.begin, points_.data() + region.end};
    }
    double agents_in(std::size_t points) const noexcept { return static_cast<double>(points) * weight_; }
    // The agents of a region on one of its storeys.
    double agents_on_one(const Region& region) const noexcept {
        return agents_in(region.end - region.begin) / region.storeys;
    }

    const simd::Kernels& kernels_;
    ScratchList& scratch_;
    Survey* survey_ = nullptr;
    double weight_ = 1;              // how many agents a point stands for
    Scratch<Box> points_{scratch_};  // region by region
    Scratch<Box> sorted_{scratch_};  // the points of the region that is being parted
    Scratch<Band> bands_{scratch_};  // of the points, where there are floors
    Scratch<Band> sorted_bands_{scratch_};
    simd::Floors floors_;
    Scratch<std::uint32_t> counts_{scratch_};  // by tile: how many points, and later their home
    Scratch<Home> homes_{scratch_};  // while a region is parted: the rest beside its islands, and its islands
    Scratch<Region> regions_{scratch_};
    Scratch<PlannedCut> cuts_{scratch_};
    Scratch<PlannedRegion> planned_{scratch_};
};

}  // namespace throng::detail
