// What is compared in a search for pairs: boxes, perhaps with heights, the circles in them, or a measured
// distance (simd/pair_kernels.hpp). Agents that are measured search with a box that has grown by the
// distance. Only the searching one grows, so the world stays as it is:
//
//     . . [ a ] . .                the grown a overlaps b, so the two are
//               [ b ]              measured as they are
//
// Circles that touch have a faster way: the largest circles in the boxes, around the centres. Two agents are
// a pair if their boxes overlap and, each product and sum rounded by itself,
//
//     x = min_x / 2 + max_x / 2, and y likewise
//     radius = max_x / 2 - min_x / 2, or the same of y where that is less
//     dx * dx + dy * dy <= (a.radius + b.radius) * (a.radius + b.radius)
//
// Mathematically the boxes of circles that touch overlap. If rounding says otherwise, the boxes decide, so
// that a search for boxes loses nothing.
#pragma once

#include <type_traits>

#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/vectors.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::simd {

enum class Close { boxes, at_heights, circles, measured };

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
    AgentCircles<V, B> circle;

    CircleProbe(float a, float b, float c, float d)
        : Box(a, b, c, d), circle(this->min_x, this->min_y, this->max_x, this->max_y) {}

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

// One agent in every lane: its box, and its heights.
template <class V, class B>
struct HeightProbe : Vectors<V>::template Probe<B> {
    using Box = typename Vectors<V>::template Probe<B>;
    typename Admission<V>::Heights heights;

    template <class A>
    HeightProbe(const A& a, std::size_t i)
        : Box(a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]), heights{a.min_z[i], a.max_z[i]} {}
    template <class A>
    std::uint32_t overlap(const A& a, std::size_t j) const {
        const std::uint32_t found = Box::overlap(a, j);
        return found == 0 ? 0 : found & Admission<V>::template sharing_a_height<B>(heights, a, j);
    }
};

// How agents were found before they are measured. What that has compared is not compared again. By circles,
// only those that touch count as found.
enum class FoundBy { boxes, boxes_and_heights, circles };

// A world in which agents reach further, by the distance.
struct MeasuredView : View {
    WantedPairs wanted;
    float further;
    bool counts_close;  // only agents that are close enough count as found
    bool measures;      // not all agents that are found are a pair

    THRONG_ALWAYS_INLINE MeasuredView(const View& view, const WantedPairs& w, FoundBy found)
        : View(view),
          wanted(w),
          further(growth().further),
          counts_close(found == FoundBy::circles),
          measures(!w.only_overlap() || w.needs_category ||
                   (w.by_height && found != FoundBy::boxes_and_heights)) {
        if (!measures) return;
        reach_x = (reach_x + further) * scaled_up;
        reach_y = (reach_y + further) * scaled_up;
    }
    THRONG_ALWAYS_INLINE Growth growth() const { return Growth(wanted.close.within); }
    // The box in which agent i looks for others.
    template <class A>
    THRONG_ALWAYS_INLINE Query reach_of(const A& a, std::size_t i) const {
        return growth().grown(Query{a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]});
    }
};

// One agent in every lane: its box, grown. It finds all agents that are close enough, and a few more.
template <class V, class B>
class MeasuredProbe : public Vectors<V>::template Probe<B> {
    using Box = typename Vectors<V>::template Probe<B>;

public:
    template <class A>
    MeasuredProbe(const MeasuredView& world, const A& a, std::size_t i)
        : Box(world.reach_of(a, i)), world_(world), own_(box(a, i)) {
        if constexpr (requires { a.min_z; })
            if (world.wanted.by_height) {
                min_z_ = a.min_z[i];
                max_z_ = a.max_z[i];
            }
    }
    bool measures() const { return world_.measures; }
    // Those of the agents found from j on that are close enough. On its own, since searches ask in many
    // places.
    template <class A>
    THRONG_NOINLINE THRONG_KERNEL std::uint32_t close_among(std::uint32_t found, const A& a,
                                                            std::size_t j) const {
        for (std::uint32_t rest = found; rest != 0; rest &= rest - 1) {
            const std::uint32_t lane = V::first_bit(rest);
            found ^= std::uint32_t{!is_close(a, j + lane)} << lane;
        }
        return found;
    }
    // Those of them that count as found.
    std::uint32_t counted(std::uint32_t found, std::uint32_t close) const {
        return world_.counts_close ? close : found;
    }
    template <class A>
    static Query box(const A& a, std::size_t k) {
        return {a.min_x[k], a.min_y[k], a.max_x[k], a.max_y[k]};
    }

    // Whether agent k, which is found, is close enough.
    template <class A>
    bool is_close(const A& a, std::size_t k) const {
        const WantedPairs& wanted = world_.wanted;
        if constexpr (requires { a.min_z; }) {
            if (wanted.needs_category && a.categories[k] == 0) return false;
            if (wanted.by_height && !(a.min_z[k] <= max_z_ && min_z_ <= a.max_z[k])) return false;
        }
        return wanted.close(own_, box(a, k));
    }

private:
    const MeasuredView& world_;
    const Query own_;
    float min_z_ = 0, max_z_ = 0;
};

// The filter for the partners of agent i.
template <class A>
LabelFilter partners_of(const WantedPairs& wanted, const A& a, std::uint32_t i) {
    const std::uint32_t partners = wanted.partners_of(a.categories[i]);
    LabelFilter found{partners, no_id, wanted.other_groups_only ? a.group[i] : no_id};
    if (wanted.by_height) found.share_heights(a.min_z[i], a.max_z[i]);
    return found;
}

// The form in which agents are compared, and what is known of them.
template <class V, Close close>
struct Closely {
    static constexpr bool is_measured = close == Close::measured, is_at_heights = close == Close::at_heights,
                          is_by_circles = close == Close::circles;
    using World = std::conditional_t<is_measured, MeasuredView, View>;
    using Arrays = std::conditional_t<is_measured || is_at_heights, typename Admission<V>::LabelArrays,
                                      typename Vectors<V>::Arrays>;
    template <class B>
    using BoxProbe =
        std::conditional_t<is_by_circles, CircleProbe<V, B>, typename Vectors<V>::template Probe<B>>;
    template <class B>
    using PairProbe = std::conditional_t<is_measured, MeasuredProbe<V, B>,
                                         std::conditional_t<is_at_heights, HeightProbe<V, B>, BoxProbe<B>>>;

    static decltype(auto) world(const View& view, [[maybe_unused]] const WantedPairs& wanted,
                                [[maybe_unused]] FoundBy found = FoundBy::boxes) {
        if constexpr (is_measured)
            return MeasuredView(view, wanted, found);
        else
            return (view);
    }
    // How far an upper edge reaches.
    template <class B>
    static B up(const World& world, const B& edge) {
        if constexpr (is_measured)
            return edge + B(world.further);
        else
            return edge;
    }
    template <class B, class A>
    static PairProbe<B> probe(const World& world, const A& a, std::size_t i) {
        if constexpr (is_measured)
            return {world, a, i};
        else if constexpr (is_at_heights)
            return {a, i};
        else
            return {a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]};
    }
};

}  // namespace throng::simd
