// The rows of a grid that a shape may reach. A large shape is cut along the grid:
//
//               left     inner columns    right
//             +-------+------------------+-------+
//    border   |               tested             |      a row that the shape's lower edge may cross
//             +-------+------------------+-------+
//    inner    | tested|      covered     | tested|      rows strictly between the edges' rows
//    inner    | tested|      covered     | tested|
//             +-------+------------------+-------+
//    border   |               tested             |
//             +-------+------------------+-------+
//
// A covered run needs no test of its boxes (see simd/types.hpp).
#pragma once

#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/shapes/box_shape.hpp"
#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct GridRows : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Reach;

    // Whether some agents may surely be covered.
    static bool is_large(const Reach& reach) {
        return reach.last_row - reach.first_row > 1 && reach.last_column - reach.first_column > 1;
    }
    // Both searches return false if they have ended.
    template <bool is_crowded, class Search>
    static bool search_small(const View& view, const Reach& reach, const Search& s) {
        for (std::uint32_t r = reach.first_row; r <= reach.last_row; ++r)
            if (!test_row<is_crowded>(view, view.rows[r], reach, s)) return false;
        return true;
    }

    template <bool is_crowded, class Search>
    static bool test_row(const View& view, const Row& row, const Reach& reach, const Search& s) {
        if (row.count == 0) return true;
        s.sees_row(row, reach.last_column - reach.first_column + 1);
        const std::uint32_t begin = row.cells[reach.first_column], end = row.cells[reach.last_column + 1];
        if (is_crowded && end - begin >= least_crowded) return s.test_crowded(view, row, begin, end);
        return s.template test_often<false>(s.agents(row), begin, end);
    }

    // Whether a row is at the border of a search and so full that comparing one edge in covered columns pays.
    template <class Covered, class Search>
    static bool is_full_border(const Row& row, std::uint32_t r, const Covered& covered, const Search&) {
        if constexpr (HasEdges<typename Search::Shape>) {
            const ColumnRange inner = covered.columns(r);
            return (covered.is_below_top(r) || covered.is_above_bottom(r)) &&
                   row.cells[inner.behind] - row.cells[inner.first] >= 4 * Base::Wide::size;
        }
        return false;
    }
    template <class Covered, class Search>
    THRONG_KERNEL THRONG_NOINLINE static bool test_border(const Row& row, std::uint32_t r, const Reach& reach,
                                                          const Covered& covered, const Search& s) {
        if constexpr (HasEdges<typename Search::Shape>) {
            s.sees_row(row, reach.last_column - reach.first_column + 1);
            const ColumnRange inner = covered.columns(r);
            const std::uint32_t left = row.cells[inner.first], right = row.cells[inner.behind];
            const auto& agents = s.agents(row);
            return s.template test_often<true>(agents, row.cells[reach.first_column], left) &&
                   (covered.is_below_top(r)
                        ? s.template test_edge<true>(s.shape.below(), agents, left, right)
                        : s.template test_edge<true>(s.shape.above(), agents, left, right)) &&
                   s.template test_often<false>(agents, right, row.cells[reach.last_column + 1]);
        }
        return true;
    }

    // A large search visits rows in different places of memory. While this row is searched, the cell starts
    // of the row after next and the tested agents of the next row are prefetched. Returns the start of the
    // next row's covered ids.
    template <class Shape>
    static const std::uint32_t* fetch_next(const View& view, std::uint32_t r, const Reach& reach) {
        if (r + 2 <= reach.last_row && view.rows[r + 2].count != 0) {
            const std::uint32_t* cells = view.rows[r + 2].cells;
            THRONG_PREFETCH(cells + reach.first_column);
            THRONG_PREFETCH(cells + reach.last_column);
        }
        const Row& next = view.rows[r < reach.last_row && view.rows[r + 1].count != 0 ? r + 1 : r];
        const std::uint32_t left = next.cells[reach.first_column], right = next.cells[reach.last_column];
        const Arrays a(next);
        // A vector mostly crosses into the line after.
        const auto fetch = [](const float* at) {
            THRONG_PREFETCH(at);
            THRONG_PREFETCH(at + Base::Wide::size - 1);
        };
        if constexpr (HasEdges<Shape>) {
            fetch(Shape::Before::array(a) + left);
            fetch(Shape::Behind::array(a) + right);
        } else {
            for (const float* array : {a.min_x, a.min_y, a.max_x, a.max_y}) {
                fetch(array + left);
                fetch(array + right);
            }
        }
        return a.id + left;
    }

    // A covered row of a view with crowded cells.
    template <class Search>
    static bool test_crowded(const View& view, const Row& row, const Reach& reach, std::uint32_t left,
                             std::uint32_t right, const Search& s) {
        return s.test_crowded(view, row, row.cells[reach.first_column], left) &&
               s.take(s.agents(row), left, right, Arrays(row).id + left) &&
               s.test_crowded(view, row, right, row.cells[reach.last_column + 1]);
    }

    template <bool is_crowded, class Search>
    static bool search_large(const View& view, const Reach& around, const Search& s) {
        typename Search::Covered covered(s.shape, view);
        Reach reach = around;
        for (std::uint32_t r = around.first_row; r <= around.last_row; ++r) {
            const Row& row = view.rows[r];
            if (row.count == 0) continue;
            if constexpr (Narrows<typename Search::Covered, Reach>) {
                reach = around;
                if (!covered.narrow(r, reach)) continue;
            }
            if (!covered.any_in(r) || !row.is_dense()) {
                if (!(!is_crowded && is_full_border(row, r, covered, s)
                          ? test_border(row, r, reach, covered, s)
                          : test_row<is_crowded>(view, row, reach, s)))
                    return false;
                continue;
            }
            s.sees_row(row, reach.last_column - reach.first_column + 1);
            const ColumnRange inner = covered.columns(r);
            const std::uint32_t left = row.cells[inner.first], right = row.cells[inner.behind];
            const auto& agents = s.agents(row);
            if constexpr (is_crowded) {
                if (!test_crowded(view, row, reach, left, right, s)) return false;
                continue;
            }
            if (!s.test_before(agents, row.cells[reach.first_column], left)) return false;
            if (!s.take_often(agents, left, right, fetch_next<typename Search::Shape>(view, r, reach)))
                return false;
            if (!s.test_behind(agents, right, row.cells[reach.last_column + 1])) return false;
        }
        return true;
    }
};

// The rows of a grid with labels. Its table of stretches (docs/design.md) says where to look:
//
//     row 7    | 1 | 1 | 3 | 1 | 1 | 5 | 5 | 1 | ...       a query for category 4: one run, of two stretches
//     row 8    | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | ...       nothing is looked at
//
// For agents covered by the query only labels are compared.
template <class V>
struct StretchRows : Admission<V> {
    using Base = Admission<V>;
    using typename Base::LabelArrays;
    using typename Base::Reach;
    using typename Base::Wide;

    static bool is_large(const Reach& reach) { return !Base::is_small(reach); }

    static std::uint32_t trailing_ones(std::uint64_t bits) { return Base::lowest(~bits); }

    // This and all that follow return false if they have ended.
    template <class Search>
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
                              : test(view.is_crowded, view, row, begins, ends, s)))
                    return false;
                at += skip + many;
                found >>= skip + many;
            }
        }
        return true;
    }
    template <class Search>
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
            if (!search_row(view, r, reach, inner, s)) return false;
        }
        return true;
    }

    template <class Search>
    static bool test(bool is_crowded, const View& view, const Row& row, std::uint32_t begin,
                     std::uint32_t end, const Search& s) {
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
            if (!test(is_crowded, view, row, row.cells[from], row.cells[to + 1], s)) return false;
        }
        return true;
    }
};

}  // namespace throng::simd
