// Queries: which agents overlap a box. The box is cut along the grid:
//
//               left     inner columns    right
//             +-------+------------------+-------+
//    border   |               tested             |      a row that the box's lower edge may cross
//             +-------+------------------+-------+
//    inner    | tested|      covered     | tested|      rows strictly between the edges' rows
//    inner    | tested|      covered     | tested|
//             +-------+------------------+-------+
//    border   |               tested             |
//             +-------+------------------+-------+
//
// A covered run needs no test (see simd/types.hpp): its ids are copied, or passed in place, and counting
// them is one subtraction. Each kind of query is one `Taker`, which handles covered and tested runs.
#pragma once

#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/search/takers.hpp"

namespace throng::simd {

template <class V>
struct Search : Takers<V> {
    using Base = Takers<V>;
    using typename Base::Any;
    using typename Base::Arrays;
    using typename Base::Collect;
    using typename Base::Count;
    using typename Base::Four;
    using typename Base::Locator;
    using typename Base::Reach;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;

    // --- The search ---

    // The cells whose agents a query certainly covers, under any rounding.
    struct Inner {
        std::uint32_t first_column, behind, edge_row, top_row;

        Inner(const Locate& l, const Query& q) {
            std::int32_t cells[4];
            const Four distance = Four::load_unaligned(&q.min_x) - Four::load_unaligned(l.origin);
            xsimd::to_int(
                Base::clamped(distance * Four::load_unaligned(l.inner_scale), Four::load_unaligned(l.last)))
                .store_unaligned(cells);
            first_column = static_cast<std::uint32_t>(cells[0]) + 1;
            edge_row = static_cast<std::uint32_t>(cells[1]);
            behind = static_cast<std::uint32_t>(cells[2]);
            top_row = static_cast<std::uint32_t>(cells[3]);
        }
        bool has_row(std::uint32_t r) const { return edge_row < r && r < top_row; }
        bool has_columns(std::uint32_t first, std::uint32_t last) const {
            return first_column <= first && last < behind;
        }
    };

    template <class Taker>
    static void search(const View& view, const Reach& reach, const Query& q, Taker& taker) {
        if (view.is_all) [[likely]]
            (void)search_grid(view, reach, q, Probe(q), taker);
        else
            search_world(view, reach, q, taker);
    }
    // The case of more than a grid. Kept apart, to spare registers in the common case.
    template <class Taker>
    [[gnu::noinline]] static void search_world(const View& view, const Reach& reach, const Query& q,
                                               Taker& taker) {
        const Probe probe(q);
        bool more = true;
        if (const Island* only = IslandSearch<V>::only_island(view.islands, q)) {
            more = IslandVisit<Taker>(q, probe, taker)(*only);
        } else {
            if (view.islands == nullptr || !view.islands->open_is_empty)
                more = search_grid(view, reach, q, probe, taker);
            if (view.islands != nullptr && more) more = search_islands(*view.islands, q, probe, taker);
        }
        if (view.node_count != 0 && more) search_tree(view, q, probe, taker);
    }

    template <class Taker>
    static bool search_grid(const View& view, const Reach& reach, const Query& q, const Probe& probe,
                            Taker& taker) {
        if (reach.last_row - reach.first_row > 1 && reach.last_column - reach.first_column > 1) [[unlikely]]
            return search_large(view, reach, q, probe, taker);
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r)
            if (!test_row(view.rows[r], reach, probe, taker)) return false;
        return true;
    }

    // All common agents of an island, and of its own islands.
    template <class Taker>
    static bool take_island(const Island& island, Taker& taker) {
        for (std::uint32_t r = 0; r < island.view.grid.rows; ++r) {
            const Row& row = island.view.rows[r];
            if (row.count == 0) continue;
            const Arrays a(row);
            if (!taker.take(a, 0, row.count, a.id)) return false;
        }
        return island.view.islands == nullptr ||
               IslandSearch<V>::for_every(*island.view.islands,
                                          [&](const Island& inner) { return take_island(inner, taker); });
    }
    // An island that is cut: its own rows, then its islands.
    template <class Taker>
    [[gnu::noinline]] static bool search_cut_island(const Island& island, const Query& q, const Probe& probe,
                                                    Taker& taker) {
        const Islands& inner = *island.view.islands;
        if (!inner.open_is_empty && !search_grid(island.view, Locator(island.view).reach(q), q, probe, taker))
            return false;
        return search_islands(inner, q, probe, taker);
    }

    // An island that lies inside the query is taken whole.
    template <class Taker>
    struct IslandVisit {
        const Query& q;
        const Probe& probe;
        Taker& taker;
        Four outer, inner;

        IslandVisit(const Query& query, const Probe& p, Taker& t)
            : q(query),
              probe(p),
              taker(t),
              outer(Locator::four(q.max_x, q.max_y, -q.min_x, -q.min_y)),
              inner(Locator::four(q.min_x, q.min_y, -q.max_x, -q.max_y)) {}
        bool operator()(const Island& island) const {
            const Four bounds = Four::load_unaligned(&island.bounds.min_x);
            if (V::bits(bounds <= outer) != 15) return true;
            if (V::bits(inner <= bounds) == 15) return take_island(island, taker);
            if (island.view.islands != nullptr) [[unlikely]]
                return search_cut_island(island, q, probe, taker);
            return search_grid(island.view, Locator(island.view).reach(q), q, probe, taker);
        }
    };
    template <class Taker>
    static bool search_islands(const Islands& islands, const Query& q, const Probe& probe, Taker& taker) {
        return IslandSearch<V>::for_each(islands, q.min_x, q.min_y, q.max_x, q.max_y,
                                         IslandVisit<Taker>(q, probe, taker));
    }

    // Many oversized agents: the leaves of the tree above are groves.
    template <class Taker>
    static void search_groves(const View& view, const Query& q, const Probe& probe, Taker& taker) {
        const Four outer = Locator::four(q.max_x, q.max_y, -q.min_x, -q.min_y),
                   inner = Locator::four(q.min_x, q.min_y, -q.max_x, -q.max_y);
        for (std::uint32_t i = 0; i < view.node_count;) {
            const Node& node = view.nodes[i];
            const Four bounds = Four::load_unaligned(&node.min_x);
            if (V::bits(bounds <= outer) != 15) {
                i = node.next;
                continue;
            }
            const bool inside = V::bits(inner <= bounds) == 15;
            i = inside ? node.next : i + 1;
            for (std::uint32_t g = node.begin; i == node.next && g < node.end; ++g) {
                const Grove& grove = view.groves[g];
                const Arrays a(grove.oversized);
                const bool more = inside ? taker.take(a, 0, grove.oversized.count, a.id)
                                         : search_nodes(grove, q, probe, taker);
                if (!more) return;
            }
        }
    }

    template <class Taker>
    static void search_tree(const View& view, const Query& q, const Probe& probe, Taker& taker) {
        if (view.groves != nullptr) return search_groves(view, q, probe, taker);
        (void)search_nodes(view, q, probe, taker);
    }

    // A tree in one piece: that of a view, or a grove. False if the search has ended. A leaf's run is followed by
    // the next one's, so lanes behind its end are cut off.
    template <class Tree, class Taker>
    static bool search_nodes(const Tree& view, const Query& q, const Probe& probe, Taker& taker) {
        const Four outer = Locator::four(q.max_x, q.max_y, -q.min_x, -q.min_y),
                   inner = Locator::four(q.min_x, q.min_y, -q.max_x, -q.max_y);
        const Arrays a(view.oversized);
        for (std::uint32_t i = 0; i < view.node_count;) {
            const Node& node = view.nodes[i];
            const Four bounds = Four::load_unaligned(&node.min_x);
            if (V::bits(bounds <= outer) != 15) {
                i = node.next;
            } else if (V::bits(inner <= bounds) == 15) {
                if (!taker.take(a, node.begin, node.end, a.id + node.begin)) return false;
                i = node.next;
            } else {
                ++i;
                if (node.next == i && !taker.template test<true>(probe, a, node.begin, node.end))
                    return false;
            }
        }
        return true;
    }

    template <class Taker>
    static bool test_row(const Row& row, const Reach& reach, const Probe& probe, Taker& taker) {
        if (row.count == 0) return true;
        return taker.template test<false>(probe, Arrays(row), row.cells[reach.first_column],
                                          row.cells[reach.last_column + 1]);
    }

    // A large search visits rows in different places of memory. While this row is searched, the cell starts
    // of the row after next and the tested agents of the next row are prefetched. Returns the start of the
    // next row's covered ids.
    static const std::uint32_t* fetch_next(const View& view, std::uint32_t r, const Reach& reach) {
        if (r + 2 <= reach.last_row && view.rows[r + 2].count != 0) {
            const std::uint32_t* cells = view.rows[r + 2].cells;
            __builtin_prefetch(cells + reach.first_column);
            __builtin_prefetch(cells + reach.last_column);
        }
        const Row& next = view.rows[r < reach.last_row && view.rows[r + 1].count != 0 ? r + 1 : r];
        const std::uint32_t left = next.cells[reach.first_column], right = next.cells[reach.last_column];
        for (std::size_t k = 0; k < 4; ++k) {
            __builtin_prefetch(next.data + k * next.stride + left, 0, 2);
            __builtin_prefetch(next.data + k * next.stride + right, 0, 2);
        }
        return Arrays(next).id + left;
    }

    template <class Taker>
    static bool search_large(const View& view, const Reach& reach, const Query& q, const Probe& probe,
                             Taker& taker) {
        const Inner inner(view.locate, q);
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const Row& row = view.rows[r];
            if (!inner.has_row(r) || inner.first_column >= inner.behind) {
                if (!test_row(row, reach, probe, taker)) return false;
                continue;
            }
            if (row.count == 0) continue;
            const Arrays a(row);
            const std::uint32_t left = row.cells[inner.first_column], right = row.cells[inner.behind];
            if (!taker.template test<true>(probe, a, row.cells[reach.first_column], left)) return false;
            if (!taker.take(a, left, right, fetch_next(view, r, reach))) return false;
            if (!taker.template test<false>(probe, a, right, row.cells[reach.last_column + 1])) return false;
        }
        return true;
    }

    THRONG_KERNEL static void find(const View& view, const Query& q, IdSink& sink) {
        Collect taker(sink);
        search(view, Locator(view).reach(q), q, taker);
    }
    THRONG_KERNEL static std::uint64_t count(const View& view, const Query& q) {
        Count taker;
        search(view, Locator(view).reach(q), q, taker);
        return taker.found;
    }
    THRONG_KERNEL static bool any(const View& view, const Query& q) {
        Any taker;
        search(view, Locator(view).reach(q), q, taker);
        return taker.found;
    }

    // --- Batches ---

    // Queries in the caller's order.
    class InOrder {
    public:
        InOrder(const View& view, const Query* queries) : locator_(view), queries_(queries) {}
        const Query& query(std::size_t i) const { return queries_[i]; }
        Reach next(std::size_t i) { return locator_.reach(queries_[i]); }

    private:
        const Locator locator_;
        const Query* queries_;
    };

    // Queries of a packet, with their numbers.
    class Packet {
    public:
        Packet(const View& view, const Record* records) : locator_(view), records_(records) {}
        std::uint32_t number(std::size_t i) const { return records_[i].id; }
        const Query& query(std::size_t i) const {
            return *reinterpret_cast<const Query*>(&records_[i].min_x);
        }
        Reach next(std::size_t i) { return locator_.reach(query(i)); }

    private:
        const Locator locator_;
        const Record* records_;
    };

    THRONG_KERNEL static void find_in_order(const View& view, const Query* queries, std::size_t count,
                                            IdSink& sink, std::uint64_t* ends) {
        InOrder source(view, queries);
        Collect taker(sink);
        for (std::size_t i = 0; i < count; ++i) {
            search(view, source.next(i), source.query(i), taker);
            ends[i] = static_cast<std::uint64_t>(taker.at - sink.begin);
        }
    }
    THRONG_KERNEL static void find_packet(const View& view, const Record* records, std::size_t count,
                                          IdSink* streams, std::uint32_t shift) {
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
                search(view, reach, source.query(i), taker);
            }
            if (sink.stopped) return;
            sink.begin[header] = source.number(i);
            sink.begin[header + 1] =
                static_cast<std::uint32_t>(sink.at - sink.begin - header) - stream_header;
        }
    }

    template <class Source, class Answer>
    static void count_all(const View& view, Source& source, std::size_t count, const Answer& answer) {
        for (std::size_t i = 0; i < count; ++i) {
            Count taker;
            search(view, source.next(i), source.query(i), taker);
            answer(i, taker.found);
        }
    }
    template <class Source, class Answer>
    static void any_all(const View& view, Source& source, std::size_t count, const Answer& answer) {
        for (std::size_t i = 0; i < count; ++i) {
            Any taker;
            search(view, source.next(i), source.query(i), taker);
            answer(i, taker.found);
        }
    }
    THRONG_KERNEL static void count_in_order(const View& view, const Query* queries, std::size_t count,
                                             std::uint32_t* answers) {
        InOrder source(view, queries);
        count_all(view, source, count, [&](std::size_t i, std::uint64_t found) {
            answers[i] = static_cast<std::uint32_t>(found);
        });
    }
    THRONG_KERNEL static void count_packet(const View& view, const Record* records, std::size_t count,
                                           std::uint32_t* answers) {
        Packet source(view, records);
        count_all(view, source, count, [&](std::size_t i, std::uint64_t found) {
            answers[source.number(i)] = static_cast<std::uint32_t>(found);
        });
    }
    THRONG_KERNEL static void any_in_order(const View& view, const Query* queries, std::size_t count,
                                           std::uint8_t* answers) {
        InOrder source(view, queries);
        any_all(view, source, count, [&](std::size_t i, bool found) { answers[i] = found ? 1 : 0; });
    }
    THRONG_KERNEL static void any_packet(const View& view, const Record* records, std::size_t count,
                                         std::uint8_t* answers) {
        Packet source(view, records);
        any_all(view, source, count,
                [&](std::size_t i, bool found) { answers[source.number(i)] = found ? 1 : 0; });
    }
};

}  // namespace throng::simd
