#include <cstdint>
#include <utility>

#include "bindings/c/src/cancelling.hpp"
#include "bindings/c/src/host.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/engine.hpp"
#include "throng/static_layer.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

// With the threads, the memory and the instruction set of an engine, or with the defaults.
StaticLayerConfig config_of(const throng_engine* engine) noexcept {
    if (engine == nullptr) return {.executor = cancellable(default_executor())};
    return {.executor = engine->host->executor(), .memory = engine->host, .isa = engine->engine.isa()};
}

Status keep(Host* host, StaticLayer layer, throng_static_layer** to) noexcept {
    if (const Status status = layer.status(); !status) return status;
    *to = make<throng_static_layer>(host, std::move(layer));
    return *to == nullptr ? Status{Code::out_of_memory} : Status{};
}

}  // namespace

int32_t throng_static_layer_create(const throng_engine* engine, const throng_boxes* boxes,
                                   const throng_labels* labels, throng_static_layer** layer,
                                   throng_status_details* details) {
    if (layer == nullptr) return report(details, {null_pointer, Argument::output});
    *layer = nullptr;
    Boxes all;
    UpdateOptions theirs;
    const Status status = first_fault(view_without_ghosts(boxes, all, theirs), view(labels, theirs.labels));
    if (!status) return report(details, status);
    Host* host = engine == nullptr ? nullptr : engine->host;
    return report(details, keep(host, StaticLayer(all, theirs, config_of(engine)), layer));
}

int32_t throng_static_layer_rebased(const throng_static_layer* layer, float dx, float dy,
                                    throng_static_layer** rebased, throng_status_details* details) {
    if (rebased == nullptr) return report(details, {null_pointer, Argument::output});
    *rebased = nullptr;
    const Status status = needs(layer, handle);
    return report(details, status ? keep(layer->host, layer->layer.rebased(dx, dy), rebased) : status);
}

void throng_static_layer_destroy(throng_static_layer* layer) { destroy(layer); }

int32_t throng_static_layer_frame(const throng_static_layer* layer, throng_frame** frame,
                                  throng_status_details* details) {
    const Status status = first_fault(needs(layer, handle), needs(frame, Argument::output));
    return report(details, status ? hand_out(layer->host, layer->layer.frame(), frame) : status);
}

int32_t throng_engine_set_static_layer(throng_engine* engine, const throng_static_layer* layer,
                                       throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), needs(layer, Argument::boxes));
    return report(details, status ? engine->engine.set_static_layer(layer->layer) : status);
}

int32_t throng_engine_clear_static_layer(throng_engine* engine, throng_status_details* details) {
    const Status status = needs(engine, handle);
    if (status) engine->engine.clear_static_layer();
    return report(details, status);
}
