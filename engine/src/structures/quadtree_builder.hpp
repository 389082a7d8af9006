// How a quadtree is made from nothing: the elements are sorted along the curve that runs through the leaves, by where they
// begin, and the tree is made from the root down, depth first. So nodes and element nodes lie in memory in the order
// in which pairs and large questions walk over them.
//
//     sorted by where they begin    [ a b c | d e f | g h | i j k l ]
//     a node                        its own: a range of that; visitors, which begin in a node before it: a list
//     its children                  own: parts of that range; visitors: of the node's own those that cross its centre
//                                   lines, of its visitors those that come further
//
// The ids of the sorted elements wait at the end of the array of element nodes, whose front grows towards them. It never
// gets there: the elements that a leaf has of its own make room as they are written, and room for all visitors is
// reserved before a node is divided. Where there is no memory for that the node stays whole.
#pragma once

#include "engine/src/structures/quadtree_cells.hpp"

namespace throng {

struct Quadtree::Builder {
    // A node to be divided or filled.
    struct Task {
        detail::QuadPlace place;
        Index begin = 0, end = 0;                    // its own
        Index visitors_begin = 0, visitors_end = 0;  // among tree.visitors_
        float growth = 1;  // how many element nodes came of one on the way down to here, on average
    };
    using Tasks = detail::QuadStack<Task>;

    Quadtree& tree;
    Index count;
    unsigned bucket_depth = 0;
    Index planned = 0;  // element nodes, for all nodes as they are now
    Index written = 0;
    Index placed = 0;   // of the sorted elements, how many are in the leaf in which they begin
    bool grew = false;

    Builder(Quadtree& of, std::size_t elements) noexcept;

    // All memory without which there would be no tree. The tree has not changed, whether there is or not.
    bool reserve() noexcept;
    void count_in_bucket(const Box& box) noexcept { ++tree.buckets_[bucket(detail::quad_cells(box, tree.grid_))]; }
    void begin_sorting() noexcept;
    void sort(ElementId id, const Box& box) noexcept;
    void make_nodes() noexcept;

    Index bucket(std::uint64_t cells) const noexcept;
    detail::QuadElementNode& waiting(Index sorted) noexcept {
        return tree.element_nodes_[tree.element_nodes_.size() - count + sorted];
    }
    bool divide(const Task& task, Tasks& tasks) noexcept;
    void find_parts(const Task& task, const detail::QuadCentre& centre, Index (&begins)[5]) noexcept;
    void sort_parts(const Task& task, const detail::QuadCentre& centre, Index (&begins)[5]) noexcept;
    bool find_crossing(const Task& task, const detail::QuadCentre& centre, Index last_part) noexcept;
    bool all_in_the_same_cells(const Task& task) const noexcept;
    bool make_room(std::size_t element_nodes) noexcept;
    void fill(const Task& task) noexcept;
};

}  // namespace throng
