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
#include "simd/kernels/sweep.hpp"
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

    using Writer = PairWriter<V>;

    static constexpr std::uint32_t window = 8;
    // More agents than that within reach of a cell may be too many to compare.
    static constexpr std::uint32_t crowded = 192;
    // How many others each of them may be compared with in vain before they are sorted.
    static constexpr std::uint64_t patience = 16;

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
            const Window t = (y - Window(g.origin_y)) * Window(g.inverse_height);
            found |= V::bits(Window(next_row) <= t) << half;
        }
        return found;
    }

    // Step 1. Returns how many agents reach into later rows, and notes them.
    static std::uint32_t neighbours_in_row(const View& view, const Row& row, std::uint32_t r,
                                           std::uint32_t* edge, Writer& out) {
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
    static void crowded_cells(const View& view, const Row& row, PairScratch& scratch, Writer& out) {
        const Arrays a(row);
        const std::uint32_t columns = view.grid.columns, reach = span(view);
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t last = c + 1 + reach < columns ? c + 1 + reach : columns;
            if (row.cells[last] <= row.cells[c] + window + 1) [[likely]]
                continue;
            if (row.cells[last] > row.cells[c] + crowded) [[unlikely]] {
                overfull_cells(view, row, c, last, reach, scratch, out);
                c = last - 1;
                continue;
            }
            for (std::uint32_t i = row.cells[c]; i < row.cells[c + 1]; ++i) {
                const std::uint32_t end = row.cells[Base::column(view.grid, a.max_x[i]) + 1];
                against<Wide::size, Wide>(a, i, a, i + window + 1, end, out);
            }
        }
    }

    using Sweeper = Sweep<V, MatchAll<V>>;
    static char* room_for(PairScratch& scratch, std::size_t bytes) {
        return scratch.room == nullptr ? nullptr : static_cast<char*>(scratch.room(scratch, bytes));
    }
    // How many pairs were written since.
    static std::uint64_t pairs_since(std::uintptr_t start, const Writer& out) {
        return (out.written() - start) / sizeof(Pair);
    }

    // Step 2 for the cells [c, behind), which hold many agents or reach where many are. These go on as ever
    // while that finds something; what is left when it has compared too many in vain is swept.
    [[gnu::noinline]] THRONG_KERNEL static void overfull_cells(const View& view, const Row& row,
                                                               std::uint32_t c, std::uint32_t behind,
                                                               std::uint32_t reach, PairScratch& scratch,
                                                               Writer& out) {
        const Arrays a(row);
        const std::uint32_t last = behind + reach < view.grid.columns ? behind + reach : view.grid.columns;
        const std::uint32_t middle = row.cells[behind], end = row.cells[last];
        Patience patient{patience * (end - row.cells[c])};
        const std::uintptr_t start = out.written();
        for (std::uint32_t i = row.cells[c]; i < middle; ++i) {
            const std::uint32_t first = i + window + 1;
            const std::uint32_t run_end = row.cells[Base::column(view.grid, a.max_x[i]) + 1];
            against<Wide::size, Wide>(a, i, a, first, run_end, out);
            if (first >= run_end) continue;
            patient.compared += run_end - first;
            patient.answers = pairs_since(start, out);
            if (patient.is_over() && sweep_cells(row, i + 1, middle, end, scratch, out)) return;
        }
    }
    // The agents [first, middle) of a row with each other and with those up to `end`, but for those that step
    // 1 has found. False if there is no room for that.
    static bool sweep_cells(const Row& row, std::uint32_t first, std::uint32_t middle, std::uint32_t end,
                            PairScratch& scratch, Writer& out) {
        char* room = room_for(scratch, Sweeper::scratch_bytes(end - first));
        if (room == nullptr) return false;
        const MatchAll<V> all;
        NoSteps steps;
        Sweeper sweeper(all, window, out, steps);
        const Chosen some{&row, nullptr, first, middle - first};
        sweeper.within(some, room);
        sweeper.between(some, {&row, nullptr, middle, end - middle}, room);
        return true;
    }

    // Step 3. Sixteen agents are nearly always all there are within reach below, so one test does without a
    // branch. Returns how many agent i was compared with.
    static std::uint64_t edge_below(const View& view, const Arrays& a, std::uint32_t r, std::uint32_t i,
                                    Writer& out) {
        const Grid& g = view.grid;
        const std::uint32_t last_row = Base::row(g, a.max_y[i]);
        const std::uint32_t first = Base::column(g, a.min_x[i] - view.reach_x);
        const std::uint32_t last = Base::column(g, a.max_x[i]);
        std::uint64_t compared = 0;
        for (std::uint32_t below = r + 1; below <= last_row; ++below) {
            const Row& other = view.rows[below];
            if (other.count == 0) continue;
            against<16, Window>(a, i, Arrays(other), other.cells[first], other.cells[last + 1], out);
            compared += other.cells[last + 1] - other.cells[first];
        }
        return compared;
    }
    static void edges_below(const View& view, const Row& row, std::uint32_t r, std::uint32_t edges,
                            PairScratch& scratch, Writer& out) {
        const Arrays a(row);
        std::uint64_t compared = 0;
        const std::uint64_t usual = patience * (row.count + crowded);
        for (std::uint32_t e = 0; e < edges; ++e) {
            compared += edge_below(view, a, r, scratch.edge[e], out);
            if (compared > usual) [[unlikely]]
                return crowded_edges(view, row, r, scratch.edge + e + 1, edges - e - 1, scratch, out);
        }
    }

    // Agents on the edge that begin in some columns, what they may meet, and how many that is.
    struct EdgeGroup {
        std::uint32_t count = 0, first = 0, last = 0, last_row = 0;
        std::uint64_t agents = 0;
        std::uint32_t most_below = 0;

        EdgeGroup(const View& view, const Arrays& a, std::uint32_t r, const std::uint32_t* edge,
                  std::uint32_t edges) {
            const Grid& g = view.grid;
            const std::uint32_t end = Base::column(g, a.min_x[edge[0]]) + span(view);
            first = g.columns;
            for (; count < edges; ++count) {
                const std::uint32_t i = edge[count];
                if (Base::column(g, a.min_x[i]) > end) break;
                const std::uint32_t left = Base::column(g, a.min_x[i] - view.reach_x),
                                    right = Base::column(g, a.max_x[i]), top = Base::row(g, a.max_y[i]);
                first = left < first ? left : first;
                last = right > last ? right : last;
                last_row = top > last_row ? top : last_row;
            }
            agents = count;
            for (std::uint32_t below = r + 1; below <= last_row; ++below) {
                const std::uint32_t there = in(view.rows[below]);
                agents += there;
                most_below = there > most_below ? there : most_below;
            }
        }
        std::uint32_t in(const Row& other) const {
            return other.count == 0 ? 0 : other.cells[last + 1] - other.cells[first];
        }
    };
    // Step 3 in a row where it took long, group by group.
    [[gnu::noinline]] THRONG_KERNEL static void crowded_edges(const View& view, const Row& row,
                                                              std::uint32_t r, const std::uint32_t* edge,
                                                              std::uint32_t edges, PairScratch& scratch,
                                                              Writer& out) {
        const Arrays a(row);
        while (edges != 0) {
            const EdgeGroup group(view, a, r, edge, edges);
            Patience patient{patience * group.agents};
            const std::uintptr_t start = out.written();
            for (std::uint32_t e = 0; e < group.count; ++e) {
                patient.compared += edge_below(view, a, r, edge[e], out);
                patient.answers = pairs_since(start, out);
                if (patient.is_over() &&
                    sweep_edges(view, row, r, edge + e + 1, group.count - e - 1, group, scratch, out))
                    break;
            }
            edge += group.count;
            edges -= group.count;
        }
    }
    static bool sweep_edges(const View& view, const Row& row, std::uint32_t r, const std::uint32_t* edge,
                            std::uint32_t edges, const EdgeGroup& group, PairScratch& scratch, Writer& out) {
        const std::size_t places = std::size_t{edges} * sizeof(std::uint32_t) + 64;
        char* room =
            room_for(scratch, places + Sweeper::scratch_bytes(std::size_t{edges} + group.most_below));
        if (room == nullptr) return false;
        const Arrays a(row);
        ScratchCutter cutter{room};
        std::uint32_t* list = cutter.take<std::uint32_t>(edges);
        const MatchAll<V> all;
        NoSteps steps;
        Sweeper sweeper(all, 0, out, steps);
        for (std::uint32_t below = r + 1; below <= group.last_row; ++below) {
            std::uint32_t count = 0;
            for (std::uint32_t e = 0; e < edges; ++e)
                if (Base::row(view.grid, a.max_y[edge[e]]) >= below) list[count++] = edge[e];
            const Row& other = view.rows[below];
            if (group.in(other) == 0) continue;
            sweeper.between({&row, list, 0, count},
                            {&other, nullptr, other.cells[group.first], group.in(other)}, cutter.next);
        }
        return true;
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

    THRONG_KERNEL static void row_pairs(const View& view, std::uint32_t r, PairScratch& scratch,
                                        PairSink& sink) {
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        Writer out(sink);
        const std::uint32_t edges = neighbours_in_row(view, row, r, scratch.edge, out);
        crowded_cells(view, row, scratch, out);
        edges_below(view, row, r, edges, scratch, out);
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
        const std::uint32_t first_row = Base::row(g, a.min_y[i] - view.reach_y),
                            edge_row = Base::row(g, a.min_y[i]), last_row = Base::row(g, a.max_y[i]);
        const std::uint32_t left = Base::column(g, a.min_x[i] - view.reach_x),
                            edge = Base::column(g, a.min_x[i]), right = Base::column(g, a.max_x[i]);
        for (std::uint32_t r = first_row; r <= last_row; ++r) {
            const Row& row = view.rows[r];
            if (row.count == 0) continue;
            const Arrays other(row);
            if (r <= edge_row || r == last_row || edge + 1 >= right) {
                against<Wide::size, Wide>(a, i, other, row.cells[left], row.cells[right + 1], out);
                continue;
            }
            against_cut(a, i, other, row.cells[left], row.cells[edge + 1], out);
            all_of(a, i, other, row.cells[edge + 1], row.cells[right], out);
            against<Wide::size, Wide>(a, i, other, row.cells[right], row.cells[right + 1], out);
        }
    }
    // Agent i with the agents of those islands that `with` lets through.
    template <class With>
    static void island_pairs(const Islands& islands, const Arrays& a, std::uint32_t i, const With& with,
                             Writer& out) {
        (void)IslandSearch<V>::for_each(islands, a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i],
                                        [&](const Island& island) {
                                            if (with(island)) grid_pairs(island.view, a, i, out);
                                            return true;
                                        });
    }
    // Whose agents an agent of an island, or of the open, looks for elsewhere.
    static bool is_partner(const Island* own, const Island& other) {
        if (own == nullptr) return true;
        return other.tile_column != own->tile_column ? other.tile_column > own->tile_column
                                                     : other.tile_row > own->tile_row;
    }
    // Of two islands, the left one looks for the pairs that they share, and of two above each other the lower
    // one: only its agents can reach into the other's tile.
    THRONG_KERNEL static void region_pairs(const View& view, std::uint32_t region, std::uint32_t r,
                                           PairSink& sink) {
        const Islands& islands = *view.islands;
        Writer out(sink);
        if (region == 0) {
            const Arrays a(view.rows[r]);
            for (std::uint32_t i = 0; i < view.rows[r].count; ++i)
                island_pairs(
                    islands, a, i, [](const Island&) { return true; }, out);
            return;
        }
        const Island& own = islands.all[region - 1];
        const Row& row = own.view.rows[r];
        if (row.count == 0 || own.reaches_out == 0) return;
        const Arrays a(row);
        for (std::uint32_t i = 0; i < row.count; ++i) {
            if (IslandSearch<V>::tile_column(islands.tiles, a.max_x[i]) == own.tile_column &&
                IslandSearch<V>::tile_row(islands.tiles, a.max_y[i]) == own.tile_row)
                continue;
            island_pairs(
                islands, a, i, [&](const Island& other) { return is_partner(&own, other); }, out);
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
        for (std::uint32_t i = first; i < last; ++i) {
            grid_pairs(view, a, i, out);
            if (view.islands != nullptr)
                island_pairs(
                    *view.islands, a, i, [](const Island&) { return true; }, out);
            tree_pairs(view, a, i, out);
        }
    }
};

}  // namespace throng::simd
