// The quadtree's integer coordinates, and the descent to its leaves.
//
// The four cell coordinates of a box are packed into one 64-bit word (SIMD within a register): 16 bits each,
// the highest always zero. So one addition compares all four with the centre of a node: a field that reaches
// it carries into its highest bit.
//
//     y1 | x1 | y0 | x0          +  0x8000 - centre, in each field
//     the highest bits, gathered:   y1 >= cy, x1 >= cx, y0 >= cy, x0 >= cx
//
// The two lower ones are the number of the child in which the box begins; all four tell in which children it
// lies.
#pragma once

#include <array>
#include <cstdint>

#include "structures/src/quadtree/state.hpp"
#include "throng/detail/grid_axis.hpp"
#include "throng/structures/detail/fixed_stack.hpp"

namespace throng::structures::detail {

inline constexpr std::uint64_t quad_fields = 0x0001000100010001u;

// Whether a configuration is legal, and its grid.
bool quad_is_legal(const Quadtree::Config& config) noexcept;
QuadGrid quad_grid(const Quadtree::Config& config) noexcept;

// It keeps order, so two boxes that overlap share a cell.
inline std::uint32_t quad_cell(float value, float origin, const QuadGrid& grid) noexcept {
    return bin(value, origin, grid.cells_a_unit, grid.last_cell);
}

// All four at once, in a form that compilers vectorise.
inline std::uint64_t quad_cells(const Box& box, const QuadGrid& grid) noexcept {
    const float corners[4] = {box.min_x, box.min_y, box.max_x, box.max_y};
    const float origins[4] = {grid.x, grid.y, grid.x, grid.y};
    std::uint32_t cells[4];
    for (int k = 0; k < 4; ++k) cells[k] = quad_cell(corners[k], origins[k], grid);
    return (cells[0] | cells[1] << 16) | std::uint64_t{cells[2] | cells[3] << 16} << 32;
}
// The first cell of a box: x, and y in the upper half.
inline std::uint32_t quad_corner(std::uint64_t cells) noexcept { return static_cast<std::uint32_t>(cells); }

// A node, with its place: the corner of its square.
struct QuadPlace {
    std::uint32_t node, corner, depth;
};

// The addend that compares the four cell coordinates with the centre of a branch.
struct QuadCentre {
    std::uint32_t half;
    std::uint64_t complement;

    QuadCentre(const QuadPlace& place, unsigned grid_depth) noexcept
        : half(1u << (grid_depth - 1 - place.depth)) {
        const std::uint64_t corner = place.corner;
        complement = 0x8000 * quad_fields - (corner | corner << 32) - half * quad_fields;
    }
    // Four bits: see above.
    unsigned sides(std::uint64_t cells) const noexcept {
        constexpr std::uint64_t gather = 1ull << 48 | 1ull << 33 | 1ull << 18 | 1ull << 3;
        return static_cast<unsigned>(((cells + complement) >> 15 & quad_fields) * gather >> 48) & 15;
    }
    // Whether a box lies in more than one child.
    bool crosses(std::uint64_t cells) const noexcept {
        const std::uint64_t reached = cells + complement;
        return ((reached ^ reached >> 32) & 0x80008000u) != 0;
    }
    QuadPlace child(const QuadPlace& place, std::uint32_t first, unsigned which) const noexcept {
        return {first + which, place.corner + (which & 1) * half + (which >> 1) * (half << 16),
                place.depth + 1};
    }
};

// Which children a box lies in, by its sides: a bit for each.
inline constexpr std::array<std::uint8_t, 16> quad_children = [] {
    std::array<std::uint8_t, 16> children{};
    for (unsigned sides = 0; sides < 16; ++sides)
        for (unsigned child = 0; child < 4; ++child) {
            const bool column = child & 1 ? (sides & 4) != 0 : (sides & 1) == 0;
            const bool row = child & 2 ? (sides & 8) != 0 : (sides & 2) == 0;
            if (column && row) children[sides] |= static_cast<std::uint8_t>(1u << child);
        }
    return children;
}();
inline constexpr std::array<std::uint8_t, 16> quad_child_count = [] {
    std::array<std::uint8_t, 16> counts{};
    for (unsigned sides = 0; sides < 16; ++sides)
        for (unsigned child = 0; child < 4; ++child)
            if (quad_children[sides] >> child & 1) ++counts[sides];
    return counts;
}();

// Whether a box begins left of a leaf (bit 15) or above it (bit 31).
inline std::uint32_t quad_begins_before(std::uint32_t box_corner, std::uint32_t leaf_corner) noexcept {
    return ~(box_corner + (0x80008000u - leaf_corner)) & 0x80008000u;
}

template <class Entry>
using QuadStack = FixedStack<Entry, waiting_in_tree(Quadtree::depth_limit)>;

// Calls `visit(place)` for every leaf with one of the cells, in the order of the children, until it returns
// false. Returns whether it never did.
template <class Visit>
bool for_each_leaf_in(const Buffer<QuadNode>& nodes, const QuadGrid& grid, std::uint64_t cells,
                      Visit&& visit) {
    if (nodes.size() == 0) return true;
    QuadStack<QuadPlace> stack;
    stack.push({});
    while (!stack.empty()) {
        const QuadPlace place = stack.pop();
        const QuadNode node = nodes[place.node];
        if (node.count != QuadNode::branch) {
            if (!visit(place)) return false;
            continue;
        }
        const QuadCentre centre(place, grid.depth);
        const unsigned children = quad_children[centre.sides(cells)];
        for (unsigned child = 4; child-- > 0;)
            if (children >> child & 1) stack.push(centre.child(place, node.first, child));
    }
    return true;
}

// The cells of the whole world.
inline std::uint64_t quad_everything(const QuadGrid& grid) noexcept {
    return std::uint64_t{(1u << grid.depth) - 1} * 0x0001000100000000u;
}

// The place of a cell on the curve that runs through the leaves.
inline std::uint32_t quad_curve(std::uint32_t corner) noexcept {
    return interleaved(corner & 0xFFFFu, corner >> 16);
}

}  // namespace throng::structures::detail
