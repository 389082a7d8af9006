// ObjectTree: the nodes and values of an ObjectQuadtree (object_quadtree.hpp), which adds the host's functions.
//
// A node is a list of its own values, linked through them, and four children that are made and given back together.
// Its square is not stored: it follows from the way down. Values and groups of children are elements of two free
// lists, and refer to each other by index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <type_traits>
#include <utility>

#include "throng/structures/detail/headroom.hpp"
#include "throng/structures/detail/object_grid.hpp"
#include "throng/structures/detail/object_order.hpp"
#include "throng/structures/free_list.hpp"
#include "throng/structures/object_concepts.hpp"
#include "throng/structures/questions.hpp"

namespace throng::detail {

template <class T, class Float>
class ObjectTree {
public:
    using Box = ObjectBox<Float>;
    using Grid = ObjectGrid<Float>;
    using Place = typename Grid::Place;
    using Index = std::uint32_t;
    using NodeRef = std::uint32_t;  // 4 * group + which of its nodes
    static constexpr Index none = 0xFFFFFFFFu;
    static constexpr NodeRef root_ref = 0xFFFFFFFFu;

    struct Element {
        template <class Source>
        Element(Source&& source, const Box& where,
                Index following) noexcept(std::is_nothrow_constructible_v<T, Source>)
            : value(std::forward<Source>(source)), box(where), next(following) {}

        T value;
        Box box;
        Index next;  // of the same node
    };
    struct Node {
        Index first = none;
        std::uint32_t count = 0;  // of its own values
        Index children = none;    // a group; none in a leaf

        bool leaf() const noexcept { return children == none; }
    };
    // A value, and the way to it.
    struct Found {
        Index element = none, previous = none;
        std::uint32_t depth = 0;
        std::array<NodeRef, Grid::most_levels + 1> path;

        explicit operator bool() const noexcept { return element != none; }
    };
    // A node on the way through the tree: the column and the row in which it lies among those of its depth.
    struct Visit {
        const Node* node = nullptr;
        std::uint32_t x = 0, y = 0, depth = 0;
    };
    // Nodes that wait: three on each level above the one that was seen last, and that one's four children.
    template <class Waiting>
    class Stack {
    public:
        bool empty() const noexcept { return size_ == 0; }
        void push(const Waiting& node) noexcept { nodes_[size_++] = node; }
        Waiting pop() noexcept { return nodes_[--size_]; }

    private:
        std::size_t size_ = 0;
        std::array<Waiting, 3 * Grid::most_levels + 2> nodes_;
    };

    ObjectTree(const Box& extents, std::uint32_t max_depth, std::uint32_t split_above,
               std::pmr::memory_resource* memory) noexcept
        : grid_(extents, max_depth),
          split_above_(split_above),
          elements_(memory),
          spare_elements_(memory),
          groups_(memory),
          spare_groups_(memory) {}
    ObjectTree(ObjectTree&& other) noexcept
        : grid_(other.grid_),
          split_above_(other.split_above_),
          root_(std::exchange(other.root_, Node{})),
          roomy_for_(std::exchange(other.roomy_for_, 0)),
          elements_(std::move(other.elements_)),
          spare_elements_(std::move(other.spare_elements_)),
          groups_(std::move(other.groups_)),
          spare_groups_(std::move(other.spare_groups_)) {}
    ObjectTree& operator=(ObjectTree&& other) noexcept {
        grid_ = other.grid_;
        split_above_ = other.split_above_;
        root_ = std::exchange(other.root_, Node{});
        roomy_for_ = std::exchange(other.roomy_for_, 0);
        elements_ = std::move(other.elements_);
        spare_elements_ = std::move(other.spare_elements_);
        groups_ = std::move(other.groups_);
        spare_groups_ = std::move(other.spare_groups_);
        return *this;
    }

    const Grid& grid() const noexcept { return grid_; }
    std::size_t size() const noexcept { return elements_.size(); }
    const Element& operator[](Index index) const noexcept { return elements_[index]; }
    const Node& root() const noexcept { return root_; }
    const Node& child(const Node& node, unsigned which) const noexcept {
        return groups_[node.children].nodes[which];
    }
    std::size_t bytes() const noexcept {
        return elements_.bytes() + spare_elements_.bytes() + groups_.bytes() + spare_groups_.bytes();
    }

    // --- Edits ---------------------------------------------------------------------------------------------

    // The node in which a value of this place lies, after a split if it is too full. False if there is no memory.
    bool open(const Place& place, NodeRef& ref) noexcept {
        ref = root_ref;
        for (unsigned depth = 0;; ++depth) {
            if (node(ref).leaf()) {
                if (node(ref).count < split_above_ || depth == grid_.levels()) return true;
                if (!split(ref, depth)) return false;
            }
            if (place.depth == depth) return true;
            ref = 4 * node(ref).children + grid_.child(place.path, depth);
        }
    }
    // False if there is no memory; then the value is where it was.
    template <class Source>
    bool add(NodeRef ref, Source&& value, const Box& box) {
        const Index index = elements_.emplace(std::forward<Source>(value), box, node(ref).first);
        if (index == none) return false;
        node(ref).first = index;
        ++node(ref).count;
        return true;
    }
    // The first value in the node for that box of which `is_it(value)` holds.
    template <class IsIt>
    Found locate(const Box& at, IsIt&& is_it) const {
        Found found;
        const Place place = grid_.place(at);
        NodeRef ref = found.path[0] = root_ref;
        while (!node(ref).leaf() && found.depth < place.depth) {
            ref = 4 * node(ref).children + grid_.child(place.path, found.depth);
            found.path[++found.depth] = ref;
        }
        for (Index i = node(ref).first; i != none; found.previous = i, i = elements_[i].next)
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
    // The value becomes another one of that place. False if there is no memory; then nothing has changed.
    bool replace(const Found& found, T&& value, const Box& box) noexcept {
        const Place place = grid_.place(box);
        if (node_of(place) == found.path[found.depth]) {
            Element& element = elements_[found.element];
            std::destroy_at(std::addressof(element.value));
            std::construct_at(std::addressof(element.value), std::move(value));
            element.box = box;
            return true;
        }
        if (size() > roomy_for_ + roomy_for_ / 8) make_room_for_moves();
        // Another leaf may be split now, but not the one that the value leaves.
        NodeRef to = root_ref;
        if (!open(place, to)) return false;
        take_out(found);
        (void)add(to, std::move(value), box);  // into the hole that the other left
        merge_above(found);
        return true;
    }
    void clear() noexcept {
        elements_.clear();
        groups_.clear();
        root_ = {};
    }
    // The tree of the values `source(i)` in this order. False if there is no memory. If making a value may throw,
    // they are made beside the old ones; else in their memory.
    template <class Source>
    bool assign(const ObjectOrder<Float>& order, Source&& source) {
        constexpr bool in_place = noexcept(Element(source(0), Box(), none));
        FreeList<Element>& to = in_place ? elements_ : spare_elements_;
        // What is beside the tree goes when this is over: the old values, or new ones when one of them threw.
        const struct Spare {
            FreeList<Element>& elements;
            ~Spare() { elements.clear(); }
        } spare{spare_elements_};
        if (!build(order) || !to.reserve(order.size())) return false;
        to.clear();
        for (std::size_t rank = 0; rank < order.size(); ++rank) {
            order.expect(rank + 16);
            const std::size_t i = order.source(rank);
            (void)to.emplace(source(i), order.box(i), static_cast<Index>(rank + 1));
        }
        if (!in_place) elements_.swap(spare_elements_);
        root_ = spare_root_;
        groups_.swap(spare_groups_);
        roomy_for_ = 0;
        end_list(root_);
        groups_.for_each([this](Index, const Group& group) {
            for (const Node& node : group.nodes) end_list(node);
        });
        return true;
    }

    // --- Walks ---------------------------------------------------------------------------------------------

    // `see(visit)` for each node, an outer one before those in it. It returns whether to go on with what is in it; `end`
    // says whether to end the walk.
    template <class See>
    void walk(See&& see) const {
        Stack<Visit> waiting;
        waiting.push({&root_, 0, 0, 0});
        while (!waiting.empty()) {
            const Visit visit = waiting.pop();
            if (!see(visit)) return;
            if (visit.node->leaf()) continue;
            for (unsigned which = 4; which-- > 0;)
                waiting.push({&child(*visit.node, which), visit.x * 2 + (which & 1),
                              visit.y * 2 + (which >> 1), visit.depth + 1});
        }
    }
    // `see(element)` for each whose box overlaps this one, until it returns false.
    template <class See>
    void overlapping(const Box& box, See&& see) const {
        const auto cells = grid_.cells(box);
        Stack<Visit> waiting;
        waiting.push({&root_, 0, 0, 0});
        while (!waiting.empty()) {
            const Visit visit = waiting.pop();
            for (Index i = visit.node->first; i != none; i = elements_[i].next)
                if (elements_[i].box.overlaps(box) && !see(elements_[i])) return;
            if (visit.node->leaf()) continue;
            const unsigned shift = grid_.levels() - visit.depth - 1;
            for (unsigned which = 4; which-- > 0;) {
                const std::uint32_t x = visit.x * 2 + (which & 1), y = visit.y * 2 + (which >> 1);
                const bool within = cells.min_x >> shift <= x && x <= cells.max_x >> shift &&
                                    cells.min_y >> shift <= y && y <= cells.max_y >> shift;
                if (within) waiting.push({&child(*visit.node, which), x, y, visit.depth + 1});
            }
        }
    }
    // `see(element)` for each of a node's own values, until it returns false.
    template <class See>
    bool own(const Node& node, See&& see) const {
        for (Index i = node.first; i != none; i = elements_[i].next)
            if (!see(elements_[i])) return false;
        return true;
    }

    // Every list, count, group and place. Reads nothing that is not there, and ends, whatever was written over the tree.
    void validate(IndexValidation& report) const noexcept {
        if (!elements_.validate()) report.note("the free list of values is broken", 0);
        if (!groups_.validate()) report.note("the free list of nodes is broken", 0);
        if (!report.sound()) return;
        Stack<Visit> waiting;
        std::size_t values = 0, groups = 0;
        waiting.push({&root_, 0, 0, 0});
        while (!waiting.empty()) {
            const Visit visit = waiting.pop();
            values += validate_own(visit, report);
            const Index children = visit.node->children;
            if (children == none) continue;
            if (visit.depth == grid_.levels() || !groups_.contains(children) || ++groups > groups_.size()) {
                report.note("a node's children are not there, too deep, or another's", children);
                continue;
            }
            for (unsigned which = 0; which < 4; ++which)
                waiting.push({&child(*visit.node, which), visit.x * 2 + (which & 1),
                              visit.y * 2 + (which >> 1), visit.depth + 1});
        }
        if (values != elements_.size()) report.note("not every value is in one node", values);
        if (groups != groups_.size()) report.note("not every group of nodes has a parent", groups);
    }

private:
    friend struct ::throng::IndexInspector;
    struct Group {
        Node nodes[4];
    };

    Node& node(NodeRef ref) noexcept { return ref == root_ref ? root_ : groups_[ref / 4].nodes[ref % 4]; }
    const Node& node(NodeRef ref) const noexcept {
        return ref == root_ref ? root_ : groups_[ref / 4].nodes[ref % 4];
    }
    // The smallest node there is that holds this place.
    NodeRef node_of(const Place& place) const noexcept {
        NodeRef ref = root_ref;
        for (unsigned depth = 0; !node(ref).leaf() && depth < place.depth; ++depth)
            ref = 4 * node(ref).children + grid_.child(place.path, depth);
        return ref;
    }
    void link(Node& node, Index index) noexcept {
        elements_[index].next = node.first;
        node.first = index;
        ++node.count;
    }
    bool split(NodeRef ref, unsigned depth) noexcept {
        const Index group = groups_.emplace();
        if (group == none) return false;
        Node& parent = node(ref);
        Index next = parent.first;
        parent = {none, 0, group};
        while (next != none) {
            const Index index = next;
            next = elements_[index].next;
            const Place place = grid_.place(elements_[index].box);
            link(place.depth == depth ? parent : groups_[group].nodes[grid_.child(place.path, depth)], index);
        }
        return true;
    }
    // At the first move between nodes, since nobody tells when a frame is over. Without memory for it, groups come as
    // they are needed.
    void make_room_for_moves() noexcept {
        roomy_for_ = size();
        (void)groups_.reserve_exactly(groups_of_moving(size(), split_above_));
    }
    void take_out(const Found& found) noexcept {
        Node& owner = node(found.path[found.depth]);
        Index& link = found.previous == none ? owner.first : elements_[found.previous].next;
        link = elements_[found.element].next;
        --owner.count;
        elements_.erase(found.element);
    }
    void merge_above(const Found& found) noexcept {
        for (unsigned depth = found.depth + 1; depth-- > 0;) {
            Node& parent = node(found.path[depth]);
            if (!parent.leaf() && !merge(parent)) return;
        }
    }
    // Takes four leaves back if few enough values are left.
    bool merge(Node& parent) noexcept {
        std::uint32_t count = parent.count;
        Group& group = groups_[parent.children];
        for (const Node& child : group.nodes) {
            count += child.count;
            if (!child.leaf() || count > split_above_ / 2) return false;
        }
        for (const Node& child : group.nodes)
            for (Index i = child.first; i != none;) link(parent, std::exchange(i, elements_[i].next));
        groups_.erase(std::exchange(parent.children, none));
        return true;
    }

    // The nodes for values in this order, aside. False if there is no memory.
    bool build(const ObjectOrder<Float>& order) noexcept {
        struct Waiting {
            NodeRef ref;
            Index begin, end;
            std::uint32_t depth;
        };
        spare_groups_.clear();
        const std::size_t room = spare_groups_.capacity();
        Stack<Waiting> waiting;
        waiting.push({root_ref, 0, static_cast<Index>(order.size()), 0});
        while (!waiting.empty()) {
            const auto [ref, begin, end, depth] = waiting.pop();
            const bool leaf = end - begin <= split_above_ || depth == grid_.levels();
            const Index children = leaf ? none : spare_groups_.emplace();
            if (!leaf && children == none) return false;
            const unsigned here = depth;
            Index from = leaf ? end : order.first_not(begin, end, [&order, here](Index i) {
                return order.depth(i) == here;
            });
            (ref == root_ref ? spare_root_ : spare_groups_[ref / 4].nodes[ref % 4]) =
                Node{from == begin ? none : begin, from - begin, children};
            for (unsigned which = 0; !leaf && which < 4; ++which) {
                const Index to = order.first_not(from, end, [this, &order, here, which](Index i) {
                    return grid_.child(order.path(i), here) <= which;
                });
                waiting.push({4 * children + which, from, to, depth + 1});
                from = to;
            }
        }
        // The next trees have about as many.
        if (spare_groups_.capacity() != room)
            (void)spare_groups_.reserve_exactly(ample(spare_groups_.size()));
        return true;
    }
    void end_list(const Node& node) noexcept {
        if (node.count != 0) elements_[node.first + node.count - 1].next = none;
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
                report.note("a value's box is none", i);
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
    Node root_, spare_root_;
    std::size_t roomy_for_ = 0;  // how many values may move about in `groups_` without asking for memory
    FreeList<Element> elements_, spare_elements_;
    FreeList<Group> groups_, spare_groups_;
};

}  // namespace throng::detail
