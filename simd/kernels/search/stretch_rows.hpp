// The rows of a grid with labels. A frame knows which categories occur in each stretch of four columns of each
// row, in one table that stays in the cache (View::stretches):
//
//     row 7    | 1 | 1 | 3 | 1 | 1 | 5 | 5 | 1 | ...       a query for category 4: one run, of two stretches
//     row 8    | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | ...       nothing is looked at
//
// Adjacent stretches become one run, and runs are collected in a short list, so the starts of their cells,
// and then their labels, are fetched from memory in parallel. For agents covered by the query only labels are
// compared.
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

    struct Run {
        const Row* row;
        std::uint32_t first, last;  // columns, and then places
        bool covered;
    };

    template <class Search>
    struct Runs {
        static constexpr std::uint32_t max_runs = 32;
        const Search& search;
        std::uint32_t count = 0;
        Run run[max_runs];

        explicit Runs(const Search& s) : search(s) {}
        // Returns false once the taker has stopped.
        bool add(const Run& next) {
            search.sees_row(*next.row, next.last - next.first + 1);
            __builtin_prefetch(next.row->cells + next.first);
            run[count++] = next;
            return count < max_runs || flush();
        }
        bool flush() {
            const Row* row = nullptr;
            std::uint32_t done = 0;
            for (std::uint32_t i = 0; i < count; ++i) {
                Run& r = run[i];
                if (r.row != row) done = 0;
                row = r.row;
                const std::uint32_t begin = row->cells[r.first];
                r.last = row->cells[r.last + 1];
                r.first = begin < done ? done : begin;
                done = r.last;
                const LabelArrays a(*row);
                __builtin_prefetch(a.categories + r.first);
                __builtin_prefetch(a.categories + r.first + gap);
                __builtin_prefetch(a.id + r.first);
            }
            const std::uint32_t runs = count;
            count = 0;
            for (std::uint32_t i = 0; i < runs; ++i)
                if (!test(run[i])) return false;
            return true;
        }
        bool test(const Run& r) {
            const LabelArrays a(*r.row);
            if (r.covered && r.row->holes == 0) return search.take(a, r.first, r.last, nullptr);
            return search.template test<true>(a, r.first, r.last);
        }
    };

    static std::uint32_t trailing_ones(std::uint64_t bits) { return Base::lowest(~bits); }

    template <class Search>
    static bool search_row(const View& view, std::uint32_t r, const Reach& reach, const ColumnRange& inner,
                           Runs<Search>& runs) {
        const std::uint32_t* stretches = view.stretches + std::size_t{r} * view.stretches_in_row;
        const std::uint32_t end = reach.last_column >> stretch_shift;
        for (std::uint32_t s = reach.first_column >> stretch_shift; s <= end; s += Wide::size) {
            std::uint64_t found = runs.search.admit.matching(stretches, s, end);
            for (std::uint32_t at = s; found != 0;) {
                const std::uint32_t skip = Base::lowest(found), many = trailing_ones(found >> skip);
                const std::uint32_t begin = (at + skip) << stretch_shift;
                const std::uint32_t behind = begin + (many << stretch_shift);
                const std::uint32_t first = begin < reach.first_column ? reach.first_column : begin;
                const std::uint32_t last = behind - 1 < reach.last_column ? behind - 1 : reach.last_column;
                if (!runs.add({&view.rows[r], first, last, inner.contains(first, last)})) return false;
                at += skip + many;
                found >>= skip + many;
            }
        }
        return true;
    }
    template <class Search>
    THRONG_KERNEL [[gnu::noinline]] static bool search_large(const View& view, const Reach& around,
                                                             const Search& s) {
        Runs<Search> runs(s);
        typename Search::Covered covered(s.shape, view);
        Reach reach = around;
        for (std::uint32_t r = around.first_row; r <= around.last_row; ++r) {
            if constexpr (Narrows<typename Search::Covered, Reach>) {
                reach = around;
                if (!covered.narrow(r, reach)) continue;
            }
            const ColumnRange inner = covered.any_in(r) ? covered.columns(r) : ColumnRange{0, 0};
            if (!search_row(view, r, reach, inner, runs)) return false;
        }
        return runs.flush();
    }

    // At most two stretches of at most two rows. Both searches return false if they have ended.
    template <class Search>
    static bool search_small(const View& view, const Reach& reach, const Search& s) {
        const std::uint32_t first = reach.first_column >> stretch_shift,
                            last = reach.last_column >> stretch_shift;
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r) {
            const std::uint32_t* stretches = view.stretches + std::size_t{r} * view.stretches_in_row;
            const bool left = (stretches[first] & s.admit.wanted) != 0,
                       right = (stretches[last] & s.admit.wanted) != 0;
            if (!left && !right) continue;
            const Row& row = view.rows[r];
            const std::uint32_t from = left ? reach.first_column : last << stretch_shift,
                                to = right ? reach.last_column : ((first + 1) << stretch_shift) - 1;
            s.sees_row(row, to - from + 1);
            if (!s.template test<true>(LabelArrays(row), row.cells[from], row.cells[to + 1])) return false;
        }
        return true;
    }
};

}  // namespace throng::simd
