// Queries with a filter, in frames with labels. A frame knows which categories occur in each stretch of
// four columns of each row, in one table that stays in the cache (View::stretches):
//
//     row 7    | 1 | 1 | 3 | 1 | 1 | 5 | 5 | 1 | ...       asked for category 4: one run, of two stretches
//     row 8    | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | ...       nothing is looked at
//
// Adjacent stretches become one run, and runs are collected in a short list, so the starts of their cells,
// and then their labels, are fetched from memory in parallel. For agents covered by the query only labels are
// compared.
//
// In a frame without labels every agent has the default one, and a filter can leave out only `self`.
#pragma once

#include "simd/kernels/search/admission.hpp"

namespace throng::simd {

template <class V>
struct Filtered : Admission<V> {
    using Base = Admission<V>;
    using typename Base::Admitted;
    using typename Base::Any;
    using typename Base::Arrays;
    using typename Base::Collect;
    using typename Base::Count;
    using typename Base::Four;
    using typename Base::Inner;
    template <class Test>
    using Inside = typename Base::template Inside<Test>;
    using Base::load;
    using Base::set;
    using typename Base::InOrder;
    using typename Base::LabelArrays;
    using typename Base::Locator;
    using typename Base::NotSelf;
    using typename Base::Packet;
    using typename Base::Probe;
    using typename Base::Reach;
    using typename Base::Wide;
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
};

}  // namespace throng::simd
