// All pairs, row by row of loose cells. Near elements reach at most into the next row, so the kernel that
// finds the engine's own pairs finds theirs in packed rows. Far elements are few, and each runs a query.
#include <algorithm>

#include "base/box_math.hpp"
#include "structures/src/loose_grid/state.hpp"
#include "structures/src/loose_grid/walk.hpp"
#include "structures/src/rows/listed_elements.hpp"
#include "structures/src/rows/neighbour_rows.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// How many columns a loose cell is, of the rows in which pairs are found.
constexpr std::uint32_t columns_in_cell = 6;

}  // namespace

Status LooseGrid::State::find_pairs(PairAnswers& found) {
    NeighbourRows rows(*kernels_, pair_space_, found);
    const std::uint32_t columns = columns_in_cell * config_.columns;
    rows.set_columns(columns_.origin, 1 / double{columns_.scale} / columns_in_cell, columns);
    // Everything that may fail, before the first pair is reported.
    const std::size_t largest = *std::max_element(row_sizes_.begin(), row_sizes_.end());
    if (!list_far_elements() || !rows.reserve(largest, columns)) return {Code::out_of_memory};
    pack_row(0, rows);
    for (std::uint32_t row = 0; row < config_.rows && !rows.stopped(); ++row) {
        pack_row(row + 1, rows);
        rows.find();
    }
    rows.finish();
    bool going_on = !rows.stopped();
    for (const std::uint32_t* slot = far_.begin(); going_on && slot != far_.end(); ++slot)
        going_on = find_far_pairs(*slot, found);
    return {};
}

// In the order of the cells. A near cell has only near elements.
bool LooseGrid::State::list_far_elements() noexcept {
    far_.clear();
    if (!has_far_cells()) return true;
    const std::size_t room = far_.capacity();
    for (const Cell& cell : cells_) {
        if (is_near(cell.bounds)) continue;
        for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next)
            if (!is_near(records_[slot].box) && !far_.push_back(slot)) return false;
    }
    if (far_.capacity() != room) keep_room(far_, with_headroom(far_.size()));
    return true;
}

// The row after the last one is empty. While nothing has changed its cell since `assign`, the records of a
// row are one run.
void LooseGrid::State::pack_row(std::uint32_t row, NeighbourRows& rows) const noexcept {
    simd::Record* to = rows.turn();
    const simd::Record* const first = to;
    if (row == config_.rows || row_sizes_[row] == 0) return;
    const bool all = far_.size() == 0;
    const auto put = [&](const Record& record, std::uint32_t, std::uint32_t) {
        *to = {record.box.min_x, record.box.min_y, record.box.max_x, record.box.max_y, record.id};
        to += all || is_near(record.box);
    };
    const Cell* cell = &cells_[std::size_t{row} * config_.columns];
    if (is_in_order_) {
        while (cell->head == none) ++cell;
        for (std::uint32_t slot = cell->head, end = slot + row_sizes_[row]; slot < end; ++slot)
            put(records_[slot], 0, 0);
    } else {
        std::uint32_t* const lists = rows.list();
        std::uint32_t count = 0;
        for (const Cell* const end = cell + config_.columns; cell != end; ++cell) {
            lists[count] = cell->head;
            count += cell->head != none;
        }
        (void)write_lists(records_, lists, count, rows.room(), put);
    }
    rows.sort(static_cast<std::uint32_t>(to - first));
}

// The pairs of a far element with all near ones, and with far ones of larger id.
bool LooseGrid::State::find_far_pairs(std::uint32_t slot, PairAnswers& found) const {
    const Box box = records_[slot].box;
    const ElementId id = records_[slot].id;
    return each_cell(box, [&](const Cell& cell) {
        const bool all = is_near(cell.bounds);
        for (std::uint32_t other = cell.head; other != none; other = records_[other].next) {
            const Record& record = records_[other];
            if (!overlap(record.box, box) || record.id == id) continue;
            if (!all && record.id < id && !is_near(record.box)) continue;
            if (!found.put({id, record.id})) return false;
        }
        return true;
    });
}

}  // namespace throng::structures
