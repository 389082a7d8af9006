// Builds the nodes of a quadtree in preorder from keys in the order of ranks (tree_ranks.hpp); the upper half
// of a key is its rank. Agents with the same rank can be divided further by id: a full rank has the rank in
// its upper half and the id in its lower half. A node knows where its subtree ends, as with the skip pointers
// of B. Smits, Efficiency Issues for Ray Tracing, 1998.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"
#include "simd/types.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

// Keys of one quadrant.
struct QuadRange {
    std::uint32_t begin, end, depth;
    unsigned shift;  // a full rank shifted right by this is the quadrant
};

// The shift of the rank in a key and in a full rank.
inline constexpr unsigned rank_shift = 32;

// Where the first three quadrants below `whole` end among some keys: at the first key with at least the full
// rank of the next. The lower half of a key matters only if ranks are equal. All three are found by halving
// side by side, without a branch.
template <class RankOf>
std::array<std::uint32_t, 3> ends_of_quadrants(std::span<const std::uint64_t> keys, const QuadRange& range,
                                               std::uint64_t whole, unsigned shift,
                                               RankOf&& full_rank_of) noexcept {
    std::array<std::uint32_t, 3> ends{range.begin, range.begin, range.begin};
    const auto step = [&](std::uint32_t half) {
        for (std::size_t k = 0; k < 3; ++k)
            ends[k] +=
                full_rank_of(keys[ends[k] + half - 1]) < whole + (std::uint64_t{k + 1} << shift) ? half : 0;
    };
    std::uint32_t left = range.end - range.begin;
    for (; left > 1; left -= left / 2) step(left / 2);
    step(1);
    return ends;
}

// The parts into which a node divides its keys: part k is edges[k]..edges[k+1], in quadrants of this shift.
// One part is a leaf.
struct Quarters {
    unsigned count, shift;
    std::array<std::uint32_t, 5> edges;
};
inline Quarters undivided(const QuadRange& range) noexcept {
    return {1, range.shift, {range.begin, range.end, range.end, range.end, range.end}};
}

// The highest pair of bits in which two full ranks differ divides the keys between them.
inline unsigned dividing_shift(std::uint64_t differing) noexcept {
    return (static_cast<unsigned>(std::bit_width(differing)) - 1) / 2 * 2;
}

// Leaves are those of `is_leaf(begin, end)`, and keys whose full ranks are equal except for the `lowest`
// bits. With `joins`, the first two quadrants, or the last two, are one leaf if that is large enough.
template <bool joins, class RankOf, class IsLeaf>
Quarters quarters_of(std::span<const std::uint64_t> keys, const QuadRange& range, unsigned lowest,
                     RankOf&& full_rank_of, IsLeaf&& is_leaf) noexcept {
    if (range.shift <= lowest || is_leaf(range.begin, range.end)) return undivided(range);
    const std::uint64_t key = keys[range.begin], last_key = keys[range.end - 1];
    const bool by_id = key >> rank_shift == last_key >> rank_shift;
    const std::uint64_t first = by_id ? full_rank_of(key) : key,
                        last = by_id ? full_rank_of(last_key) : last_key;
    if ((first ^ last) >> lowest == 0) return undivided(range);
    const unsigned shift = dividing_shift(first ^ last);
    const std::uint64_t whole = first >> shift >> 2 << shift << 2;
    std::array<std::uint32_t, 3> ends =
        by_id ? ends_of_quadrants(keys, range, whole, shift, full_rank_of)
              : ends_of_quadrants(keys, range, whole, shift, [](std::uint64_t one) { return one; });
    if (joins && is_leaf(range.begin, ends[1])) ends[0] = ends[1];
    if (joins && is_leaf(ends[1], range.end)) ends[2] = range.end;
    Quarters all{0, shift, {range.begin, range.end, range.end, range.end, range.end}};
    for (const std::uint32_t end : {ends[0], ends[1], ends[2], range.end})
        if (end != all.edges[all.count]) all.edges[++all.count] = end;
    return all;
}

// Divides keys, all in the quadrant `all`, until no node has parts (quarters_of). Calls `add(range, leaf)`
// for each node in preorder, as long as that returns true. A quadrant with all keys of its parent gets no
// node of its own.
template <bool joins, class RankOf, class IsLeaf, class Add>
bool split_quads(std::span<const std::uint64_t> keys, const QuadRange& all, unsigned lowest,
                 RankOf&& full_rank_of, IsLeaf&& is_leaf, Add&& add) noexcept {
    std::array<QuadRange, 3 * tree_levels + 1> waiting;
    std::size_t count = 0;
    waiting[count++] = all;
    while (count != 0) {
        const QuadRange range = waiting[--count];
        const Quarters parts = quarters_of<joins>(keys, range, lowest, full_rank_of, is_leaf);
        if (!add(range, parts.count == 1)) return false;
        for (unsigned part = parts.count; parts.count > 1 && part-- > 0;)
            waiting[count++] = {parts.edges[part], parts.edges[part + 1], range.depth + 1, parts.shift};
    }
    return true;
}

// A subtree ends at the next node that is not deeper. Until the bounds are known, the field for a node's
// categories holds its depth.
inline void link_nodes(Buffer<simd::Node>& nodes) noexcept {
    std::array<std::uint32_t, tree_levels + 1> next;
    next.fill(static_cast<std::uint32_t>(nodes.size()));
    for (std::size_t i = nodes.size(); i-- > 0;) {
        simd::Node& node = nodes[i];
        node.next = next[node.categories];
        std::fill(next.begin() + node.categories, next.end(), static_cast<std::uint32_t>(i));
    }
}

inline bool leaf_at(std::span<const simd::Node> nodes, std::size_t i) noexcept {
    return nodes[i].next == i + 1;
}
inline std::size_t leaves_among(std::span<const simd::Node> nodes) noexcept {
    std::size_t leaves = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) leaves += leaf_at(nodes, i);
    return leaves;
}

// Makes the nodes of a grove over some keys, at most `most`, without bounds. Agents with the same rank share
// a leaf. Returns false if there is no memory.
template <std::uint32_t most>
bool make_nodes(std::span<const std::uint64_t> keys, std::uint32_t leaf_size,
                Buffer<simd::Node>& nodes) noexcept {
    const auto count = static_cast<std::uint32_t>(keys.size());
    const auto push = [&nodes](const QuadRange& range, bool) {
        return nodes.push_back({.begin = range.begin, .end = range.end});
    };
    const auto full_rank = [](std::uint64_t key) { return key; };
    const auto is_leaf = [&](std::uint32_t begin, std::uint32_t end) { return end - begin <= leaf_size; };
    if (!split_quads<true>(keys, {0, count, 0, 2 * tree_levels}, rank_shift, full_rank, is_leaf, push))
        return false;
    // A subtree ends at the first node of the keys behind its own. If several begin with that key, at the
    // topmost one.
    std::array<std::uint32_t, most + 1> first_from;
    first_from[count] = static_cast<std::uint32_t>(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
        nodes[i].next = first_from[nodes[i].end];
        first_from[nodes[i].begin] = static_cast<std::uint32_t>(i);
    }
    return true;
}

inline void set_bounds(simd::Node& node, const simd::Node& from) noexcept {
    node.min_x = from.min_x;
    node.min_y = from.min_y;
    node.negated_max_x = from.negated_max_x;
    node.negated_max_y = from.negated_max_y;
    node.categories = from.categories;
}

// The same as a box of a row.
inline void put_bounds(float* data, std::size_t stride, std::size_t at, const simd::Node& from) noexcept {
    data[at] = from.min_x;
    data[stride + at] = from.min_y;
    data[2 * stride + at] = -from.negated_max_x;
    data[3 * stride + at] = -from.negated_max_y;
}

inline bool has_bounds(const simd::Row& row, std::size_t at, const simd::Node& node) noexcept {
    return RowArrays(row).box(at) == Box{node.min_x, node.min_y, -node.negated_max_x, -node.negated_max_y};
}
// Whether a row lists the leaves among some nodes, which are all over agents or groves in their order.
inline bool lists_leaves(const simd::Row& row, std::span<const simd::Node> nodes) noexcept {
    const AgentId* begins = RowArrays(row).id;
    std::uint32_t leaves = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!leaf_at(nodes, i)) continue;
        if (leaves == row.count || !has_bounds(row, leaves, nodes[i]) || begins[leaves] != nodes[i].begin)
            return false;
        ++leaves;
    }
    return leaves == row.count && begins[leaves] == nodes[0].end;
}

// The bounds of an inner node, from its children.
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

// Children come after their parent, so the nodes are bounded from the last on. `bound_leaf(leaf)` sets the
// bounds of a leaf.
template <class BoundLeaf>
void bound_nodes(std::span<simd::Node> nodes, BoundLeaf&& bound_leaf) noexcept {
    for (std::size_t i = nodes.size(); i-- > 0;)
        if (leaf_at(nodes, i))
            bound_leaf(nodes[i]);
        else
            bound_inner(nodes.data(), i);
}

// The bounds of a leaf, from its agents. Without labels all have the default category.
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
