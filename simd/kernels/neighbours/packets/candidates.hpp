// The agents of a patch that any of a few queriers may find, one behind the other. So each querier is
// compared with the same vectors, without a branch that depends on its place.
#pragma once

#include "simd/kernels/neighbours/patch.hpp"

namespace throng::simd {

template <class V>
class Candidates : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Reach;
    using typename Base::Wide;
    using Ids = xsimd::batch<std::uint32_t, typename Wide::arch_type>;

    static constexpr std::uint32_t room = 512, none = 0x80000000u;

    std::uint32_t count = 0;
    // The slot of the first querier among them, which the others follow; `none` if they are not left out.
    std::uint32_t self = none;
    // Behind the last are as many without an agent as a vector may read.
    alignas(64) float x[room + 2 * gap];
    alignas(64) float y[room + 2 * gap];
    alignas(64) std::uint32_t ids[room + 2 * gap];

    // Those of `packet` queriers from number `first` on, which is number `at` in the patch. Of the rows that
    // no querier is in, only those within `radius` of the queriers' bounds. Returns false if they are more
    // than `max_count`, or many more than for one of the queriers alone.
    bool fill(const Patch<V>& patch, const Queriers& queriers, std::uint32_t first, std::uint32_t at,
              std::uint32_t packet, std::uint32_t max_count, float radius) {
        const typename Patch<V>::Packet together = patch.packet_of(queriers, first, at, packet);
        const Reach& cells = together.cells;
        const Near near(together.bounds, radius);
        const auto own =
            reinterpret_cast<std::uintptr_t>(queriers.selves == nullptr ? nullptr : queriers.selves + first);
        count = 0;
        self = none;
        lowest_row_ = static_cast<std::int32_t>(cells.first_row);
        std::uint32_t needed = 0;
        for (std::int32_t r = lowest_row_; r <= static_cast<std::int32_t>(cells.last_row); ++r) {
            const auto& strip = patch.strip(r);
            behind_row_[r - lowest_row_] = count;
            if (strip.cells == nullptr) continue;
            const std::uint32_t begin = strip.cells[cells.first_column],
                                end = strip.cells[cells.last_column + 1];
            if (needed <= usual && (needed += end - begin) > usual) [[unlikely]]
                if (!are_worth_it(patch, cells, at)) return false;
            // It wraps around where the queriers are in another row.
            const std::size_t own_at =
                (own - reinterpret_cast<std::uintptr_t>(strip.ids)) / sizeof *strip.ids;
            if (own_at - begin < end - begin && own != 0) {
                self = count + static_cast<std::uint32_t>(own_at - begin);
                copy(patch, strip, begin, end);
            } else {
                copy_near(patch, strip, begin, end, near);
            }
            behind_row_[r - lowest_row_] = count;
        }
        if (count > max_count) return false;
        const Wide nowhere(not_a_number);
        for (std::uint32_t i = 0; i < gap; i += Wide::size) nowhere.store_unaligned(x + count + i);
        return true;
    }

    // The candidates in some rows of the grid, which are among those of the queriers.
    std::uint32_t first_in(std::int32_t row) const {
        return row == lowest_row_ ? 0 : behind_row_[row - lowest_row_ - 1];
    }
    std::uint32_t behind(std::int32_t row) const { return behind_row_[row - lowest_row_]; }

private:
    // This many are always worth it.
    static constexpr std::uint32_t usual = 128;

    bool are_worth_it(const Patch<V>& patch, const Reach& cells, std::uint32_t at) const {
        const std::uint32_t all = size_of(patch, cells);
        return all <= room && all <= 4 * size_of(patch, patch.cells.of(at));
    }
    static std::uint32_t size_of(const Patch<V>& patch, const Reach& c) {
        std::uint32_t size = 0;
        for (std::uint32_t r = c.first_row; r <= c.last_row; ++r) {
            const auto& strip = patch.strip(static_cast<std::int32_t>(r));
            if (strip.cells != nullptr) size += strip.cells[c.last_column + 1] - strip.cells[c.first_column];
        }
        return size;
    }

    // What is within a distance of bounds.
    struct Near {
        Wide low_x, low_y, high_x, high_y, limit;

        Near(const float* bounds, float radius)
            : low_x(bounds[0]),
              low_y(bounds[1]),
              high_x(bounds[2]),
              high_y(bounds[3]),
              limit(radius * radius * (1 + 0x1p-20f) + 0x1p-120f) {}
        // The limit is higher than a querier's own, by more than a rounding mode can make of the sign of a
        // difference.
        std::uint32_t among(const Wide& px, const Wide& py) const {
            const Wide dx = px - within(px, low_x, high_x), dy = py - within(py, low_y, high_y);
            return V::bits(dx * dx + dy * dy <= limit);
        }
        // What is NaN becomes a bound, and a distance of NaN.
        static Wide within(const Wide& v, const Wide& low, const Wide& high) {
            return V::smaller(V::larger(v, low), high);
        }
    };

    // What is stored may be anything to the compiler, so it reads nothing through `this` meanwhile.
    void copy(const Patch<V>& patch, const typename Patch<V>::Strip& strip, std::uint32_t begin,
              std::uint32_t end) {
        const std::size_t at = strip.shift + begin;  // the shift alone may be below zero
        const float *from_x = patch.x + at, *from_y = patch.y + at;
        const std::uint32_t* from_ids = strip.ids + begin;
        float *to_x = x + count, *to_y = y + count;
        std::uint32_t* to_ids = ids + count;
        const std::size_t some = end - begin;
        for (std::size_t i = 0; i < some; i += Wide::size) {
            Wide::load_unaligned(from_x + i).store_unaligned(to_x + i);
            Wide::load_unaligned(from_y + i).store_unaligned(to_y + i);
            Ids::load_unaligned(from_ids + i).store_unaligned(to_ids + i);
        }
        count += end - begin;
    }
    // What is behind the last of the strip is not near, or no agent.
    void copy_near(const Patch<V>& patch, const typename Patch<V>::Strip& strip, std::uint32_t begin,
                   std::uint32_t end, const Near& near) {
        const std::size_t at = strip.shift + begin;
        const float *from_x = patch.x + at, *from_y = patch.y + at;
        const std::uint32_t* from_ids = strip.ids + begin;
        std::size_t to = count;
        const std::size_t some = end - begin;
        for (std::size_t i = 0; i < some; i += Wide::size) {
            const std::uint32_t found =
                near.among(Wide::load_unaligned(from_x + i), Wide::load_unaligned(from_y + i));
            V::left_pack(reinterpret_cast<std::uint32_t*>(x + to),
                         reinterpret_cast<const std::uint32_t*>(from_x + i), found);
            V::left_pack(reinterpret_cast<std::uint32_t*>(y + to),
                         reinterpret_cast<const std::uint32_t*>(from_y + i), found);
            V::left_pack(ids + to, from_ids + i, found);
            to += V::count_bits(found);
        }
        count = static_cast<std::uint32_t>(to);
    }

    std::int32_t lowest_row_ = 0;
    std::uint32_t behind_row_[Patch<V>::max_strips];
};

}  // namespace throng::simd
