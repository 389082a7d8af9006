// Pairs in overfull cells, where brute force may test far more than it finds. It is used as long as it finds
// pairs: if all overlap, nothing is cheaper. Once the misses have cost as much as a sort, the rest is swept
// (simd/kernels/pairs/sweep.hpp):
//
//     row r      [ cells c .. behind ) [ .. last )       the agents of some cells, as many as one can reach
//                  with each other       and with        over, with those that they reach
//     row r+1    [ .. .. .. .. .. ]                      those of them that reach over the edge, with these
//
// So each agent is sorted at most a few times, and a row of n agents with k pairs costs O(n log n + k) steps,
// whatever their shapes. Misses are counted in comparisons and pairs, so every instruction set and every
// thread decides the same. Limits: an agent is sorted once more for each row from which it can be reached,
// and interleaved long and short boxes that do not overlap cost 500 comparisons each before the rank join
// takes over (simd/kernels/pairs/rank_join.hpp).
#pragma once

#include "simd/kernels/pairs/pair_steps.hpp"
#include "simd/kernels/pairs/sweep.hpp"

namespace throng::simd {

// The cells of later rows that some agents reach, and how many agents are there.
template <class V>
struct CellsBelow {
    using Base = Vectors<V>;
    std::uint32_t first = 0xFFFFFFFFu, last = 0, last_row = 0, max_below = 0;
    std::uint64_t agents = 0;

    // An agent that begins there and reaches so far.
    void add(const View& view, float min_x, float max_x, float max_y) {
        const Grid& g = view.grid;
        const std::uint32_t left = Base::lowest_column(g, min_x - view.reach_x),
                            right = Base::highest_column(g, max_x), top = Base::highest_row(g, max_y);
        first = left < first ? left : first;
        last = right > last ? right : last;
        last_row = top > last_row ? top : last_row;
    }
    // After all are added, with `here` of them in row r itself.
    void count(const View& view, std::uint32_t r, std::uint32_t here) {
        agents = here;
        for (std::uint32_t below = r + 1; below <= last_row; ++below) {
            const std::uint32_t there = in(view.rows[below]);
            agents += there;
            max_below = there > max_below ? there : max_below;
        }
    }
    std::uint32_t in(const Row& other) const {
        return other.count == 0 ? 0 : other.cells[last + 1] - other.cells[first];
    }
};

// Compiled once: if nothing is to be measured, boxes that overlap are pairs.
template <class V>
struct OverfullPairs : PairSteps<V, Close::measured> {
    using Base = PairSteps<V, Close::measured>;
    using typename Base::Arrays;
    using typename Base::Closer;
    using typename Base::Locator;
    using typename Base::World;
    using typename Base::Writer;
    using Sweeper = Sweep<V>;

    static char* room_for(PairScratch& scratch, std::size_t bytes) {
        return scratch.room == nullptr ? nullptr : static_cast<char*>(scratch.room(scratch, bytes));
    }
    // How many pairs were written since.
    static std::uint64_t pairs_since(std::uintptr_t start, const Writer& out) {
        return (out.written() - start) / sizeof(Pair);
    }

    // Step 2 for the cells [c, behind), which hold many agents or reach many. Brute force while it finds
    // pairs; after too many misses the rest is swept.
    THRONG_NOINLINE THRONG_KERNEL static void overfull_cells(const World& view, const Row& row,
                                                             std::uint32_t c, std::uint32_t behind,
                                                             std::uint32_t reach, PairScratch& scratch,
                                                             PairSink& sink) {
        const Arrays a(row);
        Writer out(sink);
        const std::uint32_t last = behind + reach < view.grid.columns ? behind + reach : view.grid.columns;
        const std::uint32_t middle = row.cells[behind], end = row.cells[last];
        Patience patient{Base::patience * (end - row.cells[c])};
        const std::uintptr_t start = out.written();
        for (std::uint32_t i = row.cells[c]; i < middle && !sink.stopped; ++i) {
            const std::uint32_t first = i + Base::window + 1;
            const std::uint32_t run_end = row.cells[Base::last_column(view, a, i) + 1];
            Base::against(view, a, i, a, first, run_end, out);
            if (first >= run_end) continue;
            patient.compared += run_end - first;
            patient.answers = pairs_since(start, out);
            if (patient.is_over() && sweep_cells(view, row, i + 1, middle, end, scratch, out)) return;
        }
    }
    // The agents [first, middle) of a row with each other and with those up to `end`, except pairs found by
    // step 1. Returns false if there is no memory for it.
    static bool sweep_cells(const World& view, const Row& row, std::uint32_t first, std::uint32_t middle,
                            std::uint32_t end, PairScratch& scratch, Writer& out) {
        const Match<V> all{view};
        char* room = room_for(scratch, Sweeper::scratch_bytes(all, end - first));
        if (room == nullptr) return false;
        NoSteps steps;
        Sweeper sweeper(all, Base::window, out, steps);
        const Chosen some{&row, nullptr, first, middle - first};
        sweeper.within(some, room);
        sweeper.between(some, {&row, nullptr, middle, end - middle}, room);
        return true;
    }

    // Whether agents from `first` to `last` may have very many candidates in later rows, judged for several
    // at once by the cells there.
    static bool many_below(const View& view, const typename Vectors<V>::Arrays& a, std::uint32_t r,
                           std::uint32_t last_row, std::uint32_t first, std::uint32_t last) {
        const Grid& g = view.grid;
        const std::uint32_t left = Base::column(g, a.min_x[first] - view.reach_x),
                            right = Base::column(g, a.min_x[last] + view.reach_x);
        const std::uint32_t begin = left == 0 ? 0 : left - 1,
                            end = right + 2 < g.columns ? right + 2 : g.columns;
        for (std::uint32_t below = r + 1; below <= last_row; ++below) {
            const Row& other = view.rows[below];
            if (other.count > Base::crowded_below &&
                other.cells[end] - other.cells[begin] > Base::crowded_below)
                return true;
        }
        return false;
    }

    // Agents across the row's edge that begin in some columns, and their candidates.
    struct EdgeGroup : CellsBelow<V> {
        std::uint32_t edges = 0;

        EdgeGroup(const World& view, const Arrays& a, std::uint32_t r, const std::uint32_t* edge,
                  std::uint32_t most) {
            const std::uint32_t end = Base::column(view.grid, a.min_x[edge[0]]) + Base::span(view);
            for (; edges < most && Base::column(view.grid, a.min_x[edge[edges]]) <= end; ++edges) {
                const std::uint32_t i = edge[edges];
                this->add(view, a.min_x[i], Closer::up(view, a.max_x[i]), Closer::up(view, a.max_y[i]));
            }
            this->count(view, r, edges);
        }
    };
    // Step 3 for the agents that begin in the columns from the first one's on. Returns their number.
    THRONG_NOINLINE THRONG_KERNEL static std::uint32_t overfull_edges(const World& view, const Row& row,
                                                                      std::uint32_t r,
                                                                      const std::uint32_t* edge,
                                                                      std::uint32_t edges,
                                                                      PairScratch& scratch, PairSink& sink) {
        const Arrays a(row);
        Writer out(sink);
        const EdgeGroup group(view, a, r, edge, edges);
        const Locator locator = Base::locator_of(view);
        Patience patient{Base::patience * group.agents};
        const std::uintptr_t start = out.written();
        for (std::uint32_t e = 0; e < group.edges; ++e) {
            if (!Base::edge_below(view, locator, a, r, edge[e], out, patient.compared)) break;
            patient.answers = pairs_since(start, out);
            if (patient.is_over() &&
                sweep_edges(view, row, r, edge + e + 1, group.edges - e - 1, group, scratch, out))
                break;
        }
        return group.edges;
    }
    static bool sweep_edges(const World& view, const Row& row, std::uint32_t r, const std::uint32_t* edge,
                            std::uint32_t edges, const EdgeGroup& group, PairScratch& scratch, Writer& out) {
        const std::size_t slots = std::size_t{edges} * sizeof(std::uint32_t) + 64;
        const Match<V> all{view};
        const std::size_t most = std::size_t{edges} + group.max_below;
        char* room = room_for(scratch, slots + Sweeper::scratch_bytes(all, most));
        if (room == nullptr) return false;
        const Arrays a(row);
        ScratchCutter cutter{room};
        std::uint32_t* list = cutter.take<std::uint32_t>(edges);
        NoSteps steps;
        Sweeper sweeper(all, 0, out, steps);
        for (std::uint32_t below = r + 1; below <= group.last_row; ++below) {
            std::uint32_t count = 0;
            for (std::uint32_t e = 0; e < edges; ++e)
                if (Base::last_row(view, a, edge[e]) >= below) list[count++] = edge[e];
            const Row& other = view.rows[below];
            if (group.in(other) == 0) continue;
            sweeper.between({&row, list, 0, count},
                            {&other, nullptr, other.cells[group.first], group.in(other)}, cutter.next);
        }
        return true;
    }
};

}  // namespace throng::simd
