// The oversized agents that some neighbouring queries may find, gathered by one walk through the tree with the box
// around all of them:
//
//     queries    q q q q q q q q         some at a time
//     tree       one walk                 the boxes and ids of all that overlap the box around them
//     each q     compared with those      a vector or two, in the order of the walk
//
// The order is that in which a query alone would find them, since it is the tree's.
#pragma once

#include "simd/kernels/search/gathered.hpp"
#include "simd/kernels/search/search.hpp"

namespace throng::simd {

// Where there are none.
struct NoTree {
    static constexpr bool may_have_any = false;
    static constexpr std::size_t queries = ~std::size_t{0} / 2;
    static constexpr std::ptrdiff_t room = 0;
    explicit NoTree(const View&) {}
    static bool is_complete() { return true; }
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
    // So many queries share a list.
    static constexpr std::size_t queries = 16;
    // The most that a list holds. One more does not, and each query walks by itself.
    static constexpr std::uint32_t capacity = 128;

    // How many ids may be written for a query.
    static constexpr std::ptrdiff_t room = capacity + gap;

    explicit SharedTree(const View& view) : view_(view) {}

    // For queries in the box.
    void gather(const Query& around) {
        list_.cut(0);
        if (view_.node_count != 0) walk(around);
    }
    // Whether it holds all.
    bool is_complete() const { return is_complete_; }

    // Writes the ids that a query of those finds, and returns where the next go.
    std::uint32_t* find(const Query& q, std::uint32_t* to) const {
        if (row_.count == 0) return to;
        const Probe probe(q);
        const Arrays a(row_);
        for (std::uint32_t j = 0; j < row_.count; j += Wide::size) {
            const std::uint32_t found = probe.overlap(a, j);
            V::left_pack(to, a.id + j, found);
            to += V::count_bits(found);
        }
        return to;
    }

private:
    using List = Gathered<V, capacity>;

    THRONG_KERNEL [[gnu::noinline]] void walk(const Query& around) {
        GatherInto<List> taker{list_};
        const Search<V, BoxShape<V>, typename Admission<V>::Everyone, GatherInto<List>> search(around, {},
                                                                                               taker);
        is_complete_ = search.search_tree(view_);
        row_ = list_.close(0);
    }

    const View& view_;
    bool is_complete_ = true;
    Row row_{};
    List list_;
};

}  // namespace throng::simd
