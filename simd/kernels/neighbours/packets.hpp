// The nearest agents of a packet of queriers: as many as a vector has lanes, one after the other in a row.
#pragma once

#include "simd/kernels/neighbours/list_writer.hpp"
#include "simd/kernels/neighbours/patch.hpp"
#include "simd/kernels/search/admission.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

// Keys of candidates, each in a lane: a squared distance as an integer, whose lowest bits have made room for
// the number of the candidate. Keys have the order of the floats, and `none` is above them. If two keys
// without their numbers are equal, their order is not known.
template <class V, std::int32_t number_bits>
struct Keys : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Wide;
    using Ints = typename Admission<V>::Ints;

    // How many queriers there are in a packet.
    static constexpr std::uint32_t lanes = Wide::size;
    static constexpr std::int32_t number_mask = (1 << number_bits) - 1,
                                  distance_mask = 0x7fffffff & ~number_mask, none = 0x7fffffff;

    static std::uint32_t number_of(std::int32_t key) {
        return static_cast<std::uint32_t>(key) & std::uint32_t{number_mask};
    }
    static void order(Ints& low, Ints& high) {
        const Ints least = xsimd::min(low, high);
        high = xsimd::max(low, high);
        low = least;
    }
    // A row of keys, one of each querier.
    static Ints row(const std::int32_t* keys, std::uint32_t row) {
        return Ints::load_aligned(keys + row * lanes);
    }
    // Whether the order of two is not known.
    static auto are_tied(const Ints& key, const Ints& next) {
        return ((key ^ next) & Ints(distance_mask)) == Ints(0);
    }
    // About the mean of the squared distances of a row of keys. NaN if a lane has none.
    static float mean_of(const std::int32_t* row) {
        float sum = 0;
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            sum += detail::bits_as<float>(row[lane] & distance_mask);
        return sum / static_cast<float>(lanes);
    }
    // Writes the lists of the settled lanes of a packet from `lane` on, up to one that is not settled or
    // whose sink may have too little room. Returns that lane. The queriers start at number `first`.
    template <class From>
    THRONG_KERNEL THRONG_NOINLINE static std::uint32_t write(const From& from, const ListWriter<V>& lists,
                                                             std::uint32_t first, std::uint32_t lane,
                                                             std::uint32_t settled, std::uint32_t wanted) {
        if (lists.has_spots() && from.writes_only(wanted)) {
            for (; lane < lanes && (settled >> lane & 1) != 0; ++lane)
                (void)from.copy(lane, wanted, lists.spot_of(first + lane),
                                lists.spot_of_distances(first + lane));
            return lane;
        }
        for (; lane < lanes && (settled >> lane & 1) != 0; ++lane) {
            const std::uint32_t i = first + lane;
            const auto space = lists.space_for(i, From::max_count + std::ptrdiff_t{2} * gap);
            if (space.ids == nullptr) return lane;
            std::uint32_t* const behind = space.ids + from.copy(lane, wanted, space.ids, space.distances);
            lists.end(i, space, behind);
            lists.fetch_ahead(space, behind);
        }
        return lane;
    }
    struct Lanes {
        alignas(64) std::int32_t all[lanes];
        constexpr Lanes() : all{} {
            for (std::uint32_t i = 0; i < lanes; ++i) all[i] = static_cast<std::int32_t>(i);
        }
    };
    static constexpr Lanes of_lanes{};
};

// The nearest few of each querier. Each candidate is compared with all queriers at once, and each lane keeps
// its own least keys in order:
//
//     querier     0    1    2   ...
//     least      key  key  key
//     second     key  key  key
//
// Four candidates at a time are sorted by a network and merged with those kept, without a branch. A querier
// with two keys of unknown order is not settled, and another search is made for it.
template <class V>
class Packet : Keys<V, 7> {
public:
    using Base = Keys<V, 7>;
    using Base::lanes;
    using Base::write;
    using typename Base::Ints;
    using typename Base::Wide;

    // The largest number of nearest agents, and the most candidates: the last number belongs to none.
    static constexpr std::uint32_t max_count = 8, room_for = 124;

    Packet() { Wide(not_a_number).store_aligned(distances_ + number_mask * lanes); }

    // Looks for the nearest `wanted` agents of the queriers from `first` on within `radius`, whose square is
    // finite, among at most `room_for` candidates. The bits of the result say which lanes are settled: they
    // have as many as wanted, or all in the circle, if the candidates are `complete` without others.
    // Meanwhile it fetches the spots of the lists from `fetched` on, one in each step: all at once would hold
    // up the next reads.
    THRONG_KERNEL THRONG_NOINLINE std::uint32_t find(Candidates<V>& near, const Queriers& queriers,
                                                     std::uint32_t first, std::uint32_t wanted, float radius,
                                                     bool complete, const ListWriter<V>& lists,
                                                     std::uint32_t fetched) {
        const std::uint32_t behind = fetched + lanes;
        Kept kept;
        Next next{distances_, numbers.all};
        const Wide x = Wide::load_unaligned(queriers.x + first), y = Wide::load_unaligned(queriers.y + first);
        for (std::uint32_t j = 0; j < near.count; j += at_once) {
            if (j + at_once - 1 - near.self < lanes + at_once - 1) [[unlikely]]
                add<true>(near, j, x, y, next, kept);
            else
                add<false>(near, j, x, y, next, kept);
            if (fetched != behind) lists.fetch_spots(fetched++, 1);
        }
        lists.fetch_spots(fetched, behind - fetched);
        near_ = &near;
        const std::uint32_t found = settled(kept, wanted, radius * radius, complete);
        if constexpr (looks_up) {
            near.x[number_mask] = not_a_number;
            look_up(near, queriers.x + first, queriers.y + first);
        }
        return found;
    }

    // About the mean of the squared distances of the last that are wanted. NaN if a lane has fewer.
    float mean_of_last(std::uint32_t wanted) const { return Base::mean_of(keys_ + (wanted - 1) * lanes); }

    // The nearest of a settled lane, in order, in `max_count` slots; `distances` may be null. Returns how
    // many there are.
    std::uint32_t copy(std::uint32_t lane, std::uint32_t wanted, std::uint32_t* ids, float* distances) const {
        float unwanted[max_count];
        if (distances == nullptr) distances = unwanted;
        if (!looks_up && complete_) return copy_near(lane, wanted, ids, distances);
        if constexpr (looks_up) {
            std::memcpy(ids, listed_ids_ + lane * max_count, max_count * sizeof *ids);
            std::memcpy(distances, listed_distances_ + lane * max_count, max_count * sizeof *distances);
        } else {
            const std::int32_t* const keys = keys_ + lane;
            for (std::uint32_t k = 0; k < max_count; ++k) {
                const std::uint32_t number = Base::number_of(keys[std::size_t{k} * lanes]);
                ids[k] = near_->ids[number];
                distances[k] = distances_[number * lanes + lane];
            }
        }
        if (!complete_) return wanted;
        std::uint32_t found = 0;
        for (std::uint32_t k = 0; k < wanted; ++k) found += distances[k] <= limit_;
        return found;
    }
    // Whether `copy` writes no more slots than that.
    static bool writes_only(std::uint32_t wanted) { return wanted == max_count; }

private:
    // Only those within the circle, which may be few.
    std::uint32_t copy_near(std::uint32_t lane, std::uint32_t wanted, std::uint32_t* ids,
                            float* distances) const {
        std::uint32_t found = 0;
        for (; found < wanted; ++found) {
            const std::uint32_t number = Base::number_of(keys_[found * lanes + lane]);
            const float distance = distances_[number * lanes + lane];
            if (!(distance <= limit_)) break;
            ids[found] = near_->ids[number];
            distances[found] = distance;
        }
        return found;
    }
    // If all candidates fit into registers, all lists are made there at once.
    static constexpr bool looks_up = requires { typename V::Words; };
    void look_up(const Candidates<V>& near, const float* x, const float* y) {
        const typename V::Words ids(near.ids), xs(near.x), ys(near.y);
        const typename V::ByLane by_lane(keys_);
        for (std::uint32_t pair = 0; pair < lanes / 2; ++pair, x += 2, y += 2) {
            const auto number = by_lane[pair];
            const Wide dx = xs.floats(number) - V::halves(x[0], x[1]),
                       dy = ys.floats(number) - V::halves(y[0], y[1]);
            (dx * dx + dy * dy).store_aligned(listed_distances_ + pair * lanes);
            ids.copy(listed_ids_ + pair * lanes, number);
        }
    }
    using Base::distance_mask;
    using Base::none;
    using Base::number_mask;
    using Base::order;
    static constexpr std::uint32_t at_once = 4;

    // In registers, as long as all slots in it are known when this is compiled.
    struct Kept {
        Ints least[max_count] = {Ints(none), Ints(none), Ints(none), Ints(none),
                                 Ints(none), Ints(none), Ints(none), Ints(none)};
        Ints rest = Ints(none);  // the least that was not kept
    };
    // Where the next candidate goes.
    struct Next {
        float* distances;
        const std::int32_t* numbers;
    };
    struct Numbers {
        alignas(64) std::int32_t all[(number_mask + 1) * lanes];
        constexpr Numbers() : all{} {
            for (std::uint32_t i = 0; i < (number_mask + 1) * lanes; ++i)
                all[i] = static_cast<std::int32_t>(i / lanes);
        }
    };
    static constexpr Numbers numbers{};

    // The next four candidates from j on.
    template <bool near_self>
    static void add(const Candidates<V>& near, std::uint32_t j, const Wide& x, const Wide& y, Next& next,
                    Kept& kept) {
        const auto key = [&](std::uint32_t i) {
            const Wide dx = Wide(near.x[j + i]) - x, dy = Wide(near.y[j + i]) - y;
            float* const to = next.distances + std::size_t{i} * lanes;
            (dx * dx + dy * dy).store_aligned(to);
            const Ints bits = Ints::load_aligned(reinterpret_cast<const std::int32_t*>(to));
            const Ints found =
                (bits & Ints(distance_mask)) | Ints::load_aligned(next.numbers + std::size_t{i} * lanes);
            if constexpr (!near_self) return found;
            const Ints self(static_cast<std::int32_t>(j + i - near.self));
            return xsimd::select(Ints::load_aligned(Base::of_lanes.all) == self, Ints(none), found);
        };
        merge(key(0), key(1), key(2), key(3), kept);
        next.distances += std::size_t{at_once} * lanes;
        next.numbers += std::size_t{at_once} * lanes;
    }
    static void merge(Ints a, Ints b, Ints c, Ints d, Kept& kept) {
        order(a, b);
        order(c, d);
        order(a, c);
        order(b, d);
        order(b, c);
        // The least of both, which rise and then fall.
        Ints(&least)[max_count] = kept.least;
        order(least[4], d);
        order(least[5], c);
        order(least[6], b);
        order(least[7], a);
        kept.rest = xsimd::min(xsimd::min(kept.rest, xsimd::min(a, b)), xsimd::min(c, d));
        order(least[0], least[4]);
        order(least[1], least[5]);
        order(least[2], least[6]);
        order(least[3], least[7]);
        order(least[0], least[2]);
        order(least[1], least[3]);
        order(least[4], least[6]);
        order(least[5], least[7]);
        order(least[0], least[1]);
        order(least[2], least[3]);
        order(least[4], least[5]);
        order(least[6], least[7]);
    }

    // Stores the keys, and says for which lanes they are the answer.
    std::uint32_t settled(const Kept& kept, std::uint32_t wanted, float limit, bool complete) {
        complete_ = complete;
        limit_ = limit;
        const Ints within(bits_of(limit) | number_mask);
        for (std::uint32_t k = 0; k < max_count; ++k) kept.least[k].store_aligned(keys_ + k * lanes);
        kept.rest.store_aligned(keys_ + max_count * lanes);
        // Two of unknown order may both be within the circle, or the last may be beyond it.
        Ints open(0);
        for (std::uint32_t k = 0; k < wanted; ++k) {
            const Ints key = Base::row(keys_, k);
            const auto tie = Base::are_tied(key, Base::row(keys_, k + 1));
            open = open | xsimd::select(tie & (key <= within), Ints(1), Ints(0));
        }
        if (!complete) {
            const Ints last = Base::row(keys_, wanted - 1) | Ints(number_mask);
            open = open | xsimd::select(last <= Ints(bits_of(limit)), Ints(0), Ints(1));
        }
        return ~Admission<V>::nonzero(open) & ((std::uint64_t{1} << lanes) - 1);
    }
    static std::int32_t bits_of(float v) { return detail::bits_as<std::int32_t>(v); }

    bool complete_ = false;
    float limit_ = 0;
    alignas(64) std::int32_t keys_[(max_count + 1) * lanes];
    alignas(64) float distances_[(number_mask + 1) * lanes];
    alignas(64) std::uint32_t listed_ids_[max_count * lanes];
    alignas(64) float listed_distances_[max_count * lanes];
    const Candidates<V>* near_ = nullptr;
};

// The nearest of each querier, if more are wanted than fit into registers. Each querier collects the keys
// within the circle. Then the keys of all queriers are sorted together, one querier in each lane, so that no
// step of the sorting depends on the keys:
//
//     querier     0    1    2   ...
//     row 0      key  key  key
//     row 1      key  key  none
//     row 2      key  none none
//
// A querier with two keys of unknown order is sorted again by its distances.
template <class V>
class SortedPacket : Keys<V, 9> {
public:
    using Base = Keys<V, 9>;
    using Base::lanes;
    using Base::write;
    using typename Base::Four;
    using typename Base::Ints;
    using typename Base::Wide;

    // The largest number of nearest agents.
    static constexpr std::uint32_t max_count = count_limit;

    // As `Packet` does, but among any number of candidates. The first querier is number `at` in the patch.
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
    std::uint32_t copy(std::uint32_t lane, std::uint32_t, std::uint32_t* ids, float* distances) const {
        if ((tied_ >> lane & 1) != 0) return copy_tied(lane, ids, distances);
        const std::uint32_t found = wanted_of(lane);
        const std::int32_t* const keys = keys_ + lane;
        for (std::uint32_t k = 0; k < found; ++k)
            ids[k] = near_->ids[number_of(keys[std::size_t{k} * lanes])];
        for (std::uint32_t k = 0; distances != nullptr && k < found; ++k)
            distances[k] = distance(lane, number_of(keys[std::size_t{k} * lanes]));
        return found;
    }
    static bool writes_only(std::uint32_t) { return true; }

    // About the mean of the squared distances of the last that are wanted. NaN if a lane has fewer.
    float mean_of_last() const {
        return rows_ < wanted_ ? not_a_number : Base::mean_of(keys_ + (wanted_ - 1) * lanes);
    }

private:
    using Base::distance_mask;
    using Base::none;
    using Base::number_of;
    using Base::order;
    static_assert(Candidates<V>::room <= Base::number_mask + 1);
    // The most that a querier collects, and how many rows are sorted in registers.
    static constexpr std::uint32_t most_found = 128, in_registers = 8;

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
        const Ints numbers = Ints::load_aligned(Base::of_lanes.all) + Ints(static_cast<std::int32_t>(j));
        ((bits & Ints(distance_mask)) | numbers).store_aligned(reinterpret_cast<std::int32_t*>(packing_));
        return packing_;
    }

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
            const Ints key = Base::row(keys_, k);
            const auto tie = Base::are_tied(key, Base::row(keys_, k + 1));
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
