// Building rows out of the host's boxes, in three steps:
//
//     count_rows     reads the boxes, notes each agent's row, and counts the rows' agents
//     scatter        reads them again and appends each, as a record, to its row: a row's memory now starts
//                    with the records of its agents, ordered by id
//     sort_row       turns a row's records into its arrays, in the same place: a counting sort by column
//
//     scatter:   | r r r r r r r r r r r r ............ |        20 bytes an agent
//     sort_row:  | min_x.. | min_y.. | max_x.. | max_y.. | id.. |    20 bytes an agent, and a gap
//
// The first step changes nothing permanent, and the second finds illegal boxes. So bad input is refused
// without an undo.
#pragma once

#include <cstring>

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct Build : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Four;
    using typename Base::Window;

    // --- Counting ---

    template <bool centre_half>
    static void count_rows_of(const Grid& g, const Columns& boxes, std::size_t count, std::uint16_t* row_of,
                              std::uint32_t* histogram) {
        constexpr std::size_t lanes = Window::size;
        const Window origin(g.origin_y), scale(g.inverse_height), last(g.last_row);
        std::size_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            Window y = Window::load_unaligned(boxes.b + i);
            if constexpr (centre_half) y = y - Window::load_unaligned(boxes.d + i);
            V::store_u16(row_of + i, Base::clamped((y - origin) * scale, last));
            for (std::size_t k = 0; k < lanes; ++k) ++histogram[row_of[i + k]];
        }
        for (; i < count; ++i) {
            const float y = centre_half ? boxes.b[i] - boxes.d[i] : boxes.b[i];
            row_of[i] = static_cast<std::uint16_t>(Base::row(g, y));
            ++histogram[row_of[i]];
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
    static Record* append(Record*& cursor) {
        Record* at = cursor++;
        __builtin_prefetch(reinterpret_cast<const char*>(at) + 160, 1);
        return at;
    }
    template <bool centre_half, bool given_ids>
    static std::size_t scatter_of(const Columns& boxes, std::size_t count, const std::uint32_t* ids,
                                  std::uint32_t first_id, const std::uint16_t* row_of, Record** cursors) {
        const auto id = [&](std::size_t i) {
            return given_ids ? ids[i] : first_id + static_cast<std::uint32_t>(i);
        };
        std::size_t i = 0;
        for (; i + 4 <= count; i += 4) {
            Four a = Four::load_unaligned(boxes.a + i), b = Four::load_unaligned(boxes.b + i);
            Four c = Four::load_unaligned(boxes.c + i), d = Four::load_unaligned(boxes.d + i);
            if constexpr (centre_half) to_corners(a, b, c, d);
            if (!Base::all_legal(a, b, c, d)) [[unlikely]]
                break;
            Base::transpose(a, b, c, d);
            const Four lanes[4] = {a, b, c, d};
            for (std::size_t k = 0; k < 4; ++k) {
                Record* to = append(cursors[row_of[i + k]]);
                lanes[k].store_unaligned(&to->min_x);
                to->id = id(i + k);
            }
        }
        for (; i < count; ++i) {
            float a = boxes.a[i], b = boxes.b[i], c = boxes.c[i], d = boxes.d[i];
            if constexpr (centre_half) to_corners(a, b, c, d);
            if (!Base::legal(a, b, c, d)) return i;
            *append(cursors[row_of[i]]) = {a, b, c, d, id(i)};
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
                                             const std::uint16_t* row_of, Record** cursors) {
        if (ids != nullptr)
            return boxes.centre_half ? scatter_of<true, true>(boxes, count, ids, first_id, row_of, cursors)
                                     : scatter_of<false, true>(boxes, count, ids, first_id, row_of, cursors);
        return boxes.centre_half ? scatter_of<true, false>(boxes, count, ids, first_id, row_of, cursors)
                                 : scatter_of<false, false>(boxes, count, ids, first_id, row_of, cursors);
    }

    // --- Sorting ---

    // The largest extents seen, lane by lane.
    template <class B>
    struct Largest {
        B width = B(0.0f), height = B(0.0f);

        void add(const B& min_x, const B& min_y, const B& max_x, const B& max_y) {
            const B w = max_x - min_x, h = max_y - min_y;
            width = xsimd::select(width < w, w, width);
            height = xsimd::select(height < h, h, height);
        }
        static float of(const B& lanes) {
            float lane[B::size];
            lanes.store_unaligned(lane);
            float best = lane[0];
            for (std::size_t k = 1; k < B::size; ++k)
                if (best < lane[k]) best = lane[k];
            return best;
        }
        RowReach reach() const { return {of(width), of(height)}; }
    };

    // Oversized agents form one more column, after all others.
    static std::uint16_t sort_column(const Grid& g, const Record& r) {
        if (!(r.max_x - r.min_x <= g.common_width && r.max_y - r.min_y <= g.common_height)) [[unlikely]]
            return static_cast<std::uint16_t>(g.columns);
        return static_cast<std::uint16_t>(Base::column(g, r.min_x));
    }

    static std::byte* aligned(std::byte* p) {
        return p + (64 - reinterpret_cast<std::uintptr_t>(p) % 64) % 64;
    }

    // A counting sort gives the order; then the records are read in that order, four at a time, and
    // transposed into the arrays. The loops use a local copy of the grid, since the compiler must assume that
    // writes to cells alias it.
    THRONG_KERNEL static Row sort_row(const Grid& grid, float* data, std::uint32_t stride,
                                      std::uint32_t* cells, std::uint32_t count, void* scratch,
                                      RowSummary& summary) {
        const Grid g = grid;
        std::byte* space = aligned(static_cast<std::byte*>(scratch));
        Record* records = reinterpret_cast<Record*>(space);
        space = aligned(space + count * sizeof(Record));
        std::uint32_t* order = reinterpret_cast<std::uint32_t*>(space);
        space = aligned(space + (count + gap) * sizeof(std::uint32_t));
        std::uint16_t* columns = reinterpret_cast<std::uint16_t*>(space);

        std::memcpy(records, data, count * sizeof(Record));
        std::memset(cells, 0, (g.columns + 1) * sizeof *cells);
        for (std::uint32_t k = 0; k < count; ++k) {
            columns[k] = sort_column(g, records[k]);
            ++cells[columns[k]];
        }
        const std::uint32_t oversized = cells[g.columns];
        std::uint32_t sum = 0;
        std::uint64_t squares = 0;
        for (std::uint32_t *cell = cells, *end = cells + g.columns + 1; cell != end; ++cell) {
            const std::uint32_t here = *cell;
            *cell = sum;
            sum += here;
            squares += std::uint64_t{here} * here;
        }
        for (std::uint32_t k = 0; k < count; ++k) order[cells[columns[k]]++] = k;
        for (std::uint32_t c = g.columns; c > 0; --c) cells[c] = cells[c - 1];
        cells[0] = 0;

        Largest<Four> common_largest, oversized_largest;
        const std::uint32_t common = count - oversized;
        emit(records, order, common, data, stride, common_largest);
        pad(data + common, stride);
        emit(records, order + common, oversized, data + common + gap, stride, oversized_largest);
        // Of the common agents only; pairs of an agent with itself, and duplicates, are removed.
        squares -= std::uint64_t{oversized} * oversized;
        summary = {common_largest.reach(), (squares - common) / 2};
        return {data, cells, stride, common, oversized};
    }

    // May write three places past the last.
    static void emit(const Record* records, const std::uint32_t* order, std::uint32_t count, float* out,
                     std::uint32_t stride, Largest<Four>& largest_seen) {
        if (count == 0) return;
        std::uint32_t* ids = reinterpret_cast<std::uint32_t*>(out + std::size_t{4} * stride);
        std::size_t i = 0;
        const auto four = [&](const Record& p, const Record& q, const Record& r, const Record& s) {
            Four a = Four::load_unaligned(&p.min_x), b = Four::load_unaligned(&q.min_x);
            Four c = Four::load_unaligned(&r.min_x), d = Four::load_unaligned(&s.min_x);
            Base::transpose(a, b, c, d);
            a.store_unaligned(out + i);
            b.store_unaligned(out + stride + i);
            c.store_unaligned(out + std::size_t{2} * stride + i);
            d.store_unaligned(out + std::size_t{3} * stride + i);
            ids[i] = p.id;
            ids[i + 1] = q.id;
            ids[i + 2] = r.id;
            ids[i + 3] = s.id;
            largest_seen.add(a, b, c, d);
        };
        for (; i + 4 <= count; i += 4)
            four(records[order[i]], records[order[i + 1]], records[order[i + 2]], records[order[i + 3]]);
        if (i == count) return;
        const Record& last = records[order[count - 1]];
        four(records[order[i]], i + 1 < count ? records[order[i + 1]] : last,
             i + 2 < count ? records[order[i + 2]] : last, last);
    }

    THRONG_KERNEL static std::size_t fill_row(const Columns& boxes, std::uint32_t count, float* out,
                                              std::uint32_t stride) {
        std::uint32_t* ids = reinterpret_cast<std::uint32_t*>(out + std::size_t{4} * stride);
        std::uint32_t i = 0;
        for (; i + 4 <= count; i += 4) {
            Four a = Four::load_unaligned(boxes.a + i), b = Four::load_unaligned(boxes.b + i);
            Four c = Four::load_unaligned(boxes.c + i), d = Four::load_unaligned(boxes.d + i);
            if (boxes.centre_half) to_corners(a, b, c, d);
            if (!Base::all_legal(a, b, c, d)) [[unlikely]]
                break;
            a.store_unaligned(out + i);
            b.store_unaligned(out + stride + i);
            c.store_unaligned(out + std::size_t{2} * stride + i);
            d.store_unaligned(out + std::size_t{3} * stride + i);
        }
        for (; i < count; ++i) {
            float a = boxes.a[i], b = boxes.b[i], c = boxes.c[i], d = boxes.d[i];
            if (boxes.centre_half) to_corners(a, b, c, d);
            if (!Base::legal(a, b, c, d)) return i;
            out[i] = a;
            out[stride + i] = b;
            out[std::size_t{2} * stride + i] = c;
            out[std::size_t{3} * stride + i] = d;
        }
        for (std::uint32_t k = 0; k < count; ++k) ids[k] = k;
        pad(out + count, stride);
        return count;
    }

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
        const Four far(__builtin_inff());
        Four least[4] = {far, far, far, far};
        const auto lower = [](Four& bound, const Four& v) { bound = xsimd::select(v < bound, v, bound); };
        for (std::uint32_t i = 0; i < row.count; i += 4) {
            lower(least[0], Four::load_unaligned(a.min_x + i));
            lower(least[1], Four::load_unaligned(a.min_y + i));
            lower(least[2], -Four::load_unaligned(a.max_x + i));
            lower(least[3], -Four::load_unaligned(a.max_y + i));
        }
        const auto of = [](const Four& lanes) { return -Largest<Four>::of(-lanes); };
        return {of(least[0]), of(least[1]), of(least[2]), of(least[3])};
    }

    // NaN in each of the four coordinates, so no comparison with the padding holds.
    static void pad(float* out, std::uint32_t stride) {
        const Four nan(__builtin_nanf(""));
        for (std::size_t k = 0; k < 4; ++k)
            for (std::uint32_t i = 0; i < gap; i += 4) nan.store_unaligned(out + k * stride + i);
    }
};

}  // namespace throng::simd
