// All pairs, row by row of loose cells. An element is regular if it reaches out of its cell by no more than
// half a cell. Two regular elements that overlap are in the same cell or in neighbouring ones: each reaches
// at most the near half of the next column.
//
//     row above      . . j j j j j . .
//     row            . . . i j j . . .
//
// Elements are packed cell by cell, so the candidates of i are two runs: the rest of its own cell and the
// next cell, and three cells of the row above.
//
// Irregular elements are few, and each runs a query.
#include <algorithm>
#include <bit>
#include <limits>

#include "engine/src/base/box_math.hpp"
#include "engine/src/structures/loose_grid/walk.hpp"
#include "throng/structures/detail/headroom.hpp"
#include "throng/structures/loose_grid.hpp"

namespace throng {

using namespace detail;

namespace {

// How many followers in its row each element is always compared with, how many further ones are compared at
// once, and how many may be read past the end of a row.
constexpr std::uint32_t near = 8, few = 8, gap = 8;

}  // namespace

// In half cells: not below the one before the cell, and not above the one after it. Positions outside the
// grid count as in its outermost half cells.
bool LooseGrid::is_regular(const Box& box, std::uint32_t column, std::uint32_t row) const noexcept {
    const auto within = [](const Axis& axis, float min, float max, std::uint32_t stripe) {
        const float first = 2 * static_cast<float>(stripe) - 1;
        const float low = (min - axis.origin) * axis.scale, high = (max - axis.origin) * axis.scale;
        return ((low >= first) | (stripe == 0)) & (!(high >= first + 4) | (first + 2 >= axis.last));
    };
    return within(half_x_, box.min_x, box.max_x, column) & within(half_y_, box.min_y, box.max_y, row);
}

Status LooseGrid::find_pairs(PairAnswers& found) {
    if (const Status own = status(); !own.ok()) return own;
    PackedRow rows[2];
    if (!prepare_pairs(rows)) return {Code::out_of_memory};
    const std::uint32_t* irregular = irregular_.data();
    pack_row(0, rows[0], irregular);
    for (std::uint32_t row = 0; row < config_.rows; ++row) {
        PackedRow& above = rows[(row + 1) % 2];
        pack_row(row + 1, above, irregular);
        if (!find_row_pairs(rows[row % 2], above, found)) return {};
    }
    for (const std::uint32_t slot : irregular_)
        if (slot != none && !find_irregular_pairs(slot, found)) break;
    return {};
}

// Lists the irregular elements in the order of the cells, and reserves two rows: everything that may fail,
// before the first pair is reported.
bool LooseGrid::prepare_pairs(PackedRow (&rows)[2]) noexcept {
    irregular_.clear();
    const std::size_t room = irregular_.capacity();
    for (std::uint32_t row = 0, c = 0; row < config_.rows; ++row) {
        for (std::uint32_t column = 0; column < config_.columns; ++column, ++c) {
            const Cell& cell = cells_[c];
            if (cell.head == none || is_regular(cell.bounds, column, row)) continue;
            for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next)
                if (!is_regular(records_[slot].box, column, row) && !irregular_.push_back(slot)) return false;
        }
    }
    if (!irregular_.push_back(none)) return false;
    if (irregular_.capacity() != room) keep_room(irregular_, ample(irregular_.size()));
    const std::size_t largest = *std::max_element(row_sizes_.begin(), row_sizes_.end());
    const std::size_t columns = config_.columns + std::size_t{2};
    // With headroom, since the largest row varies from frame to frame.
    std::size_t stride = packed_ids_.size() / 3;
    if (stride < largest + gap) stride = ample(largest) + gap;
    if (!packed_.resize_exactly(8 * stride) || !packed_ids_.resize_exactly(3 * stride) ||
        !begins_.resize_exactly(2 * columns))
        return false;
    for (std::size_t k = 0; k < 2; ++k) {
        float* at = packed_.data() + 4 * k * stride;
        rows[k] = {at,
                   at + stride,
                   at + 2 * stride,
                   at + 3 * stride,
                   packed_ids_.data() + k * stride,
                   packed_ids_.data() + 2 * stride,
                   begins_.data() + k * columns,
                   0};
    }
    return true;
}

// The row after the last one is empty.
void LooseGrid::pack_row(std::uint32_t row, PackedRow& packed,
                         const std::uint32_t*& irregular) const noexcept {
    const std::uint32_t columns = config_.columns;
    std::uint32_t count = 0;
    packed.lowest = empty_bounds.min_y;
    for (std::uint32_t column = 0; column < columns; ++column) {
        packed.begins[column] = count;
        if (row == config_.rows) continue;
        const Cell& cell = cells_[std::size_t{row} * columns + column];
        if (cell.head != none) packed.lowest = std::min(packed.lowest, cell.bounds.min_y);
        for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next) {
            const Record& record = records_[slot];
            packed.min_x[count] = record.box.min_x;
            packed.min_y[count] = record.box.min_y;
            packed.max_x[count] = record.box.max_x;
            packed.max_y[count] = record.box.max_y;
            packed.id[count] = record.id;
            const bool is_irregular = slot == *irregular;
            irregular += is_irregular;
            count += !is_irregular;
        }
    }
    packed.begins[columns] = packed.begins[columns + 1] = count;
    // The padding overlaps nothing.
    for (float* array : {packed.min_x, packed.min_y, packed.max_x, packed.max_y})
        std::fill_n(array + count, gap, std::numeric_limits<float>::quiet_NaN());
}

namespace {

using Hits = std::uint32_t;

// For every element of a row: bit 0 for whether it reaches into the row above, and bit k for whether it
// overlaps the element k places behind it. One plain loop, which the compiler vectorises.
void compare_neighbours(const float* min_x, const float* min_y, const float* max_x, const float* max_y,
                        std::size_t count, float lowest_above, Hits* __restrict hits) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        Hits found = max_y[i] >= lowest_above ? 1 : 0;
#pragma GCC unroll 16
        for (std::size_t k = 1; k <= near; ++k) {
            const bool hit = (min_x[i + k] <= max_x[i]) & (min_x[i] <= max_x[i + k]) &
                             (min_y[i + k] <= max_y[i]) & (min_y[i] <= max_y[i + k]);
            found |= hit ? Hits{1} << k : 0;
        }
        hits[i] = found;
    }
}

// Tests one box against the next few of a row. Returns whether there is any hit.
bool compare_few(const Box& box, const float* min_x, const float* min_y, const float* max_x,
                 const float* max_y, Hits* __restrict hits) noexcept {
    Hits any = 0;
    for (std::size_t k = 0; k < few; ++k) {
        const Hits hit = (min_x[k] <= box.max_x) & (box.min_x <= max_x[k]) & (min_y[k] <= box.max_y) &
                         (box.min_y <= max_y[k]);
        hits[k] = hit;
        any |= hit;
    }
    return any != 0;
}

}  // namespace

// An element against the elements [j, end) of a row, and up to seven more, which are not its
// neighbours and do not overlap it.
bool LooseGrid::find_pairs_with(const PackedRow& row, std::uint32_t i, const PackedRow& other,
                                std::uint32_t j, std::uint32_t end, PairAnswers& found) {
    const Box box{row.min_x[i], row.min_y[i], row.max_x[i], row.max_y[i]};
    Hits hits[few];
    for (; j < end; j += few) {
        if (!compare_few(box, other.min_x + j, other.min_y + j, other.max_x + j, other.max_y + j, hits))
            continue;
        Pair* to = found.room(few);
        if (to == nullptr) return false;
        std::size_t count = 0;
        for (std::uint32_t k = 0; k < few; count += hits[k++]) to[count] = {row.id[i], other.id[j + k]};
        found.wrote(count);
    }
    return true;
}

bool LooseGrid::find_row_pairs(const PackedRow& row, const PackedRow& above, PairAnswers& found) const {
    Hits* const hits = row.hits;
    compare_neighbours(row.min_x, row.min_y, row.max_x, row.max_y, row.begins[config_.columns], above.lowest,
                       hits);
    for (std::uint32_t c = 0; c < config_.columns; ++c) {
        const std::uint32_t begin = row.begins[c], end = row.begins[c + 1], next_end = row.begins[c + 2];
        const std::uint32_t above_begin = above.begins[c == 0 ? 0 : c - 1], above_end = above.begins[c + 2];
        for (std::uint32_t i = begin; i < end; ++i) {
            if ((hits[i] & 1) != 0 && !find_pairs_with(row, i, above, above_begin, above_end, found))
                return false;
            for (Hits left = hits[i] >> 1; left != 0; left &= left - 1)
                if (!found.put(
                        {row.id[i], row.id[i + 1 + static_cast<std::uint32_t>(std::countr_zero(left))]}))
                    return false;
        }
        for (std::uint32_t i = begin; i < end && i + 1 + near < next_end; ++i)
            if (!find_pairs_with(row, i, row, i + 1 + near, next_end, found)) return false;
    }
    return true;
}

// The pairs of an irregular element with all regular ones, and with irregular ones of larger id.
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
