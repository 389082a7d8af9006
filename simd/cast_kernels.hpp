// The kernels for casts: rays, and boxes and circles that move along a line.
#pragma once

#include "simd/types.hpp"

namespace throng::simd {

struct CastKernels {};

}  // namespace throng::simd
