// The cells in which each of some queriers may find agents: as a Locator finds them for the bounds of a
// circle, which are a little wider for rounding, and a vector of queriers at a time.
#pragma once

#include "simd/kernels/neighbours/circles.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V, std::uint32_t max_count>
class QuerierCells : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Reach;
    using typename Base::Wide;

    std::int32_t first_column[max_count + gap], first_row[max_count + gap], last_column[max_count + gap],
        last_row[max_count + gap];

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

}  // namespace throng::simd
