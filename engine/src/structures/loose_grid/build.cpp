// Builds a loose grid from scratch by two counting sorts (grid sort, as in Green 2008): elements go to their
// rows, by the kernels that build the engine's own rows, and then each row, which fits into a cache, is sorted
// by column. In the end the elements of a cell are adjacent in memory, and so are neighbouring cells of a row.
#include <algorithm>
#include <utility>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/box_math.hpp"
#include "engine/src/base/box_reader.hpp"
#include "engine/src/base/limits.hpp"
#include "engine/src/base/refusals.hpp"
#include "engine/src/structures/loose_grid/state.hpp"
#include "engine/src/structures/rows/carver.hpp"
#include "simd/kernels.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng {

using namespace detail;

namespace {

// Boxes whose rows are computed at once.
constexpr std::size_t piece = 1024;

// How far ahead in a row ids are looked up.
constexpr std::uint32_t ahead = 16;

struct SortingSpace {
    simd::Record* records;
    std::uint32_t* columns;

    SortingSpace(Carver& carver, std::size_t count) noexcept
        : records(carver.take<simd::Record>(count)), columns(carver.take<std::uint32_t>(count)) {}
};

}  // namespace

Status LooseGrid::State::assign(const Boxes& boxes) noexcept {
    if (const Status refused = refused_assign(boxes); !refused) return refused;
    if (!row_counts_.resize(config_.rows) || !row_ends_.resize(config_.rows)) return {Code::out_of_memory};
    if (const Status refused = count_rows(boxes); !refused.ok()) return refused;
    // Each cell that is not empty needs at least one link.
    const std::size_t links = std::min(boxes.size(), cells_.size());
    const bool first_links = nodes_.capacity() < links;
    const std::size_t largest = *std::max_element(row_counts_.begin(), row_counts_.end());
    const bool can_sort = carve(
        pair_space_.rows, [&](Carver& carver) { (void)SortingSpace(carver, largest); },
        [&](Carver& carver) { (void)SortingSpace(carver, with_headroom(largest)); });
    if (!can_sort || !records_.reserve(boxes.size()) || !slots_.reserve(boxes.size()) ||
        !nodes_.reserve(links))
        return {Code::out_of_memory};
    // From here on nothing fails.
    forget_cells();
    scatter_to_rows(boxes);
    std::uint32_t begin = 0;
    for (std::uint32_t row = 0; row < config_.rows; begin += row_sizes_[row++]) sort_row(row, begin);
    is_in_order_ = true;
    relink_all_or_widen();
    if (first_links) (void)nodes_.reserve_exactly(with_headroom(nodes_.range()));
    return {};
}

// Calls `use(columns, first, count, rows)` for the boxes, in order, some at a time with their rows, which are
// counted as well; until it returns false.
template <class Use>
void LooseGrid::State::each_piece(const Boxes& boxes, Use&& use) noexcept {
    const simd::Grid grid{.origin_y = rows_.origin, .inverse_height = rows_.scale, .last_row = rows_.last};
    std::uint16_t row_of[piece + simd::gap];
    std::fill(row_counts_.begin(), row_counts_.end(), 0u);
    read_boxes(boxes, 0, boxes.size(), [&](const simd::Columns& all, std::size_t first, std::size_t count) {
        for (std::size_t at = 0; at < count; at += piece) {
            const simd::Columns some = part_of(all, at);
            const std::size_t length = std::min(piece, count - at);
            kernels_->count_rows(grid, some, length, row_of, row_counts_.data());
            if (!use(some, first + at, length, row_of)) return false;
        }
        return true;
    });
}

// Checks all boxes, and counts how many are in each row.
Status LooseGrid::State::count_rows(const Boxes& boxes) noexcept {
    Status status;
    each_piece(boxes, [&](const simd::Columns& some, std::size_t first, std::size_t count, const auto*) {
        if (!all_legal(some, count)) status = check(boxes, first);
        return status.ok();
    });
    return status;
}

// The records for the rows are smaller than those of the grid, and lie in their place until they are sorted.
void LooseGrid::State::scatter_to_rows(const Boxes& boxes) noexcept {
    static_assert(sizeof(simd::Record) <= sizeof(Record));
    std::copy(row_counts_.begin(), row_counts_.end(), row_sizes_.begin());
    (void)records_.fill(boxes.size());
    (void)slots_.fill(boxes.size());
    if (boxes.empty()) return;
    std::uint32_t begin = 0;
    for (std::uint32_t row = 0; row < config_.rows; begin += row_sizes_[row++])
        row_ends_[row] = reinterpret_cast<simd::Record*>(&records_[0] + begin);
    each_piece(boxes,
               [&](const simd::Columns& some, std::size_t first, std::size_t count, const auto* row_of) {
                   (void)kernels_->scatter(some, count, nullptr, static_cast<std::uint32_t>(first), row_of,
                                           row_ends_.data());
                   return true;
               });
}

void LooseGrid::State::sort_row(std::uint32_t row, std::uint32_t begin) noexcept {
    const std::uint32_t count = row_sizes_[row];
    if (count == 0) return;
    Record* const records = &records_[0];
    Carver carver(pair_space_.rows.data());
    const SortingSpace space(carver, count);
    std::copy_n(reinterpret_cast<const simd::Record*>(records + begin), count, space.records);
    Cell* const cells = &cells_[std::size_t{row} * config_.columns];
    for (std::uint32_t c = 0; c < config_.columns; ++c) cells[c].head = 0;
    for (std::uint32_t i = 0; i < count; ++i)
        ++cells[space.columns[i] = columns_(space.records[i].min_x)].head;
    for (std::uint32_t c = 0, at = begin; c < config_.columns; ++c) at += std::exchange(cells[c].head, at);
    for (std::uint32_t i = 0; i < count; ++i) {
        const simd::Record& record = space.records[i];
        // Ids lead anywhere in memory.
        __builtin_prefetch(&slots_[space.records[i + ahead < count ? i + ahead : i].id], 1);
        Cell& cell = cells[space.columns[i]];
        const std::uint32_t slot = cell.head++;
        const Box box{record.min_x, record.min_y, record.max_x, record.max_y};
        records[slot] = {box, slot + 1, record.id};
        slots_[record.id] = slot;
        cell.bounds = united(cell.bounds, box);
    }
    for (std::uint32_t c = 0; c < config_.columns; ++c) {
        const std::uint32_t end = cells[c].head;
        if (end != begin) records[end - 1].next = none;
        cells[c].head = end != begin ? begin : none;
        begin = end;
    }
}

}  // namespace throng
