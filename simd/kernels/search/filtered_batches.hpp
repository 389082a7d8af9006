// Batches of queries with filters.
#pragma once

#include "simd/kernels/search/filtered.hpp"

namespace throng::simd {

template <class V>
struct FilteredBatches : Filtered<V> {
    using Base = Filtered<V>;
    using Base::may_find;
    using Base::search;
    using Base::stretches_of;
    using typename Base::Any;
    using typename Base::Collect;
    using typename Base::Count;
    using typename Base::InOrder;
    using typename Base::LabelArrays;
    using typename Base::Packet;
    using typename Base::Reach;

    // --- Batches in the caller's order ---
    //
    // Most queries are answered by the table of stretches alone; in an incoherent order the others wait for
    // memory. So queries are prefiltered in groups: first, branch-free, which of them may find an agent; then
    // their data are prefetched together; then they run.

    static constexpr std::size_t some = 1024;

    // The queries of a group that may find an agent, with their reach.
    struct Screen {
        Reach reach[some + 1];
        std::uint32_t open[some + 1];
        std::size_t count = 0;

        Screen() {}
        void look(const View& view, InOrder& source, const LabelFilter* filters, std::size_t step,
                  std::size_t first, std::size_t queries) {
            const bool tree = view.node_count != 0 || view.stretches == nullptr || view.islands != nullptr;
            count = 0;
            for (std::size_t i = 0; i < queries; ++i) {
                const Reach here = source.next(first + i);
                reach[count] = here;
                open[count] = static_cast<std::uint32_t>(i);
                const bool may = tree || may_find(view, here, filters[(first + i) * step].categories);
                count += std::size_t{may};
            }
        }
        // Calls use(row, column) for the first cell that each candidate query reads: a cheap guess at a cell
        // with an admitted agent.
        template <class Use>
        void each(const View& view, const LabelFilter* filters, std::size_t step, const Use& use) const {
            for (std::size_t k = 0; k < count; ++k) {
                const Reach& r = reach[k];
                const bool above =
                    (stretches_of(view, r.first_row, r) & filters[open[k] * step].categories) != 0;
                const Row& row = view.rows[above ? r.first_row : r.last_row];
                if (row.count != 0) use(row, r.first_column);
            }
        }
        // `filters` is that of the group's first query.
        void fetch(const View& view, const LabelFilter* filters, std::size_t step) const {
            if (view.stretches == nullptr) return;
            each(view, filters, step,
                 [](const Row& row, std::uint32_t c) { __builtin_prefetch(row.cells + c); });
            each(view, filters, step, [](const Row& row, std::uint32_t c) {
                const std::uint32_t* categories = LabelArrays(row).categories + row.cells[c];
                __builtin_prefetch(categories);
                __builtin_prefetch(categories + gap / 2);
            });
        }
    };

    // Calls ask(i, reach) for the queries that may find an agent, in order, and before each none(begin, i)
    // for the skipped ones before it.
    template <class None, class Ask>
    static void screened(const View& view, const Query* queries, const LabelFilter* filters, std::size_t step,
                         std::size_t count, const None& none, const Ask& ask) {
        InOrder source(view, queries);
        Screen screen;
        for (std::size_t first = 0; first < count; first += some) {
            const std::size_t end = count - first < some ? count : first + some;
            screen.look(view, source, filters, step, first, end - first);
            screen.fetch(view, filters + first * step, step);
            std::size_t done = first;
            for (std::size_t k = 0; k < screen.count; ++k) {
                const std::size_t i = first + screen.open[k];
                none(done, i);
                ask(i, screen.reach[k]);
                done = i + 1;
            }
            none(done, end);
        }
    }

    THRONG_KERNEL static void find_filtered(const View& view, const Query* queries,
                                            const LabelFilter* filters, std::size_t step, std::size_t count,
                                            IdSink& sink, std::uint64_t* ends) {
        Collect taker(sink);
        const auto none = [&](std::size_t begin, std::size_t end) {
            const auto found = static_cast<std::uint64_t>(taker.at - sink.begin);
            for (; begin < end; ++begin) ends[begin] = found;
        };
        screened(view, queries, filters, step, count, none, [&](std::size_t i, const Reach& reach) {
            search(view, reach, queries[i], filters[i * step], taker);
            ends[i] = static_cast<std::uint64_t>(taker.at - sink.begin);
        });
    }
    template <class Taker, class Answer>
    static void answer_in_order(const View& view, const Query* queries, const LabelFilter* filters,
                                std::size_t step, std::size_t count, Answer* answers) {
        const auto none = [&](std::size_t begin, std::size_t end) {
            for (; begin < end; ++begin) answers[begin] = 0;
        };
        screened(view, queries, filters, step, count, none, [&](std::size_t i, const Reach& reach) {
            Taker taker;
            search(view, reach, queries[i], filters[i * step], taker);
            answers[i] = static_cast<Answer>(taker.found);
        });
    }
    THRONG_KERNEL static void count_filtered(const View& view, const Query* queries,
                                             const LabelFilter* filters, std::size_t step, std::size_t count,
                                             std::uint32_t* answers) {
        answer_in_order<Count>(view, queries, filters, step, count, answers);
    }
    THRONG_KERNEL static void any_filtered(const View& view, const Query* queries, const LabelFilter* filters,
                                           std::size_t step, std::size_t count, std::uint8_t* answers) {
        answer_in_order<Any>(view, queries, filters, step, count, answers);
    }

    // --- Batches in packets ---

    THRONG_KERNEL static void find_packet_filtered(const View& view, const Record* records,
                                                   const LabelFilter* filters, std::size_t step,
                                                   std::size_t count, IdSink* streams, std::uint32_t shift) {
        Packet source(view, records);
        for (std::size_t i = 0; i < count; ++i) {
            const Reach reach = source.next(i);
            IdSink& sink = streams[source.number(i) >> shift];
            if (sink.at > sink.limit) [[unlikely]]
                sink.full(sink);
            const std::ptrdiff_t header = sink.at - sink.begin;
            sink.at += stream_header;
            {
                Collect taker(sink);
                search(view, reach, source.query(i), filters[source.number(i) * step], taker);
            }
            if (sink.stopped) return;
            sink.begin[header] = source.number(i);
            sink.begin[header + 1] =
                static_cast<std::uint32_t>(sink.at - sink.begin - header) - stream_header;
        }
    }

    template <class Taker, class Answer>
    static void answer_packet(const View& view, const Record* records, const LabelFilter* filters,
                              std::size_t step, std::size_t count, Answer* answers) {
        Packet source(view, records);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint32_t number = source.number(i);
            Taker taker;
            search(view, source.next(i), source.query(i), filters[number * step], taker);
            answers[number] = static_cast<Answer>(taker.found);
        }
    }
    THRONG_KERNEL static void count_packet_filtered(const View& view, const Record* records,
                                                    const LabelFilter* filters, std::size_t step,
                                                    std::size_t count, std::uint32_t* answers) {
        answer_packet<Count>(view, records, filters, step, count, answers);
    }
    THRONG_KERNEL static void any_packet_filtered(const View& view, const Record* records,
                                                  const LabelFilter* filters, std::size_t step,
                                                  std::size_t count, std::uint8_t* answers) {
        answer_packet<Any>(view, records, filters, step, count, answers);
    }
};

}  // namespace throng::simd
