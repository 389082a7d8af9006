// Edits of one element. Each begins at the node that is noted for its id, most often its leaf, and goes up
// and down from there as far as it has to:
//
//     insert    widen the bounds from the leaf up, put the element in front of the leaf's list, split the
//               leaf if it holds too many
//     move      the same with the element's new box; unless it ends in the leaf where the element is already,
//               the element is first taken out of its old leaf
//     remove    unlink it; bounds stay as they are
#include <algorithm>

#include "base/box_math.hpp"
#include "structures/src/loose_quadtree/nodes.hpp"
#include "throng/compiler.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

Status LooseQuadtree::State::insert_legal(const Box& box, ElementId& id) noexcept {
    if (!make_root()) return {Code::out_of_memory, Status::no_index};
    const Index slot = elements_.insert({box, no_element, loose_none});
    if (slot == FreeList<LooseElement>::none) return {Code::out_of_memory, Status::no_index};
    const Index new_id = where_.insert({slot, 0});
    if (new_id == where_.none) {
        elements_.erase(slot);
        return {Code::out_of_memory, Status::no_index};
    }
    id = elements_[slot].id = new_id;
    const Node leaf = leaf_of(cell_of(box), 0);
    widen_from(packed(leaf), box);
    put(leaf, slot);
    return {};
}

Status LooseQuadtree::State::move_legal(ElementId id, const Box& box) noexcept {
    // Elements lie in the order of leaves, but hosts move them in that of ids: each would wait for memory.
    constexpr ElementId ahead = 12;
    if (id < where_.range() - std::min(where_.range(), ahead)) {
        // A free id has a link of the free list instead of a slot, and its old leaf may be gone.
        const LooseWhere later = where_[id + ahead], soon = where_[id + ahead / 2];
        if (later.slot < elements_.range()) THRONG_PREFETCH(&elements_[later.slot], 1);
        if (const Index group = soon.leaf / 4; group < quads_.range()) {
            THRONG_PREFETCH(&quads_[group], 1);
            THRONG_PREFETCH(&quads_[group].y, 1);
        }
    }
    loose_ = loosened_ = true;
    const auto [slot, near] = where_[id];
    const Cell cell = cell_of(box);
    if (!holds(near, cell) || is_branch(quads_[near / 4].child[near % 4])) [[unlikely]] {
        move_away(id, box, cell);
    } else {
        widen_from(near, box);
        elements_[slot].box = box;
    }
    return {};
}

// From the node that is noted for it to another leaf, or to the leaf below.
void LooseQuadtree::State::move_away(ElementId id, const Box& box, Cell cell) noexcept {
    const auto [slot, near] = where_[id];
    const Node leaf = leaf_of(cell, near);
    widen_from(packed(leaf), box);
    take(leaf_with_element(slot, near), slot);
    elements_[slot].box = box;
    put(leaf, slot);
}

Status LooseQuadtree::State::remove_known(ElementId id) noexcept {
    loose_ = loosened_ = true;
    const auto [slot, near] = where_[id];
    take(leaf_with_element(slot, near), slot);
    elements_.erase(slot);
    where_.erase(id);
    return {};
}

void LooseQuadtree::State::clean_up() noexcept {
    clean_up_at_ = 0;
    clean_up(static_cast<std::size_t>(-1));
}

bool LooseQuadtree::State::clean_up(std::size_t budget) noexcept {
    if (!loose_ || !is_placed_alike()) return true;
    if (clean_up_at_ == 0) {
        loosened_ = false;
        make_room_for_moves();
    }
    if (!fit(budget)) return false;
    loose_ = loosened_;
    return true;
}

void LooseQuadtree::State::make_room_for_moves() noexcept {
    if (size() <= reserved_for_ + reserved_for_ / 8) return;
    reserved_for_ = size();
    static_cast<void>(quads_.reserve_exactly(groups_of_moving(size(), config_.leaf_elements)));
}

bool LooseQuadtree::State::make_root() noexcept {
    return !quads_.empty() || quads_.insert(empty_quad()) == 0;
}

// Four empty leaves; `loose_none` if there is no memory, or the index would not fit a child field.
LooseQuadtree::State::Index LooseQuadtree::State::new_group(Node parent) noexcept {
    if (quads_.size() >= max_groups) return loose_none;
    LooseQuad quad = empty_quad();
    quad.parent = packed(parent);
    const Cell first = first_cell(parent);
    quad.x = first.x & 0xFFFFFF;
    quad.y = first.y;
    quad.depth = (parent.depth + 1) & 0xFF;
    return quads_.insert(quad);
}

// Up from a node as far as is necessary, and down.
LooseQuadtree::State::Node LooseQuadtree::State::leaf_of(Cell cell, Index near) const noexcept {
    Index group = near / 4;
    while (!divides(quads_[group], cell)) group = quads_[group].parent / 4;
    for (;;) {
        const LooseQuad& quad = quads_[group];
        const std::uint32_t lane = lane_at(cell, quad.depth);
        if (!is_branch(quad.child[lane])) return {group, lane, quad.depth};
        group = static_cast<Index>(quad.child[lane]);
    }
}

LooseQuadtree::State::Node LooseQuadtree::State::leaf_with_element(Index slot, Index near) const noexcept {
    const LooseQuad& quad = quads_[near / 4];
    if (!is_branch(quad.child[near % 4])) return {near / 4, near % 4, quad.depth};
    return leaf_of(cell_of(elements_[slot].box), near);
}

// Widens the bounds of a leaf and of what is above it. A node's bounds enclose its children's, so that ends
// at the first branch that encloses the box already, and at the root, which is above itself; whether the leaf
// does is hard to predict, so it is widened in any case.
inline void LooseQuadtree::State::widen_from(Index node, const Box& box) noexcept {
    LooseQuad& quad = quads_[node / 4];
    widen(quad, node % 4, box);
    if (!encloses(bounds_of(quads_[quad.parent / 4], quad.parent % 4), box)) [[unlikely]]
        widen_above(quad.parent, box);
}

THRONG_NOINLINE THRONG_COLD void LooseQuadtree::State::widen_above(Index node, const Box& box) noexcept {
    LooseQuad* quad = &quads_[node / 4];
    do {
        widen(*quad, node % 4, box);
        node = quad->parent;
        quad = &quads_[node / 4];
    } while (!encloses(bounds_of(*quad, node % 4), box));
}

void LooseQuadtree::State::put(Node leaf, Index slot) noexcept {
    std::int32_t& child = quads_[leaf.quad].child[leaf.lane];
    elements_[slot].next = first_of(child);
    child = leaf_with(slot);
    where_[elements_[slot].id].leaf = packed(leaf);
    std::uint8_t& room = quads_[leaf.quad].room[leaf.lane];
    if (room > 0)
        --room;
    else if (crowded(leaf))
        split(leaf);
}

// Takes an element out of its leaf.
void LooseQuadtree::State::take(Node leaf, Index slot) noexcept {
    std::int32_t& child = quads_[leaf.quad].child[leaf.lane];
    Index at = first_of(child);
    if (at == slot) {
        child = leaf_with(elements_[slot].next);
        return;
    }
    while (elements_[at].next != slot) at = elements_[at].next;
    elements_[at].next = elements_[slot].next;
}

// Whether a leaf has to be split; otherwise how much room there is in it.
bool LooseQuadtree::State::crowded(Node leaf) noexcept {
    std::uint8_t& room = quads_[leaf.quad].room[leaf.lane];
    if (leaf.depth == config_.max_depth) return false;
    std::uint32_t count = 0;
    for (Index at = first_of(quads_[leaf.quad].child[leaf.lane]); at != loose_none; at = elements_[at].next)
        if (++count > config_.leaf_elements) return true;
    room = room_beside(count);
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
        const std::uint32_t lane = lane_at(cell_of(element.box), quad.depth);
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

}  // namespace throng::structures
