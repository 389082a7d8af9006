// The rows of a grid with labels. A frame knows which categories occur in each stretch of four columns of
// each row, in one table that stays in the cache (View::stretches):
//
//     row 7    | 1 | 1 | 3 | 1 | 1 | 5 | 5 | 1 | ...       a query for category 4: one run, of two stretches
//     row 8    | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | ...       nothing is looked at
//
// Adjacent stretches become one run. For agents covered by the query only labels are compared.
#pragma once

#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/shapes/box_shape.hpp"

namespace throng::simd {

template <class V>
struct StretchRows : Admission<V> {
    using Base = Admission<V>;
    using typename Base::LabelArrays;
    using typename Base::Reach;
    using typename Base::Wide;

    static bool is_large(const Reach& reach) { return !Base::is_small(reach); }

    static std::uint32_t trailing_ones(std::uint64_t bits) { return Base::lowest(~bits); }

    // This and all that follow return false if they have ended.
    template <bool is_crowded, class Search>
    static bool search_row(const View& view, std::uint32_t r, const Reach& reach, const ColumnRange& inner,
                           const Search& s) {
        const Row& row = view.rows[r];
        const std::uint32_t* stretches = view.stretches + std::size_t{r} * view.stretches_in_row;
        const std::uint32_t end = reach.last_column >> stretch_shift;
        const auto labelled = s.admit.labelled();
        for (std::uint32_t from = reach.first_column >> stretch_shift; from <= end; from += Wide::size) {
            std::uint64_t found = labelled.matching(stretches, from, end);
            for (std::uint32_t at = from; found != 0;) {
                const std::uint32_t skip = Base::lowest(found), many = trailing_ones(found >> skip);
                const std::uint32_t begin = (at + skip) << stretch_shift;
                const std::uint32_t behind = begin + (many << stretch_shift);
                const std::uint32_t first = begin < reach.first_column ? reach.first_column : begin;
                const std::uint32_t last = behind - 1 < reach.last_column ? behind - 1 : reach.last_column;
                s.sees_row(row, last - first + 1);
                const std::uint32_t begins = row.cells[first], ends = row.cells[last + 1];
                const bool covered = row.is_dense() && inner.contains(first, last);
                if (!(covered ? s.take(s.agents(row), begins, ends, nullptr)
                              : test<is_crowded>(view, row, begins, ends, s)))
                    return false;
                at += skip + many;
                found >>= skip + many;
            }
        }
        return true;
    }
    template <bool is_crowded, class Search>
    THRONG_KERNEL THRONG_NOINLINE static bool search_large(const View& view, const Reach& around,
                                                           const Search& s) {
        typename Search::Covered covered(s.shape, view);
        Reach reach = around;
        for (std::uint32_t r = around.first_row; r <= around.last_row; ++r) {
            if constexpr (Narrows<typename Search::Covered, Reach>) {
                reach = around;
                if (!covered.narrow(r, reach)) continue;
            }
            const ColumnRange inner = covered.any_in(r) ? covered.columns(r) : ColumnRange{0, 0};
            if (!search_row<is_crowded>(view, r, reach, inner, s)) return false;
        }
        return true;
    }

    template <bool is_crowded, class Search>
    static bool test(const View& view, const Row& row, std::uint32_t begin, std::uint32_t end,
                     const Search& s) {
        return is_crowded ? s.test_crowded(view, row, begin, end)
                          : s.template test<true>(s.agents(row), begin, end);
    }

    // At most two stretches of at most two rows.
    template <bool is_crowded, class Search>
    static bool search_small(const View& view, const Reach& reach, const Search& s) {
        const std::uint32_t first = reach.first_column >> stretch_shift,
                            last = reach.last_column >> stretch_shift;
        const std::uint32_t wanted = s.admit.categories();
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const std::uint32_t* stretches = view.stretches + std::size_t{r} * view.stretches_in_row;
            const bool left = (stretches[first] & wanted) != 0, right = (stretches[last] & wanted) != 0;
            if (!left && !right) continue;
            const Row& row = view.rows[r];
            const std::uint32_t from = left ? reach.first_column : last << stretch_shift,
                                to = right ? reach.last_column : ((first + 1) << stretch_shift) - 1;
            s.sees_row(row, to - from + 1);
            if (!test<is_crowded>(view, row, row.cells[from], row.cells[to + 1], s)) return false;
        }
        return true;
    }
};

}  // namespace throng::simd
