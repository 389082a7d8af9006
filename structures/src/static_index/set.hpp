// The memory of a StaticIndex: one allocation with this header, the blocks of all levels, the elements' ids,
// and their places by id.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "simd/box_tree.hpp"
#include "throng/boxes.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::structures::detail {

struct alignas(64) StaticSet {
    simd::BoxTree tree;
    const std::uint32_t* places;

    std::size_t level_size(std::uint32_t level) const noexcept {
        return ((std::size_t{tree.count} - 1) >> level * simd::block_shift) + 1;
    }
};

inline std::size_t blocks_for(std::size_t lanes) noexcept {
    return (lanes + simd::block_lanes - 1) / simd::block_lanes;
}

// How many blocks each level has.
struct StaticLevels {
    std::size_t blocks[simd::max_tree_levels];
    std::uint32_t top = 0;
    std::size_t all;

    explicit StaticLevels(std::size_t count) noexcept {
        all = blocks[0] = blocks_for(count);
        // There is always a level above the blocks of elements, unless there is only one block.
        for (; blocks[top] > (top == 0 ? 1 : simd::max_roots); ++top)
            all += blocks[top + 1] = blocks_for(blocks[top]);
    }
};

// How many of the lanes of a level are in one of its blocks.
inline std::size_t lanes_of(std::size_t block, std::size_t lanes) noexcept {
    return std::min<std::size_t>(simd::block_lanes, lanes - block * simd::block_lanes);
}

// An element by its centre.
struct Placed {
    float at[2];
    AgentId id;
};

// Sorts the elements so that tiles are compact and nearly square. The result depends on the elements alone,
// not on their initial order. O(n log n) on average, O(n log^2 n) at worst.
void sort_into_tiles(Placed* elements, std::size_t count) noexcept;

// The memory for `count` elements, in bytes.
std::size_t static_set_bytes(std::size_t count) noexcept;
// Writes all of it. The boxes must be legal, and at least one; the memory is aligned to 64 bytes.
void build_static_set(const Boxes& boxes, unsigned char* memory) noexcept;
IndexValidation validate_static_set(const StaticSet& set, std::size_t count) noexcept;

inline Box lane_box(const simd::BoxBlock& b, std::size_t lane) noexcept {
    return {b.min_x[lane], b.min_y[lane], b.max_x[lane], b.max_y[lane]};
}
// The bounds of the first lanes of a block; at least one lane.
Box enclosing(const simd::BoxBlock& block, std::size_t lanes) noexcept;

}  // namespace throng::structures::detail
