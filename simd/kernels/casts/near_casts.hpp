// The oversized agents that some casts near each other may touch, gathered by one walk through the tree with
// the box around all. Each cast is then compared with those: a vector or two, and no branch.
#pragma once

#include "simd/kernels/search/gathered.hpp"

namespace throng::simd {

template <class V>
class NearCasts {
public:
    // Null if there are too many. Then the next few walks are not made.
    THRONG_KERNEL THRONG_NOINLINE const Row* find(const View& view, const Query& around) {
        if (pause_ != 0 && pause_-- != 0) return nullptr;
        list_.cut(0);
        GatherInto<List> taker{list_};
        if (!Search<V, BoxShape<V>, typename Admission<V>::Everyone, GatherInto<List>>(around, {}, taker)
                 .search_tree(view)) {
            pause_ = walks_left_out;
            return nullptr;
        }
        row_ = list_.close(0);
        return &row_;
    }

private:
    static constexpr std::uint32_t most = 128, walks_left_out = 8;
    using List = Gathered<V, most>;

    std::uint32_t pause_ = 0;
    Row row_;
    List list_;
};

}  // namespace throng::simd
