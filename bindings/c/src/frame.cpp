#include <atomic>
#include <cstdint>
#include <utility>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
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

int32_t throng_frame_static_layer(const throng_frame* frame, throng_frame** layer,
                                  throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), needs(layer, Argument::output));
    return report(details, status ? hand_out(frame->host, frame->frame.static_layer(), layer) : status);
}

int32_t throng_frame_agent_box(const throng_frame* frame, uint32_t id, throng_box* box,
                               throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), needs(box, Argument::output));
    if (!status) return report(details, status);
    const Box found = frame->frame.box(id);
    if (found == no_box) return report(details, {Code::unknown_id, Argument::ids});
    *box = {found.min_x, found.min_y, found.max_x, found.max_y};
    return report(details, {});
}

int32_t throng_frame_agent_label(const throng_frame* frame, uint32_t id, throng_label* label,
                                 throng_status_details* details) {
    const Status status = first_fault(needs(frame, handle), needs(label, Argument::output));
    if (!status) return report(details, status);
    if (!frame->frame.contains(id)) return report(details, {Code::unknown_id, Argument::ids});
    const Label found = frame->frame.label(id);
    *label = {found.categories, found.group};
    return report(details, {});
}
