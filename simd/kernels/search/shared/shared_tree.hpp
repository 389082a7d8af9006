// The oversized agents that some neighbouring queries may find, gathered by one walk through the tree with
// the box around all of them:
//
//     queries    q q q q q q q q         some at a time
//     tree       one walk                 the boxes and ids of all that overlap the box around them
//     each q     compared with those      a vector or two, in the order of the walk
//
// A query alone would find them in the same order, since it is the tree's.
#pragma once

#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/shared/gathered.hpp"
#include "simd/kernels/search/shared/grove_walk.hpp"

namespace throng::simd {

// For frames without oversized agents.
struct NoTree {
    static constexpr bool may_have_any = false;
    static constexpr std::size_t queries = 64;  // that are looked up together
    static constexpr std::ptrdiff_t room = 0;
    explicit NoTree(const View&) {}
    static bool is_complete() { return true; }
    static NearAgents oversized(std::size_t) { return {}; }
    static std::uint32_t* find(const Query&, std::uint32_t* to) { return to; }
};

template <class V>
class SharedTree : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;
    using Probe = typename Base::template Probe<Wide>;

    static constexpr bool may_have_any = true;
    // How many queries share a list.
    static constexpr std::size_t queries = 16;
    // The most that a list holds. With more, each query gets its own, or walks by itself.
    static constexpr std::uint32_t capacity = 48;

    // How many ids may be written for a query.
    static constexpr std::ptrdiff_t room = capacity + gap;

    explicit SharedTree(const View& view) : view_(view), walk_(view) {}

    // For `count` queries, in the box.
    template <class QueryAt>
    void gather(const Query& around, std::size_t count, const QueryAt& query) {
        gather(around);
        if (!is_complete_) walk_.find(count, [&](std::size_t i) { return &query(i); });
    }
    // Whether it holds all.
    bool is_complete() const { return is_complete_; }
    // For one of the queries, if it does not.
    NearAgents oversized(std::size_t i) const { return is_complete_ ? NearAgents{} : walk_.near(i); }

    // Writes the ids of a query's answers, and returns the place for the next.
    std::uint32_t* find(const Query& q, std::uint32_t* to) const {
        if (count_ == 0) return to;
        const Probe probe(q);
        const Arrays a = list_.arrays();
        for (std::uint32_t j = 0; j < count_; j += Wide::size) {
            const std::uint32_t found = probe.overlap(a, j);
            V::left_pack(to, a.id + j, found);
            to += V::count_bits(found);
        }
        return to;
    }

private:
    using List = Gathered<V, capacity>;

    THRONG_KERNEL THRONG_NOINLINE void gather(const Query& around) {
        list_.cut(0);
        GatherInto<List> taker{list_};
        const Search<V, BoxShape<V>, typename Admission<V>::Everyone, GatherInto<List>> search(around, {},
                                                                                               taker);
        is_complete_ = search.search_tree(view_);
        count_ = list_.close(0).count;
    }

    const View& view_;
    bool is_complete_ = true;
    std::uint32_t count_ = 0;
    List list_;
    GroveWalk<V, queries> walk_;
};

}  // namespace throng::simd
