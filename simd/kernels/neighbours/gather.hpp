// The taker of searches around a site. It gathers ids and squared distances in a small buffer. When that is
// full, the ids go on to a sink, or only the nearest of them stay.
#pragma once

#include "simd/kernels/neighbours/circles.hpp"
#include "simd/kernels/shapes/circle_shape.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

// The least of some candidates by squared distance, and of equal ones by id.
//
// A few candidates are ranked: each is compared with all of them at once, and the number of those before it
// is its slot. That takes no branches. If two distances are equal, candidates are very many, or few are
// wanted of many, they are inserted one by one.
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
            Circles<V>::pack(distances + kept, distances + i, found);
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

// The most agents in a patch (patch.hpp), with the slots between its strips.
inline constexpr std::uint32_t patch_room = 1536;
static_assert(patch_room >= gathered);

template <class V>
class Gather : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Wide;
    using Ids = xsimd::batch<std::uint32_t, typename Wide::arch_type>;

    std::uint32_t count = 0;  // gathered now
    std::uint64_t total = 0;  // before those
    std::uint64_t compared = 0;
    // Room for a whole patch, which is not checked during its search.
    alignas(64) std::uint32_t ids[patch_room + 2 * gap];
    alignas(64) float distances[patch_room + 2 * gap];

    explicit Gather(const NeighbourQuery& query, bool counting, const PileFinder* piles)
        : piles_(piles),
          most_(query.max_count),
          counting_(counting && !query.half && query.max_count == 0),
          dropping_(counting),
          half_(query.half),
          with_distances_(query.distances || query.max_count != 0),
          limit_(0.0f) {}

    // Begins a list. Agents beyond `limit` are not gathered. `cut` says that agents within it may lie beyond
    // the bounds of the search.
    void start(float limit, bool cut, std::uint32_t number, const std::uint32_t* self, ListSink* sink) {
        count = 0;
        total = 0;
        before_ = compared;
        limit_ = Wide(limit);
        cut_ = cut;
        number_ = number;
        self_ = self;
        sink_ = sink;
    }

    template <bool cut, class P, class A>
    bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
        if (begin < end && end - begin >= least_pile) [[unlikely]]
            return test_long(probe, a, begin, end);
        return test_run<cut>(probe, a, begin, end);
    }
    template <bool cut, class P, class A>
    bool test_run(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
        compared += begin < end ? end - begin : 0;
        for (std::uint32_t j = begin; j < end; j += Wide::size) {
            if (count > gathered) [[unlikely]]
                if (!drain()) return false;
            Wide d(0.0f);
            std::uint32_t found = within(probe, a, j, d);
            if (cut || cut_)
                if (end - j < Wide::size) found &= (1u << (end - j)) - 1;
            found &= ~Circles<V>::bit_of(self_, a.id + j);
            if (counting_) {
                total += V::count_bits(found);
                continue;
            }
            V::left_pack(ids + count, a.id + j, found);
            if (with_distances_) Circles<V>::pack(distances + count, d, found);
            count += V::count_bits(found);
        }
        return true;
    }
    // A circle covers nothing for certain.
    template <class A>
    bool take(const A&, std::uint32_t, std::uint32_t, const std::uint32_t*) {
        return true;
    }
    // Leaves the nearest ones, sorted.
    THRONG_KERNEL THRONG_NOINLINE void sort(std::uint32_t max_count) {
        count = Least<V>::sort(distances, ids, count, max_count);
    }
    // The same, for candidates in a circle.
    void sort_within(std::uint32_t max_count, float limit) {
        count = Least<V>::narrow(distances, ids, count, max_count, limit);
        sort(max_count);
    }
    // The squared distance of the last wanted one, after sorting; NaN if there are fewer.
    float last_of(std::uint32_t wanted) const {
        return count < wanted ? not_a_number : distances[wanted - 1];
    }
    std::uint64_t compared_since_start() const { return compared - before_; }
    // The rest goes to the sink, or is counted.
    bool finish() { return drop_lower() && pass_on(); }

private:
    template <class P, class A>
    std::uint32_t within(const P& probe, const A& a, std::size_t j, Wide& d) const {
        if constexpr (requires { probe.distance(a, j); }) {
            d = probe.distance(a, j);
            return V::bits(d <= limit_);
        } else if constexpr (requires { probe.admit.admits_most(); }) {
            if (probe.admit.admits_most()) {
                const std::uint32_t found = within(probe.shape, a, j, d);
                return found == 0 ? 0 : found & probe.admit.overlap(a, j);
            }
            const std::uint32_t found = probe.admit.overlap(a, j);
            return found == 0 ? 0 : found & within(probe.shape, a, j, d);
        } else {
            return 0;  // only what a shape covers is tested without it
        }
    }
    // A run that is as long as a pile: agents beside piles as always, and agents of a pile that may be near.
    template <class P, class A>
    THRONG_KERNEL THRONG_NOINLINE bool test_long(const P& probe, const A& a, std::uint32_t begin,
                                                 std::uint32_t end) {
        const bool asks = piles_ != nullptr && piles_->next != nullptr && may_have_pile(a, begin, end);
        while (begin < end) {
            const Pile* const pile = asks ? piles_->next(*piles_, a.id + begin) : nullptr;
            if (pile == nullptr || !Base::is_behind(a.id + end, pile->begin))
                return test_part(probe, a, begin, end);
            const std::uint32_t first = Base::is_behind(pile->begin, a.id + begin)
                                            ? static_cast<std::uint32_t>(pile->begin - a.id)
                                            : begin,
                                last = static_cast<std::uint32_t>(pile->end - a.id),
                                behind = last < end ? last : end;
            if (!test_part(probe, a, begin, first)) return false;
            for (std::uint32_t j = first; j < behind && may_be_near(probe, a, j, behind); j += gathered)
                if (!test_part(probe, a, j, behind - j < gathered ? behind : j + gathered)) return false;
            begin = behind;
        }
        return true;
    }
    // Of a pile that is shorter than two, this may see none.
    template <class A>
    static bool may_have_pile(const A& a, std::uint32_t begin, std::uint32_t end) {
        for (; end - begin >= least_pile; begin += least_pile)
            if (Base::may_be_pile(a, begin)) return true;
        return false;
    }
    template <class P, class A>
    THRONG_KERNEL THRONG_NOINLINE bool test_part(const P& probe, const A& a, std::uint32_t begin,
                                                 std::uint32_t end) {
        return test_run<true>(probe, a, begin, end);
    }
    // Whether an agent of a pile from `j` on may be near enough: all are equally far away, in the order of
    // their ids. Empty slots have no box.
    template <class P, class A>
    bool may_be_near(const P& probe, const A& a, std::uint32_t j, std::uint32_t end) {
        const std::uint32_t next = j;
        while (j < end && !(a.min_x[j] == a.min_x[j])) ++j;
        if (j == end) return false;
        float far[Wide::size], limit[Wide::size];
        if constexpr (requires { probe.distance(a, j); })
            probe.distance(a, j).store_unaligned(far);
        else if constexpr (requires { probe.shape.distance(a, j); })
            probe.shape.distance(a, j).store_unaligned(far);
        else
            return true;
        if (most_ != 0 && count > most_) (void)drain();
        limit_.store_unaligned(limit);
        return far[0] < limit[0] ||
               (far[0] == limit[0] && (most_ == 0 || count <= most_ || a.id[next] < ids[most_]));
    }
    THRONG_KERNEL THRONG_NOINLINE bool drain() {
        if (most_ == 0) return finish();
        // One more than wanted: a search for several sites has each of them among the agents.
        sort(most_ + 1);
        if (count > most_) limit_ = Wide(distances[most_]);
        return true;
    }
    bool drop_lower() {
        if (!half_) return true;
        std::uint32_t kept = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            ids[kept] = ids[i];
            distances[kept] = distances[i];
            kept += ids[i] > number_;
        }
        count = kept;
        return true;
    }
    bool pass_on() {
        total += count;
        if (!dropping_) {
            if (sink_->at > sink_->limit) [[unlikely]]
                sink_->full(*sink_);
            if (sink_->stopped) return false;
            for (std::uint32_t i = 0; i < count; i += Wide::size)
                Ids::load_aligned(ids + i).store_unaligned(sink_->at + i);
            if (sink_->distances != nullptr) {
                float* to = sink_->distances + (sink_->at - sink_->begin);
                for (std::uint32_t i = 0; i < count; i += Wide::size)
                    Wide::load_aligned(distances + i).store_unaligned(to + i);
            }
            sink_->at += count;
        }
        count = 0;
        return true;
    }

    const PileFinder* const piles_;
    const std::uint32_t most_;
    const bool counting_, dropping_, half_, with_distances_;
    bool cut_ = false;
    std::uint32_t number_ = 0;
    std::uint64_t before_ = 0;
    const std::uint32_t* self_ = nullptr;
    ListSink* sink_ = nullptr;
    Wide limit_;
};

}  // namespace throng::simd
