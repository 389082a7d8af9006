// Casts with heights of their own: which agents of a block they touch, and which storeys they reach.
#pragma once

#include "simd/kernels/casts/cast_probe.hpp"
#include "simd/kernels/search/admission.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

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

}  // namespace throng::simd
