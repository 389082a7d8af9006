// What the agents of a leaf in the tree of the oversized agents may overlap, gathered by one walk for all of them:
//
//     leaf       i i i i i i i i         its agents, or the last of them
//     frame      one walk                common agents that overlap the leaf's bounds; oversized ones, from the first i on
//     each i     compared with these lists, of the second with what follows it there
//
// What an agent finds there, and in which order, is what it would find by a walk of its own.
#pragma once

#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/shared/gathered.hpp"

namespace throng::simd {

template <class V>
class AroundLeaf : Vectors<V> {
public:
    using Base = Vectors<V>;
    using typename Base::Arrays;

    explicit AroundLeaf(const View& view) : view_(view) {}

    // Gathers the common agents that overlap the bounds of a leaf with the agents [begin, end). Returns false if they are too
    // many, or if the walks of these agents are hardly longer than that of all.
    THRONG_KERNEL [[gnu::noinline]] bool gather_common(const Query& box, const Arrays& a, std::uint32_t begin,
                                                       std::uint32_t end) {
        if (rest_ != 0) {
            --rest_;
            return false;
        }
        const View& home = IslandSearch<V>::home_of(view_, box);
        if (home.islands == nullptr ? !share_much(box, a, begin, end) : end - begin < min_agents)
            return false;
        common_list_.cut(0);
        GatherInto<List> taker{common_list_};
        if (!Gather(box, {}, taker).search_region(home)) {
            rest_ = pause;
            return false;
        }
        common_ = common_list_.close(0);
        return true;
    }
    // Gathers the oversized agents from a place on that overlap it. Returns false if they are too many.
    THRONG_KERNEL [[gnu::noinline]] bool gather_later(const Query& box, const FromAgent& from) {
        later_list_.cut(0);
        GatherInto<List> taker{later_list_};
        if (!Gather(box, {}, taker).search_tree(view_, from)) return false;
        later_ = later_list_.close(0);
        return true;
    }
    const Row& common() const { return common_; }
    const Row& later() const { return later_; }

private:
    // So many boxes and ids fit into the smallest cache.
    using List = Gathered<V, 512>;
    using Gather = Search<V, BoxShape<V>, typename Admission<V>::Everyone, GatherInto<List>>;
    // So many share what they find on islands, whatever their sizes.
    static constexpr std::uint32_t min_agents = 4;
    // Where a leaf's list was too long, so many others are not tried.
    static constexpr std::uint32_t pause = 8;

    // Whether the agents reach twice as many rows, or columns, as the box around them.
    static bool share_much(const Query& box, const Arrays& a, std::uint32_t begin, std::uint32_t end) {
        double width = 0, height = 0;
        for (std::uint32_t i = begin; i < end; ++i) {
            width += double{a.max_x[i]} - a.min_x[i];
            height += double{a.max_y[i]} - a.min_y[i];
        }
        return width > 2 * (double{box.max_x} - box.min_x) || height > 2 * (double{box.max_y} - box.min_y);
    }

    const View& view_;
    std::uint32_t rest_ = 0;
    Row common_{}, later_{};
    List common_list_, later_list_;
};

}  // namespace throng::simd
