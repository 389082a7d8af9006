// Builds a quadtree from scratch: the elements are sorted in Morton order by the cell of their lower left
// corner, and the tree is built from the root down, depth first. So nodes and element nodes lie in memory in
// the order in which pairs and large queries visit them.
//
//     sorted by where they begin    [ a b c | d e f | g h | i j k l ]
//     a node          its own: a range of that; visitors, which begin in a node before it: a list
//     its children    own: parts of that range; visitors: of the node's own those that cross its centre
//                     lines, of its visitors those that come further
//
// The sorted elements wait at the end of the array of element nodes, whose front grows towards them. It never
// reaches them: a leaf's own elements free their places as they are written, and room for all visitors is
// reserved before a node is split. Without memory for that the node is not split.
//
// A waiting element is an id and its first cell, with two bits for each coordinate for how many cells further
// it reaches; three means three or more, and its box is read. So an element moves as one word.
#pragma once

#include <algorithm>

#include "engine/src/structures/quadtree/cells.hpp"

namespace throng {

struct THRONG_INSIDE Quadtree::State::Builder {
    // A node to be split or filled.
    struct Task {
        detail::QuadPlace place;
        Index begin, end;                    // its own
        Index visitors_begin, visitors_end;  // among tree.visitors_
        float growth;  // the average number of element nodes that one became on the path down to here
    };
    using Tasks = detail::QuadStack<Task>;

    State& tree;
    Index count;
    unsigned bucket_depth = 0;
    Index planned = 0;  // element nodes, for all nodes as they are now
    Index written = 0;
    Index placed = 0;  // how many sorted elements are already in the leaf where they begin
    // The room before the build, and the peak need.
    std::size_t room_for_nodes, room_for_crossing, room_for_visitors;
    std::size_t max_crossing = 0, max_visitors = 0;
    bool grew = false;  // whether the room for element nodes grew

    Builder(State& of, std::size_t elements) noexcept;

    // Reserves the memory that the build cannot do without. Does not change the tree.
    bool reserve() noexcept;
    void count_in_bucket(const Box& box) noexcept { ++tree.buckets_[bucket(corner_of(box))]; }
    void begin_sorting() noexcept;
    void sort(ElementId id, const Box& box) noexcept {
        const std::uint64_t cells = detail::quad_cells(box, tree.grid_);
        const std::uint32_t near = detail::quad_corner(cells);
        waiting()[tree.buckets_[bucket(near)]++] = {near | reach_of(near, cells >> 32) << 14, id};
    }
    void make_nodes() noexcept;

    std::uint32_t corner_of(const Box& box) const noexcept {
        return detail::quad_corner(detail::quad_cells(box, tree.grid_));
    }
    Index bucket(std::uint32_t corner) const noexcept {
        const unsigned finer = tree.grid_.depth - bucket_depth;
        return detail::quad_curve(corner >> finer & ((1u << bucket_depth) - 1) * 0x00010001u);
    }
    // At most three along each axis.
    static std::uint32_t reach_of(std::uint32_t near, std::uint64_t far) noexcept {
        const std::uint32_t cells = static_cast<std::uint32_t>(far) - near;
        return std::min(cells & 0xFFFF, 3u) | std::min(cells >> 16, 3u) << 16;
    }
    // The sorted elements; `next` holds an element's first cell, and how far it reaches.
    detail::QuadElementNode* waiting() const noexcept {
        return tree.element_nodes_.data() + (tree.element_nodes_.size() - count);
    }
    static std::uint32_t nearest(const detail::QuadElementNode& element) noexcept {
        return element.next & 0x3FFF3FFFu;
    }
    static std::uint32_t reach(const detail::QuadElementNode& element) noexcept {
        return element.next >> 14 & 0x00030003u;
    }
    static std::uint32_t is_more(std::uint32_t reach) noexcept { return reach & reach >> 1 & 0x00010001u; }
    std::uint64_t cells(const detail::QuadElementNode& element) const noexcept {
        const std::uint32_t near = nearest(element), further = reach(element);
        if (is_more(further) != 0) return detail::quad_cells(tree.elements_[element.element], tree.grid_);
        return near | std::uint64_t{near + further} << 32;
    }
    bool divide(const Task& task, Tasks& tasks) noexcept;
    void find_parts(const Task& task, const detail::QuadCentre& centre, Index (&begins)[5]) noexcept;
    void sort_parts(const Task& task, const detail::QuadCentre& centre, Index (&begins)[5]) noexcept;
    bool find_crossing(const Task& task, const detail::QuadCentre& centre, Index last_part) noexcept;
    std::size_t count_visitors(const Task& task, const detail::QuadCentre& centre) const noexcept;
    void list_visitors(const Task& task, const detail::QuadCentre& centre, unsigned child) noexcept;
    bool all_in_the_same_cells(const Task& task) const noexcept;
    bool make_room(std::size_t element_nodes) noexcept;
    void keep_room_for_next_frames() noexcept;
    void fill(const Task& task) noexcept;
};

}  // namespace throng
