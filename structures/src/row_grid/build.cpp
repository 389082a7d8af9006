// Builds a row grid from scratch in parallel: by chunks of elements first, then by rows. A grid sort, as in
// Green 2008, with a counting sort in each row:
//
//     1. chunks    check boxes, find rows, count      nothing has changed yet
//     2. here      where each chunk writes; memory    the last thing that can fail
//     3. chunks    write records into their rows
//     4. rows      sort records by cell, into nodes
//
// Records lie in the later place of the nodes of their row, and are smaller.

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/blocks.hpp"
#include "base/box_reader.hpp"
#include "simd/row_kernels.hpp"
#include "structures/src/row_grid/cells.hpp"
#include "structures/src/rows/record_sorter.hpp"
#include "throng/compiler.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr std::size_t smallest_chunk = 16384, piece = 1024;
constexpr std::uint32_t elements_ahead = 16;  // the prefetch distance, in elements

static_assert(sizeof(simd::Record) <= sizeof(GridRow::Node));

struct Seen {
    bool legal, oversized;
};

// Branch-free, so the compiler vectorises it.
template <bool centre_half>
Seen look_at(const simd::Columns& boxes, std::size_t count, float common) noexcept {
    std::uint32_t bad = 0, oversized = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Box b = box_of_form<centre_half>(boxes, i);
        const bool fits = (b.max_x - b.min_x <= common) & (b.max_y - b.min_y <= common);
        bad |= is_legal(b) ? 0u : 1u;
        oversized |= fits ? 0u : 1u;
    }
    return {bad == 0, oversized != 0};
}

}  // namespace

struct THRONG_INSIDE RowGridBuild {
    using Where = RowGrid::State::Where;

    RowGrid::State& grid;
    const Boxes& boxes;
    const Executor& executor;
    const simd::Kernels& kernels;
    const simd::Grid& cells = grid.lattice_;
    // Oversized elements are the last row.
    const std::size_t rows = grid.rows_.size();
    const std::size_t elements = boxes.size();
    const std::size_t chunks = parallel::blocks_for(executor, elements, smallest_chunk);
    const std::size_t blocks = std::min(parallel::blocks_for(executor, elements, smallest_chunk / 2), rows);

    // The plan. By element, by chunk and row, and by row.
    std::uint16_t* row_of = nullptr;
    std::uint32_t *counts = nullptr, *sizes = nullptr;
    simd::Record** cursors = nullptr;
    std::uint32_t* edges = nullptr;
    std::uint8_t* done = nullptr;

    void lay_out_plan(Carver& carver) noexcept {
        row_of = carver.take<std::uint16_t>(elements + simd::gap);
        counts = carver.take<std::uint32_t>(chunks * rows);
        sizes = carver.take<std::uint32_t>(rows + 1);
        edges = carver.take<std::uint32_t>(blocks + 1);
        done = carver.take<std::uint8_t>(2 * std::max(blocks, chunks));
        cursors = carver.take<simd::Record*>(chunks * rows);
    }

    // --- 1. Survey ---

    Status survey() noexcept {
        if (!carve(grid.plan_, [&](Carver& carver) { lay_out_plan(carver); })) return {Code::out_of_memory};
        std::fill_n(done, 2 * std::max(blocks, chunks), std::uint8_t{0});
        std::atomic<std::size_t> bad{elements};
        const parallel::Ran ran = parallel::for_blocks(executor, chunks, [&](std::size_t chunk) {
            std::fill_n(counts + chunk * rows, rows, 0u);
            const parallel::Range part = parallel::range_of(elements, chunks, chunk);
            bool legal = true;
            read_boxes(boxes, part.begin, part.end,
                       [&](const simd::Columns& columns, std::size_t first, std::size_t count) {
                           for (std::size_t at = 0; at < count && legal; at += piece) {
                               legal = survey_piece(part_of(columns, at), first + at,
                                                    std::min(piece, count - at), counts + chunk * rows);
                               if (!legal) parallel::lower(bad, first + at);
                           }
                           return legal;
                       });
        });
        if (!ran) return throng::detail::outcome(ran);
        if (bad.load(std::memory_order_relaxed) < elements)
            return check(boxes, bad.load(std::memory_order_relaxed));
        return {};
    }
    // Returns false if one of the boxes is illegal.
    bool survey_piece(const simd::Columns& some, std::size_t first, std::size_t count,
                      std::uint32_t* histogram) noexcept {
        const Seen seen = some.centre_half ? look_at<true>(some, count, grid.lattice_.common_width)
                                           : look_at<false>(some, count, grid.lattice_.common_width);
        if (!seen.legal) return false;
        kernels.rows->count_rows(cells, some, count, row_of + first, histogram);
        if (!seen.oversized) return true;
        for (std::size_t i = first; i < first + count; ++i) {
            if (is_common(grid.lattice_, boxes[i])) continue;
            --histogram[row_of[i]];
            row_of[i] = static_cast<std::uint16_t>(rows - 1);
            ++histogram[rows - 1];
        }
        return true;
    }

    // --- 2. Memory ---

    bool reserve_rows() noexcept {
        for (std::size_t r = 0; r < rows; ++r)
            if (!grid.rows_[r].reserve_in_bulk(grid.columns_of(r), sizes[r + 1] - sizes[r])) return false;
        return true;
    }

    // --- 3. Records ---

    void scatter() noexcept {
        for (std::size_t chunk = 0; chunk < chunks; ++chunk)
            for (std::size_t r = 0; r < rows; ++r)
                cursors[chunk * rows + r] = reinterpret_cast<simd::Record*>(grid.rows_[r].nodes.data()) +
                                            (counts[chunk * rows + r] - sizes[r]);
        run_all(executor, chunks, done, [&](std::size_t chunk) {
            const parallel::Range part = parallel::range_of(elements, chunks, chunk);
            read_boxes(boxes, part.begin, part.end,
                       [&](const simd::Columns& columns, std::size_t first, std::size_t count) {
                           (void)kernels.rows->scatter(columns, count, nullptr,
                                                       static_cast<std::uint32_t>(first), row_of + first,
                                                       cursors + chunk * rows, rows);
                           return true;
                       });
        });
    }

    // --- 4. Nodes ---

    // Each block has room for the largest of its rows; the spaces of all blocks are contiguous.
    bool carve_spaces() noexcept {
        cut_rows(rows, elements, blocks, edges, [&](std::size_t r) { return sizes[r + 1] - sizes[r]; });
        return carve(
            grid.work_, [&](Carver& carver) { (void)space_of(carver, blocks - 1); },
            [&](Carver& carver) { (void)space_of(carver, blocks - 1, true); });
    }
    RecordSorter space_of(Carver& carver, std::size_t block, bool headroom = false) const noexcept {
        for (std::size_t b = 0;; ++b) {
            std::uint32_t largest = 0;
            for (std::size_t r = edges[b]; r < edges[b + 1]; ++r)
                largest = std::max(largest, sizes[r + 1] - sizes[r]);
            const RecordSorter sorter(carver, headroom && largest != 0 ? with_headroom(largest) : largest);
            if (b == block) return sorter;
        }
    }
    void sort() noexcept {
        run_all(executor, blocks, done + std::max(blocks, chunks), [&](std::size_t block) {
            Carver carver(grid.work_.data());
            const RecordSorter sorter = space_of(carver, block);
            for (std::uint32_t r = edges[block]; r < edges[block + 1]; ++r)
                sort_row(r, sizes[r + 1] - sizes[r], sorter);
        });
    }
    void sort_row(std::uint32_t r, std::uint32_t count, const RecordSorter& sorter) noexcept {
        GridRow& row = grid.rows_[r];
        row.forget_all();
        if (count == 0) return;
        (void)row.nodes.resize(count);
        simd::Grid all = cells;
        all.common_width = all.common_height = GridRow::infinity;
        if (r + 1 == rows) all.columns = 1, all.last_column = 0;
        const auto* const records = reinterpret_cast<const simd::Record*>(row.nodes.data());
        const RecordSorter::Sorted sorted = sorter.sort(kernels, all, records, count, row.heads.data());
        for (std::uint32_t k = 0; k < count; ++k) {
            // The places of a row's elements are scattered in memory.
            THRONG_PREFETCH(&grid.where_[sorted[k + elements_ahead < count ? k + elements_ahead : k].id], 1);
            const simd::Record& one = sorted[k];
            row.nodes[k] = {{one.min_x, one.min_y, one.max_x, one.max_y}, one.id, GridRow::none};
            grid.where_[one.id] = {r, k};
        }
        row.width = sorted.reach.width;
        row.top = -kernels.rows->bound_row(sorted.row).negated_max_y;
        row.size = count;
        row.sorted = true;
    }

    Status assign() noexcept {
        if (const Status status = survey(); !status.ok()) return status;
        parallel::scan_bins(counts, chunks, rows, sizes);
        if (!reserve_rows() || !carve_spaces() || !grid.where_.fill(elements)) return {Code::out_of_memory};
        scatter();
        sort();
        grid.give_back();
        return {};
    }
};

Status RowGrid::State::assign_all(const Boxes& boxes, const Executor& executor) noexcept {
    return RowGridBuild{*this, boxes, executor, *kernels_}.assign();
}

}  // namespace throng::structures
