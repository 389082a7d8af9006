// A walk through the tree of the oversized agents from one of them on, in the order of the tree: through the crown, then
// groves, then leaves. The bounds of groves and of leaves are compared sixteen at a time.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct LaterOversized : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Four;

    // Where a walk begins: at an agent of a grove. In a tree in one piece only the place counts.
    struct From {
        std::uint32_t grove, place;
    };

    // Calls visit(arrays, begin, end) for the agents of each leaf that the box may meet, until it returns false. Returns
    // whether it never did.
    template <class Visit>
    static bool for_each_leaf(const View& view, const From& from, const Query& box, const Visit& visit) {
        const auto misses =
            [outer = Base::Locator::four(box.max_x, box.max_y, -box.min_x, -box.min_y)](const Node& node) {
                return V::bits(Four::load_unaligned(&node.min_x) <= outer) != 15;
            };
        const bool whole = view.groves == nullptr;
        const std::uint32_t first = whole ? from.place : from.grove;
        for (std::uint32_t n = 0; n < view.node_count;) {
            const Node& node = view.nodes[n];
            if (node.end <= first || misses(node)) {
                n = node.next;
                continue;
            }
            const std::uint32_t begin = node.begin > first ? node.begin : first;
            if (whole) {
                if (node.next == ++n && !visit(Arrays(view.oversized), begin, node.end)) return false;
                continue;
            }
            const bool few = node.end - node.begin <= groves_at_once;
            n = few ? node.next : n + 1;
            const auto visit_grove = [&](std::uint32_t g) {
                return for_each_leaf(view.groves[g], g == from.grove ? from.place : 0, box, visit);
            };
            if (few && !Base::for_each_near(
                           view.grove_bounds, begin, node.end, box, [] {}, visit_grove))
                return false;
        }
        return true;
    }

private:
    template <class Visit>
    static bool for_each_leaf(const Grove& grove, std::uint32_t from, const Query& box, const Visit& visit) {
        const Arrays a(grove.oversized), leaves(grove.leaves);
        const auto visit_leaf = [&](std::uint32_t leaf) {
            const std::uint32_t begin = leaves.id[leaf], end = leaves.id[leaf + 1];
            return end <= from || visit(a, begin > from ? begin : from, end);
        };
        return Base::for_each_near(
            grove.leaves, 0, grove.leaves.count, box, [] {}, visit_leaf);
    }
};

}  // namespace throng::simd
