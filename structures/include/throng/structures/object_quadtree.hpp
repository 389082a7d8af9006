// ObjectQuadtree: a quadtree of the host's own values, of any type with equality and a function that returns
// their boxes (after Pierre Vigier, "Quadtree and Collision Detection", 2019). For smaller sets than crowds
// of agents: the things on the screen, the walls that a light may reach, the sounds in earshot.
//
//     struct WhereIs { throng::Box operator()(const Thing* thing) const { return thing->bounds; } };
//     throng::structures::ObjectQuadtree<Thing*, WhereIs> tree({.extents = world});
//     status = tree.insert(lamp);
//     status = tree.for_each_overlap(screen, [&](Thing* thing) { thing->draw(); });
//     status = tree.for_each_pair([&](Thing* a, Thing* b) { collide(*a, *b); });
//     status = tree.remove(lamp);
//
// A value lies in the smallest node that contains its box, and in no other. A value on the line between two
// nodes lies above them:
//
//     +-------+---+---+
//     |       | c |   |      root          a             across its centre lines
//     |      [a]--+---+       `- four children: b, ...   a leaf keeps all until it is too full
//     |       |   |   |           `- four more: c, ...
//     +-------+---+---+
//     | b     |       |      A leaf with more than `split_above` values gets four children, unless it is
//     |       |       |      `max_depth` deep. Four leaves go back into their parent when half as many are
//     +-------+-------+      left, so that coming and going at the limit does not split and merge each time.
//
// The tree keeps the box that a value had when it was added, and answers by it. When a value moves, call
// `move(from, value)` with its old box. `remove` and `contains` search at the value's present box, or at the
// box that they are given. Values outside the extents are kept in the nodes along their edge, and found like
// any others; if there are many, queries near the edge take longer.
//
// Costs: insert, remove, contains and move walk down a branch and through one node's values. A query also
// tests all values on the centre lines of the nodes that it visits: in an even crowd their number grows with
// the square root of all. For all intersections, each value is compared with the values of its node, and of
// the nodes above that reach into its node. If a node has many, they are sorted and swept. Nodes at
// `max_depth` are never divided, so extents far larger than the area of the values make a slow tree: in the
// worst worlds that were found, queries take 200 times and moves 500 times as long as in a crowd
// (structures/docs/choosing.md).
//
// Memory: for each value, the value itself, its box, 4 bytes and a bit. 48 bytes for each four nodes: at most
// `max_depth` such groups for every `split_above / 2` values, and as much again after an `assign`. 32 bytes a
// value for the sort in `assign` (48 with double). A box and 4 bytes for each value that `for_each_pair`
// carries down: at most `max_depth` times those across centre lines, and far less where these are small. All
// of it is reused. Buffers that vary get headroom when they grow: nodes at the end of `assign` and at the
// first `move` into another node, the carried boxes at the end of the first `for_each_pair`. Nothing is
// recursive.
//
// Failure: invalid boxes and failed allocations are reported by status; the tree is then as it was, and the
// value stays with its owner. The library throws nothing. Exceptions of a value's copy, of a host's function
// or of a visitor pass through, and leave the tree as it was. `for_each_pair` may run out of memory after it
// has already reported some pairs.
//
// A moved-from tree is empty, and refused with `moved_from` until another is assigned to it.
//
// Floating-point environment: as spatial_index.hpp says.
//
// Threads: one may write or call `for_each_pair`, which uses memory of the tree, or any number may run the
// other queries. A visitor must not edit the tree. The order of answers depends on the edits alone.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <type_traits>
#include <utility>

#include "throng/memory.hpp"
#include "throng/status.hpp"
#include "throng/structures/detail/readiness.hpp"
#include "throng/structures/object/object_concepts.hpp"
#include "throng/structures/object/object_order.hpp"
#include "throng/structures/object/object_pairs.hpp"
#include "throng/structures/object/object_tree.hpp"
#include "throng/structures/queries.hpp"

namespace throng::structures {

template <ObjectValue T, class GetBox, class Equal = std::equal_to<T>, std::floating_point Float = float>
    requires BoxGetter<GetBox, T, Float> && ValueEquality<Equal, T>
class ObjectQuadtree {
public:
    using Box = ObjectBox<Float>;
    static constexpr std::uint32_t max_levels = detail::ObjectGrid<Float>::max_levels;

    struct Config {
        Box extents;
        // A leaf with more values is split.
        std::uint32_t split_above = 16;
        // The root has depth 0. At most 14.
        std::uint32_t max_depth = 8;
    };
    // A node, for drawing.
    struct Part {
        Box box;
        std::uint32_t depth = 0;
        std::uint32_t values = 0;  // in this node itself
        bool leaf = true;
    };

    explicit ObjectQuadtree(const Config& config, GetBox get_box = GetBox(), Equal equal = Equal(),
                            MemoryResource* memory = nullptr)
        : ready_(check(config)),
          tree_(config.extents, ready_ ? config.max_depth : 0, config.split_above, memory),
          order_(memory),
          pairs_(memory),
          get_box_(std::move(get_box)),
          equal_(std::move(equal)) {}

    // bad_config if the extents are unset, a point or not a legal box, `split_above` is 0 or `max_depth` too
    // large. Then all edits and queries return it.
    Status status() const noexcept { return ready_.status(); }

    // --- Edits ---------------------------------------------------------------------------------------------

    // Equal values may be added more than once, and count separately.
    Status insert(const T& value) requires std::copy_constructible<T> { return add_value(value); }
    Status insert(T&& value) { return add_value(std::move(value)); }

    // Removes a value equal to this one, which is searched at this one's present box or at the given box.
    // unknown_id if there is none.
    Status remove(const T& value) { return remove(box_of(value), value); }
    Status remove(const Box& at, const T& value) {
        if (!ready_) return status();
        const auto found = locate(at, value);
        if (!found) return {Code::unknown_id};
        tree_.remove(found);
        return {};
    }

    // Puts this value, at its present box, in the place of an equal one that was added with the box `from`.
    // unknown_id if there is none.
    Status move(const Box& from, const T& value) requires std::copy_constructible<T> {
        return move(from, T(value));
    }
    Status move(const Box& from, T&& value) {
        if (!ready_) return status();
        const Box box = box_of(value);
        if (const Code code = box.check(); code != Code::ok) return {code};
        const auto found = locate(from, value);
        if (!found) return {Code::unknown_id};
        return {tree_.replace(found, std::move(value), box) ? Code::ok : Code::out_of_memory};
    }

    // Replaces the content of the tree. This is faster than inserting one by one, and its memory layout makes
    // queries faster, too. A failed status has the index of the value. The values must not be the tree's own.
    template <std::ranges::random_access_range Values>
        requires std::ranges::sized_range<Values> &&
            std::constructible_from<T, std::ranges::range_reference_t<Values>>
                Status assign(Values&& values) {
            using Distance = std::ranges::range_difference_t<Values>;
            const auto first = std::ranges::begin(values);
            return assign(std::ranges::size(values),
                          [&first](std::size_t i) noexcept(noexcept(first[Distance(i)])) -> decltype(auto) {
                              return first[static_cast<Distance>(i)];
                          });
        }
    // The same with values from a function: `source(i)` is called twice for each i below `count`. Move-only
    // values come as `T&&`, and are moved only if nothing was refused. If neither the function nor the
    // construction of a value can throw, the new values reuse the memory of the old ones; otherwise they get
    // memory of their own.
    template <std::invocable<std::size_t> Source>
        requires std::constructible_from<T, std::invoke_result_t<Source&, std::size_t>> Status
        assign(std::size_t count, Source&& source) {
            if (!ready_) return status();
            if (count >= detail::ObjectTree<T, Float>::none) return {Code::too_many};
            if (!order_.resize(count)) return {Code::out_of_memory};
            for (std::size_t i = 0; i < count; ++i) {
                const Box box = box_of(source(i));
                if (const Code code = box.check(); code != Code::ok) return {code, i};
                order_.put(i, box, tree_.grid().place(box));
            }
            order_.sort(2 * tree_.grid().levels());
            return {tree_.assign(order_, source) ? Code::ok : Code::out_of_memory};
        }

    // Removes everything and keeps the memory.
    void clear() noexcept { tree_.clear(); }

    // --- Queries -----------------------------------------------------------------------------------------

    std::size_t size() const noexcept { return tree_.size(); }
    bool empty() const noexcept { return size() == 0; }
    bool contains(const T& value) const { return contains(box_of(value), value); }
    bool contains(const Box& at, const T& value) const { return static_cast<bool>(locate(at, value)); }

    // Calls `visitor(value)` for every value whose box overlaps this one.
    template <ValueVisitor<T> Visitor>
    Status for_each_overlap(const Box& box, Visitor&& visitor) const {
        if (const Code code = ready_ ? box.check() : status().code; code != Code::ok) return {code};
        tree_.overlapping(box, [&](const auto& element) { return detail::show(visitor, element.value); });
        return {};
    }
    // The same without the values that equal `omitted`: for queries around a value.
    template <ValueVisitor<T> Visitor>
    Status for_each_overlap(const Box& box, Visitor&& visitor, const T& omitted) const {
        return for_each_overlap(box, [&](const T& value) {
            return std::invoke(equal_, value, omitted) || detail::show(visitor, value);
        });
    }
    // Calls `visitor(value, other)` once for every two values whose boxes overlap.
    template <ValueVisitor<T, T> Visitor>
    Status for_each_pair(Visitor&& visitor) {
        if (!ready_) return status();
        return pairs_.find(tree_, [&](const auto& element, const auto& other) {
            return detail::show(visitor, element.value, other.value);
        });
    }
    // Calls `visitor(value)` for every value, node by node: the cheapest order for a query about each.
    template <ValueVisitor<T> Visitor>
    void for_each_element(Visitor&& visitor) const {
        tree_.walk([&](const auto& visit) {
            return tree_.own(*visit.node,
                             [&](const auto& element) { return detail::show(visitor, element.value); });
        });
    }
    // Calls `visitor(part)` for every node, parents before children.
    template <ValueVisitor<Part> Visitor>
    void for_each_part(Visitor&& visitor) const {
        tree_.walk([&](const auto& visit) {
            return detail::show(visitor, Part{tree_.grid().box(visit.x, visit.y, visit.depth), visit.depth,
                                              visit.node->count, visit.node->leaf()});
        });
    }

    std::size_t bytes() const noexcept { return tree_.bytes() + order_.bytes() + pairs_.bytes(); }
    // Checks the whole structure.
    IndexValidation validate() const noexcept {
        IndexValidation report;
        if (ready_) tree_.validate(report);
        return report;
    }

private:
    template <class>
    friend struct ::throng::structures::IndexInspector;

    static Status check(const Config& config) noexcept {
        const Box& e = config.extents;
        if (e.check() != Code::ok || !(e.min_x < e.max_x || e.min_y < e.max_y))
            return {Code::bad_config, Argument::extents};
        if (config.split_above == 0 || config.max_depth > max_levels)
            return {Code::bad_config, Argument::counts};
        return {};
    }
    Box box_of(const T& value) const noexcept(std::is_nothrow_invocable_r_v<Box, const GetBox&, const T&>) {
        return std::invoke(get_box_, value);
    }
    auto locate(const Box& at, const T& value) const {
        if (at.check() != Code::ok) return typename detail::ObjectTree<T, Float>::Found();
        return tree_.locate(
            at, [&](const T& other) { return static_cast<bool>(std::invoke(equal_, other, value)); });
    }
    template <class Source>
    Status add_value(Source&& value) {
        if (!ready_) return status();
        const Box box = box_of(value);
        if (const Code code = box.check(); code != Code::ok) return {code};
        typename detail::ObjectTree<T, Float>::NodeRef node = 0;
        const bool added =
            tree_.open(tree_.grid().place(box), node) && tree_.add(node, std::forward<Source>(value), box);
        return {added ? Code::ok : Code::out_of_memory};
    }

    detail::Readiness ready_;
    detail::ObjectTree<T, Float> tree_;
    detail::ObjectOrder<Float> order_;
    detail::ObjectPairs<T, Float> pairs_;
    [[no_unique_address]] GetBox get_box_;
    [[no_unique_address]] Equal equal_;
};

}  // namespace throng::structures
