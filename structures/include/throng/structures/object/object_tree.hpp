// ObjectTree: the values of an ObjectQuadtree (object_quadtree.hpp) in its nodes (object_nodes.hpp),
// which adds the host's functions.
//
// The values of a node form an intrusive list. They are elements of a free list, and refer to each other by
// index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "throng/memory.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/detail/headroom.hpp"
#include "throng/structures/object/object_concepts.hpp"
#include "throng/structures/object/object_grid.hpp"
#include "throng/structures/object/object_nodes.hpp"
#include "throng/structures/object/object_order.hpp"
#include "throng/structures/queries.hpp"

namespace throng::structures::detail {

template <class T, class Float>
class ObjectTree {
public:
    using Box = ObjectBox<Float>;
    using Grid = ObjectGrid<Float>;
    using Place = typename Grid::Place;
    using Nodes = ObjectNodes<Float>;
    using Index = typename Nodes::Index;
    using Node = typename Nodes::Node;
    using NodeRef = typename Nodes::NodeRef;
    using Visit = typename Nodes::Visit;
    template <class Waiting>
    using Stack = typename Nodes::template Stack<Waiting>;
    static constexpr Index none = Nodes::none;
    static constexpr NodeRef root_ref = Nodes::root_ref;

    struct Element {
        template <class Source>
        Element(Source&& source, const Box& where,
                Index following) noexcept(std::is_nothrow_constructible_v<T, Source>)
            : value(std::forward<Source>(source)), box(where), next(following) {}

        T value;
        Box box;
        Index next;  // of the same node
    };
    // A value and its position: its node and predecessor.
    struct Found {
        Index element = none, previous = none;
        std::uint32_t depth = 0;
        std::array<NodeRef, Grid::max_levels + 1> path;

        explicit operator bool() const noexcept { return element != none; }
    };

    ObjectTree(const Box& extents, std::uint32_t max_depth, std::uint32_t split_above,
               MemoryResource* memory) noexcept
        : grid_(extents, max_depth),
          split_above_(split_above),
          elements_(memory),
          spare_elements_(memory),
          nodes_(memory),
          spare_nodes_(memory) {}
    const Grid& grid() const noexcept { return grid_; }
    std::size_t size() const noexcept { return elements_.size(); }
    const Element& operator[](Index index) const noexcept { return elements_[index]; }
    const Node& root() const noexcept { return nodes_.root(); }
    Visit child(const Visit& visit, unsigned which) const noexcept { return nodes_.child(visit, which); }
    std::size_t bytes() const noexcept {
        return elements_.bytes() + spare_elements_.bytes() + nodes_.bytes() + spare_nodes_.bytes();
    }

    // --- Edits ---------------------------------------------------------------------------------------------

    // Finds the node for a value of this place, after a split if the node is too full. Returns false if there
    // is no memory.
    bool open(const Place& place, NodeRef& ref) noexcept {
        ref = root_ref;
        for (unsigned depth = 0;; ++depth) {
            if (nodes_[ref].leaf()) {
                if (nodes_[ref].count < split_above_ || depth == grid_.levels()) return true;
                if (!split(ref, depth)) return false;
            }
            if (place.depth == depth) return true;
            ref = Nodes::child_ref(nodes_[ref], grid_.child(place.path, depth));
        }
    }
    // Returns false if there is no memory; then the value is where it was.
    template <class Source>
    bool add(NodeRef ref, Source&& value, const Box& box) {
        const Index index = elements_.emplace(std::forward<Source>(value), box, nodes_[ref].first);
        if (index == none) return false;
        nodes_[ref].first = index;
        ++nodes_[ref].count;
        return true;
    }
    // The first value in the node of that box for which `is_it(value)` holds.
    template <class IsIt>
    Found locate(const Box& at, IsIt&& is_it) const {
        Found found;
        const Place place = grid_.place(at);
        NodeRef ref = found.path[0] = root_ref;
        while (!nodes_[ref].leaf() && found.depth < place.depth) {
            ref = Nodes::child_ref(nodes_[ref], grid_.child(place.path, found.depth));
            found.path[++found.depth] = ref;
        }
        for (Index i = nodes_[ref].first; i != none; found.previous = i, i = elements_[i].next)
            if (is_it(elements_[i].value)) {
                found.element = i;
                break;
            }
        return found;
    }
    void remove(const Found& found) noexcept {
        take_out(found);
        merge_above(found);
    }
    // Replaces the value by another one with that box. Returns false and changes nothing if there is no
    // memory.
    bool replace(const Found& found, T&& value, const Box& box) noexcept {
        const Place place = grid_.place(box);
        if (nodes_.holder(place, grid_) == found.path[found.depth]) {
            Element& element = elements_[found.element];
            std::destroy_at(std::addressof(element.value));
            std::construct_at(std::addressof(element.value), std::move(value));
            element.box = box;
            return true;
        }
        if (size() > reserved_for_ + reserved_for_ / 8) make_room_for_moves();
        // This may split another leaf, but not the one that the value leaves.
        NodeRef to = root_ref;
        if (!open(place, to)) return false;
        take_out(found);
        (void)add(to, std::move(value), box);  // into the hole that the old value left
        merge_above(found);
        return true;
    }
    void clear() noexcept {
        elements_.clear();
        nodes_.clear();
    }
    // Builds the tree of the values `source(i)` in this order. Returns false if there is no memory. If making
    // a value may throw, the new values get memory of their own; otherwise they reuse that of the old ones.
    template <class Source>
    bool assign(const ObjectOrder<Float>& order, Source&& source) {
        constexpr bool in_place = noexcept(Element(source(0), Box(), none));
        FreeList<Element>& to = in_place ? elements_ : spare_elements_;
        // Frees the spare memory at the end: the old values, or the new ones if one of them threw.
        const struct Spare {
            FreeList<Element>& elements;
            ~Spare() { elements.clear(); }
        } spare{spare_elements_};
        if (!spare_nodes_.build(order, grid_, split_above_) || !to.reserve(order.size())) return false;
        to.clear();
        for (std::size_t rank = 0; rank < order.size(); ++rank) {
            order.expect(rank + 16);
            const std::size_t i = order.source(rank);
            (void)to.emplace(source(i), order.box(i), static_cast<Index>(rank + 1));
        }
        if (!in_place) elements_.swap(spare_elements_);
        nodes_.swap(spare_nodes_);
        reserved_for_ = 0;
        nodes_.for_each([this](const Node& node) {
            if (node.count != 0) elements_[node.first + node.count - 1].next = none;
        });
        return true;
    }

    // --- Walks ---------------------------------------------------------------------------------------------

    // Calls `see(visit)` for each node in preorder, until it returns false.
    template <class See>
    void walk(See&& see) const {
        walk(see, [](const Visit&) { return true; });
    }
    // The same for those that `enters(visit)` lets in.
    template <class See, class Enters>
    void walk(See&& see, Enters&& enters) const {
        Stack<Visit> waiting;
        waiting.push({&root(), 0, 0, 0});
        while (!waiting.empty()) {
            const Visit visit = waiting.pop();
            if (!see(visit)) return;
            if (visit.node->leaf()) continue;
            for (unsigned which = 4; which-- > 0;)
                if (const Visit below = child(visit, which); enters(below)) waiting.push(below);
        }
    }
    // Calls `see(element)` for each element whose box overlaps this one, until it returns false.
    template <class See>
    void overlapping(const Box& box, See&& see) const {
        const auto cells = grid_.cells(box);
        const auto look = [&](const Visit& visit) {
            return own(*visit.node,
                       [&](const Element& element) { return !element.box.overlaps(box) || see(element); });
        };
        walk(look, [&](const Visit& visit) {
            const unsigned shift = grid_.levels() - visit.depth;
            return cells.min_x >> shift <= visit.x && visit.x <= cells.max_x >> shift &&
                   cells.min_y >> shift <= visit.y && visit.y <= cells.max_y >> shift;
        });
    }
    // Calls `see(element)` for each of a node's own values, until it returns false.
    template <class See>
    bool own(const Node& node, See&& see) const {
        for (Index i = node.first; i != none; i = elements_[i].next)
            if (!see(elements_[i])) return false;
        return true;
    }

    // Checks every list, count, group and place. Never reads out of bounds, and always ends, even if the tree
    // was overwritten.
    void validate(IndexValidation& report) const noexcept {
        if (!elements_.validate()) report.note("the free list of values is broken", 0);
        if (!nodes_.validate()) report.note("the free list of nodes is broken", 0);
        if (!report.sound()) return;
        Stack<Visit> waiting;
        std::size_t values = 0, groups = 0;
        waiting.push({&root(), 0, 0, 0});
        while (!waiting.empty()) {
            const Visit visit = waiting.pop();
            values += validate_own(visit, report);
            const Index children = visit.node->children;
            if (children == none) continue;
            if (visit.depth == grid_.levels() || !nodes_.has_group(children) || ++groups > nodes_.groups()) {
                report.note("a node's children are not there, too deep, or another's", children);
                continue;
            }
            for (unsigned which = 0; which < 4; ++which) waiting.push(nodes_.child(visit, which));
        }
        if (values != elements_.size()) report.note("not every value is in one node", values);
        if (groups != nodes_.groups()) report.note("not every group of nodes has a parent", groups);
    }

private:
    template <class>
    friend struct ::throng::structures::IndexInspector;
    void link(Node& node, Index index) noexcept {
        elements_[index].next = node.first;
        node.first = index;
        ++node.count;
    }
    bool split(NodeRef ref, unsigned depth) noexcept {
        const Index group = nodes_.make_group();
        if (group == none) return false;
        Node& parent = nodes_[ref];
        Index next = parent.first;
        parent = {none, 0, group};
        while (next != none) {
            const Index index = next;
            next = elements_[index].next;
            const Place place = grid_.place(elements_[index].box);
            const unsigned which = grid_.child(place.path, depth);
            link(place.depth == depth ? parent : nodes_[Nodes::child_ref(parent, which)], index);
        }
        return true;
    }
    // At the first move between nodes, since the tree is not told when a frame ends. Without memory for it,
    // groups are allocated one by one.
    void make_room_for_moves() noexcept {
        reserved_for_ = size();
        nodes_.make_room(groups_of_moving(size(), split_above_));
    }
    void take_out(const Found& found) noexcept {
        Node& owner = nodes_[found.path[found.depth]];
        Index& link = found.previous == none ? owner.first : elements_[found.previous].next;
        link = elements_[found.element].next;
        --owner.count;
        elements_.erase(found.element);
    }
    void merge_above(const Found& found) noexcept {
        for (unsigned depth = found.depth + 1; depth-- > 0;) {
            Node& parent = nodes_[found.path[depth]];
            if (!parent.leaf() && !merge(parent)) return;
        }
    }
    // Merges four leaves if few enough values are left.
    bool merge(Node& parent) noexcept {
        std::uint32_t count = parent.count;
        for (unsigned which = 0; which < 4; ++which) {
            const Node& child = nodes_.child(parent, which);
            count += child.count;
            if (!child.leaf() || count > split_above_ / 2) return false;
        }
        for (unsigned which = 0; which < 4; ++which)
            for (Index i = nodes_.child(parent, which).first; i != none;)
                link(parent, std::exchange(i, elements_[i].next));
        nodes_.drop_children(parent);
        return true;
    }

    std::size_t validate_own(const Visit& visit, IndexValidation& report) const noexcept {
        std::uint32_t count = 0;
        for (Index i = visit.node->first; i != none; i = elements_[i].next) {
            if (!elements_.contains(i)) {
                report.note("a node's list leads to no value", i);
                break;
            }
            if (++count > visit.node->count || count > elements_.size()) break;
            if (elements_[i].box.check() != Code::ok) {
                report.note("a value's box is not legal", i);
                continue;
            }
            const Place place = grid_.place(elements_[i].box);
            const Place here = grid_.place_of(visit.x, visit.y, visit.depth);
            const bool right = visit.node->leaf() ? place.depth >= visit.depth : place.depth == visit.depth;
            if (!right || !grid_.within(place, here)) report.note("a value lies in the wrong node", i);
        }
        if (count != visit.node->count) report.note("a node's list and its count differ", visit.node->first);
        if (visit.node->leaf() && count > split_above_ && visit.depth < grid_.levels())
            report.note("a leaf is too full", visit.node->first);
        return count;
    }

    Grid grid_;
    std::uint32_t split_above_ = 0;
    std::size_t reserved_for_ = 0;  // how many values may move in `nodes_` without an allocation
    FreeList<Element> elements_, spare_elements_;
    Nodes nodes_, spare_nodes_;
};

}  // namespace throng::structures::detail
