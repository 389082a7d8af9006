// Bulk work: `assign`, and the pass over the whole tree that it shares with `clean_up`.
//
// A counting sort orders the elements by their cell at one level of the tree, with the cells in Morton order,
// so every node above that level is a run of elements:
//
//     table     where each of 4^depth cells begins: up to sixteen elements each, on average
//     elements  | cell 0 | cell 1 | cell 2 | ...        a node 2 levels up is cells 16 k .. 16 k + 15
//
// The few cells that hold more than a leaf are split further like any other leaf. Bounds are computed last,
// from the leaves up.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/box_reader.hpp"
#include "structures/src/loose_quadtree/nodes.hpp"
#include "structures/src/loose_quadtree/state.hpp"
#include "throng/compiler.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr std::uint32_t max_table_depth = 12;

}  // namespace

Status LooseQuadtree::State::assign_all(const Boxes& boxes) noexcept {
    if (const Status status = check_all(boxes); !status) return status;
    const std::uint32_t depth = table_depth(boxes.size());
    if (!make_room(boxes.size(), depth)) return {Code::out_of_memory, Status::no_index};
    sort_into_slots(boxes, depth);
    build(depth);
    clean_up_at_ = 0;
    fit(static_cast<std::size_t>(-1));
    loose_ = false;
    return {};
}

std::uint32_t LooseQuadtree::State::table_depth(std::size_t count) const noexcept {
    const std::uint32_t most = std::min(config_.max_depth, max_table_depth);
    std::uint32_t depth = 0;
    while (depth < most && (std::size_t{16} << 2 * depth) < count) ++depth;
    return depth;
}

// Everything that can fail, before anything is changed. Arrays that are too small are replaced, since their
// content is not needed.
bool LooseQuadtree::State::make_room(std::size_t count, std::uint32_t depth) noexcept {
    FreeList<LooseElement> elements(memory_);
    FreeList<LooseWhere> where(memory_);
    if (count > elements_.capacity() && !elements.fill(count)) return false;
    if (count > where_.capacity() && !where.fill(count)) return false;
    // As many groups as an even crowd can take, so their number may fluctuate as it moves.
    const auto varying = static_cast<std::size_t>(std::sqrt(static_cast<double>(count)) / 4);
    if (!quads_.reserve(count / config_.leaf_elements + varying + 4)) return false;
    if (!table_.resize_exactly(std::size_t{1} << 2 * depth)) return false;
    if (count > elements_.capacity()) elements_.swap(elements);
    if (count > where_.capacity()) where_.swap(where);
    return elements_.fill(count) && where_.fill(count);
}

// A counting sort. The cells wait in `where_` between its two passes.
void LooseQuadtree::State::sort_into_slots(const Boxes& boxes, std::uint32_t depth) noexcept {
    const std::uint32_t shift = config_.max_depth - depth;
    const auto count = static_cast<Index>(boxes.size());
    std::fill(table_.begin(), table_.end(), 0u);
    for (Index i = 0; i < count; ++i) {
        const Cell cell = cell_of(boxes[i]);
        where_[i].slot = interleaved(cell.x >> shift, cell.y >> shift);
        ++table_[where_[i].slot];
    }
    Index begin = 0;
    for (Index& cell : table_) begin += std::exchange(cell, begin);
    for (Index i = 0; i < count; ++i) {
        const Index slot = table_[where_[i].slot]++;
        where_[i] = {slot, 0};
        elements_[slot] = {boxes[i], i, loose_none};
    }
}

// After the sort, each entry of the table is where its cell ends and the next begins.
void LooseQuadtree::State::build(std::uint32_t depth) noexcept {
    const auto begin_of = [&](std::uint32_t cell) { return cell == 0 ? 0 : table_[cell - 1]; };
    struct Task {
        Node node;
        std::uint32_t path;  // the lanes from the root, two bits each
    };
    quads_.clear();
    if (!make_root()) return;
    LooseStack<Task> pending({{0, 0, 0}, 0});
    while (!pending.empty()) {
        const auto [node, path] = pending.pop();
        const std::uint32_t below = 2 * (depth - node.depth);
        const Index begin = begin_of(path << below), end = begin_of((path + 1) << below);
        const Index group =
            node.depth < depth && end - begin > config_.leaf_elements ? new_group(node) : loose_none;
        if (group == loose_none) {
            link(node, begin, end);
            if (end - begin > config_.leaf_elements && node.depth < config_.max_depth) split(node);
            continue;
        }
        quads_[node.quad].child[node.lane] = static_cast<std::int32_t>(group);
        for (std::uint32_t lane = 4; lane-- > 0;)
            pending.push({{group, lane, node.depth + 1}, path << 2 | lane});
    }
}

void LooseQuadtree::State::link(Node leaf, Index begin, Index end) noexcept {
    if (begin == end) return;
    quads_[leaf.quad].child[leaf.lane] = leaf_with(begin);
    for (Index slot = begin; slot + 1 < end; ++slot) elements_[slot].next = slot + 1;
}

// A group on the path from the root to the current position of the pass.
struct LooseQuadtree::State::Fit {
    Index quad;
    std::uint64_t begin = 0;     // of its cells, along the curve that runs through the leaves
    std::uint32_t lane = 0;      // the next to visit
    std::uint32_t elements = 0;  // in the lanes before
    bool whole = true;           // no lane was skipped
};

// Tightens all bounds, from the leaves up, and merges groups with too few elements. Groups are entered in
// preorder along the curve, so one number tells how far the pass got, whatever happens to the tree before the
// next call. That call skips finished subtrees and passes again through the enclosing groups. Returns true
// once a full pass is complete.
bool LooseQuadtree::State::fit(std::size_t budget) noexcept {
    constexpr std::uint64_t max_depths = 32;
    static_assert(loose_max_depth < max_depths);
    const std::uint64_t at = std::exchange(clean_up_at_, 0);
    if (quads_.empty()) return true;
    Fit path[loose_max_depth + 1];
    std::uint32_t depth = 0;
    path[0] = {0};
    for (;;) {
        Fit& group = path[depth];
        const std::uint32_t shift = 2 * (config_.max_depth - depth);
        if (group.lane == 4) {
            if (depth == 0) return true;
            Fit& parent = path[--depth];
            fit_parent(group, parent);
            ++parent.lane;
            continue;
        }
        if (at != 0 && (group.begin + ((group.lane + std::uint64_t{1}) << shift)) * max_depths <= at) {
            group.whole = false;
            ++group.lane;
            continue;
        }
        const std::int32_t child = quads_[group.quad].child[group.lane];
        if (!is_branch(child)) {
            fit_leaf(group);
            ++group.lane;
            continue;
        }
        const std::uint64_t begin = group.begin + (std::uint64_t{group.lane} << shift);
        const std::uint64_t here = begin * max_depths + depth;
        if (here >= at && budget-- == 0) {
            clean_up_at_ = here;
            return false;
        }
        path[++depth] = {static_cast<Index>(child), begin};
    }
}

void LooseQuadtree::State::fit_leaf(Fit& group) noexcept {
    constexpr Index ahead = 40;  // elements lie nearly in the order of the pass
    LooseQuad& quad = quads_[group.quad];
    Box bounds = no_box;
    std::uint32_t count = 0;
    for (Index at = first_of(quad.child[group.lane]); at != loose_none; at = elements_[at].next, ++count) {
        THRONG_PREFETCH(&elements_[std::min(at + ahead, elements_.range())]);
        bounds = bounds.united(elements_[at].box);
    }
    set_bounds(quad, group.lane, bounds);
    quad.room[group.lane] = room_beside(count);
    group.elements += count;
}

// Finishes a group: its node in the group above gets its bounds, or becomes a leaf in its place.
void LooseQuadtree::State::fit_parent(const Fit& group, Fit& parent) noexcept {
    LooseQuad& quad = quads_[group.quad];
    LooseQuad& above = quads_[parent.quad];
    const Box lower = bounds_of(quad, 0).united(bounds_of(quad, 1));
    const Box upper = bounds_of(quad, 2).united(bounds_of(quad, 3));
    set_bounds(above, parent.lane, lower.united(upper));
    // A remaining group below it would hold more, so all four are leaves.
    const std::uint32_t elements = group.whole ? group.elements : held_by_leaves(quad);
    if (elements <= config_.leaf_elements / 2) {
        above.child[parent.lane] = leaf_with(joined(quad, quad.parent));
        above.room[parent.lane] = room_beside(elements);
        quads_.erase(group.quad);
    }
    parent.elements += elements;
}

// The number of elements in its leaves. If there are branches among them, or too many elements to merge, any
// number above the limit.
std::uint32_t LooseQuadtree::State::held_by_leaves(const LooseQuad& quad) const noexcept {
    const std::uint32_t too_many = config_.leaf_elements / 2 + 1;
    std::uint32_t elements = 0;
    for (const std::int32_t child : quad.child) {
        if (is_branch(child)) return too_many;
        for (Index at = first_of(child); at != loose_none; at = elements_[at].next)
            if (++elements == too_many) return too_many;
    }
    return elements;
}

// Joins the lists of four leaves into that of one. Returns its first element.
LooseQuadtree::State::Index LooseQuadtree::State::joined(const LooseQuad& quad, Index leaf) noexcept {
    Index list = loose_none;
    for (std::uint32_t lane = 4; lane-- > 0;) {
        const Index first = first_of(quad.child[lane]);
        if (first == loose_none) continue;
        Index last = first;
        for (Index at = first; at != loose_none; at = elements_[at].next)
            where_[elements_[last = at].id].leaf = leaf;
        elements_[last].next = list;
        list = first;
    }
    return list;
}

}  // namespace throng::structures
