// Writes pairs to a sink, whose end it keeps in a register.
#pragma once

#include <utility>

#include "simd/kernels/pairs/close.hpp"
#include "simd/kernels/search/takers.hpp"
#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct PairWriter {
    PairSink& sink;
    Pair* at;
    std::uintptr_t passed = 0;  // by how many bytes `at` was moved back, less how far it was moved on

    explicit PairWriter(PairSink& s) : sink(s), at(s.at) {}
    ~PairWriter() { sink.at = at; }
    // Returns false if the sink has stopped. There is room in any case.
    bool make_room() {
        if (at <= sink.limit) [[likely]]
            return true;
        sink.at = at;
        sink.full(sink);
        passed += reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(sink.at);
        at = sink.at;
        return !sink.stopped;
    }
    // Calls work(sink), which writes pairs through the sink itself: a writer as an argument could not stay in
    // registers.
    template <class Work>
    void meanwhile(const Work& work) {
        sink.at = at;
        work(sink);
        at = sink.at;
    }
    // How many bytes of pairs were written, counted from anywhere: only differences mean something.
    std::uintptr_t written() const { return reinterpret_cast<std::uintptr_t>(at) + passed; }

    // If the probe measures: those of the found agents that are close enough. Otherwise all. What is left out
    // may count as written, since no other way of searching would leave it out earlier.
    template <class Probe, class Arrays>
    std::uint32_t close_among(const Probe& probe, std::uint32_t found, const Arrays& a, std::size_t j) {
        if constexpr (requires { probe.measures(); })
            if (probe.measures() && found != 0) {  // in this order: the first is foreseen
                const std::uint32_t close = probe.close_among(found, a, j);
                passed += sizeof(Pair) * V::count_bits(probe.counted(found, close) ^ close);
                return close;
            }
        return found;
    }

    // One pair for every bit, of an agent and a lane of ids: no branch for how many there are.
    void put_with(std::uint32_t own, const std::uint32_t* ids, std::uint32_t found) {
        std::uint32_t packed[lanes];
        V::left_pack(packed, ids, found);
        pair_up(own, packed, std::make_index_sequence<lanes>());
        at += V::count_bits(found);
    }
    // One pair for every bit; `unasked` of them are written in any case, and count only if their bit is set.
    // So `pair_of` has to work for any bit, and for one bit more than there are.
    template <int unasked, class Bits, class PairOf>
    void put(Bits found, const PairOf& pair_of) {
        Pair* to = at;
        at += V::count_bits(found);
        for (int k = 0; k < unasked; ++k) {
            *to++ = pair_of(V::first_bit(found));
            found &= found - 1;
        }
        while (found != 0) [[unlikely]] {
                *to++ = pair_of(V::first_bit(found));
                found &= found - 1;
            }
    }

private:
    static constexpr std::size_t lanes = V::Wide::size;
#if THRONG_HAS_VECTORS
    using Ids THRONG_VECTOR(lanes * sizeof(std::uint32_t)) = std::uint32_t;

    // As a permutation: of a loop over pairs as numbers compilers make one instruction and more for each
    // lane.
    template <std::size_t... k>
    void pair_up(std::uint32_t own, const std::uint32_t* packed, std::index_sequence<k...>) {
        Ids ids;
        std::memcpy(&ids, packed, sizeof ids);
        const Ids first = Ids{} + own, low = THRONG_SHUFFLE(first, ids, (k % 2 == 0 ? 0 : lanes + k / 2)...),
                  high = THRONG_SHUFFLE(first, ids, (k % 2 == 0 ? 0 : lanes + (lanes + k) / 2)...);
        std::memcpy(at, &low, sizeof low);
        std::memcpy(at + lanes / 2, &high, sizeof high);
    }
#else
    template <std::size_t... k>
    void pair_up(std::uint32_t own, const std::uint32_t* packed, std::index_sequence<k...>) {
        ((at[k] = Pair{own, packed[k]}), ...);
    }
#endif
};

template <class V>
struct MeasuredTaker;

// Turns the answers to an agent's query into pairs with that agent.
template <class V>
struct PairTaker {
    using Arrays = typename Vectors<V>::Arrays;
    using Wide = typename V::Wide;
    using Far = MeasuredTaker<V>;

    PairWriter<V>& out;
    std::uint32_t id;         // the querying agent
    bool probe_first = true;  // whether it is `a` of its pairs

    Far far() const { return {*this, nullptr}; }
    void take(const Far&) const {}

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
    // The first probe finds what overlaps, and the second one measures it.
    template <bool cut, class P, class A, class Measuring>
    bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end,
              const Measuring& measuring) {
        const auto with = maker();
        for (std::uint32_t j = begin; j < end; j += Wide::size) {
            std::uint32_t found = Takers<V>::template found_in<cut>(probe, a, j, end);
            found = out.close_among(measuring, found, a, j);
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

// The same if what the agent finds may have to be measured, even where the box of the query covers it: for
// large searches, which are compiled once.
template <class V>
struct MeasuredTaker {
    PairTaker<V> pairs;
    const MeasuredProbe<V, typename V::Wide>* probe;  // null: all that is found is a pair

    template <bool cut, class P, class A>
    bool test(const P& query, const A& a, std::uint32_t begin, std::uint32_t end) {
        if (probe == nullptr) [[likely]]
            return pairs.template test<cut>(query, a, begin, end);
        const A same = a;
        return test_apart<cut>(query, same, begin, end);
    }
    template <bool cut, class P, class A>
    THRONG_NOINLINE THRONG_KERNEL bool test_apart(const P& query, const A& a, std::uint32_t begin,
                                                  std::uint32_t end) {
        return pairs.template test<cut>(query, a, begin, end, *probe);
    }
    template <class A>
    bool take(const A& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t* ahead) {
        if (probe == nullptr) [[likely]]
            return pairs.take(a, begin, end, ahead);
        const A same = a;
        return test_apart<true>(*probe, same, begin, end);
    }
};

}  // namespace throng::simd
