#include "engine/src/edit/row_merger.hpp"

#include <algorithm>
#include <atomic>

#include "base/blocks.hpp"
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
    if (const Status bad = builder.collect({coming_, frame.map, frame.kernels, executor}); !bad.ok())
        return bad;
    const Input input{frame, builder, edited_.data(), executor};
    if (!lay_out(input)) return {Code::out_of_memory};
    FrameState* made = store.take_frame(frame.map, simd::Extras::none);
    if (made == nullptr) return {Code::out_of_memory};
    made->agents = staging.agents_after();
    made->kernels = frame.kernels;
    Status status = merge_rows(store, input, *made);
    if (status.ok() && !choose_tree_marks(*made, store)) status = {Code::out_of_memory};
    return store.hand_on(made, status, next);
}

bool RowMerger::lay_out(const Input& input) noexcept {
    const WorldMap& map = input.frame.map;
    const std::size_t rows = map.rows();
    if (!resize_by_rows(map.has_islands(), before_, rows + 1) ||
        !resize_by_rows(map.has_islands(), offsets_, rows + 1))
        return false;
    before_[0] = 0;
    offsets_[0] = most_bytes_ = most_agents_ = used_rows_ = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        const simd::Row& row = input.frame.rows[r];
        const std::uint32_t coming = input.coming.agents_of(r), columns = map.columns(r);
        const std::size_t agents = agents_in(row) + coming;
        before_[r + 1] = before_[r] + static_cast<std::uint32_t>(agents);
        offsets_[r + 1] =
            offsets_[r] + (agents == 0 ? 0 : RowLayout(agents, columns, simd::Extras::none).bytes);
        most_bytes_ = std::max(most_bytes_, (coming + simd::gap) * sizeof(simd::Record) + 64 +
                                                simd::merge_scratch(row.count, coming, columns));
        most_agents_ = std::max(most_agents_, agents);
        used_rows_ += agents != 0;
    }
    return true;
}

// All rows are in one block. Those of a group are one after the other, and with one group so are all. A block
// for any rows serves frame after frame, but is too large if most rows are empty.
Status RowMerger::merge_rows(Store& store, const Input& input, FrameState& next) noexcept {
    const WorldMap& map = input.frame.map;
    const std::size_t rows = map.rows(), groups = row_groups_for(input.executor, rows, next.agents);
    for (std::size_t r = 0; r < rows; ++r) {
        store.set_row(next, r, {}, nullptr);
        next.reach[r] = {};
    }
    const auto make_room = [&](SortSpace& space) { return reserve_amply(space.bytes, most_bytes_); };
    const std::size_t at_once = parallel::at_once(input.executor, groups, most_agents_, next.agents);
    const std::size_t agents = groups == 1 ? next.agents : before_[rows];
    Block* const block = store.take(
        used_rows_ * 2 <= rows ? offsets_[rows] : max_bytes_of_rows(map, agents, simd::Extras::none));
    if (block == nullptr) return {Code::out_of_memory};
    const auto merge_group = [&](std::size_t index, SortSpace& space) {
        const RowGroup group =
            row_group(rows, groups, index, [&](std::size_t r) -> std::size_t { return before_[r]; });
        std::byte* target = block->memory + offsets_[group.begin];
        std::uint64_t sharing = 0;
        for (std::size_t r = group.begin; r < group.end; ++r) {
            sharing += merge_row(input, r, space.bytes.data(), target, next);
            if (next.rows[r].data != nullptr) next.blocks[r] = block;
        }
        parallel::atomically(next.sharing).fetch_add(sharing, std::memory_order_relaxed);
        return true;
    };
    const Status status =
        with_spaces(store.spaces.sort, input.executor, groups, at_once, make_room, merge_group);
    next.view.oversized.count = 0;
    bool is_used = false;
    for (const simd::Row& row : next.rows) {
        next.view.oversized.count += row.oversized;
        is_used = is_used || row.data != nullptr;
    }
    if (!is_used) store.blocks.put_back(block);
    return status;
}

// Returns how many pairs share a cell. The target goes on behind the row.
std::uint64_t RowMerger::merge_row(const Input& input, std::size_t r, std::byte* scratch, std::byte*& target,
                                   FrameState& next) noexcept {
    const FrameState& frame = input.frame;
    const simd::Kernels& kernels = *frame.kernels;
    const std::size_t after = r + 1 < frame.rows.size() ? r + 1 : r;
    const std::uint32_t columns = frame.map.columns(r), coming = input.coming.agents_of(r);
    auto* const records = reinterpret_cast<simd::Record*>(simd::next_line(scratch));
    input.coming.join(r, records);
    scratch = reinterpret_cast<std::byte*>(records + coming + simd::gap);
    simd::RowsToMerge rows{frame.rows[r],
                           {reinterpret_cast<float*>(records), nullptr, 0, coming, 0},
                           columns,
                           input.edited,
                           frame.rows[after].data};
    const std::uint32_t kept = kernels.rows->keep_row(rows, scratch);
    const std::size_t agents = std::size_t{kept} + staying_oversized(rows.old, input.edited) + coming;
    if (agents == 0) return 0;
    const RowLayout layout(agents, columns, simd::Extras::none);
    float* data = reinterpret_cast<float*>(target);
    target += layout.bytes;
    rows.next_out = reinterpret_cast<float*>(target);
    simd::RowSummary summary;
    const simd::Row row =
        kernels.rows->merge_row(frame.map.grid_of_row(r), rows, kept, data, layout.stride,
                                cells_in(data, layout.stride, simd::Extras::none), scratch, summary);
    next.rows[r] = row;
    next.reach[r] = summary.reach;
    if (next.bounds.size() != 0) next.bounds[r] = kernels.rows->bound_row(row);
    return summary.sharing;
}

}  // namespace throng::detail
