// Agents as circles, in searches for pairs: the largest circles in their boxes, around the centres. Two
// agents are a pair if their boxes overlap and, each product and sum rounded by itself,
//
//     x = min_x / 2 + max_x / 2, and y likewise
//     radius = max_x / 2 - min_x / 2, or the same of y where that is less
//     dx * dx + dy * dy <= (a.radius + b.radius) * (a.radius + b.radius)
//
// Mathematically the boxes of circles that touch overlap. If rounding says otherwise, the boxes decide, so
// that a search for boxes loses nothing.
#pragma once

#include "simd/kernels/vectors.hpp"
#include "throng/agents_as.hpp"

namespace throng::simd {

// One agent in every lane, or one in each.
template <class V, class B>
struct AgentCircles {
    B x, y, radius;

    AgentCircles(const B& min_x, const B& min_y, const B& max_x, const B& max_y)
        : x(half(min_x) + half(max_x)),
          y(half(min_y) + half(max_y)),
          radius(V::smaller(half(max_x) - half(min_x), half(max_y) - half(min_y))) {}
    AgentCircles(const float* xs, const float* ys, const float* radii)
        : x(B::load_unaligned(xs)), y(B::load_unaligned(ys)), radius(B::load_unaligned(radii)) {}

    auto touch(const AgentCircles& other) const {
        const B dx = x - other.x, dy = y - other.y, both = radius + other.radius;
        return dx * dx + dy * dy <= both * both;
    }

private:
    static B half(const B& edge) { return B(0.5f) * edge; }
};

// One agent in every lane: its box, and the circle in it.
template <class V, class B>
struct CircleProbe : Vectors<V>::template Probe<B> {
    using Box = typename Vectors<V>::template Probe<B>;
    using Arrays = typename Vectors<V>::Arrays;
    AgentCircles<V, B> circle;

    CircleProbe(float a, float b, float c, float d)
        : Box(a, b, c, d), circle(this->min_x, this->min_y, this->max_x, this->max_y) {}
    CircleProbe(const Arrays& r, std::size_t i)
        : CircleProbe(r.min_x[i], r.min_y[i], r.max_x[i], r.max_y[i]) {}

    // The same as for a box. Mostly no box overlaps.
    template <class A>
    std::uint32_t overlap(const A& r, std::size_t j) const {
        return overlap_of<B::size>(r, j);
    }
    template <std::uint32_t lanes, class A>
    std::uint32_t overlap_of(const A& r, std::size_t j) const {
        const std::uint32_t found = Box::template overlap_of<lanes>(r, j);
        return found == 0 ? 0 : found & touch_of<lanes>(r, j);
    }

private:
    template <std::uint32_t lanes, class A>
    std::uint32_t touch_of(const A& r, std::size_t j) const {
        std::uint32_t found = 0;
        for (std::size_t k = j; k < j + lanes; k += B::size) {
            const AgentCircles<V, B> others(B::load_unaligned(r.min_x + k), B::load_unaligned(r.min_y + k),
                                            B::load_unaligned(r.max_x + k), B::load_unaligned(r.max_y + k));
            found |= V::bits(circle.touch(others)) << (k - j);
        }
        return found;
    }
};

// The form in which an agent is compared with others.
template <class V, class B, AgentsAs as>
struct ProbeOf {
    using Type = typename Vectors<V>::template Probe<B>;
};
template <class V, class B>
struct ProbeOf<V, B, AgentsAs::circles> {
    using Type = CircleProbe<V, B>;
};

}  // namespace throng::simd
