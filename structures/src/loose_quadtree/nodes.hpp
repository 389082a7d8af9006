// The loose quadtree's nodes in groups of four, with the helpers that its source files share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/box_math.hpp"
#include "structures/src/loose_quadtree/state.hpp"
#include "throng/detail/grid_axis.hpp"
#include "throng/geometry.hpp"
#include "throng/structures/detail/fixed_stack.hpp"

namespace throng::structures::detail {

inline constexpr std::uint32_t loose_none = 0xFFFFFFFFu;
inline constexpr std::uint32_t loose_max_depth = 24;

inline constexpr std::size_t loose_stack = waiting_in_tree(loose_max_depth);
template <class Task>
using LooseStack = FixedStack<Task, loose_stack>;

inline Box bounds_of(const LooseQuad& quad, std::uint32_t lane) noexcept {
    return {quad.min_x[lane], quad.min_y[lane], quad.max_x[lane], quad.max_y[lane]};
}

inline void set_bounds(LooseQuad& quad, std::uint32_t lane, const Box& box) noexcept {
    quad.min_x[lane] = box.min_x;
    quad.min_y[lane] = box.min_y;
    quad.max_x[lane] = box.max_x;
    quad.max_y[lane] = box.max_y;
}

inline void widen(LooseQuad& quad, std::uint32_t lane, const Box& box) noexcept {
    set_bounds(quad, lane, bounds_of(quad, lane).united(box));
}

inline LooseQuad empty_quad() noexcept {
    LooseQuad quad{};
    for (std::uint32_t lane = 0; lane < 4; ++lane) set_bounds(quad, lane, no_box);
    return quad;
}

inline bool is_branch(std::int32_t child) noexcept { return child > 0; }
inline std::uint32_t first_of(std::int32_t child) noexcept {
    return child < 0 ? static_cast<std::uint32_t>(~child) : loose_none;
}
inline std::int32_t leaf_with(std::uint32_t first) noexcept {
    return first == loose_none ? 0 : ~static_cast<std::int32_t>(first);
}

// A node in one word.
template <class Node>
std::uint32_t packed(const Node& node) noexcept {
    return node.quad * 4 + node.lane;
}

// A bit for each of the four whose bounds overlap the box: in lanes.cpp.
std::uint32_t meeting(const LooseQuad& quad, const Box& box) noexcept;

// Goes down from the root, if there is one. `visit(node, child)` is called for each node with what its
// `child` says, and returns whether to go on; `enters(quad, lane)` says which children of a branch are
// visited, the first first.
template <class Node, class Quads, class Visit, class Enters>
void walk_down(const Quads& quads, Visit&& visit, Enters&& enters) {
    if (quads.empty()) return;
    LooseStack<Node> pending({0, 0, 0});
    while (!pending.empty()) {
        const Node node = pending.pop();
        const std::int32_t child = quads[node.quad].child[node.lane];
        if (!visit(node, child)) return;
        if (!is_branch(child)) continue;
        const auto quad = static_cast<std::uint32_t>(child);
        for (std::uint32_t lane = 4; lane-- > 0;)
            if (enters(quad, lane)) pending.push({quad, lane, node.depth + 1});
    }
}

}  // namespace throng::structures::detail

namespace throng::structures {

// The difference of half a centre and half the corner cannot overflow.
inline LooseQuadtree::State::Cell LooseQuadtree::State::cell_of(const Box& box) const noexcept {
    const float last = static_cast<float>((1u << config_.max_depth) - 1);
    const auto cell = [&](float low, float high, float half_origin) {
        return detail::bin(low * 0.25f + high * 0.25f, half_origin, scale_, last);
    };
    return {cell(box.min_x, box.max_x, half_left_), cell(box.min_y, box.max_y, half_low_)};
}

// Which of four nodes of this depth holds the cell.
inline std::uint32_t LooseQuadtree::State::lane_at(Cell cell, std::uint32_t depth) const noexcept {
    const std::uint32_t shift = config_.max_depth - depth;
    return (cell.x >> shift & 1) | (cell.y >> shift & 1) << 1;
}

inline LooseQuadtree::State::Cell LooseQuadtree::State::first_cell(Node node) const noexcept {
    const detail::LooseQuad& quad = quads_[node.quad];
    const std::uint32_t shift = config_.max_depth - node.depth;
    return {quad.x | (node.lane & 1) << shift, quad.y | (node.lane >> 1) << shift};
}

// Whether one of the four holds the cell.
inline bool LooseQuadtree::State::divides(const detail::LooseQuad& quad, Cell cell) const noexcept {
    return ((cell.x ^ quad.x) | (cell.y ^ quad.y)) >> (config_.max_depth - quad.depth) <= 1;
}

inline bool LooseQuadtree::State::holds(Index node, Cell cell) const noexcept {
    const detail::LooseQuad& quad = quads_[node / 4];
    const Cell first = first_cell({node / 4, node % 4, quad.depth});
    return ((cell.x ^ first.x) | (cell.y ^ first.y)) >> (config_.max_depth - quad.depth) == 0;
}

// For how many more there is room in a leaf, as far as a byte tells.
inline std::uint8_t LooseQuadtree::State::room_beside(std::uint32_t elements) const noexcept {
    constexpr std::uint32_t most = 255;
    return static_cast<std::uint8_t>(
        std::min(config_.leaf_elements - std::min(elements, config_.leaf_elements), most));
}

}  // namespace throng::structures
