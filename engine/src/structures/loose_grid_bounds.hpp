// Bounds that stretch: the box that encloses some boxes.
#pragma once

#include <limits>

#include "engine/src/structures/box_overlap.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// Encloses no box, and overlaps none.
inline constexpr Box nothing{std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity()};

inline bool is_nothing(const Box& bounds) noexcept { return bounds.min_x > bounds.max_x; }

inline void enclose(Box& bounds, const Box& box) noexcept {
    bounds.min_x = box.min_x < bounds.min_x ? box.min_x : bounds.min_x;
    bounds.min_y = box.min_y < bounds.min_y ? box.min_y : bounds.min_y;
    bounds.max_x = box.max_x > bounds.max_x ? box.max_x : bounds.max_x;
    bounds.max_y = box.max_y > bounds.max_y ? box.max_y : bounds.max_y;
}

inline bool encloses(const Box& outer, const Box& box) noexcept {
    return outer.min_x <= box.min_x && outer.min_y <= box.min_y && box.max_x <= outer.max_x &&
           box.max_y <= outer.max_y;
}

}  // namespace throng::detail
