// The entries of the table for neighbours.
#pragma once

#include "simd/kernels/neighbours/search_around.hpp"
#include "simd/kernels/search/queries.hpp"

namespace throng::simd {

template <class V>
struct NeighbourSearch : Queries<V> {
    using Base = Queries<V>;
    using typename Base::Wide;

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

    // May write a vector past the last: x and y have room for that.
    THRONG_KERNEL static void centres_in_row(const Row& row, std::uint32_t first, std::uint32_t count,
                                             float* x, float* y) {
        const typename Vectors<V>::Arrays a(row);
        const Wide half(0.5f);
        for (std::uint32_t i = 0; i < count; i += Wide::size) {
            const std::uint32_t j = first + i;
            (half * Wide::load_unaligned(a.min_x + j) + half * Wide::load_unaligned(a.max_x + j))
                .store_unaligned(x + i);
            (half * Wide::load_unaligned(a.min_y + j) + half * Wide::load_unaligned(a.max_y + j))
                .store_unaligned(y + i);
        }
    }
};

}  // namespace throng::simd
