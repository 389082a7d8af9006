// Staged edits of agents by id, and the handles of agents.

#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/views.hpp"
#include "bindings/c/src/writing/ids.hpp"
#include "throng/engine.hpp"

using namespace throng;
using namespace throng::c_api;

int32_t throng_engine_insert(throng_engine* engine, const throng_boxes* boxes, const throng_labels* labels,
                             uint32_t* ids, uint64_t count, throng_status_details* details) {
    Boxes all;
    UpdateOptions theirs;
    const Status status = first_fault(needs(engine, handle), check_ids(ids, count),
                                      view_without_ghosts(boxes, all, theirs), view(labels, theirs.labels));
    if (!status) return report(details, status);
    return report(details, engine->engine.insert(all, std::span<AgentId>(ids, as_size(count)), theirs));
}

int32_t throng_engine_move(throng_engine* engine, const uint32_t* ids, uint64_t count,
                           const throng_boxes* boxes, throng_status_details* details) {
    Boxes all;
    UpdateOptions theirs;
    const Status status =
        first_fault(needs(engine, handle), check_ids(ids, count), view_without_ghosts(boxes, all, theirs));
    return report(details, status ? engine->engine.move(ids_of(ids, count), all, theirs.heights) : status);
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

int32_t throng_engine_handle(throng_engine* engine, uint32_t id, throng_handle* agent,
                             throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), needs(agent, Argument::output));
    if (!status) return report(details, status);
    AgentHandle found;
    const Status known = engine->engine.handle(id, found);
    if (known) *agent = {found.id, found.generation};
    return report(details, known);
}

uint32_t throng_engine_id(const throng_engine* engine, const throng_handle* agent) {
    if (engine == nullptr || agent == nullptr) return THRONG_NO_AGENT;
    return engine->engine.id({agent->id, agent->generation});
}
