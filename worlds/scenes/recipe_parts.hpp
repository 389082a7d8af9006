// What scenes and worlds are made of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "throng/geometry.hpp"
#include "worlds/scenes/random.hpp"

namespace throng::test {

inline constexpr float largest = std::numeric_limits<float>::max();
inline constexpr std::size_t many = std::numeric_limits<std::size_t>::max();

// Random numbers are drawn inside braces only, from left to right. Between the arguments of a call the
// compiler chooses the order, and scenes would differ.
struct Step {
    float x, y;
};
struct Around {
    float x, y, half_x, half_y;
    Box box() const { return Box::around(x, y, half_x, half_y); }
};

inline float finite(float value) { return std::clamp(value, -largest, largest); }
inline Box finite(const Box& box) {
    return {finite(box.min_x), finite(box.min_y), finite(box.max_x), finite(box.max_y)};
}
inline Box shifted(const Box& box, const Step& by) {
    return finite({box.min_x + by.x, box.min_y + by.y, box.max_x + by.x, box.max_y + by.y});
}
inline Box hull(const Box& a, const Box& b) {
    return {std::min(a.min_x, b.min_x), std::min(a.min_y, b.min_y), std::max(a.max_x, b.max_x),
            std::max(a.max_y, b.max_y)};
}

// --- How agents move ---

inline Box walk(Random& random, const Box& box, float) {
    return shifted(box, {random.uniform(-0.1f, 0.1f), random.uniform(-0.1f, 0.1f)});
}
inline Box stay(Random&, const Box& box, float) { return box; }
inline Box walk_by_size(Random& random, const Box& box, float) {
    const float width = finite(box.max_x - box.min_x), height = finite(box.max_y - box.min_y);
    return shifted(box, {width * random.uniform(-0.5f, 0.5f), height * random.uniform(-0.5f, 0.5f)});
}

}  // namespace throng::test
