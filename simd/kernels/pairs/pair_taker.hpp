// Turns the answers to an agent's query into pairs with that agent.
#pragma once

#include "simd/kernels/pairs/close.hpp"
#include "simd/kernels/pairs/pair_writer.hpp"
#include "simd/kernels/search/takers.hpp"

namespace throng::simd {

template <class V>
struct PairTaker {
    using Arrays = typename Vectors<V>::Arrays;
    using Wide = typename V::Wide;
    using Writer = PairWriter<V>;

    Writer& out;
    std::uint32_t id;         // the querying agent
    bool probe_first = true;  // whether it is `a` of its pairs

    static PairTaker of(const View&, const Arrays& a, std::uint32_t i, Writer& out) { return {out, a.id[i]}; }

    // Values of its own, which no written pair can change.
    auto maker() const {
        return [own = id, first = probe_first](std::uint32_t other) {
            return first ? Pair{own, other} : Pair{other, own};
        };
    }
    // Most vectors have none.
    template <bool cut, class P, class A>
    bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
        return test<cut>(probe, a, begin, end, probe);
    }
    // Of those that overlap a probe, another one measures.
    template <bool cut, class P, class A, class Measuring>
    bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end,
              const Measuring& measuring) {
        const auto with = maker();
        for (std::uint32_t j = begin; j < end; j += Wide::size) {
            std::uint32_t found = Takers<V>::template found_in<cut>(probe, a, j, end);
            found = out.measured(measuring, found, a, j);
            out.make_room();
            out.template put<1>(found, [&](std::uint32_t bit) { return with(a.id[j + bit % 16]); });
        }
        return true;
    }
    bool take(const Arrays& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
        const auto with = maker();
        while (begin < end) {
            out.make_room();
            const std::uint32_t last = end - begin < pair_slack ? end : begin + std::uint32_t{pair_slack};
            const std::uint32_t* const ids = a.id + begin;
            Pair* const to = out.at;
            for (std::uint32_t k = 0; k < last - begin; ++k) to[k] = with(ids[k]);
            out.at += last - begin;
            begin = last;
        }
        return true;
    }
};

// The same for agents that are measured, even if the box of the query covers them.
template <class V>
struct MeasuredTaker {
    PairTaker<V> pairs;
    MeasuredProbe<V, typename V::Wide> probe;

    template <class A>
    static MeasuredTaker of(const MeasuredView& world, const A& a, std::uint32_t i, PairWriter<V>& out) {
        return {PairTaker<V>::of(world, a, i, out), {world, a, i}};
    }
    template <bool cut, class P, class A>
    bool test(const P& query, const A& a, std::uint32_t begin, std::uint32_t end) {
        return pairs.template test<cut>(query, a, begin, end, probe);
    }
    template <class A>
    bool take(const A& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
        return pairs.template test<true>(probe, a, begin, end);
    }
};

}  // namespace throng::simd
