#include <cstddef>
#include <cstdint>
#include <span>

#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
#include "throng/isa.hpp"
#include "throng/reports.hpp"
#include "throng/version.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

template <class Sized>
Status fill(Sized* to, const Sized& own) noexcept {
    return write_sized(own, to) ? Status{} : Status{bad_struct, Argument::output};
}

throng_tuning tuning_of(const Tuning& tuning) noexcept {
    auto own = defaults<throng_tuning>();
    own.reason = static_cast<std::int32_t>(tuning.reason);
    own.cell_width = tuning.cell_width;
    own.row_height = tuning.row_height;
    own.origin_x = tuning.origin_x;
    own.origin_y = tuning.origin_y;
    own.columns = tuning.columns;
    own.rows = tuning.rows;
    own.common_width = tuning.common_width;
    own.common_height = tuning.common_height;
    own.islands = tuning.islands;
    own.crowding = tuning.crowding;
    own.oversized = tuning.oversized;
    own.times_chosen = tuning.times_chosen;
    return own;
}

}  // namespace

int32_t throng_engine_memory(const throng_engine* engine, throng_memory_report* to,
                             throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), needs(to, Argument::output));
    if (!status) return report(details, status);
    const MemoryReport memory = engine->engine.memory();
    auto own = defaults<throng_memory_report>();
    own.rows = memory.rows;
    own.history = memory.history;
    own.tables = memory.tables;
    own.agents = memory.agents;
    own.staged = memory.staged;
    own.scratch = memory.scratch + engine->centres.of.bytes();
    own.allocations = memory.allocations;
    return report(details, fill(to, own));
}

int32_t throng_engine_tuning(const throng_engine* engine, throng_tuning* to, throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), needs(to, Argument::output));
    return report(details, status ? fill(to, tuning_of(engine->engine.frame().tuning())) : status);
}

int32_t throng_engine_validate(const throng_engine* engine, throng_validation* to,
                               throng_status_details* details) {
    const Status status = first_fault(needs(engine, handle), needs(to, Argument::output));
    if (!status) return report(details, status);
    const Validation validation = engine->engine.validate();
    auto own = defaults<throng_validation>();
    own.first = static_cast<std::int32_t>(validation.first);
    own.faults = validation.faults;
    own.row = validation.row;
    own.slot = validation.slot;
    own.agent = validation.agent;
    return report(details, first_fault(fill(to, own), validation.status));
}

uint64_t throng_engine_size(const throng_engine* engine) {
    return engine == nullptr ? 0 : engine->engine.frame().size();
}

const char* throng_engine_isa(const throng_engine* engine) {
    return engine == nullptr ? nullptr : to_string(engine->engine.isa());
}

const char* throng_tuning_text(int32_t reason) {
    return describe(static_cast<TuningReason>(reason < 0 || reason > 255 ? 255 : reason));
}

const char* throng_fault_text(int32_t fault) {
    return describe(static_cast<Fault>(fault < 0 || fault > 255 ? 255 : fault));
}

uint64_t throng_build_describe(char* text, uint64_t room) {
    const std::size_t writable = text == nullptr ? 0 : static_cast<std::size_t>(room);
    return describe(build_info(), std::span<char>(text, writable));
}
