// Staged edits: of many agents by id, and of one by its handle.

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

// `no_agent` for one that is stale, which every call refuses.
AgentId id_of(const throng_engine* engine, const throng_handle& agent) noexcept {
    return engine->engine.id({agent.id, agent.generation});
}

Status hand_over(const Status& status, const AgentHandle& agent, throng_handle* to) noexcept {
    if (status) *to = {agent.id, agent.generation};
    return status;
}

}  // namespace

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
    return report(details, hand_over(known, found, agent));
}

int32_t throng_engine_insert_handle(throng_engine* engine, const throng_box* box, const throng_label* label,
                                    throng_handle* agent, throng_status_details* details) {
    const Status status =
        first_fault(needs(engine, handle), needs(box, Argument::boxes), needs(agent, Argument::output));
    if (!status) return report(details, status);
    Engine& its = engine->engine;
    AgentHandle made;
    Status done = its.insert(box_of(*box), made.id, label == nullptr ? Label() : label_of(*label));
    if (!done) return report(details, done);
    done = its.handle(made.id, made);
    // Nobody could name the agent.
    if (!done) (void)its.remove(made.id);
    return report(details, hand_over(done, made, agent));
}

int32_t throng_engine_move_handle(throng_engine* engine, const throng_handle* agent, const throng_box* box,
                                  throng_status_details* details) {
    const Status status =
        first_fault(needs(engine, handle), needs(agent, Argument::ids), needs(box, Argument::boxes));
    return report(details, status ? engine->engine.move(id_of(engine, *agent), box_of(*box)) : status);
}

int32_t throng_engine_relabel_handle(throng_engine* engine, const throng_handle* agent,
                                     const throng_label* label, throng_status_details* details) {
    const Status status =
        first_fault(needs(engine, handle), needs(agent, Argument::ids), needs(label, Argument::labels));
    return report(details, status ? engine->engine.relabel(id_of(engine, *agent), label_of(*label)) : status);
}

int32_t throng_engine_remove_handle(throng_engine* engine, const throng_handle* agent,
                                    throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), needs(agent, Argument::ids));
    return report(details, status ? engine->engine.remove(id_of(engine, *agent)) : status);
}

int32_t throng_engine_is_current(const throng_engine* engine, const throng_handle* agent) {
    return engine != nullptr && agent != nullptr && id_of(engine, *agent) != no_agent ? 1 : 0;
}
