// Common agents and giants. A rank needs copies of all that its agents may reach, so ghosts reach as far as
// the largest common agent. A few far larger ones would make that much too far. These are giants, and go to
// every rank that they reach instead.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "cluster/src/messages/summary.hpp"
#include "throng/geometry.hpp"

namespace throng::cluster::detail {

// How far a box reaches from its centre, on the axis on which it reaches further. The centre is a float, and
// far from the origin it is not quite in the middle. Rounding here is less than the room that sizes get.
inline float half_extent(const Box& box) noexcept {
    const Point centre = box.centre();
    return std::max(std::max(box.max_x - centre.x, centre.x - box.min_x),
                    std::max(box.max_y - centre.y, centre.y - box.min_y));
}

struct Sizes {
    double common = 0;   // the largest half extent of a common agent
    double largest = 0;  // of all

    bool has_giants() const noexcept { return largest > common; }
    bool is_giant(const Box& box) const noexcept { return has_giants() && double{half_extent(box)} > common; }
};

// The class of a half extent: its power of two.
inline std::size_t size_class(float half) noexcept {
    const int exponent = static_cast<int>(std::bit_cast<std::uint32_t>(half) >> 23) - 127;
    return static_cast<std::size_t>(std::clamp(exponent + 32, 0, static_cast<int>(size_classes) - 1));
}

// Sizes are rounded anew in each frame. With a little room, those of one frame are good for the next.
inline double with_room(double half) noexcept { return half * (1 + 1.0 / 64); }

// At most one agent in 256 is a giant, or sixteen in all; and only if the largest is four times as large as
// what is then common.
inline Sizes common_and_giants(const Summary& all) noexcept {
    Sizes sizes;
    for (const SizeClass& one : all.sizes) sizes.largest = std::max(sizes.largest, one.largest);
    sizes.common = sizes.largest;
    const std::uint64_t most = std::max<std::uint64_t>(16, all.census.count / 256);
    std::uint64_t above = 0;
    for (std::size_t k = size_classes; k-- > 1;) {
        above += all.sizes[k].count;
        if (above > most || above == all.census.count) break;
        double below = 0;
        for (std::size_t c = 0; c < k; ++c) below = std::max(below, all.sizes[c].largest);
        if (4 * below <= sizes.largest) sizes.common = below;
    }
    sizes.common = with_room(sizes.common);
    sizes.largest = with_room(sizes.largest);
    return sizes;
}

}  // namespace throng::cluster::detail
