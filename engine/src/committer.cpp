#include "engine/src/committer.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "engine/src/frame_view.hpp"
#include "engine/src/grid.hpp"
#include "engine/src/row_labels.hpp"
#include "engine/src/row_layout.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// The label of the agent of an edit in a frame that has labels. Its cell is known, and in a cell agents are
// by id.
Label label_before(const FrameState& frame, const Edit& edit) noexcept {
    if (edit.old_cell == no_cell || edit.labelled != LabelEdit::keep) return {};
    const auto [r, column] = frame.map.cell_at(edit.old_cell);
    const std::uint32_t columns = frame.map.columns(r);
    const simd::Row& row = frame.rows[r];
    const AgentId* ids = RowArrays(row).id;
    const std::uint32_t begin = column == columns ? oversized_begin(row) : row.cells[column];
    const std::uint32_t end = column == columns ? begin + row.oversized : row.cells[column + 1];
    return RowLabels(row).label(
        static_cast<std::size_t>(std::lower_bound(ids + begin, ids + end, edit.id) - ids));
}

}  // namespace

std::size_t Committer::agents_after(const FrameState& frame, std::span<const Edit> edits) noexcept {
    std::size_t agents = frame.agents;
    for (const Edit& edit : edits) {
        if (edit.old_cell == no_cell) agents += edit.present ? 1 : 0;
        if (edit.old_cell != no_cell) agents -= edit.present ? 0 : 1;
    }
    return agents;
}

// What ordering the edits of any row needs.
std::size_t Committer::scratch_for(const WorldMap& map) noexcept {
    return (map.most_columns() + std::size_t{2}) * sizeof(std::uint32_t);
}

// Every staged edit becomes up to two edits of rows: out of the old row, and into the new one.
bool Committer::plan(const FrameState& frame, std::span<const Edit> edits) noexcept {
    const WorldMap& map = frame.map;
    plan_.clear();
    if (!reserve_amply(plan_, 2 * edits.size()) || !resize_amply(new_cells_, edits.size()) ||
        !resize_by_rows(map, agents_after_, frame.rows.size()))
        return false;
    for (std::size_t r = 0; r < frame.rows.size(); ++r) agents_after_[r] = agents_in(frame.rows[r]);
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Edit& edit = edits[i];
        const auto index = static_cast<std::uint32_t>(i);
        const bool was = edit.old_cell != no_cell, is = edit.present;
        new_cells_[i] = no_cell;
        if (!was && !is) continue;
        const Cell old_cell = was ? map.cell_at(edit.old_cell) : Cell{};
        const Cell cell = !is ? Cell{} : edit.boxed ? map.cell_of(edit.box) : old_cell;
        if (is) new_cells_[i] = map.number_of(cell);
        if (was && is && !edit.boxed) {
            if (frame.labelled && edit.labelled == LabelEdit::set)
                (void)plan_.push_back({cell.row, cell.column, edit.id, index, RowEditKind::relabel});
            continue;
        }
        if (was && is && cell == old_cell) {
            (void)plan_.push_back({cell.row, cell.column, edit.id, index, RowEditKind::replace});
            continue;
        }
        if (was) --agents_after_[old_cell.row];
        if (is) ++agents_after_[cell.row];
        if (was) (void)plan_.push_back({old_cell.row, old_cell.column, edit.id, index, RowEditKind::remove});
        if (is) (void)plan_.push_back({cell.row, cell.column, edit.id, index, RowEditKind::insert});
    }
    return true;
}

Status Committer::sort_plan(const Executor& executor, const WorldMap& map) noexcept {
    const std::size_t rows = map.rows();
    const std::size_t blocks = parallel::blocks_for(executor, plan_.size(), 16384);
    if (!resize_amply(order_, plan_.size()) || !resize_by_rows(map, counts_, blocks * rows) ||
        !resize_by_rows(map, starts_, rows + 1) || !resize_amply(sorted_, plan_.size()))
        return {Code::out_of_memory};
    const bool ran = parallel::bin(executor, plan_.size(), rows, blocks, counts_.data(), starts_.data(),
                                   order_.data(), [&](std::size_t i) { return plan_[i].row; });
    return ran ? Status{} : Status{Code::bad_executor};
}

bool Committer::lay_out(Store& store, const FrameState& frame, FrameState& next) noexcept {
    const std::size_t rows = frame.rows.size();
    store.set_map(next, frame.map);
    next.labelled = frame.labelled;
    if (!resize_by_rows(frame.map, next.rows, rows) || !resize_by_rows(frame.map, next.reach, rows) ||
        !resize_by_rows(frame.map, next.blocks, rows, nullptr) ||
        !resize_by_rows(frame.map, next.bounds, frame.bounds.size()) ||
        (next.labelled && !next.stretches.resize(stretch_entries(frame.map)))) {
        next.blocks.clear();
        return false;
    }
    std::size_t touched = 0, bytes = 0;
    for (std::size_t r = 0; r < rows; ++r) {
        touched += edits_in(r) != 0;
        if (agents_after_[r] != 0)
            bytes += RowLayout(agents_after_[r], frame.map.columns(r), next.labelled).bytes;
    }
    Block* whole = nullptr;
    std::size_t used = 0;
    if (2 * touched > rows) {
        std::size_t agents = 0;
        for (std::size_t r = 0; r < rows; ++r) agents += agents_after_[r];
        whole = store.blocks.take(std::max(bytes, most_bytes_of_rows(frame.map, agents, next.labelled)));
        if (whole == nullptr) {
            next.blocks.clear();
            return false;
        }
    }
    bool enough = true;
    for (std::size_t r = 0; r < rows; ++r) {
        const std::size_t agents = agents_after_[r];
        if (agents == 0) {
            store.set_row(next, r, {}, {}, nullptr);
            continue;
        }
        if (whole == nullptr && edits_in(r) == 0) {
            store.set_row(next, r, frame.rows[r], frame.reach[r], frame.blocks[r]);
            if (next.bounds.size() != 0) next.bounds[r] = frame.bounds[r];
            continue;
        }
        const RowLayout layout(agents, frame.map.columns(r), next.labelled);
        Block* block = whole != nullptr ? whole : store.blocks.take(layout.bytes);
        if (block == nullptr) {
            enough = false;
            break;
        }
        float* data = reinterpret_cast<float*>(block->memory + (whole != nullptr ? used : 0));
        used += layout.bytes;
        store.set_row(next, r, {data, nullptr, layout.stride, 0, 0}, {}, block);
    }
    if (whole != nullptr && whole->references == 0) store.blocks.put_back(whole);
    return enough;
}

bool Committer::edit_rows(Store& store, const FrameState& frame, const Staging& staging, FrameState& next,
                          const RowGroup& group) noexcept {
    const std::uint32_t stride = stretch_stride(frame.map);
    const std::span<const Edit> edits = staging.edits();
    const Lease<SortSpace> space(store.sort_spaces);
    if (!space || !reserve_amply(space->bytes, scratch_for(frame.map))) return false;
    auto* scratch = reinterpret_cast<std::uint32_t*>(space->bytes.data());
    for (std::size_t r = group.begin; r < group.end; ++r) {
        simd::Row& row = next.rows[r];
        const std::uint32_t columns = frame.map.columns(r);
        const std::size_t stretches = r * stride;
        if (next.labelled)
            std::copy_n(frame.stretches.data() + stretches, stride, next.stretches.data() + stretches);
        if (next.labelled && row.data == nullptr)
            note_stretches(row, columns, stride, next.stretches.data() + stretches);
        if (row.data == nullptr || row.data == frame.rows[r].data) continue;
        float* data = const_cast<float*>(row.data);
        if (edits_in(r) == 0) {
            row = copy_row(frame.rows[r], columns, frame.labelled, data);
            next.reach[r] = frame.reach[r];
            if (next.bounds.size() != 0) next.bounds[r] = frame.bounds[r];
            continue;
        }
        RowEdit* first = sorted_.data() + starts_[r];
        order_edits({plan_.data(), plan_.size()}, {order_.data() + starts_[r], edits_in(r)}, columns, scratch,
                    first);
        row = edit_row(
            frame.rows[r], columns, frame.labelled, {first, edits_in(r)}, data, row.stride,
            [&](std::uint32_t edit) -> const Box& { return edits[edit].box; },
            [&](std::uint32_t edit) { return staging.label_after(edit, label_before(frame, edits[edit])); });
        if (next.labelled) note_stretches(row, columns, stride, next.stretches.data() + stretches);
        next.reach[r] = frame.kernels->measure_row(row);
        if (next.bounds.size() != 0) next.bounds[r] = frame.kernels->bound_row(row);
    }
    return true;
}

Status Committer::edit(Store& store, const Executor& executor, const FrameState& frame,
                       const Staging& staging, FrameState*& next) noexcept {
    const std::span<const Edit> edits = staging.edits();
    const std::size_t rows = frame.rows.size();
    if (!plan(frame, edits)) return {Code::out_of_memory};
    if (const Status status = sort_plan(executor, frame.map); !status.ok()) return status;
    FrameState* made = store.take_frame();
    if (made == nullptr) return {Code::out_of_memory};
    if (!lay_out(store, frame, *made)) {
        store.put_back(made);
        return {Code::out_of_memory};
    }
    const std::size_t groups = row_groups_for(executor, rows, plan_.size() * 16);
    const std::size_t scratch = scratch_for(frame.map);
    std::atomic<bool> enough{
        store.sort_spaces.prepare(parallel::at_once(executor, groups),
                                  [&](SortSpace& space) { return reserve_amply(space.bytes, scratch); })};
    const bool ran = parallel::for_blocks(executor, groups, [&](std::size_t index) {
        const RowGroup group =
            row_group(rows, groups, index, [&](std::size_t r) -> std::size_t { return starts_[r]; });
        if (!edit_rows(store, frame, staging, *made, group)) enough.store(false, std::memory_order_relaxed);
    });
    Status status = ran ? Status{} : Status{Code::bad_executor};
    if (!enough.load(std::memory_order_relaxed)) status = {Code::out_of_memory};
    made->agents = agents_after(frame, edits);
    if (status.ok() && !finish_view(*made)) status = {Code::out_of_memory};
    if (!status.ok()) {
        store.put_back(made);
        return status;
    }
    made->kernels = frame.kernels;
    next = made;
    return {};
}

// Boxes by id first, since the frame has them by place; then those that are there, one behind the other.
bool Committer::gather(const FrameState& frame, const Staging& staging, std::size_t agents) noexcept {
    const std::size_t bound = staging.id_bound();
    const Box nobody{std::numeric_limits<float>::quiet_NaN(), 0, 0, 0};
    by_id_.clear();
    if (!by_id_.resize(bound, nobody) || !boxes_.resize(agents) || !ids_.resize(agents)) return false;
    for (const simd::Row& row : frame.rows) {
        if (agents_in(row) == 0) continue;
        const RowArrays a(row);
        for (std::uint32_t i = 0; i < row.count; ++i) by_id_[a.id[i]] = a.box(i);
        for (std::uint32_t i = oversized_begin(row); i < oversized_begin(row) + row.oversized; ++i)
            by_id_[a.id[i]] = a.box(i);
    }
    for (const Edit& edit : staging.edits()) {
        if (!edit.present)
            by_id_[edit.id] = nobody;
        else if (edit.boxed)
            by_id_[edit.id] = edit.box;
    }
    std::size_t at = 0;
    for (std::size_t id = 0; id < bound; ++id) {
        if (by_id_[id].min_x != by_id_[id].min_x) continue;
        boxes_[at] = by_id_[id];
        ids_[at++] = static_cast<AgentId>(id);
    }
    return at == agents && gather_labels_by_id(frame, staging);
}

bool Committer::gather_labels_by_id(const FrameState& frame, const Staging& staging) noexcept {
    labels_by_id_.clear();
    if (!frame.labelled && !staging.brings_labels()) return true;
    if (!labels_by_id_.resize(staging.id_bound(), Label{})) return false;
    for (const simd::Row& row : frame.rows) {
        if (!frame.labelled || agents_in(row) == 0) continue;
        const RowArrays a(row);
        const RowLabels labels(row);
        for (std::uint32_t i = 0; i < row.count; ++i) labels_by_id_[a.id[i]] = labels.label(i);
        for (std::uint32_t i = oversized_begin(row); i < oversized_begin(row) + row.oversized; ++i)
            labels_by_id_[a.id[i]] = labels.label(i);
    }
    for (std::size_t i = 0; i < staging.edits().size(); ++i) {
        Label& label = labels_by_id_[staging.edits()[i].id];
        label = staging.label_after(i, label);
    }
    return true;
}

}  // namespace throng::detail
