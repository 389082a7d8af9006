// Sorting a batch of queries into packets, much as agents are sorted into rows (see build.hpp): by row into
// buckets of records, then each bucket by column. In that order neighbours in the batch read the same few
// cells.
#pragma once

#include "simd/kernels/build.hpp"
#include "simd/kernels/search/islands.hpp"

namespace throng::simd {

template <class V>
struct Packets : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Four;

    // Walks over the queries four at a time, as columns, and over the last few one by one, as long as they
    // are legal.
    template <class Vector, class Scalar>
    static std::size_t walk(const Query* queries, std::size_t count, const Vector& four, const Scalar& one) {
        std::size_t i = 0;
        for (; i + 4 <= count; i += 4) {
            Four a = Four::load_unaligned(&queries[i].min_x), b = Four::load_unaligned(&queries[i + 1].min_x);
            Four c = Four::load_unaligned(&queries[i + 2].min_x),
                 d = Four::load_unaligned(&queries[i + 3].min_x);
            Base::transpose(a, b, c, d);
            if (!Base::all_legal(a, b, c, d)) [[unlikely]]
                break;
            four(i, b);
        }
        for (; i < count; ++i) {
            const Query& q = queries[i];
            if (!Base::legal(q.min_x, q.min_y, q.max_x, q.max_y)) return i;
            one(i);
        }
        return count;
    }

    THRONG_KERNEL static std::size_t count_legal(const Query* queries, std::size_t count) {
        return walk(
            queries, count, [](std::size_t, const Four&) {}, [](std::size_t) {});
    }
    THRONG_KERNEL static std::size_t count_query_rows(const View& view, const Query* queries,
                                                      std::size_t count, std::uint16_t* row_of,
                                                      std::uint32_t* histogram) {
        const Grid& g = view.grid;
        const Four origin(g.origin_y), scale(g.inverse_height), last(g.last_row);
        const auto four = [&](std::size_t i, const Four& y) {
            std::int32_t rows[4];
            xsimd::to_int(Base::clamped((y - origin) * scale, last)).store_unaligned(rows);
            for (std::size_t k = 0; k < 4; ++k) {
                row_of[i + k] = static_cast<std::uint16_t>(rows[k]);
                ++histogram[rows[k]];
            }
        };
        const auto one = [&](std::size_t i) {
            row_of[i] = static_cast<std::uint16_t>(Base::row(g, queries[i].min_y));
            ++histogram[row_of[i]];
        };
        if (view.islands == nullptr) [[likely]]
            return walk(queries, count, four, one);
        return count_rows_of_regions(*view.islands, queries, count, row_of, histogram);
    }
    // Some at a time, as agents are led to their islands.
    static std::size_t count_rows_of_regions(const Islands& islands, const Query* queries, std::size_t count,
                                             std::uint16_t* row_of, std::uint32_t* histogram) {
        using Regions = IslandSearch<V>;
        typename Regions::Corners at;
        for (std::size_t first = 0; first < count; first += at.capacity) {
            const std::size_t here = count - first < at.capacity ? count - first : at.capacity,
                              legal = count_legal(queries + first, here);
            for (std::size_t i = 0; i < legal; ++i) {
                at.x[i] = queries[first + i].min_x;
                at.y[i] = queries[first + i].min_y;
            }
            Regions::lead_to_regions(islands.cuts, islands.regions, legal, at);
            Regions::count_rows(islands.regions, legal, at, row_of + first, histogram);
            if (legal < here) return first + legal;
        }
        return count;
    }
    THRONG_KERNEL static void scatter_queries(const Query* queries, std::size_t count,
                                              std::uint32_t first_number, const std::uint16_t* row_of,
                                              Record** cursors) {
        for (std::size_t i = 0; i < count; ++i) {
            Record* to = Build<V>::append(cursors[row_of[i]]);
            Four::load_unaligned(&queries[i].min_x).store_unaligned(&to->min_x);
            to->id = first_number + static_cast<std::uint32_t>(i);
        }
    }

    // Queries that reach the same rows are grouped, the row below first and the row above last, so the
    // search's branches are predictable and its reads come in order. Within a group they are sorted by groups
    // of columns. They begin in the same row, and so in the same region.
    THRONG_KERNEL static void sort_packet(const View& home, const Record* records, std::size_t count,
                                          std::uint8_t* group_of, Record* sorted) {
        constexpr std::uint32_t kinds = 5, groups = 256 / kinds;
        const std::uint32_t row = Base::row(home.grid, records[0].min_y);
        if (row + 1 < home.grid.rows) fetch_cells(home.rows[row + 1], home.grid.columns);
        using Reaches = typename Base::Reaches;
        const typename Base::QueriesAt query(records);
        std::uint32_t shift = 0;
        while (((home.grid.columns - 1) >> shift) >= groups) ++shift;
        const auto group = [&](const auto& reach) {
            // Those of two rows are the first kind or the third, those of one the second.
            const std::uint32_t more = reach.last_row - reach.first_row,
                                other = more + 1 < kinds ? more + 1 : kinds - 1;
            const std::uint32_t kind = more > 1 ? other : reach.first_row + reach.last_row + 1 - 2 * row;
            return static_cast<std::uint8_t>(kind * groups + (reach.first_column >> shift));
        };
        for (std::size_t first = 0; first < count; first += Reaches::capacity) {
            const std::size_t here = count - first < Reaches::capacity ? count - first : Reaches::capacity;
            const Reaches reaches(home.locate, query, first, here);
            for (std::size_t i = 0; i < here; ++i) group_of[first + i] = group(reaches[i]);
        }
        if (count <= max_inserted) return insert_by_groups(records, count, group_of, sorted);
        std::uint32_t starts[257] = {};
        for (std::size_t i = 0; i < count; ++i) ++starts[group_of[i] + 1];
        for (std::size_t k = 0; k < 256; ++k) starts[k + 1] += starts[k];
        for (std::size_t i = 0; i < count; ++i) copy(records[i], sorted[starts[group_of[i]]++]);
    }

private:
    // How many are sorted without a histogram.
    static constexpr std::size_t max_inserted = 16;

    static void fetch_cells(const Row& row, std::uint32_t columns) {
        if (row.count == 0) return;
        for (std::uint32_t c = 0; c <= columns; c += 16) THRONG_PREFETCH(row.cells + c, 0, 2);
    }
    static void copy(const Record& from, Record& to) {
        Four::load_unaligned(&from.min_x).store_unaligned(&to.min_x);
        to.id = from.id;
    }
    static void insert_by_groups(const Record* records, std::size_t count, std::uint8_t* group_of,
                                 Record* sorted) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint8_t group = group_of[i];
            std::size_t at = i;
            for (; at > 0 && group_of[at - 1] > group; --at) {
                group_of[at] = group_of[at - 1];
                copy(sorted[at - 1], sorted[at]);
            }
            group_of[at] = group;
            copy(records[i], sorted[at]);
        }
    }
};

}  // namespace throng::simd
