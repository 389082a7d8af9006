// The table of the kernels in simd/shape_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/shapes/shape_queries.hpp"
#include "simd/shape_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr ShapeKernels shapes_table() {
    return {.find = Queries<V>::template choose<ShapeQueries<V>::template Find>,
            .count = Queries<V>::template choose<ShapeQueries<V>::template Answer>,
            .any = Queries<V>::template choose<ShapeQueries<V>::template Answer>};
}

}  // namespace throng::simd
