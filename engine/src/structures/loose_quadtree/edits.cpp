// Edits of one element. Each begins at the node that the table names for the element's cell, most often its leaf:
//
//     insert    widen the bounds from the leaf up, put the element in front of the leaf's list, split the leaf if
//               it holds too many
//     move      the same with the element's new box; unless it ends in the leaf where the element is already,
//               the element is first taken out of its old leaf
//     remove    unlink it; bounds stay as they are
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/src/base/box_math.hpp"
#include "engine/src/base/refusals.hpp"
#include "engine/src/structures/fetch_ahead.hpp"
#include "engine/src/structures/loose_quadtree/nodes.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng {

using namespace detail;

Status LooseQuadtree::State::insert(const Box& box, ElementId& id) noexcept {
    if (const Status refused = refused_insert(*this, box, max_elements); !refused) return refused;
    if (!make_root()) return {Code::out_of_memory, Status::no_index};
    const Index slot = elements_.insert({box, no_element, loose_none});
    if (slot == FreeList<LooseElement>::none) return {Code::out_of_memory, Status::no_index};
    const Index new_id = slot_of_.insert(slot);
    if (new_id == FreeList<Index>::none) {
        elements_.erase(slot);
        return {Code::out_of_memory, Status::no_index};
    }
    id = elements_[slot].id = new_id;
    put(widened_leaf_of(cell_of(box), box), slot);
    return {};
}

Status LooseQuadtree::State::move(ElementId id, const Box& box) noexcept {
    if (const Status refused = refused_move(*this, id, box); !refused) return refused;
    fetch_for_later_moves(slot_of_, elements_, id, [this](const LooseElement& element) {
        return &quads_[near_leaf_of(cell_of(element.box)).quad];
    });
    loose_ = loosened_ = true;
    const Index slot = slot_of_[id];
    const Cell from = cell_of(elements_[slot].box), to = cell_of(box);
    const Node leaf = widened_leaf_of(to, box);
    if (same_node(from, to, leaf.depth)) {
        elements_[slot].box = box;
        return {};
    }
    take(slot);
    elements_[slot].box = box;
    put(leaf, slot);
    return {};
}

Status LooseQuadtree::State::remove(ElementId id) noexcept {
    if (const Status refused = refused_remove(*this, id); !refused) return refused;
    loose_ = loosened_ = true;
    const Index slot = slot_of_[id];
    take(slot);
    elements_.erase(slot);
    slot_of_.erase(id);
    return {};
}

void LooseQuadtree::State::clean_up() noexcept {
    clean_up_at_ = 0;
    clean_up(static_cast<std::size_t>(-1));
}

bool LooseQuadtree::State::clean_up(std::size_t budget) noexcept {
    if (!loose_) return true;
    if (clean_up_at_ == 0) {
        loosened_ = false;
        make_room_for_moves();
    }
    if (!fit(budget)) return false;
    loose_ = loosened_;
    return true;
}

void LooseQuadtree::State::make_room_for_moves() noexcept {
    if (const std::uint32_t depth = table_depth(size()); depth > table_depth_) {
        if (!table_.resize_exactly(std::size_t{1} << 2 * depth)) return;
        std::fill(table_.begin(), table_.end(), 0u);
        table_depth_ = depth;
    }
    if (size() <= reserved_for_ + reserved_for_ / 8) return;
    reserved_for_ = size();
    static_cast<void>(quads_.reserve_exactly(groups_of_moving(size(), config_.leaf_elements)));
}

bool LooseQuadtree::State::make_root() noexcept { return !quads_.empty() || new_group({0, 0, 0}) == 0; }

// Four empty leaves; `loose_none` if there is no memory, or the index would not fit a child field.
LooseQuadtree::State::Index LooseQuadtree::State::new_group(Node parent) noexcept {
    if (quads_.size() >= max_groups) return loose_none;
    LooseQuad quad = empty_quad();
    quad.parent = parent.quad * 4 + parent.lane;
    return quads_.insert(quad);
}

LooseQuadtree::State::Node LooseQuadtree::State::leaf_of(Cell cell) const noexcept {
    Node node = near_leaf_of(cell);
    for (;;) {
        const std::int32_t child = quads_[node.quad].child[node.lane];
        if (!is_branch(child)) return node;
        node = {static_cast<Index>(child), lane_at(cell, node.depth), node.depth + 1};
    }
}

// The same, for an element with this box that is about to be inserted. A node's bounds enclose its
// children's, so the walk back up ends at the first node that encloses the box already.
LooseQuadtree::State::Node LooseQuadtree::State::widened_leaf_of(Cell cell, const Box& box) noexcept {
    const Node leaf = leaf_of(cell);
    Index group = leaf.quad;
    for (std::uint32_t lane = leaf.lane;;) {
        LooseQuad& quad = quads_[group];
        if (encloses(bounds_of(quad, lane), box)) break;
        widen(quad, lane, box);
        if (group == 0) break;
        lane = quad.parent % 4;
        group = quad.parent / 4;
    }
    return leaf;
}

void LooseQuadtree::State::put(Node leaf, Index slot) noexcept {
    std::int32_t& child = quads_[leaf.quad].child[leaf.lane];
    elements_[slot].next = first_of(child);
    child = leaf_with(slot);
    if (crowded(leaf)) split(leaf);
}

// Takes an element out of its leaf.
void LooseQuadtree::State::take(Index slot) noexcept {
    if (!unlink(leaf_of(cell_of(elements_[slot].box)), slot)) unlink_by_bounds(slot);
}

bool LooseQuadtree::State::unlink(Node leaf, Index slot) noexcept {
    std::int32_t& child = quads_[leaf.quad].child[leaf.lane];
    Index at = first_of(child);
    if (at == slot) {
        child = leaf_with(elements_[slot].next);
        return true;
    }
    for (; at != loose_none; at = elements_[at].next) {
        if (elements_[at].next != slot) continue;
        elements_[at].next = elements_[slot].next;
        return true;
    }
    return false;
}

// Under another rounding mode a box may map to a neighbouring cell; the bounds still lead to its leaf.
void LooseQuadtree::State::unlink_by_bounds(Index slot) noexcept {
    const Box box = elements_[slot].box;
    walk_down<Node>(
        quads_, [&](const Node& node, std::int32_t child) { return is_branch(child) || !unlink(node, slot); },
        [&](Index quad, std::uint32_t lane) { return bounds_of(quads_[quad], lane).overlaps(box); });
}

bool LooseQuadtree::State::crowded(Node leaf) const noexcept {
    if (leaf.depth == config_.max_depth) return false;
    std::uint32_t count = 0;
    for (Index at = first_of(quads_[leaf.quad].child[leaf.lane]); at != loose_none; at = elements_[at].next)
        if (++count > config_.leaf_elements) return true;
    return false;
}

void LooseQuadtree::State::split(Node leaf) noexcept {
    LooseStack<Node> pending(leaf);
    while (!pending.empty()) {
        const Node node = pending.pop();
        if (!split_once(node)) return;
        const auto quad = static_cast<Index>(quads_[node.quad].child[node.lane]);
        for (std::uint32_t lane = 0; lane < 4; ++lane)
            if (const Node child{quad, lane, node.depth + 1}; crowded(child)) pending.push(child);
    }
}

// Distributes the elements to four new leaves, in their old order. Returns false if there is no memory.
bool LooseQuadtree::State::split_once(Node leaf) noexcept {
    const Index group = new_group(leaf);
    if (group == loose_none) return false;
    LooseQuad& quad = quads_[group];
    Index last[4];
    for (Index at = first_of(quads_[leaf.quad].child[leaf.lane]); at != loose_none;) {
        LooseElement& element = elements_[at];
        const std::uint32_t lane = lane_at(cell_of(element.box), leaf.depth);
        widen(quad, lane, element.box);
        if (quad.child[lane] == 0)
            quad.child[lane] = leaf_with(at);
        else
            elements_[last[lane]].next = at;
        last[lane] = at;
        at = element.next;
        element.next = loose_none;
    }
    quads_[leaf.quad].child[leaf.lane] = static_cast<std::int32_t>(group);
    return true;
}

}  // namespace throng
