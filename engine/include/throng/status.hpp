// Failures are values. No function of the library throws, prints, aborts or exits; those that can fail return
// a Status, which says what was wrong and with which element. A failed call leaves the engine or structure as
// it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/export.hpp"

namespace throng {

enum class Code : std::uint8_t {
    ok,
    not_finite,     // a coordinate is NaN, infinite, or too large for a float: as a double, or when its half
                    // extent was added; an edge of a band of heights is NaN
    inverted,       // a minimum above its maximum: a negative half extent or radius
    unknown_id,     // the id was never in use, or its agent or element was removed
    duplicate_id,   // the same id twice in one call
    size_mismatch,  // sequences that belong together differ in length
    null_view,      // a null pointer with a count above zero
    bad_stride,     // more than one element with a stride that is shorter than a coordinate, or a label
    too_many,  // more than 4,294,967,040, or than the structure can hold; an id that is not below that. Less
               // where sizes have 32 bits: docs/semantics.md
    edits_pending,    // a bulk update while edits are staged: commit or discard them first
    out_of_memory,    // the memory resource had no more memory for what the call needs
    bad_config,       // a size, count or extent out of range, an executor with workers but no callback, or
                      // options that do not go together or with the call
    unknown_isa,      // no instruction set has that name, or THRONG_ISA has none
    unsupported_isa,  // this machine or build cannot run the requested instruction set
    bad_executor,     // the executor did not run every block exactly once
    visitor_threw,    // a visitor on the executor let an exception escape
    moved_from,       // the engine, layer or structure was moved to another
    too_large,        // an element is larger than the structure allows, or a query goes too often around a
                      // world that wraps around
    other_row,        // the move would take an element out of its grid row
    bad_shape,        // a polygon that is not convex, or has no corner or too many
    other_rounding,   // an edit of a structure by a thread that rounds, or flushes subnormal numbers,
                      // otherwise than the one that made it or assigned to it last
    cancelled,        // the host wanted the call to end: Executor::cancelled
    bad_plan,         // bytes that are no plan, or one of an engine that is configured otherwise, or of
                      // another version of plans
};

// Which argument of the call was wrong, where it has several that could be.
enum class Argument : std::uint8_t {
    any,      // the call says it: it has no other, or the fault is in none
    boxes,    // boxes, shapes, points or casts
    ids,      // ids of agents, or the place for new ones
    labels,   // of agents or elements
    filters,  // of queries
    radii,    // those of Within or Nearest, or the Radii of casts
    output,   // memory for answers
    options,  // what is asked for: Within, Nearest, a KeptNeighbourhood or a PairQuery
    // With bad_config, which option of a configuration:
    extents,       // of a structure's world
    cell_size,     // of cells or rows
    element_size,  // common_size, largest_size, largest_common
    counts,        // columns, rows, depths, and how many a leaf may hold
    executor,      // one with workers and no callback
    // Or which member of Within or Nearest, by its name:
    count,
    agents_as,
    half,
    either_reaches,
    in_row_order,
    queries,  // boxes or points that are asked about, in calls that are given the agents' boxes too
    // Of folds:
    lists,    // offsets, places and ids of lists, or pairs
    values,   // columns
    weights,  // of the values
    owned,    // that number of UpdateOptions
    // With bad_config: a period that is none, or two frames whose worlds do not wrap around alike.
    period,
    heights,  // of agents or elements, or the band of a filter
};

// A sentence for people. The pointer is always valid. With an argument it says which one, where that is not
// clear.
THRONG_API const char* describe(Code code) noexcept;
THRONG_API const char* describe(Code code, Argument argument) noexcept;

struct [[nodiscard]] Status {
    static constexpr std::size_t no_index = static_cast<std::size_t>(-1);

    Code code = Code::ok;
    // Where the offending element is, or what was null or of another length.
    Argument argument = Argument::any;
    // The offending element of the call's input, counted from zero (the lowest, if there are several);
    // `no_index` if no single element is at fault.
    std::size_t index = no_index;

    constexpr Status() noexcept = default;
    constexpr Status(Code what, std::size_t element = no_index,  // NOLINT(google-explicit-constructor)
                     Argument where = Argument::any) noexcept
        : code(what), argument(where), index(element) {}
    constexpr Status(Code what, Argument where) noexcept : code(what), argument(where) {}

    constexpr bool ok() const noexcept { return code == Code::ok; }
    constexpr explicit operator bool() const noexcept { return ok(); }
    const char* message() const noexcept { return describe(code, argument); }
    // The argument explains a status, and is no part of its value.
    friend constexpr bool operator==(const Status& one, const Status& other) noexcept {
        return one.code == other.code && one.index == other.index;
    }
    // Whether it is of that kind, whatever the index.
    friend constexpr bool operator==(const Status& status, Code what) noexcept { return status.code == what; }
};

// The sentence together with the index, such as "a radius is not a finite number (index 17)". Writes as
// much as fits, with a terminating zero, and returns the length of the whole text.
//
//     char text[128];
//     describe(status, text);
THRONG_API std::size_t describe(const Status& status, std::span<char> text) noexcept;

}  // namespace throng
