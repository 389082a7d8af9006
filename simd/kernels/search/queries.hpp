// The kernels that answer queries: one at a time, batches in the caller's order, and packets, each with all
// takers. A batch picks the code for its filters once.
#pragma once

#include "simd/kernels/search/screen.hpp"
#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/takers.hpp"
#include "simd/kernels/shapes/box_shape.hpp"

namespace throng::simd {

template <class V>
struct Queries : Admission<V> {
    using Base = Admission<V>;
    using Any = typename Takers<V>::Any;
    using Collect = typename Takers<V>::Collect;
    using Count = typename Takers<V>::Count;
    using typename Base::Everyone;
    using typename Base::Labelled;
    using typename Base::Locator;
    using typename Base::NotSelf;
    using typename Base::Reach;

    template <class Admit, class Taker>
    static void search(const View& view, const Reach& reach, const Query& q,
                       const typename Admit::Filter& filter, Taker& taker) {
        Search<V, BoxShape<V>, Admit, Taker>::search(view, reach, q, filter, taker);
    }

    // --- One query, without a filter ---

    THRONG_KERNEL static void find(const View& view, const Query& q, IdSink& sink) {
        Collect taker(sink);
        search<Everyone>(view, Locator(view).reach(q), q, {}, taker);
    }
    THRONG_KERNEL static std::uint64_t count(const View& view, const Query& q) {
        Count taker;
        search<Everyone>(view, Locator(view).reach(q), q, {}, taker);
        return taker.found;
    }
    THRONG_KERNEL static bool any(const View& view, const Query& q) {
        Any taker;
        search<Everyone>(view, Locator(view).reach(q), q, {}, taker);
        return taker.found;
    }

    // --- Batches ---

    // Kernel<Admit>::run, where Admit is what these filters need in this frame.
    template <template <class> class Kernel, class... Rest>
    static void choose(const View& view, const LabelFilters& filters, Rest... rest) {
        if (filters.admit_everyone())
            Kernel<Everyone>::run(view, filters, rest...);
        else if (view.stretches == nullptr)
            Kernel<NotSelf>::run(view, filters, rest...);
        else
            Kernel<Labelled>::run(view, filters, rest...);
    }

    // Calls search(i, reach) for each query in the caller's order, but none(begin, end) for those which the
    // table of stretches answers.
    template <class Admit, class None, class Search>
    static void each(const View& view, const Query* queries, const LabelFilters& filters, std::size_t count,
                     const None& none, const Search& search) {
        if constexpr (Admit::has_stretches) {
            Screen<V>::each(view, queries, filters, count, none, search);
        } else {
            const Locator locator(view);
            for (std::size_t i = 0; i < count; ++i) search(i, locator.reach(queries[i]));
        }
    }

    template <class Admit>
    struct FindInOrder {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const Query* queries, std::size_t count, IdSink& sink,
                                                        std::uint64_t* ends) {
            Collect taker(sink);
            const auto none = [&](std::size_t begin, std::size_t end) {
                const auto found = static_cast<std::uint64_t>(taker.at - sink.begin);
                for (; begin < end; ++begin) ends[begin] = found;
            };
            each<Admit>(view, queries, filters, count, none, [&](std::size_t i, const Reach& reach) {
                search<Admit>(view, reach, queries[i], Admit::filter(filters, i), taker);
                ends[i] = static_cast<std::uint64_t>(taker.at - sink.begin);
            });
        }
    };
    // The answers to query n go to streams[n >> shift].
    template <class Admit>
    struct FindPacket {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const Record* records, std::size_t count,
                                                        IdSink* streams, std::uint32_t shift) {
            const Locator locator(view);
            for (std::size_t i = 0; i < count; ++i) {
                const Query& q = query_of(records[i]);
                const std::uint32_t number = records[i].id;
                const Reach reach = locator.reach(q);
                IdSink& sink = streams[number >> shift];
                if (sink.at > sink.limit) [[unlikely]]
                    sink.full(sink);
                const std::ptrdiff_t header = sink.at - sink.begin;
                sink.at += stream_header;
                {
                    Collect taker(sink);
                    search<Admit>(view, reach, q, Admit::filter(filters, number), taker);
                }
                if (sink.stopped) return;
                sink.begin[header] = number;
                sink.begin[header + 1] =
                    static_cast<std::uint32_t>(sink.at - sink.begin - header) - stream_header;
            }
        }
    };

    // Answers of a fixed size go to the places of their queries.
    template <class Admit, class Taker, class Answer>
    struct AnswerInOrder {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const Query* queries, std::size_t count,
                                                        Answer* answers) {
            const auto none = [&](std::size_t begin, std::size_t end) {
                for (; begin < end; ++begin) answers[begin] = 0;
            };
            each<Admit>(view, queries, filters, count, none, [&](std::size_t i, const Reach& reach) {
                Taker taker;
                search<Admit>(view, reach, queries[i], Admit::filter(filters, i), taker);
                answers[i] = static_cast<Answer>(taker.found);
            });
        }
    };
    template <class Admit, class Taker, class Answer>
    struct AnswerPacket {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const Record* records, std::size_t count,
                                                        Answer* answers) {
            const Locator locator(view);
            for (std::size_t i = 0; i < count; ++i) {
                const Query& q = query_of(records[i]);
                const std::uint32_t number = records[i].id;
                Taker taker;
                search<Admit>(view, locator.reach(q), q, Admit::filter(filters, number), taker);
                answers[number] = static_cast<Answer>(taker.found);
            }
        }
    };
    template <class Admit>
    using CountInOrder = AnswerInOrder<Admit, Count, std::uint32_t>;
    template <class Admit>
    using AnyInOrder = AnswerInOrder<Admit, Any, std::uint8_t>;
    template <class Admit>
    using CountPacket = AnswerPacket<Admit, Count, std::uint32_t>;
    template <class Admit>
    using AnyPacket = AnswerPacket<Admit, Any, std::uint8_t>;

private:
    // The records of a packet have the numbers of their queries as ids.
    static const Query& query_of(const Record& record) {
        return *reinterpret_cast<const Query*>(&record.min_x);
    }
};

}  // namespace throng::simd
