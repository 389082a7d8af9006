// The common interface of all structures in this directory, as concepts. A host can exchange one structure
// for another, and tests, fuzzers and benchmarks treat them all alike.
//
//     Index::Config config = Index::recommended({.extents = world, .elements = 100'000, .typical_size = 1});
//     Index index(config);
//     status = index.insert(box, id);                                  // `id` is the structure's to choose
//     status = index.move(id, elsewhere);
//     status = index.for_each_overlap(box, [&](ElementId id) { ... });          // what overlaps this box
//     status = index.for_each_overlap(box, [&](ElementId other) { ... }, id);   // and is not this one
//     status = index.for_each_pair([&](Pair pair) { ... });            // every two that overlap, once
//     index.clean_up();                                           // once a frame, after all edits
//
// If everything moves in every frame, `assign(boxes)` is usually faster than a `move` for each, up to four
// times: it rebuilds the structure, and element i of the arrays gets the id i. It also orders elements in
// memory as they lie in space, so fill a structure by `assign` rather than by many insertions: trees and the
// loose grid filled one by one, in random order, take up to four times as long for all pairs of a million
// (structures/docs/choosing.md).
//
// Edits are immediate: the next query sees them. The engine (engine.hpp) works in frames instead; it is
// faster wherever all elements move, uses all threads, and its frames may be queried while the next one is
// built.
//
// Ids are indices from a free list (throng/structures/containers/free_list.hpp): small, and reused after a
// removal. A host keeps its own data of an element in an array, by that index.
//
// Any float is a legal input. A box with a NaN or an infinity, or with a minimum above its maximum, is
// refused with a status, as element and as query, and nothing changes. Boxes are closed: those that touch
// overlap. Elements outside a structure's extents are found like any others; if there are many, queries near
// them take longer.
//
// In the worst worlds most elements share a cell or leaf, because the extents are far too large (stretched by
// one element light years away) or lie elsewhere. Then a query tests every element there: four times as many
// elements take sixteen times as long. So leave outliers out of the extents: elements outside cost nothing
// while they are few. Each header says how much longer its structure takes than in a crowd if 20,000 elements
// share a cell or leaf, and what else is bad for it; structures/docs/choosing.md has all figures. A
// StaticIndex has no extents, and no such worlds.
//
// If the configuration is illegal (such as extents that were not set, which are a point), or there is no
// memory for the structure, `status` reports it, and every edit and query is refused with that status. A
// structure that was moved from has no elements, and the status `moved_from` until another is assigned to it.
//
// An element is found by the same arithmetic that placed it. So a structure may be made under any
// floating-point rounding mode, with subnormal numbers flushed to zero or not, but all threads must then use
// it under that mode, an executor's threads too, until `assign` replaces all elements. Under another mode
// edits are refused with `other_rounding`, `clean_up` does nothing, and queries may miss elements.
//
// Threads: one may write (edit, clean up, or call `for_each_pair`, which may use scratch memory of the
// structure), or any number may call `for_each_overlap`. Only a visitor may throw. Memory comes from the
// given resource (null is the global heap); if there is none, the status is out_of_memory and the elements
// are as they were. Whatever varies from frame to frame gets headroom when it grows (detail/headroom.hpp), so
// a crowd of constant size never allocates again, however it moves. A crowd that gathers, or becomes larger,
// may still allocate.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"
#include "throng/structures/detail/names.hpp"

namespace throng::structures {

using ElementId = AgentId;
inline constexpr ElementId no_element = 0xFFFFFFFFu;

// The expected content of a structure. None of it is a limit, unless a structure says so, as UniformGrid does
// for the largest size.
struct Expected {
    // The area of the elements: set it, since most structures divide nothing else. Unset extents are a point,
    // and the configuration is refused with `bad_config`.
    Box extents = {};
    std::size_t elements = 0;  // their approximate number
    float typical_size = 1;    // the longer side of most elements
    float largest_size = 1;    // the longer side of all elements but the oversized ones
};

// A node or cell of a structure, for drawing.
struct Part {
    Box box;
    std::uint32_t depth = 0;     // 0 is the coarsest
    std::uint32_t elements = 0;  // in this part itself; an element in several parts counts in each
    bool leaf = true;            // whether it holds elements rather than other parts
};

// Result of validate(). Faults mean that memory was corrupted from outside.
struct IndexValidation {
    std::uint64_t faults = 0;
    // The first fault, in words, and the element, node or cell at which it was found.
    const char* what = "nothing";
    std::size_t where = 0;

    bool sound() const noexcept { return faults == 0; }
    explicit operator bool() const noexcept { return sound(); }
    void note(const char* fault, std::size_t at) noexcept {
        if (faults++ == 0) what = fault, where = at;
    }
};

namespace detail {
struct AnyIdVisitor {
    void operator()(ElementId) const {}
};
struct AnyPairVisitor {
    void operator()(Pair) const {}
};
struct AnyPartVisitor {
    void operator()(const Part&) const {}
};
}  // namespace detail

// Built in bulk and queried. `for_each_element` visits every element once, in the cheapest order for a query
// about each: see leaf_order.hpp. `box(id)` is the box by which the structure answers for an element: the
// given one, or one that encloses it. Of an unknown id it is `no_box`. A structure of the second kind has a
// `static constexpr bool answers_are_candidates = true`: its host filters the answers against the true boxes.
template <class Index>
concept SpatialIndex = std::is_constructible_v<Index, const typename Index::Config&, MemoryResource*> &&
    std::movable<Index> && requires(Index index, const Index& constant, const Box& box, const Boxes& boxes,
                                    ElementId id, const Expected& expected) {
    { Index::recommended(expected) } -> std::same_as<typename Index::Config>;
    { constant.status() } -> std::same_as<Status>;
    { index.assign(boxes) } -> std::same_as<Status>;
    { index.clear() }
    noexcept->std::same_as<void>;
    { constant.size() } -> std::same_as<std::size_t>;
    { constant.contains(id) } -> std::same_as<bool>;
    { constant.box(id) } -> std::same_as<Box>;
    { constant.for_each_overlap(box, detail::AnyIdVisitor{}) } -> std::same_as<Status>;
    { constant.for_each_overlap(box, detail::AnyIdVisitor{}, id) } -> std::same_as<Status>;
    { index.for_each_pair(detail::AnyPairVisitor{}) } -> std::same_as<Status>;
    { constant.for_each_element(detail::AnyIdVisitor{}) } -> std::same_as<void>;
    { constant.for_each_part(detail::AnyPartVisitor{}) } -> std::same_as<void>;
    { constant.bytes() } -> std::same_as<std::size_t>;
    { constant.validate() } -> std::same_as<IndexValidation>;
};

template <class Index>
inline constexpr bool answers_are_candidates = false;
template <SpatialIndex Index>
    requires requires { Index::answers_are_candidates; }
inline constexpr bool answers_are_candidates<Index> = Index::answers_are_candidates;

// Edited element by element as well. `clean_up` is the deferred part of edits, for the end of a frame: it
// frees what is empty and tightens bounds that have grown. Answers do not depend on it, but queries take
// longer without it.
template <class Index>
concept DynamicSpatialIndex = SpatialIndex<Index> &&
    requires(Index index, const Box& box, ElementId id, ElementId& out) {
    { index.insert(box, out) } -> std::same_as<Status>;
    { index.move(id, box) } -> std::same_as<Status>;
    { index.remove(id) } -> std::same_as<Status>;
    { index.clean_up() }
    noexcept->std::same_as<void>;
};

// With a clean-up that can be spread over frames: `clean_up(budget)` visits at most `budget` nodes or cells,
// and the next call continues from there. Returns true once a full pass is complete.
template <class Index>
concept SpreadsCleanUp = DynamicSpatialIndex<Index> && requires(Index index, std::size_t budget) {
    { index.clean_up(budget) }
    noexcept->std::same_as<bool>;
};

}  // namespace throng::structures
