#include "engine/src/frame_builder.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>

#include "engine/src/box_check.hpp"
#include "engine/src/box_reader.hpp"
#include "engine/src/row_groups.hpp"
#include "engine/src/row_labels.hpp"
#include "engine/src/row_layout.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

constexpr std::size_t smallest_chunk = 16384;

void label_row(FrameState& frame, std::size_t r, const FrameBuilder::Input& input) noexcept {
    const std::uint32_t columns = input.grid.columns;
    const simd::Row& row = frame.rows[r];
    if (agents_in(row) != 0) gather_labels(row, input.labels);
    note_stretches(row, columns, frame.stretches.data() + r * stretch_stride(columns));
}

}  // namespace

Status FrameBuilder::build(Store& store, const Input& input, FrameState*& frame) noexcept {
    FrameState* made = store.take_frame();
    if (made == nullptr) return {Code::out_of_memory};
    Status status = count(input);
    if (status.ok() && !lay_out(store, input, *made)) status = {Code::out_of_memory};
    if (status.ok()) status = scatter(input);
    if (status.ok()) status = sort(store, input, *made);
    if (status.ok() && !finish_view(*made, input.grid)) status = {Code::out_of_memory};
    if (!status.ok()) {
        store.put_back(made);
        return status;
    }
    made->kernels = input.kernels;
    made->agents = input.boxes.size();
    frame = made;
    return {};
}

Status FrameBuilder::count(const Input& input) noexcept {
    const std::size_t agents = input.boxes.size(), rows = input.grid.rows;
    chunks_ = parallel::blocks_for(input.executor, agents, smallest_chunk);
    if (!reserve_amply(row_of_, agents + simd::gap) || !row_of_.resize(agents + simd::gap) ||
        !counts_.resize(chunks_ * rows) || !starts_.resize(rows + 1) || !cursors_.resize(chunks_ * rows))
        return {Code::out_of_memory};
    const bool ran = parallel::for_blocks(input.executor, chunks_, [&](std::size_t chunk) {
        std::uint32_t* histogram = counts_.data() + chunk * rows;
        std::fill_n(histogram, rows, 0u);
        const parallel::Part part = parallel::part_of(agents, chunks_, chunk);
        read_boxes(input.boxes, part.begin, part.end,
                   [&](const simd::Columns& columns, std::size_t first, std::size_t count) {
                       input.kernels->count_rows(input.grid, columns, count, row_of_.data() + first,
                                                 histogram);
                       return true;
                   });
    });
    if (!ran) return {Code::bad_executor};
    parallel::scan_bins(counts_.data(), chunks_, rows, starts_.data());
    return {};
}

// One block holds all rows, one behind the other.
bool FrameBuilder::lay_out(Store& store, const Input& input, FrameState& frame) noexcept {
    const std::size_t rows = input.grid.rows, columns = input.grid.columns;
    const bool labelled = frame.labelled = !input.labels.empty();
    if (!frame.rows.resize(rows) || !frame.reach.resize(rows) || !frame.blocks.resize(rows, nullptr) ||
        (labelled && !frame.stretches.resize(stretch_entries(rows, input.grid.columns)))) {
        frame.blocks.clear();
        return false;
    }
    // An upper bound that does not depend on where the agents are, so that the same block serves frame after
    // frame.
    std::size_t used_rows = 0;
    for (std::size_t r = 0; r < rows; ++r) used_rows += starts_[r] != starts_[r + 1];
    const std::size_t most = input.boxes.size() * arrays_of_a_row(labelled) * sizeof(float) +
                             rows * RowLayout(15, input.grid.columns, labelled).bytes;
    std::size_t bytes = 0;
    for (std::size_t r = 0; r < rows; ++r)
        if (const std::size_t agents = starts_[r + 1] - starts_[r]; agents != 0)
            bytes += RowLayout(agents, input.grid.columns, labelled).bytes;
    if (used_rows * 2 > rows) bytes = std::max(bytes, most);
    Block* block = store.blocks.take(bytes);
    if (block == nullptr) {
        frame.blocks.clear();
        return false;
    }
    std::byte* at = block->memory;
    for (std::size_t r = 0; r < rows; ++r) {
        const std::uint32_t agents = starts_[r + 1] - starts_[r];
        if (agents == 0) {
            store.set_row(frame, r, {}, {}, nullptr);
            continue;
        }
        const RowLayout layout(agents, static_cast<std::uint32_t>(columns), labelled);
        float* data = reinterpret_cast<float*>(at);
        store.set_row(frame, r, {data, cells_in(data, layout.stride, labelled), layout.stride, agents, 0}, {},
                      block);
        for (std::size_t chunk = 0; chunk < chunks_; ++chunk)
            cursors_[chunk * rows + r] =
                reinterpret_cast<simd::Record*>(at) + (counts_[chunk * rows + r] - starts_[r]);
        at += layout.bytes;
    }
    if (block->references == 0) store.blocks.put_back(block);
    return true;
}

Status FrameBuilder::scatter(const Input& input) noexcept {
    const std::size_t agents = input.boxes.size(), rows = input.grid.rows;
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> bad{none};
    const bool ran = parallel::for_blocks(input.executor, chunks_, [&](std::size_t chunk) {
        const parallel::Part part = parallel::part_of(agents, chunks_, chunk);
        read_boxes(input.boxes, part.begin, part.end,
                   [&](const simd::Columns& columns, std::size_t first, std::size_t count) {
                       const std::size_t taken = input.kernels->scatter(
                           columns, count, input.ids == nullptr ? nullptr : input.ids + first,
                           static_cast<std::uint32_t>(first), row_of_.data() + first,
                           cursors_.data() + chunk * rows);
                       if (taken < count) parallel::lower(bad, first + taken);
                       return taken == count;
                   });
    });
    if (!ran) return {Code::bad_executor};
    if (bad.load(std::memory_order_relaxed) == none) return {};
    return check(input.boxes, bad.load(std::memory_order_relaxed));
}

Status FrameBuilder::sort(Store& store, const Input& input, FrameState& frame) noexcept {
    const std::size_t rows = input.grid.rows;
    const std::size_t groups = row_groups_for(input.executor, rows, input.boxes.size());
    std::size_t largest_row = 0;
    for (const simd::Row& row : frame.rows) largest_row = std::max<std::size_t>(largest_row, row.count);
    const bool ready = store.sort_spaces.prepare(
        parallel::at_once(input.executor, groups),
        [&](SortSpace& space) { return reserve_amply(space.bytes, simd::sort_scratch(largest_row)); });
    if (!ready) return {Code::out_of_memory};
    std::atomic<bool> out_of_memory{false};
    const bool ran = parallel::for_blocks(input.executor, groups, [&](std::size_t index) {
        const RowGroup group =
            row_group(rows, groups, index, [&](std::size_t r) -> std::size_t { return starts_[r]; });
        const Lease<SortSpace> space(store.sort_spaces);
        if (!space || !reserve_amply(space->bytes, simd::sort_scratch(largest_row))) {
            out_of_memory.store(true, std::memory_order_relaxed);
            return;
        }
        for (std::size_t r = group.begin; r < group.end; ++r) {
            simd::Row& row = frame.rows[r];
            if (row.count != 0)
                row = input.kernels->sort_row(input.grid, const_cast<float*>(row.data), row.stride,
                                              const_cast<std::uint32_t*>(row.cells), row.count,
                                              space->bytes.data(), frame.reach[r]);
            if (frame.labelled) label_row(frame, r, input);
        }
    });
    if (!ran) return {Code::bad_executor};
    return out_of_memory.load(std::memory_order_relaxed) ? Status{Code::out_of_memory} : Status{};
}

bool finish_view(FrameState& frame, const simd::Grid& grid) noexcept {
    float width = 0, height = 0;
    for (const simd::RowReach& reach : frame.reach) {
        width = std::max(width, reach.width);
        height = std::max(height, reach.height);
    }
    frame.view.grid = grid;
    frame.view.reach_x = rounded_up(width);
    frame.view.reach_y = rounded_up(height);
    frame.view.rows = frame.rows.data();
    frame.view.stretches = frame.labelled ? frame.stretches.data() : nullptr;
    frame.view.stretches_in_row = stretch_stride(grid.columns);
    return frame.store->oversized_tree.build(frame);
}

}  // namespace throng::detail
