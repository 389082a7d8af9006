// Edits of one element, and the clean-up at the end of a frame.
#include <algorithm>
#include <utility>

#include "base/box_math.hpp"
#include "structures/src/loose_grid/state.hpp"
#include "throng/compiler.hpp"

namespace throng::structures {

using namespace detail;

Status LooseGrid::State::insert_legal(const Box& box, ElementId& id) noexcept {
    const std::uint32_t cell = cell_of(box);
    const Box bounds = cells_[cell].bounds.united(box);
    if (!records_.reserve(size() + 1) || !slots_.reserve(size() + 1) ||
        !reserve_links(cells_[cell].bounds, bounds))
        return {Code::out_of_memory};
    const std::uint32_t slot = records_.insert({box, none, no_element});
    id = slots_.insert(slot);
    records_[slot].id = id;
    push_record(cell, slot);
    relink(cell, bounds);
    return {};
}

Status LooseGrid::State::move_legal(ElementId id, const Box& box) noexcept {
    // Records lie in the order of cells, but hosts move elements in that of ids: each would wait for memory.
    constexpr ElementId moves_ahead = 12, soon = 5;
    if (id < slots_.range() - std::min(slots_.range(), moves_ahead)) {
        // A free id has a link of the free list instead of a slot.
        if (const auto slot = slots_[id + moves_ahead]; slot < records_.range())
            THRONG_PREFETCH(&records_[slot], 1);
        if (const auto slot = slots_[id + soon]; slot < records_.range()) {
            const Cell& cell = cells_[cell_of(records_[slot].box)];
            THRONG_PREFETCH(&cell, 1);
            THRONG_PREFETCH(&cell.bounds.max_y, 1);
        }
    }
    std::uint32_t slot = slots_[id];
    const std::uint32_t cell = cell_of(box), left = cell_of(records_[slot].box);
    const Box bounds = cells_[cell].bounds.united(box);
    const bool near = is_near(bounds);
    if (!near && !reserve_links(cells_[cell].bounds, bounds)) return {Code::out_of_memory};
    if (left != cell) {
        slot = take_record(left, slot);
        push_record(cell, slot);
    }
    records_[slot].box = box;
    touched_.set(left);
    if (near) [[likely]]
        cells_[cell].bounds = bounds;
    else
        relink(cell, bounds);
    return {};
}

Status LooseGrid::State::remove_known(ElementId id) noexcept {
    const std::uint32_t slot = slots_[id], cell = cell_of(records_[slot].box);
    records_.erase(take_record(cell, slot));
    touched_.set(cell);
    slots_.erase(id);
    return {};
}

void LooseGrid::State::push_record(std::uint32_t cell, std::uint32_t slot) noexcept {
    records_[slot].next = cells_[cell].head;
    cells_[cell].head = slot;
    is_in_order_ = false;
    ++row_sizes_[cell / config_.columns];
}

// Returns the slot of the record afterwards. To avoid a search for the predecessor in a long list, the first
// of the list takes its place.
std::uint32_t LooseGrid::State::take_record(std::uint32_t cell, std::uint32_t slot) noexcept {
    constexpr int max_steps = 32;
    --row_sizes_[cell / config_.columns];
    is_in_order_ = false;
    std::uint32_t* link = &cells_[cell].head;
    for (int step = 0; step < max_steps; ++step) {
        if (*link == slot) {
            *link = records_[slot].next;
            return slot;
        }
        link = &records_[*link].next;
    }
    const std::uint32_t first = cells_[cell].head;
    Record &in_front = records_[first], &inside = records_[slot];
    cells_[cell].head = in_front.next;
    std::swap(in_front.box, inside.box);
    std::swap(in_front.id, inside.id);
    slots_[in_front.id] = first;
    slots_[inside.id] = slot;
    return first;
}

Box LooseGrid::State::settled_bounds(const Cell& cell) const noexcept {
    Box bounds = no_box;
    for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next)
        bounds = bounds.united(records_[slot].box);
    return bounds;
}

void LooseGrid::State::clean_up() noexcept {
    if (!is_placed_alike()) return;
    clean_up_at_ = 0;
    keep_room_for_moves();
    bool all = true;
    touched_.for_each([&](std::size_t cell) { all &= shrink(static_cast<std::uint32_t>(cell)); });
    drop_narrow_cells();
    if (all) touched_.clear();
    if (is_unlinked_) link_all();
}

bool LooseGrid::State::clean_up(std::size_t budget) noexcept {
    if (!is_placed_alike()) return true;
    std::size_t cell = touched_.find_next(std::exchange(clean_up_at_, 0));
    for (; cell != touched_.npos && budget != 0; cell = touched_.find_next(cell + 1), --budget)
        if (shrink(static_cast<std::uint32_t>(cell))) touched_.reset(cell);
    drop_narrow_cells();
    if (cell != touched_.npos) {
        clean_up_at_ = cell;
        return false;
    }
    if (is_unlinked_) link_all();
    return true;
}

}  // namespace throng::structures
