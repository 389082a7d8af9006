// The kernels that find the pairs of agents that are close, and what close means.
#pragma once

#include <cstdint>

#include "simd/box_tree.hpp"
#include "simd/types.hpp"
#include "throng/agents_as.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

// --- When agents are close enough, for the engine and its kernels: so all of it is expanded in place ---

// The gap between two intervals. Floats differ by a double without overflow, and its square does not
// underflow. Overlaps are as good as random, so the gap is clamped without a comparison with zero: compilers
// would make branches of that, as the square of zero is known.
THRONG_ALWAYS_INLINE inline double gap_between(float min, float max, float other_min,
                                               float other_max) noexcept {
    const float from = min > other_min ? min : other_min, end = max < other_max ? max : other_max,
                to = end < from ? end : from;
    return double{from} - to;
}

// The largest circle in a box. Each operation is rounded by itself, as in kernels/pairs/close.hpp.
struct CircleIn {
    float x, y, radius;
    template <class Box>
    THRONG_ALWAYS_INLINE explicit CircleIn(const Box& box) noexcept
        : x(0.5f * box.min_x + 0.5f * box.max_x), y(0.5f * box.min_y + 0.5f * box.max_y) {
        const float width = 0.5f * box.max_x - 0.5f * box.min_x, height = 0.5f * box.max_y - 0.5f * box.min_y;
        radius = width < height ? width : height;
    }
};

// Moves the edges of a box outward by a distance. What is measured to be that near is not beyond: the factor
// is more than rounding takes from the distance between two floats, and rounding of a sum keeps the order, in
// every rounding mode. An edge that is NaN stays so.
struct Growth {
    float further;

    THRONG_ALWAYS_INLINE explicit Growth(float distance) noexcept : further(distance * (1 + 0x1p-22f)) {}
    THRONG_ALWAYS_INLINE float up(float edge) const noexcept {
        constexpr float largest = 3.402823466e+38f;
        const float sum = edge + further;
        return sum > largest ? largest : sum;
    }
    THRONG_ALWAYS_INLINE float down(float edge) const noexcept { return -up(-edge); }
    template <class Box>
    THRONG_ALWAYS_INLINE Box grown(const Box& box) const noexcept {
        return {down(box.min_x), down(box.min_y), up(box.max_x), up(box.max_y)};
    }
};

// Whether two agents are as close as is wanted, whatever their labels.
struct Closeness {
    float within = 0;
    AgentsAs as = AgentsAs::boxes;

    template <class Box>
    THRONG_ALWAYS_INLINE bool operator()(const Box& a, const Box& b) const noexcept {
        const double dx = gap_between(a.min_x, a.max_x, b.min_x, b.max_x),
                     dy = gap_between(a.min_y, a.max_y, b.min_y, b.max_y), most = within;
        const bool near = dx * dx + dy * dy <= most * most;
        return as == AgentsAs::boxes ? near : near && are_circles_close(a, b);
    }

private:
    // The circles in two boxes, or their centres.
    template <class Box>
    THRONG_ALWAYS_INLINE bool are_circles_close(const Box& a, const Box& b) const noexcept {
        const CircleIn one(a), other(b);
        const float dx = one.x - other.x, dy = one.y - other.y, radii = one.radius + other.radius,
                    reach = (as == AgentsAs::circles ? radii : 0.0f) + within;
        return dx * dx + dy * dy <= reach * reach;
    }
};

// --- What kernels find ---

// Which pairs of a world are wanted (engine/include/throng/queries/pairs.hpp). Kernels read what they need.
// Only those by a filter or by height read labels, and only those that measure read the distance.
struct WantedPairs {
    std::uint32_t a = all_of_them, b = all_of_them;
    bool other_groups_only = false;
    bool by_label = false;        // in a frame with labels: whether there is a filter
    bool by_height = false;       // in one with heights: whether the two have to share one
    bool needs_category = false;  // whether an agent without any category is in no pair
    Closeness close = {};

    THRONG_ALWAYS_INLINE bool only_overlap() const noexcept {
        return close.within == 0 && close.as == AgentsAs::boxes;
    }
    THRONG_ALWAYS_INLINE bool has_filter() const noexcept { return by_label || by_height; }
    // The categories that partners of an agent with some categories may have.
    THRONG_ALWAYS_INLINE std::uint32_t partners_of(std::uint32_t own) const noexcept {
        return (is_wanted(own, a) ? b : 0) | (is_wanted(own, b) ? a : 0);
    }
};

// The agents [begin, end) of a row of another world, or of the same one.
struct Probing {
    const Row& row;
    std::uint32_t begin, end;
    bool has_labels;   // otherwise all have the default one
    bool comes_first;  // in the pairs
};

// The first step of a row: the pairs of agents that nearly follow each other in it, and which agents reach
// into later rows. Writes the latter to the scratch, and returns their number.
using InRowKernel = std::uint32_t (*)(const View&, const Row&, std::uint32_t row, const PairScratch&,
                                      PairSink&);
struct InRowKernels {
    InRowKernel boxes, boxes_among_ghosts, boxes_at_heights, circles, circles_among_ghosts;
};

// The pairs of one row's common agents with each other and with those of later rows. If the scratch has
// ghosts, pairs that may be of two ghosts go to its sink for mixed ones, and come last.
using RowPairsKernel = void (*)(const View&, std::uint32_t row, const WantedPairs&, PairScratch&, PairSink&);

struct PairKernels {
    // All pairs of boxes that overlap, of circles that touch, and of agents that are measured.
    RowPairsKernel boxes, circles, measured;
    // In a frame with heights: pairs that share a height. In a frame with labels: pairs that a filter admits.
    RowPairsKernel boxes_at_heights, measured_at_heights, boxes_by_filter, measured_by_filter;

    // The pairs of the common agents of a row with those of other regions: all islands of its own region, and
    // the islands to the right of and above its own island. `row` counts from the first row of its region.
    void (*region)(const View&, std::uint32_t region, std::uint32_t row, const WantedPairs&, PairSink&);
    // The pairs of the oversized agents [first, last) with all common agents and with later oversized ones.
    void (*oversized)(const View&, std::uint32_t first, std::uint32_t last, const WantedPairs&, PairSink&);
    // The pairs of the agents between storeys, in a row of these, with agents on storeys: only by height.
    void (*storeys)(const View&, std::uint32_t row, const WantedPairs&, PairSink&);
    // The pairs of all agents of a world with one row, by brute force: for few agents, and without a filter.
    void (*few)(const View&, const WantedPairs&, PairSink&);

    // --- Pairs of two worlds ---

    // All pairs of a view's agents with some of another view.
    void (*cross_pairs)(const View&, const WantedPairs&, const Probing&, PairSink&);

    // --- Packed hierarchies of boxes ---

    // Continues a join of one with itself: writes pairs from `at` on, and returns their end. Writes at most
    // tree_pair_slack pairs past the limit, so the buffer needs that much more room. Call again until the
    // join has ended.
    Pair* (*tree_pairs)(const BoxTree&, TreePairs&, Pair* at, Pair* limit);
};

}  // namespace throng::simd
