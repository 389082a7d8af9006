// Guesses the radius in which the next site has its nearest agents, from the needs of the sites before.
#pragma once

#include "simd/kernels/neighbours/circles.hpp"

namespace throng::simd {

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
