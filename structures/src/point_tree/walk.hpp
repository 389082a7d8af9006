// Ways through the tree: to the nearest, and to all within a limit.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "structures/src/point_tree/measures.hpp"

namespace throng::structures::detail {

inline constexpr std::size_t points_in_a_leaf = 16;

struct PointRange {
    std::size_t begin, end;
};

// A node by its number: the root is 1, and the halves of node i are 2 i and 2 i + 1.
class PointNodes {
public:
    explicit PointNodes(const PointArrays& tree) noexcept : tree_(tree) {}
    std::uint32_t first_leaf() const noexcept { return std::uint32_t{1} << tree_.depth; }
    bool is_leaf(std::uint32_t node) const noexcept { return node >= first_leaf(); }
    PointRange points_of(std::uint32_t node) const noexcept {
        const auto level = static_cast<unsigned>(std::bit_width(node)) - 1;
        const std::uint64_t number = node - (std::uint32_t{1} << level);
        return {static_cast<std::size_t>(tree_.count * number >> level),
                static_cast<std::size_t>(tree_.count * (number + 1) >> level)};
    }
    const PointBounds& bounds(std::uint32_t node) const noexcept { return tree_.nodes[node]; }
    const PointSplit& split(std::uint32_t node) const noexcept { return tree_.splits[node]; }
    // The leaf that a place belongs to.
    std::uint32_t leaf_at(const DoublePoint& p) const noexcept {
        std::uint32_t node = 1;
        while (!is_leaf(node)) {
            const PointSplit& s = split(node);
            node = 2 * node + ((s.by_y ? p.y : p.x) >= s.at ? 1u : 0u);
        }
        return node;
    }

private:
    const PointArrays tree_;
};

// The measures of a leaf's points from a place. They are computed for as many points as a leaf may have,
// which compilers do with vectors; behind the last point there are some more to read.
template <class Each>
class LeafMeasures {
public:
    LeafMeasures(const Each& each, const PointArrays& tree, std::size_t begin,
                 const DoublePoint& p) noexcept {
        const double *const x = tree.x + begin, *const y = tree.y + begin;
        for (std::size_t i = 0; i < points_in_a_leaf; ++i) measures_[i] = each.of(x[i] - p.x, y[i] - p.y);
    }
    double operator[](std::size_t i) const noexcept { return measures_[i]; }

private:
    double measures_[points_in_a_leaf];
};

// What is still to be looked at. A tree of 2^32 points has fewer levels.
template <class Entry>
class Pending {
public:
    bool empty() const noexcept { return count_ == 0; }
    void push(const Entry& entry) noexcept { entries_[count_++] = entry; }
    const Entry& pop() noexcept { return entries_[--count_]; }

private:
    Entry entries_[40];
    std::size_t count_ = 0;
};

// Calls whole(range) for nodes with all points within the limit, and some(range) for leaves where some points
// may be within it.
template <class Each, class Whole, class Some>
void walk_within(const Each& each, const PointArrays& tree, const DoublePoint& p, double limit,
                 const Whole& whole, const Some& some) noexcept {
    if (tree.count == 0) return;
    const PointNodes nodes(tree);
    Pending<std::uint32_t> pending;
    pending.push(1);
    while (!pending.empty()) {
        const std::uint32_t node = pending.pop();
        if (!(each.least(nodes.bounds(node), p.x, p.y) <= limit)) continue;
        if (each.most(nodes.bounds(node), p.x, p.y) <= limit) {
            whole(nodes.points_of(node));
        } else if (nodes.is_leaf(node)) {
            some(nodes.points_of(node));
        } else {
            pending.push(2 * node + 1);
            pending.push(2 * node);
        }
    }
}

// The leaves that queries near each other must look at, and the nodes that are within the limit of all these
// queries: one walk for all instead of one for each.
template <class Each>
class SharedWalk {
public:
    // The bounds of the queries, and the least and the greatest of their limits.
    SharedWalk(const Each& each, const PointArrays& tree, const PointBounds& bounds, double least,
               double most) noexcept
        : each_(each), tree_(tree) {
        if (tree.count == 0) return;
        const PointNodes nodes(tree);
        Pending<std::uint32_t> pending;
        pending.push(1);
        while (!pending.empty() && !is_full()) {
            const std::uint32_t node = pending.pop();
            if (!(each.least(nodes.bounds(node), bounds) <= most)) continue;
            if (nodes.is_leaf(node) || each.most(nodes.bounds(node), bounds) <= least) {
                found_[count_++] = {nodes.points_of(node), node};
            } else {
                pending.push(2 * node + 1);
                pending.push(2 * node);
            }
        }
    }
    // As walk_within, for one of the queries.
    template <class Whole, class Some>
    void visit(const DoublePoint& p, double limit, const Whole& whole, const Some& some) const noexcept {
        if (is_full()) return walk_within(each_, tree_, p, limit, whole, some);
        for (std::size_t i = 0; i < count_; ++i) {
            const PointBounds& bounds = tree_.nodes[found_[i].node];
            if (!(each_.least(bounds, p.x, p.y) <= limit)) continue;
            if (each_.most(bounds, p.x, p.y) <= limit)
                whole(found_[i].points);
            else
                some(found_[i].points);
        }
    }

private:
    struct Found {
        PointRange points;
        std::uint32_t node;
    };
    static constexpr std::size_t most_found = 48;
    bool is_full() const noexcept { return count_ == most_found; }

    const Each& each_;
    const PointArrays& tree_;
    Found found_[most_found];
    std::size_t count_ = 0;
};

// Calls look(range, measures) for leaves, the nearest first, while something in them may be below bound().
// The place where a half was cut off tells how far away it is, on either axis.
template <class Each, class Bound, class Look>
    requires(!Each::wraps)
void walk_nearest(const Each& each, const PointArrays& tree, const DoublePoint& p, const Bound& bound,
                  const Look& look) noexcept {
    struct Later {
        std::uint32_t node;
        double measure, x, y;
    };
    if (tree.count == 0) return;
    const PointNodes nodes(tree);
    Pending<Later> pending;
    const auto [x, y] = Each::gaps(nodes.bounds(1), p.x, p.y);
    pending.push({1, Each::of(x, y), x, y});
    while (!pending.empty()) {
        Later here = pending.pop();
        if (!(here.measure < bound())) continue;
        while (!nodes.is_leaf(here.node)) {
            const PointSplit& split = nodes.split(here.node);
            const double gap = (split.by_y ? p.y : p.x) - split.at;
            const std::uint32_t near = 2 * here.node + (gap >= 0 ? 1u : 0u);
            const double far_x = split.by_y ? here.x : gap, far_y = split.by_y ? gap : here.y;
            const double measure = Each::of(far_x, far_y);
            if (measure < bound()) pending.push({near ^ 1u, measure, far_x, far_y});
            here.node = near;
        }
        if (!(Each::least(nodes.bounds(here.node), p.x, p.y) < bound())) continue;
        const PointRange range = nodes.points_of(here.node);
        look(range, LeafMeasures<Each>(each, tree, range.begin, p));
    }
}

// Where the plane wraps around, the other half may be the nearer one: the bounds of both tell.
template <class Each, class Bound, class Look>
    requires(Each::wraps)
void walk_nearest(const Each& each, const PointArrays& tree, const DoublePoint& p, const Bound& bound,
                  const Look& look) noexcept {
    struct Later {
        std::uint32_t node;
        double measure;
    };
    if (tree.count == 0) return;
    const PointNodes nodes(tree);
    const auto least = [&](std::uint32_t node) { return each.least(nodes.bounds(node), p.x, p.y); };
    Pending<Later> pending;
    pending.push({1, least(1)});
    while (!pending.empty()) {
        Later here = pending.pop();
        while (!nodes.is_leaf(here.node) && here.measure < bound()) {
            Later far{2 * here.node + 1, least(2 * here.node + 1)};
            here = {2 * here.node, least(2 * here.node)};
            if (far.measure < here.measure) std::swap(here, far);
            if (far.measure < bound()) pending.push(far);
        }
        if (!(here.measure < bound())) continue;
        const PointRange range = nodes.points_of(here.node);
        look(range, LeafMeasures<Each>(each, tree, range.begin, p));
    }
}

}  // namespace throng::structures::detail
