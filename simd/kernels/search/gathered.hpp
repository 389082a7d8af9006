// Boxes and ids that were copied out of a frame, as a row without cells. They are what several queries or
// agents near each other may find, and are compared with each of these vector by vector.
#pragma once

#include "simd/kernels/search/search.hpp"
#include "simd/kernels/vectors.hpp"

namespace throng::simd {

template <class V, std::uint32_t capacity_>
class Gathered : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;
    using typename Base::Wide;

    static constexpr std::uint32_t capacity = capacity_, lanes = Wide::size;

    std::uint32_t count() const { return count_; }
    Arrays arrays() const {
        return Arrays(Row{reinterpret_cast<const float*>(lanes_), nullptr, stride, count_, 0});
    }
    // Forgets all but the first `count`.
    void cut(std::uint32_t count) { count_ = count; }
    // Adds those of [begin, end) that `find(j)` has a bit for, of the agents from j on. Returns false once
    // there are more than `limit`.
    template <class Find>
    bool add(const Arrays& a, std::uint32_t begin, std::uint32_t end, std::uint32_t limit, const Find& find) {
        std::uint32_t count = count_;  // in a register, while lanes are written
        for (std::uint32_t j = begin; j < end && count <= limit; j += Wide::size) {
            std::uint32_t found = find(j);
            if (end - j < Wide::size) found &= (1u << (end - j)) - 1;
            if (found == 0) continue;
            std::uint32_t* const to = lanes_ + count;
            pack(to, a.min_x + j, found);
            pack(to + stride, a.min_y + j, found);
            pack(to + 2 * stride, a.max_x + j, found);
            pack(to + 3 * stride, a.max_y + j, found);
            pack(to + 4 * stride, a.id + j, found);
            count += V::count_bits(found);
        }
        count_ = count;
        return count <= limit;
    }
    // All from a slot on as a row, behind which vectors find nothing. Later additions go behind it.
    Row close(std::uint32_t first) {
        for (std::uint32_t k = 0; k < 4; ++k) {
            std::uint32_t* const behind = lanes_ + k * stride + count_;
            for (std::uint32_t i = 0; i < gap; ++i) behind[i] = not_a_number;
        }
        const Row row{reinterpret_cast<const float*>(lanes_) + first, nullptr, stride, count_ - first, 0};
        count_ += gap;
        return row;
    }

private:
    static constexpr std::uint32_t stride = capacity + 2 * gap, not_a_number = 0x7FC00000;

    static void pack(std::uint32_t* to, const void* from, std::uint32_t found) {
        V::left_pack(to, static_cast<const std::uint32_t*>(from), found);
    }

    std::uint32_t count_ = 0;
    alignas(64) std::uint32_t lanes_[5 * stride];
};

// The taker of a search that gathers, until the list has more than a limit.
template <class List>
struct GatherInto {
    List& list;
    std::uint32_t limit = List::capacity;

    template <bool, class P, class A>
    bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
        return list.add(a, begin, end, limit, [&](std::uint32_t j) { return probe.overlap(a, j); });
    }
    template <class A>
    bool take(const A& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t*) {
        return list.add(a, begin, end, limit, [](std::uint32_t) { return ~0u >> (32 - List::lanes); });
    }
};

// The agents that those of a leaf in the tree of the oversized agents, or of a few leaves, may overlap,
// gathered by one walk for all:
//
//     leaf       i i i i i i i i     its agents, or the last of them
//     two walks  common agents that overlap the leaf's bounds; and oversized ones that do, from the first
//                i on
//     each i     is compared with both lists, but in the second one only with what follows it
//
// An agent finds there, and in the same order, what it would find by a walk of its own.
template <class V>
class AroundLeaf : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;

    explicit AroundLeaf(const View& view) : view_(view) {
        for (std::uint32_t r = 0; r < view.grid.rows && !any_common_; ++r)
            any_common_ = view.rows[r].count != 0;
    }

    // Gathers the common agents that overlap the bounds of a leaf with the agents [begin, end). These bounds
    // have grown by `further`, as far as an agent reaches beyond its box. Returns false if they are too many,
    // or if one walk for all of these agents is hardly shorter than a walk for each.
    THRONG_KERNEL THRONG_NOINLINE bool gather_common(const Query& box, const Arrays& a, std::uint32_t begin,
                                                     std::uint32_t end, float further) {
        if (!any_common_) return true;
        if (leaves_to_skip_ != 0) {
            --leaves_to_skip_;
            return false;
        }
        const View& home = IslandSearch<V>::home_of(view_, box);
        if (home.islands == nullptr ? !share_much(box, a, begin, end, further) : end - begin < min_agents)
            return false;
        common_list_.cut(0);
        GatherInto<List> taker{common_list_};
        if (!Gather(box, {}, taker).search_region(home)) {
            leaves_to_skip_ = pause_;
            pause_ = pause_ < longest_pause ? 2 * pause_ + 1 : pause_;
            return false;
        }
        pause_ = 0;
        common_ = common_list_.close(0);
        return true;
    }
    // Gathers the oversized agents from a slot on that overlap the bounds. Returns false if they are more
    // than a limit.
    THRONG_KERNEL THRONG_NOINLINE bool gather_later(const Query& box, const FromAgent& from,
                                                    std::uint32_t limit) {
        later_list_.cut(0);
        GatherInto<List> taker{later_list_, limit};
        if (!Gather(box, {}, taker).search_tree(view_, from)) return false;
        later_ = later_list_.close(0);
        return true;
    }
    const Row& common() const { return common_; }
    const Row& later() const { return later_; }

    // 1,024 boxes and ids fit into the smallest cache.
    using List = Gathered<V, 1024>;

private:
    using Gather = Search<V, BoxShape<V>, typename Admission<V>::Everyone, GatherInto<List>>;
    // With islands, this many agents share a walk, whatever their sizes.
    static constexpr std::uint32_t min_agents = 4;
    // How many leaves are skipped after one with too long a list, at most: none at first, and more after each
    // in a row.
    static constexpr std::uint32_t longest_pause = 7;

    // Whether the agents, one after the other, reach twice as many rows or columns as the box around them.
    static bool share_much(const Query& box, const Arrays& a, std::uint32_t begin, std::uint32_t end,
                           float further) {
        double width = 2.0 * (end - begin) * further, height = width;
        for (std::uint32_t i = begin; i < end; ++i) {
            width += double{a.max_x[i]} - a.min_x[i];
            height += double{a.max_y[i]} - a.min_y[i];
        }
        return width > 2 * (double{box.max_x} - box.min_x) || height > 2 * (double{box.max_y} - box.min_y);
    }

    const View& view_;
    std::uint32_t leaves_to_skip_ = 0, pause_ = 0;
    bool any_common_ = view_.islands != nullptr || view_.storeys != nullptr;
    Row common_{}, later_{};
    List common_list_, later_list_;
};

}  // namespace throng::simd
