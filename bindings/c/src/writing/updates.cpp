// Updates of all agents: with ids or without, with all pairs, and of input that cannot be trusted.

#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "bindings/c/src/writing/ids.hpp"
#include "throng/engine.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

// Checks and views what every update takes, and makes the update.
template <class Update>
Status view_and(throng_engine* engine, const throng_boxes* boxes, const throng_labels* labels,
                const Status& other, const Update& update) noexcept {
    Boxes all;
    UpdateOptions options;
    const Status status =
        first_fault(needs(engine, handle), other, view(boxes, all, options), view(labels, options.labels));
    return status ? update(engine->engine, all, options) : status;
}

// Into the host's memory.
template <class Update>
Status leave_out(std::span<AgentId> out, uint64_t* total, UpdateOptions options,
                 const Update& update) noexcept {
    LeftOut left_out{out};
    options.left_out = &left_out;
    const Status status = update(options);
    if (total != nullptr) *total = left_out.total;
    return status;
}

}  // namespace

int32_t throng_engine_update(throng_engine* engine, const throng_boxes* boxes, const throng_labels* labels,
                             throng_status_details* details) {
    return report(details, view_and(engine, boxes, labels, {},
                                    [](Engine& its, const Boxes& all, const UpdateOptions& options) noexcept {
                                        return its.update(all, options);
                                    }));
}

int32_t throng_engine_update_by_ids(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                    const throng_boxes* boxes, const throng_labels* labels,
                                    throng_status_details* details) {
    return report(details,
                  view_and(engine, boxes, labels, check_ids(ids, count),
                           [&](Engine& its, const Boxes& all, const UpdateOptions& options) noexcept {
                               return its.update(ids_of(ids, count), all, options);
                           }));
}

int32_t throng_engine_update_with_pairs(throng_engine* engine, const throng_boxes* boxes,
                                        const throng_labels* labels, throng_pairs* pairs,
                                        throng_status_details* details) {
    return report(details,
                  view_and(engine, boxes, labels, needs(pairs, Argument::output),
                           [&](Engine& its, const Boxes& all, const UpdateOptions& options) noexcept {
                               return its.update(all, pairs->list, options);
                           }));
}

int32_t throng_engine_update_by_ids_with_pairs(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                               const throng_boxes* boxes, const throng_labels* labels,
                                               throng_pairs* pairs, throng_status_details* details) {
    const Status given = first_fault(check_ids(ids, count), needs(pairs, Argument::output));
    return report(details,
                  view_and(engine, boxes, labels, given,
                           [&](Engine& its, const Boxes& all, const UpdateOptions& options) noexcept {
                               return its.update(ids_of(ids, count), all, pairs->list, options);
                           }));
}

int32_t throng_engine_update_legal(throng_engine* engine, const throng_boxes* boxes,
                                   const throng_labels* labels, uint32_t* left_out, uint64_t room,
                                   uint64_t* total, throng_status_details* details) {
    const std::span<AgentId> out(left_out, as_size(room));
    return report(details,
                  view_and(engine, boxes, labels, check_output(left_out, room),
                           [&](Engine& its, const Boxes& all, const UpdateOptions& options) noexcept {
                               return leave_out(out, total, options,
                                                [&](const UpdateOptions& theirs) noexcept {
                                                    return its.update(all, theirs);
                                                });
                           }));
}

int32_t throng_engine_update_legal_by_ids(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                          const throng_boxes* boxes, const throng_labels* labels,
                                          uint32_t* left_out, uint64_t room, uint64_t* total,
                                          throng_status_details* details) {
    const std::span<AgentId> out(left_out, as_size(room));
    const Status given = first_fault(check_ids(ids, count), check_output(left_out, room));
    return report(details,
                  view_and(engine, boxes, labels, given,
                           [&](Engine& its, const Boxes& all, const UpdateOptions& options) noexcept {
                               return leave_out(out, total, options,
                                                [&](const UpdateOptions& theirs) noexcept {
                                                    return its.update(ids_of(ids, count), all, theirs);
                                                });
                           }));
}
