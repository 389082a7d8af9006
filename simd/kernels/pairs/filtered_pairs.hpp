// Pairs with a filter: each agent with one of the wanted categories searches the agents behind it for the
// other categories, in its row and in the rows that it reaches, as in simd/kernels/pairs/pairs.hpp. A stretch
// of a row is skipped as a whole if it has no such agent, or no possible partner within reach:
//
//     row r      . . . [ agents  ] s s s . . . .        s: stretches that can hold a partner, by the largest
//     row r+1    . . s s s s s s s s s . . . .            extents in the frame
#pragma once

#include "simd/kernels/pairs/pairs.hpp"

namespace throng::simd {

// Where cells are crowded, all take the way that measures.
template <class V, Close close = Close::measured>
struct FilteredPairs : Admission<V> {
    using Base = Admission<V>;
    using Own = PairSteps<V, close>;
    using Closer = typename Own::Closer;
    using World = typename Own::World;
    using typename Base::LabelArrays;
    using typename Base::Labelled;
    using typename Base::Wide;
    using Probe = typename Closer::template PairProbe<Wide>;
    using Writer = PairWriter<V>;

    static bool has_agent(const LabelArrays& a, std::uint32_t i) { return a.min_x[i] == a.min_x[i]; }
    static bool may_pair(const WantedPairs& f, std::uint32_t some, std::uint32_t others) {
        return ((some & f.a) != 0 && (others & f.b) != 0) || ((some & f.b) != 0 && (others & f.a) != 0);
    }

    struct Span {
        std::uint32_t stretches, rows;
        explicit Span(const View& view)
            : stretches((Own::span(view) >> stretch_shift) + 1), rows(Own::row_span(view)) {}
    };

    // The categories that may be found from a stretch of row r.
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

    // Agent i against those behind it in its row, and those in later rows that it can reach. Returns the
    // number of comparisons.
    static std::uint64_t search(const World& view, std::uint32_t r, const LabelArrays& a, std::uint32_t i,
                                const LabelFilter& filter, Writer& out) {
        const Probe box = Closer::template probe<Wide>(view, a, i);
        const Labelled admitted(filter);
        const Both<Probe, Labelled> probe{box, admitted};
        PairTaker<V> taker{out, a.id[i]};
        const std::uint32_t first = Base::lowest_column(view.grid, a.min_x[i] - view.reach_x),
                            last = Own::last_column(view, a, i), last_row = Own::last_row(view, a, i);
        const std::uint32_t end = view.rows[r].cells[last + 1];
        taker.template test<true>(probe, a, i + 1, end, box);
        std::uint64_t compared = end - i;
        for (std::uint32_t below = r + 1; below <= last_row; ++below) {
            const Row& other = view.rows[below];
            if (other.count == 0) continue;
            taker.template test<true>(probe, LabelArrays(other), other.cells[first], other.cells[last + 1],
                                      box);
            compared += other.cells[last + 1] - other.cells[first];
        }
        return compared;
    }

    THRONG_NOINLINE THRONG_KERNEL static void row_pairs(const View& plain, std::uint32_t r,
                                                        const WantedPairs& filter, PairScratch& scratch,
                                                        PairSink& sink) {
        const Row& row = plain.rows[r];
        if (row.count == 0) return;
        const World& view = Closer::world(plain, filter, FoundBy::boxes_and_heights);
        const LabelArrays a(row);
        const Span span(view);
        const Labelled searching({filter.a | filter.b, no_id, no_id});
        const std::uint32_t* stretches = view.stretches + std::size_t{r} * view.stretches_in_row;
        Writer out(sink);
        std::uint32_t done = 0;
        std::uint64_t compared = 0;
        const std::uint64_t usual = Own::patience * (row.count + Own::crowded);
        for (std::uint32_t s = 0; s < stretches_in(view.grid.columns); ++s) {
            if ((stretches[s] & (filter.a | filter.b)) == 0 ||
                !may_pair(filter, stretches[s], around(view, r, s, span)))
                continue;
            const std::uint32_t behind = (s + 1) << stretch_shift, first = row.cells[s << stretch_shift];
            const std::uint32_t end = row.cells[behind < view.grid.columns ? behind : view.grid.columns];
            for (std::uint32_t j = first < done ? done : first; j < end; j += Wide::size) {
                std::uint32_t found = Takers<V>::template found_in<true>(searching, a, j, end);
                for (; found != 0 && !sink.stopped; found &= found - 1) {
                    const std::uint32_t i = j + Base::lowest(found);
                    if (!has_agent(a, i)) [[unlikely]]
                        continue;
                    compared += search(view, r, a, i, partners_of(filter, a, i), out);
                    if (compared > usual) [[unlikely]] {
                        out.meanwhile([&](PairSink& rest) {
                            using Crowded = FilteredPairs<V, Close::measured>;
                            if constexpr (Closer::is_measured)
                                Crowded::crowded_rest(view, r, i + 1, scratch, rest);
                            else
                                Crowded::crowded_rest({plain, filter, FoundBy::boxes_and_heights}, r, i + 1,
                                                      scratch, rest);
                        });
                        return;
                    }
                }
            }
            done = end;
        }
    }

    // --- Crowded cells ---

    using Sweeper = Sweep<V>;
    using Overfull = OverfullPairs<V>;

    // The agents in [begin, end) of a row that can be in a pair at all.
    static std::uint32_t choose(const WantedPairs& filter, const Row& row, std::uint32_t begin,
                                std::uint32_t end, std::uint32_t* list) {
        const std::uint32_t* categories = LabelArrays(row).categories;
        std::uint32_t count = 0;
        for (std::uint32_t i = begin; i < end; ++i) {
            list[count] = i;
            count += is_wanted(categories[i], filter.a | filter.b);
        }
        return count;
    }

    // The agents [begin, middle) of row r, which begin in some columns, the agents up to `end` that they
    // reach, and their reach in later rows.
    struct Group : CellsBelow<V> {
        std::uint32_t begin, middle, end;

        Group(const MeasuredView& view, std::uint32_t r, std::uint32_t i) : begin(i) {
            const Row& row = view.rows[r];
            const LabelArrays a(row);
            const std::uint32_t columns = view.grid.columns, reach = Own::span(view);
            const std::uint32_t own = Base::column(view.grid, a.min_x[i]);
            const std::uint32_t behind = own + 1 + reach < columns ? own + 1 + reach : columns;
            middle = row.cells[behind];
            end = row.cells[behind + reach < columns ? behind + reach : columns];
            for (; i < middle; ++i)
                if (has_agent(a, i))
                    this->add(view, a.min_x[i], Closer::up(view, a.max_x[i]), Closer::up(view, a.max_y[i]));
            this->count(view, r, end - begin);
        }
    };

    // The agents of row r from i on, some columns of them at a time.
    THRONG_NOINLINE THRONG_KERNEL static void crowded_rest(const MeasuredView& view, std::uint32_t r,
                                                           std::uint32_t i, PairScratch& scratch,
                                                           PairSink& sink) {
        Writer out(sink);
        const Row& row = view.rows[r];
        const LabelArrays a(row);
        while (i < row.count) {
            if (!has_agent(a, i)) {
                ++i;
                continue;
            }
            const Group group(view, r, i);
            Patience patient{Own::patience * group.agents};
            const std::uintptr_t start = out.written();
            for (; i < group.middle; ++i) {
                const LabelFilter wanted = partners_of(view.wanted, a, i);
                if (wanted.categories == 0 || !has_agent(a, i)) continue;
                patient.compared += search(view, r, a, i, wanted, out);
                patient.answers = Overfull::pairs_since(start, out);
                if (patient.is_over() && sweep_group(view, r, i + 1, group, scratch, out)) break;
            }
            i = group.middle;
        }
    }
    THRONG_NOINLINE static bool sweep_group(const MeasuredView& view, std::uint32_t r, std::uint32_t i,
                                            const Group& group, PairScratch& scratch, Writer& out) {
        const Row& row = view.rows[r];
        const WantedPairs& filter = view.wanted;
        const std::size_t some = group.middle - i, ahead = group.end - group.middle,
                          others = ahead > group.max_below ? ahead : group.max_below;
        const Match<V> match{view};
        char* room = Overfull::room_for(scratch, (2 * some + others) * sizeof(std::uint32_t) + 3 * 64 +
                                                     Sweeper::scratch_bytes(match, some + others));
        if (room == nullptr) return false;
        ScratchCutter cutter{room};
        std::uint32_t *probing = cutter.take<std::uint32_t>(some),
                      *reaching = cutter.take<std::uint32_t>(some),
                      *other_slots = cutter.take<std::uint32_t>(others);
        NoSteps steps;
        Sweeper sweeper(match, 0, out, steps);
        const Chosen probes{&row, probing, 0, choose(filter, row, i, group.middle, probing)};
        sweeper.within(probes, cutter.next);
        sweeper.between(probes,
                        {&row, other_slots, 0, choose(filter, row, group.middle, group.end, other_slots)},
                        cutter.next);
        const LabelArrays a(row);
        for (std::uint32_t below = r + 1; below <= group.last_row; ++below) {
            const Row& other = view.rows[below];
            if (group.in(other) == 0) continue;
            std::uint32_t count = 0;
            for (std::uint32_t k = 0; k < probes.count; ++k) {
                reaching[count] = probing[k];
                count += Own::last_row(view, a, probing[k]) >= below;
            }
            const std::uint32_t begin = other.cells[group.first];
            sweeper.between(
                {&row, reaching, 0, count},
                {&other, other_slots, 0, choose(filter, other, begin, begin + group.in(other), other_slots)},
                cutter.next);
        }
        return true;
    }
};

// All pairs of agents that overlap and share a height, in a frame with heights: the steps of
// simd/kernels/pairs/pairs.hpp, each with one more comparison.
//
//     row r      . . i j j j j j j j j . . . .     1. a word of those that overlap, and one of those that
//                                                     share a height
//                                                  2. and 3. as there, for the rest of the boxes
//
// In rows with very many agents within reach, heights are one more filter.
template <class V>
struct PairsAtHeights : Pairs<V, Close::at_heights> {
    using Base = Pairs<V, Close::at_heights>;
    using Base::window;
    using typename Base::Near;

    // Whether any agent of a row may be near too many of its own row, or of those that it reaches.
    static bool is_crowded(const View& view, std::uint32_t r) {
        const std::uint32_t columns = view.grid.columns, reach = Base::span(view),
                            last_row = Base::last_below(view, r);
        for (; r <= last_row; ++r) {
            const Row& row = view.rows[r];
            if (row.count <= Base::crowded) continue;
            for (std::uint32_t c = 0; c < columns; c += window)
                if (Near::full_cells(row, c, columns, reach, Base::crowded) != 0) return true;
        }
        return false;
    }
    THRONG_KERNEL static void row_pairs(const View& view, std::uint32_t r, const WantedPairs& wanted,
                                        PairScratch& scratch, PairSink& sink) {
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        if (is_crowded(view, r)) [[unlikely]]
            return FilteredPairs<V, Close::boxes>::row_pairs(view, r, wanted, scratch, sink);
        const std::uint32_t edges = scratch.in_row->boxes_at_heights(view, row, r, scratch, sink);
        Base::further(view, row, r, edges, scratch, sink);
    }
    // Those that are measured, by functions that stand by themselves.
    static void measured_row_pairs(const View& view, std::uint32_t r, const WantedPairs& wanted,
                                   PairScratch& scratch, PairSink& sink) {
        using Measured = Pairs<V, Close::measured>;
        if (view.rows[r].count == 0) return;
        if (is_crowded(MeasuredView(view, wanted, FoundBy::boxes), r)) [[unlikely]]
            FilteredPairs<V>::row_pairs(view, r, wanted, scratch, sink);
        else
            Measured::row_pairs(view, r, wanted, scratch, sink);
    }
};

}  // namespace throng::simd
