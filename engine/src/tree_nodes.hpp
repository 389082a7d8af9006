// The nodes of a quadtree in preorder, made from keys in the order of the curve (curve.hpp): a key has its place
// on the curve in the upper half.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/src/curve.hpp"
#include "engine/src/row_labels.hpp"
#include "engine/src/row_layout.hpp"
#include "simd/kernels.hpp"
#include "throng/buffer.hpp"

namespace throng::detail {

// Keys of one quadrant.
struct QuadRange {
    std::uint32_t begin, end, depth;
    unsigned shift;  // what is left of a key shifted by so much says which quadrant
};

// Divides a range into quadrants until `is_leaf(begin, end)`, or until all are at one place, and calls
// `add(range, leaf)` for each node in preorder, as long as that returns true. Quadrants that hold everything of
// the one around them get no node of their own.
template <class IsLeaf, class Add>
bool split_quads(std::span<const std::uint64_t> keys, IsLeaf&& is_leaf, Add&& add) noexcept {
    std::array<QuadRange, 3 * curve_levels + 1> waiting;
    std::size_t count = 0;
    waiting[count++] = {0, static_cast<std::uint32_t>(keys.size()), 0, 32 + 2 * curve_levels};
    while (count != 0) {
        const QuadRange range = waiting[--count];
        unsigned shift = range.shift, parts = 1;
        std::array<std::uint32_t, 5> edges{range.begin, range.end, range.end, range.end, range.end};
        while (parts == 1 && shift > 32 && !is_leaf(range.begin, range.end)) {
            shift -= 2;
            const std::uint64_t whole = keys[range.begin] >> shift >> 2 << shift << 2;
            parts = 0;
            for (std::uint64_t quadrant = 1; quadrant <= 4; ++quadrant) {
                const std::uint32_t from = edges[parts];
                std::uint32_t to = range.end;
                if (quadrant != 4)
                    to = static_cast<std::uint32_t>(std::lower_bound(keys.begin() + from,
                                                                     keys.begin() + range.end,
                                                                     whole + (quadrant << shift)) -
                                                    keys.begin());
                if (to != from) edges[++parts] = to;
            }
        }
        if (!add(range, parts == 1)) return false;
        for (unsigned part = parts; parts > 1 && part-- > 0;)
            waiting[count++] = {edges[part], edges[part + 1], range.depth + 1, shift};
    }
    return true;
}

// What follows a subtree is the next node that is not deeper. Until the bounds are known, a node's
// categories stand for its depth.
inline void link_nodes(Buffer<simd::Node>& nodes) noexcept {
    std::array<std::uint32_t, curve_levels + 1> next;
    next.fill(static_cast<std::uint32_t>(nodes.size()));
    for (std::size_t i = nodes.size(); i-- > 0;) {
        simd::Node& node = nodes[i];
        node.next = next[node.categories];
        std::fill(next.begin() + node.categories, next.end(), static_cast<std::uint32_t>(i));
    }
}

// The nodes over some keys, without bounds. False if there is no memory.
inline bool make_nodes(std::span<const std::uint64_t> keys, std::uint32_t leaf_size,
                       Buffer<simd::Node>& nodes) noexcept {
    const bool enough = split_quads(
        keys, [&](std::uint32_t begin, std::uint32_t end) { return end - begin <= leaf_size; },
        [&](const QuadRange& range, bool) {
            return nodes.push_back(
                {.begin = range.begin, .end = range.end, .next = 0, .categories = range.depth});
        });
    if (enough) link_nodes(nodes);
    return enough;
}

inline void set_bounds(simd::Node& node, const simd::Node& from) noexcept {
    node.min_x = from.min_x;
    node.min_y = from.min_y;
    node.negated_max_x = from.negated_max_x;
    node.negated_max_y = from.negated_max_y;
    node.categories = from.categories;
}

// A node that is no leaf from its children.
inline void bound_inner(simd::Node* nodes, std::size_t i) noexcept {
    simd::Node& node = nodes[i];
    simd::Node all = nodes[i + 1];
    for (std::size_t child = i + 1; child < node.next; child = nodes[child].next) {
        const simd::Node& part = nodes[child];
        all.min_x = std::min(all.min_x, part.min_x);
        all.min_y = std::min(all.min_y, part.min_y);
        all.negated_max_x = std::min(all.negated_max_x, part.negated_max_x);
        all.negated_max_y = std::min(all.negated_max_y, part.negated_max_y);
        all.categories |= part.categories;
        node.end = part.end;
    }
    set_bounds(node, all);
}

// Children stand behind their parent, so from the last to the first their bounds are there when they are
// needed. `bound_leaf(leaf)` sets those of a leaf.
template <class BoundLeaf>
void bound_nodes(std::span<simd::Node> nodes, BoundLeaf&& bound_leaf) noexcept {
    for (std::size_t i = nodes.size(); i-- > 0;)
        if (nodes[i].next == i + 1)
            bound_leaf(nodes[i]);
        else
            bound_inner(nodes.data(), i);
}

// The nodes from the root to the leaf that has an element.
struct Path {
    std::array<std::uint32_t, curve_levels + 1> nodes{};
    std::size_t length = 0;
    std::uint32_t parent() const noexcept { return nodes[length < 2 ? 0 : length - 2]; }
};
inline Path path_to(const simd::Node* nodes, std::uint32_t element) noexcept {
    Path path;
    for (std::uint32_t n = 0;;) {
        path.nodes[path.length++] = n;
        if (nodes[n].next == n + 1) return path;
        ++n;
        while (nodes[n].end <= element) n = nodes[n].next;
    }
}

// A leaf from its agents. Without labels all have the default category.
inline void bound_leaf(simd::Node& leaf, const simd::Row& row, bool labelled) noexcept {
    const RowArrays a(row);
    constexpr float far = std::numeric_limits<float>::infinity();
    float low_x = far, low_y = far, high_x = far, high_y = far;  // the last two negated
    std::uint32_t categories = labelled ? 0 : simd::default_category;
    for (std::uint32_t k = leaf.begin; k < leaf.end; ++k) {
        low_x = std::min(low_x, a.min_x[k]);
        low_y = std::min(low_y, a.min_y[k]);
        high_x = std::min(high_x, -a.max_x[k]);
        high_y = std::min(high_y, -a.max_y[k]);
        if (labelled) categories |= simd::noted(RowLabels(row).categories[k]);
    }
    leaf.min_x = low_x;
    leaf.min_y = low_y;
    leaf.negated_max_x = high_x;
    leaf.negated_max_y = high_y;
    leaf.categories = categories;
}

}  // namespace throng::detail
