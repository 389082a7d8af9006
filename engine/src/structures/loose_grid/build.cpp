// Builds a loose grid from scratch by two counting sorts (grid sort, as in Green 2008): elements go to their
// rows, and then each row, which fits into a cache, is sorted by column. In the end the elements of a cell
// are adjacent in memory, and so are neighbouring cells of a row.
#include <algorithm>
#include <utility>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/box_math.hpp"
#include "engine/src/base/box_reader.hpp"
#include "engine/src/base/limits.hpp"
#include "throng/structures/detail/headroom.hpp"
#include "throng/structures/loose_grid.hpp"

namespace throng {

using namespace detail;

namespace {

// Calls `use(i, box)` for all boxes in order, until it returns false.
template <class Use>
void each_box(const Boxes& boxes, Use&& use) noexcept {
    read_boxes(boxes, 0, boxes.size(), [&](const simd::Columns& c, std::size_t first, std::size_t count) {
        const auto all = [&](auto box_at) {
            for (std::size_t i = 0; i < count; ++i)
                if (!use(static_cast<std::uint32_t>(first + i), box_at(i))) return false;
            return true;
        };
        if (c.centre_half)
            return all([&](std::size_t i) { return Box::around(c.a[i], c.b[i], c.c[i], c.d[i]); });
        return all([&](std::size_t i) { return Box{c.a[i], c.b[i], c.c[i], c.d[i]}; });
    });
}

}  // namespace

Status LooseGrid::assign(const Boxes& boxes) noexcept {
    if (const Status own = status(); !own.ok()) return own;
    if (const Code bad = boxes.fault(); bad != Code::ok) return {bad};
    if (boxes.size() > max_agents) return {Code::too_many, max_agents};
    if (!rows_begin_.resize(config_.rows + std::size_t{1})) return {Code::out_of_memory};
    if (const Status refused = count_rows(boxes); !refused.ok()) return refused;
    const std::size_t largest = *std::max_element(rows_begin_.begin(), rows_begin_.end());
    // Each cell that is not empty needs at least one link.
    const std::size_t links = std::min(boxes.size(), cells_.size());
    const bool first_links = nodes_.capacity() < links;
    if (!reserve_with_headroom(sorting_, largest) || !records_.reserve(boxes.size()) ||
        !slots_.reserve(boxes.size()) || !nodes_.reserve(links))
        return {Code::out_of_memory};
    // From here on nothing fails.
    forget_cells();
    scatter_to_rows(boxes);
    for (std::uint32_t row = 0; row < config_.rows; ++row) sort_row(row);
    relink_all_or_widen();
    if (first_links) (void)nodes_.reserve_exactly(ample(nodes_.range()));
    return {};
}

// Checks all boxes, and counts how many are in each row.
Status LooseGrid::count_rows(const Boxes& boxes) noexcept {
    std::fill(rows_begin_.begin(), rows_begin_.end(), 0u);
    Status status;
    each_box(boxes, [&](std::uint32_t i, const Box& box) {
        if (const Code code = check(box); code != Code::ok) {
            status = {code, i};
            return false;
        }
        ++rows_begin_[row_of(box)];
        return true;
    });
    return status;
}

// For now, the field for a record's link holds its column.
void LooseGrid::scatter_to_rows(const Boxes& boxes) noexcept {
    (void)records_.fill(boxes.size());
    (void)slots_.fill(boxes.size());
    std::uint32_t begin = 0;
    for (std::uint32_t row = 0; row < config_.rows; ++row) {
        row_sizes_[row] = rows_begin_[row];
        begin += std::exchange(rows_begin_[row], begin);
    }
    Record* const records = boxes.empty() ? nullptr : &records_[0];
    each_box(boxes, [&](std::uint32_t i, const Box& box) {
        records[rows_begin_[row_of(box)]++] = {box, column_of(box), i};
        return true;
    });
}

void LooseGrid::sort_row(std::uint32_t row) noexcept {
    const std::uint32_t count = row_sizes_[row];
    if (count == 0) return;
    // The cursor stands at the row's end.
    std::uint32_t begin = rows_begin_[row] - count;
    Record* const records = &records_[0];
    (void)sorting_.resize(count);
    std::copy_n(records + begin, count, sorting_.data());
    Cell* const cells = &cells_[std::size_t{row} * config_.columns];
    for (std::uint32_t c = 0; c < config_.columns; ++c) cells[c].head = 0;
    for (const Record& record : sorting_) ++cells[record.next].head;
    for (std::uint32_t c = 0, at = begin; c < config_.columns; ++c) at += std::exchange(cells[c].head, at);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Record& record = sorting_[i];
        // Ids lead anywhere in memory.
        constexpr std::uint32_t ahead = 16;
        __builtin_prefetch(&slots_[sorting_[i + ahead < count ? i + ahead : i].id], 1);
        Cell& cell = cells[record.next];
        const std::uint32_t slot = cell.head++;
        records[slot] = {record.box, slot + 1, record.id};
        slots_[record.id] = slot;
        cell.bounds = united(cell.bounds, record.box);
    }
    for (std::uint32_t c = 0; c < config_.columns; ++c) {
        const std::uint32_t end = cells[c].head;
        if (end != begin) records[end - 1].next = none;
        cells[c].head = end != begin ? begin : none;
        begin = end;
    }
}

}  // namespace throng
