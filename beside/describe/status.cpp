// The sentence for each code.

#include "throng/status.hpp"

#include "throng/reports.hpp"
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

const char* describe_length(Argument argument) noexcept {
    switch (argument) {
    case Argument::boxes: return "the arrays of the boxes, or of what stands for them, differ in length";
    case Argument::queries: return "the arrays of the queries differ in length";
    case Argument::ids: return "there are more or fewer ids than needed";
    case Argument::labels:
        return "there is not one label for each box, or the arrays of labels differ in length";
    case Argument::heights:
        return "there is not one height for each box, or the arrays of heights differ in length";
    case Argument::filters: return "there is not one filter for each query";
    case Argument::radii: return "there is not one radius for each agent, point or cast";
    case Argument::output: return "the memory for the answers is too short, or offsets are more than needed";
    case Argument::lists:
        return "the offsets of lists run back or beyond the ids, or places are not one for each list";
    case Argument::values: return "there is no column of values, or a count has one";
    case Argument::weights: return "there is not one weight for each id of the lists, or for each pair";
    default: break;
    }
    return describe(Code::size_mismatch);
}
const char* describe_null(Argument argument) noexcept {
    switch (argument) {
    case Argument::boxes: return "the boxes, or what stands for them, are a null pointer with a count";
    case Argument::queries: return "the queries are a null pointer with a count";
    case Argument::ids: return "the ids are a null pointer with a count";
    case Argument::labels: return "the labels are a null pointer with a count";
    case Argument::heights: return "the heights are a null pointer with a count";
    case Argument::filters: return "the filters are a null pointer with a count";
    case Argument::radii: return "the radii are a null pointer with a count";
    case Argument::output: return "the memory for the answers is a null pointer with a count";
    case Argument::lists: return "the lists or pairs are a null pointer with a count";
    case Argument::values: return "the values are a null pointer with a count";
    case Argument::weights: return "the weights are a null pointer with a count";
    default: break;
    }
    return describe(Code::null_view);
}
const char* describe_option(Argument option) noexcept {
    switch (option) {
    case Argument::extents: return "the extents are a point, were never set, or are not a legal box";
    case Argument::cell_size: return "the size of cells or rows is out of range";
    case Argument::element_size: return "the size of common or of the largest elements is out of range";
    case Argument::counts:
        return "a number of columns or rows, a depth or a number of elements in a leaf is out of range";
    case Argument::executor: return "the executor has workers and no callback";
    case Argument::output: return "agents and elements have one object for both their answers";
    case Argument::count: return "the option count is zero or above 64";
    case Argument::agents_as: return "the option agents_as cannot be that here";
    case Argument::half:
        return "half goes with neither with_self, nor agents as boxes, points, another frame, or radii in "
               "row "
               "order";
    case Argument::either_reaches:
        return "either_reaches goes with neither agents as boxes, nor points, another frame, or radii in row "
               "order";
    case Argument::in_row_order: return "the option in_row_order does not go with points";
    case Argument::weights: return "weights go with a sum or a mean alone";
    case Argument::owned:
        return "more agents are owned than there are boxes, or the boxes of a call that is no update have "
               "ghosts";
    case Argument::heights: return "the boxes of a call that takes no heights have some";
    case Argument::period:
        return "the period is not zero or between 1e-30 and 1e30, or the worlds of two frames do not wrap "
               "around alike";
    default: return describe(Code::bad_config);
    }
}
const char* describe_element(Code code, Argument argument) noexcept {
    if (argument == Argument::radii)
        return code == Code::inverted ? "a radius is negative" : "a radius is not a finite number";
    if (argument == Argument::heights)
        return code == Code::inverted ? "a band of heights has a minimum above its maximum"
                                      : "an edge of a band of heights is NaN";
    if (argument == Argument::options)
        return code == Code::inverted
                   ? "a radius, a skin or a distance that is asked for is negative"
                   : "a radius, a skin or a distance that is asked for is not a finite number";
    if (argument == Argument::queries)
        return code == Code::inverted ? "a query has a minimum above its maximum or a negative half extent"
                                      : "a coordinate of a query is NaN, infinite, or too large for a float";
    if (argument == Argument::boxes && code == Code::inverted)
        return "a box has a minimum above its maximum or a negative half extent, or a shape a negative "
               "radius";
    return describe(code);
}

}  // namespace

const char* describe(Code code, Argument argument) noexcept {
    switch (code) {
    case Code::size_mismatch: return describe_length(argument);
    case Code::null_view: return describe_null(argument);
    case Code::bad_stride:
        if (argument == Argument::boxes)
            return "the stride of the boxes, or of what stands for them, is too short";
        if (argument == Argument::queries) return "the stride of the queries is too short";
        if (argument == Argument::labels) return "the stride of the labels is too short";
        if (argument == Argument::heights) return "the stride of the heights is too short";
        if (argument == Argument::radii) return "the stride of the radii is too short";
        if (argument == Argument::values) return "the stride of the values is too short";
        if (argument == Argument::weights) return "the stride of the weights is too short";
        if (argument == Argument::output) return "the stride of the results is too short";
        return describe(code);
    case Code::too_many:
        return argument == Argument::ids ? "an id is larger than any may be" : describe(code);
    case Code::unknown_id:
        return argument == Argument::lists ? "there is no value for an id in the lists or pairs"
                                           : describe(code);
    case Code::too_large:
        return argument == Argument::boxes ? "a shape or a cast goes around the world more than sixteen times"
                                           : describe(code);
    case Code::bad_config: return describe_option(argument);
    case Code::inverted:
    case Code::not_finite: return describe_element(code, argument);
    default: return describe(code);
    }
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
    case Fault::stretches_differ: return "the note of which categories are where differs from the rows";
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

}  // namespace throng
