// The entries of the table for neighbours.
#pragma once

#include "simd/kernels/neighbours/search_around.hpp"
#include "simd/kernels/search/queries.hpp"

namespace throng::simd {

template <class V>
struct NeighbourSearch : Queries<V> {
    using Base = Queries<V>;

    template <class Admit>
    using AroundBoxes = Around<V, AgentsAs::boxes, Admit>;
    template <class Admit>
    using AroundCentres = Around<V, AgentsAs::centres, Admit>;

    static void around(const View& view, const LabelFilters& filters, const Queriers& queriers,
                       const NeighbourQuery& query, NeighbourOutput& output) {
        if (query.boxes)
            Base::template choose<AroundBoxes>(view, filters, &queriers, &query, &output);
        else
            Base::template choose<AroundCentres>(view, filters, &queriers, &query, &output);
    }
    THRONG_KERNEL static void centres_in_row(const Row& row, std::uint32_t first, std::uint32_t count,
                                             float* x, float* y) {
        Circles<V>::find_centres(row, first, count, x, y);
    }
};

}  // namespace throng::simd
