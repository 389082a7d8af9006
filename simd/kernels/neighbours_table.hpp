// The table of the kernels in simd/neighbour_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/neighbours/neighbour_search.hpp"
#include "simd/kernels/neighbours/packets/forward_pairs.hpp"
#include "simd/kernels/neighbours/strays.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
constexpr NeighbourKernels neighbours_table() {
    return {.around = NeighbourSearch<V>::around,
            .centres_in_row = NeighbourSearch<V>::centres_in_row,
            .pairs = ForwardPairs<V>::find,
            .centres_of_boxes = Strays<V>::centres_of_boxes,
            .strays = Strays<V>::find,
            .meet_others = Strays<V>::meet_others};
}

}  // namespace throng::simd
