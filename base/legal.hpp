// What is legal: boxes that are finite, with no minimum above its maximum; and how many agents and ids there
// may be.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "throng/boxes.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"
#include "throng/status.hpp"

namespace throng::detail {

inline constexpr bool sizes_are_short = sizeof(std::size_t) < 8;

// All ids are below this. Ids, and the slots of a row with all of them, fit into 32 bits with some to spare.
// If a size has only 32 bits, two are spared, so that an id plus the size of a page is never too large.
inline constexpr std::size_t max_ids = sizes_are_short ? std::size_t{1} << 30 : 4294967040u;

// If a size has 32 bits: so few agents that a table with up to 255 bytes for each fits into one. So sums and
// products of such sizes need no check.
inline constexpr std::size_t max_agents = sizes_are_short ? std::size_t{1} << 24 : max_ids;

// Up to this many agents brute force is as fast as anything: they have one cell, and no survey is made.
inline constexpr std::uint32_t few_agents = 32;

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

// The status of the first illegal box at or after `from`.
inline Status check(const Boxes& boxes, std::size_t from = 0) noexcept {
    for (std::size_t i = from; i < boxes.size(); ++i)
        if (const Code code = check(boxes[i]); code != Code::ok) return {code, i, Argument::boxes};
    return {};
}

}  // namespace throng::detail
