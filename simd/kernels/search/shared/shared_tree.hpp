// The oversized agents that some neighbouring queries may find, gathered by one walk through the tree with the box
// around all of them:
//
//     queries    q q q q q q q q         some at a time
//     tree       one walk                 the boxes and ids of all that overlap the box around them
//     each q     compared with those      a vector or two, in the order of the walk
//
// The order is that in which a query alone would find them, since it is the tree's.
#pragma once

#include "simd/kernels/search/search.hpp"

namespace throng::simd {

// Where there are none.
struct NoTree {
    static constexpr bool may_have_any = false;
    static constexpr std::size_t queries = 64;  // that are looked up together
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
    static constexpr std::uint32_t capacity = 48;

    // How many ids may be written for a query.
    static constexpr std::ptrdiff_t room = capacity + gap;

    explicit SharedTree(const View& view) : view_(view) {}

    // For queries in the box.
    void gather(const Query& around) {
        count_ = 0;
        is_complete_ = true;
        if (view_.node_count == 0) return;
        walk(around);
        const float nan = __builtin_nanf("");
        for (float* lane : {lanes_, lanes_ + stride, lanes_ + 2 * stride, lanes_ + 3 * stride})
            for (std::uint32_t k = 0; k < Wide::size; ++k) lane[count_ + k] = nan;
    }
    // Whether it holds all.
    bool is_complete() const { return is_complete_; }

    // Writes the ids that a query of those finds, and returns where the next go.
    std::uint32_t* find(const Query& q, std::uint32_t* to) const {
        if (count_ == 0) return to;
        const Probe probe(q);
        const Arrays a(Row{lanes_, nullptr, stride, count_, 0});
        for (std::uint32_t j = 0; j < count_; j += Wide::size) {
            const std::uint32_t found = probe.overlap(a, j);
            V::left_pack(to, a.id + j, found);
            to += V::count_bits(found);
        }
        return to;
    }

private:
    static constexpr std::uint32_t stride = capacity + 2 * gap;

    struct Gather {
        SharedTree& to;
        template <bool cut, class P, class A>
        bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t j = begin; j < end; j += Wide::size)
                for (std::uint32_t found = Takers<V>::template found_in<cut>(probe, a, j, end); found != 0;
                     found &= found - 1)
                    if (!to.add(a, j + Base::lowest(found))) return false;
            return true;
        }
        bool take(const Arrays& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
            for (; begin < end; ++begin)
                if (!to.add(a, begin)) return false;
            return true;
        }
    };
    using Everyone = typename Admission<V>::Everyone;

    THRONG_KERNEL [[gnu::noinline]] void walk(const Query& around) {
        Gather taker{*this};
        const Search<V, BoxShape<V>, Everyone, Gather> search(around, {}, taker);
        is_complete_ = search.search_tree(view_);
    }
    bool add(const Arrays& a, std::uint32_t i) {
        if (count_ == capacity) return false;
        lanes_[count_] = a.min_x[i];
        lanes_[count_ + stride] = a.min_y[i];
        lanes_[count_ + 2 * stride] = a.max_x[i];
        lanes_[count_ + 3 * stride] = a.max_y[i];
        __builtin_memcpy(lanes_ + count_ + 4 * stride, a.id + i, sizeof(std::uint32_t));
        ++count_;
        return true;
    }

    const View& view_;
    std::uint32_t count_ = 0;
    bool is_complete_ = true;
    float lanes_[5 * stride] = {};
};

}  // namespace throng::simd
