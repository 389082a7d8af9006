// The place of a region's agents: boxes around their lower left corners.
#pragma once

#include <algorithm>
#include <cstddef>

#include "throng/geometry.hpp"

namespace throng::detail {

inline Box clamped(const Box& box, const Box& to) noexcept {
    const auto x = [&](float at) { return std::clamp(at, to.min_x, to.max_x); };
    const auto y = [&](float at) { return std::clamp(at, to.min_y, to.max_y); };
    return {x(box.min_x), y(box.min_y), x(box.max_x), y(box.max_y)};
}
// Keeps each side of a box that is less than half of the box of most agents.
inline Box narrowed(Box box, const Box& most) noexcept {
    const auto narrow = [](float& low, float& high, float from, float to) {
        if (2 * (double(to) - from) < double(high) - low) low = from, high = to;
    };
    narrow(box.min_x, box.max_x, most.min_x, most.max_x);
    narrow(box.min_y, box.max_y, most.min_y, most.max_y);
    return box;
}
inline bool is_inside(const Box& box, const Box& extent) noexcept {
    return box.min_x >= extent.min_x && box.min_x <= extent.max_x && box.min_y >= extent.min_y &&
           box.min_y <= extent.max_y;
}

inline double width_of(const Box& box) noexcept { return double(box.max_x) - box.min_x; }
inline double height_of(const Box& box) noexcept { return double(box.max_y) - box.min_y; }

}  // namespace throng::detail
