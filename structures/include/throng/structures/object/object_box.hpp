// ObjectBox: a Box of any floating-point type, and its checks. A `throng::Box` converts implicitly to an
// ObjectBox<float> or an ObjectBox<double>, and an ObjectBox<float> to a `throng::Box`.
#pragma once

#include <concepts>
#include <limits>

#include "throng/geometry.hpp"
#include "throng/status.hpp"

namespace throng::structures {

// A closed axis-aligned box: two boxes that touch in a single point overlap.
template <std::floating_point Float>
struct ObjectBox {
    Float min_x = 0, min_y = 0, max_x = 0, max_y = 0;

    constexpr ObjectBox() = default;
    constexpr ObjectBox(Float left, Float low, Float right, Float high) noexcept
        : min_x(left), min_y(low), max_x(right), max_y(high) {}
    constexpr ObjectBox(const Box& box) noexcept
        : min_x(box.min_x), min_y(box.min_y), max_x(box.max_x), max_y(box.max_y) {}
    constexpr operator Box() const noexcept requires std::same_as<Float, float> {
        return {min_x, min_y, max_x, max_y};
    }

    static constexpr ObjectBox around(Float x, Float y, Float half_x, Float half_y) noexcept {
        return {x - half_x, y - half_y, x + half_x, y + half_y};
    }
    constexpr bool overlaps(const ObjectBox& other) const noexcept {
        return min_x <= other.max_x && other.min_x <= max_x && min_y <= other.max_y && other.min_y <= max_y;
    }
    // Whether the box is legal: finite, and no minimum above its maximum.
    constexpr Code check() const noexcept {
        constexpr Float largest = std::numeric_limits<Float>::max();
        for (const Float v : {min_x, min_y, max_x, max_y})
            if (!(-largest <= v && v <= largest)) return Code::not_finite;
        return min_x <= max_x && min_y <= max_y ? Code::ok : Code::inverted;
    }
    friend constexpr bool operator==(const ObjectBox&, const ObjectBox&) = default;
};

}  // namespace throng::structures
