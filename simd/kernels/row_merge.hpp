// Makes a row from agents of an older one that stay and from agents that come into it, which are records in
// any order. It is used after many edits: only agents that come into one cell are sorted. In passes over the
// row, whose scratch stays in a cache:
//
// 1. the slots of the agents that stay are listed
// 2. the columns of those that come are counted, so that each cell's first slot is known
// 3. each agent that comes finds its slot among those of its cell
// 4. agents that stay go to their new slots, `lanes` at a time: their order is the same in both rows
// 5. agents that come go to theirs
//
// The result is the same as that of sort_row. Columns of agents that stay are never computed again: they may
// have been under another rounding mode.
#pragma once

#include <cstddef>
#include <cstring>

#include "simd/kernels/build.hpp"

namespace throng::simd {

// Puts numbers in the order of their keys, in place. There are nearly always two or three.
// Key gives the key of a number. V keeps what is instantiated inside of one object file.
template <class V, class Key>
class IdOrder {
public:
    IdOrder(std::uint32_t* numbers, std::uint32_t count, const Key& key)
        : numbers_(numbers), count_(count), key_(key) {}

    void restore() const {
        constexpr std::uint32_t few = 16;
        if (count_ > few) [[unlikely]]
            return restore_many();
        for (std::uint32_t i = 1; i < count_; ++i)
            for (std::uint32_t k = i; k != 0 && is_before(k, k - 1); --k) swap(k, k - 1);
    }

private:
    // As a heap, which needs no memory.
    void restore_many() const {
        for (std::uint32_t root = count_ / 2; root-- != 0;) sink(root, count_);
        for (std::uint32_t last = count_ - 1; last != 0; --last) {
            swap(0, last);
            sink(0, last);
        }
    }
    void sink(std::uint32_t root, std::uint32_t count) const {
        for (;;) {
            std::uint32_t child = 2 * root + 1;
            if (child >= count) return;
            child += std::uint32_t{child + 1 < count && is_before(child, child + 1)};
            if (is_before(child, root)) return;
            swap(root, child);
            root = child;
        }
    }
    bool is_before(std::uint32_t i, std::uint32_t k) const { return key_(numbers_[i]) < key_(numbers_[k]); }
    void swap(std::uint32_t i, std::uint32_t k) const {
        const std::uint32_t kept = numbers_[i];
        numbers_[i] = numbers_[k];
        numbers_[k] = kept;
    }

    std::uint32_t *numbers_, count_;
    const Key& key_;
};

template <class V>
struct RowMerge : Build<V> {
    using Base = Build<V>;
    template <int for_writing>
    using Ahead = typename Base::template Ahead<for_writing>;
    using typename Base::Wide;
    using typename Base::Window;

    static constexpr std::uint32_t arrays = 5;

    struct Scratch {
        // The slots of agents that stay. By slot in the old row: how many stay before it. By agent that
        // comes: its column, and its slot in the new row. Agents that come in the order of their columns, and
        // of their ids in each. Cells, if the old row has none.
        std::uint32_t *staying, *ranks, *columns, *slots, *order, *no_cells;
        std::uint8_t* comes;  // by slot in the new row: whether its agent does

        Scratch(void* memory, const RowsToMerge& rows)
            : staying(reinterpret_cast<std::uint32_t*>(next_line(memory))),
              ranks(staying + rows.old.count + gap),
              columns(ranks + rows.old.count + gap),
              slots(columns + rows.coming.count + gap),
              order(slots + rows.coming.count + gap),
              no_cells(order + rows.coming.count + gap),
              comes(reinterpret_cast<std::uint8_t*>(no_cells + rows.columns + 1)) {}
    };
    // The cells of the old row, and the ids in them. Without agents it has neither: then no cell has any, and
    // there is memory that may be read.
    struct Old {
        const std::uint32_t *cells, *ids;
        Old(const RowsToMerge& rows, const Scratch& s)
            : cells(rows.old.count == 0 ? s.no_cells : rows.old.cells),
              ids(rows.old.count == 0 ? s.ranks : typename Base::Arrays(rows.old).id) {
            if (rows.old.count == 0) std::memset(s.no_cells, 0, (rows.columns + 1) * sizeof *s.no_cells);
        }
    };

    static constexpr std::uint32_t lanes = V::Take::lanes;

    static bool is_edited(const std::uint32_t* edited, std::uint32_t id) {
        return (edited[id >> 5] >> (id & 31) & 1) != 0;
    }

    // The same slot of all five arrays, from the third one: three registers are enough for their addresses.
    template <class Float>
    struct Five {
        Float* middle;
        std::ptrdiff_t step, back;

        Five(Float* begin, std::size_t stride)
            : middle(begin + 2 * stride), step(static_cast<std::ptrdiff_t>(stride)), back(-step) {}
        template <int n>
        Float* of(std::size_t i) const {
            return middle + i + (n < 2 ? (2 - n) * back : (n - 2) * step);
        }
    };

    // Which of the next `lanes` agents stay. A slot without one does not.
    static std::uint32_t staying(const Row& row, const std::uint32_t* ids, std::uint32_t i,
                                 const std::uint32_t* edited) {
        const std::uint32_t left = V::unmarked(edited, ids + i, row.count - i);
        if (row.is_dense()) return left;
        std::uint32_t agents = 0;
        for (std::uint32_t k = 0; k < lanes; k += Wide::size) {
            const Wide x = Wide::load_unaligned(row.data + i + k);
            agents |= V::bits(x == x) << k;  // not !=, which xsimd 8.1 takes for ordered with AVX-512
        }
        return left & agents;
    }

    // Lists the agents of a row that stay. Returns how many they are.
    THRONG_KERNEL static std::uint32_t keep_row(const RowsToMerge& rows, void* memory) {
        const Scratch s(memory, rows);
        const std::uint32_t *edited = rows.edited, count = rows.old.count;
        std::uint32_t kept = 0;
        if (count != 0) {
            Ahead<0> ahead(rows.next_old);
            const std::uint32_t* ids = typename Base::Arrays(rows.old).id;
            for (std::uint32_t i = 0; i < count; i += lanes) {
                ahead.template fetch<3 * lanes / 8>();
                const std::uint32_t mask = staying(rows.old, ids, i, edited);
                if constexpr (lanes == 16)
                    V::sixteen_slots(s.staying + kept, i, mask);
                else
                    V::slots(s.staying + kept, i, mask);
                V::ranks(s.ranks + i, kept, mask);
                kept += V::count_bits(mask);
            }
        }
        s.ranks[count] = kept;
        // Slots are read some at a time, so some are read behind the last.
        for (std::uint32_t k = 0; k < lanes; ++k) s.staying[kept + k] = kept == 0 ? 0 : s.staying[kept - 1];
        return kept;
    }

    // Agents that come: first those that are not oversized.
    struct Coming {
        Record* records;
        std::uint32_t count;
        RowReach reach;
    };
    // Finds their columns, and counts them in each. Oversized ones go to the end.
    static Coming count_coming(const Grid& g, const Row& row, const Scratch& s, std::uint32_t* cells) {
        Record* records = reinterpret_cast<Record*>(const_cast<float*>(row.data));
        std::uint32_t* columns = s.columns;
        std::memset(cells, 0, (g.columns + 1) * sizeof *cells);
        Coming coming{records, row.count, Base::find_columns(g, records, row.count, columns)};
        Base::count_columns(columns, row.count, cells);
        if (cells[g.columns] != 0) [[unlikely]] {
            coming.count = 0;
            for (std::uint32_t j = 0; j < row.count; ++j) {
                if (columns[j] == g.columns) continue;
                const Record kept = records[coming.count];
                records[coming.count] = records[j];
                records[j] = kept;
                columns[coming.count++] = columns[j];
            }
        }
        return coming;
    }

    // Numbers of agents that come become the slots where the cells of the new row begin, and the agents are
    // put in order. Returns the sum of the squares of the cells' numbers of agents.
    static std::uint64_t make_cells(const std::uint32_t* __restrict old, std::uint32_t columns,
                                    const Coming& coming, const Scratch& s, std::uint32_t* __restrict cells) {
        (void)Base::starts_of(cells, columns + 1);
        const std::uint32_t* column_of = s.columns;
        std::uint32_t* order = s.order;
        for (std::uint32_t j = 0; j < coming.count; ++j) order[cells[column_of[j]]++] = j;
        // Each number is now where its cell ends, which is where the next one begins.
        std::uint32_t c = columns;
        for (; c >= lanes; c -= lanes)
            V::sum(cells + c + 1 - lanes, cells + c - lanes, s.ranks, old + c + 1 - lanes);
        for (; c > 0; --c) cells[c] = cells[c - 1] + s.ranks[old[c]];
        cells[0] = 0;
        return cells[columns] < 65536 ? sum_of_squares<std::uint32_t>(cells, columns)
                                      : sum_of_squares<std::uint64_t>(cells, columns);
    }
    template <class Sum>
    static std::uint64_t sum_of_squares(const std::uint32_t* cells, std::uint32_t columns) {
        Sum squares = 0;
        for (std::uint32_t c = 0; c < columns; ++c) {
            const std::uint32_t here = cells[c + 1] - cells[c];
            squares += Sum{here} * here;
        }
        return squares;
    }

    // Agents that come into one cell are put in the order of their ids. They are already if a host moves
    // agents in that order.
    static void order_cells(const Coming& coming, const Scratch& s) {
        const std::uint32_t *columns = s.columns, *order = s.order;
        const Record* records = coming.records;
        const auto key = [=](std::uint32_t j) { return records[j].id; };
        std::uint32_t in_order = 1;
        while (in_order < coming.count && key(in_order - 1) < key(in_order)) ++in_order;
        if (in_order >= coming.count) return;
        for (std::uint32_t k = 1; k < coming.count; ++k) {
            const std::uint32_t column = columns[order[k]];
            if (column != columns[order[k - 1]] || key(order[k - 1]) < key(order[k])) continue;
            std::uint32_t begin = k - 1, end = k + 1;
            while (begin != 0 && columns[order[begin - 1]] == column) --begin;
            while (end != coming.count && columns[order[end]] == column) ++end;
            IdOrder<V, decltype(key)>(s.order + begin, end - begin, key).restore();
            k = end;
        }
    }
    // The slot of each agent that comes: behind agents of its cell with a lower id.
    static void find_slots(const Old& old, const Coming& coming, const Scratch& s) {
        const std::uint32_t *ranks = s.ranks, *columns = s.columns, *old_cells = old.cells,
                            *old_ids = old.ids, *order = s.order;
        const Record* records = coming.records;
        std::uint32_t* slots = s.slots;
        std::uint8_t* comes = s.comes;
        for (std::uint32_t k = 0; k < coming.count; ++k) {
            const std::uint32_t j = order[k], column = columns[j], begin = old_cells[column],
                                here = old_cells[column + 1] - begin, id = records[j].id;
            const std::uint32_t* ids = old_ids + begin;
            const std::uint32_t lower = here <= Wide::size
                                            ? V::count_bits(~V::above(ids, id) & ((1u << here) - 1))
                                            : lower_ids(ids, here, id);
            const std::uint32_t slot = ranks[begin + lower] + k;
            slots[j] = slot;
            comes[slot] = 1;
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

    // Agents that stay, and anything in between. May write past the last, up to `lanes`. Returns whether
    // `reach` is theirs.
    static bool move_staying(const RowsToMerge& rows, const Scratch& s, std::uint32_t count, float* out,
                             std::size_t stride, RowReach& reach) {
        Ahead<1> next_out(rows.next_out);
        using Values = typename V::Take::Values;
        const Five<const float> in(rows.old.data, rows.old.stride);
        Five<float> to(out, stride);
        const std::uint32_t* from = s.staying;
        const std::uint8_t* comes = s.comes;
        Values width(0.0f), height(0.0f);
        bool all_near = true;
        for (std::size_t o = 0; o < count; o += lanes, to.middle += lanes) {
            next_out.template fetch<3 * lanes / 8>();
            const std::uint32_t mask = V::bits_of_bytes(comes + o);
            const typename V::Take take(from, mask);
            if (take.is_near()) [[likely]] {
                const std::size_t i = from[0];
                const Values c = take(to.template of<2>(0), in.template of<2>(i)),
                             a = take(to.template of<0>(0), in.template of<0>(i)),
                             d = take(to.template of<3>(0), in.template of<3>(i)),
                             b = take(to.template of<1>(0), in.template of<1>(i));
                take(to.template of<4>(0), in.template of<4>(i));
                width = V::larger(c - a, width);
                height = V::larger(d - b, height);
            } else {
                all_near = false;
                const std::uint32_t* at = from;
                for (std::size_t k = 0; k < lanes; at += ~mask >> k++ & 1)
                    for (std::size_t n = 0; n < arrays; ++n)
                        out[n * stride + o + k] = rows.old.data[n * rows.old.stride + *at];
            }
            from += lanes - V::count_bits(mask);
        }
        using Largest = typename Base::template Largest<Values>;
        reach = {Largest::of(width), Largest::of(height)};
        return all_near;
    }
    static void put_coming(const Coming& coming, const std::uint32_t* slots, float* out, std::size_t stride) {
        const Five<float> to(out, stride);
        const Record* record = coming.records;
        for (std::uint32_t j = 0; j < coming.count; ++j, ++record) {
            const std::size_t slot = slots[j];
            *to.template of<0>(slot) = record->min_x;
            *to.template of<1>(slot) = record->min_y;
            *to.template of<2>(slot) = record->max_x;
            *to.template of<3>(slot) = record->max_y;
            std::memcpy(to.template of<4>(slot), &record->id, sizeof record->id);
        }
    }

    // Oversized agents are few. Returns how many there are.
    static std::uint32_t merge_oversized(const RowsToMerge& rows, const Record* coming, std::uint32_t count,
                                         std::uint32_t* order, float* out, std::size_t stride) {
        const auto key = [&](std::uint32_t j) { return coming[j].id; };
        for (std::uint32_t j = 0; j < count; ++j) order[j] = j;
        IdOrder<V, decltype(key)>(order, count, key).restore();
        const typename Base::Arrays a(rows.old);
        std::uint32_t* ids = reinterpret_cast<std::uint32_t*>(out + 4 * stride);
        std::uint32_t at = 0;
        const auto put = [&](float min_x, float min_y, float max_x, float max_y, std::uint32_t id) {
            out[at] = min_x;
            out[stride + at] = min_y;
            out[2 * stride + at] = max_x;
            out[3 * stride + at] = max_y;
            ids[at++] = id;
        };
        const auto put_next = [&](const Record& r) { put(r.min_x, r.min_y, r.max_x, r.max_y, r.id); };
        std::uint32_t next = 0;
        const std::uint32_t begin = rows.old.count + gap,
                            end = rows.old.is_dense() ? begin + rows.old.oversized : rows.old.stride;
        for (std::uint32_t i = begin; i < end; ++i) {
            if (a.min_x[i] != a.min_x[i] || is_edited(rows.edited, a.id[i])) continue;
            while (next != count && key(order[next]) < a.id[i]) put_next(coming[order[next++]]);
            put(a.min_x[i], a.min_y[i], a.max_x[i], a.max_y[i], a.id[i]);
        }
        while (next != count) put_next(coming[order[next++]]);
        return at;
    }

    THRONG_KERNEL static Row merge_row(const Grid& grid, const RowsToMerge& rows, std::uint32_t kept,
                                       float* data, std::uint32_t stride, std::uint32_t* cells, void* memory,
                                       RowSummary& summary) {
        const Grid g = grid;
        const Scratch s(memory, rows);
        const Old old(rows, s);
        const Coming coming = count_coming(g, rows.coming, s, cells);
        const std::uint32_t count = kept + coming.count;
        const std::uint64_t squares = make_cells(old.cells, g.columns, coming, s, cells);
        std::memset(s.comes, 0, count + lanes);
        order_cells(coming, s);
        find_slots(old, coming, s);
        RowReach reach{};
        const bool is_known = kept == 0 || move_staying(rows, s, count, data, stride, reach);
        put_coming(coming, s.slots, data, stride);
        Base::pad(data + count, stride);
        const std::uint32_t oversized =
            merge_oversized(rows, coming.records + coming.count, rows.coming.count - coming.count, s.order,
                            data + count + gap, stride);
        const Row row{data, cells, stride, count, oversized};
        if (!is_known) reach = Base::measure_row(row);
        if (reach.width < coming.reach.width) reach.width = coming.reach.width;
        if (reach.height < coming.reach.height) reach.height = coming.reach.height;
        summary = {reach, (squares - count) / 2};
        return row;
    }
};

}  // namespace throng::simd
