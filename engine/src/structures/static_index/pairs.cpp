// All pairs, of the tree with itself.

#include "engine/src/structures/static_index/state.hpp"
#include "simd/kernels.hpp"

namespace throng {

using namespace detail;

Status StaticIndex::State::find_pairs(PairAnswers& found) {
    if (count_ == 0) return {};
    static_assert(sizeof(Pair) == sizeof(simd::Pair));
    constexpr std::size_t pairs_at_once = 512;
    simd::Pair pairs[pairs_at_once + simd::tree_pair_slack];
    const StaticSet& held = set();
    simd::TreePairs join;
    while (join.leaf < held.level_size(1)) {
        const simd::Pair* end = kernels_->tree_pairs(held.tree, join, pairs, pairs + pairs_at_once);
        if (!found.put_all(reinterpret_cast<const Pair*>(pairs), static_cast<std::size_t>(end - pairs)))
            break;
    }
    return {};
}

}  // namespace throng
