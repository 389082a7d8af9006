// Queries of a batch that follow each other look through the tree of the oversized agents together, grove by
// grove:
//
//     crown      one walk                      the groves that the box around all queries overlaps
//     grove      its bounds, a vector of queries at a time       -> which queries are near
//     near       the bounds of its leaves, a vector at a time    -> which leaves each of these overlaps
//     leaf       its agents, mostly one vector                   -> which agents
//
// A query alone takes as many steps, but waits for each: which groves and leaves are near is as good as
// random, so every step has a branch that is predicted wrongly. Here hardly any is, and a grove is in the
// nearest cache for all queries. The answers of a query come in the order of the tree, as if it had walked
// alone. If they are only counted, nothing is written, and agents that a box covers are counted unseen.
#pragma once

#include "simd/kernels/search/search.hpp"

namespace throng::simd {

// What a query is told: for a box ids, or how many they are; for other shapes the slots of the agents in
// their bounds.
enum class Told { ids, count, slots };

// At most `capacity` queries walk together. See NearAgents.
template <class V, std::uint32_t capacity, Told told = Told::ids>
class GroveWalk : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;

    explicit GroveWalk(const View& view) : view_(view) {
        for (std::uint32_t i = 0; i < NearAgents::most_in_grove; ++i) numbers_[i] = i;
    }

    // Finds what is near `count` boxes; box(i) is null if nothing is wanted.
    template <class BoxAt>
    void find(std::size_t count, const BoxAt& box) {
        if (view_.groves == nullptr) return;
        Query around{};
        std::uint32_t walking = 0;
        count_ = static_cast<std::uint32_t>(count);
        for (std::uint32_t i = 0; i < count_ || i % gap != 0; ++i) {
            const Query* const q = i < count_ ? box(i) : nullptr;
            found_[i] = 0;
            given_up_[i] = false;
            if (q == nullptr) {
                give_up(i);
                continue;
            }
            boxes_.put(i, *q);
            around = walking++ == 0 ? *q : Base::united(around, *q);
        }
        if (walking >= fewest)
            walk(around);
        else
            for (std::uint32_t i = 0; i < count_; ++i) given_up_[i] = true;
    }
    // What is near a box. Its begin is null if that is too much, or was not wanted.
    NearAgents near(std::size_t i) const {
        if (view_.groves == nullptr || given_up_[i]) return {};
        return {agents_[told == Told::count ? 0 : i], found_[i]};
    }

private:
    // Fewer walk by themselves.
    static constexpr std::uint32_t fewest = 4;
    static constexpr std::uint32_t max_agents = told == Told::count ? ~0u : 80;
    // How many leaves of a grove wait to be tested, and those of one query more.
    static constexpr std::uint32_t most_waiting = 256;

    struct Boxes {
        float min_x[capacity], min_y[capacity], max_x[capacity], max_y[capacity];
        void put(std::uint32_t i, const Query& q) {
            min_x[i] = q.min_x, min_y[i] = q.min_y, max_x[i] = q.max_x, max_y[i] = q.max_y;
        }
        typename Base::template Probe<Wide> probe(std::uint32_t i) const {
            return {min_x[i], min_y[i], max_x[i], max_y[i]};
        }
    };
    struct Ignore {
        template <bool, class P, class A>
        bool test(const P&, const A&, std::uint32_t, std::uint32_t) {
            return true;
        }
    };
    using Walk = Search<V, BoxShape<V>, typename Admission<V>::Everyone, Ignore>;

    THRONG_KERNEL THRONG_NOINLINE void walk(const Query& around) {
        Ignore nothing;
        const Walk search(around, {}, nothing);
        (void)search.for_each_grove(view_, typename Walk::Outline(search.shape), FromAgent{},
                                    [&](std::uint32_t g, bool) {
                                        look_into(g);
                                        return true;
                                    });
    }
    void give_up(std::uint32_t i) {
        boxes_.min_x[i] = not_a_number;
        found_[i] = 0;
        given_up_[i] = true;
    }
    void look_into(std::uint32_t g) {
        const Grove& grove = view_.groves[g];
        const typename Base::template Probe<Wide> probe(Arrays(view_.grove_bounds), g);
        std::uint32_t near[capacity + gap], count = 0;
        for (std::uint32_t j = 0; j < count_; j += Wide::size) {
            std::uint32_t found = probe.overlap(boxes_, j);
            if constexpr (told == Told::count)
                found = without_covering(probe, j, found, grove.oversized.count);
            V::left_pack(near + count, numbers_ + j, found);
            count += V::count_bits(found);
        }
        if (count == 0) return;
        if constexpr (told == Told::slots)
            for (std::uint32_t k = 0; k < grove.oversized.count; ++k) slots_[k] = g << NearAgents::shift | k;
        std::uint32_t waiting = 0;
        for (std::uint32_t k = 0; k < count; ++k) {
            waiting = look_for_leaves(near[k], grove.leaves, waiting);
            if (waiting < most_waiting && k + 1 != count) continue;
            test_leaves(grove, waiting);
            waiting = 0;
        }
    }
    // Queries that cover a grove find all agents there. Returns the others found from the j-th on.
    std::uint32_t without_covering(const typename Base::template Probe<Wide>& grove, std::uint32_t j,
                                   std::uint32_t found, std::uint32_t agents) {
        const std::uint32_t covering = found & grove.within(boxes_, j);
        for (std::uint32_t left = covering; left != 0; left &= left - 1)
            found_[j + Base::lowest(left)] += agents;
        return found & ~covering;
    }
    // Adds the leaves that a box overlaps to those that wait, and returns how many do then.
    std::uint32_t look_for_leaves(std::uint32_t i, const Row& leaves, std::uint32_t waiting) {
        const auto probe = boxes_.probe(i);
        const Arrays a(leaves);
        std::uint32_t* box = box_ + waiting;
        for (std::uint32_t j = 0; j < leaves.count; j += Wide::size) {
            const std::uint32_t found = probe.overlap(a, j);
            V::left_pack(leaf_ + waiting, numbers_ + j, found);
            waiting += V::count_bits(found);
        }
        do {
            for (std::uint32_t k = 0; k < gap; ++k) box[k] = i;
        } while ((box += gap) < box_ + waiting);
        return waiting;
    }
    void test_leaves(const Grove& grove, std::uint32_t waiting) {
        const Arrays a(grove.oversized);
        const std::uint32_t* const begins = Arrays(grove.leaves).id;
        const std::uint32_t* const names = told == Told::slots ? slots_ : a.id;
        for (std::uint32_t k = 0; k < waiting; ++k) {
            const std::uint32_t i = box_[k], end = begins[leaf_[k] + 1];
            const auto probe = boxes_.probe(i);
            std::uint32_t found = found_[i];
            for (std::uint32_t j = begins[leaf_[k]]; j < end && found <= max_agents; j += Wide::size) {
                const std::uint32_t here = Takers<V>::template found_in<true>(probe, a, j, end);
                if constexpr (told != Told::count) V::left_pack(agents_[i] + found, names + j, here);
                found += V::count_bits(here);
            }
            found_[i] = found;
            if (found > max_agents) [[unlikely]]
                give_up(i);
        }
    }

    const View& view_;
    std::uint32_t count_ = 0;
    bool given_up_[capacity];
    std::uint32_t found_[capacity];
    Boxes boxes_;
    std::uint32_t numbers_[NearAgents::most_in_grove],
        slots_[told == Told::slots ? NearAgents::most_in_grove + gap : 1];
    std::uint32_t leaf_[most_waiting + NearAgents::most_in_grove + gap],
        box_[most_waiting + NearAgents::most_in_grove + gap];
    std::uint32_t agents_[told == Told::count ? 1 : capacity][told == Told::count ? 1 : max_agents + gap];
};

}  // namespace throng::simd
