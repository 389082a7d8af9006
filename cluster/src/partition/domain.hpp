// The part of the plane that a rank has. Cuts are doubles, and a place on a cut belongs to the lower side.
// Places are floats, so a part is a closed box of floats, and each place is in exactly one.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "throng/geometry.hpp"

namespace throng::cluster::detail {

// The greatest float that is not above it.
inline float float_below(double number) noexcept {
    constexpr double most = std::numeric_limits<float>::max();
    if (number >= most) return std::numeric_limits<float>::max();
    if (number < -most) return -std::numeric_limits<float>::infinity();
    const float near = static_cast<float>(number);
    return double{near} > number ? std::nextafterf(near, -std::numeric_limits<float>::infinity()) : near;
}
// The least float above it.
inline float float_above(double number) noexcept {
    if (number < -double{std::numeric_limits<float>::max()}) return -std::numeric_limits<float>::max();
    return std::nextafterf(float_below(number), std::numeric_limits<float>::infinity());
}

inline constexpr Box whole_plane{-std::numeric_limits<float>::max(), -std::numeric_limits<float>::max(),
                                 std::numeric_limits<float>::max(), std::numeric_limits<float>::max()};

// From the cut below, which is outside, to the cut above.
inline Box domain_between(double min_x, double min_y, double max_x, double max_y) noexcept {
    const Box box{float_above(min_x), float_above(min_y), float_below(max_x), float_below(max_y)};
    return box.min_x <= box.max_x && box.min_y <= box.max_y ? box : no_box;
}

inline bool holds(const Box& domain, const Point& place) noexcept {
    return domain.min_x <= place.x && place.x <= domain.max_x && domain.min_y <= place.y &&
           place.y <= domain.max_y;
}
// Whether a box that is widened by a margin stays inside.
inline bool keeps(const Box& domain, const Box& box, double margin) noexcept {
    return box.min_x - margin >= domain.min_x && box.max_x + margin <= domain.max_x &&
           box.min_y - margin >= domain.min_y && box.max_y + margin <= domain.max_y;
}
// A box inside of this surely stays inside with that margin.
inline Box inside_of(const Box& domain, double margin) noexcept {
    if (!(margin < double{std::numeric_limits<float>::max()})) return no_box;
    const auto low = [&](float edge) { return float_above(edge + margin * (1 + 0x1p-20)); };
    const auto high = [&](float edge) { return float_below(edge - margin * (1 + 0x1p-20)); };
    return {low(domain.min_x), low(domain.min_y), high(domain.max_x), high(domain.max_y)};
}
inline bool contains(const Box& outer, const Box& box) noexcept {
    return outer.min_x <= box.min_x && outer.min_y <= box.min_y && box.max_x <= outer.max_x &&
           box.max_y <= outer.max_y;
}

}  // namespace throng::cluster::detail
