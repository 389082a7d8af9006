// What a search does with the runs of agents on its way: it tests them, or takes them if its shape covers
// them. All functions return false once the search has ended.
//
// A search that is compiled once for all kinds of admission has its runs in functions of their own, or it
// would have them dozens of times. The runs that take most of the time are expanded in place, for queries
// without a filter.
#pragma once

#include <type_traits>

#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/search/takers.hpp"
#include "simd/kernels/shapes/box_shape.hpp"

namespace throng::simd {

template <class V, class ShapeType, class AdmitType, class Taker>
struct Runs : Vectors<V> {
    using Base = Vectors<V>;
    using Shape = ShapeType;
    using Admit = AdmitType;
    using AnyAdmission = typename Admission<V>::AnyAdmission;
    using Arrays = typename Admit::Arrays;
    using Filter = typename Admit::Filter;

    static constexpr bool is_for_all_kinds = std::is_same_v<Admit, AnyAdmission>;
    static constexpr bool shape_is_a_box = std::is_same_v<Shape, BoxShape<V>>;

    const Shape shape;
    const Admit admit;
    Taker& taker;

    Runs(const typename Shape::Source& source, const Filter& filter, Taker& t)
        : shape(source), admit(filter), taker(t) {}

    // The agents of a row. If runs are expanded in place, their arrays are kept in variables: otherwise the
    // compiler would read them from the row again after each answer.
    using Agents = std::conditional_t<is_for_all_kinds, Row, Arrays>;
    static decltype(auto) agents(const Row& row) {
        if constexpr (is_for_all_kinds)
            return (row);
        else
            return Arrays(row);
    }
    static Arrays arrays_of(const Row& row) { return Arrays(row); }
    static const Arrays& arrays_of(const Arrays& a) { return a; }

    // Compares the agents [begin, end). A vector may go on past the end, and finds nothing there, except if a
    // covered run follows: then its lanes are `cut` off.
    template <bool cut>
    bool test(const Agents& run, std::uint32_t begin, std::uint32_t end) const {
        if constexpr (is_for_all_kinds)
            return test_apart(run, begin, end);
        else
            return test_with<cut>(admit, shape, run, begin, end);
    }
    template <bool cut>
    bool test_often(const Agents& run, std::uint32_t begin, std::uint32_t end) const {
        return test_edge<cut>(shape, run, begin, end);
    }
    // The same with less to compare.
    template <bool cut, class Edge>
    bool test_edge(const Edge& edge, const Agents& run, std::uint32_t begin, std::uint32_t end) const {
        if constexpr (!is_for_all_kinds)
            return test_with<cut>(admit, edge, run, begin, end);
        else if (admit.is_everyone()) [[likely]]
            return test_with<cut>(admit.everyone(), edge, run, begin, end);
        else
            return test_apart(run, begin, end);
    }
    // In a covered row, before its covered columns and behind them.
    bool test_before(const Agents& run, std::uint32_t begin, std::uint32_t end) const {
        if constexpr (HasEdges<Shape>)
            return test_edge<true>(shape.before(), run, begin, end);
        else
            return test<true>(run, begin, end);
    }
    bool test_behind(const Agents& run, std::uint32_t begin, std::uint32_t end) const {
        if constexpr (HasEdges<Shape>)
            return test_edge<false>(shape.behind(), run, begin, end);
        else
            return test<false>(run, begin, end);
    }
    // Agents that all overlap the shape.
    bool take(const Agents& run, std::uint32_t begin, std::uint32_t end, const std::uint32_t* ahead) const {
        if constexpr (is_for_all_kinds)
            return take_apart(run, begin, end, ahead);
        else
            return take_with(admit, run, begin, end, ahead);
    }
    bool take_often(const Agents& run, std::uint32_t begin, std::uint32_t end,
                    const std::uint32_t* ahead) const {
        if constexpr (is_for_all_kinds)
            if (admit.is_everyone()) [[likely]]
                return take_with(admit.everyone(), run, begin, end, ahead);
        return take(run, begin, end, ahead);
    }

    THRONG_KERNEL THRONG_NOINLINE bool test_apart(const Agents& run, std::uint32_t begin,
                                                  std::uint32_t end) const {
        return admit.as([&](const auto& one) { return test_with<true>(one, shape, run, begin, end); });
    }
    THRONG_KERNEL THRONG_NOINLINE bool take_apart(const Agents& run, std::uint32_t begin, std::uint32_t end,
                                                  const std::uint32_t* ahead) const {
        return admit.as([&](const auto& one) { return take_with(one, run, begin, end, ahead); });
    }
    template <bool cut, class One, class Probe>
    bool test_with(const One& one, const Probe& probe, const Agents& run, std::uint32_t begin,
                   std::uint32_t end) const {
        const Arrays& a = arrays_of(run);
        if constexpr (One::is_unfiltered)
            return taker.template test<cut>(probe, a, begin, end);
        else
            return taker.template test<cut>(Both<Probe, One>{probe, one}, a, begin, end);
    }
    template <class One>
    bool take_with(const One& one, const Agents& run, std::uint32_t begin, std::uint32_t end,
                   const std::uint32_t* ahead) const {
        const Arrays& a = arrays_of(run);
        if constexpr (One::is_unfiltered)
            return taker.take(a, begin, end, ahead);
        else
            return taker.template test<true>(one, a, begin, end);
    }

    // A shape is only asked about agents that its bounds do not miss.
    struct WithinBounds {
        const Shape& shape;
        const typename Base::template Probe<typename V::Wide> bounds;

        explicit WithinBounds(const Shape& s) : shape(s), bounds(s.bounds()) {}
        std::uint32_t overlap(const Arrays& a, std::size_t j) const {
            const std::uint32_t found = bounds.overlap(a, j);
            return found == 0 ? 0 : found & shape.overlap(a, j);
        }
    };

    THRONG_KERNEL THRONG_NOINLINE bool test_within(const Row& row, std::uint32_t begin,
                                                   std::uint32_t end) const {
        const auto& run = agents(row);
        if constexpr (shape_is_a_box)
            return test<true>(run, begin, end);
        else
            return admit.as(
                [&](const auto& one) { return test_with<true>(one, WithinBounds(shape), run, begin, end); });
    }

    // --- Crowded cells (docs/design.md): the bounds of the cell, then of its chunks, then agents ---

    // The agents [begin, end) of a row, which may be as many as in a crowded cell.
    THRONG_KERNEL THRONG_NOINLINE bool test_crowded(const View& view, const Row& row, std::uint32_t begin,
                                                    std::uint32_t end) const {
        const std::uint32_t* const ids = Arrays(row).id;
        while (begin < end && end - begin >= least_crowded) {
            const CrowdedCell* const cell = next_crowded(view, ids + begin);
            if (cell == nullptr || !Base::is_behind(ids + end, cell->begin)) break;
            const std::uint32_t first = Base::is_behind(cell->begin, ids + begin) ? number(cell->begin, ids)
                                                                                  : begin,
                                last = number(cell->end, ids), behind = last < end ? last : end;
            if (begin < first && !test_apart(agents(row), begin, first)) return false;
            if (!test_cell(row, *cell, first, behind)) return false;
            begin = behind;
        }
        return begin >= end || test_apart(agents(row), begin, end);
    }
    static const CrowdedCell* next_crowded(const View& view, const std::uint32_t* slot) {
        const PileFinder* const piles = view.piles;
        return piles == nullptr || piles->next_cell == nullptr ? nullptr : piles->next_cell(*piles, slot);
    }
    static std::uint32_t number(const std::uint32_t* slot, const std::uint32_t* ids) {
        return static_cast<std::uint32_t>(slot - ids);
    }
    // Chunks that follow each other are one run. A taker that knows piles may need only a few of its agents.
    bool test_cell(const Row& row, const CrowdedCell& cell, std::uint32_t begin, std::uint32_t end) const {
        constexpr std::uint32_t lanes = gap;
        const typename Shape::Outline outline(shape);
        const Bounds& all = cell.bounds;
        const Query& q = shape.bounds();
        sees_chunks(1);
        if (outline.misses(&all.min_x)) return true;
        if (q.min_x <= all.min_x && q.min_y <= all.min_y && -q.max_x <= all.negated_max_x &&
            -q.max_y <= all.negated_max_y)
            return test_apart(agents(row), begin, end);
        const typename Base::template Probe<typename V::Wide> probe(q);
        const typename Base::Arrays chunks(cell.chunks);
        const std::uint32_t cell_begin = number(cell.begin, Arrays(row).id);
        std::uint32_t from = begin, to = begin;  // the run that is not compared yet
        sees_chunks((cell.chunks.count + lanes - 1) / lanes);
        for (std::uint32_t j = 0; j < cell.chunks.count; j += lanes) {
            for (std::uint32_t near = probe.template overlap_of<lanes>(chunks, j); near != 0;
                 near &= near - 1) {
                const std::uint32_t k = j + Base::lowest(near);
                const float edges[4] = {chunks.min_x[k], chunks.min_y[k], -chunks.max_x[k], -chunks.max_y[k]};
                if (outline.misses(edges)) continue;
                const std::uint32_t chunk_begin = cell_begin + (k << cell.chunk_shift),
                                    chunk_end = chunk_begin + (1u << cell.chunk_shift),
                                    first = chunk_begin < begin ? begin : chunk_begin,
                                    behind = chunk_end < end ? chunk_end : end;
                if (first >= behind) continue;
                if (first != to) {
                    if (from < to && !test_apart(agents(row), from, to)) return false;
                    from = first;
                }
                to = behind;
            }
        }
        return from == to || test_apart(agents(row), from, to);
    }

    void sees_row(const Row& row, std::uint32_t columns) const {
        if constexpr (Observer<Taker>) taker.sees_row(row, columns);
    }
    void sees_island() const {
        if constexpr (Observer<Taker>) taker.sees_island();
    }
    void sees_tiles(std::uint64_t count) const {
        if constexpr (Observer<Taker>) taker.sees_tiles(count);
    }
    void sees_node() const {
        if constexpr (Observer<Taker>) taker.sees_node();
    }
    void sees_chunks(std::uint64_t count) const {
        if constexpr (Observer<Taker>) taker.sees_chunks(count);
    }
};

}  // namespace throng::simd
