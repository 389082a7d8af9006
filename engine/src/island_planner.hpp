// Plans the islands of a world whose agents stand in a few crowded spots: villages on a continent, ships at
// sea.
//
// The world is cut into tiles, small enough for most spots to have a tile of their own, and not so small
// that a spot is cut into crumbs. Whatever tile holds enough agents becomes an island, with a grid
// fitted to just the agents in it; all others stay in the open. So memory follows the agents, and a cell
// is as small as it should be.
//
// Planning looks at every agent twice, and is done when the tuner reviews its choice: every few dozen frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>

#include "engine/src/box_reader.hpp"
#include "engine/src/grid_fit.hpp"
#include "engine/src/store.hpp"
#include "engine/src/world_map.hpp"
#include "throng/buffer.hpp"

namespace throng::detail {

class IslandPlanner {
public:
    explicit IslandPlanner(std::pmr::memory_resource* memory) noexcept
        : counts_(memory), spots_(memory), grids_(memory) {}

    // Makes a map with islands for `agents` agents, whose boxes `box_at(i)` gives in any order that the data
    // alone decides. `shortage` is by how much one grid would be too coarse. The map has no islands if they
    // would hold too few of the agents; its tables have no reference yet. False if there is no memory.
    template <class BoxAt>
    [[nodiscard]] bool plan(Store& store, const Ground& ground, double shortage, BoxAt&& box_at,
                            WorldMap& map) noexcept {
        map = WorldMap(make_grid(fit_grid(ground), ground));
        if (!lay_tiles(ground, shortage)) return false;
        for (std::size_t i = 0; i < ground.agents; ++i) {
            const Box box = box_at(i);
            ++counts_[tile_of(box)];
        }
        if (!choose_islands(ground)) return false;
        if (spots_.size() == 0) return true;
        for (std::size_t i = 0; i < ground.agents; ++i) {
            const Box box = box_at(i);
            if (const std::uint32_t spot = counts_[tile_of(box)]; spot != nobody) spots_[spot].add(box);
        }
        return make_map(store, ground, map);
    }
    std::size_t strays() const noexcept { return strays_; }
    // Whether the map that is in use serves nearly as well as the one that was planned last: most of those
    // who would have an island have it, with about the grid that it would have. Some spots always are just
    // crowded enough, and in the next moment are not.
    bool serves(const WorldMap& used, const WorldMap& planned) const noexcept;

private:
    static constexpr std::uint32_t nobody = 0xFFFFFFFFu;

    // A tile with enough agents, and what encloses their lower left corners.
    struct Spot {
        std::uint32_t tile, agents;
        Box corners;
        void add(const Box& b) noexcept {
            if (b.min_x < corners.min_x) corners.min_x = b.min_x;
            if (b.min_y < corners.min_y) corners.min_y = b.min_y;
            if (b.min_x > corners.max_x) corners.max_x = b.min_x;
            if (b.min_y > corners.max_y) corners.max_y = b.min_y;
        }
    };

    std::size_t tile_of(const Box& box) const noexcept {
        return std::size_t{place(box.min_y, tiles_.origin_y, tiles_.inverse_height, tiles_.last_row)} *
                   tiles_.columns +
               place(box.min_x, tiles_.origin_x, tiles_.inverse_width, tiles_.last_column);
    }
    bool lay_tiles(const Ground& ground, double shortage) noexcept;
    bool choose_islands(const Ground& ground) noexcept;
    GridFit fit(const Ground& ground, const Spot& spot, double taller, Ground& here) const noexcept;
    bool make_map(Store& store, const Ground& ground, WorldMap& map) noexcept;

    simd::Tiles tiles_{};
    std::size_t strays_ = 0;
    Buffer<std::uint32_t> counts_;  // by tile: how many agents, and later which spot
    Buffer<Spot> spots_;
    Buffer<simd::Grid> grids_;  // the grid of every region
};

}  // namespace throng::detail
