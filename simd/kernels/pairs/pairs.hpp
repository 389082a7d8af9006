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

#include "simd/kernels/pairs/near_pairs.hpp"
#include "simd/kernels/pairs/overfull_pairs.hpp"

namespace throng::simd {

template <class V, Close close = Close::boxes>
struct Pairs : PairSteps<V, close> {
    using Base = PairSteps<V, close>;
    using Near = NearPairs<V, close>;
    using Overfull = OverfullPairs<V>;
    using Base::window;
    using typename Base::Arrays;
    using typename Base::Closer;
    using typename Base::Locator;
    using typename Base::World;
    using typename Base::Writer;

    // What the steps for overfull rows take. Boxes at heights never come to them (filtered_pairs.hpp).
    static decltype(auto) measured(const World& view) {
        if constexpr (Closer::is_measured)
            return (view);
        else
            return MeasuredView(view, {}, FoundBy::boxes);
    }

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
            out.meanwhile([&](PairSink& sink) {
                Overfull::overfull_cells(measured(view), row, c, behind, reach, scratch, sink);
            });
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
        for (std::uint32_t below = r + 1; below <= last_row && !Closer::is_at_heights; ++below)
            most = view.rows[below].count > most ? view.rows[below].count : most;
        const std::uint32_t at_once = most > Base::crowded_below ? Base::edges_at_once : edges;
        for (std::uint32_t e = 0; e < edges;) {
            const std::uint32_t end = edges - e < at_once ? edges : e + at_once;
            if (most > Base::crowded_below &&
                Overfull::many_below(view, a, r, last_row, edge[e], edge[end - 1])) [[unlikely]] {
                out.meanwhile([&](PairSink& sink) {
                    e += Overfull::overfull_edges(measured(view), row, r, edge + e, edges - e, scratch, sink);
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
                return NearPairs<V, Close::circles>::edges_into(view, row, below, edge, edges, sink);
        Near::edges_into(view, row, below, edge, edges, sink);
    }
    // Brute force, for few agents. Vectors end in the gap.
    THRONG_KERNEL static void few_pairs(const View& view, const WantedPairs& wanted, PairSink& sink) {
        if constexpr (!Closer::is_measured)
            if (!wanted.only_overlap()) [[unlikely]]
                return Pairs<V, Close::measured>::few_pairs(view, wanted, sink);
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
        constexpr bool as_circles = in_row == Close::circles;
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        const World& world = Closer::world(view, wanted, as_circles ? FoundBy::circles : FoundBy::boxes);
        if constexpr (in_row == Close::measured) {
            const std::uint32_t edges = Near::template in_row<>(world, row, r, scratch, sink);
            further_apart(world, row, r, edges, scratch, sink);
        } else {
            const InRowKernels& first = *scratch.in_row;
            const bool with_ghosts = scratch.ghosts != nullptr;
            const InRowKernel all = as_circles ? first.circles : first.boxes,
                              listed = as_circles ? first.circles_among_ghosts : first.boxes_among_ghosts;
            const std::uint32_t edges = (with_ghosts ? listed : all)(view, row, r, scratch, sink);
            PairSink& rest = with_ghosts ? *scratch.mixed : sink;
            if constexpr (as_circles)
                further_apart(world, row, r, edges, scratch, rest);
            else
                further(world, row, r, edges, scratch, rest);
        }
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
};

}  // namespace throng::simd
