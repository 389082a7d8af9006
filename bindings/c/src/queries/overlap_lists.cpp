// Lists of what overlaps each query of a batch.

#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/frame.hpp"
#include "throng/static_layer.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

// What a C host gave for a call that makes lists.
struct Batch {
    BoxesOrShapes queries{Boxes()};
    Filters filters;

    Status view(const throng_frame* frame, const throng_boxes* boxes, const throng_filter* filter) noexcept {
        return first_fault(needs(frame, handle), c_api::view(boxes, queries), c_api::view(filter, filters));
    }
};

template <class Result>
Status check_both(const Result* agents, const Result* elements) noexcept {
    return first_fault(needs(agents, Argument::output), needs(elements, Argument::output));
}

}  // namespace

int32_t throng_frame_overlaps_of(const throng_frame* frame, const throng_boxes* boxes,
                                 const throng_filter* filter, throng_hits* hits,
                                 throng_status_details* details) {
    Batch batch;
    const Status status = first_fault(batch.view(frame, boxes, filter), needs(hits, Argument::output));
    if (!status) return report(details, status);
    const Frame& its = frame->frame;
    return report(details, fill(
                               *hits, [&] { return its.overlaps(batch.queries, hits->lists, batch.filters); },
                               [&](const AnswerLimit& limit, const auto& visitor) {
                                   return its.for_each_answer(batch.queries, hits->lists, visitor, limit,
                                                              batch.filters);
                               }));
}

int32_t throng_frame_overlaps_of_both(const throng_frame* frame, const throng_boxes* boxes,
                                      const throng_filter* filter, throng_hits* agents, throng_hits* elements,
                                      throng_status_details* details) {
    Batch batch;
    const Status status =
        first_fault(batch.view(frame, boxes, filter), check_both(agents, elements), is_whole(elements));
    if (!status) return report(details, status);
    const WithStatic both = frame->frame.with_static();
    return report(
        details,
        fill(
            *agents,
            [&] { return both.overlaps(batch.queries, agents->lists, elements->lists, batch.filters); },
            [&](const AnswerLimit& limit, const auto& visitor) {
                return both.for_each_answer(batch.queries, agents->lists, elements->lists, visitor, limit,
                                            batch.filters);
            }));
}

int32_t throng_frame_overlaps_into(const throng_frame* frame, const throng_boxes* boxes,
                                   const throng_filter* filter, uint64_t* offsets, uint64_t offset_room,
                                   uint32_t* ids, uint64_t room, uint64_t* total,
                                   throng_status_details* details) {
    Batch batch;
    const Status status = first_fault(batch.view(frame, boxes, filter), check_output(offsets, offset_room),
                                      check_output(ids, room));
    if (!status) return report(details, status);
    const std::span<uint64_t> begins(offsets, as_size(offset_room));
    const std::span<AgentId> out(ids, as_size(room));
    const Filled filled = frame->frame.overlaps(batch.queries, begins, out, batch.filters);
    if (total != nullptr) *total = filled.total;
    return report(details, filled.status);
}

int32_t throng_frame_overlaps_as_found(const throng_frame* frame, const throng_boxes* boxes,
                                       const throng_filter* filter, throng_hits_as_found* hits,
                                       throng_status_details* details) {
    Batch batch;
    const Status status = first_fault(batch.view(frame, boxes, filter), needs(hits, Argument::output));
    if (!status) return report(details, status);
    return report(details, frame->frame.overlaps(batch.queries, hits->lists, batch.filters));
}

int32_t throng_frame_overlaps_as_found_both(const throng_frame* frame, const throng_boxes* boxes,
                                            const throng_filter* filter, throng_hits_as_found* agents,
                                            throng_hits_as_found* elements, throng_status_details* details) {
    Batch batch;
    const Status status = first_fault(batch.view(frame, boxes, filter), check_both(agents, elements));
    if (!status) return report(details, status);
    const WithStatic both = frame->frame.with_static();
    return report(details, both.overlaps(batch.queries, agents->lists, elements->lists, batch.filters));
}
