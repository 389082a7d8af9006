#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bindings/c/src/statuses.hpp"
#include "bindings/c/src/structures/kinds.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/geometry.hpp"

using namespace throng;
using namespace throng::c_api;

namespace {

// The host's memory, which takes as many answers as fit; all are counted.
template <class Answer>
class Into {
public:
    Into(Answer* first, uint64_t room) noexcept : first_(first), room_(room) {}
    void operator()(std::span<const Answer> answers) noexcept {
        if (total_ < room_) {
            const std::uint64_t fit = std::min<std::uint64_t>(answers.size(), room_ - total_);
            std::copy_n(answers.begin(), static_cast<std::size_t>(fit), first_ + total_);
        }
        total_ += answers.size();
    }
    std::uint64_t total() const noexcept { return total_; }

private:
    Answer* first_;
    std::uint64_t room_, total_ = 0;
};

}  // namespace

uint64_t throng_structure_size(const throng_structure* structure) {
    return structure == nullptr ? 0 : structure->all->size();
}
uint64_t throng_structure_bytes(const throng_structure* structure) {
    return structure == nullptr ? 0 : structure->all->bytes();
}

int32_t throng_structure_box(const throng_structure* structure, uint32_t id, throng_box* box,
                             throng_status_details* details) {
    const Status status = first_fault(needs(structure, handle), needs(box, Argument::output));
    if (!status) return report(details, status);
    if (!structure->all->contains(id)) return report(details, {Code::unknown_id, Argument::ids});
    *box = box_of(structure->all->box(id));
    return report(details, {});
}

int32_t throng_structure_overlaps(const throng_structure* structure, const throng_box* box, uint32_t omitted,
                                  uint32_t* ids, uint64_t room, uint64_t* total,
                                  throng_status_details* details) {
    const Status status =
        first_fault(needs(structure, handle), needs(box, Argument::boxes), check_output(ids, room));
    if (!status) return report(details, status);
    Into<AgentId> into(ids, room);
    const Status found = structure->all->for_each_overlap(box_of(*box), into, omitted);
    if (total != nullptr) *total = into.total();
    return report(details, found);
}

int32_t throng_structure_overlaps_of(const throng_structure* structure, const throng_boxes* boxes,
                                     const uint32_t* omitted, uint64_t* offsets, uint64_t offset_room,
                                     uint32_t* ids, uint64_t room, uint64_t* total,
                                     throng_status_details* details) {
    Boxes queries;
    Status status = first_fault(needs(structure, handle), view(boxes, queries),
                                check_output(offsets, offset_room), check_output(ids, room));
    if (status) status = {queries.fault(), Argument::boxes};
    if (status && offset_room <= queries.size()) status = {Code::size_mismatch, Argument::output};
    if (!status) return report(details, status);
    Into<AgentId> into(ids, room);
    offsets[0] = 0;
    for (std::size_t i = 0; i < queries.size() && status; ++i) {
        const AgentId own = omitted == nullptr ? no_agent : omitted[i];
        const Status found = structure->all->for_each_overlap(queries[i], into, own);
        if (!found) status = {found.code, i, Argument::boxes};
        offsets[i + 1] = into.total();
    }
    if (total != nullptr) *total = into.total();
    return report(details, status);
}

int32_t throng_structure_pairs(throng_structure* structure, throng_pair* pairs, uint64_t room,
                               uint64_t* total, throng_status_details* details) {
    const Status status = first_fault(needs(structure, handle), check_output(pairs, room));
    if (!status) return report(details, status);
    Into<Pair> into(reinterpret_cast<Pair*>(pairs), room);
    const Status found = structure->all->for_each_pair(into);
    if (total != nullptr) *total = into.total();
    return report(details, found);
}

int32_t throng_structure_elements(const throng_structure* structure, uint32_t* ids, uint64_t room,
                                  throng_status_details* details) {
    const Status status = first_fault(needs(structure, handle), check_output(ids, room));
    if (!status) return report(details, status);
    Into<AgentId> into(ids, room);
    structure->all->for_each_element(into);
    return report(details, {});
}
