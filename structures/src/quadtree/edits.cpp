// Edits of single elements, and the clean-up at the end of a frame.
#include <bit>
#include <utility>

#include "structures/src/quadtree/cells.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// As in the builder, for each split alone.
bool worthwhile(std::size_t held, std::size_t by_children) { return 2 * by_children <= 3 * held; }

bool is_power_of_two_times(std::size_t count, std::size_t unit) {
    return count % unit == 0 && std::has_single_bit(count / unit);
}

// Calls `visit(place, was, is)` for every leaf that an element leaves, enters or stays in.
template <class Visit>
void for_each_leaf_of_either(const Buffer<QuadNode>& nodes, const QuadGrid& grid, std::uint64_t old_cells,
                             std::uint64_t new_cells, Visit&& visit) {
    struct Entry {
        QuadPlace place;
        bool was, is;
    };
    QuadStack<Entry> stack;
    stack.push({{}, true, true});
    while (!stack.empty()) {
        const Entry entry = stack.pop();
        const QuadNode node = nodes[entry.place.node];
        if (node.count != QuadNode::branch) {
            visit(entry.place, entry.was, entry.is);
            continue;
        }
        const QuadCentre centre(entry.place, grid.depth);
        const unsigned was = entry.was ? quad_children[centre.sides(old_cells)] : 0u;
        const unsigned is = entry.is ? quad_children[centre.sides(new_cells)] : 0u;
        for (unsigned child = 4; child-- > 0;)
            if ((was | is) >> child & 1)
                stack.push({centre.child(entry.place, node.first, child), (was >> child & 1) != 0,
                            (is >> child & 1) != 0});
    }
}

}  // namespace

Status Quadtree::State::insert_legal(const Box& box, ElementId& id) noexcept {
    if (!make_root()) return {Code::out_of_memory, Status::no_index};
    const ElementId created = elements_.insert(box);
    if (created == none) return {Code::out_of_memory, Status::no_index};
    const std::uint64_t cells = quad_cells(box, grid_);
    std::size_t leaves = 0;
    for_each_leaf_in(nodes_, grid_, cells, [&](const QuadPlace&) { return ++leaves != 0; });
    if (!too_many_element_nodes(leaves) || !rebuild()) {
        if (!reserve_element_nodes(leaves)) {
            elements_.erase(created);
            return {Code::out_of_memory, Status::no_index};
        }
        for_each_leaf_in(nodes_, grid_, cells,
                         [&](const QuadPlace& leaf) { return link(leaf, created, --leaves), true; });
    }
    id = created;
    return {};
}

Status Quadtree::State::move_legal(ElementId id, const Box& box) noexcept {
    const std::uint64_t old_cells = quad_cells(elements_[id], grid_), new_cells = quad_cells(box, grid_);
    std::size_t added = 0, taken = 0;
    if (old_cells != new_cells)
        for_each_leaf_of_either(nodes_, grid_, old_cells, new_cells,
                                [&](const QuadPlace&, bool was, bool is) {
                                    added += is && !was;
                                    taken += was && !is;
                                });
    const Box old_box = std::exchange(elements_[id], box);
    if (added + taken == 0) return {};
    moved_ = true;
    if (added > taken && too_many_element_nodes(added - taken) && rebuild()) return {};
    if (!reserve_element_nodes(added)) {
        elements_[id] = old_box;
        return {Code::out_of_memory, Status::no_index};
    }
    for_each_leaf_of_either(nodes_, grid_, old_cells, new_cells,
                            [&](const QuadPlace& leaf, bool was, bool is) {
                                if (was && !is) unlink(leaf, id);
                                if (is && !was) link(leaf, id, --added);
                            });
    return {};
}

Status Quadtree::State::remove_known(ElementId id) noexcept {
    for_each_leaf_in(nodes_, grid_, quad_cells(elements_[id], grid_),
                     [&](const QuadPlace& leaf) { return unlink(leaf, id), true; });
    elements_.erase(id);
    moved_ = true;
    return {};
}

bool Quadtree::State::make_root() noexcept { return nodes_.size() != 0 || nodes_.push_back({none, 0}); }

// The same bound as in assign, twice as high: see the header.
bool Quadtree::State::too_many_element_nodes(std::size_t added) const noexcept {
    return used_element_nodes_ + added > 8 * size() + 256;
}

bool Quadtree::State::reserve_element_nodes(std::size_t more) noexcept {
    const std::size_t unused = element_nodes_.size() - used_element_nodes_;
    if (more <= unused) return true;
    const std::size_t count = element_nodes_.size() + (more - unused);
    return count < none && element_nodes_.reserve(count);
}

// Needs reserved room.
Quadtree::State::Index Quadtree::State::take_element_node() noexcept {
    ++used_element_nodes_;
    if (free_element_node_ != none)
        return std::exchange(free_element_node_, element_nodes_[free_element_node_].next);
    const auto index = static_cast<Index>(element_nodes_.size());
    static_cast<void>(element_nodes_.resize(index + std::size_t{1}));
    return index;
}

// `none` if there is no memory, or no index left.
Quadtree::State::Index Quadtree::State::take_children() noexcept {
    if (free_children_ != none) return std::exchange(free_children_, nodes_[free_children_].first);
    const std::size_t first = nodes_.size();
    return first + 4 < none && nodes_.resize(first + 4) ? static_cast<Index>(first) : none;
}

// A split of the leaf leaves room for the element nodes that are still needed elsewhere.
void Quadtree::State::link(const QuadPlace& leaf, ElementId id, std::size_t still_needed) noexcept {
    const Index index = take_element_node();
    QuadNode& node = nodes_[leaf.node];
    element_nodes_[index] = {node.first, id};
    node.first = index;
    ++node.count;
    // Tries a split at leaf_limit + 1, and whenever the count has doubled since.
    const auto count = static_cast<std::size_t>(node.count);
    if (is_power_of_two_times(count - 1, config_.leaf_limit)) divide(leaf, still_needed);
}

void Quadtree::State::unlink(const QuadPlace& leaf, ElementId id) noexcept {
    QuadNode& node = nodes_[leaf.node];
    Index* from = &node.first;
    while (element_nodes_[*from].element != id) from = &element_nodes_[*from].next;
    const Index index = *from;
    *from = element_nodes_[index].next;
    element_nodes_[index] = {free_element_node_, no_element};
    free_element_node_ = index;
    --node.count;
    --used_element_nodes_;
}

// Splits a leaf, and its children in turn, as far as it pays.
void Quadtree::State::divide(const QuadPlace& leaf, std::size_t still_needed) noexcept {
    QuadStack<QuadPlace> stack;
    stack.push(leaf);
    while (!stack.empty()) {
        const QuadPlace place = stack.pop();
        if (nodes_[place.node].count <= static_cast<std::int64_t>(config_.leaf_limit) ||
            !divide_once(place, still_needed))
            continue;
        const QuadCentre centre(place, grid_.depth);
        for (unsigned child = 0; child < 4; ++child)
            stack.push(centre.child(place, nodes_[place.node].first, child));
    }
}

bool Quadtree::State::divide_once(const QuadPlace& leaf, std::size_t still_needed) noexcept {
    if (leaf.depth == grid_.depth) return false;
    const QuadNode node = nodes_[leaf.node];
    const QuadCentre centre(leaf, grid_.depth);
    const std::uint64_t first_cells = quad_cells(elements_[element_nodes_[node.first].element], grid_);
    const auto held = static_cast<std::size_t>(node.count);
    std::size_t by_children = 0;
    std::uint64_t different = 0;
    for (Index i = node.first; i != none; i = element_nodes_[i].next) {
        const std::uint64_t cells = quad_cells(elements_[element_nodes_[i].element], grid_);
        by_children += quad_child_count[centre.sides(cells)];
        different |= cells ^ first_cells;
    }
    if (different == 0 || !worthwhile(held, by_children) || too_many_element_nodes(by_children - held) ||
        !reserve_element_nodes(by_children - held + still_needed))
        return false;
    const Index children = take_children();
    if (children == none) return false;
    distribute(leaf, children);
    return true;
}

// Distributes a leaf's elements to four children; each element's first child gets the existing element node.
void Quadtree::State::distribute(const QuadPlace& leaf, Index children) noexcept {
    const QuadCentre centre(leaf, grid_.depth);
    for (unsigned child = 0; child < 4; ++child) nodes_[children + child] = {none, 0};
    for (Index i = nodes_[leaf.node].first, next; i != none; i = next) {
        next = element_nodes_[i].next;
        const ElementId id = element_nodes_[i].element;
        const unsigned sides = centre.sides(quad_cells(elements_[id], grid_));
        for (unsigned child = 0; child < 4; ++child) {
            if ((quad_children[sides] >> child & 1) == 0) continue;
            // A box begins in the first of its children.
            const Index index = child == (sides & 3) ? i : take_element_node();
            QuadNode& to = nodes_[children + child];
            element_nodes_[index] = {to.first, id};
            to.first = index;
            ++to.count;
        }
    }
    nodes_[leaf.node] = {children, QuadNode::branch};
}

void Quadtree::State::clean_up() noexcept {
    clean_up_at_ = 0;
    clean_up(static_cast<std::size_t>(-1));
}

// The walk is in preorder along the curve of the leaves. So one number tells how far it got, whatever happens
// to the tree before the next call.
bool Quadtree::State::clean_up(std::size_t budget) noexcept {
    make_room_for_moves();
    QuadStack<QuadPlace> stack;
    if (nodes_.size() != 0) stack.push({});
    while (!stack.empty()) {
        const QuadPlace place = stack.pop();
        const QuadNode node = nodes_[place.node];
        const std::uint64_t begin = quad_curve(place.corner);
        const std::uint64_t end = begin + (std::uint64_t{1} << 2 * (grid_.depth - place.depth));
        if (node.count != QuadNode::branch || end * 16 <= clean_up_at_) continue;
        if (begin * 16 + place.depth >= clean_up_at_) {
            if (budget-- == 0) {
                clean_up_at_ = begin * 16 + place.depth;
                return false;
            }
            if (give_back_children(place.node)) continue;
        }
        const QuadCentre centre(place, grid_.depth);
        for (unsigned child = 4; child-- > 0;) stack.push(centre.child(place, node.first, child));
    }
    clean_up_at_ = 0;
    return true;
}

// A moving crowd goes on splitting leaves for thousands of frames: a leaf that is half full on average is too
// full at some time, and its four children are seldom all empty at once. In the long run there are 8/3 groups
// for each `leaf_limit` elements, twice as many as where leaves are merged sooner, and 1.7 element nodes for
// each element of a crowd. Without memory for that, the arrays grow on demand.
void Quadtree::State::make_room_for_moves() noexcept {
    if (!moved_) return;
    moved_ = false;
    const std::size_t count = size();
    if (count <= reserved_for_ + reserved_for_ / 8) return;
    reserved_for_ = count;
    keep_room(nodes_, 4 * groups_of_moving(2 * count, config_.leaf_limit) + 1);
    keep_room(element_nodes_, count + count / 4 * 3 + fluctuation(count) + 16);
}

// Frees the four children if all are empty leaves.
bool Quadtree::State::give_back_children(Index branch) noexcept {
    const Index children = nodes_[branch].first;
    for (unsigned child = 0; child < 4; ++child)
        if (nodes_[children + child].count != 0) return false;
    for (unsigned child = 0; child < 4; ++child) nodes_[children + child] = {none, QuadNode::unused};
    nodes_[children].first = std::exchange(free_children_, children);
    nodes_[branch] = {none, 0};
    return true;
}

}  // namespace throng::structures
