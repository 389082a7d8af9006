// All overlapping pairs, each once. A row is tall and its cells are narrow, so that most partners of an agent
// are among the few that follow it in its row:
//
//     row r      . . i j j j j j j j j . . . .     1. i against the eight that follow, without a branch
//                                                  2. the rest of the cells within reach, if they hold more
//     row r+1    . . . j j j j . . . . . . . .     3. agents that reach over the row's edge, against the
//                                                     cells below them
//
// If very many agents are within reach, steps 2 and 3 are those of simd/kernels/pairs/overfull_pairs.hpp.
#pragma once

#include "simd/kernels/pairs/island_pairs.hpp"
#include "simd/kernels/pairs/near_pairs.hpp"
#include "simd/kernels/pairs/overfull_pairs.hpp"
#include "simd/kernels/pairs/pair_writer.hpp"
#include "simd/kernels/search/gathered.hpp"
#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V, Close close = Close::boxes>
struct Pairs : OverfullPairs<V, close> {
    using Base = OverfullPairs<V, close>;
    using Near = NearPairs<V, close>;
    using Base::window;
    using typename Base::Arrays;
    using typename Base::Closer;
    using typename Base::Locator;
    using typename Base::Wide;
    using typename Base::World;
    using typename Base::Writer;
    // The form in which an oversized agent, or one of an island, searches.
    using Taker = std::conditional_t<Closer::is_measured, MeasuredTaker<V>, PairTaker<V>>;
    using Partners = Search<V, BoxShape<V>, typename Admission<V>::AnyAdmission, Taker>;

    // Step 2 from column c on, up to the first with too many within reach. Returns that one.
    static std::uint32_t crowded_cells(const World& view, const Row& row, std::uint32_t c,
                                       std::uint32_t reach, Writer& out) {
        const std::uint32_t columns = view.grid.columns;
        while (c < columns) {
            std::uint32_t full = Near::full_cells(row, c, columns, reach);
            for (; full != 0; full &= full - 1) {
                const std::uint32_t cell = c + V::first_bit(full);
                const std::uint32_t last = cell + 1 + reach < columns ? cell + 1 + reach : columns;
                if (row.cells[last] - row.cells[cell] > Base::crowded) [[unlikely]]
                    return cell;
                if (!full_cell(view, row, cell, out)) return columns;
            }
            c += window;
        }
        return columns;
    }
    // The agents of a cell with those that step 1 left. Returns false if the sink has stopped.
    static bool full_cell(const World& view, const Row& row, std::uint32_t c, Writer& out) {
        const Arrays a(row);
        for (std::uint32_t i = row.cells[c]; i < row.cells[c + 1]; ++i) {
            const std::uint32_t end = row.cells[Base::last_column(view, a, i) + 1];
            if (out.sink.stopped) return false;
            Base::against(view, a, i, a, i + window + 1, end, out);
        }
        return true;
    }
    static void all_cells(const World& view, const Row& row, PairScratch& scratch, Writer& out) {
        const std::uint32_t columns = view.grid.columns, reach = Base::span(view);
        for (std::uint32_t c = 0;;) {
            c = crowded_cells(view, row, c, reach, out);
            if (c == columns) [[likely]]
                return;
            const std::uint32_t behind = c + 1 + reach < columns ? c + 1 + reach : columns;
            out.meanwhile(
                [&](PairSink& sink) { Base::overfull_cells(view, row, c, behind, reach, scratch, sink); });
            c = behind;
        }
    }

    // Step 3.
    static void edges_below(const World& view, const Row& row, std::uint32_t r, std::uint32_t edges,
                            PairScratch& scratch, Writer& out) {
        if (out.sink.stopped) return;
        const Arrays a(row);
        const Locator locator = Base::locator_of(view);
        const std::uint32_t* edge = scratch.edge;
        std::uint64_t compared = 0;
        const std::uint32_t last_row = Base::last_below(view, r);
        // Nearly all rows hold too few for that.
        std::uint32_t most = 0;
        for (std::uint32_t below = r + 1; below <= last_row; ++below)
            most = view.rows[below].count > most ? view.rows[below].count : most;
        const std::uint32_t at_once = most > Base::crowded_below ? Base::edges_at_once : edges;
        for (std::uint32_t e = 0; e < edges;) {
            const std::uint32_t end = edges - e < at_once ? edges : e + at_once;
            if (most > Base::crowded_below && Base::many_below(view, a, r, last_row, edge[e], edge[end - 1]))
                [[unlikely]] {
                out.meanwhile([&](PairSink& sink) {
                    e += Base::overfull_edges(view, row, r, edge + e, edges - e, scratch, sink);
                });
                if (out.sink.stopped) return;
                continue;
            }
            if (last_row == r + 1) [[likely]] {
                out.meanwhile([&](PairSink& sink) {
                    into_only_row(view, row, view.rows[last_row], edge + e, end - e, sink);
                });
                if (out.sink.stopped) return;
                e = end;
            }
            for (; e < end; ++e)
                if (!Base::edge_below(view, locator, a, r, edge[e], out, compared)) return;
        }
    }
    static void into_only_row(const World& view, const Row& row, const Row& below, const std::uint32_t* edge,
                              std::uint32_t edges, PairSink& sink) {
        if constexpr (Closer::is_measured)
            if (view.counts_close)
                return NearPairs<V, Close::circles>::template edges_into<Besides::nothing>(view, row, below,
                                                                                           edge, edges, sink);
        Near::template edges_into<Besides::nothing>(view, row, below, edge, edges, sink);
    }
    // Brute force, for few agents. Vectors end in the gap.
    THRONG_KERNEL static void few_pairs(const View& view, const WantedPairs& wanted, PairSink& sink) {
        const World& world = Closer::world(view, wanted);
        const Row& row = view.rows[0];
        const Arrays a(row);
        Writer out(sink);
        for (std::uint32_t i = 0; i + 1 < row.count; ++i)
            Base::against(world, a, i, a, i + 1, row.count, out);
    }

    // Step 1 finds nearly all pairs, and leaves out pairs of two ghosts itself, unless it measures. It may
    // compare circles, where the other steps measure.
    template <Close in_row = close>
    THRONG_KERNEL static void row_pairs(const View& view, std::uint32_t r, const WantedPairs& wanted,
                                        PairScratch& scratch, PairSink& sink) {
        using First = NearPairs<V, in_row>;
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        const World& world = Closer::world(view, wanted, in_row == Close::circles);
        const bool with_ghosts = in_row != Close::measured && scratch.ghosts != nullptr;
        std::uint32_t edges;
        if constexpr (in_row == Close::measured)
            edges = First::template in_row<Besides::nothing>(world, row, r, scratch, sink);
        else
            edges = with_ghosts ? First::template in_row<Besides::ghosts>(world, row, r, scratch, sink)
                                : First::template in_row<Besides::nothing>(world, row, r, scratch, sink);
        PairSink& rest = with_ghosts ? *scratch.mixed : sink;
        if constexpr (Closer::is_measured)
            further_apart(world, row, r, edges, scratch, rest);
        else
            further(world, row, r, edges, scratch, rest);
    }
    // Steps 2 and 3.
    static void further(const World& world, const Row& row, std::uint32_t r, std::uint32_t edges,
                        PairScratch& scratch, PairSink& sink) {
        Writer out(sink);
        all_cells(world, row, scratch, out);
        edges_below(world, row, r, edges, scratch, out);
    }
    // On their own, for two kinds of the first step.
    THRONG_NOINLINE THRONG_KERNEL static void further_apart(const World& world, const Row& row,
                                                            std::uint32_t r, std::uint32_t edges,
                                                            PairScratch& scratch, PairSink& sink) {
        further(world, row, r, edges, scratch, sink);
    }

    // --- Islands and oversized agents: their agents search ---

    // Calls body(search) with an agent's search for partners.
    template <class Body>
    static void search(const World& world, const Arrays& a, std::uint32_t i, Writer& out, const Body& body) {
        const Query q = Closer::reach_of(world, a, i);
        Taker taker = Taker::of(world, a, i, out);
        body(Partners(q, {}, taker));
    }
    // An agent looks for partners on islands of its own region, and beside its own island.
    THRONG_KERNEL static void region_pairs(const View& view, std::uint32_t region, std::uint32_t r,
                                           const WantedPairs& wanted, PairSink& sink) {
        const World& world = Closer::world(view, wanted);
        const Island* own = region == 0 ? nullptr : &view.islands->all[region - 1];
        const View& home = own == nullptr ? view : own->view;
        const Row& row = home.rows[r];
        if (row.count == 0) return;
        const Arrays a(row);
        Writer out(sink);
        IslandPairs<V>::for_each(
            home, own, row,
            [&](std::uint32_t i, const Island& island) {
                search(world, a, i, out, [&](const Partners& all) { (void)all.search_inside(island.view); });
                return !sink.stopped;
            },
            Closer::growth(world));
    }

    // Calls `f(tree, grove, begin, end)` for the groves of the oversized agents [first, last), with their
    // slots, or for the tree in one piece.
    template <class F>
    static void for_each_tree(const View& view, std::uint32_t first, std::uint32_t last, F&& f) {
        if (view.groves == nullptr) return f(view, 0, first, last);
        std::uint32_t low = 0, high = view.nodes[0].end;  // the last one that begins at or before the first
        while (high - low > 1) {
            const std::uint32_t middle = (low + high) / 2;
            (view.groves[middle].first <= first ? low : high) = middle;
        }
        for (std::uint32_t g = low; first < last; ++g) {
            const Grove& grove = view.groves[g];
            const std::uint32_t end = grove.first + grove.oversized.count, to = end < last ? end : last;
            f(grove, g, first - grove.first, to - grove.first);
            first = to;
        }
    }
    THRONG_KERNEL static void oversized_pairs(const View& view, std::uint32_t first, std::uint32_t last,
                                              const WantedPairs& wanted, PairSink& sink) {
        const World& world = Closer::world(view, wanted);
        Writer out(sink);
        AroundLeaf<V> around(view);
        for_each_tree(view, first, last,
                      [&](const auto& tree, std::uint32_t grove, std::uint32_t begin, std::uint32_t end) {
                          tree_pairs(world, tree, grove, begin, end, around, out);
                      });
    }
    // Up to `group_size` agents of some leaves share lists, if at most `group_list` agents behind them in the
    // tree are near.
    static constexpr std::uint32_t group_size = 32, group_list = 64;

    // The agents [first, last) of a tree in one piece, or of a grove. Those of a leaf, or of a few, share a
    // list of common agents, and one of the agents behind them in the tree. If that is too long, or would not
    // pay, each searches by itself.
    template <class Tree>
    static void tree_pairs(const World& view, const Tree& tree, std::uint32_t grove, std::uint32_t first,
                           std::uint32_t last, AroundLeaf<V>& around, Writer& out) {
        const Arrays a(tree.oversized);
        for (std::uint32_t n = 0; first < last && !out.sink.stopped;) {
            const Node& node = tree.nodes[n];
            const bool is_before = node.end <= first, is_leaf = node.next == n + 1;
            if (is_before || (!is_leaf && node.end - node.begin > group_size)) {
                n = is_before ? node.next : n + 1;
                continue;
            }
            const std::uint32_t begin = first, end = node.end < last ? node.end : last;
            const Query box =
                Closer::grown(view, {node.min_x, node.min_y, -node.negated_max_x, -node.negated_max_y});
            const bool later = around.gather_later(box, {grove, begin},
                                                   is_leaf ? AroundLeaf<V>::List::capacity : group_list);
            if (!later && !is_leaf) {
                ++n;
                continue;
            }
            const bool common = around.gather_common(box, a, begin, end, Closer::further(view));
            if (common && later) {
                out.meanwhile([&](PairSink& sink) {
                    Base::leaf_against(view, a, begin, end, around.common(), around.later(), sink);
                });
                first = end;
            }
            for (; first < end && !out.sink.stopped; ++first) {
                if (common)
                    Base::against_few(view, a, first, around.common(), 0, out);
                else
                    search(view, a, first, out, [&](const Partners& all) {
                        (void)all.search_region(IslandSearch<V>::home_of(view, all.shape.bounds()));
                    });
                if (later)
                    Base::against_few(view, a, first, around.later(), first - begin + 1, out);
                else
                    search(view, a, first, out, [&](const Partners& all) {
                        (void)all.search_tree(view, FromAgent{grove, first + 1});
                    });
            }
            n = node.next;
        }
    }

    // --- Pairs of two worlds ---

    // The agents [begin, end) of a row of another world, or of its list of oversized agents, are queries to
    // this one. They run row by row and cell by cell, so neighbours read the same few cells; a covered run
    // needs no test (grid_rows.hpp).
    THRONG_KERNEL static void cross_pairs(const View& view, const Row& probing, std::uint32_t begin,
                                          std::uint32_t end, bool probe_first, PairSink& sink) {
        const Locator locator(view);
        const Arrays a(probing);
        Writer out(sink);
        for (std::uint32_t i = begin; i < end && !sink.stopped; ++i) {
            const Query q{a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]};
            PairTaker<V> taker{out, a.id[i], probe_first};
            Search<V, BoxShape<V>, typename Admission<V>::Everyone, PairTaker<V>>::search(
                view, locator.reach(q), q, {}, taker);
        }
    }
};

}  // namespace throng::simd
