#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "bindings/c/src/cancelling.hpp"
#include "bindings/c/src/host.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/executor.hpp"
#include "throng/frame.hpp"
#include "throng/geometry.hpp"

namespace throng::c_api {

Status hand_out(Host* host, Frame frame, throng_frame** to) noexcept {
    throng_frame* before = *to;
    if (before != nullptr && before->host == host && before->held.load(std::memory_order_acquire) == 1) {
        before->frame = std::move(frame);
        return {};
    }
    throng_frame* made = make<throng_frame>(host, std::move(frame));
    if (made == nullptr) return Code::out_of_memory;
    *to = made;
    throng_frame_release(before);
    return {};
}

}  // namespace throng::c_api

using namespace throng;
using namespace throng::c_api;

int32_t throng_engine_frame(const throng_engine* engine, throng_frame** frame,
                            throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), needs(frame, Argument::output));
    return report(details, status ? hand_out(engine->host, engine->engine.frame(), frame) : status);
}

void throng_frame_retain(throng_frame* frame) {
    if (frame != nullptr) frame->held.fetch_add(1, std::memory_order_relaxed);
}

void throng_frame_release(throng_frame* frame) {
    if (frame != nullptr && frame->held.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(frame);
}

uint64_t throng_frame_size(const throng_frame* frame) { return frame == nullptr ? 0 : frame->frame.size(); }
uint64_t throng_frame_id_bound(const throng_frame* frame) {
    return frame == nullptr ? 0 : frame->frame.id_bound();
}
uint64_t throng_frame_number(const throng_frame* frame) {
    return frame == nullptr ? 0 : frame->frame.number();
}
uint64_t throng_frame_fingerprint(const throng_frame* frame) {
    return frame == nullptr ? 0 : frame->frame.fingerprint();
}
uint64_t throng_frame_agents_fingerprint(const throng_frame* frame) {
    return frame == nullptr ? 0 : frame->frame.agents_fingerprint();
}

int32_t throng_frame_is_ghost(const throng_frame* frame, uint32_t id) {
    return frame != nullptr && frame->frame.is_ghost(id) ? 1 : 0;
}
uint64_t throng_frame_ghost_count(const throng_frame* frame) {
    return frame == nullptr ? 0 : frame->frame.ghost_count();
}

int32_t throng_frame_static_layer(const throng_frame* frame, throng_frame** layer,
                                  throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), needs(layer, Argument::output));
    return report(details, status ? hand_out(frame->host, frame->frame.static_layer(), layer) : status);
}

int32_t throng_frame_serial(const throng_frame* frame, throng_frame** serial,
                            throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), needs(serial, Argument::output));
    if (!status) return report(details, status);
    return report(details, hand_out(frame->host, frame->frame.on(cancellable(serial_executor())), serial));
}

namespace {

Status box_by_id(const Frame& frame, AgentId id, throng_box& box) noexcept {
    const Box found = frame.box(id);
    if (found == no_box) return {Code::unknown_id, Argument::ids};
    box = box_of(found);
    return {};
}

Status label_by_id(const Frame& frame, AgentId id, throng_label& label) noexcept {
    if (!frame.contains(id)) return {Code::unknown_id, Argument::ids};
    const Label found = frame.label(id);
    label = {found.categories, found.group};
    return {};
}

Status height_by_id(const Frame& frame, AgentId id, throng_band& height) noexcept {
    if (!frame.contains(id)) return {Code::unknown_id, Argument::ids};
    height = band_of(frame.height(id));
    return {};
}

// The same for many; the status names the first id that is unknown.
template <class Element, class Look>
Status look_up(const throng_frame* frame, const uint32_t* ids, uint64_t count, Element* to, uint64_t room,
               const Look& look) noexcept {
    const Status status =
        first_fault(needs(frame, handle), check_array(ids, count, Argument::ids), check_output(to, room));
    if (!status) return status;
    if (room < count) return {Code::size_mismatch, Argument::output};
    for (std::size_t i = 0; i < as_size(count); ++i)
        if (const Status found = look(frame->frame, ids[i], to[i]); !found)
            return {found.code, i, found.argument};
    return {};
}

}  // namespace

int32_t throng_frame_agent_box(const throng_frame* frame, uint32_t id, throng_box* box,
                               throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), needs(box, Argument::output));
    return report(details, status ? box_by_id(frame->frame, id, *box) : status);
}

int32_t throng_frame_agent_label(const throng_frame* frame, uint32_t id, throng_label* label,
                                 throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), needs(label, Argument::output));
    return report(details, status ? label_by_id(frame->frame, id, *label) : status);
}

int32_t throng_frame_agent_height(const throng_frame* frame, uint32_t id, throng_band* height,
                                  throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), needs(height, Argument::output));
    return report(details, status ? height_by_id(frame->frame, id, *height) : status);
}

int32_t throng_frame_agent_boxes(const throng_frame* frame, const uint32_t* ids, uint64_t count,
                                 throng_box* boxes, uint64_t room, throng_status_details* details) {
    return report(details, look_up(frame, ids, count, boxes, room, box_by_id));
}

int32_t throng_frame_agent_labels(const throng_frame* frame, const uint32_t* ids, uint64_t count,
                                  throng_label* labels, uint64_t room, throng_status_details* details) {
    return report(details, look_up(frame, ids, count, labels, room, label_by_id));
}

int32_t throng_frame_agent_heights(const throng_frame* frame, const uint32_t* ids, uint64_t count,
                                   throng_band* heights, uint64_t room, throng_status_details* details) {
    return report(details, look_up(frame, ids, count, heights, room, height_by_id));
}

int32_t throng_frame_agents(const throng_frame* frame, uint32_t* ids, throng_box* boxes, uint64_t room,
                            throng_status_details* details) {
    const Status status = needs(frame, handle);
    if (!status || room == 0) return report(details, status);
    std::size_t agents = 0;
    return report(details, frame->frame.for_each_agent([&](AgentId id, const Box& box) {
        if (ids != nullptr) ids[agents] = id;
        if (boxes != nullptr) boxes[agents] = box_of(box);
        return ++agents != room;
    }));
}

int32_t throng_frame_row_order(const throng_frame* frame, uint32_t* ids, uint64_t room,
                               throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), check_output(ids, room));
    if (!status) return report(details, status);
    return report(details, frame->frame.row_order(std::span<AgentId>(ids, as_size(room))).status);
}
