// The agents of a patch that any of a few queriers may find, one behind the other: so each of the queriers is compared
// with the same vectors, without a branch that depends on where it is.
#pragma once

#include "simd/kernels/neighbours/patch.hpp"

namespace throng::simd {

template <class V>
class Candidates : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Wide;
    using Ids = xsimd::batch<std::uint32_t, typename Wide::arch_type>;

    static constexpr std::uint32_t room = 512, none = 0x80000000u;

    std::uint32_t count = 0;
    // The place of the first querier among them, which the others follow; `none` if they are not left out.
    std::uint32_t self = none;
    // Behind the last are as many without an agent as a vector may read.
    alignas(64) float x[room + 2 * gap];
    alignas(64) float y[room + 2 * gap];
    alignas(64) std::uint32_t ids[room + 2 * gap];

    // Those of `some` queriers from number `first` on, which is number `at` in the patch. Of the rows that no querier is in,
    // only those within `radius` of the queriers' bounds. Returns false if they are more than `most`, or many more than for
    // one of the queriers alone.
    bool fill(const Patch<V>& patch, const Queriers& queriers, std::uint32_t first, std::uint32_t at,
              std::uint32_t some, std::uint32_t most, float radius) {
        const Cells cells = cells_of(patch, at, some);
        const std::uint32_t needed = size_of(patch, cells);
        if (needed > room || (needed > usual && needed > 4 * size_of(patch, cells_of(patch, at, 1))))
            return false;
        const Bounds bounds = bounds_of(queriers, first, some);
        const Wide limit(radius * radius);
        const auto own =
            reinterpret_cast<std::uintptr_t>(queriers.selves == nullptr ? nullptr : queriers.selves + first);
        count = 0;
        self = none;
        lowest_row_ = cells.first_row;
        for (std::int32_t r = cells.first_row; r <= cells.last_row; ++r) {
            const auto& strip = patch.strip(r);
            behind_row_[r - lowest_row_] = count;
            if (strip.cells == nullptr) continue;
            const std::uint32_t begin = strip.cells[cells.first_column],
                                end = strip.cells[cells.last_column + 1];
            // It wraps around where the queriers are in another row.
            const std::size_t own_at =
                (own - reinterpret_cast<std::uintptr_t>(strip.ids)) / sizeof *strip.ids;
            if (own_at - begin < end - begin && own != 0) {
                self = count + static_cast<std::uint32_t>(own_at - begin);
                copy(patch, strip, begin, end);
            } else {
                copy_near(patch, strip, begin, end, bounds, limit);
            }
            behind_row_[r - lowest_row_] = count;
        }
        if (count > most) return false;
        const Wide nowhere(__builtin_nanf(""));
        for (std::uint32_t i = 0; i < gap; i += Wide::size) nowhere.store_unaligned(x + count + i);
        return true;
    }

    // The candidates in some rows of the grid, which are among those of the queriers.
    std::uint32_t first_in(std::int32_t row) const {
        return row == lowest_row_ ? 0 : behind_row_[row - lowest_row_ - 1];
    }
    std::uint32_t behind(std::int32_t row) const { return behind_row_[row - lowest_row_]; }

private:
    // So many are always worth it.
    static constexpr std::uint32_t usual = 128;

    struct Cells {
        std::int32_t first_column, first_row, last_column, last_row;
    };
    static Cells cells_of(const Patch<V>& patch, std::uint32_t at, std::uint32_t some) {
        Cells c{patch.first_column[at], patch.first_row[at], patch.last_column[at], patch.last_row[at]};
        for (std::uint32_t i = at + 1; i < at + some; ++i) {
            c.first_column = patch.first_column[i] < c.first_column ? patch.first_column[i] : c.first_column;
            c.first_row = patch.first_row[i] < c.first_row ? patch.first_row[i] : c.first_row;
            c.last_column = patch.last_column[i] > c.last_column ? patch.last_column[i] : c.last_column;
            c.last_row = patch.last_row[i] > c.last_row ? patch.last_row[i] : c.last_row;
        }
        return c;
    }
    struct Bounds {
        float low_x, low_y, high_x, high_y;
    };
    static Bounds bounds_of(const Queriers& queriers, std::uint32_t first, std::uint32_t some) {
        Bounds b{queriers.x[first], queriers.y[first], queriers.x[first], queriers.y[first]};
        for (std::uint32_t i = first + 1; i < first + some; ++i) {
            const float px = queriers.x[i], py = queriers.y[i];
            b.low_x = px < b.low_x ? px : b.low_x;
            b.low_y = py < b.low_y ? py : b.low_y;
            b.high_x = px > b.high_x ? px : b.high_x;
            b.high_y = py > b.high_y ? py : b.high_y;
        }
        return b;
    }
    static std::uint32_t size_of(const Patch<V>& patch, const Cells& c) {
        std::uint32_t size = 0;
        for (std::int32_t r = c.first_row; r <= c.last_row; ++r) {
            const auto& strip = patch.strip(r);
            if (strip.cells != nullptr) size += strip.cells[c.last_column + 1] - strip.cells[c.first_column];
        }
        return size;
    }
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
    // Leaves out what is further from the bounds than the limit, squared. Distances of floats are in the order of the true
    // ones, so none that a querier may find is left out.
    void copy_near(const Patch<V>& patch, const typename Patch<V>::Strip& strip, std::uint32_t begin,
                   std::uint32_t end, const Bounds& bounds, const Wide& limit) {
        const std::size_t at = strip.shift + begin;
        const float *from_x = patch.x + at, *from_y = patch.y + at;
        const std::uint32_t* from_ids = strip.ids + begin;
        const Wide low_x(bounds.low_x), low_y(bounds.low_y), high_x(bounds.high_x), high_y(bounds.high_y);
        std::size_t to = count;
        const std::size_t some = end - begin;
        for (std::size_t i = 0; i < some; i += Wide::size) {
            const Wide px = Wide::load_unaligned(from_x + i), py = Wide::load_unaligned(from_y + i);
            const Wide dx = px - within(px, low_x, high_x), dy = py - within(py, low_y, high_y);
            // What is behind the last of the strip, if not nothing, is further off than its columns.
            const std::uint32_t near = V::bits(dx * dx + dy * dy <= limit);
            V::left_pack(reinterpret_cast<std::uint32_t*>(x + to),
                         reinterpret_cast<const std::uint32_t*>(from_x + i), near);
            V::left_pack(reinterpret_cast<std::uint32_t*>(y + to),
                         reinterpret_cast<const std::uint32_t*>(from_y + i), near);
            V::left_pack(ids + to, from_ids + i, near);
            to += V::count_bits(near);
        }
        count = static_cast<std::uint32_t>(to);
    }
    static Wide within(const Wide& v, const Wide& low, const Wide& high) {
        const Wide least = xsimd::select(v < low, low, v);
        return xsimd::select(least > high, high, least);
    }

    std::int32_t lowest_row_ = 0;
    std::uint32_t behind_row_[Patch<V>::max_strips];
};

}  // namespace throng::simd
