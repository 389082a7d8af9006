// ObjectPairs: all intersections in an ObjectTree. The walk carries the boxes of the nodes above down the
// tree; each node gets only those that reach into it (carried_boxes.hpp). A node's own values are compared
// with these and with each other, so two values meet exactly once, in the deeper one's node.
//
// If a node has many values of its own, they lie along its two centre lines. Those on the vertical line are
// swept from low to high, the others from left to right (sort and sweep, Baraff 1992). So even a tree whose
// values all lie on its centre lines costs a sort and what overlaps.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/memory.hpp"
#include "throng/status.hpp"
#include "throng/structures/object/carried_boxes.hpp"
#include "throng/structures/object/object_tree.hpp"

namespace throng::structures::detail {

template <class T, class Float>
class ObjectPairs {
public:
    using Tree = ObjectTree<T, Float>;

    explicit ObjectPairs(MemoryResource* memory) noexcept : boxes_(memory) {}
    std::size_t bytes() const noexcept { return boxes_.bytes(); }

    // Calls `see(element, other)` for each overlapping pair, until it returns false.
    template <class See>
    Status find(const Tree& tree, See&& see) {
        const auto hit = [&tree, &see](std::uint32_t a, std::uint32_t b) { return see(tree[a], tree[b]); };
        typename Tree::template Stack<Waiting> waiting;
        waiting.push({{&tree.root(), 0, 0, 0}, {}});
        boxes_.begin_walk();
        while (!waiting.empty()) {
            const Waiting at = waiting.pop();
            Range carried, own;
            if (!load(tree, at, carried, own)) return {Code::out_of_memory};
            Outcome outcome = compare(tree, at, carried, own, hit);
            if (outcome == Outcome::no_memory) return {Code::out_of_memory};
            if (outcome == Outcome::enough) return {};
            if (!at.visit.node->leaf()) push_children(tree, at.visit, {carried.begin, own.end}, waiting);
        }
        boxes_.end_walk();
        return {};
    }

private:
    using Range = typename CarriedBoxes<Float>::Range;
    using Axis = typename CarriedBoxes<Float>::Axis;
    using Visit = typename Tree::Visit;
    enum class Outcome { go_on, enough, no_memory };
    // From this many values of its own on, sorting and sweeping a node is faster.
    static constexpr std::size_t sweep_threshold = 96;

    struct Waiting {
        Visit visit;
        Range above;  // what the parent had, carried and its own
    };

    // Puts the boxes that the node has to test on top of its parent's.
    bool load(const Tree& tree, const Waiting& at, Range& carried, Range& own) noexcept {
        const Visit& visit = at.visit;
        if (!boxes_.reserve(at.above.end + at.above.size() + visit.node->count)) return false;
        carried.begin = at.above.end;
        carried.end = boxes_.copy_overlapping(at.above, tree.grid().reach(visit.x, visit.y, visit.depth),
                                              carried.begin);
        own.begin = own.end = carried.end;
        for (auto i = visit.node->first; i != Tree::none; i = tree[i].next)
            boxes_.put(own.end++, tree[i].box, i);
        return true;
    }
    template <class Hit>
    Outcome compare(const Tree& tree, const Waiting& at, Range carried, Range own, Hit&& hit) {
        if (own.size() < sweep_threshold)
            return boxes_.compare_all(carried, own, hit) ? Outcome::go_on : Outcome::enough;
        if (!boxes_.reserve_sweep(own.end, carried.size() + own.size())) return Outcome::no_memory;
        const std::size_t top = own.end;
        if (at.visit.node->leaf())
            return boxes_.sweep(boxes_.longer_axis(own), carried, own, top, hit) ? Outcome::go_on
                                                                                 : Outcome::enough;
        const std::size_t boundary = boxes_.partition(own, [&](const ObjectBox<Float>& box) {
            return tree.grid().straddles_vertical_line(box, at.visit.depth);
        });
        const Range upright{own.begin, boundary}, level{boundary, own.end};
        const bool more = boxes_.sweep(Axis::y, carried, upright, top, hit) &&
                          boxes_.sweep(Axis::x, {carried.begin, boundary}, level, top, hit);
        return more ? Outcome::go_on : Outcome::enough;
    }
    template <class Stack>
    static void push_children(const Tree& tree, const Visit& visit, Range above, Stack& waiting) noexcept {
        for (unsigned which = 4; which-- > 0;) {
            const Visit child = tree.child(visit, which);
            if (!child.node->leaf() || child.node->count != 0) waiting.push({child, above});
        }
    }

    CarriedBoxes<Float> boxes_;
};

}  // namespace throng::structures::detail
