// Which boxes are legal: finite, and no minimum above its maximum; and which may be the extents of a
// structure.
#pragma once

#include <cstddef>
#include <limits>

#include "throng/boxes.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"

namespace throng::detail {

THRONG_ALWAYS_INLINE inline Code check(const Box& b) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    const auto finite = [](float v) { return -largest <= v && v <= largest; };
    if (!finite(b.min_x) || !finite(b.min_y) || !finite(b.max_x) || !finite(b.max_y)) return Code::not_finite;
    return b.min_x <= b.max_x && b.min_y <= b.max_y ? Code::ok : Code::inverted;
}

// A radius, or a distance. What is not finite is not called negative.
inline Code check_radius(float radius, bool may_be_infinite = false) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    if (radius >= 0 && (radius <= largest || may_be_infinite)) return Code::ok;
    return -largest <= radius && radius < 0 ? Code::inverted : Code::not_finite;
}

// Whether a box is legal, branch-free: for loops that the compiler vectorises.
inline bool is_legal(const Box& b) noexcept {
    constexpr float largest = std::numeric_limits<float>::max();
    return (-largest <= b.min_x) & (b.min_x <= b.max_x) & (b.max_x <= largest) & (-largest <= b.min_y) &
           (b.min_y <= b.max_y) & (b.max_y <= largest);
}

// Whether a structure can divide this area: a legal box, and more than a point, which it is if it was never
// set.
inline bool are_legal_extents(const Box& extents) noexcept {
    return check(extents) == Code::ok && (extents.min_x < extents.max_x || extents.min_y < extents.max_y);
}

// The status of the first illegal box at or after `from`.
inline Status check(const Boxes& boxes, std::size_t from = 0) noexcept {
    for (std::size_t i = from; i < boxes.size(); ++i)
        if (const Code code = check(boxes[i]); code != Code::ok) return {code, i, Argument::boxes};
    return {};
}

}  // namespace throng::detail
