// The table of the kernels in simd/shape_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/shapes/shape_queries.hpp"
#include "simd/shape_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr ShapeKernels shapes_table() {
    return {.find = ShapeQueries<V>::find, .count = ShapeQueries<V>::count, .any = ShapeQueries<V>::any};
}

}  // namespace throng::simd
