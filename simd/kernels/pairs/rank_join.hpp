// The pairs among boxes of any shapes, in O(n log n + k) steps for n boxes and k pairs: the fallback of a
// sweep, by divide and conquer over ranks (as in streamed segment trees, Zomorodian and Edelsbrunner 2002).
//
// The boxes are ordered by their lower edges on one axis. On the other, the 2 n edges where boxes begin and
// end become ranks; of equal edges, beginnings come first. Two boxes overlap there if one begins, by rank,
// between the ends of the other. The ranks are halved again and again:
//
//     ranks    |        node         |        a: begins in the left half and covers the right one
//     a              [-------------------     p: begins in the right half, so all of it that matters
//     p                    [--]               is that a and p overlap on the first axis
//              | left     |  right   |
//
// A node knows the boxes that begin or end in it, in the order of the first axis. Boxes that cover one of its
// halves, and began or end in the other, meet there the boxes that begin in that half: two such lists are
// merged, and each step of the merge finds a pair or moves on. Each pair is met in one node, and each level
// of nodes has at most 2 n boxes. When few ranks are left, all are compared with all.
#pragma once

#include "simd/kernels/pairs/pair_writer.hpp"
#include "simd/kernels/pairs/sorted_boxes.hpp"

namespace throng::simd {

template <class V, class Steps>
struct RankJoin {
    using Boxes = SortedBoxes<V>;
    using Axis = typename Boxes::Axis;
    using Arrays = typename Match<V>::Arrays;
    using PairProbe = typename Match<V>::PairProbe;
    using Wide = typename V::Wide;

    static constexpr std::uint32_t leaf = 64;  // ranks
    static constexpr std::uint32_t max_nodes = 40;

    RankJoin(const Match<V>& m, std::uint32_t n, PairWriter<V>& o, Steps& s, bool one)
        : match(m), near(n), out(o), steps(s), one_set(one) {}

    static std::size_t scratch_bytes(const Match<V>& match, std::size_t count) {
        const std::size_t sort = 2 * (2 * count * sizeof(std::uint64_t) + 64);
        const std::size_t lists = (5 * count + 256) * 4 + 4 * (count * 4 + 64) + 64;
        return Boxes::bytes(match.arrays(), count) + 3 * (count * 4 + 64) + (sort > lists ? sort : lists) +
               Boxes::bytes(match.arrays(), leaf);
    }

    // The boxes of `a` from i on with those of `b` from j on, or with each other.
    void run(const Boxes& a, std::uint32_t i, const Boxes& b, std::uint32_t j, Axis axis,
             ScratchCutter& cutter) {
        merge(a, i, b, j, axis, cutter);
        const auto across = static_cast<Axis>(1 - axis);
        begins = all.begins(axis);
        ends = all.ends(axis);
        lower = cutter.take<std::uint32_t>(all.row.count);
        upper = cutter.take<std::uint32_t>(all.row.count);
        ScratchCutter sorting = cutter;
        rank(all.begins(across), all.ends(across), sorting);
        few_data = cutter;
        (void)cutter.take<char>(Boxes::bytes(match.arrays(), leaf));
        for (int s = 0; s < 2; ++s) {
            spanning[s].slots = cutter.take<std::uint32_t>(std::size_t{all.row.count} + 1);
            starting[s].slots = cutter.take<std::uint32_t>(std::size_t{all.row.count} + 1);
        }
        halve(cutter.take<std::uint32_t>(5 * std::size_t{all.row.count} + 256));
    }

private:
    struct List {
        std::uint32_t* slots;
        std::uint32_t count;
    };
    struct Node {
        std::uint32_t *begin, *end;
        std::uint32_t low, high;  // ranks
    };

    // Merges the rest of both sets into one order.
    void merge(const Boxes& a, std::uint32_t i, const Boxes& b, std::uint32_t j, Axis axis,
               ScratchCutter& cutter) {
        const std::uint32_t count = a.row.count - i + b.row.count - j;
        float* data = Boxes::empty_row(all, match.arrays(), count, cutter);
        side = cutter.take<std::uint32_t>(count);
        const float *a_begins = one_set ? nullptr : a.begins(axis),
                    *b_begins = one_set ? nullptr : b.begins(axis);
        for (std::uint32_t slot = 0; slot < count; ++slot) {
            const bool second =
                i == a.row.count || (j < b.row.count && !one_set && b_begins[j] < a_begins[i]);
            const Boxes& from = second ? b : a;
            const std::uint32_t at = second ? j++ : i++;
            Boxes::copy(from.row, at, data, all.row.stride, slot, match.arrays());
            all.slot[slot] = from.slot[at];
            side[slot] = second ? 1 : 0;
        }
        steps.add(count);
    }
    void rank(const float* low_ends, const float* high_ends, ScratchCutter& cutter) {
        const std::uint32_t count = all.row.count;
        std::uint64_t* entries = cutter.take<std::uint64_t>(2 * std::size_t{count});
        std::uint64_t* spare = cutter.take<std::uint64_t>(2 * std::size_t{count});
        for (std::uint32_t slot = 0; slot < count; ++slot) {
            entries[slot] = RadixSort<V>::entry(low_ends[slot], slot);
            entries[count + slot] = RadixSort<V>::entry(match.up(high_ends[slot]), count + slot);
        }
        entries = RadixSort<V>::sort(entries, spare, 2 * count, steps);
        for (std::uint32_t r = 0; r < 2 * count; ++r) {
            const std::uint32_t number = RadixSort<V>::number(entries[r]);
            if (number < count)
                lower[number] = r;
            else
                upper[number - count] = r;
        }
        steps.add(4 * std::uint64_t{count});
    }

    // A node's lists lie after its parent's, which are still needed. Each level has half the ranks of the one
    // above, so all fit into five lists of all boxes.
    void halve(std::uint32_t* lists) {
        Node nodes[max_nodes];
        std::uint32_t open = 1;
        for (std::uint32_t slot = 0; slot < all.row.count; ++slot) lists[slot] = slot;
        nodes[0] = {lists, lists + all.row.count, 0, 2 * all.row.count};
        while (open != 0) {
            const Node node = nodes[--open];
            if (node.high - node.low <= leaf) {
                compare_few(node);
                continue;
            }
            const std::uint32_t middle = node.low + (node.high - node.low) / 2;
            const Node right = half_of(node, middle, node.high, node.end);
            const Node left = half_of(node, node.low, middle, right.end);
            nodes[open++] = right;
            nodes[open++] = left;
        }
    }
    // The boxes that begin or end in a half, and the pairs of those that cover it with those that begin
    // there.
    THRONG_NOINLINE THRONG_KERNEL Node half_of(const Node& node, std::uint32_t low, std::uint32_t high,
                                               std::uint32_t* to) {
        const Node half{to, to, low, high};
        for (int s = 0; s < 2; ++s) spanning[s].count = starting[s].count = 0;
        for (const std::uint32_t* at = node.begin; at != node.end; ++at) {
            const std::uint32_t slot = *at, first = lower[slot], last = upper[slot];
            const bool begins_here = first - low < high - low, ends_here = last - low < high - low;
            List &spans = spanning[side[slot]], &starts = starting[side[slot]];
            *to = slot;
            to += begins_here || ends_here;
            spans.slots[spans.count] = slot;
            spans.count += first < low && last >= high;
            starts.slots[starts.count] = slot;
            starts.count += begins_here;
        }
        steps.add(static_cast<std::uint64_t>(node.end - node.begin));
        if (one_set) {
            meet(spanning[0], starting[0]);
        } else {
            meet(spanning[0], starting[1]);
            meet(spanning[1], starting[0]);
        }
        return {half.begin, to, low, high};
    }
    // Boxes of one list with those of the other, all of which overlap on the second axis.
    THRONG_NOINLINE THRONG_KERNEL void meet(const List& one, const List& other) {
        std::uint32_t i = 0, j = 0;
        while (i < one.count && j < other.count)
            if (one.slots[i] < other.slots[j])
                put_run(one.slots[i++], other, j);
            else
                put_run(other.slots[j++], one, i);
        steps.add(i + j);
    }
    void put_run(std::uint32_t slot, const List& list, std::uint32_t from) {
        const float end = match.up(ends[slot]);
        std::uint32_t at = from;
        for (; at < list.count && begins[list.slots[at]] <= end; ++at) put(slot, list.slots[at]);
        steps.add(at - from);
    }
    void put(std::uint32_t one, std::uint32_t other) {
        if (!match.admits(Arrays(all.row), one, other)) return;
        if (one_set ? all.slot[other] < all.slot[one] : side[one] != 0) {
            const std::uint32_t swapped = one;
            one = other;
            other = swapped;
        }
        out.make_room();
        const std::uint32_t* ids = Arrays(all.row).id;
        *out.at = {ids[one], ids[other]};
        out.at += near == 0 || all.slot[one] - all.slot[other] + near > 2 * near;
    }

    // Boxes that begin in the node go first, and each is compared with all after it.
    void compare_few(const Node& node) {
        std::uint32_t slots[leaf], count = 0;
        for (const std::uint32_t* at = node.begin; at != node.end; ++at)
            if (lower[*at] >= node.low) slots[count++] = *at;
        const std::uint32_t starts = count;
        for (const std::uint32_t* at = node.begin; at != node.end; ++at)
            if (lower[*at] < node.low) slots[count++] = *at;
        ScratchCutter cutter = few_data;
        Boxes few;
        float* data = Boxes::empty_row(few, match.arrays(), count, cutter);
        for (std::uint32_t k = 0; k < count; ++k)
            Boxes::copy(all.row, slots[k], data, few.row.stride, k, match.arrays());
        const Arrays a(few.row);
        for (std::uint32_t k = 0; k < starts; ++k) {
            const PairProbe probe = match.probe(a, k);
            for (std::uint32_t j = k + 1; j < count; j += Wide::size)
                for (std::uint32_t found = probe.overlap(a, j); found != 0; found &= found - 1)
                    put_found(slots[k], slots[j + Vectors<V>::lowest(found)]);
            steps.add(count - k);
        }
    }
    void put_found(std::uint32_t one, std::uint32_t other) {
        if (one_set || side[one] != side[other]) put(one, other);
    }

    const Match<V>& match;
    std::uint32_t near;
    PairWriter<V>& out;
    Steps& steps;
    bool one_set;  // whether boxes meet others of their own set, or only of the other

    Boxes all{};
    std::uint32_t* side = nullptr;  // which of the two sets a box belongs to
    std::uint32_t *lower = nullptr, *upper = nullptr;
    const float *begins = nullptr, *ends = nullptr;
    List spanning[2]{}, starting[2]{};
    ScratchCutter few_data{};
};

}  // namespace throng::simd
