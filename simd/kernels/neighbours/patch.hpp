// The centres of all agents around some queriers that follow each other in a row. Each is computed once, and
// then compared many times:
//
//     strip 0    x x x x x x | NaN        the agents of some columns of a row, from where the leftmost
//     strip 1    x x x x | NaN            querier may find one to where the rightmost may; then as many
//     strip 2    x x x x x x x | NaN      slots without an agent as a vector may read past the end
//
// Only if all that the queriers may find is in one grid (patch_home.hpp), and the strips are short enough.
#pragma once

#include "simd/kernels/neighbours/circles.hpp"
#include "simd/kernels/neighbours/gather.hpp"
#include "simd/kernels/neighbours/packets/querier_cells.hpp"
#include "simd/kernels/search/admission.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
class Patch : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Reach;
    using typename Base::Wide;
    using Admit = typename Admission<V>::AnyAdmission;

    // The most queriers, and strips.
    static constexpr std::uint32_t queriers = 64, max_strips = 16, room = patch_room;

    struct alignas(32) Strip {
        const std::uint32_t *cells, *ids;  // of the row
        std::size_t shift;                 // what is added to the slot of an agent in its row
        std::uint32_t begin, end;          // its slots in its row
    };
    float x[room], y[room];
    QuerierCells<V, queriers> cells;
    const Row* rows;
    // Queriers that look together: the cells in which any of them may find agents, and their bounds, min_x,
    // min_y, max_x, max_y.
    struct Packet {
        Reach cells;
        float bounds[4];
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
        const float *const xs = from.x + first, *const ys = from.y + first;
        float low_x = xs[0], low_y = ys[0], high_x = low_x, high_y = low_y;
        for (std::uint32_t i = 1; i < count; ++i) {
            low_x = xs[i] < low_x ? xs[i] : low_x;
            low_y = ys[i] < low_y ? ys[i] : low_y;
            high_x = xs[i] > high_x ? xs[i] : high_x;
            high_y = ys[i] > high_y ? ys[i] : high_y;
        }
        return {cells.all(at, count), {low_x, low_y, high_x, high_y}};
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

}  // namespace throng::simd
