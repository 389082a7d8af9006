// When a cast touches the next agents: the definitions of engine/include/throng/queries/casts.hpp.
//
// Casts without a radius are decided here, a vector of agents at a time. For the others this is only a test
// that loses nothing, with the box widened by a little more than the radius, and times that are a little too
// early; round_touch.hpp then decides.
//
// On an axis without movement, `entry` and `exit` are signs instead of times: before all times, and after.
#pragma once

#include "simd/cast_kernels.hpp"
#include "simd/kernels/vectors.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

// A cast on one axis: its movement, and its start as seen from the sides of agents by which it enters and
// leaves.
struct CastAxis {
    float movement, inverse;  // 0 and 1 if it does not move
    float entry, exit;
    std::int32_t backwards;  // all bits, or none
    bool still;

    CastAxis(float moved, float inverse_of_it, float entry_corner, float exit_corner)
        : movement(moved),
          inverse(inverse_of_it),
          entry(entry_corner),
          exit(exit_corner),
          backwards(detail::bits_as<std::int32_t>(moved) >> 31),
          still(detail::bits_as<std::int32_t>(moved) == 0) {}
};

// Of many casts on an axis at once: which move backwards, and by how much all move.
template <class B>
auto moves_backwards(const B& movement) {
    return movement <= B(-min_movement);
}
template <class B>
B moved(const B& movement) {
    return xsimd::select(moves_backwards(movement) | (movement >= B(min_movement)), movement, B(0.0f));
}
// No division by a selected divisor: a compiler may divide first, by zero too, and select later.
template <class V, class B>
B inverse_of(const B& moved) {
    const B zero(0.0f), one(1.0f), divisor = moved + xsimd::select(moved == zero, one, zero);
    if constexpr (requires { V::quotient(one, divisor); })
        return V::quotient(one, divisor);
    else
        return one / divisor;
}

struct CastAxes {
    CastAxis x, y;
};

// The heights of a cast: one more axis, whose edges may be infinite. A difference of two equal infinities is
// NaN, and bounds nothing: they share that height all the time.
template <class V>
class CastRise : Vectors<V> {
public:
    using Wide = typename V::Wide;

    explicit CastRise(const CastHeights& heights)
        : min_(heights.min_z),
          max_(heights.max_z),
          is_still_(!(heights.dz <= -min_movement) && !(heights.dz >= min_movement)),
          falls_(heights.dz < 0.0f),
          inverse_(is_still_ ? 1.0f : 1.0f / (is_still_ ? 1.0f : heights.dz)) {}

    // Narrows the times at which agents are touched in the plane to those at which they are touched.
    void narrow(const Wide& min_z, const Wide& max_z, Wide& in, Wide& out) const {
        if (is_still_) {
            const auto shared = (min_z <= Wide(max_)) & (Wide(min_) <= max_z);
            out = xsimd::select(shared, out, Wide(-1.0f));
            return;
        }
        const Wide near = falls_ ? max_z - Wide(min_) : min_z - Wide(max_),
                   far = falls_ ? min_z - Wide(max_) : max_z - Wide(min_);
        in = V::larger(near * Wide(inverse_), in);
        out = V::smaller(far * Wide(inverse_), out);
    }

private:
    float min_, max_;
    bool is_still_, falls_;
    float inverse_;
};

// The radius and a little more, for the rounding of distances, and for squares that are too small for a
// float.
inline double widened_radius(float radius) {
    return radius == 0.0f ? 0.0 : double{radius} * (1 + 0x1p-18) + 0x1p-62;
}

template <class V>
class CastProbe {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Wide = typename V::Wide;

    // The heights are null if all agents share one with the cast.
    CastProbe(const CastQuery& cast, const CastHeights* heights)
        : CastProbe(cast, heights, axes_of(cast), widened_radius(cast.radius)) {}
    CastProbe(const CastQuery& cast, const CastHeights* heights, const CastAxes& axes, double radius = 0)
        : cast_(cast),
          heights_(heights),
          x_(axes.x),
          y_(axes.y),
          radius_(radius),
          is_special_(cast.radius > 0.0f || heights != nullptr) {}
    CastProbe(const CastProbe&) = delete;

    const CastQuery& cast() const { return cast_; }
    const CastAxis& x() const { return x_; }
    const CastAxis& y() const { return y_; }
    double radius() const { return radius_; }
    bool is_round() const { return cast_.radius > 0.0f; }
    const CastHeights* heights() const { return heights_; }
    // Whether it has a radius, or heights.
    bool is_special() const { return is_special_; }

    // The arrays of the sides that a cast comes to first, and of the sides where it leaves an agent. A branch
    // on the direction would be as good as random.
    struct Faces {
        const float *near_x, *near_y, *exit_x, *exit_y;
    };
    Faces faces(const Arrays& a) const {
        const std::ptrdiff_t x = (a.max_x - a.min_x) & x_.backwards, y = (a.max_y - a.min_y) & y_.backwards;
        return {a.min_x + x, a.min_y + y, a.max_x - x, a.max_y - y};
    }

    struct Sides {
        Wide near_x, exit_x, near_y, exit_y;

        Sides(const Wide& x, const Wide& out_x, const Wide& y, const Wide& out_y)
            : near_x(x), exit_x(out_x), near_y(y), exit_y(out_y) {}
        Sides(const Faces& f, std::size_t j)
            : near_x(Wide::load_unaligned(f.near_x + j)),
              exit_x(Wide::load_unaligned(f.exit_x + j)),
              near_y(Wide::load_unaligned(f.near_y + j)),
              exit_y(Wide::load_unaligned(f.exit_y + j)) {}
    };
    // Which of the next agents are touched no later than `limit`, and their times, without a radius: infinite
    // for the others. NaN is never touched.
    std::uint32_t touched(const Sides& s, float limit, Wide& t) const {
        Wide out;
        narrow(s, Wide(limit), t, out);
        const auto found = t <= out;
        t = xsimd::select(found, t, Wide(infinite));
        return V::bits(found);
    }
    // The same at heights, of agents with these.
    std::uint32_t touched_at_heights(const Sides& s, const CastRise<V>& rise, const float* min_z,
                                     const float* max_z, float limit, Wide& t) const {
        Wide out;
        narrow(s, Wide(limit), t, out);
        rise.narrow(Wide::load_unaligned(min_z), Wide::load_unaligned(max_z), t, out);
        const auto found = t <= out;
        t = xsimd::select(found, t, Wide(infinite));
        return V::bits(found);
    }
    // And with a radius: these, and perhaps more. A quarter of everything, so that no difference is too large
    // for a float.
    std::uint32_t nearly_touched(const Sides& s, float limit) const {
        const auto quarter = static_cast<float>(0.25 * radius_);
        const Wide part(0.25f), x(x_.backwards != 0 ? -quarter : quarter),
            y(y_.backwards != 0 ? -quarter : quarter);
        Wide t, out;
        narrow((part * s.near_x - part * Wide(x_.entry)) - x, (part * s.exit_x - part * Wide(x_.exit)) + x,
               (part * s.near_y - part * Wide(y_.entry)) - y, (part * s.exit_y - part * Wide(y_.exit)) + y,
               Wide(0.25f * limit), t, out);
        return V::bits(t * Wide(1 - 0x1p-18f) <= out * Wide(1 + 0x1p-18f) + Wide(0x1p-120f));
    }
    // The same without a radius, and without the times.
    template <bool on_both_axes>
    std::uint32_t touched_by_box(const Faces& f, std::size_t j, float limit) const {
        Wide in, out;
        narrow<on_both_axes>(Sides(f, j), Wide(limit), in, out);
        return V::bits(in <= out);
    }
    bool moves_on_both_axes() const { return !(x_.still | y_.still); }
    // Only the times, without a radius: infinite for agents that are not touched.
    template <bool on_both_axes>
    Wide times_by_box(const Faces& f, std::size_t j, float limit) const {
        Wide in, out;
        narrow<on_both_axes>(Sides(f, j), Wide(limit), in, out);
        return xsimd::select(in <= out, in, Wide(infinite));
    }
    // Whether an agent within these bounds may be touched no later than `limit`.
    THRONG_KERNEL THRONG_NOINLINE bool may_touch(const float* bounds, float limit) const {
        const float min_x = bounds[0], min_y = bounds[1], max_x = -bounds[2], max_y = -bounds[3];
        const Sides s{Wide(x_.backwards != 0 ? max_x : min_x), Wide(x_.backwards != 0 ? min_x : max_x),
                      Wide(y_.backwards != 0 ? max_y : min_y), Wide(y_.backwards != 0 ? min_y : max_y)};
        Wide t;
        return (is_round() ? nearly_touched(s, limit) : touched(s, limit, t)) != 0;
    }

private:
    // Both axes side by side: min_x and max_x, then min_y and max_y, each twice for either direction.
    static CastAxes axes_of(const CastQuery& cast) {
        using Four = typename V::Four;
        const Four start = Four::load_unaligned(&cast.start.min_x),
                   rest = Four::load_unaligned(&cast.start.max_x), movement = xsimd::zip_hi(rest, rest),
                   moving = moved(movement);
        const Four corners =
            xsimd::select(moves_backwards(movement), xsimd::zip_lo(start, rest), xsimd::zip_lo(rest, start));
        float at[4], by[4], inverse[4];
        corners.store_unaligned(at);
        moving.store_unaligned(by);
        inverse_of<V>(moving).store_unaligned(inverse);
        return {{by[0], inverse[0], at[0], at[1]}, {by[2], inverse[2], at[2], at[3]}};
    }
    template <bool on_both_axes = false>
    void narrow(const Sides& s, const Wide& last, Wide& in, Wide& out) const {
        narrow<on_both_axes>(s.near_x - Wide(x_.entry), s.exit_x - Wide(x_.exit), s.near_y - Wide(y_.entry),
                             s.exit_y - Wide(y_.exit), last, in, out);
    }
    // From the distances on both axes to the times at which the agents are entered and left. Without an agent
    // all is NaN, and so is the time when it is left.
    template <bool on_both_axes = false>
    void narrow(Wide in_x, Wide out_x, Wide in_y, Wide out_y, const Wide& last, Wide& in, Wide& out) const {
        times<on_both_axes>(in_x, out_x, x_);
        times<on_both_axes>(in_y, out_y, y_);
        in = V::larger(in_y, V::larger(in_x, Wide(0.0f)));
        out = V::smaller(V::smaller(last, out_x), out_y);
    }
    template <bool moves>
    static void times(Wide& in, Wide& out, const CastAxis& axis) {
        if (!moves && axis.still) [[unlikely]] {
            const Wide zero(0.0f), before(-1.0f), after(2.0f);
            in = xsimd::select(in <= zero, before, after);  // NaN: never
            out = xsimd::select(out >= zero, after, before);
        } else {
            in = in * Wide(axis.inverse);
            out = out * Wide(axis.inverse);
        }
    }

    const CastQuery& cast_;
    const CastHeights* const heights_;
    const CastAxis x_, y_;
    const double radius_;
    const bool is_special_;
};

}  // namespace throng::simd
