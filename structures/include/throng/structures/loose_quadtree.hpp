// LooseQuadtree: a loose quadtree (Ulrich, Game Programming Gems, 2000) whose node bounds adapt to their
// content. Elements are placed by their centres: each, of any size, is in exactly one leaf, and a giant takes
// no more memory than the smallest element. Each node keeps the bounds of all boxes below it. These may
// overlap the bounds of its neighbours, and a search descends into every node whose bounds it overlaps.
//
//      . . . . . . . . . . .          cells are split evenly, by the centres (o)
//      .         .         .
//      .   o   +-----+     .          bounds (the frame) follow the boxes: the upper right leaf
//      .       | . o |     .          reaches into its neighbour, and leaves empty space out
//      . . . . +-----+ . . .
//
//     using namespace throng::structures;
//     LooseQuadtree tree({.extents = world});      // or LooseQuadtree::recommended({...})
//     status = tree.insert(box, id);
//     status = tree.for_each_overlap(sight, [&](ElementId other) { ... });
//
// Good for worlds where sizes vary wildly, and wherever one index has to serve for everything. `insert`,
// `move` and `remove` go down one path and widen bounds on the way. Bounds that are too large and groups of
// nearly empty leaves stay until `clean_up`. It tightens everything in one pass, or over several frames with
// a budget, and merges four leaves whose elements would fill half of one. A move begins at the leaf that is
// noted for its id, and goes up and down from there.
//
// Memory: groups of four nodes (96 bytes), 32 bytes an element, and a table of cells for `assign`: about 39
// bytes an element in an even crowd. A leaf is only split when it holds more than `leaf_elements`, so after a
// clean-up there are at most max_depth groups for every `leaf_elements / 2` elements; edits without clean-ups
// may leave more. The first clean-up that has something to do reserves as many groups as an even crowd needs
// in the long run while it moves, about 42 bytes an element in all. Moving and removing never fail for lack
// of memory: a leaf that cannot be split stays long until the next insertion into it.
//
// A leaf at max_depth holds any number of elements: thousands of coincident ones, or those far outside the
// extents, which belong to the border cells. A query that reaches such a leaf tests all of them. Pairs within
// it are found by a sort and sweep, which is slow only where many boxes overlap along the x axis; pairs
// between two such leaves side by side take one comparison for each sixteen elements of one leaf and each
// element of the other. Removing an element walks the list: at worst as many steps as there are elements in
// its leaf.
//
// Worst worlds (spatial_index.hpp): where a crowd is in one leaf at max_depth, queries take 5,400 times as
// long. Pairs are sorted, and take three to six times as long. Where sizes grow with the distance from a
// place, queries take 150 times as long.
//
// At most 2,147,483,646 elements. Threads, failures, memory and the floating-point environment: see
// spatial_index.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/export.hpp"
#include "throng/structures/structure.hpp"

namespace throng::structures {

class THRONG_API LooseQuadtree : public DynamicStructure {
public:
    struct Config {
        // The tree divides the square over the extents, so elements outside are found more slowly.
        Box extents;
        std::uint32_t max_depth = 16;      // 1 to 24
        std::uint32_t leaf_elements = 16;  // a leaf with more is split; 1 to 1024
    };
    static Config recommended(const Expected& expected) noexcept;

    // `status` may be `bad_config` or `out_of_memory`.
    explicit LooseQuadtree(const Config& config, MemoryResource* memory = nullptr) noexcept;

    // Tightens bounds and merges leaves. With a budget, visits at most so many groups of four nodes: the next
    // call continues from there. Returns true once a full pass is complete: then all bounds are tight, except
    // where elements moved or were removed during the pass.
    using DynamicStructure::clean_up;
    bool clean_up(std::size_t budget) noexcept;

    // A box around all elements: the smallest one, unless something was moved or removed since `clean_up`.
    // Meaningless without elements.
    Box bounds() const noexcept;

    struct State;
};

}  // namespace throng::structures
