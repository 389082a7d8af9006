// When a cast with a radius touches a box: engine/include/throng/queries/casts.hpp has the definition. One
// box at a time and in double, for the few boxes that are near enough.
//
//        +-----------+            The box that moves is a point here, and the other one is larger by its
//        size:
//      o-|-----------|-o          the box widened on one axis, the same on the other, and four circles.
//      | |           | |
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
        if (starts_in_touch(min_x, min_y, max_x, max_y)) return 0.0f;
        const Query& s = cast_.start;
        const double left = double{min_x} - double{s.max_x}, right = double{max_x} - double{s.min_x},
                     low = double{min_y} - double{s.max_y}, high = double{max_y} - double{s.min_y};
        double t = enter_box(left - radius_, right + radius_, low, high);
        t = earlier(t, enter_box(left, right, low - radius_, high + radius_));
        t = earlier(t, enter_circle(left, low));
        t = earlier(t, enter_circle(right, low));
        t = earlier(t, enter_circle(left, high));
        return static_cast<float>(earlier(t, enter_circle(right, high)));
    }

private:
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

    // When the point at the origin enters a box; `in` and `out` are narrowed to the times within [low, high].
    static void clip(double d, double low, double high, double& in, double& out) {
        if (d == 0.0) {
            if (low > 0.0 || high < 0.0) out = -1.0;
            return;
        }
        const double a = (d > 0.0 ? low : high) / d, b = (d > 0.0 ? high : low) / d;
        if (a > in) in = a;
        if (b < out) out = b;
    }
    double enter_box(double left, double right, double low, double high) const {
        double in = 0.0, out = 1.0;
        clip(dx_, left, right, in, out);
        clip(dy_, low, high, in, out);
        return in <= out ? in : never;
    }
    double enter_circle(double x, double y) const {
        const double c = (x * x + y * y) - radius_ * radius_, b = x * dx_ + y * dy_;
        if (c <= 0.0) return 0.0;
        const double cross = dx_ * y - dy_ * x, rest = reach_ - cross * cross;
        if (!(b > 0.0) || !(rest >= 0.0)) return never;
        double root[Two::size];
        xsimd::sqrt(Two(rest)).store_unaligned(root);
        const double t = (b - root[0]) / (dx_ * dx_ + dy_ * dy_);
        return t > 0.0 ? t : 0.0;
    }

    const CastQuery& cast_;
    const double dx_, dy_, radius_, reach_;
};

}  // namespace throng::simd
