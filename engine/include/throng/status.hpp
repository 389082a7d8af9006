// Failures are values. No function of the library throws, prints, aborts or exits; those that can fail return
// a Status, which says what was wrong and with which element. A failed call leaves the engine or structure as
// it was.
#pragma once

#include <cstddef>
#include <cstdint>

#include "throng/export.hpp"

namespace throng {

enum class Code : std::uint8_t {
    ok,
    not_finite,       // a coordinate is NaN or infinite, or became so when its half extent was added
    inverted,         // a minimum above its maximum: a negative half extent or radius
    unknown_id,       // the id was never in use, or its agent or element was removed
    duplicate_id,     // the same id twice in one call
    size_mismatch,    // sequences that belong together differ in length
    null_view,        // a null pointer with a count above zero
    bad_stride,       // more than one element with a stride that is shorter than a coordinate, or a label
    too_many,         // more than 4,294,967,040, or more than the structure can hold
    edits_pending,    // a bulk update while edits are staged: commit or discard them first
    out_of_memory,    // the memory resource had no more memory
    bad_config,       // a size, count or extent out of range, or an executor with workers but no callback
    unknown_isa,      // THRONG_ISA names no instruction set
    unsupported_isa,  // this machine or build cannot run the requested instruction set
    bad_executor,     // the executor did not run every block exactly once
    visitor_threw,    // a visitor on the executor let an exception escape
    moved_from,       // the engine, layer or structure was moved to another
    too_large,        // an element is larger than the structure allows
    other_row,        // the move would take an element out of its grid row
    bad_shape,        // a polygon that is not convex, or has no corner or too many
};

// A sentence for people. The pointer is always valid.
THRONG_API const char* describe(Code code) noexcept;

struct [[nodiscard]] Status {
    static constexpr std::size_t no_index = static_cast<std::size_t>(-1);

    Code code = Code::ok;
    // The offending element of the call's input, counted from zero (the lowest, if there are several);
    // `no_index` if no single element is at fault.
    std::size_t index = no_index;

    bool ok() const noexcept { return code == Code::ok; }
    explicit operator bool() const noexcept { return ok(); }
    const char* message() const noexcept { return describe(code); }
    friend bool operator==(const Status&, const Status&) = default;
};

}  // namespace throng
