#include "engine/src/edit/rows/row_merger.hpp"

#include <algorithm>
#include <atomic>

#include "base/outcome.hpp"
#include "base/row_groups.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "parallel/blocks.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

std::uint32_t staying_oversized(const simd::Row& row, const std::uint32_t* edited) noexcept {
    std::uint32_t count = 0;
    for_each_oversized(row, [&](std::uint32_t i) {
        const AgentId id = RowArrays(row).id[i];
        count += (edited[id / 32] >> id % 32 & 1) == 0;
    });
    return count;
}

std::size_t bytes_of(const WorldMap& map, std::size_t row, std::size_t agents) noexcept {
    return agents == 0 ? 0 : RowLayout(agents, map.columns(row), simd::Extras::none).bytes;
}

}  // namespace

// Lists the agents that come, and marks those that move or leave. Ids may be in any order. Returns false if
// there is no memory.
bool RowMerger::list_coming(const Staging& staging) noexcept {
    const std::span<const Edit> edits = staging.edits();
    const std::size_t words = staging.id_bound() / 32 + 1;
    if (!resize_amply(edited_, words) || !resize_amply(coming_ids_, edits.size())) return false;
    std::uint32_t* const marks = edited_.data();
    AgentId* const ids = coming_ids_.data();
    std::fill_n(marks, words, 0u);
    std::size_t count = 0;
    for (const Edit& edit : edits) {
        ids[count] = edit.id;
        count += std::size_t{edit.present && edit.boxed};
        marks[edit.id / 32] |= std::uint32_t{edit.boxed || !edit.present} << edit.id % 32;
    }
    coming_ = {staging.boxes_of_edits(), ids, {}};
    if (count == edits.size()) return true;
    coming_boxes_.clear();
    if (!coming_boxes_.resize(count)) return false;
    for (std::size_t i = 0, next = 0; next < count; ++i)
        if (edits[i].present && edits[i].boxed) coming_boxes_.set(next++, staging.boxes_after()[i]);
    coming_.boxes = coming_boxes_.view();
    return true;
}

Status RowMerger::merge(Store& store, FrameBuilder& builder, const Executor& executor,
                        const FrameState& frame, const Staging& staging, FrameState*& next) noexcept {
    if (!list_coming(staging)) return {Code::out_of_memory};
    FrameState* coming = nullptr;
    Status status = builder.build_unsorted(store, {coming_, frame.map, frame.kernels, executor}, coming);
    if (!status.ok()) return status;
    status = merge(store, {frame, *coming, edited_.data(), staging.agents_after(frame), executor}, next);
    store.abandon(coming);
    return status;
}

void RowMerger::give_back_excess(std::size_t agents) noexcept {
    release_excess(edited_, agents);
    release_excess(coming_ids_, agents);
    coming_boxes_.give_back_excess(agents);
}

Status RowMerger::merge(Store& store, const Input& input, FrameState*& next) noexcept {
    const std::size_t groups = row_groups_for(input.executor, input.frame.rows.size(), input.agents);
    if (!prepare(input, groups)) return {Code::out_of_memory};
    if (counted_)
        if (const Status bad = count_rows(input, groups); !bad.ok()) return bad;
    FrameState* made = store.take_frame(input.frame.map, simd::Extras::none);
    if (made == nullptr) return {Code::out_of_memory};
    Status status = merge_rows(store, input, groups, *made);
    made->agents = input.agents;
    made->kernels = input.frame.kernels;
    if (status.ok() && !choose_tree_marks(*made, store)) status = {Code::out_of_memory};
    if (!status.ok()) {
        store.abandon(made);
        return status;
    }
    next = made;
    return {};
}

// Rows are counted before if groups of them must know where they begin, or a block for any rows would be too
// large.
bool RowMerger::prepare(const Input& input, std::size_t groups) noexcept {
    const FrameState &frame = input.frame, &coming = input.coming;
    const std::size_t rows = frame.rows.size();
    const bool rows_vary = frame.map.has_islands();
    if (!resize_by_rows(rows_vary, before_, rows + 1) || !resize_by_rows(rows_vary, counts_, rows) ||
        !resize_by_rows(rows_vary, offsets_, rows + 1))
        return false;
    std::size_t used_rows = 0;
    before_[0] = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t agents = agents_in(frame.rows[r]) + agents_in(coming.rows[r]);
        before_[r + 1] = before_[r] + static_cast<std::uint32_t>(agents);
        used_rows += agents != 0;
    }
    counted_ = groups > 1 || used_rows * 2 <= rows;
    return true;
}

Status RowMerger::count_rows(const Input& input, std::size_t groups) noexcept {
    const FrameState& frame = input.frame;
    const std::size_t rows = frame.rows.size();
    const parallel::Ran ran = parallel::for_blocks(input.executor, groups, [&](std::size_t index) {
        const RowGroup group =
            row_group(rows, groups, index, [&](std::size_t r) -> std::size_t { return before_[r]; });
        for (std::size_t r = group.begin; r < group.end; ++r) {
            const simd::Row& row = frame.rows[r];
            counts_[r] = frame.kernels->rows->count_staying(row, input.edited) +
                         staying_oversized(row, input.edited) +
                         static_cast<std::uint32_t>(agents_in(input.coming.rows[r]));
        }
    });
    return outcome(ran);
}

// For all rows, one after the other.
Block* RowMerger::take_block(Store& store, const Input& input) noexcept {
    const WorldMap& map = input.frame.map;
    const std::size_t rows = map.rows();
    const std::size_t most = max_bytes_of_rows(map, input.agents, simd::Extras::none);
    if (!counted_) return store.take(most);
    std::size_t bytes = 0, used_rows = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        used_rows += counts_[r] != 0;
        offsets_[r] = bytes;
        bytes += bytes_of(map, r, counts_[r]);
    }
    offsets_[rows] = bytes;
    return store.take(used_rows * 2 > rows ? std::max(bytes, most) : bytes);
}

Status RowMerger::merge_rows(Store& store, const Input& input, std::size_t groups,
                             FrameState& next) noexcept {
    const FrameState &frame = input.frame, &coming = input.coming;
    const std::size_t rows = frame.rows.size();
    std::size_t scratch = 0, largest_row = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t agents = before_[r + 1] - before_[r];
        scratch = std::max(
            scratch, simd::merge_scratch(frame.rows[r].count, coming.rows[r].count, frame.map.columns(r)));
        largest_row = std::max(largest_row, agents);
    }
    for (std::size_t r = 0; r < rows; ++r) {
        store.set_row(next, r, {}, nullptr);
        next.reach[r] = {};
    }
    const auto make_room = [&](SortSpace& space) { return reserve_amply(space.bytes, scratch); };
    const std::size_t at_once = parallel::at_once(input.executor, groups, largest_row, input.agents);
    Block* block = store.spaces.sort.prepare(at_once, make_room) ? take_block(store, input) : nullptr;
    if (block == nullptr) return {Code::out_of_memory};
    std::atomic<bool> enough{true}, used{false};
    std::atomic<std::uint64_t> sharing{0};
    const parallel::Ran ran = parallel::for_blocks(input.executor, groups, [&](std::size_t index) {
        const RowGroup group =
            row_group(rows, groups, index, [&](std::size_t r) -> std::size_t { return before_[r]; });
        const Lease<SortSpace> space(store.spaces.sort);
        if (!space || !make_room(*space)) return enough.store(false, std::memory_order_relaxed);
        Target target{block, block->memory + (counted_ ? offsets_[group.begin] : 0), 0};
        const std::byte* begin = target.at;
        for (std::size_t r = group.begin; r < group.end; ++r)
            merge_row(input, r, space->bytes.data(), target, next);
        sharing.fetch_add(target.sharing, std::memory_order_relaxed);
        if (target.at != begin) used.store(true, std::memory_order_relaxed);
    });
    if (!used.load(std::memory_order_relaxed)) store.blocks.put_back(block);
    next.sharing = sharing.load(std::memory_order_relaxed);
    next.view.oversized.count = 0;
    for (const simd::Row& row : next.rows) next.view.oversized.count += row.oversized;
    if (!ran) return outcome(ran);
    return enough.load(std::memory_order_relaxed) ? Status{} : Status{Code::out_of_memory};
}

void RowMerger::merge_row(const Input& input, std::size_t r, std::byte* scratch, Target& target,
                          FrameState& next) noexcept {
    const FrameState &frame = input.frame, &coming = input.coming;
    const simd::Kernels& kernels = *frame.kernels;
    const std::size_t after = r + 1 < frame.rows.size() ? r + 1 : r;
    const std::uint32_t columns = frame.map.columns(r);
    simd::RowsToMerge rows{frame.rows[r],          coming.rows[r],          columns, input.edited,
                           frame.rows[after].data, coming.rows[after].data, nullptr};
    const std::uint32_t kept = kernels.rows->keep_row(rows, scratch);
    const std::size_t agents = kept + staying_oversized(rows.old, input.edited) + agents_in(rows.coming);
    if (agents == 0) return;
    const RowLayout layout(agents, columns, simd::Extras::none);
    float* data = reinterpret_cast<float*>(target.at);
    target.at += layout.bytes;
    rows.next_out = reinterpret_cast<float*>(target.at);
    simd::RowSummary summary;
    const simd::Row row =
        kernels.rows->merge_row(frame.map.grid_of_row(r), rows, kept, data, layout.stride,
                                cells_in(data, layout.stride, simd::Extras::none), scratch, summary);
    next.rows[r] = row;
    next.blocks[r] = target.block;
    next.reach[r] = summary.reach;
    if (next.bounds.size() != 0) next.bounds[r] = kernels.rows->bound_row(row);
    target.sharing += summary.sharing;
}

}  // namespace throng::detail
