// A loose grid made from nothing: elements are counted by cell, and then placed, so that those of a cell are neighbours
// in memory, and those of neighbouring cells too. Until they are placed the old ones are all there, and what was
// overwritten in the cells can be had back from them.
#include <utility>

#include "engine/src/box_check.hpp"
#include "engine/src/staging.hpp"
#include "engine/src/structures/loose_grid_bounds.hpp"
#include "throng/structures/loose_grid.hpp"

namespace throng {

using namespace detail;

Status LooseGrid::assign(const Boxes& boxes) noexcept {
    if (const Status own = status(); !own.ok()) return own;
    if (boxes.null()) return {Code::null_view};
    if (boxes.size() > most_agents) return {Code::too_many_agents, most_agents};
    if (const Status refused = check(boxes); !refused.ok()) return refused;
    if (!records_.reserve(boxes.size()) || !slots_.reserve(boxes.size())) return {Code::out_of_memory};
    forget_cells();
    count_elements(boxes);
    if (!link_all(most_tight_cells)) {
        restore();
        return {Code::out_of_memory};
    }
    place_elements(boxes);
    return {};
}

// The heads count for now.
void LooseGrid::count_elements(const Boxes& boxes) noexcept {
    for (Cell& cell : cells_) cell.head = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box box = boxes[i];
        Cell& cell = cells_[cell_of(box)];
        ++cell.head;
        enclose(cell.bounds, box);
    }
}

void LooseGrid::place_elements(const Boxes& boxes) noexcept {
    // There is room, so neither fails.
    (void)records_.fill(boxes.size());
    (void)slots_.fill(boxes.size());
    std::uint32_t begin = 0;
    for (Cell& cell : cells_) begin += std::exchange(cell.head, begin);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box box = boxes[i];
        const std::uint32_t slot = cells_[cell_of(box)].head++;
        records_[slot] = {box, slot + 1, static_cast<ElementId>(i)};
        slots_[static_cast<ElementId>(i)] = slot;
    }
    begin = 0;
    for (std::uint32_t row = 0, c = 0; row < config_.rows; ++row) {
        const std::uint32_t row_begin = begin;
        for (const std::uint32_t end_of_row = c + config_.columns; c < end_of_row; ++c) {
            const std::uint32_t end = cells_[c].head;
            if (end != begin) records_[end - 1].next = none;
            cells_[c].head = end != begin ? begin : none;
            begin = end;
        }
        row_sizes_[row] = begin - row_begin;
    }
}

// The cells as they were, but for bounds that are tight now.
void LooseGrid::restore() noexcept {
    forget_cells();
    records_.for_each([&](std::uint32_t slot, const Record& record) {
        const std::uint32_t cell = cell_of(record.box);
        push_record(cell, slot);
        enclose(cells_[cell].bounds, record.box);
    });
    link_all_somehow();
}

}  // namespace throng
