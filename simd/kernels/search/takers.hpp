// What is done with the runs of agents that a search finds: their ids are collected, or they are counted, or
// the first of them is enough. Each is a taker, with one function for runs whose agents have to be tested,
// and one for runs that the query covers. Both return whether to go on.
#pragma once

#include <cstring>

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

// A taker that is also told what the search looks at: rows with the columns within reach, islands, nodes of
// the tree, and bounds of chunks in crowded cells, sixteen at a time. For other takers that is no code at
// all.
template <class T>
concept Observer = requires(T taker, const Row& row) {
    taker.sees_row(row, std::uint32_t{});
    taker.sees_island();
    taker.sees_tiles(std::uint64_t{});
    taker.sees_node();
    taker.sees_chunks(std::uint64_t{});
};

// The taker of a large search: for takers that count, one that stands in for all of them.
template <class T>
struct FarTakerOf {
    using type = T;
};
template <class T>
    requires requires { typename T::Far; }
struct FarTakerOf<T> {
    using type = typename T::Far;
};
template <class T>
using FarTaker = typename FarTakerOf<T>::type;

template <class V>
struct Takers : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;

    // `test` compares the agents [begin, end). A vector may go on past the end, and finds nothing there,
    // except if a covered run follows: then its lanes are `cut` off.
    template <bool cut, class P, class A>
    static std::uint32_t found_in(const P& probe, const A& a, std::uint32_t j, std::uint32_t end) {
        const std::uint32_t found = probe.overlap(a, j);
        if constexpr (cut)
            if (end - j < Wide::size) return found & ((1u << (end - j)) - 1);
        return found;
    }

    // Copies a run, and prefetches as much of the next one. A run is a few thousand bytes long: too short for
    // the hardware prefetcher. Writes whole vectors, and so may write up to a gap past the last. All but the
    // first are aligned, since one that crosses lines takes twice as long.
    static void copy(std::uint32_t* to, const std::uint32_t* from, std::size_t count,
                     const std::uint32_t* ahead) {
        using Ids = xsimd::batch<std::uint32_t, typename Wide::arch_type>;
        const std::size_t beside_line = reinterpret_cast<std::uintptr_t>(to) / sizeof *to % Ids::size;
        Ids::load_unaligned(from).store_unaligned(to);
        THRONG_PREFETCH(ahead);
        for (std::size_t i = Ids::size - beside_line; i < count; i += Ids::size) {
            Ids::load_unaligned(from + i).store_unaligned(to + i);
            THRONG_PREFETCH(ahead + i);
        }
    }

    struct Collect {
        IdSink& sink;
        std::uint32_t* at;

        explicit Collect(IdSink& s) : sink(s), at(s.at) {}
        ~Collect() { sink.at = at; }
        std::uint32_t* make_room(std::uint32_t* end) {
            sink.at = end;
            sink.full(sink);
            return sink.at;
        }
        // A vector that is written to `to` could change `at`, for all the compiler knows.
        template <bool cut, class P, class A>
        bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
            std::uint32_t* to = at;
            for (std::uint32_t j = begin; j < end; j += Wide::size) {
                if (to > sink.limit) [[unlikely]] {
                    const P same_probe = probe;
                    const A same = a;
                    return test_rest<cut>(same_probe, same, j, end, to);
                }
                const std::uint32_t found = found_in<cut>(probe, a, j, end);
                V::left_pack(to, a.id + j, found);
                to += V::count_bits(found);
            }
            at = to;
            return !sink.stopped;
        }
        // The same after the sink is full. Apart, since a way out of the loop costs all searches that do not
        // take it; and it takes copies, or these would have to be in memory for all. Not by value: Clang 14
        // puts what is aligned like a vector at places that are not, under the address sanitizer.
        template <bool cut, class P, class A>
        THRONG_KERNEL THRONG_NOINLINE bool test_rest(const P& probe, const A& a, std::uint32_t begin,
                                                     std::uint32_t end, std::uint32_t* to) {
            for (std::uint32_t j = begin; j < end; j += Wide::size) {
                if (to > sink.limit) [[unlikely]] {
                    to = make_room(to);
                    if (sink.stopped) break;
                }
                const std::uint32_t found = found_in<cut>(probe, a, j, end);
                V::left_pack(to, a.id + j, found);
                to += V::count_bits(found);
            }
            at = to;
            return !sink.stopped;
        }
        bool take(const Arrays& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t* ahead) {
            if (sink.run != nullptr && end - begin > gap) {
                sink.at = at;
                sink.full(sink);
                if (!sink.stopped) sink.run(sink, a.id + begin, end - begin);
                at = sink.at;
                return !sink.stopped;
            }
            while (begin < end) {
                if (at > sink.limit) [[unlikely]]
                    at = make_room(at);
                const std::size_t room = static_cast<std::size_t>(sink.limit - at);
                const std::size_t some = end - begin < room + gap ? end - begin : room + gap;
                if (some <= room)
                    copy(at, a.id + begin, some, ahead);
                else
                    std::memcpy(at, a.id + begin, some * sizeof *at);
                at += some;
                begin += static_cast<std::uint32_t>(some);
            }
            return !sink.stopped;
        }
    };

    // Counts, or stops at the first.
    struct Tally {
        std::uint64_t found;
        bool any_will_do;

        bool goes_on() const { return !any_will_do || found == 0; }
        template <bool cut, class P, class A>
        bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
            std::uint64_t sum = found;
            for (std::uint32_t j = begin; j < end; j += Wide::size) {
                sum += V::count_bits(found_in<cut>(probe, a, j, end));
                if (any_will_do && sum != 0) break;
            }
            found = sum;
            return goes_on();
        }
        template <class A>
        bool take(const A&, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
            found += end - begin;
            return goes_on();
        }
    };

    struct Count {
        using Far = Tally;
        std::uint64_t found = 0;

        Tally far() const { return {found, false}; }
        void take(const Tally& tally) { found = tally.found; }
        template <bool cut, class P, class A>
        bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
            std::uint64_t sum = found;
            for (std::uint32_t j = begin; j < end; j += Wide::size)
                sum += V::count_bits(found_in<cut>(probe, a, j, end));
            found = sum;
            return true;
        }
        bool take(const Arrays&, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
            found += end - begin;
            return true;
        }
    };

    struct Any {
        using Far = Tally;
        bool found = false;

        Tally far() const { return {0, true}; }
        void take(const Tally& tally) { found = tally.found != 0; }
        template <bool cut, class P, class A>
        bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t j = begin; j < end; j += Wide::size)
                if (found_in<cut>(probe, a, j, end) != 0) {
                    found = true;
                    return false;
                }
            return true;
        }
        bool take(const Arrays&, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
            found = begin < end;
            return !found;
        }
    };
};

// The place for the ids of a batch: streams, each answer behind a header with the number of its query and the
// count of its ids; or, with `ends`, all in the first one, without headers. The loops that take most of the
// time are compiled for one of them.
enum class Headers : std::uint8_t { with, without, either };

template <class V, Headers headers = Headers::either>
struct Answers {
    IdSink* streams;
    std::uint32_t shift;
    std::uint64_t* ends;

    operator Answers<V>() const { return {streams, shift, ends}; }
    bool has_headers() const {
        return headers == Headers::with || (headers == Headers::either && ends == nullptr);
    }
    std::ptrdiff_t header() const { return has_headers() ? std::ptrdiff_t{stream_header} : 0; }
    IdSink& sink_of(std::size_t number) const { return streams[has_headers() ? number >> shift : 0]; }
    // Makes room for a header, and returns its spot.
    std::ptrdiff_t begin(IdSink& sink) const {
        if (!has_headers()) return 0;
        if (sink.at > sink.limit) [[unlikely]]
            sink.full(sink);
        sink.at += stream_header;
        return sink.at - sink.begin - std::ptrdiff_t{stream_header};
    }
    // For the query that is searched as number i and has that number in the batch.
    void end(const IdSink& sink, std::ptrdiff_t begin, std::size_t i, std::size_t number) const {
        if (!has_headers()) return skip(i, i + 1);
        sink.begin[begin] = static_cast<std::uint32_t>(number);
        sink.begin[begin + 1] =
            static_cast<std::uint32_t>(sink.at - sink.begin - begin - std::ptrdiff_t{stream_header});
    }
    // The queries [begin, end), in the order of the search, find nothing more. Those in streams have headers,
    // and none is skipped.
    void skip(std::size_t begin, std::size_t end) const {
        for (; begin < end; ++begin) ends[begin] = static_cast<std::uint64_t>(streams->at - streams->begin);
    }
    // There are more streams than the processor follows by itself.
    void fetch_behind(const std::uint32_t* end) const {
        if (has_headers()) Vectors<V>::template fetch_from<1>(end, 192);
    }

    // Calls search(taker), and returns whether to go on.
    template <class Taker, class Search>
    bool collect(std::size_t i, std::size_t number, const Search& search) const {
        IdSink& sink = sink_of(number);
        const std::ptrdiff_t at = begin(sink);
        {
            Taker taker(sink);
            search(taker);
        }
        if (sink.stopped) return false;
        end(sink, at, i, number);
        return true;
    }
};

}  // namespace throng::simd
