// All pairs, row by row of loose cells. An element is regular if it reaches out of its cell by no more than half a
// cell. Two of these that overlap are in the same cell or in neighbours: where they overlap, the one from the left is in
// its column or in the near half of the next, and so is the other from its side.
//
//     row above      . . j j j j j . .      elements packed cell by cell, so the candidates of i are two runs:
//     row            . . . i j j . . .      the rest of its cell with the next one, and three cells of the row above
//
// All others are few, and each asks a question of its own.
#include <algorithm>

#include "engine/src/structures/loose_grid_bounds.hpp"
#include "engine/src/structures/loose_grid_walk.hpp"
#include "throng/structures/loose_grid.hpp"

namespace throng {

using namespace detail;

bool LooseGrid::is_regular(const Box& box, std::uint32_t column, std::uint32_t row) const noexcept {
    return half_x_(box.min_x) + 1 >= 2 * column && half_x_(box.max_x) <= 2 * column + 2 &&
           half_y_(box.min_y) + 1 >= 2 * row && half_y_(box.max_y) <= 2 * row + 2;
}

Status LooseGrid::find_pairs(PairAnswers& found) {
    if (const Status own = status(); !own.ok()) return own;
    PackedRow rows[2];
    if (!prepare_pairs(rows)) return {Code::out_of_memory};
    pack_row(0, rows[0]);
    for (std::uint32_t row = 0; row < config_.rows; ++row) {
        PackedRow& above = rows[(row + 1) % 2];
        pack_row(row + 1, above);
        if (!find_row_pairs(rows[row % 2], above, found)) return {};
    }
    for (const std::uint32_t slot : irregular_)
        if (!find_irregular_pairs(slot, found)) break;
    return {};
}

// Notes who is not regular, and gets room for two rows: all that may fail, before the first pair is found.
bool LooseGrid::prepare_pairs(PackedRow (&rows)[2]) noexcept {
    irregular_.clear();
    for (std::uint32_t row = 0, c = 0; row < config_.rows; ++row) {
        for (std::uint32_t column = 0; column < config_.columns; ++column, ++c) {
            const Cell& cell = cells_[c];
            if (cell.head == none || is_regular(cell.bounds, column, row)) continue;
            for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next)
                if (!is_regular(records_[slot].box, column, row) && !irregular_.push_back(slot)) return false;
        }
    }
    const std::size_t largest = *std::max_element(row_sizes_.begin(), row_sizes_.end());
    const std::size_t columns = config_.columns + std::size_t{2};
    // A little more than needed now, since the next frame's largest row will be another.
    std::size_t stride = packed_ids_.size() / 2;
    if (stride < largest) stride = largest + largest / 8 + 16;
    if (!packed_.resize_exactly(8 * stride) || !packed_ids_.resize_exactly(2 * stride) ||
        !begins_.resize_exactly(2 * columns))
        return false;
    for (std::size_t k = 0; k < 2; ++k) {
        float* at = packed_.data() + 4 * k * stride;
        rows[k] = {at,
                   at + stride,
                   at + 2 * stride,
                   at + 3 * stride,
                   packed_ids_.data() + k * stride,
                   begins_.data() + k * columns,
                   0};
    }
    return true;
}

// The row behind the last one is empty.
void LooseGrid::pack_row(std::uint32_t row, PackedRow& packed) noexcept {
    const std::uint32_t columns = config_.columns;
    std::uint32_t count = 0;
    packed.lowest = nothing.min_y;
    for (std::uint32_t column = 0; row < config_.rows && column < columns; ++column) {
        packed.begins[column] = count;
        const Cell& cell = cells_[std::size_t{row} * columns + column];
        if (cell.head == none) continue;
        packed.lowest = std::min(packed.lowest, cell.bounds.min_y);
        const bool all = is_regular(cell.bounds, column, row);
        for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next) {
            const Record& record = records_[slot];
            packed.min_x[count] = record.box.min_x;
            packed.min_y[count] = record.box.min_y;
            packed.max_x[count] = record.box.max_x;
            packed.max_y[count] = record.box.max_y;
            packed.id[count] = record.id;
            count += all || is_regular(record.box, column, row);
        }
    }
    if (row >= config_.rows) std::fill(packed.begins, packed.begins + columns, 0u);
    packed.begins[columns] = packed.begins[columns + 1] = count;
}

namespace {

// Element i of one row against the elements [j, end) of it or another.
template <class Row>
bool against(const Row& one, std::uint32_t i, const Row& other, std::uint32_t j, std::uint32_t end,
             PairAnswers& found) {
    constexpr std::uint32_t some = 32;
    const float min_x = one.min_x[i], min_y = one.min_y[i], max_x = one.max_x[i], max_y = one.max_y[i];
    const ElementId id = one.id[i];
    while (j < end) {
        const std::uint32_t stop = end - j < some ? end : j + some;
        Pair* to = found.room(some);
        if (to == nullptr) return false;
        std::size_t count = 0;
        for (; j < stop; ++j) {
            to[count] = {id, other.id[j]};
            count += (other.min_x[j] <= max_x) & (min_x <= other.max_x[j]) & (other.min_y[j] <= max_y) &
                     (min_y <= other.max_y[j]);
        }
        found.wrote(count);
    }
    return true;
}

}  // namespace

bool LooseGrid::find_row_pairs(const PackedRow& row, const PackedRow& above, PairAnswers& found) const {
    for (std::uint32_t c = 0; c < config_.columns; ++c) {
        const std::uint32_t end = row.begins[c + 2];
        const std::uint32_t above_begin = above.begins[c == 0 ? 0 : c - 1], above_end = above.begins[c + 2];
        for (std::uint32_t i = row.begins[c]; i < row.begins[c + 1]; ++i) {
            if (!against(row, i, row, i + 1, end, found)) return false;
            if (row.max_y[i] >= above.lowest && !against(row, i, above, above_begin, above_end, found))
                return false;
        }
    }
    return true;
}

// The pairs of an element with all regular ones, and with those of its own kind that have a larger id.
bool LooseGrid::find_irregular_pairs(std::uint32_t slot, PairAnswers& found) const {
    const Box box = records_[slot].box;
    const ElementId id = records_[slot].id;
    return each_cell(box, [&](const Cell& cell) {
        const auto number = static_cast<std::uint32_t>(&cell - cells_.data());
        const std::uint32_t column = number % config_.columns, row = number / config_.columns;
        const bool all = is_regular(cell.bounds, column, row);
        for (std::uint32_t other = cell.head; other != none; other = records_[other].next) {
            const Record& record = records_[other];
            if (!overlap(record.box, box) || record.id == id) continue;
            if (!all && record.id < id && !is_regular(record.box, column, row)) continue;
            if (!found.put({id, record.id})) return false;
        }
        return true;
    });
}

}  // namespace throng
