// GridRow: one row of a RowGrid (row_grid.hpp), with memory of its own: the heads of its cells, and the nodes
// of all its elements in one array. The elements of a cell form a linked list through the nodes, and so do
// the holes of removed elements. So every edit takes constant time and moves at most one other element, of
// the same cell.
//
//     heads   [ 0 ][ - ][ 3 ][ - ]              the first node of each cell
//     nodes   [ a -> 1 ][ b -> - ][ hole -> - ][ c -> - ]
//
// A row that was built in bulk is `sorted`, by a counting sort over its cells: nodes lie in the order of
// their cells, without holes, as runs instead of lists. The first edit that changes more than a box within
// its cell turns the runs into lists.
//
//     heads   [ 0 ][ 2 ][ 2 ][ 3 ][ 3 ]         where each cell begins, and where the last one ends
//     nodes   [ a ][ b ][ c ]
//
// A hole's box overlaps nothing, so a scan over all nodes needs no test for holes. Nothing is checked here:
// the grid has checked its input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "throng/memory.hpp"
#include "throng/structures/detail/headroom.hpp"
#include "throng/structures/spatial_index.hpp"

namespace throng::structures::detail {

struct GridRow {
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    static constexpr float infinity = std::numeric_limits<float>::infinity();

    struct Node {
        Box box;
        ElementId id;        // `no_element` in a hole
        std::uint32_t next;  // in its cell, or the next hole
    };

    explicit GridRow(MemoryResource* memory = nullptr) noexcept : heads(memory), nodes(memory) {}

    Buffer<std::uint32_t> heads;  // one more than there are cells; empty in a row that never had an element
    Buffer<Node> nodes;
    std::uint32_t size = 0;
    std::uint32_t first_hole = none;
    std::uint32_t edits = 0;  // since it was sorted
    float width = 0;          // at least that of the widest element
    float top = -infinity;    // at least the largest max_y
    bool sorted = false;
    bool loose = false;     // whether width and top may be larger than necessary
    std::uint8_t idle = 0;  // in how many consecutive clean-ups it was empty

    std::size_t bytes() const noexcept { return heads.bytes() + nodes.bytes(); }
    std::uint32_t cells() const noexcept {
        return heads.size() == 0 ? 0 : static_cast<std::uint32_t>(heads.size() - 1);
    }
    // Steps through the nodes of a cell, in both forms.
    std::uint32_t first_in(std::uint32_t column) const noexcept {
        return sorted && heads[column] == heads[column + 1] ? none : heads[column];
    }
    std::uint32_t next_in(std::uint32_t column, std::uint32_t node) const noexcept {
        if (!sorted) return nodes[node].next;
        return node + 1 < heads[column + 1] ? node + 1 : none;
    }

    // Makes room for `count` elements in `columns` cells. Returns false and changes no element if there is no
    // memory.
    [[nodiscard]] bool reserve(std::uint32_t columns, std::size_t count) noexcept {
        if (heads.size() == 0) {
            if (!heads.resize_exactly(std::size_t{columns} + 1)) return false;
            forget_all();
        }
        // By at least half, since elements may come one by one.
        const std::size_t capacity = nodes.capacity();
        return count <= capacity || grow_to(std::max(with_headroom(count), capacity + capacity / 2));
    }
    // `reserve` for a row that is about to be filled in bulk.
    [[nodiscard]] bool reserve_in_bulk(std::uint32_t columns, std::size_t count) noexcept {
        if (count <= nodes.capacity()) return count == 0 || reserve(columns, count);
        return grow_to(with_headroom(count)) && reserve(columns, count);
    }
    [[nodiscard]] bool grow_to(std::size_t capacity) noexcept {
        const std::size_t used = nodes.size();
        return nodes.resize_exactly(capacity) && nodes.resize(used);
    }

    // Whether enough has changed to make sorting worthwhile.
    bool wants_order() const noexcept { return !sorted && edits >= size / 8 && size != 0; }
    void make_lists() noexcept {
        for (std::uint32_t c = 0; sorted && c < cells(); ++c) {
            const std::uint32_t begin = heads[c], end = heads[c + 1];
            heads[c] = begin == end ? none : begin;
            for (std::uint32_t n = begin; n < end; ++n) nodes[n].next = n + 1 < end ? n + 1 : none;
        }
        sorted = false;
    }

    // Puts an element at the front of a cell and returns its node. There has to be room.
    std::uint32_t link(std::uint32_t column, const Box& box, ElementId id) noexcept {
        make_lists();
        std::uint32_t node = first_hole;
        if (node != none)
            first_hole = nodes[node].next;
        else
            (void)nodes.resize((node = static_cast<std::uint32_t>(nodes.size())) + std::size_t{1});
        nodes[node] = {box, id, heads[column]};
        heads[column] = node;
        ++size;
        ++edits;
        grow(box);
        return node;
    }
    // Takes an element out of its cell. To avoid a walk to its predecessor, the cell's first element takes
    // over its node: returns the id of that element, or `no_element` if none has moved.
    ElementId unlink(std::uint32_t column, std::uint32_t node) noexcept {
        make_lists();
        const std::uint32_t head = heads[column];
        heads[column] = nodes[head].next;
        ElementId moved = no_element;
        if (head != node) {
            moved = nodes[head].id;
            nodes[node].box = nodes[head].box;
            nodes[node].id = moved;
        }
        free(head);
        return moved;
    }
    // Turns a node that is no longer in any cell into a hole.
    void free(std::uint32_t node) noexcept {
        nodes[node] = {{infinity, infinity, -infinity, -infinity}, no_element, first_hole};
        first_hole = node;
        ++edits;
        loose = true;
        if (--size == 0) forget_nodes();
    }
    // For a row whose cells are empty.
    void forget_nodes() noexcept {
        nodes.clear();
        first_hole = none;
        edits = 0;
        width = 0;
        top = -infinity;
        loose = false;
    }
    // Empties all cells and forgets all nodes.
    void forget_all() noexcept {
        for (std::uint32_t& head : heads) head = none;
        sorted = false;
        size = 0;
        forget_nodes();
    }

    void grow(const Box& box) noexcept {
        const float across = box.max_x - box.min_x;
        width = across > width ? across : width;
        top = box.max_y > top ? box.max_y : top;
    }
    // Makes width and top as small as possible.
    void tighten() noexcept {
        if (!loose) return;
        width = 0;
        top = -infinity;
        for (const Node& node : nodes)
            if (node.id != no_element) grow(node.box);
        loose = false;
    }
};

}  // namespace throng::structures::detail
