// GridHierarchy: three fixed levels of dense grids, for worlds that are huge and mostly empty, and for
// elements of very different sizes. The world is a grid of regions, a region has 8 x 8 sub-regions, and a
// sub-region has 8 x 8 cells (after Dragon Energy, Stack Overflow 41946007):
//
//     world          region               sub-region
//     +--+--+--+     +--+--+-- ... +      +--+--+-- ... +
//     |  |##|  |     |  |  |##     |      |. |  |. :    |
//     +--+--+--+     +--+--+-- ... +      +--+--+-- ... +
//     |  |  |##|     |  |##|       |      |  |: |       |
//     +--+--+--+     + ...         +      + ...         +
//
// A region or sub-region without elements is not stored: an empty region costs 4 bytes in the world's grid,
// an empty sub-region nothing. A 64-bit word in each tells which of its places are occupied, and a
// HierarchicalBitset tells it for the world. A query tests these bits first.
//
// An element is in one list: that of the cell of its lower left corner or, if it is larger than a cell, of
// the smallest of sub-region, region and world that it fits. So a giant is stored once and does not slow down
// the cells. A query searches each level as far to the left and below as the largest element of that level
// reaches.
//
//     throng::structures::GridHierarchy index({.extents = {0, 0, 1e6f, 1e6f}, .cell_size = 4});
//
// Costs: an insertion takes a few steps down. A removal, and a move to another list, also walk the list that
// the element leaves, which is long where many share a cell. A query costs in proportion to the occupied part
// that it covers. All pairs: elements in cells row by row, by the kernel that finds the engine's own pairs;
// every larger element by one query to its own and the finer levels. Elements larger than a region are all in
// one list, so choose cells for which these are few.
//
// Worst worlds (spatial_index.hpp): where a crowd shares a cell, queries take 2,400 to 2,800 times as long.
// Pairs are swept, and take 4 times as long. Thousands of elements larger than a region are tested against
// every query and each other: pairs of a comb of walls take 5,000 times as long, and queries 1,200 times. So
// do queries if sizes grow with the distance from a place.
//
// Memory: 20 bytes and a bit for each element, 4 for each place for a region in the world (at most 16 MB),
// 544 for each stored region and 272 for each stored sub-region, in pools that grow by half. So an isolated
// element costs 840 bytes, or 1,260 in a pool that has just grown; one in a crowd costs about 24. Empty
// regions and sub-regions are kept for reuse until `clean_up`; and `assign` allocates for the new elements
// before it frees the old ones. Scratch for pairs is about 72 bytes for each element in the fullest row of
// cells, and up to 135 more for each that has to be swept. Pools that grow in `assign` get headroom for the
// frames that follow. Elements outside the extents are in the outer cells.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/export.hpp"
#include "throng/structures/structure.hpp"

namespace throng::structures {

class THRONG_API GridHierarchy : public DynamicStructure {
public:
    // A configuration with more regions gets larger cells.
    static constexpr std::uint32_t max_regions = std::uint32_t{1} << 22;

    struct Config {
        Box extents;
        // The side of the finest cells: best two or three times that of most elements.
        float cell_size = 2;
    };
    static Config recommended(const Expected& expected) noexcept;

    // `status` may be `bad_config`, `unknown_isa`, `unsupported_isa` or `out_of_memory`. `clean_up` frees
    // empty regions and sub-regions.
    explicit GridHierarchy(const Config& config, MemoryResource* memory = nullptr) noexcept;

    // How many are stored, including empty ones that wait for `clean_up`.
    std::size_t regions() const noexcept;
    std::size_t sub_regions() const noexcept;

    struct State;
};

}  // namespace throng::structures
