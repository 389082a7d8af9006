// Structures are made, filled and edited.

#include <cstddef>
#include <cstdint>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/objects.hpp"
#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structs.hpp"
#include "bindings/c/src/structures/kinds.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/boxes.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

Status create(const throng_engine* engine, const throng_structure_config* given,
              throng_structure** to) noexcept {
    throng_structure_config config;
    const Status read_it = read(given, config, argument(THRONG_ARGUMENT_CONFIG), false);
    if (!read_it) return read_it;
    throng_structure* structure = make<throng_structure>(engine == nullptr ? nullptr : engine->host);
    if (structure == nullptr) return Code::out_of_memory;
    const Status status = make_kind(config, *structure);
    if (status)
        *to = structure;
    else
        destroy(structure);
    return status;
}

Status is_edited(const throng_structure* structure) noexcept {
    if (structure == nullptr) return {null_pointer, handle};
    return structure->dynamic == nullptr ? Status{Code::bad_config, handle} : Status{};
}

// Boxes for so many elements.
Status view_for(const uint32_t* ids, uint64_t count, const throng_boxes* given, Boxes& boxes) noexcept {
    const Status status = first_fault(check_array(ids, count, Argument::ids), view(given, boxes));
    if (!status) return status;
    if (boxes.fault() != Code::ok) return {boxes.fault(), Argument::boxes};
    return {boxes.size() == count ? Code::ok : Code::size_mismatch, Argument::ids};
}

// Edits element after element, up to the first at fault.
template <class Edit>
Status one_by_one(uint64_t count, const Edit& edit) noexcept {
    for (std::size_t i = 0; i < as_size(count); ++i)
        if (const Status status = edit(i); !status) return {status.code, i, status.argument};
    return {};
}

}  // namespace

int32_t throng_structure_create(const throng_engine* engine, const throng_structure_config* config,
                                throng_structure** structure, throng_status_details* details) {
    if (structure == nullptr) return report(details, {null_pointer, Argument::output});
    *structure = nullptr;
    return report(details, create(engine, config, structure));
}

void throng_structure_destroy(throng_structure* structure) { destroy(structure); }

int32_t throng_structure_assign(throng_structure* structure, const throng_boxes* boxes,
                                throng_status_details* details) {
    Boxes all;
    const Status status = first_fault(needs(structure, handle), view(boxes, all));
    return report(details, status ? structure->all->assign(all) : status);
}

int32_t throng_structure_insert(throng_structure* structure, const throng_boxes* boxes, uint32_t* ids,
                                uint64_t count, throng_status_details* details) {
    Boxes all;
    const Status status = first_fault(is_edited(structure), view_for(ids, count, boxes, all));
    if (!status) return report(details, status);
    return report(details, one_by_one(count, [&](std::size_t i) noexcept {
                      return structure->dynamic->insert(all[i], ids[i]);
                  }));
}

int32_t throng_structure_move(throng_structure* structure, const uint32_t* ids, uint64_t count,
                              const throng_boxes* boxes, throng_status_details* details) {
    Boxes all;
    const Status status = first_fault(is_edited(structure), view_for(ids, count, boxes, all));
    if (!status) return report(details, status);
    return report(details, one_by_one(count, [&](std::size_t i) noexcept {
                      return structure->dynamic->move(ids[i], all[i]);
                  }));
}

int32_t throng_structure_remove(throng_structure* structure, const uint32_t* ids, uint64_t count,
                                throng_status_details* details) {
    const Status status = first_fault(is_edited(structure), check_array(ids, count, Argument::ids));
    if (!status) return report(details, status);
    return report(details, one_by_one(count, [&](std::size_t i) noexcept {
                      return structure->dynamic->remove(ids[i]);
                  }));
}

int32_t throng_structure_clean_up(throng_structure* structure, throng_status_details* details) {
    const Status status = is_edited(structure);
    if (status) structure->dynamic->clean_up();
    return report(details, status);
}

int32_t throng_structure_clear(throng_structure* structure, throng_status_details* details) {
    const Status status = needs(structure, handle);
    if (status) structure->all->clear();
    return report(details, status);
}
