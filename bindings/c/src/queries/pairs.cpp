// Pairs of a frame, or of two; and which pairs began and ended.

#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/frame.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

std::span<Pair> pairs_at(throng_pair* pairs, uint64_t room) noexcept {
    return {reinterpret_cast<Pair*>(pairs), as_size(room)};
}

Status hand_over(const Count& count, uint64_t* total) noexcept {
    *total = count.total;
    return count.status;
}
Status hand_over(const Filled& filled, uint64_t* total) noexcept {
    if (total != nullptr) *total = filled.total;
    return filled.status;
}

Status view_both(const throng_frame* frame, const throng_frame* other, const throng_pair_query* query,
                 PairQuery& wanted) noexcept {
    const Status status = first_fault(needs(frame, handle), needs(other, handle), view(query, wanted));
    if (status) wanted.with = &other->frame;
    return status;
}

}  // namespace

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
    return report(details, status ? hand_over(frame->frame.count_pairs(wanted), total) : status);
}

int32_t throng_frame_pairs_into(const throng_frame* frame, const throng_pair_query* query, throng_pair* pairs,
                                uint64_t room, uint64_t* total, throng_status_details* details) {
    PairQuery wanted;
    const Status status = first_fault(needs(frame, handle), view(query, wanted), check_output(pairs, room));
    if (!status) return report(details, status);
    return report(details, hand_over(frame->frame.pairs(pairs_at(pairs, room), wanted), total));
}

int32_t throng_frame_pairs_with(const throng_frame* frame, const throng_frame* other,
                                const throng_pair_query* query, throng_pairs* pairs,
                                throng_status_details* details) {
    PairQuery wanted;
    const Status status = first_fault(view_both(frame, other, query, wanted), needs(pairs, Argument::output));
    return report(details, status ? frame->frame.pairs(pairs->list, wanted) : status);
}

int32_t throng_frame_count_pairs_with(const throng_frame* frame, const throng_frame* other,
                                      const throng_pair_query* query, uint64_t* total,
                                      throng_status_details* details) {
    PairQuery wanted;
    const Status status = first_fault(view_both(frame, other, query, wanted), needs(total, Argument::output));
    if (!status) return report(details, status);
    return report(details, hand_over(frame->frame.count_pairs(wanted), total));
}

int32_t throng_frame_pairs_with_into(const throng_frame* frame, const throng_frame* other,
                                     const throng_pair_query* query, throng_pair* pairs, uint64_t room,
                                     uint64_t* total, throng_status_details* details) {
    PairQuery wanted;
    const Status status = first_fault(view_both(frame, other, query, wanted), check_output(pairs, room));
    if (!status) return report(details, status);
    return report(details, hand_over(frame->frame.pairs(pairs_at(pairs, room), wanted), total));
}

int32_t throng_frame_pair_changes(const throng_frame* frame, const throng_pair_query* query,
                                  throng_pair_changes* changes, throng_status_details* details) {
    PairQuery wanted;
    const Status status =
        first_fault(needs(frame, handle), view(query, wanted), needs(changes, Argument::output));
    return report(details, status ? changes->changes.update(frame->frame, wanted) : status);
}
