// Checks the whole tree. Every walk ends, even if the tree was overwritten: it is bounded by the depth, or by
// the number of nodes.
#include "structures/src/quadtree/cells.hpp"

namespace throng::structures {

using namespace detail;

struct Quadtree::State::Validator {
    const State& tree;
    IndexValidation report = {};
    std::size_t used_nodes = 0;
    std::size_t listed = 0;
    // Hash sums of the memberships of elements in leaves; the two must be equal.
    std::uint64_t listed_sum = 0, expected_sum = 0;

    void check_nodes() noexcept {
        if (tree.nodes_.size() % 4 != 1)
            return report.note("a group of nodes is not whole", tree.nodes_.size());
        QuadStack<QuadPlace> stack;
        stack.push({});
        while (!stack.empty() && used_nodes < tree.nodes_.size()) {
            const QuadPlace place = stack.pop();
            const QuadNode node = tree.nodes_[place.node];
            ++used_nodes;
            if (node.count >= 0) {
                check_leaf(place, node);
            } else if (node.count != QuadNode::branch) {
                report.note("a node in the tree is marked as unused", place.node);
            } else if (place.depth >= tree.grid_.depth) {
                report.note("a branch at the largest depth", place.node);
            } else if (node.first % 4 != 1 || node.first >= tree.nodes_.size()) {
                report.note("the children of a branch are no group of nodes", place.node);
            } else {
                const QuadCentre centre(place, tree.grid_.depth);
                for (unsigned child = 4; child-- > 0;) stack.push(centre.child(place, node.first, child));
            }
        }
        if (!stack.empty()) report.note("a node is in the tree more than once", used_nodes);
        check_unused_nodes();
    }
    void check_unused_nodes() noexcept {
        std::size_t unused = 0;
        for (Index i = tree.free_children_; i != none; i = tree.nodes_[i].first, unused += 4) {
            if (i % 4 != 1 || i >= tree.nodes_.size())
                return report.note("a link to unused children leads nowhere", i);
            if (unused >= tree.nodes_.size()) return report.note("the unused children form a ring", i);
            for (unsigned child = 0; child < 4; ++child)
                if (tree.nodes_[i + child].count != QuadNode::unused)
                    return report.note("an unused node is not marked as such", i + child);
        }
        if (used_nodes + unused != tree.nodes_.size())
            report.note("nodes are neither in the tree nor unused", tree.nodes_.size() - used_nodes - unused);
    }

    void check_leaf(const QuadPlace& place, const QuadNode& node) noexcept {
        const auto count = static_cast<std::size_t>(node.count);
        std::size_t held = 0;
        for (Index i = node.first; i != none; i = tree.element_nodes_[i].next) {
            if (i >= tree.element_nodes_.size())
                return report.note("a leaf's list leads nowhere", place.node);
            if (++held > count || listed + held > tree.element_nodes_.size())
                return report.note("a leaf's list is longer than its count", place.node);
            const ElementId id = tree.element_nodes_[i].element;
            if (!tree.contains(id)) return report.note("an element node without an element", i);
            listed_sum += membership(place.node, id);
        }
        if (held < count) report.note("a leaf's list is shorter than its count", place.node);
        listed += held;
    }
    void check_element_nodes() noexcept {
        std::size_t unused = 0;
        for (Index i = tree.free_element_node_; i != none; i = tree.element_nodes_[i].next) {
            if (i >= tree.element_nodes_.size())
                return report.note("a link to an unused element node leads nowhere", i);
            if (++unused > tree.element_nodes_.size())
                return report.note("the unused element nodes form a ring", i);
            if (tree.element_nodes_[i].element != no_element)
                return report.note("an unused element node has an element", i);
        }
        if (listed != tree.used_element_nodes_)
            report.note("the number of element nodes is not that of the lists", listed);
        if (listed + unused != tree.element_nodes_.size())
            report.note("element nodes are neither in a leaf nor unused", listed + unused);
    }
    // Only in a tree with sound nodes.
    void check_elements() noexcept {
        tree.elements_.for_each([this](ElementId id, const Box& box) {
            if (check(box) != Code::ok) return report.note("an element's box is not a legal one", id);
            for_each_leaf_in(tree.nodes_, tree.grid_, quad_cells(box, tree.grid_),
                             [&](const QuadPlace& leaf) {
                                 expected_sum += membership(leaf.node, id);
                                 return true;
                             });
        });
        if (listed_sum != expected_sum) report.note("elements are not in the leaves that they lie in", 0);
    }
};

IndexValidation Quadtree::State::validate() const noexcept {
    Validator validator{*this};
    if (!elements_.validate()) validator.report.note("the list of elements is broken", 0);
    if (!quad_is_legal(config_) || (is_made_alike() && grid_ != quad_grid(config_)))
        validator.report.note("the grid is not that of the configuration", 0);
    // All other checks rely on these.
    if (!validator.report.sound()) return validator.report;
    if (nodes_.size() == 0) {
        if (size() != 0 || element_nodes_.size() != 0 || used_element_nodes_ != 0)
            validator.report.note("there are elements, but no root", size());
    } else {
        validator.check_nodes();
        validator.check_element_nodes();
        if (validator.report.sound()) validator.check_elements();
    }
    if (clean_up_at_ >> 4 >= std::uint64_t{1} << 2 * grid_.depth)
        validator.report.note("the place to clean up lies outside", static_cast<std::size_t>(clean_up_at_));
    return validator.report;
}

}  // namespace throng::structures
