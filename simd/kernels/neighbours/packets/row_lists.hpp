// The lists of queriers that follow each other in a row, for wide vectors. If each may find agents in at most
// two rows, and in each row in no more than a vector has lanes, it is compared with one vector of either row.
// No loop has an end that cannot be predicted, and no candidates are put together first.
#pragma once

#include "simd/kernels/neighbours/list_taker.hpp"
#include "simd/kernels/neighbours/list_writer.hpp"
#include "simd/kernels/neighbours/patch.hpp"

namespace throng::simd {

template <class V>
class RowLists : Vectors<V> {
public:
    using Base = Vectors<V>;
    using Wide = typename V::Wide;
    static constexpr std::uint32_t lanes = Wide::size;
    // With fewer lanes most runs would be longer than a vector.
    static constexpr bool pays = lanes >= 16;

    // Whether circles of this radius reach at most two rows: nearly always, since rounding may make them
    // three.
    static bool are_low(const Locate& l, float radius) {
        return (2 * Circles<V>::reach(radius) + l.back[1]) * l.scale[3] < 1;
    }
    // Whether the lists of the first `count` queriers of a patch can be made so; they start at number
    // `first`, and are left out of their own lists.
    bool prepare(const Patch<V>& patch, const Queriers& queriers, std::uint32_t first, std::uint32_t count) {
        std::int32_t rows = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::int32_t more = patch.cells.last_row[i] - patch.cells.first_row[i];
            rows = rows < more ? more : rows;
        }
        if (rows > 1 || queriers.selves == nullptr) return false;
        const auto own = reinterpret_cast<std::uintptr_t>(queriers.selves + first);
        own_row_ = patch.row_of(own);
        if (own_row_ < 0) return false;
        own_ = static_cast<std::uint32_t>(
            (own - reinterpret_cast<std::uintptr_t>(patch.strip(own_row_).ids)) / sizeof(std::uint32_t));
        first_ = first;
        return true;
    }

    // Makes the lists of the queriers [begin, end). Returns how many were made before one that needs another
    // way, or whose sink may have too little room.
    THRONG_KERNEL THRONG_NOINLINE std::uint32_t write(const ListWriter<V>& lists, const Patch<V>& patch,
                                                      const Queriers& queriers, std::uint32_t begin,
                                                      std::uint32_t end, float radius, bool half) {
        const Wide limit(radius * radius);
        if (lists.wants_distances(begin)) {
            end = half ? find<true, true>(patch, queriers, begin, end, limit)
                       : find<false, true>(patch, queriers, begin, end, limit);
            return put<true>(lists, begin, end);
        }
        end = half ? find<true, false>(patch, queriers, begin, end, limit)
                   : find<false, false>(patch, queriers, begin, end, limit);
        return put<false>(lists, begin, end);
    }

private:
    // A list has no more than two vectors, and another one is written.
    static constexpr std::ptrdiff_t room = std::ptrdiff_t{3} * lanes;

    // The answers of a querier in the lower and in the upper row. The addresses lie apart, or GCC makes
    // vectors of two.
    struct Found {
        const std::uint32_t* low_ids;
        std::uint32_t in_low, in_high;
        const std::uint32_t* high_ids;
    };

    // First looks for all agents, since that waits for memory. Returns the first querier that needs another
    // way.
    template <bool half, bool with_distances>
    std::uint32_t find(const Patch<V>& patch, const Queriers& queriers, std::uint32_t begin,
                       std::uint32_t end, const Wide& limit) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const std::uint32_t at = i - first_;
            const std::int32_t low = patch.cells.first_row[at], high = patch.cells.last_row[at];
            const auto left = static_cast<std::uint32_t>(patch.cells.first_column[at]),
                       behind = static_cast<std::uint32_t>(patch.cells.last_column[at]) + 1;
            const auto &below = patch.strip(low), &above = patch.strip(high);
            const std::uint32_t j = below.cells[left], k = above.cells[left];
            if ((below.cells[behind] - j > lanes) | (above.cells[behind] - k > lanes)) [[unlikely]]
                return i;
            const Wide x(queriers.x[i]), y(queriers.y[i]);
            const Wide d = distances(patch, x, y, j + below.shift),
                       e = distances(patch, x, y, k + above.shift);
            const std::uint32_t both = low != high ? (1u << (lanes - 1) << 1) - 1 : 0;
            std::uint32_t in_low = V::bits(d <= limit), in_high = V::bits(e <= limit) & both;
            if constexpr (half) {
                in_low &= V::above(below.ids + j, queriers.number[i]);
                in_high &= V::above(above.ids + k, queriers.number[i]);
            } else {
                const std::uint32_t self = own_ + at, is_low = low == own_row_ ? 1 : 0;
                in_low &= ~(is_low << (self - j) % 32);
                in_high &= ~((is_low ^ 1) << (self - k) % 32);
            }
            found_[at] = {below.ids + j, in_low, in_high, above.ids + k};
            if constexpr (with_distances) {
                d.store_aligned(distances_ + at * 2 * lanes);
                e.store_aligned(distances_ + at * 2 * lanes + lanes);
            }
        }
        return end;
    }
    template <bool with_distances>
    std::uint32_t put(const ListWriter<V>& lists, std::uint32_t begin, std::uint32_t end) const {
        for (std::uint32_t i = begin; i < end; ++i) {
            const Found found = found_[i - first_];
            const auto space = lists.space_for(i, room);
            if (space.ids == nullptr) return i - begin;
            const std::uint32_t some = V::count_bits(found.in_low);
            V::pack_few(space.ids, found.low_ids, found.in_low);
            V::pack_few(space.ids + some, found.high_ids, found.in_high);
            if constexpr (with_distances) {
                const float* const from = distances_ + (i - first_) * 2 * lanes;
                ListTaker<V>::pack(space.distances, Wide::load_aligned(from), found.in_low);
                ListTaker<V>::pack(space.distances + some, Wide::load_aligned(from + lanes), found.in_high);
            }
            std::uint32_t* const behind = space.ids + some + V::count_bits(found.in_high);
            lists.end(i, space, behind);
            lists.fetch_ahead(behind);
        }
        return end - begin;
    }
    static Wide distances(const Patch<V>& patch, const Wide& x, const Wide& y, std::size_t at) {
        const Wide dx = x - Wide::load_unaligned(patch.x + at), dy = y - Wide::load_unaligned(patch.y + at);
        return dx * dx + dy * dy;
    }

    Found found_[Patch<V>::queriers];
    alignas(64) float distances_[std::size_t{2} * Patch<V>::queriers * lanes];
    std::int32_t own_row_ = 0;
    std::uint32_t first_ = 0, own_ = 0;  // the first querier, and its slot in its row
};

}  // namespace throng::simd
