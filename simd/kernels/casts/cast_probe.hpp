// When a cast touches the next agents: the definitions of engine/include/throng/queries/casts.hpp.
//
// Casts without a radius are decided here, a vector of agents at a time. For the others this is only a test
// that loses nothing, with the box widened by a little more than the radius, and times that are a little too
// early; RoundTouch then decides.
//
// On an axis without movement, `entry` and `exit` are signs instead of times: before all times, and after.
#pragma once

#include "simd/cast_kernels.hpp"
#include "simd/kernels/search/admission.hpp"
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

    // Then they are a band.
    static bool is_still(const CastHeights& heights) {
        return !(heights.dz <= -min_movement) && !(heights.dz >= min_movement);
    }

    explicit CastRise(const CastHeights& heights)
        : min_(heights.min_z),
          max_(heights.max_z),
          is_still_(is_still(heights)),
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
    // for the others. NaN is never touched. A cast may be known to move on both axes.
    template <bool on_both_axes = false>
    std::uint32_t touched(const Sides& s, float limit, Wide& t) const {
        Wide out;
        narrow<on_both_axes>(s, Wide(limit), t, out);
        return touched_from(t, out);
    }
    // The same, of those that share a height if that matters.
    template <bool on_both_axes, class... Mask>
    std::uint32_t touched(const Faces& f, std::size_t j, float limit, Wide& t, const Mask&... shares) const {
        Wide out;
        narrow<on_both_axes>(Sides(f, j), Wide(limit), t, out);
        ((out = xsimd::select(shares, out, Wide(-1.0f))), ...);
        return touched_from(t, out);
    }
    // The same at heights, of agents with these.
    std::uint32_t touched_at_heights(const Sides& s, const CastRise<V>& rise, const float* min_z,
                                     const float* max_z, float limit, Wide& t) const {
        Wide out;
        narrow(s, Wide(limit), t, out);
        rise.narrow(Wide::load_unaligned(min_z), Wide::load_unaligned(max_z), t, out);
        return touched_from(t, out);
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
    bool moves_on_both_axes() const { return !(x_.still | y_.still); }
    // Whether an agent within these bounds may be touched no later than `limit`.
    THRONG_KERNEL THRONG_NOINLINE bool may_touch(const float* bounds, float limit) const {
        const float sides[4] = {bounds[0], bounds[1], -bounds[2], -bounds[3]};
        const std::int32_t x = x_.backwards & 2, y = (y_.backwards & 2) + 1;
        Wide t;
        return may_touch({Wide(sides[x]), Wide(sides[x ^ 2]), Wide(sides[y]), Wide(sides[y ^ 2])}, limit,
                         t) != 0;
    }
    // The same for bounds that are boxes of a row: writes the numbers of those where agents may be touched,
    // and a time that is not later. The earliest comes first, since a hit there spares the others.
    struct Near {
        float t;
        std::uint32_t number;
    };
    THRONG_KERNEL THRONG_NOINLINE std::uint32_t find_near(const Row& bounds, std::uint32_t begin,
                                                          std::uint32_t end, float limit, Near* near) const {
        constexpr std::uint32_t lanes = Wide::size;
        const Faces f = faces(Arrays(bounds));
        std::uint32_t count = 0, first = 0;
        for (std::uint32_t j = begin; j < end; j += lanes) {
            Wide t;
            std::uint32_t found = may_touch({f, j}, limit, t);
            if (found == 0) continue;
            if (end - j < lanes) found &= (1u << (end - j)) - 1;
            float times[lanes];
            t.store_unaligned(times);
            for (; found != 0; found &= found - 1) {
                const std::uint32_t k = Base::lowest(found);
                near[count] = {times[k], j + k};
                first = near[count].t < near[first].t ? count : first;
                ++count;
            }
        }
        if (count == 0) return 0;
        const Near earliest = near[first];
        near[first] = near[0];
        near[0] = earliest;
        return count;
    }

private:
    // With a radius, perhaps at once.
    std::uint32_t may_touch(const Sides& s, float limit, Wide& t) const {
        if (!is_round()) return touched(s, limit, t);
        t = Wide(0.0f);
        return nearly_touched(s, limit);
    }
    static std::uint32_t touched_from(Wide& t, const Wide& out) {
        const auto found = t <= out;
        t = xsimd::select(found, t, Wide(infinite));
        return V::bits(found);
    }
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

// Casts with heights of their own: which agents of a block they touch, and which storeys they reach.
template <class V>
struct CastAtHeights : Admission<V> {
    using Base = Admission<V>;
    using typename Base::Heights;
    using typename Base::Wide;

    // The times of a block of agents, infinite for agents that are not touched, and which ones are touched.
    THRONG_KERNEL THRONG_NOINLINE static std::uint32_t touched(const CastProbe<V>& probe, const Row& row,
                                                               std::uint32_t j, float limit, Wide* t) {
        constexpr std::uint32_t lanes = Wide::size;
        const typename Base::LabelArrays a(row);
        const typename CastProbe<V>::Faces faces = probe.faces(a);
        const CastRise<V> rise(*probe.heights());
        std::uint32_t found = 0;
        for (std::uint32_t k = 0; k < gap / lanes; ++k) {
            const std::uint32_t i = j + k * lanes;
            found |= probe.touched_at_heights({faces, i}, rise, a.min_z + i, a.max_z + i, limit, t[k])
                     << k * lanes;
        }
        return found;
    }

    // The part of a band that a cast reaches, and a little more for rounding. Infinite edges may make it NaN,
    // which bounds nothing.
    static Heights on_the_way(const CastHeights* heights, Heights band) {
        if (heights == nullptr) return band;
        const CastHeights& z = *heights;
        const float rise = z.dz < 0.0f ? -z.dz : z.dz;
        const auto more = [&](float edge) { return ((edge < 0.0f ? -edge : edge) + rise) * 0x1p-20f; };
        const float low = z.min_z + (z.dz < 0.0f ? z.dz : 0.0f) - more(z.min_z),
                    high = z.max_z + (z.dz > 0.0f ? z.dz : 0.0f) + more(z.max_z);
        if (low > band.min) band.min = low;
        if (high < band.max) band.max = high;
        return band;
    }
};

// When a cast with a radius touches an agent. One box at a time and in double, for the few boxes that are
// near enough.
//
//        +-----------+            The box that moves is a point here, and the other one is larger by
//      o-|-----------|-o          its size: the box widened on one axis, the same on the other, and
//      | |           | |          four circles.
//      o-|-----------|-o
//        +-----------+
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
