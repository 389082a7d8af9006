// A circle as the shape of a query, against what agents are to it: their boxes, circles, or centres. For what
// a shape offers see box_shape.hpp. Definitions, each product and sum rounded by itself:
//
//     boxes      to the nearest point of the box: dx = max(min_x - x, x - max_x, 0)
//     centres    to the centre of the box:        dx = min_x / 2 + max_x / 2 - x
//     circles    the same, to the largest circle in the box: its radius is added to r
//
// dy likewise; found is what has dx * dx + dy * dy <= r * r. Takers that need a distance take that of a
// circle from its edge: the square of how much further than its radius its centre is, or of the distance to
// its box where that is more, for rounding.
//
// All that a circle finds overlaps `bounds`, which are a little wider than the circle for the rounding above;
// see engine/src/query/query_batch.cpp. So the search, which looks only at what may overlap the bounds,
// loses nothing.
#pragma once

#include <type_traits>

#include "simd/kernels/shapes/box_shape.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

// The circle around a site, and what agents are to it.
struct SiteCircle {
    const CircleQuery& circle;
    AgentsAs agents_as;
    THRONG_ALWAYS_INLINE operator const CircleQuery&() const { return circle; }
};

// One around a site covers nothing, so that each agent is tested, for takers that need its distance. It is
// compiled for centres, and once for boxes and circles.
template <class V, AgentsAs agents_as, bool of_site = false>
class CircleShape {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Wide = typename V::Wide;
    using Source = std::conditional_t<of_site && agents_as == AgentsAs::boxes, SiteCircle, CircleQuery>;

    // The circle must live as long as this.
    explicit CircleShape(const CircleQuery& circle, AgentsAs kind = agents_as)
        : circle_(circle),
          x_(circle.x),
          y_(circle.y),
          radius_(circle.radius),
          limit_(circle.radius * circle.radius),
          kind_(kind) {}
    explicit CircleShape(const SiteCircle& site) : CircleShape(site.circle, site.agents_as) {}
    const Query& bounds() const { return circle_.bounds; }

    // Squared distances of the next agents: NaN in the gap behind the last.
    Wide distance(const Arrays& a, std::size_t j) const {
        const Agents of(a, j);
        if constexpr (agents_as == AgentsAs::centres) return to_centre(of);
        if ((of_site ? kind_ : agents_as) == AgentsAs::boxes) return to_box(of);
        const Wide beyond = V::larger(Wide(0.0f), root(to_centre(of)) - of.radius());
        return V::larger(to_box(of), beyond * beyond);
    }
    std::uint32_t overlap(const Arrays& a, std::size_t j) const {
        if constexpr (agents_as == AgentsAs::circles) {
            const Agents of(a, j);
            const Wide both = radius_ + of.radius();
            const std::uint32_t found = V::bits(to_centre(of) <= both * both);
            // The radius of a very large agent is rounded by more than the bounds allow for.
            return found == 0 ? 0 : found & Lanes(circle_.bounds).overlap(a, j);
        } else {
            return V::bits(distance(a, j) <= limit_);
        }
    }

    // Bounds are four floats, the upper edges negated (see Bounds).
    bool misses(const float* bounds) const {
        return typename BoxShape<V>::Outline(BoxShape<V>(circle_.bounds)).misses(bounds);
    }
    bool covers(const float* bounds) const {
        if constexpr (agents_as != AgentsAs::boxes || of_site) return false;
        const float dx = larger(-bounds[2] - circle_.x, circle_.x - bounds[0]);
        const float dy = larger(-bounds[3] - circle_.y, circle_.y - bounds[1]);
        return dx * dx + dy * dy <= circle_.radius * circle_.radius;
    }
    using Outline = ShapeOutline<CircleShape>;
    using Covered = ShapeRows<V, CircleShape>;
    Interval touched(double low, double high) const {
        if (!(circle_.radius * circle_.radius < Base::largest)) return Interval::everywhere();
        const double reach = static_cast<double>(circle_.radius) * (1 + 0x1p-18) + 0x1p-60;
        const double below = low - circle_.y, above = circle_.y - high;
        const double nearest = below > above ? below : above;
        return chord(reach, nearest > 0 ? nearest : 0);
    }
    Interval covered(double low, double high) const {
        if constexpr (of_site) return {};
        const double below = circle_.y - low, above = high - circle_.y;
        return chord(static_cast<double>(circle_.radius) * (1 - 0x1p-18), below > above ? below : above);
    }

    // The larger of two distances, or zero if both are negative. NaN stays NaN.
    static Wide outside(const Wide& before, const Wide& behind) {
        return V::larger(Wide(0.0f), V::larger(before, behind));
    }
    static Wide squared(const Wide& dx, const Wide& dy) { return dx * dx + dy * dy; }

private:
    using Lanes = typename Base::template Probe<Wide>;

    static float larger(float a, float b) { return a > b ? a : b; }
    // The part of a circle at this distance from its centre.
    Interval chord(double radius, double distance) const {
        if (!(distance <= radius)) return {};
        using Double = xsimd::batch<double, typename V::Four::arch_type>;
        const double half = xsimd::sqrt(Double((radius - distance) * (radius + distance))).get(0);
        return {circle_.x - half, circle_.x + half};
    }

    struct Agents {
        Wide min_x, max_x, min_y, max_y;
        Agents(const Arrays& a, std::size_t j)
            : min_x(Wide::load_unaligned(a.min_x + j)),
              max_x(Wide::load_unaligned(a.max_x + j)),
              min_y(Wide::load_unaligned(a.min_y + j)),
              max_y(Wide::load_unaligned(a.max_y + j)) {}
        Wide radius() const {
            const Wide half(0.5f), width = half * max_x - half * min_x, height = half * max_y - half * min_y;
            return xsimd::select(width < height, width, height);
        }
    };
    Wide to_box(const Agents& of) const {
        return squared(outside(of.min_x - x_, x_ - of.max_x), outside(of.min_y - y_, y_ - of.max_y));
    }
    Wide to_centre(const Agents& of) const {
        return squared(centre(of.min_x, of.max_x) - x_, centre(of.min_y, of.max_y) - y_);
    }
    static Wide root(const Wide& v) {
        if constexpr (requires { V::root(v); })
            return V::root(v);
        else
            return xsimd::sqrt(v);
    }
    static Wide centre(const Wide& min, const Wide& max) { return Wide(0.5f) * min + Wide(0.5f) * max; }

    const CircleQuery& circle_;
    Wide x_, y_, radius_, limit_;
    const AgentsAs kind_;
};

template <class V, bool by_centres>
using SiteShape = CircleShape<V, by_centres ? AgentsAs::centres : AgentsAs::boxes, true>;

}  // namespace throng::simd
