// Queries, all pairs, and lists of all elements and blocks.
#include <algorithm>
#include <cstdint>

#include "simd/pair_kernels.hpp"
#include "simd/query_kernels.hpp"
#include "structures/src/static_index/state.hpp"

namespace throng::structures {

using namespace detail;

namespace {

simd::Query query_of(const Box& box) noexcept { return {box.min_x, box.min_y, box.max_x, box.max_y}; }

// Passes on a run that the kernel left in place, without the omitted element. Returns whether to go on.
bool put_run(const simd::BoxTree& tree, simd::TreeSearch& search, IdAnswers& found) {
    const std::uint32_t begin = search.run_begin, end = search.run_end, omitted = search.omitted;
    if (end - begin <= simd::short_run) return true;
    search.run_begin = end;
    if (omitted < begin || omitted >= end) return found.put_all(tree.ids + begin, end - begin);
    return found.put_all(tree.ids + begin, omitted - begin) &&
           found.put_all(tree.ids + omitted + 1, end - omitted - 1);
}

}  // namespace

Count StaticIndex::State::count(const Box& box) const noexcept {
    if (const Code code = check(box); code != Code::ok) return {{code, 0}};
    if (count_ == 0) return {};
    return {{}, kernels_->queries->tree_count(set().tree, query_of(box))};
}

Found StaticIndex::State::any(const Box& box) const noexcept {
    if (const Code code = check(box); code != Code::ok) return {{code, 0}};
    if (count_ == 0) return {};
    return {{}, kernels_->queries->tree_any(set().tree, query_of(box))};
}

Status StaticIndex::State::find_overlaps(const Box& box, ElementId omitted, IdAnswers& found) const {
    if (count_ == 0) return {};
    constexpr std::size_t ids_at_once = 512;
    std::uint32_t ids[ids_at_once + simd::tree_slack];
    const simd::BoxTree& tree = set().tree;
    simd::TreeSearch search;
    search.query = query_of(box);
    if (omitted < count_) search.omitted = set().places[omitted];
    while (!search.ended) {
        const std::uint32_t* end = kernels_->queries->tree_find(tree, search, ids, ids + ids_at_once);
        if (!found.put_all(ids, static_cast<std::size_t>(end - ids))) break;
        if (!put_run(tree, search, found)) break;
    }
    return {};
}

// Of the tree with itself.
Status StaticIndex::State::find_pairs(PairAnswers& found) {
    if (count_ == 0) return {};
    static_assert(sizeof(Pair) == sizeof(simd::Pair));
    constexpr std::size_t pairs_at_once = 512;
    simd::Pair pairs[pairs_at_once + simd::tree_pair_slack];
    const StaticSet& held = set();
    simd::TreePairs join;
    while (join.leaf < held.level_size(1)) {
        const simd::Pair* end = kernels_->pairs->tree_pairs(held.tree, join, pairs, pairs + pairs_at_once);
        if (!found.put_all(reinterpret_cast<const Pair*>(pairs), static_cast<std::size_t>(end - pairs)))
            break;
    }
    return {};
}

void StaticIndex::State::list_elements(IdAnswers& list) const {
    if (count_ != 0) (void)list.put_all(set().tree.ids, count_);
}

void StaticIndex::State::list_parts(PartAnswers& list) const {
    if (count_ == 0) return;
    const StaticSet& held = set();
    const std::uint32_t top = held.tree.top;
    for (std::uint32_t level = top;; --level) {
        const std::size_t lanes = held.level_size(level);
        for (std::size_t i = 0; i < held.level_size(level + 1); ++i) {
            const std::size_t own = std::min<std::size_t>(simd::block_lanes, lanes - i * simd::block_lanes);
            const Box box = enclosing(held.tree.levels[level][i], own);
            const std::uint32_t elements = level == 0 ? static_cast<std::uint32_t>(own) : 0;
            if (!list.put({box, top - level, elements, level == 0})) return;
        }
        if (level == 0) return;
    }
}

}  // namespace throng::structures
