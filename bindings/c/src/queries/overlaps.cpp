#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/frame.hpp"

using namespace throng;
using namespace throng::c_api;

int32_t throng_frame_overlaps(const throng_frame* frame, const throng_box* box, const throng_filter* filter,
                              uint32_t* ids, uint64_t room, uint64_t* total, throng_status_details* details) {
    Filter wanted;
    const Status status = first_fault(needs(frame, handle), needs(box, Argument::boxes), view(filter, wanted),
                                      check_output(ids, room));
    if (!status) return report(details, status);
    const Filled filled = frame->frame.overlaps(box_of(*box), std::span<AgentId>(ids, as_size(room)), wanted);
    if (total != nullptr) *total = filled.total;
    return report(details, filled.status);
}

int32_t throng_frame_count(const throng_frame* frame, const throng_box* box, const throng_filter* filter,
                           uint64_t* total, throng_status_details* details) {
    Filter wanted;
    const Status status = first_fault(needs(frame, handle), needs(box, Argument::boxes), view(filter, wanted),
                                      needs(total, Argument::output));
    if (!status) return report(details, status);
    const Count count = frame->frame.count(box_of(*box), wanted);
    *total = count.total;
    return report(details, count.status);
}

int32_t throng_frame_any(const throng_frame* frame, const throng_box* box, const throng_filter* filter,
                         int32_t* found, throng_status_details* details) {
    Filter wanted;
    const Status status = first_fault(needs(frame, handle), needs(box, Argument::boxes), view(filter, wanted),
                                      needs(found, Argument::output));
    if (!status) return report(details, status);
    const Found any = frame->frame.any(box_of(*box), wanted);
    *found = any.found ? 1 : 0;
    return report(details, any.status);
}

int32_t throng_frame_overlaps_of(const throng_frame* frame, const throng_boxes* boxes,
                                 const throng_filter* filter, throng_hits* hits,
                                 throng_status_details* details) {
    Boxes queries;
    Filters filters;
    const Status status = first_fault(needs(frame, handle), view(boxes, queries), view(filter, filters),
                                      needs(hits, Argument::output));
    return report(details, status ? frame->frame.overlaps(queries, hits->lists, filters) : status);
}

int32_t throng_frame_count_of(const throng_frame* frame, const throng_boxes* boxes,
                              const throng_filter* filter, uint32_t* counts, uint64_t room,
                              throng_status_details* details) {
    Boxes queries;
    Filters filters;
    const Status status = first_fault(needs(frame, handle), view(boxes, queries), view(filter, filters),
                                      check_output(counts, room));
    if (!status) return report(details, status);
    return report(details, frame->frame.count(queries, std::span<uint32_t>(counts, as_size(room)), filters));
}

int32_t throng_frame_any_of(const throng_frame* frame, const throng_boxes* boxes, const throng_filter* filter,
                            uint8_t* answers, uint64_t room, throng_status_details* details) {
    Boxes queries;
    Filters filters;
    const Status status = first_fault(needs(frame, handle), view(boxes, queries), view(filter, filters),
                                      check_output(answers, room));
    if (!status) return report(details, status);
    return report(details, frame->frame.any(queries, std::span<uint8_t>(answers, as_size(room)), filters));
}

int32_t throng_frame_pairs(const throng_frame* frame, const throng_pair_query* query, throng_pairs* pairs,
                           throng_status_details* details) {
    PairQuery wanted;
    const Status status =
        first_fault(needs(frame, handle), view(query, wanted), needs(pairs, Argument::output));
    return report(details, status ? frame->frame.pairs(pairs->list, wanted) : status);
}

int32_t throng_frame_count_pairs(const throng_frame* frame, const throng_pair_query* query, uint64_t* total,
                                 throng_status_details* details) {
    PairQuery wanted;
    const Status status =
        first_fault(needs(frame, handle), view(query, wanted), needs(total, Argument::output));
    if (!status) return report(details, status);
    const Count count = frame->frame.count_pairs(wanted);
    *total = count.total;
    return report(details, count.status);
}
