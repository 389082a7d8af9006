#include <algorithm>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/box_reader.hpp"
#include "engine/src/base/find_kernels.hpp"
#include "engine/src/base/refusals.hpp"
#include "engine/src/structures/static_index/state.hpp"
#include "simd/kernels.hpp"
#include "throng/memory.hpp"

namespace throng {

using detail::check;
using detail::StaticSet;

namespace {

simd::Query query_of(const Box& box) noexcept { return {box.min_x, box.min_y, box.max_x, box.max_y}; }

// Passes on a run that the kernel left in place, without the omitted element. Returns whether to go on.
bool put_run(const simd::BoxTree& tree, simd::TreeSearch& search, detail::IdAnswers& found) {
    const std::uint32_t begin = search.run_begin, end = search.run_end, omitted = search.omitted;
    if (end - begin <= simd::short_run) return true;
    search.run_begin = end;
    if (omitted < begin || omitted >= end) return found.put_all(tree.ids + begin, end - begin);
    return found.put_all(tree.ids + begin, omitted - begin) &&
           found.put_all(tree.ids + omitted + 1, end - omitted - 1);
}

}  // namespace

StaticIndex::StaticIndex(const Config& config, MemoryResource* memory) noexcept
    : Structure(detail::make_state<State>(config, memory)) {}

Isa StaticIndex::isa() const noexcept { return status().ok() ? own<State>().kernels_->isa : Isa::automatic; }
Count StaticIndex::count(const Box& box) const noexcept {
    return status().ok() ? own<State>().count(box) : Count{status()};
}
Found StaticIndex::any(const Box& box) const noexcept {
    return status().ok() ? own<State>().any(box) : Found{status()};
}

StaticIndex::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : StateOf(memory), block_(memory) {
    status = detail::find_kernels(config.isa, kernels_);
}

Status StaticIndex::State::assign(const Boxes& boxes) noexcept {
    if (const Status refused = detail::refused_assign(boxes); !refused) return refused;
    if (const Status legal = detail::check_all(boxes); !legal) return legal;
    if (boxes.empty()) {
        clear();
        return {};
    }
    const std::size_t bytes = detail::static_set_bytes(boxes.size());
    if (bytes > block_.capacity()) {
        // The old content is not copied to the new memory; it is only kept if there is no memory.
        block_.clear();
        if (!block_.resize_exactly(bytes)) return {Code::out_of_memory};
    }
    detail::build_static_set(boxes, block_.data());
    count_ = boxes.size();
    return {};
}

Box StaticIndex::State::box_of(ElementId id) const noexcept {
    const std::uint32_t place = set().places[id];
    return detail::lane_box(set().tree.levels[0][place / simd::block_lanes], place % simd::block_lanes);
}

Count StaticIndex::State::count(const Box& box) const noexcept {
    if (const Code code = check(box); code != Code::ok) return {{code, 0}};
    if (count_ == 0) return {};
    return {{}, kernels_->tree_count(set().tree, query_of(box))};
}

Found StaticIndex::State::any(const Box& box) const noexcept {
    if (const Code code = check(box); code != Code::ok) return {{code, 0}};
    if (count_ == 0) return {};
    return {{}, kernels_->tree_any(set().tree, query_of(box))};
}

Status StaticIndex::State::find(const Box& box, ElementId omitted, detail::IdAnswers& found) const {
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    if (count_ == 0) return {};
    constexpr std::size_t most = 512;
    std::uint32_t ids[most + simd::tree_slack];
    const simd::BoxTree& tree = set().tree;
    simd::TreeSearch search;
    search.query = query_of(box);
    if (omitted < count_) search.omitted = set().places[omitted];
    while (!search.ended) {
        const std::uint32_t* end = kernels_->tree_find(tree, search, ids, ids + most);
        if (!found.put_all(ids, static_cast<std::size_t>(end - ids))) break;
        if (!put_run(tree, search, found)) break;
    }
    return {};
}

Status StaticIndex::State::find_pairs(detail::PairAnswers& found) {
    if (count_ == 0) return {};
    static_assert(sizeof(Pair) == sizeof(simd::Pair));
    constexpr std::size_t most = 512;
    simd::Pair pairs[most + simd::tree_pair_slack];
    const StaticSet& held = set();
    simd::TreePairs join;
    while (join.leaf < held.level_size(1)) {
        const simd::Pair* end = kernels_->tree_pairs(held.tree, join, pairs, pairs + most);
        if (!found.put_all(reinterpret_cast<const Pair*>(pairs), static_cast<std::size_t>(end - pairs)))
            break;
    }
    return {};
}

void StaticIndex::State::list_elements(detail::IdAnswers& list) const {
    if (count_ != 0) (void)list.put_all(set().tree.ids, count_);
}

void StaticIndex::State::list_parts(detail::PartAnswers& list) const {
    if (count_ == 0) return;
    const StaticSet& held = set();
    const std::uint32_t top = held.tree.top;
    for (std::uint32_t level = top;; --level) {
        const std::size_t lanes = held.level_size(level);
        for (std::size_t i = 0; i < held.level_size(level + 1); ++i) {
            const std::size_t own = std::min<std::size_t>(simd::block_lanes, lanes - i * simd::block_lanes);
            const Box box = detail::enclosing(held.tree.levels[level][i], own);
            const std::uint32_t elements = level == 0 ? static_cast<std::uint32_t>(own) : 0;
            if (!list.put({box, top - level, elements, level == 0})) return;
        }
        if (level == 0) return;
    }
}

IndexValidation StaticIndex::State::validate() const noexcept {
    if (count_ == 0) return {};
    if (block_.bytes() < detail::static_set_bytes(count_)) {
        IndexValidation state;
        state.note("less memory than its elements take", 0);
        return state;
    }
    return detail::validate_static_set(set(), count_);
}

}  // namespace throng
