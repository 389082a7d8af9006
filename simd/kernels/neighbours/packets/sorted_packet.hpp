// The nearest agents of a packet of queriers, if more are wanted than fit into registers (packet.hpp). Each
// querier collects the keys within the circle. Then the keys of all queriers are sorted together, one querier
// in each lane, so that no step of the sorting depends on the keys:
//
//     querier     0    1    2   ...
//     row 0      key  key  key          a key is a squared distance as an integer, whose lowest bits
//     row 1      key  key  none         are the number of the candidate; none is above all keys
//     row 2      key  none none
//
// If keys without their numbers are equal, their order is not known: that querier is sorted again by its
// distances.
#pragma once

#include "simd/kernels/neighbours/packets/candidates.hpp"
#include "simd/kernels/search/admission.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

template <class V>
class SortedPacket : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Four;
    using typename Base::Wide;
    using Ints = typename Admission<V>::Ints;

    // How many queriers there are in a packet.
    static constexpr std::uint32_t lanes = Wide::size;

    // Looks for the nearest `wanted` agents of the queriers from `first` on, which is number `at` in the
    // patch, among candidates within `radius`, whose square is finite. The bits of the result say which lanes
    // are settled: they have as many as wanted, or all in the circle, if the candidates are `complete`
    // without others.
    THRONG_KERNEL THRONG_NOINLINE std::uint32_t find(const Candidates<V>& near, const Patch<V>& patch,
                                                     const Queriers& queriers, std::uint32_t first,
                                                     std::uint32_t at, std::uint32_t wanted, float radius,
                                                     bool complete) {
        near_ = &near;
        queriers_ = {queriers.x + first, queriers.y + first};
        wanted_ = wanted;
        rows_ = 0;
        std::uint32_t settled = 0;
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const std::uint32_t found = collect(patch, lane, at + lane, radius * radius);
            found_[lane] = found;
            rows_ = found > rows_ ? found : rows_;
            settled |= std::uint32_t{found >= wanted || (complete && found != 0)} << lane;
        }
        rows_ = (rows_ + in_registers - 1) / in_registers * in_registers;
        transpose();
        for (std::uint32_t row = 0; row < rows_; row += in_registers) sort_rows(keys_ + row * lanes);
        for (std::uint32_t run = in_registers; run < rows_; run *= 2) merge_runs(run);
        tied_ = ties();
        return settled;
    }

    // The nearest of a settled lane, in order; `distances` may be null. Returns how many there are.
    std::uint32_t copy(std::uint32_t lane, std::uint32_t* ids, float* distances) const {
        if ((tied_ >> lane & 1) != 0) return copy_tied(lane, ids, distances);
        const std::uint32_t found = wanted_of(lane);
        const std::int32_t* const keys = keys_ + lane;
        for (std::uint32_t k = 0; k < found; ++k)
            ids[k] = near_->ids[number_of(keys[std::size_t{k} * lanes])];
        for (std::uint32_t k = 0; distances != nullptr && k < found; ++k)
            distances[k] = distance(lane, number_of(keys[std::size_t{k} * lanes]));
        return found;
    }

    // About the mean of the squared distances of the last that are wanted. NaN if a lane has fewer.
    float mean_of_last() const {
        if (rows_ < wanted_) return not_a_number;
        float sum = 0;
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            sum += detail::bits_as<float>(keys_[(wanted_ - 1) * lanes + lane] & distance_mask);
        return sum / static_cast<float>(lanes);
    }

private:
    static constexpr std::int32_t number_bits = 9, number_mask = (1 << number_bits) - 1,
                                  distance_mask = 0x7fffffff & ~number_mask, none = 0x7fffffff;
    static_assert(Candidates<V>::room <= 1 << number_bits);
    // The most that a querier collects, and how many rows are sorted in registers.
    static constexpr std::uint32_t most_found = 128, in_registers = 8;

    static std::uint32_t number_of(std::int32_t key) {
        return static_cast<std::uint32_t>(key) & std::uint32_t{number_mask};
    }
    static void order(Ints& low, Ints& high) {
        const Ints least = xsimd::min(low, high);
        high = xsimd::max(low, high);
        low = least;
    }
    std::uint32_t wanted_of(std::uint32_t lane) const {
        return found_[lane] < wanted_ ? found_[lane] : wanted_;
    }
    float distance(std::uint32_t lane, std::uint32_t number) const {
        const float dx = queriers_.x[lane] - near_->x[number], dy = queriers_.y[lane] - near_->y[number];
        return dx * dx + dy * dy;
    }

    // Writes the keys of the answers of querier `lane`. Returns how many those are, or none if they are too
    // many.
    std::uint32_t collect(const Patch<V>& patch, std::uint32_t lane, std::uint32_t at, float limit) {
        const Wide x(queriers_.x[lane]), y(queriers_.y[lane]), within(limit);
        const std::size_t first = near_->first_in(patch.cells.first_row[at]),
                          end = near_->behind(patch.cells.last_row[at]), self = near_->self + lane,
                          own = first + (self - first) / lanes * lanes;
        const std::uint32_t others = ~(1u << (self - own) % 32);
        std::uint32_t* const to = collected_[lane];
        std::uint32_t count = 0;
        for (std::size_t j = first; j < end; j += lanes) {
            const Wide dx = x - Wide::load_unaligned(near_->x + j),
                       dy = y - Wide::load_unaligned(near_->y + j);
            const Wide d = dx * dx + dy * dy;
            std::uint32_t found = V::bits(d <= within);
            if (j == own) found &= others;
            if (count > most_found) return 0;
            V::left_pack(to + count, keys_of(d, j), found);
            count += V::count_bits(found);
        }
        return count <= most_found ? count : 0;
    }
    const std::uint32_t* keys_of(const Wide& d, std::size_t j) {
        d.store_aligned(distances_);
        const Ints bits = Ints::load_aligned(reinterpret_cast<const std::int32_t*>(distances_));
        const Ints numbers = Ints::load_aligned(of_lanes.all) + Ints(static_cast<std::int32_t>(j));
        ((bits & Ints(distance_mask)) | numbers).store_aligned(reinterpret_cast<std::int32_t*>(packing_));
        return packing_;
    }
    struct Lanes {
        alignas(64) std::int32_t all[lanes];
        constexpr Lanes() : all{} {
            for (std::uint32_t i = 0; i < lanes; ++i) all[i] = static_cast<std::int32_t>(i);
        }
    };
    static constexpr Lanes of_lanes{};

    // A querier's keys become a column of the rows, four by four.
    void transpose() {
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            for (std::uint32_t row = found_[lane]; row < rows_; row += lanes)
                Ints(none).store_unaligned(reinterpret_cast<std::int32_t*>(collected_[lane] + row));
        for (std::uint32_t lane = 0; lane < lanes; lane += 4)
            for (std::uint32_t row = 0; row < rows_; row += 4) transpose_four(lane, row);
    }
    void transpose_four(std::uint32_t lane, std::uint32_t row) {
        const auto collected = [&](std::uint32_t k) {
            return Four::load_unaligned(reinterpret_cast<const float*>(collected_[lane + k] + row));
        };
        float* const to = reinterpret_cast<float*>(keys_ + std::size_t{row} * lanes + lane);
        const Four a = collected(0), b = collected(1), c = collected(2), d = collected(3);
        const Four low_ac = xsimd::zip_lo(a, c), low_bd = xsimd::zip_lo(b, d);
        const Four high_ac = xsimd::zip_hi(a, c), high_bd = xsimd::zip_hi(b, d);
        xsimd::zip_lo(low_ac, low_bd).store_unaligned(to);
        xsimd::zip_hi(low_ac, low_bd).store_unaligned(to + lanes);
        xsimd::zip_lo(high_ac, high_bd).store_unaligned(to + 2 * lanes);
        xsimd::zip_hi(high_ac, high_bd).store_unaligned(to + 3 * lanes);
    }
    // A network of 19 comparisons, which is the least for eight.
    static void sort_rows(std::int32_t* keys) {
        Ints row[in_registers];
        for (std::uint32_t k = 0; k < in_registers; ++k) row[k] = Ints::load_aligned(keys + k * lanes);
        order(row[0], row[2]), order(row[1], row[3]), order(row[4], row[6]), order(row[5], row[7]);
        order(row[0], row[4]), order(row[1], row[5]), order(row[2], row[6]), order(row[3], row[7]);
        order(row[0], row[1]), order(row[2], row[3]), order(row[4], row[5]), order(row[6], row[7]);
        order(row[2], row[4]), order(row[3], row[5]);
        order(row[1], row[4]), order(row[3], row[6]);
        order(row[1], row[2]), order(row[3], row[4]), order(row[5], row[6]);
        for (std::uint32_t k = 0; k < in_registers; ++k) row[k].store_aligned(keys + k * lanes);
    }
    // Batcher's merge of odd and even slots: sorted runs of `run` rows become runs of twice as many. Rows
    // behind the last would have no keys, so comparisons with them are left out.
    void merge_runs(std::uint32_t run) {
        for (std::uint32_t begin = 0; begin + run < rows_; begin += 2 * run) {
            const std::uint32_t end = begin + 2 * run < rows_ ? begin + 2 * run : rows_;
            order_rows(begin, end - run, run);
            for (std::uint32_t step = run / 2; step != 0; step /= 2)
                for (std::uint32_t row = begin + step; row + step < end; row += 2 * step)
                    order_rows(row, row + 2 * step < end ? row + step : end - step, step);
        }
    }
    // Each of the rows [begin, end) with the one `step` behind it.
    void order_rows(std::uint32_t begin, std::uint32_t end, std::uint32_t step) {
        std::int32_t* const behind = keys_ + std::size_t{end} * lanes;
        for (std::int32_t* at = keys_ + std::size_t{begin} * lanes; at < behind; at += lanes) {
            Ints low = Ints::load_aligned(at), high = Ints::load_aligned(at + std::size_t{step} * lanes);
            order(low, high);
            low.store_aligned(at);
            high.store_aligned(at + std::size_t{step} * lanes);
        }
    }

    // The lanes with two of unknown order, one of them wanted.
    std::uint32_t ties() const {
        const std::uint32_t last = wanted_ < rows_ ? wanted_ : rows_ - 1;
        Ints open(0);
        for (std::uint32_t k = 0; rows_ != 0 && k < last; ++k) {
            const Ints key = Ints::load_aligned(keys_ + k * lanes),
                       next = Ints::load_aligned(keys_ + (k + 1) * lanes);
            const auto tie = ((key ^ next) & Ints(distance_mask)) == Ints(0);
            open = open | xsimd::select(tie & (key < Ints(none)), Ints(1), Ints(0));
        }
        return Admission<V>::nonzero(open);
    }
    // They are nearly in order.
    std::uint32_t copy_tied(std::uint32_t lane, std::uint32_t* ids, float* distances) const {
        std::uint32_t sorted_ids[most_found];
        float sorted[most_found];
        for (std::uint32_t k = 0; k < found_[lane]; ++k) {
            const std::uint32_t number = number_of(keys_[std::size_t{k} * lanes + lane]);
            const std::uint32_t id = near_->ids[number];
            const float d = distance(lane, number);
            std::uint32_t to = k;
            for (; to != 0 && (d < sorted[to - 1] || (d == sorted[to - 1] && id < sorted_ids[to - 1]));
                 --to) {
                sorted[to] = sorted[to - 1];
                sorted_ids[to] = sorted_ids[to - 1];
            }
            sorted[to] = d;
            sorted_ids[to] = id;
        }
        const std::uint32_t found = wanted_of(lane);
        for (std::uint32_t k = 0; k < found; ++k) ids[k] = sorted_ids[k];
        for (std::uint32_t k = 0; distances != nullptr && k < found; ++k) distances[k] = sorted[k];
        return found;
    }

    struct Slots {
        const float *x, *y;
    };
    const Candidates<V>* near_ = nullptr;
    Slots queriers_{};
    std::uint32_t wanted_ = 0, rows_ = 0, tied_ = ties();
    std::uint32_t found_[lanes];
    // One more vector is packed behind the last.
    alignas(64) std::uint32_t collected_[lanes][most_found + 2 * lanes];
    alignas(64) std::int32_t keys_[most_found * lanes];
    alignas(64) float distances_[lanes];
    alignas(64) std::uint32_t packing_[lanes];
};

}  // namespace throng::simd
