// The kernels for queries with other shapes than boxes: circles, convex polygons, and segments with a width.
#pragma once

#include <cstdint>

#include "simd/box_tree.hpp"
#include "simd/types.hpp"

namespace throng::simd {

// What agents are to a circle; see simd/kernels/search/circle_shape.hpp.
enum class AgentsAs : std::uint8_t { boxes, centres, circles };

// Its bounds are those of engine/src/base/shape_bounds.hpp.
struct CircleQuery {
    Query bounds;
    float x, y, radius;
};

struct ShapeKernels {};

}  // namespace throng::simd
