// All overlapping pairs, each once. A row is tall and its cells are narrow, so that most partners of an agent
// are among the few that follow it in its row:
//
//     row r      . . i j j j j j j j j . . . .     1. i against the eight that follow, without a branch
//                                                  2. the rest of the cells within reach, if they hold more
//     row r+1    . . . j j j j . . . . . . . .     3. agents that reach over the row's edge, against the
//                                                     cells below them
//
// Step 1 takes eight agents i at a time. For each distance k it compares eight pairs (i, i + k) with loads
// that only move on by one float, and so fills a word of 64 bits with all it found. Most words have a few
// bits set; the first few are written out without asking how many there are.
#pragma once

#include "simd/kernels/islands.hpp"
#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct Pairs : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;
    using typename Base::Window;
    template <class B>
    using Probe = typename Base::template Probe<B>;

    static constexpr std::uint32_t window = 8;

    // Writes pairs to a sink, whose end it keeps in a register.
    struct Writer {
        PairSink& sink;
        Pair* at;

        explicit Writer(PairSink& s) : sink(s), at(s.at) {}
        ~Writer() { sink.at = at; }
        void make_room() {
            if (at <= sink.limit) [[likely]]
                return;
            sink.at = at;
            sink.full(sink);
            at = sink.at;
        }
        // One pair for every bit; `unasked` of them are written in any case, and count only if their bit is
        // set. So `pair_of` has to do with any bit.
        template <int unasked, class PairOf>
        void put(std::uint64_t found, const PairOf& pair_of) {
            Pair* to = at;
            at += V::count_bits(found);
            for (int k = 0; k < unasked; ++k) {
                *to++ = pair_of(Base::lowest(found));
                found &= found - 1;
            }
            while (found != 0) [[unlikely]] {
                    *to++ = pair_of(Base::lowest(found));
                    found &= found - 1;
                }
        }
    };

    // Pairs (i + lane, i + lane + k) for eight lanes and k from 1 to 8, as bit 8 * (k - 1) + lane.
    static std::uint64_t neighbours(const Arrays& r, std::uint32_t i) {
        std::uint64_t found = 0;
        for (std::uint32_t half = 0; half < window; half += Window::size) {
            const std::uint32_t at = i + half;
            const Window min_x = Window::load_unaligned(r.min_x + at),
                         min_y = Window::load_unaligned(r.min_y + at);
            const Window max_x = Window::load_unaligned(r.max_x + at),
                         max_y = Window::load_unaligned(r.max_y + at);
            for (std::uint32_t k = 1; k <= window; ++k) {
                const auto x = (Window::load_unaligned(r.min_x + at + k) <= max_x) &
                               (min_x <= Window::load_unaligned(r.max_x + at + k));
                const auto y = (Window::load_unaligned(r.min_y + at + k) <= max_y) &
                               (min_y <= Window::load_unaligned(r.max_y + at + k));
                found |= std::uint64_t{V::bits(x & y)} << (window * (k - 1) + half);
            }
        }
        return found;
    }

    // Which of eight agents reach into a later row.
    static std::uint32_t reaching(const Grid& g, const Arrays& r, std::uint32_t i, float next_row) {
        std::uint32_t found = 0;
        for (std::uint32_t half = 0; half < window; half += Window::size) {
            const Window y = Window::load_unaligned(r.max_y + i + half);
            const Window t = (y - Window(g.origin_y)) * Window(g.inverse_height * scaled_up);
            found |= V::bits(Window(next_row) <= t) << half;
        }
        return found;
    }

    // Step 1. Returns how many agents reach into later rows, and notes them.
    static std::uint32_t sweep(const View& view, const Row& row, std::uint32_t r, std::uint32_t* edge,
                               Writer& out) {
        const Arrays a(row);
        const bool last = r + 1 == view.grid.rows;
        const float next_row = static_cast<float>(r + 1);
        std::uint32_t edges = 0;
        for (std::uint32_t i = 0; i < row.count; i += window) {
            out.make_room();
            out.template put<4>(neighbours(a, i), [&](std::uint32_t bit) {
                const std::uint32_t first = i + bit % window;
                return Pair{a.id[first], a.id[first + 1 + bit / window]};
            });
            if (last) continue;
            std::uint32_t found = reaching(view.grid, a, i, next_row);
            std::uint32_t* to = edge + edges;
            edges += V::count_bits(found);
            for (int k = 0; k < 2 || found != 0; ++k) {
                *to++ = i + Base::lowest(found);
                found &= found - 1;
            }
        }
        return edges;
    }

    // Agent i of `one` against the agents [begin, end) of `other`, and a few more, which it cannot overlap.
    template <std::uint32_t lanes, class B>
    static void against(const Arrays& one, std::uint32_t i, const Arrays& other, std::uint32_t begin,
                        std::uint32_t end, Writer& out) {
        const Probe<B> probe(one, i);
        for (std::uint32_t j = begin; j < end; j += lanes) {
            out.make_room();
            out.template put<1>(probe.template overlap_of<lanes>(other, j), [&](std::uint32_t bit) {
                return Pair{one.id[i], other.id[j + bit % lanes]};
            });
        }
    }

    // Step 2. By how many columns an agent's right edge may be ahead of its left one. The allowance covers
    // what rounding can do to two column numbers of up to 65,520. In a world as wide as the floats, the
    // distance to the origin may overflow, and then a small step crosses any number of columns.
    static std::uint32_t span(const View& view) {
        if (Base::largest - view.grid.origin_x > Base::largest) return view.grid.columns;
        const float columns = view.reach_x * view.grid.inverse_width * 1.001f + 0.05f;
        return 1 + static_cast<std::uint32_t>(
                       static_cast<std::int32_t>(Base::clamped(columns, view.grid.last_column)));
    }
    static void crowded_cells(const View& view, const Row& row, Writer& out) {
        const Arrays a(row);
        const std::uint32_t columns = view.grid.columns, reach = span(view);
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t last = c + 1 + reach < columns ? c + 1 + reach : columns;
            if (row.cells[last] <= row.cells[c] + window + 1) [[likely]]
                continue;
            for (std::uint32_t i = row.cells[c]; i < row.cells[c + 1]; ++i) {
                const std::uint32_t end = row.cells[Base::highest_column(view.grid, a.max_x[i]) + 1];
                if (out.sink.stopped) return;
                against<Wide::size, Wide>(a, i, a, i + window + 1, end, out);
            }
        }
    }

    // Step 3. Sixteen agents are nearly always all there are within reach below, so one test does without a
    // branch.
    static void edges_below(const View& view, const Row& row, std::uint32_t r, const std::uint32_t* edge,
                            std::uint32_t edges, Writer& out) {
        const Grid& g = view.grid;
        const Arrays a(row);
        for (std::uint32_t e = 0; e < edges; ++e) {
            const std::uint32_t i = edge[e];
            const std::uint32_t last_row = Base::highest_row(g, a.max_y[i]);
            const std::uint32_t first = Base::lowest_column(g, a.min_x[i] - view.reach_x);
            const std::uint32_t last = Base::highest_column(g, a.max_x[i]);
            if (out.sink.stopped) return;
            for (std::uint32_t below = r + 1; below <= last_row; ++below) {
                const Row& other = view.rows[below];
                if (other.count == 0) continue;
                against<16, Window>(a, i, Arrays(other), other.cells[first], other.cells[last + 1], out);
            }
        }
    }

    // All with all, for so few that looking for a better way takes longer. Vectors end in the gap.
    THRONG_KERNEL static void few_pairs(const Row& row, PairSink& sink) {
        const Arrays a(row);
        Writer out(sink);
        for (std::uint32_t i = 0; i + 1 < row.count; ++i) {
            const Probe<Wide> probe(a, i);
            out.make_room();
            for (std::uint32_t j = i + 1; j < row.count; j += gap)
                out.template put<1>(probe.template overlap_of<gap>(a, j), [&](std::uint32_t bit) {
                    return Pair{a.id[i], a.id[j + bit % gap]};
                });
        }
    }

    THRONG_KERNEL static void row_pairs(const View& view, std::uint32_t r, std::uint32_t* scratch,
                                        PairSink& sink) {
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        Writer out(sink);
        const std::uint32_t edges = sweep(view, row, r, scratch, out);
        crowded_cells(view, row, out);
        edges_below(view, row, r, scratch, edges, out);
    }

    // --- Oversized agents ---
    //
    // Each is a question to the grid and to those of its kind that follow it; what it covers needs no test,
    // as in simd/kernels/search.hpp.

    // Agent i of `one` with all the agents [begin, end) of `other`.
    static void all_of(const Arrays& one, std::uint32_t i, const Arrays& other, std::uint32_t begin,
                       std::uint32_t end, Writer& out) {
        constexpr std::uint32_t some = pair_slack;
        while (begin < end) {
            out.make_room();
            const std::uint32_t last = end - begin < some ? end : begin + some;
            for (; begin < last; ++begin) *out.at++ = Pair{one.id[i], other.id[begin]};
        }
    }
    // As `against`, where what follows `end` must not be found.
    static void against_cut(const Arrays& one, std::uint32_t i, const Arrays& other, std::uint32_t begin,
                            std::uint32_t end, Writer& out) {
        const Probe<Wide> probe(one, i);
        for (std::uint32_t j = begin; j < end; j += Wide::size) {
            std::uint32_t found = probe.overlap(other, j);
            if (end - j < Wide::size) found &= (1u << (end - j)) - 1;
            out.make_room();
            out.template put<1>(found, [&](std::uint32_t bit) {
                return Pair{one.id[i], other.id[j + bit % 16]};
            });
        }
    }
    static void grid_pairs(const View& view, const Arrays& a, std::uint32_t i, Writer& out) {
        const Grid& g = view.grid;
        const std::uint32_t first_row = Base::lowest_row(g, a.min_y[i] - view.reach_y),
                            edge_row = Base::highest_row(g, a.min_y[i]),
                            inner_row = Base::lowest_row(g, a.max_y[i]),
                            last_row = Base::highest_row(g, a.max_y[i]);
        const std::uint32_t left = Base::lowest_column(g, a.min_x[i] - view.reach_x),
                            edge = Base::highest_column(g, a.min_x[i]),
                            inner = Base::lowest_column(g, a.max_x[i]),
                            right = Base::highest_column(g, a.max_x[i]);
        for (std::uint32_t r = first_row; r <= last_row; ++r) {
            const Row& row = view.rows[r];
            if (row.count == 0) continue;
            const Arrays other(row);
            if (r <= edge_row || r >= inner_row || edge + 1 >= inner) {
                against<Wide::size, Wide>(a, i, other, row.cells[left], row.cells[right + 1], out);
                continue;
            }
            against_cut(a, i, other, row.cells[left], row.cells[edge + 1], out);
            all_of(a, i, other, row.cells[edge + 1], row.cells[inner], out);
            against<Wide::size, Wide>(a, i, other, row.cells[inner], row.cells[right + 1], out);
        }
    }
    // Agent i with the agents of those islands that `with` lets through, and of their own islands.
    template <class With>
    static void island_pairs(const Islands& islands, const Arrays& a, std::uint32_t i, const With& with,
                             Writer& out) {
        (void)IslandSearch<V>::for_each(islands, a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i],
                                        [&](const Island& island) {
                                            if (!with(island)) return true;
                                            grid_pairs(island.view, a, i, out);
                                            if (island.view.islands != nullptr) [[unlikely]]
                                                inner_pairs(island, a, i, out);
                                            return true;
                                        });
    }
    static bool is_any(const Island&) { return true; }
    [[gnu::noinline]] static void inner_pairs(const Island& island, const Arrays& a, std::uint32_t i,
                                              Writer& out) {
        const Bounds& b = island.bounds;
        if (a.min_x[i] <= -b.negated_max_x && a.min_y[i] <= -b.negated_max_y && b.min_x <= a.max_x[i] &&
            b.min_y <= a.max_y[i])
            island_pairs(*island.view.islands, a, i, is_any, out);
    }
    // Whose agents an agent of an island looks for elsewhere.
    static bool is_partner(const Island& own, const Island& other) {
        return other.tile_column != own.tile_column ? other.tile_column > own.tile_column
                                                    : other.tile_row > own.tile_row;
    }
    // Whether a box ends in the tile of an island.
    static bool stays_in(const Island& island, float max_x, float max_y) {
        return IslandSearch<V>::ends_in(island.home->tiles, max_x, max_y, island.tile_column, island.tile_row);
    }
    // An agent looks for partners on all islands of its own region. Of two islands of the same region, the left
    // one looks for the pairs that they share, and of two above each other the lower one: only its agents can
    // reach into the other's tile. So does, for an agent of an inner island, each island around it.
    THRONG_KERNEL static void region_pairs(const View& view, std::uint32_t region, std::uint32_t r,
                                           PairSink& sink) {
        const Island* own = region == 0 ? nullptr : &view.islands->all[region - 1];
        const View& home = own == nullptr ? view : own->view;
        const Row& row = home.rows[r];
        if (row.count == 0) return;
        const Arrays a(row);
        Writer out(sink);
        if (home.islands != nullptr)
            for (std::uint32_t i = 0; i < row.count && !sink.stopped; ++i)
                island_pairs(*home.islands, a, i, is_any, out);
        for (; own != nullptr; own = own->parent) {
            if (own->reaches_out == 0) continue;
            for (std::uint32_t i = 0; i < row.count && !sink.stopped; ++i)
                if (!stays_in(*own, a.max_x[i], a.max_y[i]))
                    island_pairs(
                        *own->home, a, i, [&](const Island& other) { return is_partner(*own, other); }, out);
        }
    }

    static void tree_pairs(const View& view, const Arrays& a, std::uint32_t i, Writer& out) {
        const float lanes[4] = {a.max_x[i], a.max_y[i], -a.min_x[i], -a.min_y[i]};
        const auto outer = Base::Four::load_unaligned(lanes);
        for (std::uint32_t n = 0; n < view.node_count;) {
            const Node& node = view.nodes[n];
            if (node.end <= i + 1 || V::bits(Base::Four::load_unaligned(&node.min_x) <= outer) != 15) {
                n = node.next;
                continue;
            }
            ++n;
            if (node.next == n) against_cut(a, i, a, node.begin > i ? node.begin : i + 1, node.end, out);
        }
    }
    THRONG_KERNEL static void oversized_pairs(const View& view, std::uint32_t first, std::uint32_t last,
                                              PairSink& sink) {
        const Arrays a(view.oversized);
        Writer out(sink);
        for (std::uint32_t i = first; i < last && !sink.stopped; ++i) {
            grid_pairs(view, a, i, out);
            if (view.islands != nullptr) island_pairs(*view.islands, a, i, is_any, out);
            tree_pairs(view, a, i, out);
        }
    }
};

}  // namespace throng::simd
