// The taker of searches around a site. It gathers ids and squared distances in a small buffer. When that is
// full, the ids go on to a sink, or only the nearest of them stay.
#pragma once

#include "simd/kernels/neighbours/least.hpp"
#include "simd/kernels/shapes/circle_shape.hpp"
#include "simd/neighbour_kernels.hpp"

namespace throng::simd {

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
        self_ = reinterpret_cast<std::uintptr_t>(self);
        sink_ = sink;
    }

    template <bool cut, class P, class A>
    bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
        if (begin < end && end - begin >= least_pile) [[unlikely]]
            return test_long<cut>(probe, a, begin, end);
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
            const std::uintptr_t before = (self_ - reinterpret_cast<std::uintptr_t>(a.id + j)) / sizeof *a.id;
            found &= ~static_cast<std::uint32_t>(std::uint64_t{1} << (before < 32 ? before : 32));
            if (counting_) {
                total += V::count_bits(found);
                continue;
            }
            V::left_pack(ids + count, a.id + j, found);
            if (with_distances_) {
                alignas(64) float lanes[Wide::size];
                d.store_aligned(lanes);
                V::left_pack(reinterpret_cast<std::uint32_t*>(distances + count),
                             reinterpret_cast<const std::uint32_t*>(lanes), found);
            }
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
    template <bool cut, class P, class A>
    THRONG_KERNEL THRONG_NOINLINE bool test_long(const P& probe, const A& a, std::uint32_t begin,
                                                 std::uint32_t end) {
        while (begin < end) {
            const Pile* const pile =
                piles_ == nullptr || piles_->next == nullptr ? nullptr : piles_->next(*piles_, a.id + begin);
            if (pile == nullptr || !Base::is_behind(a.id + end, pile->begin))
                return test_run<cut>(probe, a, begin, end);
            const std::uint32_t first = Base::is_behind(pile->begin, a.id + begin)
                                            ? static_cast<std::uint32_t>(pile->begin - a.id)
                                            : begin,
                                last = static_cast<std::uint32_t>(pile->end - a.id),
                                behind = last < end ? last : end;
            if (!test_run<true>(probe, a, begin, first)) return false;
            for (std::uint32_t j = first; j < behind && may_be_near(probe, a, j, behind); j += gathered)
                if (!test_run<true>(probe, a, j, behind - j < gathered ? behind : j + gathered)) return false;
            begin = behind;
        }
        return true;
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
    std::uintptr_t self_ = 0;
    ListSink* sink_ = nullptr;
    Wide limit_;
};

}  // namespace throng::simd
