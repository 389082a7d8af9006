// Pairs with a filter: each agent with one of the wanted categories searches the agents behind it for the
// other categories, in its row and in the rows that it reaches, as in simd/kernels/pairs/pairs.hpp. A stretch
// of a row is skipped as a whole if it has no such agent, or no possible partner within reach:
//
//     row r      . . . [ agents  ] s s s . . . .        s: stretches that can hold a partner, by the largest
//     row r+1    . . s s s s s s s s s . . . .            extents in the frame
#pragma once

#include "simd/kernels/pairs/pairs.hpp"
#include "simd/kernels/search/search.hpp"
#include "simd/kernels/shapes/box_shape.hpp"
#include "simd/pair_kernels.hpp"

namespace throng::simd {

template <class V>
struct FilteredPairs : Admission<V> {
    using Base = Admission<V>;
    using Taker = PairTaker<V>;
    using typename Base::LabelArrays;
    using typename Base::Labelled;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;
    using Writer = typename Pairs<V>::Writer;
    using typename Base::AnyAdmission;
    using Partners = typename Pairs<V>::Partners;

    // The filter for an agent's partners.
    static LabelFilter partners(const PairLabelFilter& f, const LabelArrays& a, std::uint32_t i) {
        const std::uint32_t own = a.categories[i];
        LabelFilter found{(is_wanted(own, f.a) ? f.b : 0) | (is_wanted(own, f.b) ? f.a : 0), no_id,
                          f.other_groups_only ? a.group[i] : no_id};
        if (f.by_height) found.share_heights(a.min_z[i], a.max_z[i]);
        return found;
    }
    static bool has_agent(const LabelArrays& a, std::uint32_t i) { return a.min_x[i] == a.min_x[i]; }
    static bool may_pair(const PairLabelFilter& f, std::uint32_t some, std::uint32_t others) {
        return ((some & f.a) != 0 && (others & f.b) != 0) || ((some & f.b) != 0 && (others & f.a) != 0);
    }

    struct Span {
        std::uint32_t stretches, rows;
        explicit Span(const View& view)
            : stretches((Pairs<V>::span(view) >> stretch_shift) + 1), rows(Pairs<V>::row_span(view)) {}
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
    static std::uint64_t partners_of(const View& view, std::uint32_t r, const LabelArrays& a, std::uint32_t i,
                                     const LabelFilter& filter, Writer& out) {
        const Grid& g = view.grid;
        const Probe box(a, i);
        const Labelled admitted(filter);
        const Both<Probe, Labelled> probe{box, admitted};
        Taker taker{out, a.id[i]};
        const std::uint32_t first = Base::lowest_column(g, a.min_x[i] - view.reach_x),
                            last = Base::highest_column(g, a.max_x[i]),
                            last_row = Base::highest_row(g, a.max_y[i]);
        const std::uint32_t end = view.rows[r].cells[last + 1];
        taker.template test<true>(probe, a, i + 1, end);
        std::uint64_t compared = end - i;
        for (std::uint32_t below = r + 1; below <= last_row; ++below) {
            const Row& other = view.rows[below];
            if (other.count == 0) continue;
            taker.template test<true>(probe, LabelArrays(other), other.cells[first], other.cells[last + 1]);
            compared += other.cells[last + 1] - other.cells[first];
        }
        return compared;
    }

    THRONG_KERNEL static void row_pairs_filtered(const View& view, std::uint32_t r,
                                                 const PairLabelFilter& filter, PairScratch& scratch,
                                                 PairSink& sink) {
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        const LabelArrays a(row);
        const Span span(view);
        const Labelled searching({filter.a | filter.b, no_id, no_id});
        const std::uint32_t* stretches = view.stretches + std::size_t{r} * view.stretches_in_row;
        Writer out(sink);
        std::uint32_t done = 0;
        std::uint64_t compared = 0;
        const std::uint64_t usual = Pairs<V>::patience * (row.count + Pairs<V>::crowded);
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
                    compared += partners_of(view, r, a, i, partners(filter, a, i), out);
                    if (compared > usual) [[unlikely]] {
                        out.meanwhile(
                            [&](PairSink& rest) { crowded_rest(view, r, i + 1, filter, scratch, rest); });
                        return;
                    }
                }
            }
            done = end;
        }
    }

    // --- Crowded cells ---

    struct Match {
        using Arrays = LabelArrays;
        struct PairProbe {
            Probe box;
            Labelled admitted;
            std::uint32_t overlap(const LabelArrays& a, std::size_t j) const {
                return Both<Probe, Labelled>{box, admitted}.overlap(a, j);
            }
        };
        static constexpr std::uint32_t arrays = SortedBoxes<V>::most_arrays;
        std::uint32_t copied() const { return filter.by_height ? arrays : SortedBoxes<V>::labelled_arrays; }

        const PairLabelFilter& filter;

        PairProbe probe(const LabelArrays& a, std::uint32_t i) const {
            return {Probe(a, i), Labelled(partners(filter, a, i))};
        }
        bool admits(const LabelArrays& a, std::uint32_t one, std::uint32_t other) const {
            const LabelFilter f = partners(filter, a, one);
            return is_wanted(a.categories[other], f.categories) &&
                   (f.not_in_group == no_id || a.group[other] != f.not_in_group) &&
                   (!f.by_height || (a.min_z[other] <= f.max_z && f.min_z <= a.max_z[other]));
        }
    };
    using Sweeper = Sweep<V, Match>;

    // The agents in [begin, end) of a row that can be in a pair at all.
    static std::uint32_t choose(const PairLabelFilter& filter, const Row& row, std::uint32_t begin,
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

        Group(const View& view, std::uint32_t r, std::uint32_t i) : begin(i) {
            const Row& row = view.rows[r];
            const LabelArrays a(row);
            const std::uint32_t columns = view.grid.columns, reach = Pairs<V>::span(view);
            const std::uint32_t own = Base::column(view.grid, a.min_x[i]);
            const std::uint32_t behind = own + 1 + reach < columns ? own + 1 + reach : columns;
            middle = row.cells[behind];
            end = row.cells[behind + reach < columns ? behind + reach : columns];
            for (; i < middle; ++i)
                if (has_agent(a, i)) this->add(view, a, i);
            this->count(view, r, end - begin);
        }
    };

    // The agents of row r from i on, some columns of them at a time.
    THRONG_NOINLINE THRONG_KERNEL static void crowded_rest(const View& view, std::uint32_t r, std::uint32_t i,
                                                           const PairLabelFilter& filter,
                                                           PairScratch& scratch, PairSink& sink) {
        Writer out(sink);
        const Row& row = view.rows[r];
        const LabelArrays a(row);
        while (i < row.count) {
            if (!has_agent(a, i)) {
                ++i;
                continue;
            }
            const Group group(view, r, i);
            Patience patient{Pairs<V>::patience * group.agents};
            const std::uintptr_t start = out.written();
            for (; i < group.middle; ++i) {
                const LabelFilter wanted = partners(filter, a, i);
                if (wanted.categories == 0 || !has_agent(a, i)) continue;
                patient.compared += partners_of(view, r, a, i, wanted, out);
                patient.answers = Pairs<V>::pairs_since(start, out);
                if (patient.is_over() && sweep_group(view, r, i + 1, group, filter, scratch, out)) break;
            }
            i = group.middle;
        }
    }
    THRONG_NOINLINE static bool sweep_group(const View& view, std::uint32_t r, std::uint32_t i,
                                            const Group& group, const PairLabelFilter& filter,
                                            PairScratch& scratch, Writer& out) {
        const Row& row = view.rows[r];
        const std::size_t some = group.middle - i, ahead = group.end - group.middle,
                          others = ahead > group.max_below ? ahead : group.max_below;
        char* room = Pairs<V>::room_for(scratch, (2 * some + others) * sizeof(std::uint32_t) + 3 * 64 +
                                                     Sweeper::scratch_bytes(some + others));
        if (room == nullptr) return false;
        ScratchCutter cutter{room};
        std::uint32_t *probing = cutter.take<std::uint32_t>(some),
                      *reaching = cutter.take<std::uint32_t>(some),
                      *other_slots = cutter.take<std::uint32_t>(others);
        const Match match{filter};
        NoSteps steps;
        Sweeper sweeper(match, 0, out, steps);
        const Chosen probes{&row, probing, 0, choose(filter, row, i, group.middle, probing)};
        sweeper.within(probes, cutter.next);
        sweeper.between(probes,
                        {&row, other_slots, 0, choose(filter, row, group.middle, group.end, other_slots)},
                        cutter.next);
        const float* max_y = LabelArrays(row).max_y;
        for (std::uint32_t below = r + 1; below <= group.last_row; ++below) {
            const Row& other = view.rows[below];
            if (group.in(other) == 0) continue;
            std::uint32_t count = 0;
            for (std::uint32_t k = 0; k < probes.count; ++k) {
                reaching[count] = probing[k];
                count += Base::highest_row(view.grid, max_y[probing[k]]) >= below;
            }
            const std::uint32_t begin = other.cells[group.first];
            sweeper.between(
                {&row, reaching, 0, count},
                {&other, other_slots, 0, choose(filter, other, begin, begin + group.in(other), other_slots)},
                cutter.next);
        }
        return true;
    }

    // As Pairs::region_pairs.
    THRONG_KERNEL static void region_pairs_filtered(const View& view, std::uint32_t region, std::uint32_t r,
                                                    const PairLabelFilter& wanted, PairSink& sink) {
        const Island* own = region == 0 ? nullptr : &view.islands->all[region - 1];
        const View& home = own == nullptr ? view : own->view;
        const Row& row = home.rows[r];
        if (row.count == 0) return;
        const LabelArrays a(row);
        Writer out(sink);
        IslandPairs<V>::for_each(home, own, row, [&](std::uint32_t i, const Island& island) {
            const LabelFilter filter = partners(wanted, a, i);
            if (filter.categories == 0) return true;
            Taker taker{out, a.id[i]};
            (void)Partners(Pairs<V>::box_of(a, i), AnyAdmission::labelled(filter), taker)
                .search_inside(island.view);
            return !sink.stopped;
        });
    }

    // The agents between storeys, in row r there, with agents on storeys.
    THRONG_KERNEL static void storey_pairs_filtered(const View& view, std::uint32_t r,
                                                    const PairLabelFilter& wanted, PairSink& sink) {
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        const LabelArrays a(row);
        Writer out(sink);
        for (std::uint32_t i = 0; i < row.count && !sink.stopped; ++i) {
            if (!has_agent(a, i)) [[unlikely]]
                continue;
            const LabelFilter filter = partners(wanted, a, i);
            if (filter.categories == 0) continue;
            Taker taker{out, a.id[i]};
            const auto admitted = filter.categories == all_of_them
                                      ? typename AnyAdmission::Filter(filter, AnyAdmission::Kind::by_height)
                                      : AnyAdmission::labelled(filter);
            (void)Partners(Pairs<V>::box_of(a, i), admitted, taker).search_storeys(view, false);
        }
    }

    THRONG_KERNEL static void oversized_pairs_filtered(const View& view, std::uint32_t first,
                                                       std::uint32_t last, const PairLabelFilter& wanted,
                                                       PairSink& sink) {
        Writer out(sink);
        Pairs<V>::for_each_tree(
            view, first, last,
            [&](const auto& tree, std::uint32_t grove, std::uint32_t begin, std::uint32_t end) {
                const LabelArrays a(tree.oversized);
                for (std::uint32_t i = begin; i < end && !out.sink.stopped; ++i) {
                    const LabelFilter filter = partners(wanted, a, i);
                    if (filter.categories == 0) continue;
                    const Query q = Pairs<V>::box_of(a, i);
                    Taker taker{out, a.id[i]};
                    const Partners search(q, AnyAdmission::labelled(filter), taker);
                    (void)search.search_region(IslandSearch<V>::home_of(view, q));
                    (void)search.search_tree(view, FromAgent{grove, i + 1});
                }
            });
    }
};

}  // namespace throng::simd
