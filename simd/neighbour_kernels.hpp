// The kernels for neighbours: agents within a radius, and the nearest ones.
#pragma once

#include "simd/types.hpp"

namespace throng::simd {

struct NeighbourKernels {};

}  // namespace throng::simd
