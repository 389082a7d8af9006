// Sorts the records of a row by column, and turns them into the row's arrays, in the same place. A counting
// sort of a copy in the scratch, which stays in a cache:
//
// 1. the column of each record, several at once
// 2. how many there are in each column, and so where each begins
// 3. the number of each record goes to its slot in the order
// 4. boxes are read in this order, four by four, and transposed into the arrays
//
// Each is a loop of its own, which is faster than two in one: stores to an address that was just loaded keep
// later loads waiting. It is stable, so a column's agents stay in the order of their ids. The last two fetch
// the records of the next row, which lie behind: one of them alone would ask for more lines than a core can
// wait for at once.
#pragma once

#include <cstring>

#include "simd/kernels/vectors.hpp"
#include "simd/row_kernels.hpp"

namespace throng::simd {

template <class V>
struct RowSort : Vectors<V> {
    using Base = Vectors<V>;
    template <int for_writing>
    using Ahead = typename Base::template Ahead<for_writing>;
    using typename Base::Four;
    using typename Base::Window;

    template <class R>
    static constexpr bool is_tall = sizeof(R) != sizeof(Record);

    // The largest extents seen, lane by lane.
    template <class B>
    struct Largest {
        B width = B(0.0f), height = B(0.0f);

        void add(const B& min_x, const B& min_y, const B& max_x, const B& max_y) {
            add_extents(max_x - min_x, max_y - min_y);
        }
        void add_extents(const B& w, const B& h) {
            width = V::larger(w, width);
            height = V::larger(h, height);
        }
        // Extents of some lanes.
        template <class Mask>
        void add_some(const Mask& some, const B& w, const B& h) {
            add_extents(xsimd::select(some, w, B(0.0f)), xsimd::select(some, h, B(0.0f)));
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

    // The loops use a local copy of the grid, since the compiler must assume that writes to cells alias it.
    template <class R>
    THRONG_KERNEL static Row sort_row(const Grid& grid, const Record* records, float* data,
                                      std::uint32_t stride, std::uint32_t* cells, std::uint32_t count,
                                      void* memory, RowSummary& summary) {
        const Grid g = grid;
        const auto scratch = copied<R>(records, count, memory);
        std::memset(cells, 0, (g.columns + 1) * sizeof *cells);
        const RowReach reach = find_columns(g, scratch.records, count, scratch.columns);
        count_columns(scratch.columns, count, cells);
        const std::uint32_t oversized = cells[g.columns], common = count - oversized;
        const std::uint64_t squares = starts_of(cells, g.columns + 1);
        // Heights go behind what the records fill.
        Ahead<1> behind(is_tall<R> ? data + std::size_t{7} * stride
                                   : reinterpret_cast<const float*>(cells + g.columns + 1));
        put_in_order(scratch, count, cells, behind);
        if (summary.by_id) summary.by_id = put_by_id(scratch, count, cells);
        // Each number is now where its cell ends, which is where the next one begins.
        std::memmove(cells + 1, cells, g.columns * sizeof *cells);
        cells[0] = 0;

        const Row row{data, cells, stride, common, oversized};
        write(scratch, 0, row, behind);
        // Of the common agents only; pairs of an agent with itself, and duplicates, are removed.
        const std::uint64_t of_common = squares - std::uint64_t{oversized} * oversized;
        summary.reach = reach;
        summary.sharing = (of_common - common) / 2;
        return row;
    }

    // The same for the records of all rows of a grid, which are laid out one after the other from `to` on.
    template <class R>
    THRONG_KERNEL static void sort_rows(const Grid& grid, const Record* records, std::uint32_t count,
                                        Extras extras, Row* rows, void* to, void* memory,
                                        RowSummary& summary) {
        const Grid g = grid;
        const std::uint32_t columns = g.columns + 1;
        const auto scratch = copied<R>(records, count, memory);
        std::uint32_t* ends = scratch.columns + count + gap;
        std::memset(ends, 0, std::size_t{g.rows} * columns * sizeof *ends);
        (void)find_columns<true>(g, scratch.records, count, scratch.columns);
        count_columns(scratch.columns, count, ends);
        std::uint64_t squares = starts_of(ends, g.rows * columns);
        Ahead<1> behind(static_cast<std::byte*>(to) + count * sizeof(R));
        put_in_order(scratch, count, ends, behind);
        if (summary.by_id) summary.by_id = put_by_id(scratch, count, ends);
        auto* at = static_cast<std::byte*>(to);
        for (std::uint32_t r = 0, begin = 0; r < g.rows; ++r, ends += columns) {
            const std::uint32_t common = ends[g.columns - 1] - begin, all = ends[g.columns] - begin;
            if (all == 0) continue;
            const RowLayout layout(all, g.columns, extras);
            float* data = reinterpret_cast<float*>(at);
            std::uint32_t* cells = cells_in(data, layout.stride, extras);
            cells[0] = 0;
            for (std::uint32_t c = 0; c < g.columns; ++c) cells[c + 1] = ends[c] - begin;
            rows[r] = {data, cells, layout.stride, common, all - common};
            write(scratch, begin, rows[r], behind);
            squares -= std::uint64_t{all - common} * (all - common) + common;
            begin += all;
            at += layout.bytes;
        }
        summary.sharing = squares / 2;
    }
    template <class R>
    static ScratchFor<R> copied(const Record* records, std::uint32_t count, void* memory) {
        const ScratchFor<R> scratch(memory, count);
        if (count != 0 && records != scratch.records)
            std::memcpy(static_cast<void*>(scratch.records), records, count * sizeof(R));
        return scratch;
    }
    // From this slot of the order on.
    template <class R>
    static void write(const ScratchFor<R>& scratch, std::size_t begin, const Row& row, Ahead<1> behind) {
        float* data = const_cast<float*>(row.data);
        const std::uint32_t* order = scratch.order + begin;
        behind.skip(begin * asked_in_writing<R>);
        emit<Window>(scratch.records, order, row.count, data, row.stride, behind);
        pad(data + row.count, row.stride);
        emit<Four>(scratch.records, order + row.count, row.oversized, data + row.count + gap, row.stride,
                   behind);
    }

    // Oversized agents form one more column, after all others. Returns the reach of the common ones. In many
    // rows, columns are numbered through all of them.
    template <bool many_rows = false, class R>
    static RowReach find_columns(const Grid& g, R* records, std::uint32_t count, std::uint32_t* columns) {
        constexpr std::uint32_t lanes = Window::size;
        const Window origin(g.origin_x), scale(g.inverse_width), last(g.last_column),
            behind(static_cast<float>(g.columns)), widest(g.common_width), highest(g.common_height);
        constexpr std::size_t fields = sizeof(R) / sizeof(float);
        Largest<Window> largest;
        // A copy of the last record changes no maximum, so no lane needs special treatment.
        for (std::uint32_t k = 1; k < lanes && count != 0; ++k) records[count - 1 + k] = records[count - 1];
        for (std::uint32_t k = 0; k < count; k += lanes) {
            const float* at = &records[k].min_x;
            const auto some = [&](std::size_t n) {
                return V::quarters(at + n * fields, at + (n + 4) * fields);
            };
            Window a = some(0), b = some(1), c = some(2), d = some(3);
            Base::transpose(a, b, c, d);
            const Window w = c - a, h = d - b;
            const auto is_common = (w <= widest) & (h <= highest);
            largest.add_some(is_common, w, h);
            const Window column = xsimd::select(is_common, Base::clamped((a - origin) * scale, last), behind);
            auto key = xsimd::to_int(column);
            if constexpr (many_rows) {
                const Window row =
                    Base::clamped((b - Window(g.origin_y)) * Window(g.inverse_height), Window(g.last_row));
                // Below 2^24, so exact.
                key = key + xsimd::to_int(xsimd::to_float(xsimd::to_int(row)) * (behind + Window(1.0f)));
            }
            key.store_unaligned(reinterpret_cast<std::int32_t*>(columns + k));
        }
        return largest.reach();
    }

    static constexpr std::uint32_t at_once = 16;  // that are unrolled
    static void count_columns(const std::uint32_t* columns, std::uint32_t count, std::uint32_t* cells) {
        std::size_t k = 0;
        for (; k + at_once <= count; k += at_once)
            for (std::size_t n = 0; n < at_once; ++n) ++cells[columns[k + n]];
        for (; k < count; ++k) ++cells[columns[k]];
    }

    // So many bytes of each later record are fetched while a number is put in order, the others later.
    static constexpr std::size_t asked_in_order = 12;
    template <class R>
    static constexpr std::size_t asked_in_writing = sizeof(R) + (is_tall<R> ? 8 : 0) - asked_in_order;

    // Each number goes to the next slot of its cell, and zeros behind them all. In a large row the slots are
    // in the second-level cache, so they are fetched before.
    template <class R>
    static void put_in_order(const ScratchFor<R>& scratch, std::uint32_t count, std::uint32_t* cells,
                             Ahead<1>& behind) {
        constexpr std::uint32_t large = 6000;
        const std::uint32_t asked = count < large ? 0 : count;
        const std::uint32_t* column = scratch.columns;
        std::uint32_t* order = scratch.order;
        std::uint32_t k = 0;
        for (; count - k >= at_once; column += at_once) {
            behind.template fetch<at_once * asked_in_order / 64>();
            if (k + 2 * at_once <= asked)
                for (std::uint32_t n = 0; n < at_once; ++n)
                    Base::template fetch_from<1>(order + cells[column[at_once + n]], 0);
            for (std::uint32_t n = 0; n < at_once; ++n) order[cells[column[n]]++] = k++;
        }
        while (k < count) order[cells[*column++]++] = k++;
        std::memset(scratch.order + count, 0, gap * sizeof *scratch.order);
    }

    // Mostly agents come by id, except for some that come late, as ghosts do. A cell with a late agent is
    // sorted by insertion once its last agent has come; cells end at `ends`. Gives up if most come late,
    // where another way is faster, or if it takes too many steps.
    template <class R>
    THRONG_KERNEL THRONG_NOINLINE static bool put_by_id(const ScratchFor<R>& scratch, std::uint32_t count,
                                                        const std::uint32_t* ends) {
        const R* const records = scratch.records;
        std::uint32_t* const order = scratch.order;
        const auto is_before = [=](std::uint32_t one, std::uint32_t other) {
            return records[one].id < records[other].id;
        };
        std::uint32_t late = 1, left = 8 * count;
        while (late < count && is_before(late - 1, late)) ++late;
        if (3 * std::uint64_t{count - late} > 2 * std::uint64_t{count}) return false;
        for (std::uint32_t k = late; k < count; ++k) {
            const std::uint32_t column = scratch.columns[k], end = ends[column],
                                begin = column == 0 ? 0 : ends[column - 1];
            if (order[end - 1] != k) continue;
            std::uint32_t slot = end - 1;
            while (slot > begin && order[slot - 1] >= late) --slot;
            for (; slot < end; ++slot) {
                const std::uint32_t number = order[slot];
                std::uint32_t to = slot;
                for (; to > begin && is_before(number, order[to - 1]); --to) order[to] = order[to - 1];
                order[to] = number;
                if (slot - to >= left) return false;
                left -= slot - to;
            }
        }
        return true;
    }

    // Numbers of agents become the slots where their cells begin. Returns the sum of the squares of the
    // numbers.
    static std::uint64_t starts_of(std::uint32_t* cells, std::uint32_t count) {
        typename V::Starts starts;
        std::uint32_t c = 0;
        for (; c + V::Starts::lanes <= count; c += V::Starts::lanes) starts.take(cells + c);
        std::uint64_t squares = starts.squares();
        for (std::uint32_t sum = starts.sum(); c < count; ++c) {
            const std::uint32_t here = cells[c];
            cells[c] = sum;
            sum += here;
            squares += std::uint64_t{here} * here;
        }
        return squares;
    }

    // May write past the last, up to a whole batch.
    template <class B, class R>
    static void emit(const R* records, const std::uint32_t* order, std::uint32_t count, float* out,
                     std::uint32_t stride, Ahead<1> behind) {
        std::uint32_t* ids = reinterpret_cast<std::uint32_t*>(out + std::size_t{4} * stride);
        for (std::size_t i = 0; i < count; i += B::size) {
            for (std::size_t ahead = 0; ahead < B::size * asked_in_writing<R>; ahead += 64)
                behind.fetch_from(i * asked_in_writing<R> + ahead);
            const R* at[B::size];
            for (std::size_t n = 0; n < B::size; ++n) at[n] = records + order[i + n];
            const auto transposed = [&](auto member, const auto&... arrays) {
                const auto some = [&](std::size_t n) {
                    if constexpr (B::size == Four::size)
                        return Four::load_unaligned(member(*at[n]));
                    else
                        return V::quarters(member(*at[n]), member(*at[n + 4]));
                };
                B a = some(0), b = some(1), c = some(2), d = some(3);
                Base::transpose(a, b, c, d);
                const B all[] = {a, b, c, d};
                std::size_t k = 0;
                (all[k++].store_unaligned(out + std::size_t{arrays} * stride + i), ...);
            };
            if constexpr (!is_tall<R>) {
                std::uint32_t id[B::size];
                for (std::size_t n = 0; n < B::size; ++n) id[n] = at[n]->id;
                for (std::size_t n = 0; n < B::size; ++n) ids[i + n] = id[n];
            } else {
                transposed([](const R& r) { return reinterpret_cast<const float*>(&r.id); }, 4u, 7u, 8u);
            }
            transposed([](const R& r) { return &r.min_x; }, 0u, 1u, 2u, 3u);
        }
    }

    // NaN in each of the four coordinates, so no comparison with the padding holds.
    static void pad(float* out, std::uint32_t stride) {
        const Four nan(not_a_number);
        for (std::size_t k = 0; k < 4; ++k)
            for (std::uint32_t i = 0; i < gap; i += 4) nan.store_unaligned(out + k * stride + i);
    }
};

}  // namespace throng::simd
