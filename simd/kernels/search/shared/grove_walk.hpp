// Queries of a batch that follow each other look for leaves of the tree of the oversized agents together, grove by grove:
//
//     crown      one walk                      the groves that the box around all queries overlaps
//     grove      its bounds, a vector of queries at a time       -> which queries are near
//     each       the bounds of its leaves, a vector at a time    -> the names of those that the query overlaps
//
// A query alone takes as many steps, but waits for each: which groves and leaves are near is as good as random, so every step of
// it is a branch that is foreseen wrongly. Here none is, and a grove is in the nearest cache for all queries. What a query
// finds in its leaves comes in the order of the tree, as if it had walked alone.
#pragma once

#include "simd/kernels/search/search.hpp"

namespace throng::simd {

template <class V>
class GroveWalk : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;

    // How many queries walk together.
    static constexpr std::uint32_t capacity = 64;

    explicit GroveWalk(const View& view) : view_(view) {
        for (std::uint32_t i = 0; i < capacity; ++i) numbers_[i] = i;
    }

    // Finds the leaves near so many boxes; box(i) is null where none are wanted.
    template <class BoxAt>
    void find(std::size_t count, const BoxAt& box) {
        if (view_.groves == nullptr) return;
        Query around{};
        std::uint32_t walking = 0;
        count_ = static_cast<std::uint32_t>(count);
        for (std::uint32_t i = 0; i < count_ || i % gap != 0; ++i) {
            give_up(i);
            const Query* const q = i < count_ ? box(i) : nullptr;
            if (q == nullptr) continue;
            boxes_.put(i, *q);
            found_[i] = 0;
            around = walking++ == 0 ? *q : Base::united(around, *q);
        }
        if (walking >= fewest) return walk(around);
        for (std::uint32_t i = 0; i < count_; ++i) give_up(i);
    }
    // Those of a box. Their begin is null if they are too many, or the box was not wanted.
    NearLeaves near(std::size_t i) const {
        if (view_.groves == nullptr || found_[i] == too_many) return {};
        return {leaves_[i], leaves_[i] + found_[i]};
    }

private:
    // Fewer walk by themselves.
    static constexpr std::uint32_t fewest = 4;
    static constexpr std::uint32_t max_leaves = 48, too_many = ~0u;

    struct Boxes {
        float min_x[capacity], min_y[capacity], max_x[capacity], max_y[capacity];
        void put(std::uint32_t i, const Query& q) {
            min_x[i] = q.min_x, min_y[i] = q.min_y, max_x[i] = q.max_x, max_y[i] = q.max_y;
        }
    };
    struct Ignore {
        template <bool, class P, class A>
        bool test(const P&, const A&, std::uint32_t, std::uint32_t) {
            return true;
        }
    };
    using Walk = Search<V, BoxShape<V>, typename Admission<V>::Everyone, Ignore>;

    THRONG_KERNEL [[gnu::noinline]] void walk(const Query& around) {
        Ignore nothing;
        const Walk search(around, {}, nothing);
        (void)search.for_each_grove(view_, typename Walk::Outline(search.shape), FromTheFirst{},
                                    [&](std::uint32_t g, bool) {
                                        look_into(g);
                                        return true;
                                    });
    }
    void give_up(std::uint32_t i) {
        boxes_.min_x[i] = __builtin_nanf("");
        found_[i] = too_many;
    }
    void look_into(std::uint32_t g) {
        const Arrays bounds(view_.grove_bounds);
        const typename Base::template Probe<Wide> probe(bounds, g);
        std::uint32_t near[capacity + gap], count = 0;
        for (std::uint32_t j = 0; j < count_; j += Wide::size) {
            const std::uint32_t found = probe.overlap(boxes_, j);
            V::left_pack(near + count, numbers_ + j, found);
            count += V::count_bits(found);
        }
        if (count == 0) return;
        const Row& leaves = view_.groves[g].leaves;
        for (std::uint32_t k = 0; k < leaves.count; ++k) names_[k] = g << NearLeaves::shift | k;
        for (std::uint32_t k = 0; k < count; ++k) look_for(near[k], leaves);
    }
    void look_for(std::uint32_t i, const Row& leaves) {
        const typename Base::template Probe<Wide> probe(boxes_.min_x[i], boxes_.min_y[i], boxes_.max_x[i],
                                                        boxes_.max_y[i]);
        const Arrays a(leaves);
        std::uint32_t* const first = leaves_[i];
        std::uint32_t* to = first + found_[i];
        for (std::uint32_t j = 0; j < leaves.count; j += Wide::size) {
            const std::uint32_t found = probe.overlap(a, j);
            V::left_pack(to, names_ + j, found);
            to += V::count_bits(found);
            if (to > first + max_leaves) [[unlikely]]
                return give_up(i);
        }
        found_[i] = static_cast<std::uint32_t>(to - first);
    }

    const View& view_;
    std::uint32_t count_ = 0;
    std::uint32_t numbers_[capacity], found_[capacity];
    Boxes boxes_;
    std::uint32_t names_[NearLeaves::most_in_grove + gap];
    std::uint32_t leaves_[capacity][max_leaves + gap];
};

}  // namespace throng::simd
