#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/frame.hpp"
#include "throng/queries/casts.hpp"

using namespace throng;
using namespace throng::c_api;

int32_t throng_frame_first_hit(const throng_frame* frame, const throng_cast* cast,
                               const throng_filter* filter, throng_cast_hit* hit,
                               throng_status_details* details) {
    Filter wanted;
    const Status status = first_fault(needs(frame, handle), needs(cast, Argument::boxes),
                                      view(filter, wanted), needs(hit, Argument::output));
    if (!status) return report(details, status);
    const FirstHit first = frame->frame.first_hit(cast_of(*cast), wanted);
    *hit = hit_of(first.hit);
    return report(details, first.status);
}

int32_t throng_frame_blocked(const throng_frame* frame, const throng_cast* cast, const throng_filter* filter,
                             int32_t* blocked, throng_status_details* details) {
    Filter wanted;
    const Status status = first_fault(needs(frame, handle), needs(cast, Argument::boxes),
                                      view(filter, wanted), needs(blocked, Argument::output));
    if (!status) return report(details, status);
    const Found found = frame->frame.blocked(cast_of(*cast), wanted);
    *blocked = found.found ? 1 : 0;
    return report(details, found.status);
}

int32_t throng_frame_first_hits_of(const throng_frame* frame, const throng_cast* casts, uint64_t count,
                                   const throng_filter* filter, throng_cast_hit* hits, uint64_t room,
                                   throng_status_details* details) {
    Casts all;
    Filters filters;
    const Status status = first_fault(needs(frame, handle), view(casts, count, all), view(filter, filters),
                                      check_output(hits, room));
    if (!status) return report(details, status);
    const std::span<CastHit> answers(reinterpret_cast<CastHit*>(hits), as_size(room));
    return report(details, frame->frame.first_hits(all, answers, filters));
}

int32_t throng_frame_blocked_of(const throng_frame* frame, const throng_cast* casts, uint64_t count,
                                const throng_filter* filter, uint8_t* answers, uint64_t room,
                                throng_status_details* details) {
    Casts all;
    Filters filters;
    const Status status = first_fault(needs(frame, handle), view(casts, count, all), view(filter, filters),
                                      check_output(answers, room));
    if (!status) return report(details, status);
    return report(details, frame->frame.blocked(all, std::span<uint8_t>(answers, as_size(room)), filters));
}

int32_t throng_frame_all_hits_of(const throng_frame* frame, const throng_cast* casts, uint64_t count,
                                 const throng_filter* filter, throng_cast_hits* hits,
                                 throng_status_details* details) {
    Casts all;
    Filters filters;
    const Status status = first_fault(needs(frame, handle), view(casts, count, all), view(filter, filters),
                                      needs(hits, Argument::output));
    return report(details, status ? frame->frame.all_hits(all, hits->lists, filters) : status);
}
