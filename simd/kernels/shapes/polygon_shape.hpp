// A convex polygon as the shape of a query: a view wedge, a light, a selection. A box is apart from it if it
// does not overlap the polygon's bounds, or if all of it is to the right of an edge: with the corner of the
// box that is furthest to the left,
//
//     edge.unit_x * (corner_y / 2 - edge.y / 2) - edge.unit_y * (corner_x / 2 - edge.x / 2) < 0
//
// where each operation is rounded by itself (the separating axes of Gottschalk, Lin and Manocha 1996). Halves
// and unit vectors keep it from overflowing. Each operation is monotonic in the corner, so the same
// expression tells for sure whether any box within some bounds is apart, or none is. A polygon without edges
// is its bounds.
#pragma once

#include "simd/kernels/shapes/shape_rows.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

template <class V>
class PolygonShape {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Wide = typename V::Wide;

    // The polygon must live as long as this.
    explicit PolygonShape(const ShapeQuery& polygon)
        : polygon_(polygon), box_(polygon.circle.bounds), outline_(box_) {}
    PolygonShape(const PolygonShape&) = delete;
    const Query& bounds() const { return polygon_.circle.bounds; }

    std::uint32_t overlap(const Arrays& a, std::size_t j) const {
        std::uint32_t found = box_.overlap(a, j);
        for (std::uint32_t k = 0; k < polygon_.edge_count && found != 0; ++k) {
            const PolygonEdge& e = polygon_.edges[k];
            const Wide half(0.5f);
            const Wide x = half * Wide::load_unaligned((e.unit_y > 0 ? a.min_x : a.max_x) + j);
            const Wide y = half * Wide::load_unaligned((e.unit_x > 0 ? a.max_y : a.min_y) + j);
            const Wide side =
                Wide(e.unit_x) * (y - Wide(0.5f * e.y)) - Wide(e.unit_y) * (x - Wide(0.5f * e.x));
            found &= ~V::bits(side < Wide(0.0f));
        }
        return found;
    }
    bool misses(const float* bounds) const {
        if (outline_.misses(bounds)) return true;
        for (std::uint32_t k = 0; k < polygon_.edge_count; ++k) {
            const PolygonEdge& e = polygon_.edges[k];
            if (side(e, e.unit_y > 0 ? bounds[0] : -bounds[2], e.unit_x > 0 ? -bounds[3] : bounds[1]) < 0)
                return true;
        }
        return false;
    }
    bool covers(const float* bounds) const {
        if (!outline_.covers(bounds)) return false;
        for (std::uint32_t k = 0; k < polygon_.edge_count; ++k) {
            const PolygonEdge& e = polygon_.edges[k];
            if (!(side(e, e.unit_y > 0 ? -bounds[2] : bounds[0], e.unit_x > 0 ? bounds[1] : -bounds[3]) >= 0))
                return false;
        }
        return true;
    }

    Interval touched(double low, double high) const {
        const Query& b = bounds();
        if (polygon_.edge_count == 0)
            return low <= b.max_y && b.min_y <= high ? Interval{b.min_x, b.max_x} : Interval{};
        Interval all;
        for (std::uint32_t k = 0; k < polygon_.edge_count; ++k) {
            const PolygonEdge &e = polygon_.edges[k],
                              &next = polygon_.edges[k + 1 < polygon_.edge_count ? k + 1 : 0];
            if (low <= e.y && e.y <= high) add(all, e.x);
            const bool up = e.y < next.y;
            const double from = up ? e.y : next.y, to = up ? next.y : e.y;
            for (const double y : {low, high})
                if (from < y && y < to)
                    add(all, e.x + (static_cast<double>(next.x) - e.x) *
                                       ((y - e.y) / (static_cast<double>(next.y) - e.y)));
        }
        return all;
    }
    Interval covered(double low, double high) const {
        const Query& b = bounds();
        if (low < b.min_y || b.max_y < high) return {};
        const Interval below = touched(low, low), above = touched(high, high);
        if (below.empty() || above.empty()) return {};
        const double first = below.first < above.first ? above.first : below.first;
        const double last = below.last < above.last ? below.last : above.last;
        const double margin = 0x1p-16 * (last - first);
        return {first + margin, last - margin};
    }

private:
    static float side(const PolygonEdge& e, float x, float y) {
        return e.unit_x * (0.5f * y - 0.5f * e.y) - e.unit_y * (0.5f * x - 0.5f * e.x);
    }
    static void add(Interval& all, double x) {
        if (all.empty()) {
            all = {x, x};
        } else {
            all.first = x < all.first ? x : all.first;
            all.last = x < all.last ? all.last : x;
        }
    }

    const ShapeQuery& polygon_;
    BoxShape<V> box_;
    typename BoxShape<V>::Outline outline_;
};

}  // namespace throng::simd
