// The oversized agents that may overlap a box, from one of them on, in the order of their tree. Those that some neighbours may
// overlap are gathered by one walk:
//
//     agents      i i i i i i i i          those below a node near the leaves
//     tree        one walk                 these, and all that follow and overlap the node's bounds
//     each i      compared with what follows it in that list
//
// What an agent finds, and in which order, is the same as by a walk of its own.
#pragma once

#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V>
struct LaterGiants : Vectors<V> {
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Four;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;

    // Where a walk begins: at an agent of a grove. A tree in one piece has none.
    struct From {
        std::uint32_t grove, place;
    };

    // Calls visit(arrays, begin, end) for the agents of each leaf that is not missed, until it returns false.
    template <class Visit>
    static bool for_each_leaf(const View& view, const From& from, const Query& box, const Visit& visit) {
        const auto misses = [outer = Base::Locator::four(box.max_x, box.max_y, -box.min_x, -box.min_y)](
                                const Node& node) {
            return V::bits(Four::load_unaligned(&node.min_x) <= outer) != 15;
        };
        const bool whole = view.groves == nullptr;
        const std::uint32_t first = whole ? from.place : from.grove;
        for (std::uint32_t n = 0; n < view.node_count;) {
            const Node& node = view.nodes[n];
            if (node.end <= first || misses(node)) {
                n = node.next;
                continue;
            }
            const std::uint32_t begin = node.begin > first ? node.begin : first;
            if (whole) {
                if (node.next == ++n && !visit(Arrays(view.oversized), begin, node.end)) return false;
                continue;
            }
            const bool few = node.end - node.begin <= groves_at_once;
            n = few ? node.next : n + 1;
            if (few && !for_each_near(view.grove_bounds, begin, node.end, box, [&](std::uint32_t g) {
                    return for_each_leaf(view.groves[g], g == from.grove ? from.place : 0, box, visit);
                }))
                return false;
        }
        return true;
    }

private:
    // Below a node with no more groves their bounds are compared instead of those of nodes.
    static constexpr std::uint32_t groves_at_once = 64;

    template <class Visit>
    static bool for_each_leaf(const Grove& grove, std::uint32_t from, const Query& box, const Visit& visit) {
        const Arrays a(grove.oversized), leaves(grove.leaves);
        return for_each_near(grove.leaves, 0, grove.leaves.count, box, [&](std::uint32_t leaf) {
            const std::uint32_t begin = leaves.id[leaf], end = leaves.id[leaf + 1];
            return end <= from || visit(a, begin > from ? begin : from, end);
        });
    }
    template <class Visit>
    static bool for_each_near(const Row& bounds, std::uint32_t begin, std::uint32_t end, const Query& box,
                              const Visit& visit) {
        constexpr std::uint32_t lanes = 16;
        const Probe probe(box);
        const Arrays a(bounds);
        for (std::uint32_t j = begin; j < end; j += lanes) {
            std::uint32_t near = probe.template overlap_of<lanes>(a, j);
            if (end - j < lanes) near &= (1u << (end - j)) - 1;
            for (; near != 0; near &= near - 1)
                if (!visit(j + Base::lowest(near))) return false;
        }
        return true;
    }
};

// A list of them.
template <class V>
class GiantsAround : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;
    using From = typename LaterGiants<V>::From;

    // The most that a list holds.
    static constexpr std::uint32_t capacity = 512;

    // Gathers those that overlap the box. Returns false if they are too many.
    THRONG_KERNEL [[gnu::noinline]] bool gather(const View& view, const From& from, const Query& box) {
        count_ = 0;
        if (!LaterGiants<V>::for_each_leaf(view, from, box,
                                           [&](const Arrays& a, std::uint32_t begin, std::uint32_t end) {
                                               return add(Probe(box), a, begin, end);
                                           }))
            return false;
        // What follows the list overlaps nothing.
        for (std::uint32_t k = 0; k < 4; ++k)
            for (std::uint32_t i = 0; i < gap; ++i) lanes_[k * stride + count_ + i] = not_a_number;
        return true;
    }
    std::uint32_t count() const { return count_; }
    Arrays arrays() const { return Arrays(Row{reinterpret_cast<const float*>(lanes_), nullptr, stride, 0, 0}); }

private:
    static constexpr std::uint32_t stride = capacity + 2 * gap, not_a_number = 0x7FC00000;

    bool add(const Probe& probe, const Arrays& a, std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t j = begin; j < end; j += Wide::size) {
            std::uint32_t found = probe.overlap(a, j);
            if (end - j < Wide::size) found &= (1u << (end - j)) - 1;
            pack(0, a.min_x + j, found);
            pack(1, a.min_y + j, found);
            pack(2, a.max_x + j, found);
            pack(3, a.max_y + j, found);
            pack(4, a.id + j, found);
            count_ += V::count_bits(found);
            if (count_ > capacity) return false;
        }
        return true;
    }
    void pack(std::uint32_t array, const void* from, std::uint32_t found) {
        V::left_pack(lanes_ + array * stride + count_, static_cast<const std::uint32_t*>(from), found);
    }

    std::uint32_t count_ = 0;
    std::uint32_t lanes_[5 * stride];
};

}  // namespace throng::simd
