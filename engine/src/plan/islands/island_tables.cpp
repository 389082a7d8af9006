#include "engine/src/plan/islands/island_planner.hpp"

#include <cstddef>
#include <cstring>

namespace throng::detail {

namespace {

std::size_t tiles_in(const simd::Tiles& t) noexcept { return std::size_t{t.columns} * t.rows; }
std::size_t words_in(const simd::Tiles& t) noexcept { return std::size_t{t.words} * t.rows; }

struct TableSizes {
    std::size_t regions = 0, cuts = 0, rows = 0, tiles = 0, words = 0;

    TableSizes(std::span<const PlannedRegion> planned, std::span<const PlannedCut> planned_cuts,
               const simd::Floors& floors) noexcept
        : regions(planned.size()), cuts(planned_cuts.size()) {
        for (const PlannedRegion& region : planned) rows += region.grid.rows * region.layers(floors);
        for (const PlannedCut& cut : planned_cuts) tiles += tiles_in(cut.tiles), words += words_in(cut.tiles);
    }
};

// Cuts arrays out of a block, one after the other. Without a block it counts the bytes that they need.
class Carver {
public:
    explicit Carver(std::byte* memory) noexcept : memory_(memory) {}
    template <class T>
    T* next(std::size_t count) noexcept {
        const std::size_t begin = bytes_;
        bytes_ += (count * sizeof(T) + 63) / 64 * 64;
        return memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + begin);
    }
    std::size_t bytes() const noexcept { return bytes_; }

private:
    std::byte* memory_;
    std::size_t bytes_ = 0;
};

// All tables of a map, in the order in which they lie.
struct Tables {
    std::uint32_t next_row = 0, next_layer = 0, filled = 0;
    CellNumber next_cell = 0;
    simd::Tiles* tiles;
    WorldMap::Cut* cuts;
    simd::RegionRows* rows;
    simd::Grid* grids;
    CellNumber* first_cell;
    WorldMap::Position* places;
    std::uint32_t* first_layer;
    std::uint16_t *region_of_row, *region_of, *in_row_order;
    std::uint64_t* occupied;
    simd::IslandTile* tile_of;

    Tables(Carver& from, const TableSizes& n) noexcept
        : tiles(from.next<simd::Tiles>(n.cuts)),
          cuts(from.next<WorldMap::Cut>(n.cuts)),
          rows(from.next<simd::RegionRows>(n.regions)),
          grids(from.next<simd::Grid>(n.regions)),
          first_cell(from.next<CellNumber>(n.regions)),
          places(from.next<WorldMap::Position>(n.regions)),
          first_layer(from.next<std::uint32_t>(n.regions)),
          region_of_row(from.next<std::uint16_t>(n.rows)),
          region_of(from.next<std::uint16_t>(n.tiles)),
          in_row_order(from.next<std::uint16_t>(n.regions)),
          occupied(from.next<std::uint64_t>(n.words)),
          tile_of(from.next<simd::IslandTile>(n.regions)) {}

    void fill_cuts(std::span<const PlannedRegion> planned,
                   std::span<const PlannedCut> planned_cuts) noexcept {
        std::uint16_t* next_region = region_of;
        std::uint64_t* next_word = occupied;
        for (std::size_t c = 0; c < planned_cuts.size(); ++c) {
            simd::Tiles& t = tiles[c] = planned_cuts[c].tiles;
            cuts[c] = planned_cuts[c].cut;
            t.region_of = next_region;
            t.inner_cuts = static_cast<std::uint32_t>(planned_cuts.size() - 1);
            t.occupied = next_word;
            t.island_tiles = tile_of + cuts[c].first_island;
            t.first_island = cuts[c].first_island;
            t.island_count = cuts[c].end_island - cuts[c].first_island;
            for (std::uint32_t i = cuts[c].first_island; i < cuts[c].end_island; ++i) {
                const std::uint32_t tile = planned[i].place.tile, row = tile / t.columns,
                                    column = tile % t.columns;
                tile_of[i] = {row, column};
                next_region[tile] = static_cast<std::uint16_t>(i);
                next_word[std::size_t{row} * t.words + column / 64] |= std::uint64_t{1} << column % 64;
            }
            next_region += tiles_in(t);
            next_word += words_in(t);
        }
    }
    // Rows are numbered in the order of searches: those of a region, and then those of its islands, each with
    // its own islands. The levels are few.
    void fill_region(std::span<const PlannedRegion> planned, const simd::Floors& floors,
                     std::uint32_t i) noexcept {
        const std::uint32_t layers = planned[i].layers(floors);
        const simd::Grid& grid = grids[i] = planned[i].grid;
        rows[i] = {grid.origin_y, grid.inverse_height, grid.last_row, static_cast<std::uint16_t>(next_row),
                   static_cast<std::uint16_t>(planned[i].own_cut)};
        first_cell[i] = next_cell;
        places[i] = planned[i].place;
        in_row_order[filled++] = static_cast<std::uint16_t>(i);
        first_layer[i] = planned[i].has_storeys ? next_layer : WorldMap::no_layer;
        if (planned[i].has_storeys) next_layer += layers;
        for (std::uint32_t r = 0; r < grid.rows * layers; ++r)
            region_of_row[next_row++] = static_cast<std::uint16_t>(i);
        next_cell += layers * grid.rows * (grid.columns + 1);
        if (i != 0 && planned[i].own_cut == 0) return;
        const WorldMap::Cut& cut = cuts[planned[i].own_cut];
        for (std::uint32_t k = cut.first_island; k < cut.end_island; ++k) fill_region(planned, floors, k);
    }
};

}  // namespace

bool make_tables(Store& store, std::span<const PlannedRegion> regions, std::span<const PlannedCut> cuts,
                 const simd::Floors& floors, WorldMap& map) noexcept {
    const TableSizes sizes(regions, cuts, floors);
    Carver measure(nullptr);
    static_cast<void>(Tables(measure, sizes));
    Block* block = store.blocks.take(measure.bytes());
    if (block == nullptr) return false;
    std::memset(block->memory, 0, measure.bytes());

    Carver carver(block->memory);
    Tables tables(carver, sizes);
    tables.fill_cuts(regions, cuts);
    tables.fill_region(regions, floors, 0);
    map = WorldMap({.block = block,
                    .tiles = tables.tiles,
                    .cuts = tables.cuts,
                    .regions = tables.rows,
                    .grids = tables.grids,
                    .first_cell = tables.first_cell,
                    .region_of_row = tables.region_of_row,
                    .in_row_order = tables.in_row_order,
                    .positions = tables.places,
                    .first_layer = tables.first_layer,
                    .count = static_cast<std::uint32_t>(sizes.regions),
                    .cut_count = static_cast<std::uint32_t>(sizes.cuts)},
                   floors);
    return true;
}

}  // namespace throng::detail
