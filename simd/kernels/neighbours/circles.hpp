// The circles of searches around sites, how far from its centre one has to look, and the centres of agents.
#pragma once

#include "simd/kernels/vectors.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

template <class V>
struct Circles : Vectors<V> {
    using Base = Vectors<V>;
    using Base::largest;
    using typename Base::Wide;

    // By how much more to look, for the rounding of distances and of squares that are too small for a float:
    // see engine/src/query/shape_reader.cpp. Its bounds are the nearest floats, and these a little wider.
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
    static void find_centres(const Row& row, std::uint32_t first, std::uint32_t count, float* x, float* y) {
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

private:
    static float below(float v) {
        const float lower = v - (v < 0 ? -v : v) * wider;
        return lower > -largest ? lower : -largest;
    }
    static float above(float v) { return -below(-v); }
};

}  // namespace throng::simd
