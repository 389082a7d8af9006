// When two boxes are within a distance, and how far a box has to grow so that no such pair is lost.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "throng/geometry.hpp"

namespace throng::detail {

// How far apart two intervals are. Floats differ by a double without overflow, and its square does not
// underflow. Whether they overlap is as good as random, so what would be negative becomes zero without a
// branch, and without rounding.
inline double gap_between(float min, float max, float other_min, float other_max) noexcept {
    const double apart = std::max(double{other_min} - max, double{min} - other_max);
    return (apart + std::abs(apart)) * 0.5;
}
inline bool are_within(const Box& a, const Box& b, double distance) noexcept {
    const double dx = gap_between(a.min_x, a.max_x, b.min_x, b.max_x),
                 dy = gap_between(a.min_y, a.max_y, b.min_y, b.max_y);
    return dx * dx + dy * dy <= distance * distance;
}

// Moves upper edges up by a distance. An edge that is measured to be that near is no higher: the factor is
// more than what rounding takes from the distance between two floats, and to round a sum keeps the order, in
// every rounding mode. So bounds that grow are bounds of what has grown. An edge that is NaN stays so.
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
