#include "bindings/c/src/statuses.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

#include "bindings/c/src/structs.hpp"
#include "throng/reports.hpp"
#include "throng/version.hpp"

namespace throng::c_api {

// One list of codes, in two languages.
#define THRONG_SAME_CODE(c_name, name) static_assert(c_name == static_cast<int>(Code::name))
THRONG_SAME_CODE(THRONG_OK, ok);
THRONG_SAME_CODE(THRONG_NOT_FINITE, not_finite);
THRONG_SAME_CODE(THRONG_INVERTED, inverted);
THRONG_SAME_CODE(THRONG_UNKNOWN_ID, unknown_id);
THRONG_SAME_CODE(THRONG_DUPLICATE_ID, duplicate_id);
THRONG_SAME_CODE(THRONG_SIZE_MISMATCH, size_mismatch);
THRONG_SAME_CODE(THRONG_NULL_VIEW, null_view);
THRONG_SAME_CODE(THRONG_BAD_STRIDE, bad_stride);
THRONG_SAME_CODE(THRONG_TOO_MANY, too_many);
THRONG_SAME_CODE(THRONG_EDITS_PENDING, edits_pending);
THRONG_SAME_CODE(THRONG_OUT_OF_MEMORY, out_of_memory);
THRONG_SAME_CODE(THRONG_BAD_CONFIG, bad_config);
THRONG_SAME_CODE(THRONG_UNKNOWN_ISA, unknown_isa);
THRONG_SAME_CODE(THRONG_UNSUPPORTED_ISA, unsupported_isa);
THRONG_SAME_CODE(THRONG_BAD_EXECUTOR, bad_executor);
THRONG_SAME_CODE(THRONG_TOO_LARGE, too_large);
THRONG_SAME_CODE(THRONG_BAD_SHAPE, bad_shape);
THRONG_SAME_CODE(THRONG_OTHER_ROUNDING, other_rounding);
THRONG_SAME_CODE(THRONG_CANCELLED, cancelled);
THRONG_SAME_CODE(THRONG_BAD_PLAN, bad_plan);
#undef THRONG_SAME_CODE
#define THRONG_SAME_ARGUMENT(c_name, name) static_assert(c_name == static_cast<int>(Argument::name))
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_ANY, any);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_BOXES, boxes);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_IDS, ids);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_LABELS, labels);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_FILTERS, filters);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_RADII, radii);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_OUTPUT, output);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_OPTIONS, options);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_EXTENTS, extents);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_CELL_SIZE, cell_size);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_ELEMENT_SIZE, element_size);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_COUNTS, counts);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_EXECUTOR, executor);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_COUNT, count);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_AGENTS_AS, agents_as);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_HALF, half);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_EITHER_REACHES, either_reaches);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_IN_ROW_ORDER, in_row_order);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_QUERIES, queries);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_LISTS, lists);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_VALUES, values);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_WEIGHTS, weights);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_OWNED, owned);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_PERIOD, period);
THRONG_SAME_ARGUMENT(THRONG_ARGUMENT_HEIGHTS, heights);
#undef THRONG_SAME_ARGUMENT
static_assert(THRONG_C_VERSION_MAJOR == THRONG_VERSION_MAJOR &&
              THRONG_C_VERSION_MINOR == THRONG_VERSION_MINOR &&
              THRONG_C_VERSION_PATCH == THRONG_VERSION_PATCH);

namespace {

// What only C can do wrong.
const char* describe_in_c(std::int32_t code, std::int32_t argument) noexcept {
    switch (code) {
    case THRONG_BAD_STRUCT: return "a struct has a size that this library does not know: was it initialised?";
    // Only an environment variable could have named one to the library.
    case THRONG_UNKNOWN_ISA:
        return argument == THRONG_ARGUMENT_ISA ? "no instruction set has the name in the configuration"
                                               : nullptr;
    case THRONG_BAD_VERSION: return "the header is of another major version than the library";
    case THRONG_NULL_POINTER: break;
    default: return nullptr;
    }
    switch (argument) {
    case THRONG_ARGUMENT_HANDLE:
        return "the engine, the frame, or what else the call is for, is a null pointer";
    case THRONG_ARGUMENT_CONFIG: return "the configuration is a null pointer";
    case THRONG_ARGUMENT_MEMORY: return "of the host's two functions for memory one is a null pointer";
    case THRONG_ARGUMENT_OUTPUT: return "the place for the answer is a null pointer";
    case THRONG_ARGUMENT_BOXES: return "the box, the boxes, shapes, points or casts are a null pointer";
    case THRONG_ARGUMENT_LABELS: return "the labels are a null pointer";
    case THRONG_ARGUMENT_OPTIONS: return "the options are a null pointer";
    case THRONG_ARGUMENT_LISTS: return "the links are a null pointer";
    default: return "an argument is a null pointer";
    }
}

bool is_code(std::int32_t code) noexcept { return code >= 0 && code <= static_cast<int>(Code::bad_plan); }

Status status_of(const throng_status_details& details) noexcept {
    const std::size_t index =
        details.index == THRONG_NO_INDEX ? Status::no_index : static_cast<std::size_t>(details.index);
    return {static_cast<Code>(details.code), index, argument(details.argument)};
}

// The library leaves the argument to the code here, since only ids can be unknown or named twice.
Argument argument_of(const Status& status) noexcept {
    const bool is_of_ids = status.code == Code::unknown_id || status.code == Code::duplicate_id;
    return is_of_ids && status.argument == Argument::any ? Argument::ids : status.argument;
}

std::uint64_t copy_text(const char* from, char* text, std::uint64_t room) noexcept {
    std::uint64_t length = 0;
    for (; from[length] != '\0'; ++length)
        if (length + 1 < room) text[length] = from[length];
    if (room != 0) text[length < room ? length : room - 1] = '\0';
    return length;
}

}  // namespace

void write_details(throng_status_details* details, const Status& status) noexcept {
    throng_status_details own = defaults<throng_status_details>();
    own.code = static_cast<std::int32_t>(status.code);
    own.argument = static_cast<std::int32_t>(argument_of(status));
    if (status.index != Status::no_index) own.index = status.index;
    write_sized(own, details);
}

}  // namespace throng::c_api

using namespace throng::c_api;

uint32_t throng_version(void) {
    const throng::Version version = throng::library_version();
    return static_cast<std::uint32_t>(version.major * 1000000 + version.minor * 1000 + version.patch);
}

const char* throng_status_text(int32_t code) {
    if (const char* text = describe_in_c(code, THRONG_ARGUMENT_ANY)) return text;
    return is_code(code) ? throng::describe(static_cast<throng::Code>(code)) : "unknown code";
}

uint64_t throng_status_describe(const throng_status_details* details, char* text, uint64_t room) {
    if (text == nullptr) room = 0;
    throng_status_details own;
    if (!read_sized(details, own)) return copy_text(throng_status_text(THRONG_BAD_STRUCT), text, room);
    if (const char* sentence = describe_in_c(own.code, own.argument)) return copy_text(sentence, text, room);
    if (!is_code(own.code)) return copy_text("unknown code", text, room);
    return throng::describe(status_of(own), std::span<char>(text, static_cast<std::size_t>(room)));
}
