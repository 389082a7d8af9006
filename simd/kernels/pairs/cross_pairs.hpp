// Pairs of two worlds: agents of one are queries to the other. They run row by row and cell by cell, so
// neighbours read the same few cells; a covered run needs no test (simd/kernels/search/grid_rows.hpp).
#pragma once

#include "simd/kernels/pairs/pairs.hpp"

namespace throng::simd {

template <class V>
struct CrossPairs : Admission<V> {
    using Base = Admission<V>;
    using Arrays = typename Base::PlainArrays;
    using typename Base::Locator;
    using CrossSearch = typename Pairs<V>::Partners;
    using Writer = typename Pairs<V>::Writer;

    // The agents [begin, end) of a row of another world, or of its list of oversized agents.
    THRONG_KERNEL static void cross_pairs(const View& view, const Row& probing, std::uint32_t begin,
                                          std::uint32_t end, bool probe_first, PairSink& sink) {
        const Locator locator(view);
        const Arrays a(probing);
        Writer out(sink);
        for (std::uint32_t i = begin; i < end && !sink.stopped; ++i) {
            const Query q{a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]};
            PairTaker<V> taker{out, a.id[i], probe_first};
            CrossSearch::search(view, locator.reach(q), q, {}, taker);
        }
    }
};

}  // namespace throng::simd
