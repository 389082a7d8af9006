// When two agents are within a distance, and how far boxes must grow so that no such pair is lost.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "throng/agents_as.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/pairs.hpp"

namespace throng::detail {

// The gap between two intervals. Floats differ by a double without overflow, and its square does not
// underflow. Overlaps are as good as random, so negative gaps become zero without a branch, and without
// rounding.
inline double gap_between(float min, float max, float other_min, float other_max) noexcept {
    const double apart = std::max(double{other_min} - max, double{min} - other_max);
    return (apart + std::abs(apart)) * 0.5;
}
inline bool are_within(const Box& a, const Box& b, double distance) noexcept {
    const double dx = gap_between(a.min_x, a.max_x, b.min_x, b.max_x),
                 dy = gap_between(a.min_y, a.max_y, b.min_y, b.max_y);
    return dx * dx + dy * dy <= distance * distance;
}

// The largest circle in a box. Each operation is rounded by itself, as in the kernels
// (simd/kernels/pairs/circle_probe.hpp).
struct CircleIn {
    float x, y, radius;
    explicit CircleIn(const Box& box) noexcept
        : x(0.5f * box.min_x + 0.5f * box.max_x), y(0.5f * box.min_y + 0.5f * box.max_y) {
        const float width = 0.5f * box.max_x - 0.5f * box.min_x, height = 0.5f * box.max_y - 0.5f * box.min_y;
        radius = width < height ? width : height;
    }
};

// Whether two agents are as close as a PairQuery says, whatever their labels.
class Closeness {
public:
    explicit Closeness(const PairQuery& wanted) noexcept
        : within_(wanted.within), agents_as_(wanted.agents_as) {}

    bool is_of_boxes() const noexcept { return agents_as_ == AgentsAs::boxes; }
    bool of_boxes(const Box& a, const Box& b) const noexcept { return are_within(a, b, within_); }
    // For the circles in two boxes, or their centres.
    bool of_circles(const Box& a, const Box& b) const noexcept {
        const CircleIn one(a), other(b);
        const float dx = one.x - other.x, dy = one.y - other.y, radii = one.radius + other.radius,
                    reach = (agents_as_ == AgentsAs::circles ? radii : 0.0f) + within_;
        return static_cast<bool>(static_cast<int>(dx * dx + dy * dy <= reach * reach) &
                                 static_cast<int>(of_boxes(a, b)));
    }
    bool operator()(const Box& a, const Box& b) const noexcept {
        return is_of_boxes() ? of_boxes(a, b) : of_circles(a, b);
    }

private:
    const float within_;
    const AgentsAs agents_as_;
};

// Moves upper edges up by a distance. An edge that is measured to be that near is not higher: the factor is
// more than rounding takes from the distance between two floats, and rounding of a sum keeps the order, in
// every rounding mode. So bounds that grow are bounds of grown boxes. An edge that is NaN stays so.
class Growth {
public:
    explicit Growth(double distance) noexcept : further_(distance * (1 + 0x1p-40)) {}

    float up(float edge) const noexcept {
        const double sum = edge + further_;
        return static_cast<float>(sum > largest ? largest : sum);
    }
    float down(float edge) const noexcept { return -up(-edge); }

private:
    static constexpr double largest = std::numeric_limits<float>::max();

    double further_;
};

}  // namespace throng::detail
