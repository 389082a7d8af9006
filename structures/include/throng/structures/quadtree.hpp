// Quadtree: a square that is split into four wherever it holds too many elements, and so on recursively
// (after Dragon Energy, Stack Overflow 41946007). It is fine where elements are dense and coarse elsewhere,
// so it needs less configuration than a grid: the extents of the world and a maximum depth.
//
//     using namespace throng::structures;
//     Quadtree tree(Quadtree::recommended({.extents = world, .typical_size = 1}));
//     status = tree.assign(boxes);                                 // a frame in which everything has moved
//     status = tree.for_each_pair([&](throng::Pair pair) { ... });
//     status = tree.move(id, box);                                 // or one by one,
//     tree.clean_up();                                             // and once a frame
//
//     nodes          [ root ][ four children ][ four children ] ...     8 bytes each: the first child, or the
//                        |        |                                     first element node and their number
//     element nodes  [ next, element ][ next, element ] ...             8 bytes each: one for every leaf that
//                                |                                      an element lies in
//     elements       [ box ][ box ][ box ] ...                          each once
//
// A node stores no box. The world is a grid of 2^max_depth cells a side, and a node is a square of cells. Its
// position follows from the path down to it, by a shift and an addition at each step. A box covers the cells
// of its corners and all between, and is in every leaf that has one of them. Boxes outside the extents lie in
// the cells at the border. Whether two boxes overlap is decided by their floats alone.
//
// An element in several leaves is reported by one of them, without marks (reference-point duplicate
// avoidance, Dittrich and Seeger 2000): a pair, or an answer to a query, by the leaf that holds the lower
// left corner of the intersection.
//
// Four children are allocated and freed together. A leaf is split when it has more than `leaf_limit`
// elements, is not at `max_depth`, and gains from it: the four children together may hold at most half as
// many elements again, and the elements must not all cover the same cells. A leaf that does not gain is
// reconsidered when it holds twice as many. So neither giants nor elements all in one place make the tree
// grow. `assign` makes at most four element nodes for an element. If single edits have made more than eight
// (giants put into a fine tree), the tree rebuilds itself, which happens a logarithmic number of times. Every
// group of four nodes had more than leaf_limit elements when it was made.
//
// Costs: a query is O(log n + answers); pairs are O(n + pairs), except in crowds that cannot be split: those
// are sorted along the axis on which their left or lower edges are spread wider, and swept. `assign` is O(n),
// and takes about 32 bytes an element, including its scratch. The first `clean_up` after a move or a removal
// reserves what moving needs in the long run, about 38 bytes in a crowd; where more is needed, as in worlds
// of many large elements, memory grows by half. `move` costs a few loads if the element stays in its leaves.
// Taking an element out of a leaf walks the leaf's list, at worst all elements of the leaf. `clean_up` visits
// every branch once and turns a branch with four empty leaves into an empty leaf, one level at each call,
// since an emptied leaf is often soon entered again. clean_up(budget) spreads that over several frames. A
// leaf that cannot be split for lack of memory stays as it is, and answers are the same.
//
// Worst worlds (spatial_index.hpp): where a crowd is in one of the smallest cells, queries take 1,000 to
// 1,600 times as long and pairs 5 to 17 times. Where sizes grow with the distance from a place, queries take
// 480 times as long and pairs 45 times. In a comb of walls as long as the world, each wall lies in most
// leaves: queries and pairs take about 500 times as long.
//
// Threads, failures and the floating-point environment: see spatial_index.hpp.
#pragma once

#include <cstddef>

#include "throng/export.hpp"
#include "throng/structures/structure.hpp"

namespace throng::structures {

class THRONG_API Quadtree : public DynamicStructure {
public:
    static constexpr unsigned depth_limit = 14;
    static constexpr std::size_t max_elements = 0x7FFFFFFF;  // the largest count of a leaf

    struct Config {
        Box extents;               // the tree covers a square that begins at their lower corner
        unsigned max_depth = 9;    // at most `depth_limit`
        unsigned leaf_limit = 16;  // a leaf with more elements is split; at least 1
    };
    static Config recommended(const Expected& expected) noexcept;

    // `status` may be `bad_config` or `out_of_memory`.
    explicit Quadtree(const Config& config, MemoryResource* memory = nullptr) noexcept;
    Config config() const noexcept;

    // Merges leaves that became empty. With a budget, visits at most so many branches: the next call
    // continues from there. Returns true once a full pass is complete.
    using DynamicStructure::clean_up;
    bool clean_up(std::size_t budget) noexcept;

    struct State;
};

}  // namespace throng::structures
