// Builds a loose grid from scratch by two counting sorts (grid sort, as in Green 2008): elements go to their
// rows, by the kernels that build the engine's own rows, and then each row, which fits into a cache, is sorted
// by column. In the end the elements of a cell are adjacent in memory, and so are neighbouring cells of a row.
#include <algorithm>
#include <limits>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/box_math.hpp"
#include "engine/src/base/box_reader.hpp"
#include "engine/src/base/limits.hpp"
#include "engine/src/base/refusals.hpp"
#include "engine/src/structures/loose_grid/state.hpp"
#include "engine/src/structures/rows/record_sorter.hpp"
#include "simd/kernels.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng {

using namespace detail;

namespace {

// Boxes whose rows are computed at once.
constexpr std::size_t piece = 1024;

// How far ahead in a row ids are looked up.
constexpr std::uint32_t ahead = 16;
// Elements of a cell whose bounds are found without a branch.
constexpr std::uint32_t few = 6;

struct SortingSpace {
    RecordSorter sorter;
    std::uint32_t* cells;

    SortingSpace(Carver& carver, std::size_t elements, std::size_t columns) noexcept
        : sorter(carver, elements), cells(carver.take<std::uint32_t>(columns + 1)) {}
};

// Of both corners alike, as vectors.
struct Union {
    float low[4], high[4];

    explicit Union(const float* box) noexcept {
        for (int k = 0; k < 4; ++k) low[k] = high[k] = box[k];
    }
    void add(const float* box) noexcept {
        for (int k = 0; k < 4; ++k) low[k] = box[k] < low[k] ? box[k] : low[k];
        for (int k = 0; k < 4; ++k) high[k] = box[k] > high[k] ? box[k] : high[k];
    }
    Box bounds() const noexcept { return {low[0], low[1], high[2], high[3]}; }
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
        pair_space_.rows, [&](Carver& carver) { (void)SortingSpace(carver, largest, config_.columns); },
        [&](Carver& carver) { (void)SortingSpace(carver, with_headroom(largest), config_.columns); });
    if (!can_sort || !records_.reserve(boxes.size()) || !slots_.reserve(boxes.size()) ||
        !nodes_.reserve(links))
        return {Code::out_of_memory};
    // From here on nothing fails.
    forget_cells();
    scatter_to_rows(boxes);
    sort_rows(largest);
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

void LooseGrid::State::sort_rows(std::size_t largest) noexcept {
    Carver carver(pair_space_.rows.data());
    const SortingSpace space(carver, largest, config_.columns);
    constexpr float any = std::numeric_limits<float>::infinity();
    const simd::Grid grid{.origin_x = columns_.origin,
                          .inverse_width = columns_.scale,
                          .last_column = columns_.last,
                          .common_width = any,
                          .common_height = any,
                          .columns = config_.columns,
                          .rows = 1};
    for (std::uint32_t row = 0, begin = 0; row < config_.rows; begin += row_sizes_[row++]) {
        const std::uint32_t count = row_sizes_[row];
        if (count == 0) continue;
        const auto* const records = reinterpret_cast<const simd::Record*>(&records_[begin]);
        const RecordSorter::Sorted sorted = space.sorter.sort(*kernels_, grid, records, count, space.cells);
        Record* const to = &records_[begin];
        for (std::uint32_t i = 0; i < count; ++i) {
            // Ids lead anywhere in memory.
            __builtin_prefetch(&slots_[sorted.ids[i + ahead < count ? i + ahead : i]], 1);
            to[i] = {sorted.box(i), begin + i + 1, sorted.ids[i]};
            slots_[sorted.ids[i]] = begin + i;
        }
        fill_cells(&cells_[std::size_t{row} * config_.columns], begin, space.cells, sorted.boxes);
    }
}

// The cells of a row, whose records begin at `begin`.
void LooseGrid::State::fill_cells(Cell* cells, std::uint32_t begin, const std::uint32_t* begins,
                                  const float* boxes) noexcept {
    for (std::uint32_t c = 0; c < config_.columns; ++c) {
        const std::uint32_t first = begins[c], end = begins[c + 1];
        if (first == end) continue;
        const auto box = [&](std::uint32_t i) { return boxes + std::size_t{4} * i; };
        Union all(box(first));
        // Most have no more than that, and adding the last one again is cheaper than a branch that nothing predicts.
        for (std::uint32_t i = first + 1; i < first + few; ++i) all.add(box(std::min(i, end - 1)));
        for (std::uint32_t i = first + few; i < end; ++i) all.add(box(i));
        cells[c] = {begin + first, all.bounds()};
        records_[begin + end - 1].next = none;
    }
}

}  // namespace throng
