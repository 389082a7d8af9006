#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/frame.hpp"
#include "throng/queries/casts.hpp"
#include "throng/static_layer.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

std::span<CastHit> hits_at(throng_cast_hit* hits, uint64_t room) noexcept {
    return {reinterpret_cast<CastHit*>(hits), as_size(room)};
}

Status view_one(const throng_frame* frame, const throng_cast* cast, const throng_filter* filter,
                Wanted<Filter>& wanted) noexcept {
    return first_fault(needs(frame, handle), needs(cast, Argument::boxes), view(filter, wanted));
}

// Many casts, and what they may touch.
struct CastQueries {
    Casts casts;
    Wanted<Filters> wanted;

    Status view(const throng_frame* frame, const throng_cast* first, uint64_t count,
                const throng_filter* filter) noexcept {
        const Status bad_filter = c_api::view(filter, wanted);
        return first_fault(needs(frame, handle), c_api::view(first, count, wanted, casts), bad_filter);
    }
};

}  // namespace

int32_t throng_frame_first_hit(const throng_frame* frame, const throng_cast* cast,
                               const throng_filter* filter, throng_cast_hit* hit,
                               throng_status_details* details) {
    Wanted<Filter> wanted;
    const Status status = first_fault(view_one(frame, cast, filter, wanted), needs(hit, Argument::output));
    if (!status) return report(details, status);
    const FirstHit first = ask(frame->frame, wanted, [&](const auto& asked, const Filter& by) noexcept {
        return asked.first_hit(cast_of(*cast, wanted), by);
    });
    *hit = hit_of(first.hit);
    return report(details, first.status);
}

int32_t throng_frame_blocked(const throng_frame* frame, const throng_cast* cast, const throng_filter* filter,
                             int32_t* blocked, throng_status_details* details) {
    Wanted<Filter> wanted;
    const Status status =
        first_fault(view_one(frame, cast, filter, wanted), needs(blocked, Argument::output));
    if (!status) return report(details, status);
    const Found found = ask(frame->frame, wanted, [&](const auto& asked, const Filter& by) noexcept {
        return asked.blocked(cast_of(*cast, wanted), by);
    });
    *blocked = found.found ? 1 : 0;
    return report(details, found.status);
}

int32_t throng_frame_all_hits(const throng_frame* frame, const throng_cast* cast, const throng_filter* filter,
                              throng_cast_hit* hits, uint64_t room, uint64_t* total,
                              throng_status_details* details) {
    Wanted<Filter> wanted;
    const Status status = first_fault(view_one(frame, cast, filter, wanted), check_output(hits, room));
    if (!status) return report(details, status);
    const Filled filled = ask(frame->frame, wanted, [&](const auto& asked, const Filter& by) noexcept {
        return asked.all_hits(cast_of(*cast, wanted), hits_at(hits, room), by);
    });
    if (total != nullptr) *total = filled.total;
    return report(details, filled.status);
}

int32_t throng_frame_first_hits_of(const throng_frame* frame, const throng_cast* casts, uint64_t count,
                                   const throng_filter* filter, throng_cast_hit* hits, uint64_t room,
                                   throng_status_details* details) {
    CastQueries batch;
    const Status status = first_fault(batch.view(frame, casts, count, filter), check_output(hits, room));
    if (!status) return report(details, status);
    return report(details,
                  ask(frame->frame, batch.wanted, [&](const auto& asked, const Filters& filters) noexcept {
                      return asked.first_hits(batch.casts, hits_at(hits, room), filters);
                  }));
}

int32_t throng_frame_blocked_of(const throng_frame* frame, const throng_cast* casts, uint64_t count,
                                const throng_filter* filter, uint8_t* answers, uint64_t room,
                                throng_status_details* details) {
    CastQueries batch;
    const Status status = first_fault(batch.view(frame, casts, count, filter), check_output(answers, room));
    if (!status) return report(details, status);
    const std::span<uint8_t> out(answers, as_size(room));
    return report(details,
                  ask(frame->frame, batch.wanted, [&](const auto& asked, const Filters& filters) noexcept {
                      return asked.blocked(batch.casts, out, filters);
                  }));
}

int32_t throng_frame_all_hits_of(const throng_frame* frame, const throng_cast* casts, uint64_t count,
                                 const throng_filter* filter, throng_cast_hits* hits,
                                 throng_status_details* details) {
    CastQueries batch;
    const Status status = first_fault(batch.view(frame, casts, count, filter), needs(hits, Argument::output));
    if (!status) return report(details, status);
    const auto list = [&](const auto& asked, const Filters& filters) {
        return fill(
            *hits, [&] { return asked.all_hits(batch.casts, hits->lists, filters); },
            [&](const AnswerLimit& limit, const auto& visitor) {
                return asked.for_each_answer(batch.casts, hits->lists, visitor, limit, filters);
            });
    };
    return report(details, ask(frame->frame, batch.wanted, list));
}
