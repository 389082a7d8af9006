// Failures are values: no function throws, prints, aborts or exits. A function that can fail returns a
// Status: what was wrong, and with which element. A failed call leaves the engine or structure as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "throng/export.hpp"

namespace throng {

enum class Code : std::uint8_t {
    ok,
    not_finite,     // a coordinate is NaN, infinite, or too large for a float: as a double, or with its half
                    // extent added; or an edge of a band of heights is NaN
    inverted,       // a minimum above its maximum: a negative half extent or radius
    unknown_id,     // the id was never in use, or its agent or element was removed
    duplicate_id,   // the same id twice in one call
    size_mismatch,  // sequences that belong together differ in length
    null_view,      // a null pointer with a count above zero
    bad_stride,     // several elements with a stride that is shorter than a coordinate or a label
    too_many,  // more than 4,294,967,040, or than the structure can hold; or an id that is that large. The
               // limit is lower where sizes have 32 bits: docs/semantics.md
    edits_pending,  // a bulk update while edits are staged: commit or discard them first
    out_of_memory,  // the memory resource had no more memory for what the call needs
    bad_config,  // a size, count or extent out of range, an executor with workers but no callback, or options
                 // that do not go together or with the call
    unknown_isa,      // no instruction set has that name, or THRONG_ISA has none
    unsupported_isa,  // this machine or build cannot run the requested instruction set
    bad_executor,     // the executor did not run every block exactly once
    visitor_threw,    // a visitor on the executor let an exception escape
    moved_from,       // the engine, layer or structure was moved to another
    too_large,  // an element is larger than the structure allows, or a query goes too often around a world
                // that wraps around
    other_row,  // the move would take an element out of its grid row
    bad_shape,  // a polygon that is not convex, or has no corner or too many
    other_rounding,  // a thread edits a structure, but rounds or flushes subnormal numbers otherwise than the
                     // thread that made it or last assigned to it
    cancelled,       // the host stopped the call: Executor::cancelled
    bad_plan,  // the bytes are no plan, or one of an engine with another configuration, or of another version
               // of plans
};

// Which argument of the call was wrong, if several could be.
enum class Argument : std::uint8_t {
    any,      // clear from the call, or no argument is at fault
    boxes,    // boxes, shapes, points or casts
    ids,      // ids of agents, or the place for new ones
    labels,   // of agents or elements
    filters,  // of queries
    radii,    // the radii of Within or Nearest, or the Radii of casts
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
    queries,  // boxes or points that are asked about, in calls that also take the agents' boxes
    // Of folds:
    lists,    // offsets, places and ids of lists, or pairs
    values,   // columns
    weights,  // of the values
    owned,    // the number in UpdateOptions
    // With bad_config: a period out of range, or two frames whose worlds do not wrap around alike.
    period,
    heights,  // of agents or elements, or the band of a filter
};

// A sentence for people; never null. With an argument it says which one, if that is not clear.
THRONG_API const char* describe(Code code) noexcept;
THRONG_API const char* describe(Code code, Argument argument) noexcept;

struct [[nodiscard]] Status {
    static constexpr std::size_t no_index = static_cast<std::size_t>(-1);

    Code code = Code::ok;
    // Where the element at fault is, or what was null or of another length.
    Argument argument = Argument::any;
    // The element at fault, counted from zero in the call's input; the lowest, if there are several.
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
    // The argument explains a status, and does not count in comparisons.
    friend constexpr bool operator==(const Status& one, const Status& other) noexcept {
        return one.code == other.code && one.index == other.index;
    }
    // Whether it has that code, whatever the index.
    friend constexpr bool operator==(const Status& status, Code what) noexcept { return status.code == what; }
};

// The sentence together with the index, such as "a radius is not a finite number (index 17)". Writes as much
// as fits, with a terminating zero, and returns the length of the whole text.
//
//     char text[128];
//     describe(status, text);
THRONG_API std::size_t describe(const Status& status, std::span<char> text) noexcept;

}  // namespace throng
