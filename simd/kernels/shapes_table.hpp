// The table of the kernels in simd/shape_kernels.hpp, for one instruction set.
#pragma once

#include "simd/shape_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr ShapeKernels shapes_table() {
    return {};
}

}  // namespace throng::simd
