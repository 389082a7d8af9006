// The kernels that answer queries: one at a time, batches in the caller's order, and packets, each with all
// takers. A batch picks the code for its filters once.
#pragma once

#include "simd/kernels/search/near_queries.hpp"
#include "simd/kernels/search/near_rows.hpp"
#include "simd/kernels/search/screen.hpp"
#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/shared/shared_walk.hpp"
#include "simd/kernels/search/takers.hpp"
#include "simd/kernels/shapes/box_shape.hpp"

namespace throng::simd {

template <class V>
struct Queries : NearQueries<V> {
    using Base = NearQueries<V>;
    using Any = typename Takers<V>::Any;
    using Collect = typename Takers<V>::Collect;
    using Count = typename Takers<V>::Count;
    using Base::each_near;
    using Base::write_near;
    using typename Base::Everyone;
    using typename Base::Labelled;
    using typename Base::Locator;
    using typename Base::NearFound;
    using typename Base::NothingAhead;
    using typename Base::NotSelf;
    using typename Base::OnIsland;
    using typename Base::QueriesAt;
    using typename Base::Reach;
    using typename Base::RowAhead;
    using typename Base::World;

    template <class Admit, class Taker>
    static void search(const View& view, const Reach& reach, const Query& q,
                       const typename Admit::Filter& filter, Taker& taker) {
        Search<V, BoxShape<V>, Admit, Taker>::search(view, reach, q, filter, taker);
    }

    // Among what was gathered for a query and its neighbours, or else in a frame that is more than a grid.
    template <class Admit, class Taker>
    static void search_near(const View& view, const Row* near, const Query& q,
                            const typename Admit::Filter& filter, Taker& taker) {
        using Boxes = Search<V, BoxShape<V>, Admit, Taker>;
        if (near != nullptr)
            Boxes::search_row(*near, q, filter, taker);
        else if (!Admit::admits_none(filter))
            Boxes::search_world(view, q, filter, taker);
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
        if (filters.are_unfiltered())
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

    // A query that reaches too much for NearRows, among others that do not.
    THRONG_KERNEL [[gnu::noinline]] static void find_far(const View& view, const Query& q, IdSink& sink) {
        find(view, q, sink);
    }
    template <class Ahead>
    static void find_near_ones(const View& view, const Ahead& ahead, std::size_t count, IdSink& sink,
                               std::uint64_t* ends, const QueriesAt& query) {
        each_near(view, World{view}, ahead, count, query,
                  [&](std::size_t i, const Query& q, const auto& tree, const NearFound& found) {
                      std::uint32_t* end;
                      if (write_near(found, q, tree, 0, sink, end)) [[likely]]
                          sink.at = end;
                      else
                          find_far(view, q, sink);
                      ends[i] = static_cast<std::uint64_t>(sink.at - sink.begin);
                      return true;
                  });
    }

    template <class Admit, class NumberAt>
    THRONG_KERNEL [[gnu::noinline]] static void find_shared(const View& view, const LabelFilters& filters,
                                                            std::size_t count, const QueriesAt& query,
                                                            const NumberAt& number, IdSink& sink,
                                                            std::uint64_t* ends) {
        Collect taker(sink);
        SharedWalk<V>::each(view, count, query, [&](std::size_t i, const Row* near) {
            search_near<Admit>(view, near, query(i), Admit::filter(filters, number(i)), taker);
            ends[i] = static_cast<std::uint64_t>(taker.at - sink.begin);
            return !sink.stopped;
        });
    }

    template <class Admit>
    struct FindInOrder {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const Query* queries, std::size_t count, IdSink& sink,
                                                        std::uint64_t* ends) {
            if constexpr (Admit::is_unfiltered && NearRows<V>::pays) {
                const QueriesAt query(queries);
                if (NearRows<V>::suits(World{view}, count, query))
                    return find_near_ones(view, NothingAhead{}, count, sink, ends, query);
            }
            if constexpr (!Admit::has_stretches)
                if (SharedWalk<V>::may_pay(view, count))
                    return find_shared<Admit>(
                        view, filters, count, QueriesAt(queries), [](std::size_t i) { return i; }, sink,
                        ends);
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
    // The answers to query n go to streams[n >> shift]; or all behind each other to the first stream, with `ends`.
    template <class Admit>
    struct FindPacket {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const Record* records, std::size_t count,
                                                        IdSink* streams, std::uint32_t shift,
                                                        std::uint64_t* ends) {
            if (ends != nullptr) return run_on(view, filters, records, count, streams[0], ends);
            if constexpr (Admit::is_unfiltered && NearRows<V>::pays) {
                const QueriesAt query(records);
                if (view.islands != nullptr) {
                    if (run_on_island(view, records, count, streams, shift)) return;
                } else if (NearRows<V>::suits(World{view}, count, query)) {
                    return run_near(view, World{view}, records, count, streams, shift);
                }
            }
            if constexpr (!Admit::has_stretches)
                if (SharedWalk<V>::may_pay(view, count))
                    return run_shared(view, filters, records, count, streams, shift);
            const Locator locator(view);
            for (std::size_t i = 0; i < count; ++i) {
                const Query& q = query_of(records[i]);
                const std::uint32_t number = records[i].id;
                const Reach reach = locator.reach(q);
                IdSink& sink = streams[number >> shift];
                const std::ptrdiff_t header = begin_answer(sink);
                {
                    Collect taker(sink);
                    search<Admit>(view, reach, q, Admit::filter(filters, number), taker);
                }
                if (sink.stopped) return;
                end_answer(sink, header, number);
            }
        }
        THRONG_KERNEL [[gnu::noinline]] static void run_shared(const View& view, const LabelFilters& filters,
                                                               const Record* records, std::size_t count,
                                                               IdSink* streams, std::uint32_t shift) {
            const QueriesAt query(records);
            SharedWalk<V>::each(view, count, query, [&](std::size_t i, const Row* near) {
                const std::uint32_t number = records[i].id;
                IdSink& sink = streams[number >> shift];
                const std::ptrdiff_t header = begin_answer(sink);
                {
                    Collect taker(sink);
                    search_near<Admit>(view, near, query(i), Admit::filter(filters, number), taker);
                }
                if (sink.stopped) return false;
                end_answer(sink, header, number);
                return true;
            });
        }
        // Apart from the others, since together they have more values than there are registers: 5 % of a batch in a crowd.
        THRONG_KERNEL [[gnu::noinline]] static bool run_on_island(const View& view, const Record* records,
                                                                  std::size_t count, IdSink* streams,
                                                                  std::uint32_t shift) {
            const QueriesAt query(records);
            const OnIsland home{IslandSearch<V>::region_at(view, query(0).min_x, query(0).min_y),
                                view.islands};
            // There are few to a packet.
            const std::size_t samples = count < 256 ? count / 16 + 1 : 16;
            if (!NearRows<V>::suits(home, count, query, samples)) return false;
            run_near(view, home, records, count, streams, shift);
            return true;
        }
        // Answers go to so many streams that the processor does not follow them all.
        static constexpr std::ptrdiff_t stream_ahead = 192;
        template <class Home>
        static void run_near(const View& view, const Home& home, const Record* records, std::size_t count,
                             IdSink* streams, std::uint32_t shift) {
            const RowAhead ahead(home.view, query_of(records[0]));
            const QueriesAt query(records);
            each_near(view, home, ahead, count, query,
                      [&](std::size_t i, const Query& q, const auto& tree, const NearFound& found) {
                          const std::uint32_t number = records[i].id;
                          IdSink& sink = streams[number >> shift];
                          std::ptrdiff_t header = sink.at - sink.begin;
                          std::uint32_t* end;
                          if (write_near(found, q, tree, stream_header, sink, end)) [[likely]] {
                              sink.at = end;
                              __builtin_prefetch(reinterpret_cast<const char*>(end) + stream_ahead, 1);
                          } else {
                              header = begin_answer(sink);
                              find_far(view, q, sink);
                              if (sink.stopped) return false;
                          }
                          end_answer(sink, header, number);
                          return true;
                      });
        }
        static void run_on(const View& view, const LabelFilters& filters, const Record* records,
                           std::size_t count, IdSink& sink, std::uint64_t* ends) {
            if constexpr (Admit::is_unfiltered && NearRows<V>::pays) {
                const QueriesAt query(records);
                if (NearRows<V>::suits(World{view}, count, query))
                    return find_near_ones(view, RowAhead(view, query(0)), count, sink, ends, query);
            }
            if constexpr (!Admit::has_stretches)
                if (SharedWalk<V>::may_pay(view, count))
                    return find_shared<Admit>(
                        view, filters, count, QueriesAt(records),
                        [&](std::size_t i) { return records[i].id; }, sink, ends);
            const Locator locator(view);
            Collect taker(sink);
            for (std::size_t i = 0; i < count; ++i) {
                const Query& q = query_of(records[i]);
                search<Admit>(view, locator.reach(q), q, Admit::filter(filters, records[i].id), taker);
                ends[i] = static_cast<std::uint64_t>(taker.at - sink.begin);
            }
        }
        // The place of the header of an answer that begins.
        static std::ptrdiff_t begin_answer(IdSink& sink) {
            if (sink.at > sink.limit) [[unlikely]]
                sink.full(sink);
            sink.at += stream_header;
            return sink.at - sink.begin - stream_header;
        }
        static void end_answer(IdSink& sink, std::ptrdiff_t header, std::uint32_t number) {
            sink.begin[header] = number;
            sink.begin[header + 1] =
                static_cast<std::uint32_t>(sink.at - sink.begin - header) - stream_header;
        }
    };

    // Answers of a fixed size go to the places of their queries.
    template <class Admit, class Taker, class Answer>
    struct AnswerInOrder {
        // The first agent is soon found; all of them are looked for together where that may pay.
        static bool may_share(const View& view, std::size_t count) {
            return !Admit::has_stretches && !std::is_same_v<Taker, Any> &&
                   SharedWalk<V>::may_pay(view, count);
        }
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const Query* queries, std::size_t count,
                                                        Answer* answers) {
            if (may_share(view, count))
                return share(
                    view, filters, count, QueriesAt(queries), [](std::size_t i) { return i; }, answers);
            const auto none = [&](std::size_t begin, std::size_t end) {
                for (; begin < end; ++begin) answers[begin] = 0;
            };
            each<Admit>(view, queries, filters, count, none, [&](std::size_t i, const Reach& reach) {
                Taker taker;
                search<Admit>(view, reach, queries[i], Admit::filter(filters, i), taker);
                answers[i] = static_cast<Answer>(taker.found);
            });
        }
        template <class NumberAt>
        THRONG_KERNEL [[gnu::noinline]] static void share(const View& view, const LabelFilters& filters,
                                                          std::size_t count, const QueriesAt& query,
                                                          const NumberAt& number, Answer* answers) {
            if constexpr (!Admit::has_stretches)
                SharedWalk<V>::each(view, count, query, [&](std::size_t i, const Row* near) {
                    Taker taker;
                    search_near<Admit>(view, near, query(i), Admit::filter(filters, number(i)), taker);
                    answers[number(i)] = static_cast<Answer>(taker.found);
                    return true;
                });
        }
    };
    template <class Admit, class Taker, class Answer>
    struct AnswerPacket {
        THRONG_KERNEL [[gnu::noinline]] static void run(const View& view, const LabelFilters& filters,
                                                        const Record* records, std::size_t count,
                                                        Answer* answers) {
            using InOrder = AnswerInOrder<Admit, Taker, Answer>;
            if (InOrder::may_share(view, count))
                return InOrder::share(
                    view, filters, count, QueriesAt(records), [&](std::size_t i) { return records[i].id; },
                    answers);
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
