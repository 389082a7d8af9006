// Queries for boxes in no order and in no index: one pass over the host's arrays, some boxes at a time, so
// that what a step reads is in the cache from the step before.
//
//     one query       each box is compared with it
//     many            screen        which boxes are in a cell that any query reaches: a look at one bit
//                     match         these boxes with the queries of their cell
//
// Each step finds boxes in ascending order. Nothing is read behind the last box, where the host's memory may
// end.
#pragma once

#include "simd/kernels/vectors.hpp"
#include "simd/query_kernels.hpp"

namespace throng::simd {

template <class V>
struct Unordered : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;

    template <class T>
    struct Corners {
        T min_x, min_y, max_x, max_y;
    };
    template <class T>
    static Corners<T> corners(bool centre_half, const T& a, const T& b, const T& c, const T& d) {
        if (centre_half) return {a - c, b - d, a + c, b + d};
        return {a, b, c, d};
    }
    static Corners<float> one(const Columns& boxes, std::size_t i) {
        return corners<float>(boxes.centre_half, boxes.a[i], boxes.b[i], boxes.c[i], boxes.d[i]);
    }
    static Corners<Wide> some(bool centre_half, const Columns& boxes, std::size_t i) {
        return corners<Wide>(centre_half, Wide::load_unaligned(boxes.a + i),
                             Wide::load_unaligned(boxes.b + i), Wide::load_unaligned(boxes.c + i),
                             Wide::load_unaligned(boxes.d + i));
    }
    static bool is_legal(const Corners<float>& box) {
        return Base::legal(box.min_x, box.min_y, box.max_x, box.max_y);
    }
    static bool are_legal(const Corners<Wide>& box) {
        return Base::all_legal(box.min_x, box.min_y, box.max_x, box.max_y);
    }

    // The next `lanes` boxes whose bits are set: their numbers, if that of the first is `first`. Returns how
    // many; may write all lanes. No branch, since it would be mispredicted if a box in a hundred is near a
    // query.
    template <std::uint32_t lanes>
    static std::uint32_t write_slots(std::uint32_t* out, std::uint32_t first, std::uint32_t bits) {
        if constexpr (requires { V::sixteen_slots(out, first, bits); }) {
            V::sixteen_slots(out, first, bits);
        } else {
            const std::uint32_t low = bits & 255;
            V::slots(out, first, low);
            if constexpr (lanes > 8) V::slots(out + V::count_bits(low), first + 8, bits >> 8);
        }
        return V::count_bits(bits);
    }

    // --- One query ---

    template <bool centre_half>
    static std::size_t count_legal_of(const Columns boxes, std::size_t count) {
        std::size_t i = 0;
        for (; i + Wide::size <= count; i += Wide::size)
            if (!are_legal(some(centre_half, boxes, i))) [[unlikely]]
                break;
        for (; i < count; ++i)
            if (!is_legal(one(boxes, i))) return i;
        return count;
    }
    THRONG_KERNEL static std::size_t count_legal(const Columns& boxes, std::size_t count) {
        return boxes.centre_half ? count_legal_of<true>(boxes, count) : count_legal_of<false>(boxes, count);
    }

    static bool overlap(const Query& q, const Corners<float>& box) {
        return (box.min_x <= q.max_x) & (q.min_x <= box.max_x) & (box.min_y <= q.max_y) &
               (q.min_y <= box.max_y);
    }
    // Calls take(i, lanes) for the boxes from number i on, and take(i, 0 or 1) for the last ones, one by one.
    template <bool centre_half, class Take>
    static void compare(const Query& q, const Columns boxes, std::size_t count, const Take& take) {
        const Wide min_x(q.min_x), min_y(q.min_y), max_x(q.max_x), max_y(q.max_y);
        std::size_t i = 0;
        for (; i + Wide::size <= count; i += Wide::size) {
            const Corners<Wide> box = some(centre_half, boxes, i);
            take(i, V::bits(((box.min_x <= max_x) & (min_x <= box.max_x)) &
                            ((box.min_y <= max_y) & (min_y <= box.max_y))));
        }
        for (; i < count; ++i) take(i, overlap(q, one(boxes, i)) ? 1u : 0u);
    }
    template <class Take>
    static void compare(const Query& q, const Columns& boxes, std::size_t count, const Take& take) {
        if (boxes.centre_half)
            compare<true>(q, boxes, count, take);
        else
            compare<false>(q, boxes, count, take);
    }
    THRONG_KERNEL static std::uint32_t find(const Query& q, const Columns& boxes, std::size_t count,
                                            std::uint32_t first_id, std::uint32_t* ids) {
        std::uint32_t found = 0;
        compare(q, boxes, count, [&](std::size_t i, std::uint32_t lanes) {
            if (lanes != 0)
                found +=
                    write_slots<Wide::size>(ids + found, first_id + static_cast<std::uint32_t>(i), lanes);
        });
        return found;
    }
    THRONG_KERNEL static std::uint32_t count(const Query& q, const Columns& boxes, std::size_t count) {
        std::uint32_t found = 0;
        compare(q, boxes, count, [&](std::size_t, std::uint32_t lanes) { found += V::count_bits(lanes); });
        return found;
    }

    // --- Many queries ---

    // A box that is no larger than this reaches at most into the cells beside its own. It stands in the cell
    // of its lower left corner, and a query in all cells from one before that of its own to that of its upper
    // right corner.
    template <bool centre_half>
    static std::size_t screen_of(const QueryCells& cells, const Columns boxes, std::size_t count,
                                 std::uint32_t* slots, std::uint32_t& listed) {
        constexpr std::uint32_t lanes = V::Take::lanes;
        static_assert(lanes % Wide::size == 0);
        const Grid& g = cells.grid;
        const Wide origin_x(g.origin_x), origin_y(g.origin_y), scale_x(g.inverse_width),
            scale_y(g.inverse_height), last_x(g.last_column), last_y(g.last_row), slim_x(g.common_width),
            slim_y(g.common_height);
        const auto shift = static_cast<std::int32_t>(cells.column_bits);
        alignas(64) std::int32_t cell[lanes];
        std::uint32_t* out = slots;
        std::size_t i = 0;
        for (bool legal = true; i + lanes <= count; i += lanes) {
            std::uint32_t large = 0;
            for (std::uint32_t k = 0; k < lanes; k += Wide::size) {
                const Corners<Wide> box = some(centre_half, boxes, i + k);
                legal &= are_legal(box);
                const auto column = xsimd::to_int(Base::clamped((box.min_x - origin_x) * scale_x, last_x)),
                           row = xsimd::to_int(Base::clamped((box.min_y - origin_y) * scale_y, last_y));
                ((row << shift) + column).store_aligned(cell + k);
                large |= V::bits((slim_x < box.max_x - box.min_x) | (slim_y < box.max_y - box.min_y)) << k;
            }
            if (!legal) [[unlikely]]
                break;
            const std::uint32_t none =
                V::unmarked(cells.occupied, reinterpret_cast<const std::uint32_t*>(cell), lanes);
            const std::uint32_t taken = (none ^ ((1u << lanes) - 1)) | large;
            out += write_slots<lanes>(out, static_cast<std::uint32_t>(i), taken);
        }
        for (; i < count && is_legal(one(boxes, i)); ++i) *out++ = static_cast<std::uint32_t>(i);
        listed = static_cast<std::uint32_t>(out - slots);
        return i;
    }
    THRONG_KERNEL static std::size_t screen(const QueryCells& cells, const Columns& boxes, std::size_t count,
                                            std::uint32_t* slots, std::uint32_t& listed) {
        return boxes.centre_half ? screen_of<true>(cells, boxes, count, slots, listed)
                                 : screen_of<false>(cells, boxes, count, slots, listed);
    }

    // Calls take(numbers, lanes) for the queries that may overlap this box, a vector of them at a time.
    template <class Take>
    static void match_one(const QueryCells& cells, const Corners<float>& box, const Take& take) {
        const Grid& g = cells.grid;
        const bool large = g.common_width < box.max_x - box.min_x || g.common_height < box.max_y - box.min_y;
        const Row& row = large ? cells.all : cells.by_cell;
        const std::uint32_t cell =
            large ? 0 : (Base::row(g, box.min_y) << cells.column_bits) + Base::column(g, box.min_x);
        const std::uint32_t end = row.cells[cell + 1];
        const Probe probe(box.min_x, box.min_y, box.max_x, box.max_y);
        const Arrays queries(row);
        for (std::uint32_t j = row.cells[cell]; j < end; j += Wide::size) {
            std::uint32_t found = probe.overlap(queries, j);
            if (end - j < Wide::size) found &= (1u << (end - j)) - 1;
            take(queries.id + j, found);
        }
    }
    // Answers are packed, without a branch for each.
    THRONG_KERNEL static std::uint32_t match(const QueryCells& cells, const Columns& boxes,
                                             const std::uint32_t* slots, std::uint32_t count,
                                             std::uint32_t first_id, MatchSink& sink) {
        using Ids = xsimd::batch<std::uint32_t, typename Wide::arch_type>;
        std::size_t at = sink.count;
        std::uint32_t i = 0;
        for (; i < count && at <= sink.limit; ++i) {
            const Ids id(first_id + slots[i]);
            match_one(cells, one(boxes, slots[i]), [&](const std::uint32_t* numbers, std::uint32_t found) {
                V::left_pack(sink.queries + at, numbers, found);
                id.store_unaligned(sink.ids + at);
                at += V::count_bits(found);
            });
        }
        sink.count = at;
        return i;
    }
    THRONG_KERNEL static void count_matches(const QueryCells& cells, const Columns& boxes,
                                            const std::uint32_t* slots, std::uint32_t count,
                                            std::uint32_t* counts) {
        for (std::uint32_t i = 0; i < count; ++i)
            match_one(cells, one(boxes, slots[i]), [&](const std::uint32_t* numbers, std::uint32_t found) {
                for (; found != 0; found &= found - 1) ++counts[numbers[Base::lowest(found)]];
            });
    }
};

}  // namespace throng::simd
