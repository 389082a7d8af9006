// The circles of searches around sites: how far from its centre one has to look, the cells in which each of
// some queriers may find agents, and the radius in which the next site has its nearest ones. And the centres
// of agents.
#pragma once

#include "simd/kernels/vectors.hpp"
#include "simd/neighbour_kernels.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

template <class V>
struct Circles : Vectors<V> {
    using Base = Vectors<V>;
    using Base::largest;
    using typename Base::Wide;

    // By how much more to look, for the rounding of distances and of squares that are too small for a float:
    // see engine/src/query/query_batch.cpp. Its bounds are the nearest floats, and these a little wider.
    static constexpr float rounding = 1 + 0x1p-20f, min_radius = 0x1p-62f, wider = 0x1p-22f;

    static float reach(float radius) { return radius * rounding + min_radius; }
    // If the square of the radius is too large for a float, everything is within it. It is infinite then, or
    // the largest float under some rounding modes.
    static CircleQuery around(float x, float y, float radius) {
        if (!(radius * radius < largest)) return {{-largest, -largest, largest, largest}, x, y, radius};
        const float far_off = reach(radius);
        return {
            {below(x - far_off), below(y - far_off), above(x + far_off), above(y + far_off)}, x, y, radius};
    }
    // Bounds of `count` queriers from number `first` on.
    static Query bounds_of(const Queriers& from, std::uint32_t first, std::uint32_t count) {
        const float *const xs = from.x + first, *const ys = from.y + first;
        float low_x = xs[0], low_y = ys[0], high_x = low_x, high_y = low_y;
        for (std::uint32_t i = 1; i < count; ++i) {
            low_x = xs[i] < low_x ? xs[i] : low_x;
            low_y = ys[i] < low_y ? ys[i] : low_y;
            high_x = xs[i] > high_x ? xs[i] : high_x;
            high_y = ys[i] > high_y ? ys[i] : high_y;
        }
        return {low_x, low_y, high_x, high_y};
    }
    // Whether the cells around a circle are all there are, so that a larger one looks at about as many
    // agents.
    static bool have_all(const View& view, const typename Base::Locator& locator, float x, float y,
                         float radius) {
        if (view.node_count != 0 || view.islands != nullptr) return false;
        const auto cells = locator.reach(around(x, y, radius).bounds);
        return cells.first_column == 0 && cells.first_row == 0 &&
               cells.last_column + 1 == view.grid.columns && cells.last_row + 1 == view.grid.rows;
    }
    // The centres of some agents of a row, from the first on. May write a vector past the last.
    THRONG_KERNEL static void find_centres(const Row& row, std::uint32_t first, std::uint32_t count, float* x,
                                           float* y) {
        const typename Base::Arrays a(row);
        for (std::uint32_t i = 0; i < count; i += Wide::size) {
            middle(a.min_x + first + i, a.max_x + first + i).store_unaligned(x + i);
            middle(a.min_y + first + i, a.max_y + first + i).store_unaligned(y + i);
        }
    }
    static Wide middle(const float* low, const float* high) {
        const Wide half(0.5f);
        return half * Wide::load_unaligned(low) + half * Wide::load_unaligned(high);
    }

    // The lanes of a vector, or of some floats, whose bits are set, to the front of `to`. May write a whole
    // vector.
    static void pack(float* to, const float* from, std::uint32_t found) {
        V::left_pack(reinterpret_cast<std::uint32_t*>(to), reinterpret_cast<const std::uint32_t*>(from),
                     found);
    }
    static void pack(float* to, const Wide& d, std::uint32_t found) {
        alignas(64) float lanes[Wide::size];
        d.store_aligned(lanes);
        pack(to, lanes, found);
    }
    // The bit of a lane; none if it is beyond the lanes, or before them.
    static std::uint32_t bit_of(std::size_t lane) {
        return static_cast<std::uint32_t>(std::uint64_t{1} << (lane < 32 ? lane : 32));
    }
    // The same for the agent whose id is at `own`, among those whose ids begin at `ids`.
    static std::uint32_t bit_of(const std::uint32_t* own, const std::uint32_t* ids) {
        const std::uintptr_t at =
            (reinterpret_cast<std::uintptr_t>(own) - reinterpret_cast<std::uintptr_t>(ids)) / sizeof *ids;
        return static_cast<std::uint32_t>(std::uint64_t{1} << (at < 32 ? at : 32));
    }

private:
    static float below(float v) {
        const float lower = v - (v < 0 ? -v : v) * wider;
        return lower > -largest ? lower : -largest;
    }
    static float above(float v) { return -below(-v); }
};

// The cells in which each of some queriers may find agents: as a Locator finds them for the bounds of a
// circle, which are a little wider for rounding, and a vector of queriers at a time.
template <class V>
class QuerierCells : Vectors<V> {
public:
    static constexpr std::uint32_t most = 64;  // queriers at a time
    using Base = Vectors<V>;
    using typename Base::Reach;
    using typename Base::Wide;

    std::int32_t first_column[most + gap], first_row[most + gap], last_column[most + gap],
        last_row[most + gap];

    // For `count` queriers from number `first` on that look as far as `radius`, whose square is finite.
    void find(const Locate& l, const Queriers& from, std::uint32_t first, std::uint32_t count, float radius) {
        const Wide reach(Circles<V>::reach(radius));
        const auto cells = [&](const Wide& corner, int which) {
            return xsimd::to_int(
                Base::clamped((corner - Wide(l.back[which]) - Wide(l.origin[which])) * Wide(l.scale[which]),
                              Wide(l.last[which])));
        };
        for (std::uint32_t i = 0; i < count; i += Wide::size) {
            const Wide px = Wide::load_unaligned(from.x + first + i),
                       py = Wide::load_unaligned(from.y + first + i);
            cells(below(px - reach), 0).store_unaligned(first_column + i);
            cells(below(py - reach), 1).store_unaligned(first_row + i);
            cells(above(px + reach), 2).store_unaligned(last_column + i);
            cells(above(py + reach), 3).store_unaligned(last_row + i);
        }
    }
    Reach of(std::uint32_t at) const {
        return {static_cast<std::uint32_t>(first_column[at]), static_cast<std::uint32_t>(first_row[at]),
                static_cast<std::uint32_t>(last_column[at]), static_cast<std::uint32_t>(last_row[at])};
    }
    // The cells in which any of `count` queriers from number `at` on may find agents.
    Reach all(std::uint32_t at, std::uint32_t count) const {
        std::int32_t left = first_column[at], low = first_row[at], right = last_column[at],
                     high = last_row[at];
        for (std::uint32_t i = at + 1; i < at + count; ++i) {
            left = first_column[i] < left ? first_column[i] : left;
            low = first_row[i] < low ? first_row[i] : low;
            right = last_column[i] > right ? last_column[i] : right;
            high = last_row[i] > high ? last_row[i] : high;
        }
        return {static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(low),
                static_cast<std::uint32_t>(right), static_cast<std::uint32_t>(high)};
    }

private:
    static Wide below(const Wide& v) { return v - xsimd::abs(v) * Wide(Circles<V>::wider); }
    static Wide above(const Wide& v) { return v + xsimd::abs(v) * Wide(Circles<V>::wider); }
};

// Guesses the radius in which the next site has its nearest agents, from the needs of the sites before.
template <class V>
class RadiusGuess : Vectors<V> {
public:
    // Room for chance: the number of agents in a circle varies more if it is small. A packet uses one guess,
    // and a repeated search costs more than some candidates.
    RadiusGuess(float first, std::uint32_t max_count)
        : first_(first), room_(1 + 3.5f / root(max_count == 0 ? 1.0f : static_cast<float>(max_count))) {}

    float now() const { return mean_ > 0 ? root(mean_ * room_) : first_; }
    // The squared distance of the last of the nearest of a site, or the mean of `sites` of them. Not finite
    // if they had too few, and zero if as many as wanted are at the site: neither says how far to look.
    void learn(float last, std::uint32_t sites = 1) {
        if (!(last > 0 && last <= Vectors<V>::largest)) return;
        const bool as_before = last < 4 * mean_ && mean_ < 4 * last;
        mean_ = as_before ? mean_ + (last - mean_) * (0.03125f * static_cast<float>(sites)) : last;
    }
    // The same for one site with the number of comparisons in its circle. If all wanted agents are at the
    // site, the circle stays as it is, or becomes smaller if it had far more.
    void learn(float last, float radius, std::uint64_t compared, std::uint32_t wanted) {
        const float far_more = static_cast<float>(compared) / (8 * static_cast<float>(wanted));
        learn(last != 0 ? last : radius * radius / (far_more > room_ ? far_more : room_));
    }
    // The radius after one with too few agents, for which `last` is NaN, or after one with enough if the last
    // of these lies further than it surely looked.
    static float next(float radius, float factor, float last, float limit) {
        const float grown = radius * factor, sure = root(last) * Circles<V>::rounding;
        float next = grown > Circles<V>::min_radius ? grown : Circles<V>::min_radius;
        if (sure > radius && sure < next) next = sure;
        return next < limit ? next : limit;
    }
    static float root(float v) {
        using Four = typename Vectors<V>::Four;
        float lanes[4];
        xsimd::sqrt(Four(v)).store_unaligned(lanes);
        return lanes[0];
    }

private:
    float first_, mean_ = 0;
    float room_;  // by how much a circle is larger
};

}  // namespace throng::simd
