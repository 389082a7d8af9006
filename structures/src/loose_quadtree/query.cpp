// Read-only walks: elements that overlap a box, all elements, all nodes.
//
// A walk is depth first with a stack. The stack holds at most the siblings of the nodes on the current path,
// so its size is fixed.
#include <bit>

#include "structures/src/loose_quadtree/nodes.hpp"
#include "structures/src/loose_quadtree/state.hpp"
#include "structures/src/rows/listed_elements.hpp"

namespace throng::structures {

using namespace detail;

Status LooseQuadtree::State::find_overlaps(const Box& box, ElementId omitted, IdAnswers& found) const {
    struct Task {
        Index quad;
        bool inside;         // whether the box encloses the whole group
    } pending[loose_stack];  // its size is in a register: a FixedStack takes 8 % more instructions
    std::size_t count = 0;
    if (!quads_.empty()) pending[count++] = {0, false};
    while (count != 0) {
        const Task task = pending[--count];
        const LooseQuad& quad = quads_[task.quad];
        for (std::uint32_t bits = meeting(quad, box); bits != 0; bits &= bits - 1) {
            const auto lane = static_cast<std::uint32_t>(std::countr_zero(bits));
            const bool inside = task.inside || encloses(box, bounds_of(quad, lane));
            const std::int32_t child = quad.child[lane];
            if (is_branch(child))
                pending[count++] = {static_cast<Index>(child), inside};
            else if (!put_hits(elements_, first_of(child), box, inside, omitted, found))
                return {};
        }
    }
    return {};
}

void LooseQuadtree::State::list_elements(IdAnswers& list) const {
    walk_down<Node>(
        quads_,
        [&](const Node&, std::int32_t child) {
            return is_branch(child) || put_hits(elements_, first_of(child), {}, true, no_element, list);
        },
        [](Index, std::uint32_t) { return true; });
}

void LooseQuadtree::State::list_parts(PartAnswers& list) const {
    const auto put = [&](const Node& node, std::int32_t child) {
        if (child == 0) return true;
        Part part{
            .box = bounds_of(quads_[node.quad], node.lane), .depth = node.depth, .leaf = !is_branch(child)};
        for (Index at = first_of(child); at != loose_none; at = elements_[at].next) ++part.elements;
        // A branch without elements has no bounds until it is cleaned up.
        return part.box.min_x > part.box.max_x || list.put(part);
    };
    walk_down<Node>(quads_, put, [](Index, std::uint32_t) { return true; });
}

}  // namespace throng::structures
