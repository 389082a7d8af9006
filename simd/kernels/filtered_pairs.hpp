// Pairs with a filter: each agent that has one of the wanted categories asks those that follow it for the
// other ones, in its row and in the rows below, as in simd/kernels/pairs.hpp. A stretch of a row is passed
// over as a whole where it has nobody to ask, or nobody to be found within reach:
//
//     row r      . . . [ asking ] s s s . . . .        s: stretches that can hold a partner, by the largest
//     row r+1    . . s s s s s s s s s . . . .            extents in the frame
#pragma once

#include "simd/kernels/filtered.hpp"
#include "simd/kernels/pair_taker.hpp"

namespace throng::simd {

template <class V>
struct FilteredPairs : Filtered<V> {
    using Base = Filtered<V>;
    using Taker = PairTaker<V>;
    using typename Base::Admitted;
    using typename Base::Four;
    using typename Base::LabelArrays;
    using typename Base::Locator;
    using typename Base::Probe;
    using typename Base::Wide;
    using Writer = typename Pairs<V>::Writer;
    using Inside = typename Base::template Inside<Admitted>;

    // Whom an agent asks for.
    static LabelFilter partners(const PairLabelFilter& f, const LabelArrays& a, std::uint32_t i) {
        const std::uint32_t own = a.categories[i];
        return {((own & f.a) != 0 ? f.b : 0) | ((own & f.b) != 0 ? f.a : 0), nobody,
                f.other_groups_only ? a.group[i] : nobody};
    }
    static bool may_pair(const PairLabelFilter& f, std::uint32_t some, std::uint32_t others) {
        return ((some & f.a) != 0 && (others & f.b) != 0) || ((some & f.b) != 0 && (others & f.a) != 0);
    }

    // By how many rows an agent's upper edge may be ahead of its lower one, as Pairs::span is for columns.
    static std::uint32_t row_span(const View& view) {
        if (Base::largest - view.grid.origin_y > Base::largest) return view.grid.rows;
        const float rows = view.reach_y * view.grid.inverse_height * 1.001f + 0.05f;
        return 1 +
               static_cast<std::uint32_t>(static_cast<std::int32_t>(Base::clamped(rows, view.grid.last_row)));
    }
    struct Span {
        std::uint32_t stretches, rows;
        explicit Span(const View& view)
            : stretches((Pairs<V>::span(view) >> stretch_shift) + 1), rows(row_span(view)) {}
    };

    // What may be found from a stretch of row r.
    static std::uint32_t around(const View& view, std::uint32_t r, std::uint32_t s, const Span& span) {
        const std::uint32_t all = stretches_in(view.grid.columns), rows = view.grid.rows - 1 - r;
        const std::uint32_t first = s < span.stretches ? 0 : s - span.stretches,
                            last = all - 1 - s < span.stretches ? all - 1 : s + span.stretches;
        const std::uint32_t last_row = r + (rows < span.rows ? rows : span.rows);
        std::uint32_t found = 0;
        for (std::uint32_t below = r; below <= last_row; ++below)
            for (std::uint32_t k = below == r ? s : first; k <= last; ++k)
                found |= view.stretches[std::size_t{below} * view.stretches_in_row + k];
        return found;
    }

    static void partners_of(const View& view, std::uint32_t r, const LabelArrays& a, std::uint32_t i,
                            const LabelFilter& filter, Writer& out) {
        const Grid& g = view.grid;
        const Probe box(a, i);
        const Admitted admitted(filter);
        const Inside probe{box, admitted};
        Taker taker{out, a.id[i]};
        const std::uint32_t first = Base::column(g, a.min_x[i] - view.reach_x),
                            last = Base::column(g, a.max_x[i]), last_row = Base::row(g, a.max_y[i]);
        taker.template test<true>(probe, a, i + 1, view.rows[r].cells[last + 1]);
        for (std::uint32_t below = r + 1; below <= last_row; ++below) {
            const Row& other = view.rows[below];
            if (other.count == 0) continue;
            taker.template test<true>(probe, LabelArrays(other), other.cells[first], other.cells[last + 1]);
        }
    }

    THRONG_KERNEL static void row_pairs_filtered(const View& view, std::uint32_t r,
                                                 const PairLabelFilter& filter, PairSink& sink) {
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        const LabelArrays a(row);
        const Span span(view);
        const Admitted asks({filter.a | filter.b, nobody, nobody});
        const std::uint32_t* stretches = view.stretches + std::size_t{r} * view.stretches_in_row;
        Writer out(sink);
        std::uint32_t done = 0;
        for (std::uint32_t s = 0; s < stretches_in(view.grid.columns); ++s) {
            if ((stretches[s] & (filter.a | filter.b)) == 0 ||
                !may_pair(filter, stretches[s], around(view, r, s, span)))
                continue;
            const std::uint32_t behind = (s + 1) << stretch_shift, first = row.cells[s << stretch_shift];
            const std::uint32_t end = row.cells[behind < view.grid.columns ? behind : view.grid.columns];
            for (std::uint32_t j = first < done ? done : first; j < end; j += Wide::size) {
                std::uint32_t found = Base::template found_in<true>(asks, a, j, end);
                for (; found != 0; found &= found - 1) {
                    const std::uint32_t i = j + Base::lowest(found);
                    partners_of(view, r, a, i, partners(filter, a, i), out);
                }
            }
            done = end;
        }
    }

    // What a box finds on those islands that `with` lets through.
    template <class With>
    static void island_partners(const Islands& islands, const Question& q, const Probe& box,
                                const Admitted& admitted, const With& with, Taker& taker) {
        (void)IslandSearch<V>::for_each(
            islands, q.min_x, q.min_y, q.max_x, q.max_y, [&](const Island& island) {
                if (with(island))
                    Base::search_rows(island.view, Locator(island.locate).reach(q), q, box, admitted, taker);
                return true;
            });
    }
    // As Pairs::region_pairs.
    THRONG_KERNEL static void region_pairs_filtered(const View& view, std::uint32_t region, std::uint32_t r,
                                                    const PairLabelFilter& wanted, PairSink& sink) {
        const Islands& islands = *view.islands;
        const Island* own = region == 0 ? nullptr : &islands.all[region - 1];
        const Row& row = own == nullptr ? view.rows[r] : own->view.rows[r];
        if (row.count == 0 || (own != nullptr && own->reaches_out == 0)) return;
        const LabelArrays a(row);
        Writer out(sink);
        for (std::uint32_t i = 0; i < row.count; ++i) {
            const LabelFilter filter = partners(wanted, a, i);
            if (filter.categories == 0) continue;
            const Question q{a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]};
            Taker taker{out, a.id[i]};
            island_partners(
                islands, q, Probe(q), Admitted(filter),
                [&](const Island& other) { return Pairs<V>::is_partner(own, other); }, taker);
        }
    }

    // What an agent asks.
    struct Asker {
        LabelFilter filter;
        Question q;
        Probe box;
        Admitted admitted;
        Four outer;

        Asker(const LabelArrays& a, std::uint32_t i, const LabelFilter& f)
            : filter(f),
              q{a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]},
              box(q),
              admitted(f),
              outer(Locator::four(q.max_x, q.max_y, -q.min_x, -q.min_y)) {}
        bool misses(const Node& node) const {
            return (node.categories & filter.categories) == 0 ||
                   V::bits(Four::load_unaligned(&node.min_x) <= outer) != 15;
        }
    };

    // An oversized agent asks the whole grid, and those of its kind that follow it: the agents from `from` on of a
    // tree, which is its own or another one.
    template <class Tree>
    static void tree_partners(const Tree& tree, const Asker& asker, std::uint32_t from, Taker& taker) {
        const LabelArrays a(tree.oversized);
        for (std::uint32_t n = 0; n < tree.node_count;) {
            const Node& node = tree.nodes[n];
            if (node.end <= from || asker.misses(node)) {
                n = node.next;
                continue;
            }
            if (node.next == ++n)
                taker.template test<true>(Inside{asker.box, asker.admitted}, a,
                                          node.begin > from ? node.begin : from, node.end);
        }
    }
    static void grove_partners(const View& view, const Asker& asker, std::uint32_t own, std::uint32_t i,
                               Taker& taker) {
        for (std::uint32_t n = 0; n < view.node_count;) {
            const Node& node = view.nodes[n];
            if (node.end <= own || asker.misses(node)) {
                n = node.next;
                continue;
            }
            if (node.next == ++n)
                tree_partners(view.groves[node.begin], asker, node.begin == own ? i + 1 : 0, taker);
        }
    }
    // `later(asker, i, taker)` adds the partners among the oversized agents that follow.
    template <class Later>
    static void oversized_partners(const View& view, const LabelArrays& a, std::uint32_t first,
                                   std::uint32_t last, const PairLabelFilter& wanted, Writer& out,
                                   const Later& later) {
        const Locator locator(view);
        for (std::uint32_t i = first; i < last; ++i) {
            const LabelFilter filter = partners(wanted, a, i);
            if (filter.categories == 0) continue;
            const Asker asker(a, i, filter);
            Taker taker{out, a.id[i]};
            Base::search_rows(view, locator.reach(asker.q), asker.q, asker.box, asker.admitted, taker);
            if (view.islands != nullptr)
                island_partners(
                    *view.islands, asker.q, asker.box, asker.admitted, [](const Island&) { return true; },
                    taker);
            later(asker, i, taker);
        }
    }
    THRONG_KERNEL static void oversized_pairs_filtered(const View& view, std::uint32_t first,
                                                       std::uint32_t last, const PairLabelFilter& wanted,
                                                       PairSink& sink) {
        Writer out(sink);
        if (view.groves == nullptr) {
            oversized_partners(view, LabelArrays(view.oversized), first, last, wanted, out,
                               [&](const Asker& asker, std::uint32_t i, Taker& taker) {
                                   tree_partners(view, asker, i + 1, taker);
                               });
            return;
        }
        Pairs<V>::for_each_grove(
            view, first, last, [&](std::uint32_t g, std::uint32_t begin, std::uint32_t end) {
                oversized_partners(view, LabelArrays(view.groves[g].oversized), begin, end, wanted, out,
                                   [&](const Asker& asker, std::uint32_t i, Taker& taker) {
                                       grove_partners(view, asker, g, i, taker);
                                   });
            });
    }
};

}  // namespace throng::simd
