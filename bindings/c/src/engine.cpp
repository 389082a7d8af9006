#include <cstdint>
#include <span>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/engine.hpp"
#include "throng/isa.hpp"
#include "throng/static_layer.hpp"
#include "throng/version.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

// What C alone can have wrong in a configuration. The rest is for the engine to say.
Status read_config(const throng_engine_config* given, throng_engine_config& own,
                   EngineConfig& config) noexcept {
    constexpr Argument where = argument(THRONG_ARGUMENT_CONFIG);
    if (const Status status = read(given, own, where, false); !status) return status;
    if (own.header_version / 1000000 != THRONG_VERSION_MAJOR) return {bad_version, where};
    if ((own.allocate == nullptr) != (own.deallocate == nullptr))
        return {null_pointer, argument(THRONG_ARGUMENT_MEMORY)};
    if (own.isa != nullptr && !parse_isa(own.isa, config.isa))
        return {Code::unknown_isa, argument(THRONG_ARGUMENT_ISA)};
    config.cell_width = own.cell_width;
    config.row_height = own.row_height;
    config.common_size = own.common_size;
    return {};
}

Status create(const throng_engine_config* given, throng_engine** to) noexcept {
    throng_engine_config own;
    EngineConfig config{.executor = {}};
    if (const Status status = read_config(given, own, config); !status) return status;
    Host* host = Host::make(own);
    if (host == nullptr) return Code::out_of_memory;
    config.executor = host->executor();
    config.memory = host;
    throng_engine* engine = make<throng_engine>(host, config);
    host->release();
    if (engine == nullptr) return Code::out_of_memory;
    const Status status = engine->engine.status();
    if (status)
        *to = engine;
    else
        destroy(engine);
    return status;
}

std::span<const AgentId> ids_of(const uint32_t* ids, uint64_t count) noexcept {
    return {ids, as_size(count)};
}
Status check_ids(const uint32_t* ids, uint64_t count) noexcept {
    return check_array(ids, count, Argument::ids);
}

}  // namespace

int32_t throng_engine_create(const throng_engine_config* config, throng_engine** engine,
                             throng_status_details* details) {
    if (engine == nullptr) return report(details, {null_pointer, Argument::output});
    *engine = nullptr;
    return report(details, create(config, engine));
}

void throng_engine_destroy(throng_engine* engine) { destroy(engine); }

int32_t throng_engine_update(throng_engine* engine, const throng_boxes* boxes, const throng_labels* labels,
                             throng_status_details* details) {
    Boxes all;
    Labels theirs;
    const Status status = first_fault(needs(engine, handle), view(boxes, all), view(labels, theirs));
    return report(details, status ? engine->engine.update(all, theirs) : status);
}

int32_t throng_engine_update_by_ids(throng_engine* engine, const uint32_t* ids, uint64_t count,
                                    const throng_boxes* boxes, const throng_labels* labels,
                                    throng_status_details* details) {
    Boxes all;
    Labels theirs;
    const Status status =
        first_fault(needs(engine, handle), check_ids(ids, count), view(boxes, all), view(labels, theirs));
    return report(details, status ? engine->engine.update(ids_of(ids, count), all, theirs) : status);
}

int32_t throng_engine_insert(throng_engine* engine, const throng_boxes* boxes, const throng_labels* labels,
                             uint32_t* ids, uint64_t count, throng_status_details* details) {
    Boxes all;
    Labels theirs;
    const Status status =
        first_fault(needs(engine, handle), check_ids(ids, count), view(boxes, all), view(labels, theirs));
    if (!status) return report(details, status);
    return report(details, engine->engine.insert(all, theirs, std::span<AgentId>(ids, as_size(count))));
}

int32_t throng_engine_move(throng_engine* engine, const uint32_t* ids, uint64_t count,
                           const throng_boxes* boxes, throng_status_details* details) {
    Boxes all;
    const Status status = first_fault(needs(engine, handle), check_ids(ids, count), view(boxes, all));
    return report(details, status ? engine->engine.move(ids_of(ids, count), all) : status);
}

int32_t throng_engine_relabel(throng_engine* engine, const uint32_t* ids, uint64_t count,
                              const throng_labels* labels, throng_status_details* details) {
    Labels theirs;
    const Status status = first_fault(needs(engine, handle), check_ids(ids, count),
                                      needs(labels, Argument::labels), view(labels, theirs));
    return report(details, status ? engine->engine.relabel(ids_of(ids, count), theirs) : status);
}

int32_t throng_engine_remove(throng_engine* engine, const uint32_t* ids, uint64_t count,
                             throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), check_ids(ids, count));
    return report(details, status ? engine->engine.remove(ids_of(ids, count)) : status);
}

int32_t throng_engine_commit(throng_engine* engine, throng_status_details* details) {
    const Status status = needs(engine, handle);
    return report(details, status ? engine->engine.commit() : status);
}

int32_t throng_engine_discard(throng_engine* engine, throng_status_details* details) {
    const Status status = needs(engine, handle);
    if (status) engine->engine.discard();
    return report(details, status);
}

uint64_t throng_engine_staged(const throng_engine* engine) {
    return engine == nullptr ? 0 : engine->engine.staged();
}

int32_t throng_engine_set_static_layer(throng_engine* engine, const throng_boxes* boxes,
                                       const throng_labels* labels, throng_status_details* details) {
    Boxes all;
    Labels theirs;
    const Status status = first_fault(needs(engine, handle), view(boxes, all), view(labels, theirs));
    if (!status) return report(details, status);
    const StaticLayer layer(
        all, theirs,
        {.executor = engine->host->executor(), .memory = engine->host, .isa = engine->engine.isa()});
    return report(details, engine->engine.set_static_layer(layer));
}

int32_t throng_engine_clear_static_layer(throng_engine* engine, throng_status_details* details) {
    const Status status = needs(engine, handle);
    if (status) engine->engine.clear_static_layer();
    return report(details, status);
}

int32_t throng_engine_release_memory(throng_engine* engine, throng_status_details* details) {
    const Status status = needs(engine, handle);
    if (status) engine->engine.release_memory();
    return report(details, status);
}
