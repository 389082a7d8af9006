// The table of the kernels in simd/cast_kernels.hpp, for one instruction set.
#pragma once

#include "simd/cast_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr CastKernels casts_table() {
    return {};
}

}  // namespace throng::simd
