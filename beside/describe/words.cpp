// The sentence for each code, and texts with numbers.

#include <charconv>
#include <cmath>
#include <cstring>

#include "throng/reports.hpp"
#include "throng/status.hpp"
#include "throng/version.hpp"

namespace throng {

const char* describe(Code code) noexcept {
    switch (code) {
    case Code::ok: return "ok";
    case Code::not_finite: return "a coordinate is NaN, infinite, or too large for a float";
    case Code::inverted: return "a box has a minimum above its maximum, or a negative half extent or radius";
    case Code::unknown_id: return "there is no such agent or element";
    case Code::duplicate_id: return "the same agent is named twice in one call";
    case Code::size_mismatch:
        return "sequences that belong together differ in length, or there is not one box for each element";
    case Code::bad_stride: return "the stride is shorter than one element";
    case Code::null_view: return "a null pointer was given for a sequence that is not empty";
    case Code::too_many: return "more agents or elements than there may be";
    case Code::edits_pending: return "edits are staged: commit or discard them before a bulk update";
    case Code::out_of_memory: return "the memory resource has no more memory";
    case Code::bad_config:
        return "the configuration is not legal: a size, a number or extents out of range, or an executor "
               "with workers but without a callback";
    case Code::unknown_isa: return "no instruction set has the name that was given, or that THRONG_ISA has";
    case Code::unsupported_isa: return "this machine or this build cannot run the requested instruction set";
    case Code::bad_executor: return "the executor did not run every block exactly once";
    case Code::visitor_threw: return "a visitor let an exception escape";
    case Code::moved_from: return "the engine, layer or structure was moved from";
    case Code::too_large: return "an element is larger than the structure was made for";
    case Code::other_row: return "the element would leave its row";
    case Code::bad_shape: return "a polygon is not convex, or has no corner or more than 32";
    case Code::other_rounding:
        return "this thread rounds or flushes subnormal numbers otherwise than the one that placed the "
               "elements";
    case Code::cancelled: return "the host wanted the call to end";
    case Code::bad_plan:
        return "the bytes are no plan, or one of an engine with another configuration or of another version";
    }
    return "unknown code";
}

namespace {

// A sentence for a code with one argument, if that says more than the code.
struct OfArgument {
    Code code;
    Argument argument;
    const char* words;
};
constexpr OfArgument of_arguments[] = {
    {Code::size_mismatch, Argument::boxes,
     "the arrays of the boxes, or of what stands for them, differ in length"},
    {Code::size_mismatch, Argument::queries, "the arrays of the queries differ in length"},
    {Code::size_mismatch, Argument::ids, "there are more or fewer ids than needed"},
    {Code::size_mismatch, Argument::labels,
     "there is not one label for each box, or the arrays of labels differ in length"},
    {Code::size_mismatch, Argument::heights,
     "there is not one height for each box, or the arrays of heights differ in length"},
    {Code::size_mismatch, Argument::filters, "there is not one filter for each query"},
    {Code::size_mismatch, Argument::radii, "there is not one radius for each agent, point or cast"},
    {Code::size_mismatch, Argument::output,
     "the memory for the answers is too short, or offsets are more than needed"},
    {Code::size_mismatch, Argument::lists,
     "the offsets of lists run back or beyond the ids, or places are not one for each list"},
    {Code::size_mismatch, Argument::values, "there is no column of values, or a count has one"},
    {Code::size_mismatch, Argument::weights,
     "there is not one weight for each id of the lists, or for each pair"},
    {Code::null_view, Argument::boxes, "the boxes, or what stands for them, are a null pointer with a count"},
    {Code::null_view, Argument::queries, "the queries are a null pointer with a count"},
    {Code::null_view, Argument::ids, "the ids are a null pointer with a count"},
    {Code::null_view, Argument::labels, "the labels are a null pointer with a count"},
    {Code::null_view, Argument::heights, "the heights are a null pointer with a count"},
    {Code::null_view, Argument::filters, "the filters are a null pointer with a count"},
    {Code::null_view, Argument::radii, "the radii are a null pointer with a count"},
    {Code::null_view, Argument::output, "the memory for the answers is a null pointer with a count"},
    {Code::null_view, Argument::lists, "the lists or pairs are a null pointer with a count"},
    {Code::null_view, Argument::values, "the values are a null pointer with a count"},
    {Code::null_view, Argument::weights, "the weights are a null pointer with a count"},
    {Code::bad_stride, Argument::boxes, "the stride of the boxes, or of what stands for them, is too short"},
    {Code::bad_stride, Argument::queries, "the stride of the queries is too short"},
    {Code::bad_stride, Argument::labels, "the stride of the labels is too short"},
    {Code::bad_stride, Argument::heights, "the stride of the heights is too short"},
    {Code::bad_stride, Argument::radii, "the stride of the radii is too short"},
    {Code::bad_stride, Argument::values, "the stride of the values is too short"},
    {Code::bad_stride, Argument::weights, "the stride of the weights is too short"},
    {Code::bad_stride, Argument::output, "the stride of the results is too short"},
    {Code::bad_config, Argument::extents, "the extents are a point, were never set, or are not a legal box"},
    {Code::bad_config, Argument::cell_size, "the size of cells or rows is out of range"},
    {Code::bad_config, Argument::element_size,
     "the size of common or of the largest elements is out of range"},
    {Code::bad_config, Argument::counts,
     "a number of columns or rows, a depth or a number of elements in a leaf is out of range"},
    {Code::bad_config, Argument::executor, "the executor has workers and no callback"},
    {Code::bad_config, Argument::output, "agents and elements have one object for both their answers"},
    {Code::bad_config, Argument::count, "the option count is zero or above 64"},
    {Code::bad_config, Argument::agents_as, "the option agents_as cannot be that here"},
    {Code::bad_config, Argument::half,
     "half goes with neither with_self, nor agents as boxes, points, another frame, or radii in row order"},
    {Code::bad_config, Argument::either_reaches,
     "either_reaches goes with neither agents as boxes, nor points, another frame, or radii in row order"},
    {Code::bad_config, Argument::in_row_order, "the option in_row_order does not go with points"},
    {Code::bad_config, Argument::weights, "weights go with a sum or a mean alone"},
    {Code::bad_config, Argument::owned,
     "more agents are owned than there are boxes, or the boxes of a call that is no update have ghosts"},
    {Code::bad_config, Argument::heights, "the boxes of a call that takes no heights have some"},
    {Code::bad_config, Argument::period,
     "the period is not zero or between 1e-30 and 1e30, or the worlds of two frames do not wrap around "
     "alike"},
    {Code::inverted, Argument::radii, "a radius is negative"},
    {Code::inverted, Argument::heights, "a band of heights has a minimum above its maximum"},
    {Code::inverted, Argument::options, "a radius, a skin or a distance that is asked for is negative"},
    {Code::inverted, Argument::queries, "a query has a minimum above its maximum or a negative half extent"},
    {Code::inverted, Argument::boxes,
     "a box has a minimum above its maximum or a negative half extent, or a shape a negative radius"},
    {Code::not_finite, Argument::radii, "a radius is not a finite number"},
    {Code::not_finite, Argument::heights, "an edge of a band of heights is NaN"},
    {Code::not_finite, Argument::options,
     "a radius, a skin or a distance that is asked for is not a finite number"},
    {Code::not_finite, Argument::queries,
     "a coordinate of a query is NaN, infinite, or too large for a float"},
    {Code::too_many, Argument::ids, "an id is larger than any may be"},
    {Code::unknown_id, Argument::lists, "there is no value for an id in the lists or pairs"},
    {Code::too_large, Argument::boxes, "a shape or a cast goes around the world more than sixteen times"},
};

}  // namespace

const char* describe(Code code, Argument argument) noexcept {
    for (const OfArgument& each : of_arguments)
        if (each.code == code && each.argument == argument) return each.words;
    return describe(code);
}

const char* describe(TuningReason reason) noexcept {
    switch (reason) {
    case TuningReason::nothing_to_fit: return "there are no agents yet";
    case TuningReason::set_by_host: return "the host fixed the cell";
    case TuningReason::few: return "there are so few agents that all are compared with all";
    case TuningReason::sizes: return "cells fit the common agent, rows are as high as the crowding allows";
    case TuningReason::sparse:
        return "agents are far apart, so cells grew until they were about as many as agents";
    case TuningReason::islands:
        return "agents stand in a few crowded spots, so each of those got a grid of its own";
    case TuningReason::all_oversized:
        return "cells would hold few agents, so all are in a tree and not on a grid";
    }
    return "unknown reason";
}

const char* describe(Fault fault) noexcept {
    switch (fault) {
    case Fault::none: return "none";
    case Fault::row_table_size: return "the row table does not have the grid's size";
    case Fault::row_capacity: return "a row's arrays are too small or in the wrong place";
    case Fault::cells_not_ascending: return "a row's cells do not begin in ascending order";
    case Fault::cells_do_not_end_at_count: return "a row's cells do not end with its agents";
    case Fault::padding_not_nan: return "the padding behind a row's agents is a number";
    case Fault::box_not_finite: return "an agent's box is not finite";
    case Fault::box_inverted: return "an agent's box is inverted";
    case Fault::agent_in_wrong_row: return "an agent is in a row that is not its own";
    case Fault::agent_in_wrong_cell: return "an agent is in a cell that is not its own";
    case Fault::agents_out_of_order: return "the agents of a cell are not ordered by id";
    case Fault::id_out_of_range: return "an id was never handed out";
    case Fault::id_twice: return "an id occurs twice";
    case Fault::common_size_too_small: return "an agent is larger than the reach of searches";
    case Fault::oversized_in_cell: return "an oversized agent is among the common ones";
    case Fault::common_among_oversized: return "a common agent is among the oversized ones";
    case Fault::oversized_list_differs: return "the frame's list of oversized agents differs from its rows'";
    case Fault::island_unsound: return "the bounds, the rows or the tile of an island do not fit its agents";
    case Fault::oversized_tree_unsound: return "the tree over the oversized agents does not fit them";
    case Fault::stretches_differ: return "categories noted for stretches differ from the rows";
    case Fault::heights_differ: return "an agent lacks heights that all are said to share";
    case Fault::agent_count: return "the frame's number of agents differs from its rows'";
    case Fault::locator_differs: return "the engine's note of an agent's cell differs from its row's";
    case Fault::id_table_differs: return "the engine's note of the ids in use differs from the rows'";
    case Fault::store_reference: return "a row lies in memory that the store does not hold for it";
    case Fault::height_not_legal: return "an agent's band of heights is NaN or inverted";
    case Fault::ghosts_differ: return "the frame's note of its ghosts does not fit its agents";
    }
    return "unknown fault";
}

// Not header_version, which is one object in the whole program and might be the host's.
Version library_version() noexcept {
    return {THRONG_VERSION_MAJOR, THRONG_VERSION_MINOR, THRONG_VERSION_PATCH};
}

// --- Texts with numbers, written into the memory of the caller ---

namespace {

// Writes what fits, and counts all of it.
class Text {
public:
    explicit Text(std::span<char> out) noexcept : out_(out) {}
    Text& operator<<(const char* words) noexcept {
        put(words, std::strlen(words));
        return *this;
    }
    Text& operator<<(std::uint64_t number) noexcept {
        char digits[24];
        put(digits,
            static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, number).ptr - digits));
        return *this;
    }
    // Four digits, as printf's %.4g. Older standard libraries have no to_chars for floats.
    Text& operator<<(float number) noexcept {
        if (number < 0) *this << "-";
        double scaled = std::abs(double{number});
        if (!std::isfinite(scaled)) return *this << "inf";
        if (scaled == 0) return *this << "0";
        int exponent = 3;
        for (; scaled >= 9999.5; ++exponent) scaled /= 10;
        for (; scaled < 999.95; --exponent) scaled *= 10;
        put_digits(static_cast<std::uint32_t>(scaled + 0.5), exponent);
        return *this;
    }
    std::size_t finish() noexcept {
        if (!out_.empty()) out_[length_ < out_.size() ? length_ : out_.size() - 1] = '\0';
        return length_;
    }

private:
    // `number` has four digits; the first one counts 10^exponent. Zeros at the end are left out.
    void put_digits(std::uint32_t number, int exponent) noexcept {
        char digits[4] = {};
        int count = 4;
        for (int i = 4; i-- != 0; number /= 10) {
            digits[i] = static_cast<char>('0' + number % 10);
            if (i == count - 1 && i != 0 && digits[i] == '0') --count;
        }
        const bool scientific = exponent < -4 || exponent >= 4;
        const int point = scientific ? 0 : exponent;  // behind this digit
        if (point < 0) put("0.000", static_cast<std::size_t>(1 - point));
        for (int i = 0; i < count || i <= point; ++i) {
            if (i == point + 1 && point >= 0) put(".", 1);
            put(i < count ? digits + i : "0", 1);
        }
        if (!scientific) return;
        *this << (exponent < 0 ? "e-" : "e+") << (std::abs(exponent) < 10 ? "0" : "")
              << static_cast<std::uint64_t>(std::abs(exponent));
    }
    void put(const char* words, std::size_t count) noexcept {
        for (std::size_t i = 0; i < count; ++i, ++length_)
            if (length_ < out_.size()) out_[length_] = words[i];
    }

    std::span<char> out_;
    std::size_t length_ = 0;
};

void describe_grid(const Tuning& t, Text& out) noexcept {
    out << std::uint64_t{t.columns} << " x " << std::uint64_t{t.rows} << " cells of " << t.cell_width << " x "
        << t.row_height;
    if (t.islands != 0) out << ", and " << std::uint64_t{t.islands} << " islands with cells of their own";
    out << ": " << describe(t.reason) << "; " << t.oversized << " agents larger than " << t.common_width
        << " x " << t.common_height << " are kept beside the grid";
}

}  // namespace

std::size_t describe(const Status& status, std::span<char> text) noexcept {
    Text out(text);
    out << status.message();
    if (status.index != Status::no_index) out << " (index " << std::uint64_t{status.index} << ")";
    return out.finish();
}

std::size_t describe(const BuildInfo& info, std::span<char> text) noexcept {
    Text out(text);
    const auto put = [&out](int number) { out << static_cast<std::uint64_t>(number); };
    out << "Throng ";
    put(info.version.major);
    out << ".";
    put(info.version.minor);
    out << ".";
    put(info.version.patch);
    out << ", " << info.compiler;
    if (info.has_tbb)
        out << ", oneTBB " << info.tbb_version;
    else
        out << ", without oneTBB";
    out << ", kernels for ";
    const char* between = "";
    for (const Isa isa : info.instruction_sets) {
        out << between << to_string(isa);
        between = ", ";
    }
    return out.finish();
}

std::size_t describe(const Tuning& t, std::span<char> text) noexcept {
    Text out(text);
    if (t.reason == TuningReason::nothing_to_fit || t.reason == TuningReason::few) {
        out << describe(t.reason);
        return out.finish();
    }
    if (t.reason == TuningReason::all_oversized)
        out << describe(t.reason);
    else
        describe_grid(t, out);
    return out.finish();
}

}  // namespace throng
