// Checks the whole tree, and always ends: it visits no more groups and elements than there are, goes no
// deeper than a tree may be, and follows only valid indices.
#include <algorithm>

#include "engine/src/base/box_check.hpp"
#include "engine/src/structures/loose_quadtree/nodes.hpp"
#include "engine/src/structures/loose_quadtree/state.hpp"

namespace throng {

using namespace detail;

struct LooseQuadtree::State::Check {
    IndexValidation state;
    IndexValidation bounds;  // faults here often follow from something worse
    std::size_t groups = 0, elements = 0;
    struct Task {
        Node node;
        Cell low;  // the node's first cell
    };
    LooseStack<Task> pending;

    void note(const char* fault, std::size_t at) noexcept { state.note(fault, at); }
};

IndexValidation LooseQuadtree::State::validate() const noexcept {
    Check check;
    if (!quads_.validate()) check.note("the free groups are not those that are not in use", 0);
    if (!elements_.validate()) check.note("the free slots are not those that are not in use", 0);
    if (!slot_of_.validate()) check.note("the free ids are not those that are not in use", 0);
    if (!has_cells_of_config()) check.note("the cells are not those of the configuration", 0);
    // All other checks rely on these.
    if (!check.state.sound()) return check.state;
    if (elements_.size() != slot_of_.size()) check.note("there are not as many ids as elements", 0);
    if (!quads_.contains(0)) {
        if (!quads_.empty() || !elements_.empty()) check.note("there is no root", 0);
        return check.state;
    }
    for (std::uint32_t lane = 1; lane < 4; ++lane)
        if (quads_[0].child[lane] != 0) check.note("the root has siblings", lane);
    check.groups = 1;
    check.pending.push({{0, 0, 0}, {0, 0}});
    while (!check.pending.empty()) {
        const auto [node, low] = check.pending.pop();
        if (is_branch(quads_[node.quad].child[node.lane]))
            check_branch(check, node, low);
        else
            check_leaf(check, node, low);
    }
    if (check.groups != quads_.size()) check.note("a group is in no tree", check.groups);
    for (Index cell = 0; check.state.sound() && cell < table_.size(); ++cell)
        if (!leads_to_its_node(cell)) check.bounds.note("a cell leads to a node that does not hold it", cell);
    if (check.elements != elements_.size()) check.note("an element is in no leaf, or in two", check.elements);
    if (check.state.sound()) return check.bounds;
    check.state.faults += check.bounds.faults;
    return check.state;
}

void LooseQuadtree::State::check_branch(Check& check, Node branch, Cell low) const noexcept {
    const auto group = static_cast<Index>(quads_[branch.quad].child[branch.lane]);
    if (branch.depth >= config_.max_depth) return check.note("a node is too deep", group);
    if (!quads_.contains(group)) return check.note("a branch has no children", group);
    if (++check.groups > quads_.size()) return check.note("a group has two parents", group);
    const LooseQuad& quad = quads_[group];
    if (quad.parent != branch.quad * 4 + branch.lane) check.bounds.note("a group has another parent", group);
    Box all = empty_bounds;
    for (std::uint32_t lane = 0; lane < 4; ++lane) all = united(all, bounds_of(quad, lane));
    check_bounds(check, branch, all);
    const std::uint32_t size = 1u << (config_.max_depth - 1 - branch.depth);
    for (std::uint32_t lane = 0; lane < 4; ++lane)
        check.pending.push(
            {{group, lane, branch.depth + 1}, {low.x + (lane & 1) * size, low.y + (lane >> 1) * size}});
}

bool LooseQuadtree::State::leads_to_its_node(Index cell) const noexcept {
    const Node wanted = unpacked<Node>(table_[cell]);
    Node node{0, 0, 0};
    while (node.depth < std::min(wanted.depth, table_depth_)) {
        const std::int32_t child = quads_[node.quad].child[node.lane];
        if (!is_branch(child)) return false;
        const std::uint32_t lane = cell >> 2 * (table_depth_ - 1 - node.depth) & 3;
        node = {static_cast<Index>(child), lane, node.depth + 1};
    }
    return node.quad == wanted.quad && node.lane == wanted.lane && node.depth == wanted.depth;
}

void LooseQuadtree::State::check_leaf(Check& check, Node leaf, Cell low) const noexcept {
    Box all = empty_bounds;
    for (Index at = first_of(quads_[leaf.quad].child[leaf.lane]); at != loose_none; at = elements_[at].next) {
        if (!elements_.contains(at)) return check.note("a leaf holds an element that is not there", at);
        if (++check.elements > elements_.size()) return check.note("an element is in two leaves", at);
        const LooseElement& element = elements_[at];
        if (!slot_of_.contains(element.id) || slot_of_[element.id] != at)
            check.note("an element and its id disagree", at);
        if (detail::check(element.box) != Code::ok)
            check.note("an element has no legal box", at);
        else if (!same_node(cell_of(element.box), low, leaf.depth))
            check.note("an element is in a leaf that is not its own", at);
        all = united(all, element.box);
    }
    check_bounds(check, leaf, all);
}

// Bounds must enclose the content, and be tight right after a clean-up.
void LooseQuadtree::State::check_bounds(Check& check, Node node, const Box& all) const noexcept {
    const Box bounds = bounds_of(quads_[node.quad], node.lane);
    if (!encloses(bounds, all))
        check.bounds.note("a node's bounds do not hold all that is in it", node.quad);
    else if (!loose_ && bounds != all)
        check.bounds.note("a node's bounds are too large", node.quad);
}

}  // namespace throng
