// When a cast touches the next agents: the definitions of engine/include/throng/queries/casts.hpp.
//
// Casts without a radius are decided here, a vector of agents at a time. For the others this is only a test
// that loses nothing, with the box widened by a little more than the radius, and times that are a little too
// early; round_touch.hpp then decides.
//
// On an axis without movement, `entry` and `exit` are not times but signs: times before all others, and after.
#pragma once

#include "simd/cast_kernels.hpp"
#include "simd/kernels/vectors.hpp"

namespace throng::simd {

// The movement of a cast on one axis.
struct CastAxis {
    float movement;
    float inverse;  // 1 without a movement: no compiler may find that a division is worth its while there
    bool still, backwards;

    explicit CastAxis(float d)
        : still(-least_movement < d && d < least_movement), backwards(!still && d < 0.0f) {
        movement = still ? 0.0f : d;
        inverse = 1.0f / (still ? 1.0f : d);
    }
};

// What is added to a radius covers the rounding of distances, and squares that are too small for a float.
inline double widened_radius(float radius) {
    return radius == 0.0f ? 0.0 : double{radius} * (1 + 0x1p-18) + 0x1p-62;
}

template <class V>
class CastProbe {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Wide = typename V::Wide;

    explicit CastProbe(const CastQuery& cast)
        : cast_(cast),
          x_(cast.dx),
          y_(cast.dy),
          radius_(widened_radius(cast.radius)),
          entry_x_(x_.backwards ? cast.start.min_x : cast.start.max_x),
          exit_x_(x_.backwards ? cast.start.max_x : cast.start.min_x),
          entry_y_(y_.backwards ? cast.start.min_y : cast.start.max_y),
          exit_y_(y_.backwards ? cast.start.max_y : cast.start.min_y),
          inverse_x_(x_.inverse),
          inverse_y_(y_.inverse) {}
    CastProbe(const CastProbe&) = delete;

    const CastQuery& cast() const { return cast_; }
    const CastAxis& x() const { return x_; }
    const CastAxis& y() const { return y_; }
    double radius() const { return radius_; }
    bool is_round() const { return cast_.radius > 0.0f; }

    // Which of the next agents are touched no later than `limit`, and their times. NaN is never touched.
    std::uint32_t touched(const Arrays& a, std::size_t j, float limit, Wide& t) const {
        // Indexed, since a branch on the way would be as good as random.
        const float *const x[2] = {a.min_x, a.max_x}, *const y[2] = {a.min_y, a.max_y};
        return touched(Wide::load_unaligned(x[x_.backwards] + j), Wide::load_unaligned(x[!x_.backwards] + j),
                       Wide::load_unaligned(y[y_.backwards] + j), Wide::load_unaligned(y[!y_.backwards] + j),
                       limit, t);
    }
    // Whether an agent within these bounds may be touched no later than `limit`.
    THRONG_KERNEL [[gnu::noinline]] bool may_touch(const float* bounds, float limit) const {
        const float min_x = bounds[0], min_y = bounds[1], max_x = -bounds[2], max_y = -bounds[3];
        Wide t;
        return touched(Wide(x_.backwards ? max_x : min_x), Wide(x_.backwards ? min_x : max_x),
                       Wide(y_.backwards ? max_y : min_y), Wide(y_.backwards ? min_y : max_y), limit, t) != 0;
    }

private:
    std::uint32_t touched(const Wide& near_x, const Wide& exit_x, const Wide& near_y, const Wide& exit_y,
                          float limit, Wide& t) const {
        if (is_round()) [[unlikely]]
            return nearly_touched(near_x, exit_x, near_y, exit_y, limit);
        Wide out;
        narrow(near_x - entry_x_, exit_x - exit_x_, near_y - entry_y_, exit_y - exit_y_, Wide(limit), t, out);
        return V::bits(t <= out);
    }
    // A quarter of everything, so that no difference is too large for a float.
    THRONG_KERNEL [[gnu::noinline]] std::uint32_t nearly_touched(const Wide& near_x, const Wide& exit_x,
                                                                 const Wide& near_y, const Wide& exit_y,
                                                                 float limit) const {
        const auto quarter = static_cast<float>(0.25 * radius_);
        const Wide part(0.25f), x(x_.backwards ? -quarter : quarter), y(y_.backwards ? -quarter : quarter);
        Wide t, out;
        narrow((part * near_x - part * entry_x_) - x, (part * exit_x - part * exit_x_) + x,
               (part * near_y - part * entry_y_) - y, (part * exit_y - part * exit_y_) + y,
               Wide(0.25f * limit), t, out);
        return V::bits(t * Wide(1 - 0x1p-18f) <= out * Wide(1 + 0x1p-18f) + Wide(0x1p-120f));
    }
    // From the distances on both axes to when the agents are entered and left. A NaN stays where it is.
    void narrow(Wide in_x, Wide out_x, Wide in_y, Wide out_y, const Wide& last, Wide& in, Wide& out) const {
        times(in_x, out_x, inverse_x_, x_);
        times(in_y, out_y, inverse_y_, y_);
        const Wide zero(0.0f);
        in = xsimd::select(in_x <= zero, zero, in_x);
        in = xsimd::select(in_y <= in, in, in_y);
        out = xsimd::select(out_x >= last, last, out_x);
        out = xsimd::select(out_y >= out, out, out_y);
    }
    static void times(Wide& in, Wide& out, const Wide& inverse, const CastAxis& axis) {
        if (axis.still) [[unlikely]] {
            const Wide zero(0.0f), before(-1.0f), after(2.0f);
            in = xsimd::select(in <= zero, before, after);  // NaN: never
            out = xsimd::select(out >= zero, after, before);
        } else {
            in = in * inverse;
            out = out * inverse;
        }
    }

    const CastQuery& cast_;
    const CastAxis x_, y_;
    const double radius_;
    const Wide entry_x_, exit_x_, entry_y_, exit_y_, inverse_x_, inverse_y_;
};

}  // namespace throng::simd
