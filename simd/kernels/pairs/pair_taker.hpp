// Turns the answers to an agent's query into pairs with that agent.
#pragma once

#include "simd/kernels/pairs/pairs.hpp"
#include "simd/kernels/search/takers.hpp"

namespace throng::simd {

template <class V>
struct PairTaker {
    using Arrays = typename Vectors<V>::Arrays;
    using Wide = typename V::Wide;
    using Writer = typename Pairs<V>::Writer;

    Writer& out;
    std::uint32_t id;         // the querying agent
    bool probe_first = true;  // whether it is `a` of its pairs

    Pair with(std::uint32_t other) const { return probe_first ? Pair{id, other} : Pair{other, id}; }

    template <bool cut, class P, class A>
    bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t j = begin; j < end; j += Wide::size) {
            const std::uint32_t found = Takers<V>::template found_in<cut>(probe, a, j, end);
            out.make_room();
            out.template put<1>(found, [&](std::uint32_t bit) { return with(a.id[j + bit % 16]); });
        }
        return true;
    }
    bool take(const Arrays& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
        while (begin < end) {
            out.make_room();
            const std::uint32_t last = end - begin < pair_slack ? end : begin + std::uint32_t{pair_slack};
            for (; begin < last; ++begin) *out.at++ = with(a.id[begin]);
        }
        return true;
    }
};

}  // namespace throng::simd
