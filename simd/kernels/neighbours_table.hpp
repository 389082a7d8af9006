// The table of the kernels in simd/neighbour_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/neighbours/neighbour_search.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr NeighbourKernels neighbours_table() {
    return {.around = NeighbourSearch<V>::around, .centres = NeighbourSearch<V>::centres};
}

}  // namespace throng::simd
