// The kernels for queries with other shapes than boxes: circles, convex polygons, and segments with a width.
#pragma once

#include "simd/box_tree.hpp"
#include "simd/types.hpp"
#include "throng/agents_as.hpp"

namespace throng::simd {

// Its bounds are those of engine/src/base/shape_bounds.hpp.
struct CircleQuery {
    Query bounds;
    float x, y, radius;
};

struct ShapeKernels {};

}  // namespace throng::simd
