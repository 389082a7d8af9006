// Builds a quadtree from scratch: the elements are sorted in Morton order by the cell of their lower left
// corner, and the tree is built from the root down, depth first. So nodes and element nodes lie in memory in
// the order in which pairs and large queries visit them.
//
//     sorted by where they begin    [ a b c | d e f | g h | i j k l ]
//     a node          its own: a range of that; visitors, which begin in a node before it: a list
//     its children    own: parts of that range; visitors: of the node's own those that cross its centre
//                     lines, of its visitors those that come further
//
// The sorted elements wait at the end of the array of element nodes, whose front grows towards them. It never
// reaches them: a leaf's own elements free their places as they are written, and room for all visitors is
// reserved before a node is split. Without memory for that the node is not split.
//
// A waiting element is an id and its first cell, with two bits for each coordinate for how many cells further
// it reaches; three means three or more, and its box is read. So an element moves as one word.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/box_reader.hpp"
#include "structures/src/quadtree/cells.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// A split pays if the four children together hold at most this many times the leaf's elements.
constexpr float worthwhile_growth = 1.5f;
// A little less than the four that the header promises, because of rounding.
constexpr float largest_growth = 3.999f;
constexpr unsigned deepest_buckets = 8;

}  // namespace

struct THRONG_INSIDE Quadtree::State::Builder {
    // A node to be split or filled.
    struct Task {
        QuadPlace place;
        Index begin, end;                    // its own
        Index visitors_begin, visitors_end;  // among tree.visitors_
        float growth;  // the average number of element nodes that one became on the path down to here
    };
    using Tasks = QuadStack<Task>;

    State& tree;
    Index count;
    unsigned bucket_depth = 0;
    Index planned = 0;  // element nodes, for all nodes as they are now
    Index written = 0;
    Index placed = 0;  // how many sorted elements are already in the leaf where they begin
    // The room before the build, and the peak need.
    std::size_t room_for_nodes, room_for_crossing, room_for_visitors;
    std::size_t max_crossing = 0, max_visitors = 0;
    bool grew = false;  // whether the room for element nodes grew

    Builder(State& of, std::size_t elements) noexcept
        : tree(of),
          count(static_cast<Index>(elements)),
          planned(count),
          room_for_nodes(of.nodes_.capacity()),
          room_for_crossing(of.crossing_.capacity()),
          room_for_visitors(of.visitors_.capacity()) {
        while (bucket_depth < std::min(deepest_buckets, tree.grid_.depth) &&
               count >> (2 * bucket_depth + 4) != 0)
            ++bucket_depth;
    }

    // Reserves the memory that the build cannot do without. Does not change the tree.
    bool reserve() noexcept {
        auto& element_nodes = tree.element_nodes_;
        if (element_nodes.capacity() < count) {
            const std::size_t used = element_nodes.size();
            const std::size_t usual = count + std::size_t{count} / 4;
            if (!element_nodes.resize_exactly(usual) && !element_nodes.resize_exactly(count)) return false;
            static_cast<void>(element_nodes.resize(used));
            grew = true;
        }
        const std::size_t buckets = std::size_t{1} << (2 * bucket_depth);
        if (!tree.nodes_.reserve(1) || !tree.buckets_.resize_exactly(buckets)) return false;
        std::fill_n(tree.buckets_.data(), buckets, 0u);
        return true;
    }
    void count_in_bucket(const Box& box) noexcept { ++tree.buckets_[bucket(corner_of(box))]; }
    // From here on the old content is gone, and nothing can fail.
    void begin_sorting() noexcept {
        Index before = 0;
        for (Index& bucket : tree.buckets_) before += std::exchange(bucket, before);
        static_cast<void>(tree.element_nodes_.resize(tree.element_nodes_.capacity()));
        tree.nodes_.clear();
        static_cast<void>(tree.nodes_.resize(1));
        tree.free_element_node_ = tree.free_children_ = none;
        tree.clean_up_at_ = 0;
    }
    void sort(ElementId id, const Box& box) noexcept {
        const std::uint64_t cells = quad_cells(box, tree.grid_);
        const std::uint32_t near = quad_corner(cells);
        waiting()[tree.buckets_[bucket(near)]++] = {near | reach_of(near, cells >> 32) << 14, id};
    }
    void make_nodes() noexcept {
        Tasks tasks;
        tasks.push({.end = count, .growth = 1});
        while (!tasks.empty()) {
            const Task task = tasks.pop();
            static_cast<void>(tree.visitors_.resize(task.visitors_end));
            if (!divide(task, tasks)) fill(task);
        }
        static_cast<void>(tree.element_nodes_.resize(written));
        tree.used_element_nodes_ = written;
        keep_room_for_next_frames();
    }

    std::uint32_t corner_of(const Box& box) const noexcept {
        return quad_corner(quad_cells(box, tree.grid_));
    }
    Index bucket(std::uint32_t corner) const noexcept {
        const unsigned finer = tree.grid_.depth - bucket_depth;
        return quad_curve(corner >> finer & ((1u << bucket_depth) - 1) * 0x00010001u);
    }
    // At most three along each axis.
    static std::uint32_t reach_of(std::uint32_t near, std::uint64_t far) noexcept {
        const std::uint32_t cells = static_cast<std::uint32_t>(far) - near;
        return std::min(cells & 0xFFFF, 3u) | std::min(cells >> 16, 3u) << 16;
    }
    // The sorted elements; `next` holds an element's first cell, and how far it reaches.
    QuadElementNode* waiting() const noexcept {
        return tree.element_nodes_.data() + (tree.element_nodes_.size() - count);
    }
    static std::uint32_t nearest(const QuadElementNode& element) noexcept {
        return element.next & 0x3FFF3FFFu;
    }
    static std::uint32_t reach(const QuadElementNode& element) noexcept {
        return element.next >> 14 & 0x00030003u;
    }
    static std::uint32_t is_more(std::uint32_t reach) noexcept { return reach & reach >> 1 & 0x00010001u; }
    std::uint64_t cells(const QuadElementNode& element) const noexcept {
        const std::uint32_t near = nearest(element), further = reach(element);
        if (is_more(further) != 0) return quad_cells(tree.elements_[element.element], tree.grid_);
        return near | std::uint64_t{near + further} << 32;
    }

    // Later frames need about as much. A buffer that has not grown has had room for many frames.
    void keep_room_for_next_frames() noexcept {
        tree.crossing_.clear();
        tree.visitors_.clear();
        if (grew) {
            // The number of elements in several leaves varies.
            const auto varying = static_cast<std::size_t>(3 * std::sqrt(static_cast<double>(written)));
            keep_room(tree.element_nodes_, written + std::max<std::size_t>(written / 16, varying) + 16);
        }
        if (tree.nodes_.capacity() != room_for_nodes)
            keep_room(tree.nodes_, 4 * with_headroom(tree.nodes_.size() / 4));
        if (tree.crossing_.capacity() != room_for_crossing)
            keep_room(tree.crossing_, with_headroom(max_crossing));
        if (tree.visitors_.capacity() != room_for_visitors)
            keep_room(tree.visitors_, with_headroom(max_visitors));
    }

    // Makes tasks of the four children, if a split pays and there is memory.
    bool divide(const Task& task, Tasks& tasks) noexcept {
        const Index own = task.end - task.begin, held = own + task.visitors_end - task.visitors_begin;
        if (held <= tree.config_.leaf_limit || task.place.depth == tree.grid_.depth) return false;
        const QuadCentre centre(task.place, tree.grid_.depth);
        Index begins[5];
        if (task.place.depth < bucket_depth)
            find_parts(task, centre, begins);
        else
            sort_parts(task, centre, begins);
        if (!find_crossing(task, centre, begins[3])) return false;

        const std::size_t visitors = count_visitors(task, centre);
        const float growth = static_cast<float>(own + visitors) / static_cast<float>(held);
        if (growth > worthwhile_growth || task.growth * growth > largest_growth ||
            all_in_the_same_cells(task))
            return false;

        const std::size_t nodes = tree.nodes_.size() + 4;
        const auto first = static_cast<Index>(tree.nodes_.size());
        const std::size_t element_nodes = planned + (own + visitors - held);
        max_visitors = std::max(max_visitors, task.visitors_end + visitors);
        if (!make_room(element_nodes) || !tree.visitors_.reserve(task.visitors_end + visitors) ||
            nodes >= none || !tree.nodes_.resize(nodes))
            return false;
        planned = static_cast<Index>(element_nodes);
        tree.nodes_[task.place.node] = {first, QuadNode::branch};
        // The first child is the next task, so its visitors are the last in the list.
        for (unsigned child = 4; child-- > 0;) {
            const auto from = static_cast<Index>(tree.visitors_.size());
            list_visitors(task, centre, child);
            tasks.push({centre.child(task.place, first, child), begins[child], begins[child + 1], from,
                        static_cast<Index>(tree.visitors_.size()), task.growth * growth});
        }
        return true;
    }

    // Of all four children together.
    std::size_t count_visitors(const Task& task, const QuadCentre& centre) const noexcept {
        std::size_t visitors = 0;
        for (const Visitor& own : tree.crossing_)
            visitors += quad_child_count[centre.sides(own.cells())] - 1u;
        for (Index v = task.visitors_begin; v < task.visitors_end; ++v)
            visitors += quad_child_count[centre.sides(tree.visitors_[v].cells())];
        return visitors;
    }

    // Room is already reserved.
    void list_visitors(const Task& task, const QuadCentre& centre, unsigned child) noexcept {
        std::size_t to = tree.visitors_.size();
        static_cast<void>(tree.visitors_.resize(tree.visitors_.capacity()));
        for (Index v = task.visitors_begin; v < task.visitors_end; ++v) {
            const Visitor visitor = tree.visitors_[v];
            if (quad_children[centre.sides(visitor.cells())] >> child & 1) tree.visitors_[to++] = visitor;
        }
        for (const Visitor& own : tree.crossing_) {
            const unsigned sides = centre.sides(own.cells());
            // In the child where it begins it is not a visitor.
            if ((sides & 3) != child && (quad_children[sides] >> child & 1)) tree.visitors_[to++] = own;
        }
        static_cast<void>(tree.visitors_.resize(to));
    }

    // The start of each child's own elements, which are sorted at this level.
    void find_parts(const Task& task, const QuadCentre& centre, Index (&begins)[5]) noexcept {
        begins[0] = task.begin;
        begins[4] = task.end;
        for (unsigned child = 1; child < 4; ++child) {
            // A bucket's number is now the end of its elements: finds the end of the last bucket before the
            // child.
            begins[child] = tree.buckets_[bucket(centre.child(task.place, 0, child).corner) - 1];
        }
    }

    // The same if they are not sorted yet: each is swapped into its part.
    void sort_parts(const Task& task, const QuadCentre& centre, Index (&begins)[5]) noexcept {
        QuadElementNode* const elements = waiting();
        const auto part_of = [&](Index i) { return centre.sides(nearest(elements[i])) & 3; };
        Index counts[4] = {0, 0, 0, 0}, next[4];
        for (Index i = task.begin; i < task.end; ++i) ++counts[part_of(i)];
        begins[0] = task.begin;
        for (unsigned part = 0; part < 4; ++part) {
            next[part] = begins[part];
            begins[part + 1] = begins[part] + counts[part];
        }
        for (unsigned part = 0; part < 3; ++part)
            while (next[part] < begins[part + 1]) {
                const Index i = next[part];
                const Index to = next[part_of(i)]++;
                if (to != i) std::swap(elements[i], elements[to]);
            }
    }

    // Finds the own elements that lie in several children. Those of the last child cannot. Returns false if a
    // split does not pay for that reason alone, or there is no memory.
    bool find_crossing(const Task& task, const QuadCentre& centre, Index last_part) noexcept {
        const Index held = task.end - task.begin + task.visitors_end - task.visitors_begin;
        const QuadElementNode* const elements = waiting();
        const auto complement = static_cast<std::uint32_t>(centre.complement);
        tree.crossing_.clear();
        for (Index i = task.begin; i < last_part; ++i) {
            const std::uint32_t near = nearest(elements[i]), further = reach(elements[i]);
            const std::uint32_t crosses = ((near + complement) ^ (near + further + complement)) & 0x80008000u;
            if ((crosses | is_more(further)) == 0) continue;
            const std::uint64_t exact = cells(elements[i]);
            if (!centre.crosses(exact)) continue;
            const Visitor crossing{near, static_cast<std::uint32_t>(exact >> 32), elements[i].element};
            if (tree.crossing_.size() > held / 2 || !tree.crossing_.push_back(crossing)) return false;
            max_crossing = std::max(max_crossing, tree.crossing_.size());
        }
        return true;
    }

    bool all_in_the_same_cells(const Task& task) const noexcept {
        const std::uint64_t some = task.begin != task.end ? cells(waiting()[task.begin])
                                                          : tree.visitors_[task.visitors_begin].cells();
        for (Index i = task.begin; i < task.end; ++i)
            if (cells(waiting()[i]) != some) return false;
        for (Index v = task.visitors_begin; v < task.visitors_end; ++v)
            if (tree.visitors_[v].cells() != some) return false;
        return true;
    }

    // Grows to `element_nodes` element nodes; the waiting elements move to the new end.
    bool make_room(std::size_t element_nodes) noexcept {
        auto& nodes = tree.element_nodes_;
        const std::size_t old = nodes.size();
        if (element_nodes <= old) return true;
        const std::size_t more = std::max(element_nodes, old + old / 16);
        if (more >= none || !nodes.resize_exactly(more)) return false;
        // Without those that are in their leaf already: the leaf may lie at the target.
        std::memmove(nodes.data() + (more - count + placed), nodes.data() + (old - count + placed),
                     (count - placed) * sizeof nodes[0]);
        return grew = true;
    }

    void fill(const Task& task) noexcept {
        const Index begin = written;
        auto* nodes = tree.element_nodes_.data();
        for (Index i = task.begin; i < task.end; ++i) {
            const ElementId id = waiting()[i].element;
            nodes[written] = {written + 1, id};
            ++written;
        }
        for (Index v = task.visitors_begin; v < task.visitors_end; ++v, ++written)
            nodes[written] = {written + 1, tree.visitors_[v].id};
        placed = task.end;
        if (written != begin) nodes[written - 1].next = none;
        tree.nodes_[task.place.node] = {written != begin ? begin : none,
                                        static_cast<std::int32_t>(written - begin)};
    }
};

Status Quadtree::State::assign_all(const Boxes& boxes) noexcept {
    if (const Status bad = check_all(boxes); !bad) return bad;
    if (boxes.empty()) return clear(), Status{};
    Builder builder(*this, boxes.size());
    if (!builder.reserve()) return {Code::out_of_memory, Status::no_index};
    for (std::size_t i = 0; i < boxes.size(); ++i) builder.count_in_bucket(boxes[i]);
    if (!elements_.fill(boxes.size())) return {Code::out_of_memory, Status::no_index};
    builder.begin_sorting();
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box box = boxes[i];
        const auto id = static_cast<ElementId>(i);
        elements_[id] = box;
        builder.sort(id, box);
    }
    builder.make_nodes();
    return {};
}

// The same for the present elements. Returns false and changes nothing if there is no memory.
bool Quadtree::State::rebuild() noexcept {
    Builder builder(*this, elements_.size());
    if (!builder.reserve()) return false;
    elements_.for_each([&](ElementId, const Box& box) { builder.count_in_bucket(box); });
    builder.begin_sorting();
    elements_.for_each([&](ElementId id, const Box& box) { builder.sort(id, box); });
    builder.make_nodes();
    return true;
}

}  // namespace throng::structures
