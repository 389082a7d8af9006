// Questions. Within a leaf the lists are walked; for pairs the boxes of a leaf are first packed, so that
// the comparisons run over neighbouring memory and have no branches.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "engine/src/box_check.hpp"
#include "engine/src/structures/quadtree_cells.hpp"

namespace throng {

using detail::for_each_leaf_in;
using detail::quad_begins_before;
using detail::quad_cells;
using detail::quad_corner;
using detail::quad_everything;
using detail::QuadElementNode;
using detail::QuadNode;
using detail::QuadPlace;

Status Quadtree::find(const Box& box, ElementId omitted, detail::IdAnswers& found) const {
    if (const Code code = detail::check(box); code != Code::ok) return {code, 0};
    const std::uint64_t cells = quad_cells(box, grid_);
    for_each_leaf_in(nodes_, grid_, cells, [&](const QuadPlace& leaf) {
        const std::uint32_t question_before =
            quad_begins_before(static_cast<std::uint32_t>(cells), leaf.corner);
        for (Index i = nodes_[leaf.node].first; i != none;) {
            const QuadElementNode node = element_nodes_[i];
            i = node.next;
            const Box& other = elements_[node.element];
            if (!other.overlaps(box) || node.element == omitted) continue;
            // What both have in common begins in another leaf.
            if (question_before != 0 &&
                (question_before &
                 quad_begins_before(quad_corner(other.min_x, other.min_y, grid_), leaf.corner)) != 0)
                continue;
            if (!found.put(node.element)) return false;
        }
        return true;
    });
    return {};
}

namespace {

// Boxes side by side: those that begin in the leaf, and behind them those that only reach into it.
struct Packed {
    static constexpr std::size_t most = detail::PairAnswers::capacity;

    float min_x[2 * most], min_y[2 * most], max_x[2 * most], max_y[2 * most];
    ElementId id[2 * most];
    std::uint32_t before[2 * most];
    std::size_t begin = most, end = most;

    void add(const Box& box, ElementId element, std::uint32_t begins_before) noexcept {
        const bool visits = begins_before != 0;
        const std::size_t at = visits ? end : begin - 1;
        end += visits;
        begin -= !visits;
        min_x[at] = box.min_x;
        min_y[at] = box.min_y;
        max_x[at] = box.max_x;
        max_y[at] = box.max_y;
        id[at] = element;
        before[at] = begins_before;
    }
};

// Compares one box of `a` with some of `b`. Two whose common part begins in another leaf are left out.
bool compare(const Packed& a, std::size_t i, const Packed& b, std::size_t begin, std::size_t end,
             detail::PairAnswers& found) {
    Pair* const pairs = found.room(end - begin);
    if (pairs == nullptr) return false;
    const float min_x = a.min_x[i], min_y = a.min_y[i], max_x = a.max_x[i], max_y = a.max_y[i];
    const std::uint32_t before = a.before[i];
    const ElementId id = a.id[i];
    std::size_t count = 0;
    for (std::size_t j = begin; j < end; ++j) {
        pairs[count] = {id, b.id[j]};
        count += (min_x <= b.max_x[j]) & (b.min_x[j] <= max_x) & (min_y <= b.max_y[j]) &
                 (b.min_y[j] <= max_y) & ((before & b.before[j]) == 0);
    }
    found.wrote(count);
    return true;
}

bool compare_all(const Packed& packed, detail::PairAnswers& found) {
    for (std::size_t i = packed.begin; i + 1 < packed.end; ++i)
        if (!compare(packed, i, packed, i + 1, packed.end, found)) return false;
    return true;
}

}  // namespace

Status Quadtree::find_pairs(detail::PairAnswers& found) {
    Status status;
    for_each_leaf_in(nodes_, grid_, quad_everything(grid_), [&](const QuadPlace& leaf) {
        const auto count = static_cast<std::size_t>(nodes_[leaf.node].count);
        if (count < 2) return true;
        if (count <= Packed::most) return find_pairs_of_leaf(leaf, found);
        bool goes_on = true;
        status = find_pairs_of_crowd(leaf, found, goes_on);
        return goes_on && status.ok();
    });
    return status;
}

bool Quadtree::find_pairs_of_leaf(const QuadPlace& leaf, detail::PairAnswers& found) const {
    Packed packed;
    for (Index i = nodes_[leaf.node].first; i != none;) {
        const QuadElementNode node = element_nodes_[i];
        i = node.next;
        const Box& box = elements_[node.element];
        packed.add(box, node.element,
                   quad_begins_before(quad_corner(box.min_x, box.min_y, grid_), leaf.corner));
    }
    return compare_all(packed, found);
}

namespace {

// Sorts as the number does.
std::uint32_t ordered_bits(float value) noexcept {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000u;
}

}  // namespace

// Many that cannot be divided, as those in a single cell: sorted by where they begin, and compared in blocks as far as
// something of the block reaches.
Status Quadtree::find_pairs_of_crowd(const QuadPlace& leaf, detail::PairAnswers& found, bool& goes_on) {
    constexpr std::size_t block = Packed::most / 2;
    const auto count = static_cast<std::size_t>(nodes_[leaf.node].count);
    if (!cells_.resize(count)) return {Code::out_of_memory, Status::no_index};
    std::size_t listed = 0;
    for (Index i = nodes_[leaf.node].first; i != none; i = element_nodes_[i].next) {
        const ElementId id = element_nodes_[i].element;
        cells_[listed++] = std::uint64_t{ordered_bits(elements_[id].min_x)} << 32 | id;
    }
    std::sort(cells_.begin(), cells_.end());
    const auto pack = [&](std::size_t from, Packed& packed) {
        packed.begin = packed.end = Packed::most;
        for (std::size_t k = from; k < std::min(from + block, count); ++k) {
            const auto id = static_cast<ElementId>(cells_[k]);
            const Box& box = elements_[id];
            packed.add(box, id, quad_begins_before(quad_corner(box.min_x, box.min_y, grid_), leaf.corner));
        }
    };
    Packed some, others;
    for (std::size_t from = 0; goes_on && from < count; from += block) {
        pack(from, some);
        goes_on = compare_all(some, found);
        const float reach = *std::max_element(some.max_x + some.begin, some.max_x + some.end);
        for (std::size_t to = from + block; goes_on && to < count; to += block) {
            if (elements_[static_cast<ElementId>(cells_[to])].min_x > reach) break;
            pack(to, others);
            for (std::size_t i = some.begin; goes_on && i < some.end; ++i)
                goes_on = compare(some, i, others, others.begin, others.end, found);
        }
    }
    return {};
}

// Each with the leaf in which it begins.
void Quadtree::list_elements(detail::IdAnswers& list) const {
    for_each_leaf_in(nodes_, grid_, quad_everything(grid_), [&](const QuadPlace& leaf) {
        for (Index i = nodes_[leaf.node].first; i != none; i = element_nodes_[i].next) {
            const ElementId id = element_nodes_[i].element;
            const Box& box = elements_[id];
            if (quad_begins_before(quad_corner(box.min_x, box.min_y, grid_), leaf.corner) == 0 && !list.put(id))
                return false;
        }
        return true;
    });
}

void Quadtree::list_parts(detail::PartAnswers& list) const {
    detail::QuadStack<QuadPlace> stack;
    if (nodes_.size() != 0) stack.push({});
    const auto at = [&](float origin, std::uint32_t cell) {
        return static_cast<float>(origin + static_cast<double>(cell) / grid_.cells_a_unit);
    };
    while (!stack.empty()) {
        const QuadPlace place = stack.pop();
        const QuadNode node = nodes_[place.node];
        const bool leaf = node.count != QuadNode::branch;
        const std::uint32_t x = place.corner & 0xFFFF, y = place.corner >> 16;
        const std::uint32_t side = 1u << (grid_.depth - place.depth);
        const Box box{at(grid_.x, x), at(grid_.y, y), at(grid_.x, x + side), at(grid_.y, y + side)};
        if (!list.put({box, place.depth, leaf ? static_cast<std::uint32_t>(node.count) : 0u, leaf})) return;
        if (leaf) continue;
        const detail::QuadCentre centre(place, grid_.depth);
        for (unsigned child = 4; child-- > 0;) stack.push(centre.child(place, node.first, child));
    }
}

}  // namespace throng
