#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/frame.hpp"
#include "throng/reports.hpp"
#include "throng/static_layer.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

Box query_of(const throng_box& box) noexcept { return box_of(box); }
Shape query_of(const throng_shape& shape) noexcept { return shape_of(shape); }

template <class Query>
Status list_one(const throng_frame* frame, const Query* query, const throng_filter* filter, uint32_t* ids,
                uint64_t room, uint64_t* total) noexcept {
    Filter wanted;
    const Status status = first_fault(needs(frame, handle), needs(query, Argument::boxes),
                                      view(filter, wanted), check_output(ids, room));
    if (!status) return status;
    const std::span<AgentId> out(ids, as_size(room));
    const Filled filled = frame->frame.overlaps(query_of(*query), out, wanted);
    if (total != nullptr) *total = filled.total;
    return filled.status;
}

template <class Query>
Status count_one(const throng_frame* frame, const Query* query, const throng_filter* filter,
                 uint64_t* total) noexcept {
    Wanted<Filter> wanted;
    const Status status = first_fault(needs(frame, handle), needs(query, Argument::boxes),
                                      view(filter, wanted), needs(total, Argument::output));
    if (!status) return status;
    const auto call = [&](const auto& asked, const Filter& by) noexcept {
        return asked.count(query_of(*query), by);
    };
    const Count count = ask(frame->frame, wanted, call);
    *total = count.total;
    return count.status;
}

template <class Query>
Status find_one(const throng_frame* frame, const Query* query, const throng_filter* filter,
                int32_t* found) noexcept {
    Wanted<Filter> wanted;
    const Status status = first_fault(needs(frame, handle), needs(query, Argument::boxes),
                                      view(filter, wanted), needs(found, Argument::output));
    if (!status) return status;
    const auto call = [&](const auto& asked, const Filter& by) noexcept {
        return asked.any(query_of(*query), by);
    };
    const Found any = ask(frame->frame, wanted, call);
    *found = any.found ? 1 : 0;
    return any.status;
}

}  // namespace

int32_t throng_frame_overlaps(const throng_frame* frame, const throng_box* box, const throng_filter* filter,
                              uint32_t* ids, uint64_t room, uint64_t* total, throng_status_details* details) {
    return report(details, list_one(frame, box, filter, ids, room, total));
}
int32_t throng_frame_overlaps_shape(const throng_frame* frame, const throng_shape* shape,
                                    const throng_filter* filter, uint32_t* ids, uint64_t room,
                                    uint64_t* total, throng_status_details* details) {
    return report(details, list_one(frame, shape, filter, ids, room, total));
}

int32_t throng_frame_count(const throng_frame* frame, const throng_box* box, const throng_filter* filter,
                           uint64_t* total, throng_status_details* details) {
    return report(details, count_one(frame, box, filter, total));
}
int32_t throng_frame_count_shape(const throng_frame* frame, const throng_shape* shape,
                                 const throng_filter* filter, uint64_t* total,
                                 throng_status_details* details) {
    return report(details, count_one(frame, shape, filter, total));
}

int32_t throng_frame_any(const throng_frame* frame, const throng_box* box, const throng_filter* filter,
                         int32_t* found, throng_status_details* details) {
    return report(details, find_one(frame, box, filter, found));
}
int32_t throng_frame_any_shape(const throng_frame* frame, const throng_shape* shape,
                               const throng_filter* filter, int32_t* found, throng_status_details* details) {
    return report(details, find_one(frame, shape, filter, found));
}

int32_t throng_frame_count_of(const throng_frame* frame, const throng_boxes* boxes,
                              const throng_filter* filter, uint32_t* counts, uint64_t room,
                              throng_status_details* details) {
    BoxesOrShapes queries{Boxes()};
    Wanted<Filters> wanted;
    const Status status = first_fault(needs(frame, handle), view(boxes, queries), view(filter, wanted),
                                      check_output(counts, room));
    if (!status) return report(details, status);
    const std::span<uint32_t> out(counts, as_size(room));
    return report(details, ask(frame->frame, wanted, [&](const auto& asked, const Filters& filters) noexcept {
                      return asked.count(queries, out, filters);
                  }));
}

int32_t throng_frame_any_of(const throng_frame* frame, const throng_boxes* boxes, const throng_filter* filter,
                            uint8_t* answers, uint64_t room, throng_status_details* details) {
    BoxesOrShapes queries{Boxes()};
    Wanted<Filters> wanted;
    const Status status = first_fault(needs(frame, handle), view(boxes, queries), view(filter, wanted),
                                      check_output(answers, room));
    if (!status) return report(details, status);
    const std::span<uint8_t> out(answers, as_size(room));
    return report(details, ask(frame->frame, wanted, [&](const auto& asked, const Filters& filters) noexcept {
                      return asked.any(queries, out, filters);
                  }));
}

int32_t throng_frame_explain(const throng_frame* frame, const throng_boxes* boxes,
                             const throng_filter* filter, throng_explanation* explanation,
                             throng_status_details* details) {
    BoxesOrShapes queries{Boxes()};
    Filters filters;
    const Status status = first_fault(needs(frame, handle), view(boxes, queries), view(filter, filters),
                                      needs(explanation, Argument::output));
    if (!status) return report(details, status);
    const Explain explain = frame->frame.explain(queries, filters);
    auto own = defaults<throng_explanation>();
    own.queries = explain.queries;
    own.rows = explain.rows;
    own.cells = explain.cells;
    own.tested = explain.tested;
    own.covered = explain.covered;
    own.islands = explain.islands;
    own.nodes = explain.nodes;
    own.oversized = explain.oversized;
    own.hits = explain.hits;
    const Status written = write_sized(own, explanation) ? Status{} : Status{bad_struct, Argument::output};
    return report(details, first_fault(explain.status, written));
}
