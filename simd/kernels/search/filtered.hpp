// Queries with a filter, in frames with labels. A frame knows which categories occur in each stretch of
// four columns of each row, in one table that stays in the cache (View::stretches):
//
//     row 7    | 1 | 1 | 3 | 1 | 1 | 5 | 5 | 1 | ...       asked for category 4: one run, of two stretches
//     row 8    | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | ...       nothing is looked at
//
// Adjacent stretches become one run, and runs are collected in a short list, so the starts of their cells,
// and then their labels, are fetched from memory in parallel. For agents covered by the query only labels are
// compared. The vocabulary compares only floats; a nonzero integer converts to a nonzero float.
//
// In a frame without labels every agent has the default one, and a filter can leave out only `self`.
#pragma once

#include "simd/kernels/search/search.hpp"

namespace throng::simd {

template <class V>
struct Filtered : Search<V> {
    using Base = Search<V>;
    using typename Base::Any;
    using typename Base::Arrays;
    using typename Base::Collect;
    using typename Base::Count;
    using typename Base::Four;
    using typename Base::Inner;
    using typename Base::InOrder;
    using typename Base::Locator;
    using typename Base::Packet;
    using typename Base::Probe;
    using typename Base::Reach;
    using typename Base::Wide;
    using Ints = xsimd::batch<std::int32_t, typename Wide::arch_type>;

    struct LabelArrays : Arrays {
        const std::uint32_t *categories, *group;
        explicit LabelArrays(const Row& r)
            : Arrays(r), categories(this->id + r.stride), group(categories + r.stride) {}
    };

    // --- Which agents are admitted: lane by lane ---

    static Ints load(const std::uint32_t* from) {
        return Ints::load_unaligned(reinterpret_cast<const std::int32_t*>(from));
    }
    static std::uint32_t set(const Ints& lanes) { return V::bits(xsimd::to_float(lanes) != Wide(0.0f)); }

    struct NotSelf {
        Ints self;
        explicit NotSelf(const LabelFilter& f) : self(static_cast<std::int32_t>(f.self)) {}
        std::uint32_t overlap(const Arrays& a, std::size_t j) const { return set(load(a.id + j) ^ self); }
    };
    struct Admitted {
        Ints categories, other_than;
        // An agent is wanted if its masked categories differ from this. If all categories are wanted, the
        // mask is zero and this is 1, so agents without any pass too.
        Ints kept;
        Wide unwanted;
        NotSelf not_self;
        bool any_agent, any_group;

        explicit Admitted(const LabelFilter& f)
            : categories(static_cast<std::int32_t>(f.categories)),
              other_than(static_cast<std::int32_t>(f.other_than)),
              kept(f.categories == all_of_them ? 0 : static_cast<std::int32_t>(f.categories)),
              unwanted(f.categories == all_of_them ? 1.0f : 0.0f),
              not_self(f),
              any_agent(f.self == no_id),
              any_group(f.other_than == no_id) {}
        std::uint32_t overlap(const LabelArrays& a, std::size_t j) const {
            std::uint32_t found = V::bits(xsimd::to_float(load(a.categories + j) & kept) != unwanted);
            if (found == 0) return 0;
            if (!any_agent) found &= not_self.overlap(a, j);
            if (!any_group) found &= set(load(a.group + j) ^ other_than);
            return found;
        }
    };
    // Few agents are admitted, so the boxes of the others need not be read.
    template <class Test>
    struct Inside {
        const Probe& box;
        const Test& admitted;
        template <class A>
        std::uint32_t overlap(const A& a, std::size_t j) const {
            const std::uint32_t found = admitted.overlap(a, j);
            return found == 0 ? 0 : found & box.overlap(a, j);
        }
    };

    // --- Runs of a frame with labels ---

    struct Run {
        const Row* row;
        std::uint32_t first, last;  // columns, and then places
        bool covered;
    };

    template <class Taker>
    struct Runs {
        static constexpr std::uint32_t most = 32;
        const Admitted& admitted;
        const Probe& box;
        Taker& taker;
        std::uint32_t count = 0;
        Run run[most];

        Runs(const Admitted& a, const Probe& b, Taker& t) : admitted(a), box(b), taker(t) {}
        // Returns false once the taker has stopped.
        bool add(const Run& next) {
            __builtin_prefetch(next.row->cells + next.first);
            run[count++] = next;
            return count < most || flush();
        }
        bool flush() {
            const Row* row = nullptr;
            std::uint32_t done = 0;
            for (std::uint32_t i = 0; i < count; ++i) {
                Run& r = run[i];
                if (r.row != row) done = 0;
                row = r.row;
                const std::uint32_t begin = row->cells[r.first];
                r.last = row->cells[r.last + 1];
                r.first = begin < done ? done : begin;
                done = r.last;
                const LabelArrays a(*row);
                __builtin_prefetch(a.categories + r.first);
                __builtin_prefetch(a.categories + r.first + gap);
                __builtin_prefetch(a.id + r.first);
            }
            const std::uint32_t runs = count;
            count = 0;
            for (std::uint32_t i = 0; i < runs; ++i)
                if (!test(run[i])) return false;
            return true;
        }
        bool test(const Run& r) {
            const LabelArrays a(*r.row);
            if (r.covered) return taker.template test<true>(admitted, a, r.first, r.last);
            return taker.template test<true>(Inside<Admitted>{box, admitted}, a, r.first, r.last);
        }
    };

    // Which of the stretches [s, s + lanes) of a row have the categories, no further than `last`.
    static std::uint32_t matching(const std::uint32_t* stretches, std::uint32_t s, std::uint32_t last,
                                  const Admitted& admitted) {
        const std::uint32_t found = set(load(stretches + s) & admitted.categories);
        return last - s + 1 < Wide::size ? found & ((1u << (last - s + 1)) - 1) : found;
    }
    static std::uint32_t trailing_ones(std::uint64_t bits) { return Base::lowest(~bits); }

    template <class Taker>
    static bool search_row(const View& view, std::uint32_t r, const Reach& reach, const Inner& inner,
                           Runs<Taker>& runs) {
        const std::uint32_t* stretches = view.stretches + std::size_t{r} * view.stretches_in_row;
        const std::uint32_t end = reach.last_column >> stretch_shift;
        for (std::uint32_t s = reach.first_column >> stretch_shift; s <= end; s += Wide::size) {
            std::uint64_t found = matching(stretches, s, end, runs.admitted);
            for (std::uint32_t at = s; found != 0;) {
                const std::uint32_t skip = Base::lowest(found), many = trailing_ones(found >> skip);
                const std::uint32_t begin = (at + skip) << stretch_shift;
                const std::uint32_t behind = begin + (many << stretch_shift);
                const std::uint32_t first = begin < reach.first_column ? reach.first_column : begin;
                const std::uint32_t last = behind - 1 < reach.last_column ? behind - 1 : reach.last_column;
                const bool covered = inner.has_row(r) && inner.has_columns(first, last);
                if (!runs.add({&view.rows[r], first, last, covered})) return false;
                at += skip + many;
                found >>= skip + many;
            }
        }
        return true;
    }

    // --- Small queries: they see at most two stretches of at most two rows ---

    static bool is_small(const Reach& reach) {
        return reach.last_row - reach.first_row <= 1 &&
               (reach.last_column >> stretch_shift) - (reach.first_column >> stretch_shift) <= 1;
    }
    static std::uint32_t stretches_of(const View& view, std::uint32_t row, const Reach& reach) {
        const std::uint32_t* stretches = view.stretches + std::size_t{row} * view.stretches_in_row;
        return stretches[reach.first_column >> stretch_shift] | stretches[reach.last_column >> stretch_shift];
    }
    // Usually there is no such agent, and four bytes of a very small table show it.
    static bool may_find(const View& view, const Reach& reach, std::uint32_t categories) {
        if (!is_small(reach)) return true;
        const std::uint32_t first = reach.first_column >> stretch_shift,
                            last = reach.last_column >> stretch_shift;
        const std::uint8_t* above = view.hints + std::size_t{reach.first_row} * view.stretches_in_row;
        const std::uint8_t* below = view.hints + std::size_t{reach.last_row} * view.stretches_in_row;
        return ((above[first] | above[last] | below[first] | below[last]) & hint_of(categories)) != 0;
    }
    template <class Taker>
    static bool search_small(const View& view, const Reach& reach, const Probe& box, const Admitted& admitted,
                             std::uint32_t categories, Taker& taker) {
        const std::uint32_t first = reach.first_column >> stretch_shift,
                            last = reach.last_column >> stretch_shift;
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const std::uint32_t* stretches = view.stretches + std::size_t{r} * view.stretches_in_row;
            const bool left = (stretches[first] & categories) != 0,
                       right = (stretches[last] & categories) != 0;
            if (!left && !right) continue;
            const Row& row = view.rows[r];
            const std::uint32_t from = left ? reach.first_column : last << stretch_shift,
                                to = right ? reach.last_column : ((first + 1) << stretch_shift) - 1;
            if (!taker.template test<true>(Inside<Admitted>{box, admitted}, LabelArrays(row), row.cells[from],
                                           row.cells[to + 1]))
                return false;
        }
        return true;
    }

    template <class Taker>
    [[gnu::noinline]] static bool search_rows(const View& view, const Reach& reach, const Query& q,
                                              const Probe& box, const Admitted& admitted, Taker& taker) {
        Runs<Taker> runs(admitted, box, taker);
        const Inner inner(view.locate, q);
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r)
            if (!search_row(view, r, reach, inner, runs)) return false;
        return runs.flush();
    }

    template <class Taker>
    static bool search_grid(const View& view, const Reach& reach, const Query& q, std::uint32_t categories,
                            const Probe& box, const Admitted& admitted, Taker& taker) {
        return is_small(reach) ? search_small(view, reach, box, admitted, categories, taker)
                               : search_rows(view, reach, q, box, admitted, taker);
    }
    // Whether an island's own islands may overlap a query.
    static bool may_be_inside(const Island& island, const Query& q) {
        const Bounds& b = island.bounds;
        return island.view.islands != nullptr && q.min_x <= -b.negated_max_x && q.min_y <= -b.negated_max_y &&
               b.min_x <= q.max_x && b.min_y <= q.max_y;
    }
    template <class Taker>
    [[gnu::noinline]] static bool search_islands(const Islands& islands, const Query& q,
                                                 std::uint32_t categories, const Probe& box,
                                                 const Admitted& admitted, Taker& taker) {
        return IslandSearch<V>::for_each(
            islands, q.min_x, q.min_y, q.max_x, q.max_y,
            [&](const Island& island) { return search_island(island, q, categories, box, admitted, taker); });
    }
    template <class Taker>
    static bool search_island(const Island& island, const Query& q, std::uint32_t categories,
                              const Probe& box, const Admitted& admitted, Taker& taker) {
        const Reach reach = Locator(island.view).reach(q);
        if (may_find(island.view, reach, categories) &&
            !search_grid(island.view, reach, q, categories, box, admitted, taker))
            return false;
        return !may_be_inside(island, q) ||
               search_islands(*island.view.islands, q, categories, box, admitted, taker);
    }

    // --- A whole search ---

    template <class A, class Test, class Taker>
    static void search_tree(const View& view, const Query& q, std::uint32_t categories, const Probe& box,
                            const Test& admitted, Taker& taker) {
        if (view.groves == nullptr) {
            (void)search_nodes<A>(view, q, categories, box, admitted, taker);
            return;
        }
        const Four outer = Locator::four(q.max_x, q.max_y, -q.min_x, -q.min_y);
        for (std::uint32_t i = 0; i < view.node_count;) {
            const Node& node = view.nodes[i];
            if ((node.categories & categories) == 0 ||
                V::bits(Four::load_unaligned(&node.min_x) <= outer) != 15) {
                i = node.next;
            } else if (node.next == ++i) {
                if (!search_nodes<A>(view.groves[node.begin], q, categories, box, admitted, taker)) return;
            }
        }
    }

    // A tree in one piece: that of a view, or a grove. False if the search has ended.
    template <class A, class Tree, class Test, class Taker>
    static bool search_nodes(const Tree& view, const Query& q, std::uint32_t categories, const Probe& box,
                             const Test& admitted, Taker& taker) {
        const Four outer = Locator::four(q.max_x, q.max_y, -q.min_x, -q.min_y),
                   inner = Locator::four(q.min_x, q.min_y, -q.max_x, -q.max_y);
        const A a(view.oversized);
        for (std::uint32_t i = 0; i < view.node_count;) {
            const Node& node = view.nodes[i];
            const Four bounds = Four::load_unaligned(&node.min_x);
            if ((node.categories & categories) == 0 || V::bits(bounds <= outer) != 15) {
                i = node.next;
            } else if (V::bits(inner <= bounds) == 15) {
                if (!taker.template test<true>(admitted, a, node.begin, node.end)) return false;
                i = node.next;
            } else {
                ++i;
                if (node.next != i) continue;
                if (!taker.template test<true>(Inside<Test>{box, admitted}, a, node.begin, node.end))
                    return false;
            }
        }
        return true;
    }

    template <class Taker>
    static void search_labelled(const View& view, const Reach& reach, const Query& q, const LabelFilter& f,
                                Taker& taker) {
        const bool grid = may_find(view, reach, f.categories);
        if (!grid && view.node_count == 0 && view.islands == nullptr) [[likely]]
            return;
        const Probe box(q);
        const Admitted admitted(f);
        if (const Island* only = IslandSearch<V>::only_island(view.islands, q)) {
            if (!search_island(*only, q, f.categories, box, admitted, taker)) return;
        } else {
            if (grid && !search_grid(view, reach, q, f.categories, box, admitted, taker)) return;
            if (view.islands != nullptr &&
                !search_islands(*view.islands, q, f.categories, box, admitted, taker))
                return;
        }
        if (view.node_count != 0) search_tree<LabelArrays>(view, q, f.categories, box, admitted, taker);
    }
    template <class TestRows>
    [[gnu::noinline]] static bool test_islands(const Islands& islands, const Query& q,
                                               const TestRows& test_rows) {
        return IslandSearch<V>::for_each(
            islands, q.min_x, q.min_y, q.max_x, q.max_y,
            [&](const Island& island) { return test_island(island, q, test_rows); });
    }
    template <class TestRows>
    static bool test_island(const Island& island, const Query& q, const TestRows& test_rows) {
        return test_rows(island.view, Locator(island.view).reach(q)) &&
               (!may_be_inside(island, q) || test_islands(*island.view.islands, q, test_rows));
    }
    // The nodes of such a frame all have the default category.
    template <class Taker>
    static void search_plain(const View& view, const Reach& reach, const Query& q, const LabelFilter& f,
                             Taker& taker) {
        if ((f.categories & default_category) == 0) return;
        const Probe box(q);
        const NotSelf admitted(f);
        const auto test_rows = [&](const View& region, const Reach& here) {
            for (std::uint32_t r = here.first_row; r <= here.last_row; ++r) {
                const Row& row = region.rows[r];
                if (row.count == 0) continue;
                if (!taker.template test<true>(Inside<NotSelf>{box, admitted}, Arrays(row),
                                               row.cells[here.first_column], row.cells[here.last_column + 1]))
                    return false;
            }
            return true;
        };
        if (const Island* only = IslandSearch<V>::only_island(view.islands, q)) {
            if (!test_island(*only, q, test_rows)) return;
        } else {
            if (!test_rows(view, reach)) return;
            if (view.islands != nullptr && !test_islands(*view.islands, q, test_rows)) return;
        }
        if (view.node_count != 0) search_tree<Arrays>(view, q, default_category, box, admitted, taker);
    }
    template <class Taker>
    static void search(const View& view, const Reach& reach, const Query& q, const LabelFilter& f,
                       Taker& taker) {
        if (view.stretches != nullptr)
            search_labelled(view, reach, q, f, taker);
        else
            search_plain(view, reach, q, f, taker);
    }

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
