// Sort and sweep (Baraff 1992): the pairs of many agents in overfull cells. They are sorted by their lower
// edges on one axis, and each is compared with those that begin within it:
//
//     begin    i  j  j  j  j .  .  .
//              [-----------]               i against the j, a vector at a time, up to the first beyond
//
// That costs the sort and the overlaps on that axis, which is chosen to suit boxes of one shape. Boxes that
// overlap on that axis but not on the other are misses. After too many misses the sweep stops, and RankJoin,
// whose steps are bounded, takes over the rest:
//
//     n agents, of which k pairs overlap: O(n log n + k) steps, whatever their shapes.
//
// The limit is counted in comparisons and answers, which do not depend on the instruction set.
#pragma once

#include "simd/kernels/pairs/pair_writer.hpp"
#include "simd/kernels/pairs/rank_join.hpp"

namespace throng::simd {

// Counts nothing; a test has one that does.
struct NoSteps {
    void add(std::uint64_t) const {}
};

// The number of misses allowed: a fixed number, and more for each answer.
struct Patience {
    static constexpr std::uint64_t worth_of_an_answer = 16;
    std::uint64_t allowance, compared = 0, answers = 0;

    bool is_over() const { return compared > allowance + worth_of_an_answer * answers; }
};

// If all agents are of one row, their order in it decides which one comes first in a pair, and pairs no
// further apart in it than `near` are left out.
template <class V, class Steps = NoSteps>
struct Sweep {
    using Boxes = SortedBoxes<V>;
    using Axis = typename Boxes::Axis;
    using Wide = typename V::Wide;
    using Arrays = typename Match<V>::Arrays;
    using PairProbe = typename Match<V>::PairProbe;
    using Writer = PairWriter<V>;
    using Join = RankJoin<V, Steps>;

    // The misses that a sweep may have for each agent: about the cost of an agent in RankJoin.
    static constexpr std::uint64_t patience = 512;

    Sweep(const Match<V>& m, std::uint32_t n, Writer& o, Steps& s) : match(m), near(n), out(o), steps(s) {}

    static std::size_t scratch_bytes(const Match<V>& match, std::size_t count) {
        return 2 * Boxes::bytes(match.arrays(), count) + Join::scratch_bytes(match, count);
    }

    // Agents with each other.
    THRONG_NOINLINE void within(const Chosen& some, char* scratch) {
        if (some.count < 2) return;
        ScratchCutter cutter{scratch};
        AxisChoice<V> choice;
        choice.add(some, match.world.further);
        const Axis axis = choice.best();
        steps.add(some.count);
        const Boxes boxes = sorted(some, axis, cutter);
        const std::uint32_t done = sweep_one(boxes, axis);
        if (done == boxes.row.count) return;
        Join join(match, near, out, steps, true);
        join.run(boxes, done, Boxes{}, 0, axis, cutter);
    }
    // The agents of one set with those of another, which are `b` of their pairs.
    THRONG_NOINLINE void between(const Chosen& some, const Chosen& others, char* scratch) {
        if (some.count == 0 || others.count == 0) return;
        ScratchCutter cutter{scratch};
        AxisChoice<V> choice;
        choice.add(some, match.world.further);
        choice.add(others, match.world.further);
        const Axis axis = choice.best();
        steps.add(some.count + others.count);
        const Boxes a = sorted(some, axis, cutter), b = sorted(others, axis, cutter);
        std::uint32_t i = 0, j = 0;
        sweep_two(a, b, axis, i, j);
        if (i == a.row.count || j == b.row.count) return;
        Join join(match, near, out, steps, false);
        join.run(a, i, b, j, axis, cutter);
    }

private:
    enum class Order { by_slot, probe_first, probe_last };  // which agent comes first in a pair

    // The scratch for sorting lies behind the boxes, where RankJoin's will be. Empty slots are left out.
    THRONG_NOINLINE THRONG_KERNEL Boxes sorted(const Chosen& some, Axis axis, ScratchCutter& cutter) {
        ScratchCutter behind{cutter.next + Boxes::bytes(match.arrays(), some.count)};
        std::uint64_t* entries = behind.take<std::uint64_t>(some.count);
        std::uint64_t* spare = behind.take<std::uint64_t>(some.count);
        const float* begins = some.row->data + std::size_t{axis} * some.row->stride;
        std::uint32_t count = 0;
        for (std::uint32_t k = 0; k < some.count; ++k) {
            const float begin = begins[some.at(k)];
            entries[count] = RadixSort<V>::entry(begin, some.at(k));
            count += begin == begin;
        }
        entries = RadixSort<V>::sort(entries, spare, count, steps);
        steps.add(2 * std::uint64_t{count});
        return Boxes::pack(*some.row, entries, count, match.arrays(), cutter);
    }

    // Agent i of one set against those of the other that begin within it, from j on.
    THRONG_NOINLINE THRONG_KERNEL void run(const Boxes& one, std::uint32_t i, const Boxes& other,
                                           std::uint32_t j, Axis axis, Patience& patient) {
        const Arrays a(other.row);
        const PairProbe probe = match.probe(Arrays(one.row), i);
        const float* begins = other.begins(axis);
        const Wide end(match.up(one.ends(axis)[i]));
        constexpr std::uint32_t all = (std::uint32_t{1} << (Wide::size - 1)) * 2 - 1;
        for (;; j += Wide::size) {
            const std::uint32_t within = V::bits(Wide::load_unaligned(begins + j) <= end);
            if (within == 0) return;
            const std::uint32_t touching = within & probe.overlap(a, j);
            const std::uint32_t found = out.close_among(probe, touching, a, j);
            const std::uint32_t compared = V::count_bits(within);
            patient.compared += compared;
            patient.answers += V::count_bits(probe.counted(touching, found));
            steps.add(compared);
            if (found != 0) put(one, i, other, j, found);
            if (within != all) return;
        }
    }
    void put(const Boxes& one, std::uint32_t i, const Boxes& other, std::uint32_t j, std::uint32_t found) {
        const std::uint32_t slot = one.slot[i], id = Arrays(one.row).id[i];
        const std::uint32_t* ids = Arrays(other.row).id;
        out.make_room();
        Pair* to = out.at;
        for (; found != 0; found &= found - 1) {
            const std::uint32_t at = j + Vectors<V>::lowest(found);
            const std::uint32_t other_slot = other.slot[at];
            const bool first = order == Order::by_slot ? slot < other_slot : order == Order::probe_first;
            *to = first ? Pair{id, ids[at]} : Pair{ids[at], id};
            to += slot - other_slot + near > 2 * near || near == 0;
        }
        out.at = to;
    }
    // Returns how many of the first boxes have been compared with all after them.
    std::uint32_t sweep_one(const Boxes& boxes, Axis axis) {
        const std::uint32_t count = boxes.row.count;
        Patience patient{patience * count};
        std::uint32_t i = 0;
        order = Order::by_slot;
        while (i < count && !patient.is_over()) {
            run(boxes, i, boxes, i + 1, axis, patient);
            ++i;
        }
        steps.add(i);
        return i;
    }
    // Advances both; the rest of one has not been compared with the rest of the other.
    void sweep_two(const Boxes& a, const Boxes& b, Axis axis, std::uint32_t& i, std::uint32_t& j) {
        Patience patient{patience * (a.row.count + b.row.count)};
        const float *a_begins = a.begins(axis), *b_begins = b.begins(axis);
        while (i < a.row.count && j < b.row.count && !patient.is_over()) {
            order = a_begins[i] <= b_begins[j] ? Order::probe_first : Order::probe_last;
            if (order == Order::probe_first)
                run(a, i++, b, j, axis, patient);
            else
                run(b, j++, a, i, axis, patient);
        }
        steps.add(i + j);
    }

    const Match<V>& match;
    std::uint32_t near;
    Writer& out;
    Steps& steps;
    Order order{};
};

}  // namespace throng::simd
