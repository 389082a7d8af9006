// Building rows from the host's boxes, in three steps:
//
//     count_rows     reads the boxes, notes each agent's row, and counts the rows' agents
//     scatter        reads them again and appends each, as a record, to its row: a row's memory now starts
//                    with the records of its agents, ordered by id
//     sort_row       turns a row's records into its arrays, in the same place (row_sort.hpp); sort_rows does
//                    so for an island
//
// If no agent is common, no row is sorted, and scatter_in_place replaces the last two steps.
//
//     scatter:   | r r r r r r r r r r r r ............ |        20 bytes an agent
//     sort_row:  | min_x.. | min_y.. | max_x.. | max_y.. | id.. |    20 bytes an agent, and a gap
//
// In a frame with heights a record has them too: 28 bytes an agent.
//
// The first step changes nothing permanent, and the second finds illegal boxes. So bad input is refused
// without an undo.
#pragma once

#include "simd/kernels/row_sort.hpp"

namespace throng::simd {

template <class V>
struct Build : RowSort<V> {
    using Base = RowSort<V>;
    using typename Base::Four;
    using typename Base::Window;
    template <class B>
    using Largest = typename Base::template Largest<B>;

    // --- Counting ---

    template <bool centre_half>
    static void count_rows_of(const Grid& g, const Columns boxes, std::size_t count, std::uint16_t* row_of,
                              std::uint32_t* histogram) {
        constexpr std::size_t lanes = Window::size;
        const Window origin(g.origin_y), scale(g.inverse_height), last(g.last_row);
        const auto find = [&](std::size_t i) {
            Window y = Window::load_unaligned(boxes.b + i);
            if constexpr (centre_half) y = y - Window::load_unaligned(boxes.d + i);
            V::store_u16(row_of + i, Base::clamped((y - origin) * scale, last));
        };
        // A piece at a time, in a loop that finds rows and one that counts: in one loop, loads would wait for
        // the counters' stores. Alternately from the beginning and from the middle: with ids in row order, a
        // counter would wait for the addition of the agent before.
        constexpr std::size_t piece = 512;
        const std::size_t half = count / (2 * lanes) * lanes;
        for (std::size_t begin = 0; begin < half; begin += piece) {
            const std::size_t end = begin + piece < half ? begin + piece : half;
            for (std::size_t i = begin; i < end; i += lanes) {
                find(i);
                find(half + i);
            }
            for (std::size_t i = begin; i < end && histogram != nullptr; i += lanes)
                for (std::size_t k = 0; k < lanes; ++k) {
                    ++histogram[row_of[i + k]];
                    ++histogram[row_of[half + i + k]];
                }
        }
        for (std::size_t i = 2 * half; i < count; ++i) {
            const float y = centre_half ? boxes.b[i] - boxes.d[i] : boxes.b[i];
            row_of[i] = static_cast<std::uint16_t>(Base::row(g, y));
            if (histogram != nullptr) ++histogram[row_of[i]];
        }
    }
    THRONG_KERNEL static void count_rows(const Grid& g, const Columns& boxes, std::size_t count,
                                         std::uint16_t* row_of, std::uint32_t* histogram) {
        if (boxes.centre_half)
            count_rows_of<true>(g, boxes, count, row_of, histogram);
        else
            count_rows_of<false>(g, boxes, count, row_of, histogram);
    }

    // --- Scattering ---

    // The records of a row are contiguous, and there are hundreds of rows. Without a prefetch of the next
    // line, each append would wait for its cache line.
    static constexpr std::size_t further = 160;
    template <class R>
    static R* next(Record*& cursor) {
        R* at = static_cast<R*>(cursor);
        cursor = at + 1;
        return at;
    }
    template <class R = Record>
    static R* append(Record*& cursor) {
        R* at = next<R>(cursor);
        Base::template fetch_from<1>(at, further);
        return at;
    }
    // The lines that many rows write to do not fit into the first-level cache. So lines further on are
    // fetched into the second, and `soon` records before it is written, the line where a record ends into the
    // first.
    static constexpr std::size_t many_rows = 192, soon = 16;
    template <class R>
    static void fetch(const Record* cursor) {
        Base::template fetch_from<1>(cursor, sizeof(R) - 1);
        Base::template fetch_from<0, 2>(cursor, sizeof(R) + further);
    }
    template <class R, bool centre_half, bool given_ids, bool in_many_rows>
    THRONG_KERNEL static std::size_t scatter_of(const Columns boxes, const float* heights, std::size_t count,
                                                const std::uint32_t* ids, std::uint32_t first_id,
                                                const std::uint16_t* row_of, Record** cursors) {
        const auto id = [&](std::size_t i) {
            return given_ids ? ids[i] : first_id + static_cast<std::uint32_t>(i);
        };
        const auto finish = [&](R* to, std::size_t i) {
            to->id = id(i);
            if constexpr (Base::template is_tall<R>)
                std::memcpy(static_cast<void*>(&to->min_z), heights + 2 * i, 2 * sizeof *heights);
        };
        constexpr std::size_t lanes = Window::size;
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            Window a = Window::load_unaligned(boxes.a + i), b = Window::load_unaligned(boxes.b + i);
            Window c = Window::load_unaligned(boxes.c + i), d = Window::load_unaligned(boxes.d + i);
            if constexpr (centre_half) to_corners(a, b, c, d);
            if (!Base::all_legal(a, b, c, d)) [[unlikely]]
                break;
            Base::transpose(a, b, c, d);
            const Window records[4] = {a, b, c, d};
            if (in_many_rows && i + soon + lanes <= count)
                for (std::size_t k = 0; k < lanes; ++k) fetch<R>(cursors[row_of[i + soon + k]]);
            for (std::size_t k = 0; k < lanes; ++k) {
                Record*& cursor = cursors[row_of[i + k]];
                R* to = in_many_rows ? next<R>(cursor) : append<R>(cursor);
                V::quarter(records[k % 4], k / 4).store_unaligned(&to->min_x);
                finish(to, i + k);
            }
        }
        for (; i < count; ++i) {
            float a = boxes.a[i], b = boxes.b[i], c = boxes.c[i], d = boxes.d[i];
            if constexpr (centre_half) to_corners(a, b, c, d);
            if (!Base::legal(a, b, c, d)) return i;
            R* to = append<R>(cursors[row_of[i]]);
            static_cast<Record&>(*to) = {a, b, c, d, id(i)};
            finish(to, i);
        }
        return count;
    }
    template <class T>
    static void to_corners(T& a, T& b, T& c, T& d) {
        const T x = a, y = b;
        a = x - c;
        b = y - d;
        c = x + c;
        d = y + d;
    }
    THRONG_KERNEL static std::size_t scatter(const Columns& boxes, std::size_t count,
                                             const std::uint32_t* ids, std::uint32_t first_id,
                                             const std::uint16_t* row_of, Record** cursors,
                                             std::size_t rows) {
        return scatter_any<Record>(boxes, nullptr, count, ids, first_id, row_of, cursors, rows);
    }
    THRONG_KERNEL static std::size_t scatter_tall(const Columns& boxes, const float* heights,
                                                  std::size_t count, const std::uint32_t* ids,
                                                  std::uint32_t first_id, const std::uint16_t* row_of,
                                                  Record** cursors, std::size_t rows) {
        return scatter_any<TallRecord>(boxes, heights, count, ids, first_id, row_of, cursors, rows);
    }
    template <class R>
    static std::size_t scatter_any(const Columns& boxes, const float* heights, std::size_t count,
                                   const std::uint32_t* ids, std::uint32_t first_id,
                                   const std::uint16_t* row_of, Record** cursors, std::size_t rows) {
        using Scatter = decltype(&scatter_of<R, false, false, false>);
        constexpr Scatter kinds[] = {scatter_of<R, false, false, false>, scatter_of<R, false, false, true>,
                                     scatter_of<R, false, true, false>,  scatter_of<R, false, true, true>,
                                     scatter_of<R, true, false, false>,  scatter_of<R, true, false, true>,
                                     scatter_of<R, true, true, false>,   scatter_of<R, true, true, true>};
        const int kind = 4 * boxes.centre_half + 2 * (ids != nullptr) + (rows >= many_rows);
        return kinds[kind](boxes, heights, count, ids, first_id, row_of, cursors);
    }

    // Agents that follow each other in one row are written a vector at a time.
    THRONG_KERNEL static std::size_t scatter_in_place(const Columns& columns, std::size_t count,
                                                      const std::uint32_t* ids, std::uint32_t first_id,
                                                      const std::uint16_t* row_of, const Row* rows,
                                                      std::uint32_t* next, const float* heights) {
        constexpr std::size_t lanes = Window::size;
        const Columns boxes = columns;
        const auto id = [&](std::size_t i) {
            return ids != nullptr ? ids[i] : first_id + static_cast<std::uint32_t>(i);
        };
        const auto put = [&](std::size_t i, std::size_t agents, const auto&... coordinates) {
            const Row& row = rows[row_of[i]];
            float* const to = const_cast<float*>(row.data) + gap + next[row_of[i]];
            std::uint32_t* const to_ids = reinterpret_cast<std::uint32_t*>(to + std::size_t{4} * row.stride);
            std::size_t array = 0;
            (store(coordinates, to + array++ * row.stride), ...);
            for (std::size_t k = 0; k < agents; ++k) to_ids[k] = id(i + k);
            for (std::size_t k = 0; k < 2 * agents && heights != nullptr; ++k)
                to[(7 + k % 2) * row.stride + k / 2] = heights[2 * i + k];
            next[row_of[i]] += static_cast<std::uint32_t>(agents);
        };
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            Window a = Window::load_unaligned(boxes.a + i), b = Window::load_unaligned(boxes.b + i);
            Window c = Window::load_unaligned(boxes.c + i), d = Window::load_unaligned(boxes.d + i);
            if (boxes.centre_half) to_corners(a, b, c, d);
            if (!Base::all_legal(a, b, c, d)) [[unlikely]]
                break;
            if (are_equal(row_of + i)) {
                put(i, lanes, a, b, c, d);
                continue;
            }
            float corners[4][lanes];
            std::size_t array = 0;
            for (const Window& of : {a, b, c, d}) of.store_unaligned(corners[array++]);
            for (std::size_t k = 0; k < lanes; ++k)
                put(i + k, 1, corners[0][k], corners[1][k], corners[2][k], corners[3][k]);
        }
        for (; i < count; ++i) {
            float a = boxes.a[i], b = boxes.b[i], c = boxes.c[i], d = boxes.d[i];
            if (boxes.centre_half) to_corners(a, b, c, d);
            if (!Base::legal(a, b, c, d)) return i;
            put(i, 1, a, b, c, d);
        }
        return count;
    }
    static bool are_equal(const std::uint16_t* rows) {
        std::uint32_t differ = 0;
        for (std::size_t k = 1; k < Window::size; ++k) differ |= rows[k] ^ rows[0];
        return differ == 0;
    }
    static void store(float value, float* to) { *to = value; }
    static void store(const Window& values, float* to) { values.store_unaligned(to); }

    // Values past the end are NaN, which compares as not larger.
    THRONG_KERNEL static RowReach measure_row(const Row& row) {
        const typename Base::Arrays a(row);
        Largest<Window> seen;
        for (std::size_t i = 0; i < row.count; i += Window::size)
            seen.add(Window::load_unaligned(a.min_x + i), Window::load_unaligned(a.min_y + i),
                     Window::load_unaligned(a.max_x + i), Window::load_unaligned(a.max_y + i));
        return seen.reach();
    }

    THRONG_KERNEL static Bounds bound_row(const Row& row) {
        const typename Base::Arrays a(row);
        const Window far(infinite);
        Window least[4] = {far, far, far, far};
        const auto lower = [](Window& bound, const Window& v) { bound = V::smaller(v, bound); };
        for (std::uint32_t i = 0; i < row.count; i += Window::size) {
            lower(least[0], Window::load_unaligned(a.min_x + i));
            lower(least[1], Window::load_unaligned(a.min_y + i));
            lower(least[2], -Window::load_unaligned(a.max_x + i));
            lower(least[3], -Window::load_unaligned(a.max_y + i));
        }
        const auto of = [](const Window& lanes) { return -Largest<Window>::of(-lanes); };
        return {of(least[0]), of(least[1]), of(least[2]), of(least[3])};
    }
};

}  // namespace throng::simd
