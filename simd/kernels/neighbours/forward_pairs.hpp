// All pairs of agents within a radius, each once, if all agents are in one grid: each agent is compared with
// those behind it in its own row, and with those of the rows above. Pairs come in the order of the frame by
// either of their agents: first the pairs of an agent with the ones before it, and then with the ones behind.
//
//     row above    . . [. . . .] . .       what the agents x, one after the other, may find
//     own row      . . x [. . .] . .
//
// Pairs are left in a buffer before they go to the streams, so that no loop has an end that cannot be
// predicted.
#pragma once

#include "simd/kernels/neighbours/patch.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

template <class V>
class ForwardPairs : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Reach;
    using typename Base::Wide;

    // See NeighbourKernels::pairs.
    THRONG_KERNEL static void find(const View& view, const RowPart& part, float radius,
                                   NeighbourOutput& output) {
        ForwardPairs pairs(view, part.row, radius, output);
        for (std::uint32_t i = part.first; i < part.end;) {
            const std::uint32_t left = part.end - i, packet = left < queriers ? left : queriers;
            if (pairs.fill(i, packet)) {
                pairs.compare_own_row(i, packet);
                pairs.compare_rows_above(i, packet);
                i += packet;
            } else {
                pairs.compare_alone(i++);
            }
        }
        pairs.flush();
    }

private:
    using Ids = xsimd::batch<std::uint32_t, typename Wide::arch_type>;
    using Few = xsimd::batch<std::uint32_t, typename V::Window::arch_type>;
    static constexpr std::uint32_t queriers = QuerierCells<V>::most, max_strips = 8, lanes = Wide::size,
                                   few = 8, pairs_room = 1024;

    // What a querier found in one vector.
    struct Found {
        const std::uint32_t* ids;
        std::uint32_t near, id;
    };

    ForwardPairs(const View& view, std::uint32_t row, float radius, const NeighbourOutput& output)
        : view_(view),
          row_(row),
          radius_(radius),
          limit_(radius * radius),
          sinks_(output.sinks),
          shift_(output.shift) {}

    // --- Centres ---

    // Centres of the next queriers and of all that they may find. Returns false if these are too many.
    bool fill(std::uint32_t first, std::uint32_t packet) {
        const Row& own = view_.rows[row_];
        copy(own, first, first + packet, 0);
        find_cells(packet);
        const Reach reach = cells_.all(0, packet);
        const std::uint32_t end = own.cells[reach.last_column + 1];
        if (reach.last_row - row_ >= max_strips || end - first + 2 * gap > patch_room) return false;
        copy(own, first, end, 0);
        std::size_t filled = end - first + gap;
        for (std::uint32_t r = row_ + 1; r <= reach.last_row; ++r) {
            const Row& row = view_.rows[r];
            if (row.count == 0) continue;
            const std::uint32_t from = row.cells[reach.first_column],
                                behind = row.cells[reach.last_column + 1];
            if (behind - from + 2 * gap > patch_room - filled) return false;
            shift_of_[r - row_] = filled - from;
            copy(row, from, behind, filled);
            if (r == reach.last_row) Patch<V>::fetch_next(row, reach, behind);
            filled += behind - from + gap;
        }
        return true;
    }
    void find_cells(std::uint32_t packet) {
        cells_.find(view_.locate, {x_, y_, nullptr, nullptr, packet}, 0, packet, radius_);
    }
    void copy(const Row& row, std::uint32_t begin, std::uint32_t end, std::size_t to) {
        Patch<V>::copy(row, begin, end, x_ + to, y_ + to);
    }

    // --- Comparisons ---

    // First all are compared, since that waits for memory, and then all pairs are written. A vector is
    // compared even if it is empty. If one may find more than that, the queriers are compared once more.
    void compare_own_row(std::uint32_t first, std::uint32_t packet) {
        const Row& own = view_.rows[row_];
        const std::uint32_t* const ids = Arrays(own).id;
        bool is_long = false;
        for (std::uint32_t k = 0; k < packet; ++k) {
            const std::uint32_t i = first + k,
                                behind = own.cells[static_cast<std::uint32_t>(cells_.last_column[k]) + 1];
            found_[k] = {ids + i + 1, near(k, k + 1), ids[i]};
            is_long |= behind > i + 1 + lanes;
        }
        if (!is_long) return write(packet);
        for (std::uint32_t k = 0; k < packet; ++k) {
            const std::uint32_t i = first + k,
                                behind = own.cells[static_cast<std::uint32_t>(cells_.last_column[k]) + 1];
            for (std::uint32_t j = i + 1; j < behind; j += lanes) take(ids[i], ids + j, near(k, j - first));
        }
    }
    void compare_rows_above(std::uint32_t first, std::uint32_t packet) {
        std::uint32_t reaching[queriers], count = 0, rows = 0;
        for (std::uint32_t k = 0; k < packet; ++k) {
            const std::uint32_t more = static_cast<std::uint32_t>(cells_.last_row[k]) - row_;
            reaching[count] = k;
            count += more != 0;
            rows = rows < more ? more : rows;
        }
        if (rows == 0) return;
        const std::uint32_t* const own_ids = Arrays(view_.rows[row_]).id + first;
        bool is_long = rows > 1;
        if (const Row& row = view_.rows[row_ + 1]; !is_long && row.count != 0) {
            const std::uint32_t* const ids = Arrays(row).id;
            for (std::uint32_t n = 0; n < count; ++n) {
                const std::uint32_t k = reaching[n],
                                    j = row.cells[static_cast<std::uint32_t>(cells_.first_column[k])],
                                    behind = row.cells[static_cast<std::uint32_t>(cells_.last_column[k]) + 1];
                found_[n] = {ids + j, near(k, j + shift_of_[1]), own_ids[k]};
                is_long |= behind > j + lanes;
            }
            if (!is_long) return write(count);
        }
        for (std::uint32_t n = 0; n < count; ++n) compare_above(reaching[n], own_ids[reaching[n]]);
    }
    void compare_above(std::uint32_t k, std::uint32_t id) {
        const Reach reach = cells_.of(k);
        for (std::uint32_t r = row_ + 1; r <= reach.last_row; ++r) {
            const Row& row = view_.rows[r];
            if (row.count == 0) continue;
            const std::uint32_t* const ids = Arrays(row).id;
            const std::uint32_t behind = row.cells[reach.last_column + 1];
            for (std::uint32_t j = row.cells[reach.first_column]; j < behind; j += lanes)
                take(id, ids + j, near(k, j + shift_of_[r - row_]));
        }
    }
    // The agents from a slot among the centres on that are within the radius of querier k. Behind a run there
    // are none.
    std::uint32_t near(std::uint32_t k, std::size_t at) const {
        return near(Wide(x_[k]) - Wide::load_unaligned(x_ + at), Wide(y_[k]) - Wide::load_unaligned(y_ + at));
    }
    std::uint32_t near(const Wide& dx, const Wide& dy) const { return V::bits(dx * dx + dy * dy <= limit_); }
    // One agent with all that it may find, if that is too much to be copied.
    THRONG_KERNEL THRONG_NOINLINE void compare_alone(std::uint32_t i) {
        const Row& own = view_.rows[row_];
        copy(own, i, i + 1, 0);
        find_cells(1);
        const Reach reach = cells_.of(0);
        const Wide x(x_[0]), y(y_[0]);
        for (std::uint32_t r = row_; r <= reach.last_row; ++r) {
            const Row& row = view_.rows[r];
            if (row.count == 0) continue;
            const Arrays a(row);
            const std::uint32_t behind = row.cells[reach.last_column + 1];
            for (std::uint32_t j = r == row_ ? i + 1 : row.cells[reach.first_column]; j < behind; j += lanes)
                take(Arrays(own).id[i], a.id + j,
                     near(x - Circles<V>::middle(a.min_x + j, a.max_x + j),
                          y - Circles<V>::middle(a.min_y + j, a.max_y + j)));
        }
    }
    void take(std::uint32_t id, const std::uint32_t* ids, std::uint32_t found) {
        put(count_, id, ids, found);
        count_ += V::count_bits(found);
        if (count_ > pairs_room) [[unlikely]]
            flush();
    }
    // The pairs of the first queriers that were compared.
    void write(std::uint32_t packet) {
        std::uint32_t count = count_;
        for (std::uint32_t n = 0; n < packet; ++n) {
            const Found found = found_[n];
            put(count, found.id, found.ids, found.near);
            count += V::count_bits(found.near);
        }
        count_ = count;
        if (count > pairs_room) flush();
    }
    void put(std::uint32_t at, std::uint32_t id, const std::uint32_t* ids, std::uint32_t found) {
        V::pack_few(others_ + at, ids, found);
        for (std::uint32_t i = 0; i < few; i += Few::size) Few(id).store_unaligned(firsts_ + at + i);
        if (V::count_bits(found) > few) [[unlikely]]
            Ids(id).store_unaligned(firsts_ + at);
    }

    // --- Streams ---

    // Each pair goes to the stream of its lower id.
    THRONG_KERNEL THRONG_NOINLINE void flush() {
        for (std::uint32_t n = 0; n < count_; ++n) {
            const std::uint32_t a = firsts_[n], b = others_[n], low = a < b ? a : b, high = a < b ? b : a;
            ListSink& sink = sinks_[std::uint64_t{low} >> shift_];
            if (sink.at > sink.limit) [[unlikely]]
                sink.full(sink);
            std::uint32_t* const to = sink.at;
            to[0] = low;
            to[1] = high;
            THRONG_PREFETCH(to + 32, 1);
            sink.at = to + 2;
        }
        count_ = 0;
    }

    const View& view_;
    const std::uint32_t row_;
    const float radius_;
    const Wide limit_;
    ListSink* const sinks_;
    const std::uint32_t shift_;
    std::uint32_t count_ = 0;
    // What is added to the slot of an agent in its row, by how far that row is above the own.
    std::size_t shift_of_[max_strips];
    QuerierCells<V> cells_;
    alignas(64) float x_[patch_room + 2 * gap];
    alignas(64) float y_[patch_room + 2 * gap];
    Found found_[queriers];
    // There is room for all that the queriers that are written at once found.
    alignas(64) std::uint32_t firsts_[pairs_room + queriers * lanes + 2 * gap];
    alignas(64) std::uint32_t others_[pairs_room + queriers * lanes + 2 * gap];
};

}  // namespace throng::simd
