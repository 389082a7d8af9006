// The table of the kernels in simd/cast_kernels.hpp, for one instruction set.
#pragma once

#include "simd/cast_kernels.hpp"
#include "simd/kernels/casts/casts.hpp"

namespace throng::simd {

template <class V>
constexpr CastKernels casts_table() {
    return {.first = Casts<V>::first, .blocked = Casts<V>::blocked, .all = Casts<V>::all};
}

}  // namespace throng::simd
