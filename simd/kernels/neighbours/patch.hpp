// The centres of all agents around some queriers that follow each other in a row. Each is computed once, and
// then compared many times:
//
//     strip 0    x x x x x x | NaN        the agents of some columns of a row, from where the leftmost
//     strip 1    x x x x | NaN            querier may find one to where the rightmost may; then as many
//     strip 2    x x x x x x x | NaN      slots without an agent as a vector may read past the end
//
// Only if all that the queriers may find is in one grid (PatchHome), and the strips are short enough.
#pragma once

#include "simd/kernels/neighbours/circles.hpp"
#include "simd/kernels/neighbours/gather.hpp"
#include "simd/kernels/search/admission.hpp"
#include "simd/kernels/search/islands.hpp"
#include "simd/kernels/storeys/storey_search.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

// The grid with all agents that some queriers may find: the frame's own, or that of the one island or storey
// they are on, or of the one storey of that island.
template <class V>
struct PatchHome : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Wide;

    // Queriers that look at every height.
    struct AtEveryHeight {
        auto heights(std::uint32_t, std::uint32_t) const { return Admission<V>::Everyone::heights(); }
    };
    // Null if there is no such grid, or if an oversized agent may be near. The square of the radius is
    // finite. `filters.heights(first, count)` is a band around those of the queriers.
    template <class Filters = AtEveryHeight>
    static const View* of(const View& view, const Queriers& from, std::uint32_t first, std::uint32_t count,
                          float radius, const Filters& filters = {}) {
        if (view.is_all) return &view;
        const Query q = bounds_of(from, first, count, radius);
        const View* home = &IslandSearch<V>::home_of(view, q);
        if (home->islands != nullptr) return nullptr;
        if (home->storeys != nullptr) {
            const auto reach = typename Base::Locator(*home).reach(q);
            typename StoreySearch<V>::Only only(*home);
            home = only.in_reach(filters.heights(first, count), reach);
        }
        return home != nullptr && is_clear(view, q) ? home : nullptr;
    }

private:
    static Query bounds_of(const Queriers& from, std::uint32_t first, std::uint32_t count, float radius) {
        const Query all = Circles<V>::bounds_of(from, first, count),
                    low = Circles<V>::around(all.min_x, all.min_y, radius).bounds,
                    high = Circles<V>::around(all.max_x, all.max_y, radius).bounds;
        return {low.min_x, low.min_y, high.max_x, high.max_y};
    }
    // Whether there is no oversized agent in these bounds.
    static bool is_clear(const View& view, const Query& q) {
        const typename Base::template Probe<Wide> probe(q);
        const typename Base::Arrays a(view.oversized);
        for (std::uint32_t i = 0; i < view.node_count;) {
            const Node& node = view.nodes[i];
            if (node.min_x > q.max_x || node.min_y > q.max_y || -node.negated_max_x < q.min_x ||
                -node.negated_max_y < q.min_y) {
                i = node.next;
                continue;
            }
            ++i;
            if (node.next != i) continue;
            if (view.groves != nullptr) return false;
            for (std::uint32_t j = node.begin; j < node.end; j += Wide::size)
                if (probe.overlap(a, j) != 0) return false;
        }
        return true;
    }
};

template <class V>
class Patch : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Reach;
    using typename Base::Wide;
    using Admit = typename Admission<V>::AnyAdmission;

    // The most queriers, and strips.
    static constexpr std::uint32_t queriers = QuerierCells<V>::most, max_strips = 16, room = patch_room;

    struct alignas(32) Strip {
        const std::uint32_t *cells, *ids;  // of the row
        std::size_t shift;                 // what is added to the slot of an agent in its row
        std::uint32_t begin, end;          // its slots in its row
    };
    float x[room], y[room];
    QuerierCells<V> cells;
    const Row* rows;
    const SharedHeights* row_heights;
    // Queriers that look together: the cells in which any of them may find agents, and their bounds.
    struct Packet {
        Reach cells;
        Query bounds;
    };

    // The patch of `count` queriers that look as far as `radius`, whose square is finite, in packets of
    // `packet`, a power of two, or one by one if that is zero. An agent that is not admitted counts as none;
    // without `admit` all are admitted. Returns false if it would be too much, or little of it would be used.
    bool fill(const View& view, const Queriers& from, std::uint32_t first, std::uint32_t count,
              std::uint32_t packet, float radius, const Admit* admit) {
        cells.find(view.locate, from, first, count, radius);
        const Reach reach = packet == 0 ? cells.all(0, count) : make_packets(from, first, count, packet);
        const auto low = static_cast<std::int32_t>(reach.first_row),
                   high = static_cast<std::int32_t>(reach.last_row);
        if (high - low >= static_cast<std::int32_t>(max_strips)) return false;
        lowest_row_ = low;
        highest_row_ = high;
        rows = view.rows;
        row_heights = view.row_heights;
        std::size_t filled = 0;
        for (std::int32_t r = low; r <= high; ++r) {
            const Row& row = view.rows[r];
            Strip& strip = strips_[r - low];
            strip.cells = nullptr;
            if (row.count == 0) continue;
            const std::uint32_t begin = row.cells[reach.first_column], end = row.cells[reach.last_column + 1];
            // Strips that are much longer than needed are not worth it.
            if (end - begin + 2 * gap > room - filled || end - begin > 8 * count + 64) return false;
            strip.cells = row.cells;
            strip.ids = typename Base::Arrays(row).id;
            strip.shift = filled - begin;
            strip.begin = begin;
            strip.end = end;
            copy(row, begin, end, x + filled, y + filled);
            if (r == high) fetch_next(row, reach, end);
            if (admit != nullptr && !admit->is_everyone()) leave_out(row, begin, end, filled, *admit);
            filled += end - begin + gap;
        }
        return true;
    }
    // The common part of the bands of all queriers, and the band around them.
    struct Heights {
        float all_min, all_max, any_min, any_max;

        Heights(const Queriers& from, std::uint32_t first, std::uint32_t count)
            : all_min(from.min_z[first]), all_max(from.max_z[first]), any_min(all_min), any_max(all_max) {
            for (std::uint32_t i = first + 1; i < first + count; ++i) {
                const float low = from.min_z[i], high = from.max_z[i];
                all_min = all_min < low ? low : all_min;
                any_min = low < any_min ? low : any_min;
                all_max = high < all_max ? high : all_max;
                any_max = any_max < high ? high : any_max;
            }
        }
    };
    // Leaves out agents that share no height with any of the queriers. Returns whether each of the others
    // shares one with each querier: mostly so if a place has one storey.
    THRONG_KERNEL THRONG_NOINLINE bool is_of_one_storey(const Queriers& from, std::uint32_t first,
                                                        std::uint32_t count) {
        const Heights of(from, first, count);
        SharedHeights shared;
        for (std::int32_t r = lowest_row_; r <= highest_row_; ++r) shared.add(row_heights[r]);
        if (shared.admit_all(of.all_min, of.all_max)) return true;
        const Wide all_min(of.all_min), all_max(of.all_max), any_min(of.any_min), any_max(of.any_max);
        bool is = true;
        for (std::int32_t r = lowest_row_; r <= highest_row_; ++r) {
            const Strip& strip = this->strip(r);
            if (strip.cells == nullptr) continue;
            const typename Admit::Arrays a(rows[r]);
            for (std::uint32_t j = strip.begin; j < strip.end; j += Wide::size) {
                const Wide min_z = Wide::load_unaligned(a.min_z + j),
                           max_z = Wide::load_unaligned(a.max_z + j);
                const std::uint32_t left = strip.end - j,
                                    there = left < Wide::size ? (1u << left) - 1 : every_lane;
                if ((V::bits((min_z <= all_max) & (all_min <= max_z)) & there) == there) continue;
                std::uint32_t near = V::bits((min_z <= any_max) & (any_min <= max_z)) & there;
                is &= (near & ~V::bits((min_z <= all_max) & (all_min <= max_z))) == 0;
                for (near = there & ~near; near != 0; near &= near - 1)
                    x[strip.shift + j + Base::lowest(near)] = not_a_number;
            }
        }
        return is;
    }
    // The centres of the agents [begin, end) of a row, and behind them slots without an agent.
    static void copy(const Row& row, std::uint32_t begin, std::uint32_t end, float* to_x, float* to_y) {
        const std::uint32_t count = end - begin;
        Circles<V>::find_centres(row, begin, count, to_x, to_y);
        const Wide none(not_a_number);
        for (std::uint32_t i = 0; i < gap; i += Wide::size) none.store_unaligned(to_x + count + i);
    }
    // The highest row is new to the caches: the part that the next patch reads is fetched. Inlined early,
    // since GCC takes a function that only fetches for one without an effect.
    THRONG_ALWAYS_INLINE static void fetch_next(const Row& row, const Reach& reach, std::uint32_t end) {
        const typename Base::Arrays a(row);
        Base::template fetch_from<0>(row.cells + reach.last_column,
                                     (reach.last_column - reach.first_column) * sizeof *row.cells);
        for (std::uint32_t j = end; j < end + queriers && j < row.count; j += 16) {
            for (const float* array : {a.min_x, a.min_y, a.max_x, a.max_y}) THRONG_PREFETCH(array + j);
            THRONG_PREFETCH(a.id + j);
        }
    }
    // The packet of `count` queriers from number `first` on, which is number `at` in the patch.
    Packet packet_of(const Queriers& from, std::uint32_t first, std::uint32_t at, std::uint32_t count) const {
        if (at >> shift_ << shift_ == at && (count >> shift_ == 1 || at + count == count_)) [[likely]]
            return packets_[at >> shift_];
        return make_packet(from, first, at, count);
    }
    const Strip& strip(std::int32_t row) const { return strips_[row - lowest_row_]; }
    // The row that has an id at this address; below zero if there is none, or if any of the rows is empty.
    std::int32_t row_of(std::uintptr_t id) const {
        std::int32_t own = -1;
        for (std::int32_t r = lowest_row_; r <= highest_row_; ++r) {
            if (strip(r).cells == nullptr) return -1;
            const std::uintptr_t at = id - reinterpret_cast<std::uintptr_t>(strip(r).ids);
            if (at / sizeof *strip(r).ids < rows[r].count) own = r;
        }
        return own;
    }

private:
    // Makes all packets one after the other: the steps of one alone would wait for each other. Returns the
    // cells of all.
    Reach make_packets(const Queriers& from, std::uint32_t first, std::uint32_t count, std::uint32_t packet) {
        shift_ = Base::lowest(packet);
        count_ = count;
        Reach all{~0u, ~0u, 0, 0};
        for (std::uint32_t at = 0; at < count; at += packet) {
            const std::uint32_t left = count - at;
            Packet& next = packets_[at >> shift_];
            next = make_packet(from, first + at, at, left < packet ? left : packet);
            const Reach& c = next.cells;
            all.first_column = c.first_column < all.first_column ? c.first_column : all.first_column;
            all.first_row = c.first_row < all.first_row ? c.first_row : all.first_row;
            all.last_column = c.last_column > all.last_column ? c.last_column : all.last_column;
            all.last_row = c.last_row > all.last_row ? c.last_row : all.last_row;
        }
        return all;
    }
    Packet make_packet(const Queriers& from, std::uint32_t first, std::uint32_t at,
                       std::uint32_t count) const {
        return {cells.all(at, count), Circles<V>::bounds_of(from, first, count)};
    }
    THRONG_KERNEL THRONG_NOINLINE void leave_out(const Row& row, std::uint32_t begin, std::uint32_t end,
                                                 std::size_t to, const Admit& admit) {
        const typename Admit::Arrays a(row);
        admit.filtered([&](const auto& filtered) {
            for (std::uint32_t j = begin; j < end; j += Wide::size) {
                std::uint32_t not_wanted = ~filtered.overlap(a, j) & ((std::uint64_t{1} << Wide::size) - 1);
                for (; not_wanted != 0; not_wanted &= not_wanted - 1)
                    x[to + (j - begin) + Base::lowest(not_wanted)] = not_a_number;
            }
        });
    }

    static constexpr std::uint32_t every_lane = ~0u >> (32 - Wide::size);
    std::int32_t lowest_row_ = 0, highest_row_ = 0;
    static constexpr std::uint32_t min_packet = 4;
    std::uint32_t shift_ = 0, count_ = 0;
    Packet packets_[queriers / min_packet];
    Strip strips_[max_strips];
};

// The agents of a patch that any of a few queriers may find, one behind the other. So each querier is
// compared with the same vectors, without a branch that depends on its place.
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

        Near(const Query& bounds, float radius)
            : low_x(bounds.min_x),
              low_y(bounds.min_y),
              high_x(bounds.max_x),
              high_y(bounds.max_y),
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
            Circles<V>::pack(x + to, from_x + i, found);
            Circles<V>::pack(y + to, from_y + i, found);
            V::left_pack(ids + to, from_ids + i, found);
            to += V::count_bits(found);
        }
        count = static_cast<std::uint32_t>(to);
    }

    std::int32_t lowest_row_ = 0;
    std::uint32_t behind_row_[Patch<V>::max_strips];
};

}  // namespace throng::simd
