// All pairs of agents that overlap and share a height, in a frame with heights: the steps of
// simd/kernels/pairs/pairs.hpp, each with one more comparison.
//
//     row r      . . i j j j j j j j j . . . .     1. a word of those that overlap, and one of those that
//                                                     share a height
//                                                  2. and 3. as there, for the rest of the boxes
//
// Rows with very many agents within reach go through simd/kernels/pairs/filtered/filtered_pairs.hpp, where
// heights are one more filter.
#pragma once

#include "simd/kernels/pairs/filtered/filtered_pairs.hpp"
#include "simd/kernels/pairs/pairs.hpp"

namespace throng::simd {

template <class V>
struct PairsAtHeights : Pairs<V> {
    using Base = Pairs<V>;
    using Base::window;
    using typename Base::Locator;
    using typename Base::Near;
    using typename Base::Wide;
    using typename Base::Writer;
    using Arrays = typename Admission<V>::LabelArrays;

    struct Probe {
        typename Base::template Probe<Wide> box;
        typename Admission<V>::Heights heights;

        Probe(const Arrays& a, std::uint32_t i) : box(a, i), heights{a.min_z[i], a.max_z[i]} {}
        std::uint32_t overlap(const Arrays& a, std::size_t j) const {
            const std::uint32_t found = box.overlap(a, j);
            return found == 0 ? 0 : found & Admission<V>::template sharing_a_height<Wide>(heights, a, j);
        }
    };

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
    static bool in_full_cells(const View& view, const Row& row, Writer& out) {
        const std::uint32_t columns = view.grid.columns, reach = Base::span(view);
        const Arrays a(row);
        for (std::uint32_t c = 0; c < columns; c += window) {
            std::uint32_t full = Near::full_cells(row, c, columns, reach);
            for (; full != 0; full &= full - 1) {
                const std::uint32_t cell = c + V::first_bit(full);
                for (std::uint32_t i = row.cells[cell]; i < row.cells[cell + 1]; ++i) {
                    const std::uint32_t end = row.cells[Base::highest_column(view.grid, a.max_x[i]) + 1];
                    if (!Base::against(Probe(a, i), a.id[i], a, i + window + 1, end, out)) return false;
                }
            }
        }
        return true;
    }
    static void edges_below(const View& view, const Row& row, std::uint32_t r, const std::uint32_t* edge,
                            std::uint32_t edges, Writer& out) {
        const std::uint32_t last_row = Base::last_below(view, r);
        if (last_row == r + 1) [[likely]]
            return out.meanwhile([&](PairSink& sink) {
                Near::template edges_into<Besides::heights>(view, row, view.rows[last_row], edge, edges,
                                                            sink);
            });
        const Arrays a(row);
        const Locator locator = Base::locator_of(view);
        for (std::uint32_t e = 0; e < edges; ++e) {
            const std::uint32_t i = edge[e];
            const Probe probe(a, i);
            const auto reach = locator.reach(Locator::four(a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i]));
            for (std::uint32_t below = r + 1; below <= reach.last_row; ++below) {
                const Row& other = view.rows[below];
                if (other.count != 0 &&
                    !Base::against(probe, a.id[i], Arrays(other), other.cells[reach.first_column],
                                   other.cells[reach.last_column + 1], out))
                    return;
            }
        }
    }

    THRONG_KERNEL static void row_pairs(const View& view, std::uint32_t r, const PairLabelFilter& filter,
                                        PairScratch& scratch, PairSink& sink) {
        const Row& row = view.rows[r];
        if (row.count == 0) return;
        if (is_crowded(view, r)) [[unlikely]]
            return FilteredPairs<V>::row_pairs_filtered(view, r, filter, scratch, sink);
        const std::uint32_t edges = Near::template in_row<Besides::heights>(view, row, r, scratch, sink);
        Writer out(sink);
        if (in_full_cells(view, row, out)) edges_below(view, row, r, scratch.edge, edges, out);
    }
};

}  // namespace throng::simd
