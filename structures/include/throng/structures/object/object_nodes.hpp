// ObjectNodes: the nodes of an ObjectTree (object_tree.hpp), without its values.
//
// A node is the head of a list of its own values, and four children that are allocated and freed together.
// Its square is not stored: it follows from the path down. Groups of four are elements of a free list, so a
// node is referred to by the group's index and its position among the four.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "throng/memory.hpp"
#include "throng/structures/containers/free_list.hpp"
#include "throng/structures/detail/fixed_stack.hpp"
#include "throng/structures/detail/headroom.hpp"
#include "throng/structures/object/object_grid.hpp"
#include "throng/structures/object/object_order.hpp"
#include "throng/structures/queries.hpp"

namespace throng::structures::detail {

template <class Float>
class ObjectNodes {
public:
    using Grid = ObjectGrid<Float>;
    using Place = typename Grid::Place;
    using Index = std::uint32_t;
    using NodeRef = std::uint32_t;  // 4 * group + position in the group
    static constexpr Index none = 0xFFFFFFFFu;
    static constexpr NodeRef root_ref = 0xFFFFFFFFu;

    struct Node {
        Index first = none;
        std::uint32_t count = 0;  // of its own values
        Index children = none;    // a group; none in a leaf

        bool leaf() const noexcept { return children == none; }
    };
    // A node during a traversal, with its column and row among the nodes of its depth.
    struct Visit {
        const Node* node;
        std::uint32_t x, y, depth;
    };
    template <class Waiting>
    using Stack = FixedStack<Waiting, waiting_in_tree(Grid::max_levels)>;

    explicit ObjectNodes(MemoryResource* memory) noexcept : groups_(memory) {}
    ObjectNodes(ObjectNodes&& other) noexcept
        : root_(std::exchange(other.root_, Node{})), groups_(std::move(other.groups_)) {}
    ObjectNodes& operator=(ObjectNodes&& other) noexcept {
        root_ = std::exchange(other.root_, Node{});
        groups_ = std::move(other.groups_);
        return *this;
    }
    void swap(ObjectNodes& other) noexcept {
        std::swap(root_, other.root_);
        groups_.swap(other.groups_);
    }

    const Node& root() const noexcept { return root_; }
    Node& operator[](NodeRef ref) noexcept {
        return ref == root_ref ? root_ : groups_[ref / 4].nodes[ref % 4];
    }
    const Node& operator[](NodeRef ref) const noexcept {
        return ref == root_ref ? root_ : groups_[ref / 4].nodes[ref % 4];
    }
    static NodeRef child_ref(const Node& node, unsigned which) noexcept { return 4 * node.children + which; }
    const Node& child(const Node& node, unsigned which) const noexcept {
        return groups_[node.children].nodes[which];
    }
    Visit child(const Visit& visit, unsigned which) const noexcept {
        return {&child(*visit.node, which), visit.x * 2 + (which & 1), visit.y * 2 + (which >> 1),
                visit.depth + 1};
    }
    // The number of groups of four, and whether this is one of them.
    std::size_t groups() const noexcept { return groups_.size(); }
    bool has_group(Index group) const noexcept { return groups_.contains(group); }
    std::size_t bytes() const noexcept { return groups_.bytes(); }
    bool validate() const noexcept { return static_cast<bool>(groups_.validate()); }

    // Makes room for `groups` groups, if there is memory for it.
    void make_room(std::size_t groups) noexcept { static_cast<void>(groups_.reserve_exactly(groups)); }
    // Four empty leaves without a parent yet; `none` if there is no memory.
    Index make_group() noexcept { return groups_.emplace(); }
    // Frees the four children, which must be leaves, and makes the node a leaf.
    void drop_children(Node& node) noexcept { groups_.erase(std::exchange(node.children, none)); }
    void clear() noexcept {
        groups_.clear();
        root_ = {};
    }

    // The smallest existing node that holds this place.
    NodeRef holder(const Place& place, const Grid& grid) const noexcept {
        NodeRef ref = root_ref;
        for (unsigned depth = 0; !(*this)[ref].leaf() && depth < place.depth; ++depth)
            ref = child_ref((*this)[ref], grid.child(place.path, depth));
        return ref;
    }
    // Calls `see(node)` for each node, in no particular order.
    template <class See>
    void for_each(See&& see) const {
        see(root_);
        groups_.for_each([&see](Index, const Group& group) {
            for (const Node& node : group.nodes) see(node);
        });
    }

    // Builds the nodes for values in this order; values are referred to by rank. Returns false if there is no
    // memory.
    bool build(const ObjectOrder<Float>& order, const Grid& grid, std::uint32_t split_above) noexcept {
        struct Waiting {
            NodeRef ref;
            Index begin, end;
            std::uint32_t depth;
        };
        groups_.clear();
        const std::size_t room = groups_.capacity();
        Stack<Waiting> waiting;
        waiting.push({root_ref, 0, static_cast<Index>(order.size()), 0});
        while (!waiting.empty()) {
            const auto [ref, begin, end, depth] = waiting.pop();
            const bool leaf = end - begin <= split_above || depth == grid.levels();
            const Index children = leaf ? none : make_group();
            if (!leaf && children == none) return false;
            const unsigned here = depth;
            Index from = leaf ? end : order.first_not(begin, end, [&order, here](Index i) {
                return order.depth(i) == here;
            });
            Node& node = (*this)[ref];
            node = {from == begin ? none : begin, from - begin, children};
            for (unsigned which = 0; !leaf && which < 4; ++which) {
                const Index to = order.first_not(from, end, [&grid, &order, here, which](Index i) {
                    return grid.child(order.path(i), here) <= which;
                });
                waiting.push({child_ref(node, which), from, to, depth + 1});
                from = to;
            }
        }
        // The next trees will have about as many groups.
        if (groups_.capacity() != room) make_room(with_headroom(groups_.size()));
        return true;
    }

private:
    template <class>
    friend struct ::throng::structures::IndexInspector;
    struct Group {
        Node nodes[4];
    };

    Node root_;
    FreeList<Group> groups_;
};

}  // namespace throng::structures::detail
