// Box queries, and lists of all elements and nodes.
#include <algorithm>
#include <limits>

#include "base/box_math.hpp"
#include "structures/src/quadtree/cells.hpp"

namespace throng::structures {

using namespace detail;

Status Quadtree::State::find_overlaps(const Box& box, ElementId omitted, IdAnswers& found) const {
    const std::uint64_t cells = quad_cells(box, grid_);
    for_each_leaf_in(nodes_, grid_, cells, [&](const QuadPlace& leaf) {
        const std::uint32_t before = quad_begins_before(quad_corner(cells), leaf.corner);
        return find_in_leaf(leaf, before, box, omitted, found);
    });
    return {};
}

// Branch-free: hits are unpredictable.
bool Quadtree::State::find_in_leaf(const QuadPlace& leaf, std::uint32_t query_before, const Box& box,
                                   ElementId omitted, IdAnswers& found) const {
    constexpr std::size_t elements_at_once = 32;
    for (Index i = nodes_[leaf.node].first; i != none;) {
        ElementId* const ids = found.room(elements_at_once);
        if (ids == nullptr) return false;
        std::size_t count = 0;
        for (std::size_t k = 0; k < elements_at_once && i != none; ++k) {
            const QuadElementNode node = element_nodes_[i];
            i = node.next;
            const Box& other = elements_[node.element];
            ids[count] = node.element;
            bool hit = overlap(other, box) & (node.element != omitted);
            // The intersection may begin in another leaf.
            if (query_before != 0)
                hit &= (query_before &
                        quad_begins_before(quad_corner(quad_cells(other, grid_)), leaf.corner)) == 0;
            count += hit;
        }
        found.wrote(count);
    }
    return true;
}

// Each element with the leaf in which it begins.
void Quadtree::State::list_elements(IdAnswers& list) const {
    for_each_leaf_in(nodes_, grid_, quad_everything(grid_), [&](const QuadPlace& leaf) {
        for (Index i = nodes_[leaf.node].first; i != none; i = element_nodes_[i].next) {
            const ElementId id = element_nodes_[i].element;
            const std::uint32_t corner = quad_corner(quad_cells(elements_[id], grid_));
            if (quad_begins_before(corner, leaf.corner) == 0 && !list.put(id)) return false;
        }
        return true;
    });
}

void Quadtree::State::list_parts(PartAnswers& list) const {
    QuadStack<QuadPlace> stack;
    if (nodes_.size() != 0) stack.push({});
    const auto at = [&](float origin, std::uint32_t cell) {
        constexpr double largest = std::numeric_limits<float>::max();
        return static_cast<float>(std::min(origin + static_cast<double>(cell) / grid_.cells_a_unit, largest));
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
        const QuadCentre centre(place, grid_.depth);
        for (unsigned child = 4; child-- > 0;) stack.push(centre.child(place, node.first, child));
    }
}

}  // namespace throng::structures
