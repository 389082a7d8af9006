// What all the structures in this directory have in common, as concepts: so that a host can exchange one for
// another, and so that the tests, the fuzzers and the benchmarks treat them all alike.
//
//     Index::Config config = Index::recommended({.extents = world, .elements = 100'000, .typical_size = 1});
//     Index index(config);
//     status = index.insert(box, id);                                  // `id` is the structure's to choose
//     status = index.move(id, elsewhere);
//     status = index.for_each_overlap(box, [&](ElementId id) { ... });          // what overlaps this box
//     status = index.for_each_overlap(box, [&](ElementId other) { ... }, id);   // and is not this one
//     status = index.for_each_pair([&](Pair pair) { ... });            // every two that overlap, once
//     index.clean_up();                                           // once a frame, when everybody has moved
//
// Where everything moves in every frame, `assign(boxes)` is mostly faster than a `move` for each, up to four
// times: it makes the structure anew, with element i of the arrays as the element with the id i. It also lays
// elements out in memory as they lie in space, so fill a structure by `assign` and not by many insertions:
// trees and the loose grid that were filled one by one, in random order, take up to four times as long for
// all pairs of a million (docs/choosing.md).
//
// These are immediate: an edit is made when it is asked for, and seen by the next query. The engine
// (engine.hpp) works in frames instead; it is faster wherever all elements move, uses all threads, and its
// frames may be asked while the next is made.
//
// Ids are handed out as indices, as an indexed free list does (free_list.hpp): small, and used again after a
// removal. A host keeps what it knows of an element in an array of its own, by that index.
//
// Any float is a legal input. A box with a NaN or an infinity, or with a minimum above its maximum, is
// refused with a status, as element and as query, and nothing has changed. Boxes touch with their
// edges. Elements outside of a structure's extents are found like any others; if there are many,
// queries near them take longer.
//
// A structure whose configuration was not legal, or for which there was no memory, has a `status` that says
// so, and refuses every edit and query with it.
//
// An element is found again by the arithmetic that put it where it is. So a structure may be made under any
// floating-point rounding mode, and whether subnormal numbers are flushed to zero or not, but it has to be
// used under the same from then on, by all threads.
//
// Threads: one may write (edit, clean up, or ask for all pairs, which may use memory that the structure keeps
// for it), or any number may ask `overlaps`. Nothing throws, but what a visitor throws itself. Memory comes
// from the given resource (null is the global heap), and where there is none the answer is out_of_memory and
// the elements are as they were. A structure that has grown to what its work takes allocates nothing more:
// whatever varies from frame to frame gets headroom when it grows (detail/headroom.hpp), so a crowd may go on
// for ever without doing the same twice. A crowd that gathers, or that becomes larger, still grows what it
// needs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include "throng/boxes.hpp"
#include "throng/geometry.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng {

using ElementId = AgentId;
inline constexpr ElementId no_element = 0xFFFFFFFFu;

// What a structure is to be ready for. Nothing of it is a limit, unless a structure says so, as
// UniformGrid does of the largest size.
struct Expected {
    Box extents;               // where the elements are: say it, since most structures divide nothing else
    std::size_t elements = 0;  // how many, about
    float typical_size = 1;    // the longer side of most
    float largest_size = 1;    // the longer side of all but the giants
};

// One of the nodes or cells that a structure is made of, for drawing it.
struct Part {
    Box box;
    std::uint32_t depth = 0;     // 0 is the coarsest
    std::uint32_t elements = 0;  // in this part itself; one that is in several parts counts in each
    bool leaf = true;            // whether elements are kept in it, or other parts
};

// What is wrong inside of a structure; nothing, unless its memory was written to by somebody else.
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

// Built at once and asked. `for_each_element` visits every element once, in the order in which it is
// cheapest to ask about one after the other: see leaf_order.hpp. `box(id)` is the box that the
// structure keeps for an element, by which it answers: the one it was given, or one that encloses it. A
// structure of the second kind says so by a `static constexpr bool answers_are_candidates = true`: its
// host looks at the true boxes itself.
template <class Index>
concept SpatialIndex = std::is_constructible_v<Index, const typename Index::Config&, MemoryResource*> &&
    std::movable<Index> && requires(Index index, const Index& asked, const Box& box, const Boxes& boxes,
                                    ElementId id, const Expected& expected) {
    { Index::recommended(expected) } -> std::same_as<typename Index::Config>;
    { asked.status() } -> std::same_as<Status>;
    { index.assign(boxes) } -> std::same_as<Status>;
    { index.clear() }
    noexcept->std::same_as<void>;
    { asked.size() } -> std::same_as<std::size_t>;
    { asked.contains(id) } -> std::same_as<bool>;
    { asked.box(id) } -> std::same_as<Box>;
    { asked.for_each_overlap(box, detail::AnyIdVisitor{}) } -> std::same_as<Status>;
    { asked.for_each_overlap(box, detail::AnyIdVisitor{}, id) } -> std::same_as<Status>;
    { index.for_each_pair(detail::AnyPairVisitor{}) } -> std::same_as<Status>;
    { asked.for_each_element(detail::AnyIdVisitor{}) } -> std::same_as<void>;
    { asked.for_each_part(detail::AnyPartVisitor{}) } -> std::same_as<void>;
    { asked.bytes() } -> std::same_as<std::size_t>;
    { asked.validate() } -> std::same_as<IndexValidation>;
};

template <class Index>
inline constexpr bool answers_are_candidates = false;
template <SpatialIndex Index>
    requires requires { Index::answers_are_candidates; }
inline constexpr bool answers_are_candidates<Index> = Index::answers_are_candidates;

// Edited element by element as well. `clean_up` is what edits leave for the end of a frame: giving back what
// is empty, and making tight again what has grown. Answers do not depend on it; queries take longer
// without it.
template <class Index>
concept DynamicSpatialIndex = SpatialIndex<Index> &&
    requires(Index index, const Box& box, ElementId id, ElementId& out) {
    { index.insert(box, out) } -> std::same_as<Status>;
    { index.move(id, box) } -> std::same_as<Status>;
    { index.remove(id) } -> std::same_as<Status>;
    { index.clean_up() }
    noexcept->std::same_as<void>;
};

// Those whose clean-up takes long enough to be spread over frames: `clean_up(budget)` looks at so many nodes
// or cells and goes on from there at the next call; it is true when it has come round.
template <class Index>
concept SpreadsCleanUp = DynamicSpatialIndex<Index> && requires(Index index, std::size_t budget) {
    { index.clean_up(budget) }
    noexcept->std::same_as<bool>;
};

}  // namespace throng
