// Builds a loose grid from scratch by two counting sorts (grid sort, as in Green 2008): elements go to their
// rows, and then each row, which fits into a cache, is sorted by column, both by the kernels that build the
// engine's own rows. In the end the elements of a cell are adjacent in memory, and so are neighbouring cells
// of a row.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/box_math.hpp"
#include "base/box_reader.hpp"
#include "simd/row_kernels.hpp"
#include "structures/src/loose_grid/state.hpp"
#include "structures/src/rows/record_sorter.hpp"
#include "throng/compiler.hpp"
#include "throng/structures/detail/headroom.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// How far ahead in a row ids are looked up.
constexpr std::uint32_t ahead = 16;

// The bounds of elements that come cell by cell, without a branch on where a cell begins. Nothing is added,
// since a host may flush subnormal sums.
class RunningBounds {
public:
    void add(const float* box, bool begins) noexcept {
        constexpr float infinity = std::numeric_limits<float>::infinity(), far[] = {-infinity, infinity};
        const float forget = far[begins ? 1 : 0];
        for (int i = 0; i < 4; ++i) {
            const float low = low_[i] > forget ? low_[i] : forget;
            const float high = high_[i] < -forget ? high_[i] : -forget;
            low_[i] = low < box[i] ? low : box[i];
            high_[i] = high > box[i] ? high : box[i];
        }
    }
    operator Box() const noexcept { return {low_[0], low_[1], high_[2], high_[3]}; }

private:
    float low_[4]{}, high_[4]{};
};

}  // namespace

Status LooseGrid::State::assign_all(const Boxes& boxes) noexcept {
    std::uint16_t* row_of = nullptr;
    const auto rows_of_all = [&](Carver& carver) {
        row_of = carver.take<std::uint16_t>(boxes.size() + simd::gap);
    };
    if (!row_counts_.resize(config_.rows) || !row_ends_.resize(config_.rows) ||
        !carve(pair_space_.sweep, rows_of_all))
        return {Code::out_of_memory};
    if (const Status refused = count_rows(boxes, row_of); !refused.ok()) return refused;
    const std::size_t largest = *std::max_element(row_counts_.begin(), row_counts_.end());
    const auto space = [&](Carver& carver, std::size_t most) {
        (void)carver.take<std::uint32_t>(config_.columns + 1);
        (void)RecordSorter(carver, most);
    };
    const bool can_sort = carve(
        pair_space_.rows, [&](Carver& carver) { space(carver, largest); },
        [&](Carver& carver) { space(carver, with_headroom(largest)); });
    if (!can_sort || !records_.reserve(boxes.size()) || !slots_.reserve(boxes.size()))
        return {Code::out_of_memory};
    // From here on nothing fails.
    forget_cells();
    scatter_to_rows(boxes, row_of);
    Carver carver(pair_space_.rows.data());
    std::uint32_t* const starts = carver.take<std::uint32_t>(config_.columns + 1);
    const RecordSorter sorter(carver, largest);
    std::uint32_t begin = 0;
    for (std::uint32_t row = 0; row < config_.rows; begin += row_sizes_[row++])
        sort_row(row, begin, sorter, starts);
    is_in_order_ = true;
    link_all();
    return {};
}

// Checks all boxes, and counts how many are in each row.
Status LooseGrid::State::count_rows(const Boxes& boxes, std::uint16_t* row_of) noexcept {
    constexpr std::size_t piece = 1024;
    const simd::Grid grid{.origin_y = rows_.origin, .inverse_height = rows_.scale, .last_row = rows_.last};
    std::fill(row_counts_.begin(), row_counts_.end(), 0u);
    Status status;
    read_boxes(boxes, 0, boxes.size(), [&](const simd::Columns& all, std::size_t first, std::size_t count) {
        for (std::size_t at = 0; at < count && status.ok(); at += piece) {
            const simd::Columns some = part_of(all, at);
            const std::size_t length = std::min(piece, count - at);
            if (!all_legal(some, length)) status = check(boxes, first + at);
            kernels_->rows->count_rows(grid, some, length, row_of + first + at, row_counts_.data());
        }
        return status.ok();
    });
    return status;
}

// The records for the rows are smaller than those of the grid, and lie in their place until they are sorted.
void LooseGrid::State::scatter_to_rows(const Boxes& boxes, const std::uint16_t* row_of) noexcept {
    static_assert(sizeof(simd::Record) <= sizeof(Record));
    std::copy(row_counts_.begin(), row_counts_.end(), row_sizes_.begin());
    (void)records_.fill(boxes.size());
    (void)slots_.fill(boxes.size());
    if (boxes.empty()) return;
    std::uint32_t begin = 0;
    for (std::uint32_t row = 0; row < config_.rows; begin += row_sizes_[row++])
        row_ends_[row] = reinterpret_cast<simd::Record*>(&records_[0] + begin);
    read_boxes(boxes, 0, boxes.size(), [&](const simd::Columns& some, std::size_t first, std::size_t count) {
        (void)kernels_->rows->scatter(some, count, nullptr, static_cast<std::uint32_t>(first), row_of + first,
                                      row_ends_.data(), config_.rows);
        return true;
    });
}

void LooseGrid::State::sort_row(std::uint32_t row, std::uint32_t begin, const RecordSorter& sorter,
                                std::uint32_t* starts) noexcept {
    const std::uint32_t count = row_sizes_[row];
    if (count == 0) return;
    Record* const records = &records_[begin];
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const simd::Grid grid{.origin_x = columns_.origin,
                          .inverse_width = columns_.scale,
                          .last_column = columns_.last,
                          .common_width = infinity,
                          .common_height = infinity,
                          .columns = config_.columns};
    const RecordSorter::Sorted sorted =
        sorter.sort(*kernels_, grid, reinterpret_cast<const simd::Record*>(records), count, starts);
    Cell* const cells = &cells_[std::size_t{row} * config_.columns];
    RunningBounds bounds;
    const Axis columns = columns_;
    std::uint32_t* const slots = &slots_[0];
    std::uint32_t head = 0, last = none;
    for (std::uint32_t k = 0; k < count; ++k) {
        // Ids lead anywhere in memory.
        THRONG_PREFETCH(&slots[sorted[k + ahead < count ? k + ahead : k].id], 1);
        const simd::Record& one = sorted[k];
        const Box box{one.min_x, one.min_y, one.max_x, one.max_y};
        const std::uint32_t slot = begin + k, column = columns(box.min_x);
        const bool begins = column != std::exchange(last, column);
        bounds.add(&one.min_x, begins);
        head = begins ? slot : head;
        records[k] = {box, none, one.id};
        records[k - (k != 0)].next = begins ? none : slot;
        slots[one.id] = slot;
        cells[column] = {head, bounds};
    }
}

}  // namespace throng::structures
