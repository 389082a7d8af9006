// A packed R-tree for sets that are built once (Kamel and Faloutsos 1993): see
// structures/include/throng/structures/static_index.hpp.
//
//     levels[2]    one block: the root
//     levels[1]    a block for each of its lanes ...
//     levels[0]    ... and so on, down to the elements
//     ids          of the elements, lane after lane
//
// A block is sixteen boxes, with an array for each coordinate. Lane j of block i on one level encloses block
// 16 i + j on the level below, so there are no links, and the subtree of any lane is one run of elements.
// Lanes after the last of a level are NaN, which overlaps nothing; all blocks before the last are full.
#pragma once

#include <cstdint>

namespace throng::simd {

struct Query {
    float min_x, min_y, max_x, max_y;
};

inline constexpr std::uint32_t block_shift = 4;
inline constexpr std::uint32_t block_lanes = 1u << block_shift;
// Enough for any number of ids.
inline constexpr std::uint32_t max_tree_levels = 8;

// The maximum number of blocks on the highest level: scanning a few costs less than another level.
inline constexpr std::uint32_t max_roots = 4;

struct alignas(64) BoxBlock {
    float min_x[block_lanes], min_y[block_lanes], max_x[block_lanes], max_y[block_lanes];
};

struct BoxTree {
    const BoxBlock* levels[max_tree_levels];
    const std::uint32_t* ids;  // a block of them may be read past the last
    std::uint32_t count;       // of elements; not zero
    std::uint32_t top;         // the level of the roots
    std::uint32_t roots;       // how many blocks that level has
    // Queries smaller than this hardly ever enclose a block of elements, so they skip that test.
    float cover_width, cover_height;
};

// The state of a search, which returns whenever the caller has to empty a buffer, and can be resumed.
struct TreeSearch {
    static constexpr std::uint32_t nowhere = 0xFFFFFFFFu;

    Query query;
    std::uint32_t omitted = nowhere;  // the slot of an element to leave out
    // A run of elements that all overlap the query, which the kernel did not copy: empty, or long.
    std::uint32_t run_begin = 0, run_end = 0;
    bool ended = false;
    // The position of the search: a block, and the pending lanes on each level.
    std::uint32_t level = nowhere, block = 0;
    std::uint32_t pending[max_tree_levels];
};

// How many ids a kernel may write beyond the given limit: a short run and a vector.
inline constexpr std::uint32_t short_run = 64;
inline constexpr std::uint32_t tree_slack = short_run + 2 * block_lanes;

// The state of the search for all pairs: leaf by leaf, each with itself and with those after it.
struct TreePairs {
    std::uint32_t leaf = 0;  // the current leaf; past the last one the search is complete
    std::uint32_t level = TreeSearch::nowhere, block = 0;
    std::uint32_t pending[max_tree_levels];
};
// The most pairs of a leaf with itself and with one other leaf.
inline constexpr std::uint32_t tree_pair_slack = 2 * block_lanes * block_lanes;

}  // namespace throng::simd
