// Vectors of the plane, and what is computed with them.
#pragma once

#include <cmath>

namespace throng::crowd {

struct Vec {
    float x = 0, y = 0;

    constexpr Vec operator-() const { return {-x, -y}; }
    friend constexpr Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
    friend constexpr Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y}; }
    friend constexpr Vec operator*(Vec a, float factor) { return {a.x * factor, a.y * factor}; }
    friend constexpr bool operator==(const Vec&, const Vec&) = default;
};

constexpr float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y; }
constexpr float cross(Vec a, Vec b) { return a.x * b.y - a.y * b.x; }
inline float length(Vec a) { return std::sqrt(dot(a, a)); }
// A quarter turn to the left.
constexpr Vec turned_left(Vec a) { return {-a.y, a.x}; }
// A vector of length 1, or none if there is no direction.
inline Vec direction_of(Vec a) {
    const float size = length(a);
    return size > 0 ? a * (1 / size) : Vec{};
}
// Shortened to a length, if it is longer.
inline Vec shortened(Vec a, float longest) {
    const float size = length(a);
    return size > longest ? a * (longest / size) : a;
}

}  // namespace throng::crowd
