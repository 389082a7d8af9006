// The table of the kernels in simd/neighbour_kernels.hpp, for one instruction set.
#pragma once

#include "simd/kernels/neighbours/forward_pairs.hpp"
#include "simd/kernels/neighbours/near_point.hpp"
#include "simd/kernels/neighbours/search_around.hpp"
#include "simd/kernels/neighbours/strays.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
struct NeighbourSearch {
    static void around(const View& view, const LabelFilters& filters, const Queriers& queriers,
                       const NeighbourQuery& query, NeighbourOutput& output) {
        // By a table: a program that never asks for one of them can leave it out.
        static constexpr decltype(&around) ways[] = {Around<V, false>::run, Around<V, true>::run};
        ways[query.agents_as == AgentsAs::centres](view, filters, queriers, query, output);
    }
};

template <class V>
constexpr NeighbourKernels neighbours_table() {
    return {.near = NearPoint<V>::find,
            .around = NeighbourSearch<V>::around,
            .centres_in_row = Circles<V>::find_centres,
            .pairs = ForwardPairs<V>::find,
            .centres_of_boxes = Strays<V>::centres_of_boxes,
            .strays = Strays<V>::find,
            .meet_others = Strays<V>::meet_others};
}

}  // namespace throng::simd
