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
        if (is_crowded && end - begin >= least_pile) return s.test_crowded(view, row, begin, end);
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

}  // namespace throng::simd
