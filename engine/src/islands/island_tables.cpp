#include "engine/src/islands/island_tables.hpp"

#include <cstring>

#include "engine/src/islands/nested_islands.hpp"

namespace throng::detail {

namespace {

// The layout of the tables in their block, one after the other.
class Layout {
public:
    template <class T>
    std::size_t next(std::size_t count) noexcept {
        const std::size_t begin = bytes_;
        bytes_ += (count * sizeof(T) + 63) / 64 * 64;
        return begin;
    }
    std::size_t bytes() const noexcept { return bytes_; }

private:
    std::size_t bytes_ = 0;
};

std::size_t tiles_in(const simd::Tiles& t) noexcept { return std::size_t{t.columns} * t.rows; }
std::size_t words_in(const simd::Tiles& t) noexcept { return std::size_t{t.words} * t.rows; }

}  // namespace

bool make_tables(Store& store, std::span<const PlannedRegion> regions, std::span<const PlannedCut> cuts,
                 WorldMap& map) noexcept {
    std::size_t rows = 0, tiles = 0, words = 0;
    for (const PlannedRegion& region : regions) rows += region.grid.rows;
    for (const PlannedCut& cut : cuts) tiles += tiles_in(cut.tiles), words += words_in(cut.tiles);

    Layout layout;
    const std::size_t tiles_at = layout.next<simd::Tiles>(cuts.size()),
                      cuts_at = layout.next<WorldMap::Cut>(cuts.size()),
                      regions_at = layout.next<simd::RegionRows>(regions.size()),
                      grids_at = layout.next<simd::Grid>(regions.size()),
                      cells_at = layout.next<CellNumber>(regions.size()),
                      places_at = layout.next<WorldMap::Place>(regions.size()),
                      nested_at = layout.next<simd::NestedIsland>(cuts.size()),
                      region_of_row_at = layout.next<std::uint16_t>(rows),
                      region_of_at = layout.next<std::uint16_t>(tiles),
                      occupied_at = layout.next<std::uint64_t>(words);
    Block* block = store.blocks.take(layout.bytes());
    if (block == nullptr) return false;
    std::memset(block->memory, 0, layout.bytes());
    const auto at = [&]<class T>(std::size_t offset, T*&& pointer) {
        return pointer = reinterpret_cast<T*>(block->memory + offset);
    };
    auto* const tiles_of = at(tiles_at, static_cast<simd::Tiles*>(nullptr));
    auto* const cut_of = at(cuts_at, static_cast<WorldMap::Cut*>(nullptr));
    auto* const rows_of = at(regions_at, static_cast<simd::RegionRows*>(nullptr));
    auto* const grids = at(grids_at, static_cast<simd::Grid*>(nullptr));
    auto* const first_cell = at(cells_at, static_cast<CellNumber*>(nullptr));
    auto* const places = at(places_at, static_cast<WorldMap::Place*>(nullptr));
    auto* const region_of_row = at(region_of_row_at, static_cast<std::uint16_t*>(nullptr));
    auto* region_of = at(region_of_at, static_cast<std::uint16_t*>(nullptr));
    auto* occupied = at(occupied_at, static_cast<std::uint64_t*>(nullptr));

    for (std::size_t c = 0; c < cuts.size(); ++c) {
        simd::Tiles& t = tiles_of[c] = cuts[c].tiles;
        cut_of[c] = cuts[c].cut;
        t.region_of = region_of;
        t.inner_cuts = static_cast<std::uint32_t>(cuts.size() - 1);
        t.occupied = occupied;
        for (std::uint32_t i = cut_of[c].first_island; i < cut_of[c].end_island; ++i) {
            const std::uint32_t tile = regions[i].place.tile, column = tile % t.columns;
            region_of[tile] = static_cast<std::uint16_t>(i);
            occupied[std::size_t{tile / t.columns} * t.words + column / 64] |= std::uint64_t{1}
                                                                               << column % 64;
        }
        region_of += tiles_in(t);
        occupied += words_in(t);
    }
    auto* const nested = at(nested_at, static_cast<simd::NestedIsland*>(nullptr));
    nest_islands(regions, cuts, tiles_of, nested);
    std::uint32_t row = 0;
    CellNumber cell = 0;
    for (std::size_t i = 0; i < regions.size(); ++i) {
        const simd::Grid& grid = grids[i] = regions[i].grid;
        rows_of[i] = {grid.origin_y, grid.inverse_height, grid.last_row, static_cast<std::uint16_t>(row),
                      static_cast<std::uint16_t>(regions[i].own_cut)};
        first_cell[i] = cell;
        places[i] = regions[i].place;
        for (std::uint32_t r = 0; r < grid.rows; ++r) region_of_row[row++] = static_cast<std::uint16_t>(i);
        cell += grid.rows * (grid.columns + 1);
    }
    map = WorldMap({.block = block,
                    .tiles = tiles_of,
                    .cuts = cut_of,
                    .regions = rows_of,
                    .grids = grids,
                    .first_cell = first_cell,
                    .region_of_row = region_of_row,
                    .places = places,
                    .nested = nested,
                    .count = static_cast<std::uint32_t>(regions.size()),
                    .cut_count = static_cast<std::uint32_t>(cuts.size())},
                   row);
    return true;
}

}  // namespace throng::detail
