// Checks the whole tree, and always ends: it visits no more groups and elements than there are, goes no
// deeper than a tree may be, and follows only valid indices.

#include "structures/src/loose_quadtree/nodes.hpp"
#include "structures/src/loose_quadtree/state.hpp"

namespace throng::structures {

using namespace detail;

struct LooseQuadtree::State::Check {
    IndexValidation state;
    IndexValidation bounds;  // faults here often follow from something worse
    std::size_t groups = 0, elements = 0;
    LooseStack<Node> pending;

    void note(const char* fault, std::size_t at) noexcept { state.note(fault, at); }
};

IndexValidation LooseQuadtree::State::validate() const noexcept {
    Check check;
    if (!quads_.validate()) check.note("the free groups are not those that are not in use", 0);
    if (!elements_.validate()) check.note("the free slots are not those that are not in use", 0);
    if (!where_.validate()) check.note("the free ids are not those that are not in use", 0);
    if (is_made_alike() && !has_cells_of_config())
        check.note("the cells are not those of the configuration", 0);
    // All other checks rely on these.
    if (!check.state.sound()) return check.state;
    if (elements_.size() != where_.size()) check.note("there are not as many ids as elements", 0);
    if (!quads_.contains(0)) {
        if (!quads_.empty() || !elements_.empty()) check.note("there is no root", 0);
        return check.state;
    }
    for (std::uint32_t lane = 1; lane < 4; ++lane)
        if (quads_[0].child[lane] != 0) check.note("the root has siblings", lane);
    if (quads_[0].depth != 0 || quads_[0].x != 0 || quads_[0].y != 0)
        check.note("a group does not know its place", 0);
    if (!check.state.sound()) return check.state;
    check.groups = 1;
    check.pending.push({0, 0, 0});
    while (!check.pending.empty()) {
        const Node node = check.pending.pop();
        if (is_branch(quads_[node.quad].child[node.lane]))
            check_branch(check, node);
        else
            check_leaf(check, node);
    }
    if (check.groups != quads_.size()) check.note("a group is in no tree", check.groups);
    if (check.elements != elements_.size()) check.note("an element is in no leaf, or in two", check.elements);
    if (check.state.sound()) return check.bounds;
    check.state.faults += check.bounds.faults;
    return check.state;
}

void LooseQuadtree::State::check_branch(Check& check, Node branch) const noexcept {
    const auto group = static_cast<Index>(quads_[branch.quad].child[branch.lane]);
    if (branch.depth >= config_.max_depth) return check.note("a node is too deep", group);
    if (!quads_.contains(group)) return check.note("a branch has no children", group);
    ++check.groups;
    const LooseQuad& quad = quads_[group];
    if (quad.parent != branch.quad * 4 + branch.lane) check.bounds.note("a group has another parent", group);
    // So none is entered from two branches.
    if (Cell{quad.x, quad.y} != first_cell(branch) || quad.depth != branch.depth + 1)
        return check.note("a group does not know its place", group);
    Box all = no_box;
    for (std::uint32_t lane = 0; lane < 4; ++lane) all = all.united(bounds_of(quad, lane));
    check_bounds(check, branch, all);
    for (std::uint32_t lane = 0; lane < 4; ++lane) check.pending.push({group, lane, quad.depth});
}

// Whether a node is the leaf, or one above it.
bool LooseQuadtree::State::leads_to(Index near, Node leaf) const noexcept {
    return quads_.contains(near / 4) && quads_[near / 4].depth <= leaf.depth && holds(near, first_cell(leaf));
}

void LooseQuadtree::State::check_leaf(Check& check, Node leaf) const noexcept {
    Box all = no_box;
    const std::size_t before = check.elements;
    for (Index at = first_of(quads_[leaf.quad].child[leaf.lane]); at != loose_none; at = elements_[at].next) {
        if (!elements_.contains(at)) return check.note("a leaf holds an element that is not there", at);
        if (++check.elements > elements_.size()) return check.note("an element is in two leaves", at);
        const LooseElement& element = elements_[at];
        if (!where_.contains(element.id) || where_[element.id].slot != at)
            check.note("an element and its id disagree", at);
        else if (!leads_to(where_[element.id].leaf, leaf))
            check.bounds.note("an id leads to a node that does not hold its element", element.id);
        if (detail::check(element.box) != Code::ok)
            check.note("an element has no legal box", at);
        else if (!holds(packed(leaf), cell_of(element.box)))
            check.note("an element is in a leaf that is not its own", at);
        all = all.united(element.box);
    }
    check_bounds(check, leaf, all);
    const std::uint32_t room = quads_[leaf.quad].room[leaf.lane];
    if (leaf.depth < config_.max_depth && room != 0 && check.elements - before + room > config_.leaf_elements)
        check.note("a leaf has less room than it says", leaf.quad);
}

// Bounds must enclose the content, and be tight right after a clean-up.
void LooseQuadtree::State::check_bounds(Check& check, Node node, const Box& all) const noexcept {
    const Box bounds = bounds_of(quads_[node.quad], node.lane);
    if (!encloses(bounds, all))
        check.bounds.note("a node's bounds do not hold all that is in it", node.quad);
    else if (!loose_ && bounds != all)
        check.bounds.note("a node's bounds are too large", node.quad);
}

}  // namespace throng::structures
