// StaticIndex: for what never moves (castles, walls, boulders), built once, and the fastest structure here to
// search. It takes any mixture of sizes and any distribution, and needs no configuration for them.
//
//     using namespace throng::structures;
//     StaticIndex walls;
//     if (throng::Status status = walls.assign(wall_boxes); !status) ...   // element i has the id i
//     status = walls.for_each_overlap(box, [&](ElementId id) { ... });
//     const std::uint64_t near = walls.count(box).total;   // at a cost by the border of the box
//     const bool blocked = walls.any(box).found;
//
// All elements lie in one allocation, as a packed R-tree without links (Roussopoulos and Leifker 1985), built
// top down by median splits as in a k-d tree (Bentley 1975):
//
//     root          [ 16 boxes ]                               a box for each block of the level below
//     level 1       [ 16 boxes ][ 16 boxes ] ...
//     elements      [ 16 boxes ][ 16 boxes ][ 16 boxes ] ...   and their ids, in the same order
//
// A block is compared with a box as a whole, by one or a few vector instructions. Building halves the
// elements along the axis on which their centres are spread wider, until sixteen are left. So neighbours
// share blocks, and every block but the last of a level is full. A subtree inside the query is one run of
// ids, which is passed in place.
//
// Costs: 25.1 bytes an element, in one allocation, wherever the elements lie. `assign` is O(n log n) and
// keeps no scratch memory; for as many elements as before or fewer, it allocates nothing. A query visits the
// blocks that its border crosses, and those around elements that are much larger than their neighbours: one
// large wall among pebbles costs little, but where all elements are long and thin and cross each other, it
// tests more than it finds.
//
// Worst worlds: in none that was measured does a call take more than six times as long as in a crowd
// (structures/docs/choosing.md). It has no configuration that could be wrong.
//
// A StaticLayer (static_layer.hpp) is the engine's counterpart. Use it where an engine's frames have to
// answer for both agents and walls, where labels filter the answers, where origins are rebased, or where
// queries come in large batches, which it sorts and runs in parallel. Use a StaticIndex where queries come
// one by one, where sizes and densities differ widely, or where there is no engine.
//
// Threads and failures: as all structures, see spatial_index.hpp. Answers, and their order, are the same on
// all instruction sets.
#pragma once

#include "throng/export.hpp"
#include "throng/isa.hpp"
#include "throng/results.hpp"
#include "throng/structures/structure.hpp"

namespace throng::structures {

class THRONG_API StaticIndex : public Structure {
public:
    struct Config {
        // `status` is `unknown_isa` or `unsupported_isa` if it cannot run here, and `out_of_memory` without
        // memory.
        Isa isa = Isa::automatic;
    };
    static Config recommended(const Expected&) noexcept { return {}; }

    StaticIndex() noexcept : StaticIndex(Config{}) {}
    explicit StaticIndex(const Config& config, MemoryResource* memory = nullptr) noexcept;

    // The instruction set in use.
    Isa isa() const noexcept;

    // How many elements overlap the box, and whether any does.
    Count count(const Box& box) const noexcept;
    Found any(const Box& box) const noexcept;
    // `{x, y}` would be a box from there to the origin. With these overloads it does not compile.
    Count count(const Point& point) const = delete;
    Found any(const Point& point) const = delete;

    struct State;
};

}  // namespace throng::structures
