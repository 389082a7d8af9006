// The least of some candidates by squared distance, and of equal ones by id.
//
// A few candidates are ranked: each is compared with all of them at once, and the number of those before it
// is its slot. That takes no branches. If two distances are equal, candidates are very many, or few are
// wanted of many, they are inserted one by one.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct Least : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Wide;

    // The most candidates that are ranked. There must be room for as many behind the first.
    static constexpr std::uint32_t ranked = 128;

    // Sorts the least `max_count` of `count` candidates to the front. Returns how many those are.
    static std::uint32_t sort(float* distances, std::uint32_t* ids, std::uint32_t count,
                              std::uint32_t max_count) {
        bool sorted = false;
        if (count <= few)
            sorted = rank<1>(distances, ids, count, max_count);
        else if (count <= ranked && max_count > few_wanted)
            sorted = rank_many(distances, ids, count, max_count);
        if (sorted) return count < max_count ? count : max_count;
        return insert(distances, ids, count, max_count);
    }

    // Drops candidates that are surely not among the least `max_count`, if they lie evenly in a circle whose
    // squared radius is `limit`: those outside a smaller circle, if it holds enough. Returns how many are
    // left.
    static std::uint32_t narrow(float* distances, std::uint32_t* ids, std::uint32_t count,
                                std::uint32_t max_count, float limit) {
        // Circles with about one and a half times and three times as many as wanted.
        const float share = static_cast<float>(max_count) / static_cast<float>(count == 0 ? 1 : count);
        const Wide small(limit * (1.5f * share < 0.6f ? 1.5f * share : 0.6f)),
            middle(limit * (3 * share < 0.8f ? 3 * share : 0.8f));
        Wide(not_a_number).store_unaligned(distances + count);
        std::uint32_t in_small = 0, in_middle = 0;
        for (std::uint32_t i = 0; i < count; i += Wide::size) {
            const Wide d = Wide::load_unaligned(distances + i);
            in_small += V::count_bits(V::bits(d <= small));
            in_middle += V::count_bits(V::bits(d <= middle));
        }
        if (in_middle < max_count) return count;
        const Wide chosen = in_small < max_count ? middle : small;
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < count; i += Wide::size) {
            const std::uint32_t found = V::bits(Wide::load_unaligned(distances + i) <= chosen);
            V::left_pack(ids + kept, ids + i, found);
            V::left_pack(reinterpret_cast<std::uint32_t*>(distances + kept),
                         reinterpret_cast<const std::uint32_t*>(distances + i), found);
            kept += V::count_bits(found);
        }
        return kept;
    }

private:
    // How many are held in vectors while they are ranked.
    static constexpr std::uint32_t few = 32;
    // Inserting `few_wanted` among more costs less than ranking all.
    static constexpr std::uint32_t few_wanted = 16;

    // With as few vectors as hold them all.
    template <std::uint32_t vectors>
    static bool rank(float* distances, std::uint32_t* ids, std::uint32_t count, std::uint32_t max_count) {
        if constexpr (vectors * Wide::size < few)
            if (count > vectors * Wide::size) return rank<vectors + 1>(distances, ids, count, max_count);
        // Lanes behind the last are NaN, which comes before none.
        Wide(not_a_number).store_unaligned(distances + count);
        Wide candidates[vectors], before[vectors];
        for (std::uint32_t v = 0; v < vectors; ++v) {
            candidates[v] = Wide::load_unaligned(distances + v * Wide::size);
            before[v] = Wide(0.0f);
        }
        const Wide one(1.0f), zero(0.0f);
        for (std::uint32_t i = 0; i < count; ++i) {
            const Wide each(distances[i]);
            for (std::uint32_t v = 0; v < vectors; ++v)
                before[v] = before[v] + xsimd::select(each < candidates[v], one, zero);
        }
        // Equal ones have the same slot, so that the sum of all slots is too small.
        std::int32_t slots[few];
        Wide sum(0.0f);
        for (std::uint32_t v = 0; v < vectors; ++v) {
            xsimd::to_int(before[v]).store_unaligned(slots + v * Wide::size);
            sum = sum + before[v];
        }
        if (total(sum) != static_cast<float>(count * (count - 1) / 2)) return false;
        put<few>(distances, ids, count, slots, max_count);
        return true;
    }
    // With one vector after the other. Slots behind the last are ranked too, and nothing comes before them.
    static bool rank_many(float* distances, std::uint32_t* ids, std::uint32_t count,
                          std::uint32_t max_count) {
        Wide(not_a_number).store_unaligned(distances + count);
        const Wide one(1.0f), zero(0.0f);
        std::int32_t slots[ranked];
        Wide sum(0.0f);
        for (std::uint32_t first = 0; first < count; first += Wide::size) {
            const Wide candidates = Wide::load_unaligned(distances + first);
            Wide before(0.0f);
            for (std::uint32_t i = 0; i < count; ++i)
                before = before + xsimd::select(Wide(distances[i]) < candidates, one, zero);
            xsimd::to_int(before).store_unaligned(slots + first);
            sum = sum + before;
        }
        if (total(sum) != static_cast<float>(count * (count - 1) / 2)) return false;
        put<ranked>(distances, ids, count, slots, max_count);
        return true;
    }
    // Whole numbers, so the order of the additions does not matter.
    static float total(const Wide& v) {
        float lanes[Wide::size], sum = 0;
        v.store_unaligned(lanes);
        for (const float lane : lanes) sum += lane;
        return sum;
    }
    template <std::uint32_t room>
    static void put(float* distances, std::uint32_t* ids, std::uint32_t count, const std::int32_t* slots,
                    std::uint32_t max_count) {
        using Ids = xsimd::batch<std::uint32_t, typename Wide::arch_type>;
        float sorted_distances[room + Wide::size];
        std::uint32_t sorted_ids[room + Wide::size];
        for (std::uint32_t i = 0; i < count; ++i) {
            sorted_distances[slots[i]] = distances[i];
            sorted_ids[slots[i]] = ids[i];
        }
        for (std::uint32_t i = 0; i < max_count && i < count; i += Wide::size) {
            Wide::load_unaligned(sorted_distances + i).store_unaligned(distances + i);
            Ids::load_unaligned(sorted_ids + i).store_unaligned(ids + i);
        }
    }

    static bool comes_before(float d, std::uint32_t id, float other_d, std::uint32_t other_id) {
        return d < other_d || (d == other_d && id < other_id);
    }
    static std::uint32_t insert(float* distances, std::uint32_t* ids, std::uint32_t count,
                                std::uint32_t max_count) {
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const float d = distances[i];
            const std::uint32_t id = ids[i];
            if (kept == max_count && !comes_before(d, id, distances[max_count - 1], ids[max_count - 1]))
                continue;
            std::uint32_t at = kept < max_count ? kept++ : max_count - 1;
            for (; at > 0 && comes_before(d, id, distances[at - 1], ids[at - 1]); --at) {
                distances[at] = distances[at - 1];
                ids[at] = ids[at - 1];
            }
            distances[at] = d;
            ids[at] = id;
        }
        return kept;
    }
};

}  // namespace throng::simd
