// When a cast with a radius touches an agent: engine/include/throng/queries/casts.hpp has the definition. One
// box at a time and in double, for the few boxes that are near enough.
//
//        +-----------+            The box that moves is a point here, and the other one is larger by
//      o-|-----------|-o          its size: the box widened on one axis, the same on the other, and
//      | |           | |          four circles.
//      o-|-----------|-o
//        +-----------+
#pragma once

#include "simd/kernels/casts/cast_probe.hpp"

namespace throng::simd {

template <class V>
class RoundTouch {
public:
    using Two = xsimd::batch<double, typename V::Four::arch_type>;
    static constexpr double never = 2.0;

    explicit RoundTouch(const CastQuery& cast)
        : cast_(cast),
          dx_(moving(cast.dx)),
          dy_(moving(cast.dy)),
          radius_(cast.radius),
          reach_(radius_ * radius_ * (dx_ * dx_ + dy_ * dy_)) {}

    // More than 1 if it does not.
    THRONG_KERNEL THRONG_NOINLINE float time(float min_x, float min_y, float max_x, float max_y) const {
        double end = 0;
        return first<false>(min_x, min_y, max_x, max_y, end);
    }
    // The same with heights, for agent `i` of a row.
    template <class Arrays>
    THRONG_KERNEL THRONG_NOINLINE float time_at_heights(const CastHeights& heights, const Arrays& a,
                                                        std::uint32_t i) const {
        double latest = 0;
        const float begin = first<true>(a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i], latest);
        auto end = static_cast<float>(latest);
        if (end < begin) end = begin;
        if (dx_ == 0.0 && dy_ == 0.0) end = infinite;
        typename V::Wide in(begin), out(end);
        CastRise<V>(heights).narrow(typename V::Wide(a.min_z[i]), typename V::Wide(a.max_z[i]), in, out);
        float from[V::Wide::size], until[V::Wide::size];
        in.store_unaligned(from);
        out.store_unaligned(until);
        return from[0] <= until[0] ? from[0] : infinite;
    }

private:
    // With `is_left` also the latest time at which a part of it is left.
    template <bool is_left>
    float first(float min_x, float min_y, float max_x, float max_y, double& end) const {
        const bool at_once = starts_in_touch(min_x, min_y, max_x, max_y);
        if (at_once && !is_left) return 0.0f;
        const Query& s = cast_.start;
        const double left = double{min_x} - double{s.max_x}, right = double{max_x} - double{s.min_x},
                     low = double{min_y} - double{s.max_y}, high = double{max_y} - double{s.min_y};
        double t = enter_box<is_left>(left - radius_, right + radius_, low, high, end);
        t = earlier(t, enter_box<is_left>(left, right, low - radius_, high + radius_, end));
        t = earlier(t, enter_circle<is_left>(left, low, end));
        t = earlier(t, enter_circle<is_left>(right, low, end));
        t = earlier(t, enter_circle<is_left>(left, high, end));
        t = earlier(t, enter_circle<is_left>(right, high, end));
        return at_once ? 0.0f : static_cast<float>(t);
    }
    static double moving(float d) { return d <= -min_movement || d >= min_movement ? double{d} : 0.0; }
    // As a circle query has it, in float.
    bool starts_in_touch(float min_x, float min_y, float max_x, float max_y) const {
        const Query& s = cast_.start;
        const float x = outside(min_x - s.max_x, s.min_x - max_x),
                    y = outside(min_y - s.max_y, s.min_y - max_y);
        const float xx = x * x, yy = y * y, limit = cast_.radius * cast_.radius;
        return limit < Vectors<V>::largest && xx + yy <= limit;
    }
    static float outside(float before, float behind) {
        const float larger = before > behind ? before : behind;
        return larger > 0.0f ? larger : 0.0f;
    }
    static double earlier(double a, double b) { return b < a ? b : a; }

    // When the point at the origin is inside a box: `in` and `out` are narrowed to the times within [low,
    // high].
    static void clip(double d, double low, double high, double& in, double& out) {
        if (d == 0.0) {
            if (low > 0.0 || high < 0.0) out = -1.0;
            return;
        }
        const double a = (d > 0.0 ? low : high) / d, b = (d > 0.0 ? high : low) / d;
        if (a > in) in = a;
        if (b < out) out = b;
    }
    template <bool is_left>
    double enter_box(double left, double right, double low, double high, double& end) const {
        double in = 0.0, out = 1.0;
        clip(dx_, left, right, in, out);
        clip(dy_, low, high, in, out);
        if (!(in <= out)) return never;
        if (is_left && out > end) end = out;
        return in;
    }
    template <bool is_left>
    double enter_circle(double x, double y, double& end) const {
        const double c = (x * x + y * y) - radius_ * radius_, b = x * dx_ + y * dy_;
        if (!is_left && c <= 0.0) return 0.0;
        const double cross = dx_ * y - dy_ * x, rest = reach_ - cross * cross;
        if (!(c <= 0.0) && (!(b > 0.0) || !(rest >= 0.0))) return never;
        double root[Two::size];
        xsimd::sqrt(Two(rest)).store_unaligned(root);
        const double length = dx_ * dx_ + dy_ * dy_, t = (b - root[0]) / length, out = (b + root[0]) / length;
        if (is_left && out > end) end = out;
        return t > 0.0 && !(c <= 0.0) ? t : 0.0;
    }

    const CastQuery& cast_;
    const double dx_, dy_, radius_, reach_;
};

}  // namespace throng::simd
