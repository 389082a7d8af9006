// Makes a row out of what stays of an older one and of the agents that come into it, which are a sorted row as well. Used
// where many agents were edited: no agent is sorted but those. In passes over the row, whose scratch stays in a cache:
//
//     1. the agents that stay are packed together, and each cell's beginning counts with them
//     2. those that come are put in the order of their ids, cell by cell, and each finds its place among those of its cell
//     3. both streams are woven into the arrays
//
// The result is what sort_row would make of the same agents. Columns of agents that stay are never calculated again: they
// may have been under another rounding mode.
#pragma once

#include <cstring>
#include <type_traits>

#include "simd/kernels/id_order.hpp"
#include "simd/kernels/row_sort.hpp"

namespace throng::simd {

template <class V>
struct RowMerge : RowSort<V> {
    using Base = RowSort<V>;
    using typename Base::Wide;
    using typename Base::Window;

    static constexpr std::uint32_t arrays = 5;
    template <std::size_t n>
    using Number = std::integral_constant<std::size_t, n>;

    struct Scratch {
        float* kept;  // five arrays
        std::size_t stride;
        // By place in the old row: how many are kept before. Where the cells of those that are kept begin. The columns of those
        // that come.
        std::uint32_t *ranks, *cells, *columns;
        std::uint8_t* comes;  // by place in the new row, whether its agent does

        Scratch(void* memory, const RowsToMerge& rows) : stride(rows.old.count + gap) {
            kept = reinterpret_cast<float*>(next_line(memory));
            ranks = reinterpret_cast<std::uint32_t*>(kept + arrays * stride);
            columns = ranks + rows.old.count + gap;
            cells = columns + rows.coming.count + gap;
            comes = reinterpret_cast<std::uint8_t*>(cells + rows.columns + 2);
        }
        const std::uint32_t* ids() const {
            return reinterpret_cast<const std::uint32_t*>(kept + (arrays - 1) * stride);
        }
    };

    static bool is_edited(const std::uint32_t* edited, std::uint32_t id) {
        return (edited[id >> 5] >> (id & 31) & 1) != 0;
    }

    // The same place of all five arrays: three registers are enough for their addresses.
    template <class Float>
    struct Five {
        Float* at;
        std::size_t step, three;

        Five(Float* begin, std::size_t stride) : at(begin), step(stride), three(3 * stride) {}
        template <std::size_t n>
        Float* of(std::size_t i) const {
            static_assert(n < arrays);
            return at + i + (n == 3 ? three : n * step);
        }
    };

    // Memory that is read or written as a stream, some lines at a time. It may be asked for more than there is.
    template <int for_writing>
    class Ahead {
    public:
        explicit Ahead(const float* at) : at_(reinterpret_cast<std::uintptr_t>(at)) {}
        template <std::size_t lines>
        void fetch() {
            for (std::size_t n = 0; n < lines; ++n)
                __builtin_prefetch(reinterpret_cast<const void*>(at_ + n * 64), for_writing, 2);
            at_ += lines * 64;
        }

    private:
        std::uintptr_t at_;
    };

    // Of up to eight agents, as bits, which stay.
    static std::uint32_t staying(const std::uint32_t* edited, const std::uint32_t* ids, std::size_t count) {
        if (count >= 8) [[likely]]
            return ~V::marked(edited, ids) & 255;
        std::uint32_t bits = 0;
        for (std::uint32_t k = 0; k < count; ++k) bits |= std::uint32_t{!is_edited(edited, ids[k])} << k;
        return bits;
    }
    THRONG_KERNEL static std::uint32_t count_staying(const Row& row, const std::uint32_t* edited) {
        const std::uint32_t* ids = typename Base::Arrays(row).id;
        std::uint32_t stay = 0;
        for (std::uint32_t i = 0; i < row.count; i += 8)
            stay += V::count_bits(staying(edited, ids + i, row.count - i));
        return stay;
    }

    // Packs what stays of a row. Returns how many agents that are.
    THRONG_KERNEL static std::uint32_t keep_row(const RowsToMerge& rows, void* memory) {
        const Row& old = rows.old;
        const Scratch s(memory, rows);
        Ahead<0> ahead(rows.next_old);
        const Five<const float> from(old.data, old.stride);
        const Five<float> to(s.kept, s.stride);
        const std::uint32_t* edited = rows.edited;
        std::uint32_t* ranks = s.ranks;
        std::size_t kept = 0;
        for (std::size_t i = 0, count = old.count; i < count; i += 8) {
            ahead.template fetch<3>();
            const std::uint32_t mask =
                staying(edited, reinterpret_cast<const std::uint32_t*>(from.template of<4>(i)), count - i);
            const typename V::Pack pack(mask);
            pack(to.template of<0>(kept), from.template of<0>(i));
            pack(to.template of<1>(kept), from.template of<1>(i));
            pack(to.template of<2>(kept), from.template of<2>(i));
            pack(to.template of<3>(kept), from.template of<3>(i));
            pack(to.template of<4>(kept), from.template of<4>(i));
            V::ranks(ranks + i, static_cast<std::uint32_t>(kept), mask);
            kept += V::count_bits(mask);
        }
        ranks[old.count] = static_cast<std::uint32_t>(kept);
        return static_cast<std::uint32_t>(kept);
    }

    // Where the cells begin among those that stay, and in the new row. Returns the sum of the squares of the new cells'
    // numbers of agents.
    static std::uint64_t make_cells(const Row& old, const Row& coming, std::uint32_t columns,
                                    const Scratch& s, std::uint32_t* __restrict cells) {
        std::uint32_t* __restrict kept = s.cells;
        if (old.count == 0)
            std::memset(kept, 0, (columns + 1) * sizeof *kept);
        else
            for (std::uint32_t c = 0; c <= columns; ++c) kept[c] = s.ranks[old.cells[c]];
        if (coming.count == 0)
            std::memcpy(cells, kept, (columns + 1) * sizeof *cells);
        else
            for (std::uint32_t c = 0; c <= columns; ++c) cells[c] = kept[c] + coming.cells[c];
        std::uint64_t squares = 0;
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t here = cells[c + 1] - cells[c];
            squares += std::uint64_t{here} * here;
        }
        return squares;
    }

    // The columns of those that come. They are sorted by these already, and those of a column may be in any order.
    static void find_columns(const Grid& g, const Row& coming, const Scratch& s) {
        constexpr std::uint32_t lanes = Window::size;
        const typename Base::Arrays a(coming);
        const Window origin(g.origin_x), scale(g.inverse_width), last(g.last_column);
        const auto columns = [&](std::uint32_t j) {
            return Base::clamped((Window::load_unaligned(a.min_x + j) - origin) * scale, last);
        };
        for (std::uint32_t j = 0; j < coming.count; j += lanes) {
            const auto here = xsimd::to_int(columns(j)), next = xsimd::to_int(columns(j + 1));
            here.store_unaligned(reinterpret_cast<std::int32_t*>(s.columns + j));
            std::uint32_t shared = V::bits(xsimd::to_float(here ^ next) == Window(0.0f));
            if (coming.count - j <= lanes) shared &= (1u << (coming.count - j - 1)) - 1;
            for (; shared != 0; shared &= shared - 1) {
                const std::uint32_t k = j + V::first_bit(shared);
                if (a.id[k] < a.id[k + 1]) continue;
                const std::uint32_t column = s.columns[k];
                IdOrder<V>(coming, coming.cells[column], coming.cells[column + 1]).restore();
            }
        }
    }
    // Notes the places in the new row of the agents that come.
    static void find_places(const Row& coming, const Scratch& s) {
        const typename Base::Arrays a(coming);
        const std::uint32_t* ids = s.ids();
        for (std::uint32_t j = 0; j < coming.count; ++j) {
            const std::uint32_t begin = s.cells[s.columns[j]], count = s.cells[s.columns[j] + 1] - begin;
            const std::uint32_t lower =
                count <= Wide::size ? V::count_bits(~V::above(ids + begin, a.id[j]) & ((1u << count) - 1))
                                    : lower_ids(ids + begin, count, a.id[j]);
            s.comes[begin + lower + j] = 1;
        }
    }
    // How many of some ids in order are lower than one.
    static std::uint32_t lower_ids(const std::uint32_t* ids, std::uint32_t count, std::uint32_t id) {
        std::uint32_t first = 0;
        while (count != 0) {
            const std::uint32_t half = count / 2;
            const bool is_lower = ids[first + half] < id;
            first += is_lower ? half + 1 : 0;
            count = is_lower ? count - half - 1 : half;
        }
        return first;
    }

    // A bit for each of the next places whose agent comes.
    static std::uint32_t next_coming(const std::uint8_t* comes) {
        if constexpr (Window::size == 8) {
            std::uint64_t bytes;
            std::memcpy(&bytes, comes, sizeof bytes);
            return static_cast<std::uint32_t>(bytes * 0x0102040810204080u >> 56);
        } else {
            return comes[0] | std::uint32_t{comes[1]} << 1 | std::uint32_t{comes[2]} << 2 |
                   std::uint32_t{comes[3]} << 3;
        }
    }
    static RowReach weave(const RowsToMerge& rows, const Scratch& s, std::uint32_t count, float* out,
                          std::uint32_t stride) {
        const Row& coming = rows.coming;
        Ahead<1> next_out(rows.next_out);
        constexpr std::uint32_t lanes = Window::size;
        const Five<const float> kept(s.kept, s.stride);
        const Five<const float> in = coming.count != 0 ? Five<const float>(coming.data, coming.stride) : kept;
        const Five<float> to(out, stride);
        Window width(0.0f), height(0.0f);
        std::size_t stayed = 0, came = 0;
        for (std::size_t o = 0; o < count; o += lanes) {
            next_out.template fetch<3 * lanes / 8>();
            const std::uint32_t mask = next_coming(s.comes + o), here = V::count_bits(mask);
            const typename V::Weave weave(mask);
            const auto side = [&]<std::size_t n>(std::integral_constant<std::size_t, n>) {
                const Window values = weave(kept.template of<n>(stayed), in.template of<n>(came));
                values.store_unaligned(to.template of<n>(o));
                return values;
            };
            const Window a = side(Number<0>{}), c = side(Number<2>{}), b = side(Number<1>{}),
                         d = side(Number<3>{});
            side(Number<4>{});
            if (count - o < lanes) [[unlikely]]
                break;
            width = V::larger(c - a, width);
            height = V::larger(d - b, height);
            came += here;
            stayed += lanes - here;
        }
        Base::pad(out + count, stride);
        if (const std::size_t o = count - count % lanes; o != count) {
            const auto at = [=](const float* side) { return Window::load_unaligned(side); };
            width = V::larger(at(to.template of<2>(o)) - at(to.template of<0>(o)), width);
            height = V::larger(at(to.template of<3>(o)) - at(to.template of<1>(o)), height);
        }
        using Largest = typename Base::template Largest<Window>;
        return {Largest::of(width), Largest::of(height)};
    }

    // Oversized agents are few. Returns how many there are.
    static std::uint32_t merge_oversized(const RowsToMerge& rows, float* out, std::uint32_t stride) {
        const Row* from[2] = {&rows.old, &rows.coming};
        std::uint32_t at[2] = {rows.old.count + gap, rows.coming.count + gap};
        const std::uint32_t end[2] = {at[0] + rows.old.oversized, at[1] + rows.coming.oversized};
        if (rows.coming.oversized > 1) IdOrder<V>(rows.coming, at[1], end[1]).restore();
        const auto id = [&](std::uint32_t which) {
            return typename Base::Arrays(*from[which]).id[at[which]];
        };
        std::uint32_t count = 0;
        for (;;) {
            while (at[0] != end[0] && is_edited(rows.edited, id(0))) ++at[0];
            const bool has_old = at[0] != end[0], has_coming = at[1] != end[1];
            if (!has_old && !has_coming) return count;
            const std::uint32_t which = !has_old || (has_coming && id(1) < id(0)) ? 1 : 0;
            for (std::uint32_t n = 0; n < arrays; ++n)
                std::memcpy(out + std::size_t{n} * stride + count,
                            from[which]->data + std::size_t{n} * from[which]->stride + at[which],
                            sizeof *out);
            ++at[which];
            ++count;
        }
    }

    THRONG_KERNEL static Row weave_row(const Grid& grid, const RowsToMerge& rows, std::uint32_t kept,
                                       float* data, std::uint32_t stride, std::uint32_t* cells, void* memory,
                                       RowSummary& summary) {
        const Grid g = grid;
        const Scratch s(memory, rows);
        const std::uint32_t count = kept + rows.coming.count;
        std::memset(s.comes, 0, count + Window::size);
        const std::uint64_t squares = make_cells(rows.old, rows.coming, g.columns, s, cells);
        Ahead<0> ahead(rows.next_coming);
        for (std::uint32_t i = 0; i < rows.coming.count + g.columns / 5; i += 12) ahead.template fetch<4>();
        if (rows.coming.count != 0) find_columns(g, rows.coming, s);
        find_places(rows.coming, s);
        const RowReach reach = weave(rows, s, count, data, stride);
        summary = {reach, (squares - count) / 2};
        return {data, cells, stride, count, merge_oversized(rows, data + count + gap, stride)};
    }
};

}  // namespace throng::simd
