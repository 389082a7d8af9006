// The WorldMap maps a box to its row and cell: by one grid over everything or, in a world with islands, by
// the grid of its region (simd/types.hpp explains regions). Rows and cells are numbered through all regions.
//
//     region    0, background        1            4        ...       2
//     rows      0 1 2 ... 15       | 16 .. 24   | 25 .. 36 | ...   | 80 .. 91 | ...
//
// A region that has islands of its own is cut: cut 0 is that of the whole world. By region number, a region
// comes before its islands, and its islands come together. By row and cell, an island is followed by its own
// islands: here 4 lies on 1. So rows are in the order of searches.
//
// If the agents of a region stand above each other, it has storeys between floors (simd/types.hpp). Each is a
// grid like the others. So is the space between storeys, whose rows come first. These are the region's
// layers.
//
// The planner makes it. The frames that use it own it: tables that are too large to copy are in a block,
// which every such frame holds.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/box_math.hpp"
#include "engine/src/memory/block_store.hpp"
#include "simd/row_kernels.hpp"
#include "simd/types.hpp"
#include "throng/labels.hpp"

namespace throng::detail {

// The number of a cell through all regions; each row has one more column, for oversized agents.
using CellNumber = std::uint32_t;

inline std::uint64_t count_cells(const simd::Grid& grid) noexcept {
    return std::uint64_t{grid.rows} * (grid.columns + 1);
}

// The number of the storey that has a band of heights, from 1 on; 0 if a floor goes through the band.
inline std::uint32_t layer_of(const simd::Floors& floors, const Band& band) noexcept {
    std::uint32_t low = 1, high = 1;
    for (std::uint32_t k = 0; k < floors.count; ++k) {
        low += floors.at[k] <= band.min_z;
        high += floors.at[k] <= band.max_z;
    }
    return low == high ? low : 0;
}

class WorldMap {
public:
    WorldMap() = default;
    explicit WorldMap(const simd::Grid& grid) noexcept
        : open_(grid), rows_(grid.rows), max_columns_(grid.columns), cells_(count_cells(grid)) {}

    // With storeys between these floors, if there are any.
    WorldMap(const simd::Grid& grid, const simd::Floors& floors) noexcept : WorldMap(grid) {
        floors_ = floors;
        rows_ *= layers(0);
        cells_ *= layers(0);
        all_layers_ = has_storeys() ? layers(0) : 0;
    }

    // One region's islands: its tiles, and the numbers of its islands.
    struct Cut {
        std::uint32_t region;
        std::uint32_t first_island, end_island;
    };
    // The position of an island: its cut and its tile.
    struct Position {
        std::uint32_t cut, tile;
    };
    // The tables of a world with islands, all in one block. Entries of region 0 come first.
    struct Tables {
        Block* block = nullptr;
        const simd::Tiles* tiles = nullptr;  // by cut
        const Cut* cuts = nullptr;
        const simd::RegionRows* regions = nullptr;
        const simd::Grid* grids = nullptr;
        const CellNumber* first_cell = nullptr;
        const std::uint16_t* region_of_row = nullptr;
        const std::uint16_t* in_row_order = nullptr;  // the regions
        const Position* positions = nullptr;          // by region
        const std::uint32_t* first_layer = nullptr;   // among those of all regions, or `no_layer`
        std::uint32_t count = 0;                      // of regions
        std::uint32_t cut_count = 0;
    };
    static constexpr std::uint32_t no_layer = 0xFFFFFFFFu;
    // Regions without layers of their own have no storeys.
    WorldMap(const Tables& tables, const simd::Floors& floors) noexcept
        : open_(tables.grids[0]), tables_(tables), floors_(floors) {
        rows_ = 0;
        cells_ = 0;
        for (std::uint32_t r = 0; r < tables.count; ++r) {
            max_columns_ = std::max(max_columns_, tables.grids[r].columns);
            rows_ += rows_of(r);
            cells_ += count_cells(tables.grids[r]) * layers(r);
            all_layers_ += has_storeys(r) ? layers(r) : 0;
        }
    }

    bool has_islands() const noexcept { return tables_.block != nullptr; }
    // False if the plan takes all agents for oversized, so that all are in the tree.
    bool has_cells() const noexcept { return has_islands() || open_.common_width >= 0; }
    const Tables& tables() const noexcept { return tables_; }
    // Whether there are floors; and whether they divide a region.
    bool has_storeys() const noexcept { return floors_.count != 0; }
    bool has_storeys(std::uint32_t region) const noexcept {
        return has_storeys() && (!has_islands() || tables_.first_layer[region] != no_layer);
    }
    const simd::Floors& floors() const noexcept { return floors_; }
    // Storeys, and the space between them; or one.
    std::uint32_t layers(std::uint32_t region) const noexcept {
        return has_storeys(region) ? floors_.count + 2 : 1;
    }
    // The layers of all regions with storeys, and where those of one begin among them.
    std::uint32_t all_layers() const noexcept { return all_layers_; }
    std::uint32_t first_layer(std::uint32_t region) const noexcept {
        return has_islands() ? tables_.first_layer[region] : 0;
    }
    // On all layers of a region.
    std::uint32_t rows_of(std::uint32_t region) const noexcept {
        return grid_of_region(region).rows * layers(region);
    }
    // The layer of an agent with a band of heights: 0 if a floor goes through it, or there is none.
    std::uint32_t layer_of(const Band& band) const noexcept {
        return has_storeys() ? detail::layer_of(floors_, band) : 0;
    }
    // The background grid.
    const simd::Grid& open() const noexcept { return open_; }
    // Rows of all regions together.
    std::uint32_t rows() const noexcept { return rows_; }
    // Cells of all regions together.
    std::uint64_t cells() const noexcept { return cells_; }
    std::uint32_t regions() const noexcept { return has_islands() ? tables_.count : 1; }
    std::uint32_t cuts() const noexcept { return has_islands() ? tables_.cut_count : 0; }
    const simd::Grid& grid_of_region(std::uint32_t region) const noexcept {
        return region == 0 ? open_ : tables_.grids[region];
    }
    // Of a region, or of its layer if it has any.
    std::uint32_t first_row(std::uint32_t region, std::uint32_t layer = 0) const noexcept {
        const std::uint32_t first = region == 0 ? 0 : tables_.regions[region].first_row;
        return layer == 0 || !has_storeys(region) ? first : first + layer * grid_of_region(region).rows;
    }
    std::uint32_t region_of_row(std::size_t row) const noexcept {
        return has_islands() ? tables_.region_of_row[row] : 0;
    }
    const simd::Grid& grid_of_row(std::size_t row) const noexcept {
        return grid_of_region(region_of_row(row));
    }
    std::uint32_t columns(std::size_t row) const noexcept { return grid_of_row(row).columns; }
    std::uint32_t max_columns() const noexcept { return max_columns_; }

    // The tile of a corner in a cut; only for a world with islands.
    static std::uint32_t tile_at(const simd::Tiles& t, float x, float y) noexcept {
        return bin(y, t.origin_y, t.inverse_height, t.last_row) * t.columns +
               bin(x, t.origin_x, t.inverse_width, t.last_column);
    }
    std::uint32_t region_at(float x, float y) const noexcept {
        if (!has_islands()) return 0;
        std::uint32_t region = 0, cut = 0;
        do {
            const simd::Tiles& tiles = tables_.tiles[cut];
            const std::uint32_t inner = tiles.region_of[tile_at(tiles, x, y)];
            if (inner == 0) break;
            region = inner;
            cut = tables_.regions[region].cut;
        } while (cut != 0);
        return region;
    }
    // The row between storeys, if there are any.
    std::uint32_t row_of(const Box& box) const noexcept {
        const std::uint32_t region = region_at(box.min_x, box.min_y);
        return first_row(region) + row_at(grid_of_region(region), box.min_y);
    }
    Cell cell_of(const Box& box, std::uint32_t layer = 0) const noexcept {
        const std::uint32_t region = region_at(box.min_x, box.min_y);
        const Cell cell = detail::cell_of(grid_of_region(region), box);
        return {first_row(region, layer) + cell.row, cell.column};
    }
    std::uint32_t layer_of_row(std::uint32_t row) const noexcept {
        const std::uint32_t region = region_of_row(row);
        return has_storeys(region) ? (row - first_row(region)) / grid_of_region(region).rows : 0;
    }
    // The rows of each layer in the region of a row; 0 if it has no storeys.
    std::uint32_t rows_of_layer(std::size_t row) const noexcept {
        const std::uint32_t region = region_of_row(row);
        return has_storeys(region) ? grid_of_region(region).rows : 0;
    }

    bool is_common(const Box& box) const noexcept {
        const Cell cell = cell_of(box);
        return cell.column != columns(cell.row);
    }

    CellNumber first_cell_of_row(std::size_t row) const noexcept {
        const std::uint32_t region = region_of_row(row);
        const CellNumber first = region == 0 ? 0 : tables_.first_cell[region];
        return first +
               (static_cast<std::uint32_t>(row) - first_row(region)) * (grid_of_region(region).columns + 1);
    }
    CellNumber number_of(const Cell& cell) const noexcept {
        return first_cell_of_row(cell.row) + cell.column;
    }
    Cell cell_at(CellNumber number) const noexcept {
        std::uint32_t region = 0;
        if (has_islands())
            region = *(std::upper_bound(
                           tables_.in_row_order, tables_.in_row_order + tables_.count, number,
                           [&](CellNumber cell, std::uint16_t r) { return cell < tables_.first_cell[r]; }) -
                       1);
        const std::uint32_t row_cells = grid_of_region(region).columns + 1;
        const CellNumber first = region == 0 ? 0 : tables_.first_cell[region];
        return {first_row(region) + (number - first) / row_cells, (number - first) % row_cells};
    }

private:
    simd::Grid open_{.inverse_width = 1, .inverse_height = 1, .columns = 1, .rows = 1};
    std::uint32_t rows_ = 1, max_columns_ = 1, all_layers_ = 0;
    std::uint64_t cells_ = 2;
    Tables tables_;
    simd::Floors floors_;
};

// Puts agents of an update, or queries of a batch, on their storeys, and counts them. Each comes with the row
// between storeys, as a number that `row_number` turns into one of the map. `read_bands(first, count, min_z,
// max_z)` writes the bands of some.
template <class ReadBands, class RowNumber>
void lead_to_storeys(const simd::RowKernels& kernels, const WorldMap& map, std::size_t count,
                     const ReadBands& read_bands, const RowNumber& row_number, std::uint16_t* row_of,
                     std::uint32_t* histogram) noexcept {
    constexpr std::size_t at_once = 256;
    std::array<float, at_once> min_z, max_z;
    std::array<std::uint16_t, at_once> storey_of;
    // Of islands each has a layer of its own size.
    const std::uint32_t in_a_layer = map.has_islands() ? 1 : map.rows_of_layer(0);
    for (std::size_t first = 0; first < count; first += at_once) {
        const std::size_t some = std::min(at_once, count - first);
        read_bands(first, some, min_z.data(), max_z.data());
        kernels.find_storeys(map.floors(), min_z.data(), max_z.data(), some, storey_of.data());
        std::uint16_t* const rows = row_of + first;
        for (std::size_t k = 0; k < some && map.has_islands(); ++k)
            storey_of[k] = static_cast<std::uint16_t>(storey_of[k] * map.rows_of_layer(row_number(rows[k])));
        for (std::size_t k = 0; k < some; ++k)
            rows[k] = static_cast<std::uint16_t>(rows[k] + storey_of[k] * in_a_layer);
        for (std::size_t k = 0; k < some; ++k) ++histogram[rows[k]];
    }
}

// Holds a WorldMap's tables for its lifetime (RAII). For the writing thread.
class HeldMap {
public:
    HeldMap(BlockStore& blocks, const WorldMap& map) noexcept : blocks_(&blocks), map_(map) {
        if (map_.has_islands()) blocks_->add_reference(map_.tables().block);
    }
    HeldMap(const HeldMap& other) noexcept : HeldMap(*other.blocks_, other.map_) {}
    HeldMap& operator=(HeldMap other) noexcept {
        std::swap(blocks_, other.blocks_);
        std::swap(map_, other.map_);
        return *this;
    }
    ~HeldMap() {
        if (map_.has_islands()) blocks_->drop_reference(map_.tables().block);
    }
    const WorldMap& operator*() const noexcept { return map_; }
    const WorldMap* operator->() const noexcept { return &map_; }

private:
    BlockStore* blocks_;
    WorldMap map_;
};

}  // namespace throng::detail
