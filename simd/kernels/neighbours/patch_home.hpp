// The grid with all agents that some queriers may find: the frame's own, or that of the one island or storey
// they are on, or of the one storey of that island.
#pragma once

#include "simd/kernels/neighbours/circles.hpp"
#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/storeys/storey_search.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
struct PatchHome : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Wide;

    // Queriers that look at every height.
    struct AtEveryHeight {
        auto heights(std::uint32_t, std::uint32_t) const { return Admission<V>::Everyone::heights(); }
    };
    // Null if there is no such grid, or if an oversized agent may be near. The square of the radius is
    // finite. `filters.heights(first, count)` is a band around those of the queriers.
    template <class Filters = AtEveryHeight>
    static const View* of(const View& view, const Queriers& from, std::uint32_t first, std::uint32_t count,
                          float radius, const Filters& filters = {}) {
        if (view.is_all) return &view;
        const Query q = bounds_of(from, first, count, radius);
        const View* home = &IslandSearch<V>::home_of(view, q);
        if (home->islands != nullptr) return nullptr;
        if (home->storeys != nullptr) {
            const auto reach = typename Base::Locator(*home).reach(q);
            typename StoreySearch<V>::Only only(*home->storeys);
            home = only.in_reach(filters.heights(first, count), reach);
        }
        return home != nullptr && is_clear(view, q) ? home : nullptr;
    }

private:
    static Query bounds_of(const Queriers& from, std::uint32_t first, std::uint32_t count, float radius) {
        float low_x = from.x[first], low_y = from.y[first], high_x = low_x, high_y = low_y;
        for (std::uint32_t i = first + 1; i < first + count; ++i) {
            const float x = from.x[i], y = from.y[i];
            low_x = x < low_x ? x : low_x;
            low_y = y < low_y ? y : low_y;
            high_x = x > high_x ? x : high_x;
            high_y = y > high_y ? y : high_y;
        }
        const Query low = Circles<V>::around(low_x, low_y, radius).bounds,
                    high = Circles<V>::around(high_x, high_y, radius).bounds;
        return {low.min_x, low.min_y, high.max_x, high.max_y};
    }
    // Whether there is no oversized agent in these bounds.
    static bool is_clear(const View& view, const Query& q) {
        const typename Base::template Probe<Wide> probe(q);
        const typename Base::Arrays a(view.oversized);
        for (std::uint32_t i = 0; i < view.node_count;) {
            const Node& node = view.nodes[i];
            if (node.min_x > q.max_x || node.min_y > q.max_y || -node.negated_max_x < q.min_x ||
                -node.negated_max_y < q.min_y) {
                i = node.next;
                continue;
            }
            ++i;
            if (node.next != i) continue;
            if (view.groves != nullptr) return false;
            for (std::uint32_t j = node.begin; j < node.end; j += Wide::size)
                if (probe.overlap(a, j) != 0) return false;
        }
        return true;
    }
};

}  // namespace throng::simd
