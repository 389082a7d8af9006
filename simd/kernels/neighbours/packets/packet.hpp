// The nearest agents of a packet of queriers: as many as a vector has lanes, one after the other in a row.
// Each candidate is compared with all of them at once, and each lane keeps its own least keys in order:
//
//     querier     0    1    2   ...
//     least      key  key  key          a key is a squared distance as an integer, whose lowest bits
//     second     key  key  key          have made room for the number of the candidate
//
// Four candidates at a time are sorted by a network and merged with those kept, without a branch. If keys
// without their numbers are equal, their order is not known: that querier is not settled, and another search
// is made for it.
#pragma once

#include "simd/kernels/neighbours/list_writer.hpp"
#include "simd/kernels/neighbours/packets/candidates.hpp"
#include "simd/kernels/search/admission.hpp"
#include "throng/compiler.hpp"

namespace throng::simd {

template <class V>
class Packet : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Wide;
    using Ints = typename Admission<V>::Ints;

    // How many queriers a packet has, and the largest number of nearest agents.
    static constexpr std::uint32_t lanes = Wide::size, max_count = 8;
    // The most candidates: the last number belongs to none.
    static constexpr std::uint32_t room_for = 124;

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
    float mean_of_last(std::uint32_t wanted) const {
        float sum = 0;
        for (std::uint32_t lane = 0; lane < lanes; ++lane)
            sum += detail::bits_as<float>(keys_[(wanted - 1) * lanes + lane] & distance_mask);
        return sum / static_cast<float>(lanes);
    }
    // Writes the lists of the settled lanes from `lane` on, up to one that is not settled or whose sink may
    // have too little room. Returns that lane. The queriers start at number `first`.
    THRONG_KERNEL THRONG_NOINLINE std::uint32_t write(const ListWriter<V>& lists, std::uint32_t first,
                                                      std::uint32_t lane, std::uint32_t settled,
                                                      std::uint32_t wanted) const {
        float unwanted[max_count];
        if (wanted == max_count && lists.has_spots()) {
            for (; lane < lanes && (settled >> lane & 1) != 0; ++lane) {
                float* const distances = lists.spot_of_distances(first + lane);
                (void)copy(lane, wanted, lists.spot_of(first + lane),
                           distances == nullptr ? unwanted : distances);
            }
            return lane;
        }
        for (; lane < lanes && (settled >> lane & 1) != 0; ++lane) {
            const auto space = lists.space_for(first + lane, std::ptrdiff_t{2} * gap);
            if (space.ids == nullptr) return lane;
            float* const distances = space.distances == nullptr ? unwanted : space.distances;
            std::uint32_t* const behind = space.ids + copy(lane, wanted, space.ids, distances);
            lists.end(first + lane, space, behind);
            lists.fetch_ahead(space, behind);
        }
        return lane;
    }

private:
    // The nearest of a settled lane, in order. Writes `max_count` slots of each. Returns how many there are.
    std::uint32_t copy(std::uint32_t lane, std::uint32_t wanted, std::uint32_t* ids, float* distances) const {
        if constexpr (looks_up) {
            std::memcpy(ids, listed_ids_ + lane * max_count, max_count * sizeof *ids);
            std::memcpy(distances, listed_distances_ + lane * max_count, max_count * sizeof *distances);
        } else {
            const std::int32_t* const keys = keys_ + lane;
            for (std::uint32_t k = 0; k < max_count; ++k) {
                const std::uint32_t number = number_of(keys[std::size_t{k} * lanes]);
                ids[k] = near_->ids[number];
                distances[k] = distances_[number * lanes + lane];
            }
        }
        if (!complete_) return wanted;
        std::uint32_t found = 0;
        for (std::uint32_t k = 0; k < wanted; ++k) found += distances[k] <= limit_;
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
    // A key has the bits of a non-negative float, which are in the order of the floats, and in the lowest of
    // them the number of a candidate. The last number belongs to none, and its key is above all others.
    static constexpr std::int32_t number_bits = 7, number_mask = (1 << number_bits) - 1,
                                  distance_mask = 0x7fffffff & ~number_mask, none = 0x7fffffff;
    static constexpr std::uint32_t at_once = 4;

    static std::uint32_t number_of(std::int32_t key) {
        return static_cast<std::uint32_t>(key) & std::uint32_t{number_mask};
    }

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
        alignas(64) std::int32_t all[(number_mask + 1) * lanes], of_lanes[lanes];
        constexpr Numbers() : all{}, of_lanes{} {
            for (std::uint32_t i = 0; i < (number_mask + 1) * lanes; ++i)
                all[i] = static_cast<std::int32_t>(i / lanes);
            for (std::uint32_t i = 0; i < lanes; ++i) of_lanes[i] = static_cast<std::int32_t>(i);
        }
    };
    static constexpr Numbers numbers{};
    static void order(Ints& low, Ints& high) {
        const Ints least = xsimd::min(low, high);
        high = xsimd::max(low, high);
        low = least;
    }

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
            return xsimd::select(Ints::load_aligned(numbers.of_lanes) == self, Ints(none), found);
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
            const Ints key = Ints::load_aligned(keys_ + k * lanes),
                       next = Ints::load_aligned(keys_ + (k + 1) * lanes);
            const auto tie = ((key ^ next) & Ints(distance_mask)) == Ints(0);
            open = open | xsimd::select(tie & (key <= within), Ints(1), Ints(0));
        }
        if (!complete) {
            const Ints last = Ints::load_aligned(keys_ + (wanted - 1) * lanes) | Ints(number_mask);
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

}  // namespace throng::simd
