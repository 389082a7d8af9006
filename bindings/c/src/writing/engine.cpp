#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "bindings/c/src/writing/ids.hpp"
#include "throng/engine.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

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

}  // namespace

int32_t throng_engine_create(const throng_engine_config* config, throng_engine** engine,
                             throng_status_details* details) {
    if (engine == nullptr) return report(details, {null_pointer, Argument::output});
    *engine = nullptr;
    return report(details, create(config, engine));
}

void throng_engine_destroy(throng_engine* engine) { destroy(engine); }

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

int32_t throng_engine_rebase(throng_engine* engine, float dx, float dy, throng_status_details* details) {
    const Status status = needs(engine, handle);
    return report(details, status ? engine->engine.rebase(dx, dy) : status);
}

int32_t throng_engine_renumber(throng_engine* engine, const uint32_t* order, uint64_t count,
                               throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), check_ids(order, count));
    return report(details, status ? engine->engine.renumber(ids_of(order, count)) : status);
}

int32_t throng_engine_plan(const throng_engine* engine, uint8_t* bytes, uint64_t room, uint64_t* total,
                           throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), check_output(bytes, room));
    if (!status) return report(details, status);
    const Filled plan = engine->engine.plan({reinterpret_cast<std::byte*>(bytes), as_size(room)});
    if (total != nullptr) *total = plan.total;
    return report(details, plan.status);
}

int32_t throng_engine_set_plan(throng_engine* engine, const uint8_t* bytes, uint64_t count,
                               throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), check_array(bytes, count, Argument::any));
    return report(
        details, status ? engine->engine.set_plan({reinterpret_cast<const std::byte*>(bytes), as_size(count)})
                        : status);
}

int32_t throng_engine_replan(throng_engine* engine, throng_status_details* details) {
    const Status status = needs(engine, handle);
    return report(details, status ? engine->engine.replan() : status);
}

int32_t throng_engine_reserve(throng_engine* engine, uint64_t agents, uint64_t edits,
                              throng_status_details* details) {
    constexpr std::uint64_t most = std::numeric_limits<std::size_t>::max();
    const Status status = needs(engine, handle);
    return report(details, status ? engine->engine.reserve(as_size(std::min(agents, most)),
                                                           as_size(std::min(edits, most)))
                                  : status);
}

int32_t throng_engine_release_memory(throng_engine* engine, throng_status_details* details) {
    const Status status = needs(engine, handle);
    if (status) {
        engine->engine.release_memory();
        engine->centres.of.release();
        engine->centres.frame = Centres().frame;
    }
    return report(details, status);
}
