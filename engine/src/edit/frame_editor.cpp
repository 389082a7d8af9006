#include "engine/src/edit/frame_editor.hpp"

#include <algorithm>
#include <atomic>

#include "base/blocks.hpp"
#include "base/box_math.hpp"
#include "engine/src/build/frame_builder.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "parallel/blocks.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

// The cell of an edit's agent, which has another box.
Cell new_cell_of(const EditedAgents& agents, std::uint32_t edit) noexcept {
    const WorldMap& map = agents.frame.map;
    if (!map.has_storeys()) return map.cell_of(agents.box(edit));
    return map.cell_of(agents.box(edit), map.layer_of(agents.traits(edit).height));
}

}  // namespace

// Every staged edit becomes up to two row edits: out of the old row, and into the new one.
bool FrameEditor::plan(const EditedAgents& agents) noexcept {
    const FrameState& frame = agents.frame;
    const std::span<const Edit> edits = agents.staging.edits();
    const WorldMap& map = frame.map;
    plan_.clear();
    if (!reserve_amply(plan_, 2 * edits.size()) || !resize_amply(new_cells_, edits.size()) ||
        !reserve_amply(left_, edits.size()) || !reserve_amply(came_, edits.size()))
        return false;
    left_.clear();
    came_.clear();
    oversized_ = 0;
    const auto add = [&](const Cell& cell, AgentId id, std::uint32_t edit, RowEditKind kind) {
        (void)plan_.push_back({cell.row, cell.column, id, edit, kind});
        if (cell.column != map.columns(cell.row)) return;
        ++oversized_;
        if (kind != RowEditKind::insert) (void)left_.push_back({id, cell.row});
        if (kind != RowEditKind::remove) (void)came_.push_back({id, cell.row});
    };
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Edit& edit = edits[i];
        const auto index = static_cast<std::uint32_t>(i);
        const bool was = edit.old_cell != no_cell, is = edit.present;
        if (!was && !is) continue;
        const Cell old_cell = was ? map.cell_at(edit.old_cell) : Cell{};
        const Cell cell = !is ? Cell{} : edit.boxed ? new_cell_of(agents, index) : old_cell;
        if (is) new_cells_[i] = map.number_of(cell);
        if (was && is && cell == old_cell) {
            if (edit.boxed || (frame.labelled() && (edit.label || edit.height)))
                add(cell, edit.id, index, edit.boxed ? RowEditKind::replace : RowEditKind::other_traits);
            continue;
        }
        if (was) add(old_cell, edit.id, index, RowEditKind::remove);
        if (is) add(cell, edit.id, index, RowEditKind::insert);
    }
    return true;
}

// Groups the edits by row, in the order of staging, and lists the rows with edits.
Status FrameEditor::sort_plan(const Executor& executor, const FrameState& frame) noexcept {
    const WorldMap& map = frame.map;
    const std::size_t rows = map.rows();
    const std::size_t blocks = parallel::blocks_for(executor, plan_.size(), 16384);
    if (!resize_amply(order_, plan_.size()) || !resize_by_rows(map.has_islands(), counts_, blocks * rows) ||
        !resize_by_rows(map.has_islands(), starts_, rows + 1) || !resize_amply(sorted_, plan_.size()) ||
        !resize_by_rows(map.has_islands(), touched_, rows) ||
        !resize_by_rows(map.has_islands(), agents_after_, rows) ||
        !resize_by_rows(map.has_islands(), touched_starts_, rows + 1))
        return {Code::out_of_memory};
    std::size_t count = 0;
    const auto touch = [&](std::size_t row, std::size_t start) {
        touched_[count] = static_cast<std::uint32_t>(row);
        touched_starts_[count++] = static_cast<std::uint32_t>(start);
    };
    if (plan_.size() * 16 < rows) {
        for (std::size_t i = 0; i < plan_.size(); ++i) order_[i] = static_cast<std::uint32_t>(i);
        std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
            return plan_[a].row != plan_[b].row ? plan_[a].row < plan_[b].row : a < b;
        });
        for (std::size_t i = 0; i < plan_.size(); ++i)
            if (i == 0 || plan_[order_[i]].row != plan_[order_[i - 1]].row) touch(plan_[order_[i]].row, i);
    } else {
        const parallel::Ran ran =
            parallel::bin(executor, plan_.size(), rows, blocks, counts_.data(), starts_.data(), order_.data(),
                          [&](std::size_t i) { return plan_[i].row; });
        if (!ran) return outcome(ran);
        for (std::size_t r = 0; r < rows; ++r)
            if (starts_[r] != starts_[r + 1]) touch(r, starts_[r]);
        // If most rows are touched and short, the others are copied too. Then all are in one block, and older
        // blocks can go.
        constexpr std::size_t agents_for_an_edit = 1024;
        if (whole_ = 2 * count > rows && std::uint64_t{plan_.size()} * agents_for_an_edit >= frame.agents &&
                     frame.agents < rows * SpareRow::min_agents;
            whole_) {
            count = 0;
            for (std::size_t r = 0; r < rows; ++r) touch(r, starts_[r]);
        }
    }
    touched_starts_[count] = static_cast<std::uint32_t>(plan_.size());
    (void)touched_.resize(count);  // does not grow
    return {};
}

// --- Memory for rows: new, or that of older versions -------------------------------------------------------

// A long row is patched when few of its agents are edited for the second time. Many rows are edited only once
// between two updates; for these a copy is faster. A row that was copied has a block to itself.
bool FrameEditor::has_patch(const FrameState& frame, std::size_t i) const noexcept {
    const simd::Row& old = frame.rows[touched_[i]];
    const std::size_t agents = agents_in(old);
    if (agents == 0 || (old.is_dense() && frame.blocks[touched_[i]]->rows != 1)) return false;
    return !whole_ && std::min<std::size_t>(agents, agents_after_[i]) >= SpareRow::min_agents &&
           edits_of(i).size() * RowPatch::agents_for_an_edit <= agents;
}

bool FrameEditor::choose_patches(const FrameState& frame) noexcept {
    patches_.clear();
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        const std::uint32_t r = touched_[i];
        if (has_patch(frame, i) &&
            !patches_.push_back(choose_patch(r, frame.rows[r], frame.map.columns(r),
                                             {plan_.data(), plan_.size()}, edits_of(i))))
            return false;
    }
    return true;
}

// Null if a row is written as a whole, dense.
RowPatch* FrameEditor::patch_of(std::uint32_t row) noexcept {
    RowPatch* const at =
        std::lower_bound(patches_.begin(), patches_.end(), row,
                         [](const RowPatch& patch, std::uint32_t number) { return patch.row < number; });
    return at != patches_.end() && at->row == row ? at : nullptr;
}

// Memory for a row of its own. Returns false if there is none.
bool FrameEditor::take_row(Store& store, const FrameState& frame, std::size_t i, FrameState& next) noexcept {
    const std::uint32_t r = touched_[i], columns = frame.map.columns(r);
    const simd::Row& old = frame.rows[r];
    Block* block = nullptr;
    std::uint32_t stride = 0;
    if (RowPatch* const patch = patch_of(r); patch != nullptr) {
        stride = patch->is_spread ? RowLayout(slots_to_spread(old), columns, next.extras).stride : old.stride;
        const PatchLayout layout(stride, columns, next.extras);
        if (!patch->is_spread) block = SpareRow(frame.blocks[r], layout).take(patch->stale);
        patch->has_older = block != nullptr;
        if (block == nullptr) block = store.take(SpareRow::bytes(layout));
    } else {
        const RowLayout layout(agents_after_[i], columns, next.extras);
        stride = layout.stride;
        std::size_t bytes = layout.bytes;
        // A long row may be patched next time: then it can have this block.
        if (agents_in(old) >= SpareRow::min_agents)
            bytes = std::max(bytes, SpareRow::bytes(PatchLayout(
                                        RowLayout(slots_to_spread(old), columns, next.extras).stride, columns,
                                        next.extras)));
        block = store.take(bytes);
    }
    if (block == nullptr) return false;
    store.set_row(next, r, {reinterpret_cast<const float*>(block->memory), nullptr, stride, 0, 0}, block);
    return true;
}

// Before `next` is published: replaced blocks become spare, or their older versions go.
void FrameEditor::note_spares(Store& store, const FrameState& frame, const FrameState& next) noexcept {
    for (const std::uint32_t r : touched_) {
        const simd::Row& row = next.rows[r];
        const RowPatch* const patch = patch_of(r);
        store.count_agents_written(patch != nullptr ? patch->written : agents_in(row));
        const bool is_patched = patch != nullptr && !patch->is_spread;
        if (!is_patched && !frame.rows[r].is_dense()) store.release_older(frame, r);
        if (patch == nullptr) continue;
        SpareRow newest(next.blocks[r], PatchLayout(row.stride, frame.map.columns(r), next.extras));
        if (is_patched)
            newest.replaces(frame.blocks[r], patch->change, store.blocks);
        else
            newest.replaces_none();
    }
}

// Shares all rows with the old frame, except touched ones, which get new memory.
bool FrameEditor::lay_out(Store& store, const FrameState& frame, FrameState& next) noexcept {
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        std::size_t agents = agents_in(frame.rows[touched_[i]]);
        for (const std::uint32_t member : edits_of(i)) {
            agents += plan_[member].kind == RowEditKind::insert;
            agents -= plan_[member].kind == RowEditKind::remove;
        }
        agents_after_[i] = static_cast<std::uint32_t>(agents);
    }
    if (!choose_patches(frame)) return false;
    Block* whole = nullptr;
    if (whole_ && next.agents != 0 &&
        (whole = store.take(max_bytes_of_rows(frame.map, next.agents, next.extras))) == nullptr)
        return false;
    std::size_t used = 0;
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        const std::uint32_t r = touched_[i];
        if (agents_after_[i] == 0) {
            store.set_row(next, r, {}, nullptr);
            next.reach[r] = {};
            if (next.has_heights()) next.row_heights[r] = {};
        } else if (whole == nullptr) {
            if (!take_row(store, frame, i, next)) return false;
        } else {
            const RowLayout layout(agents_after_[i], frame.map.columns(r), next.extras);
            const float* data = reinterpret_cast<const float*>(whole->memory + used);
            used += layout.bytes;
            store.set_row(next, r, {data, nullptr, layout.stride, 0, 0}, whole);
        }
    }
    return true;
}

// --- Writing rows ------------------------------------------------------------------------------------------

namespace {

void copy_tables(const FrameState& frame, FrameState& next) noexcept {
    std::copy(frame.rows.begin(), frame.rows.end(), next.rows.begin());
    std::copy(frame.reach.begin(), frame.reach.end(), next.reach.begin());
    std::copy(frame.blocks.begin(), frame.blocks.end(), next.blocks.begin());
    std::copy(frame.bounds.begin(), frame.bounds.end(), next.bounds.begin());
    std::copy(frame.stretches.begin(), frame.stretches.end(), next.stretches.begin());
    std::copy(frame.row_heights.begin(), frame.row_heights.end(), next.row_heights.begin());
}

// The change in the number of agent pairs that share a cell, from edits in the order of columns. A decrease
// wraps around. With many edits all columns are asked, since the processor could not foresee which edit
// begins one.
std::uint64_t change_of_sharing(const simd::Row& before, const simd::Row& after, std::uint32_t columns,
                                std::span<const RowEdit> edits) noexcept {
    const auto sharing = [columns](const simd::Row& row, std::uint32_t column) {
        const std::uint64_t agents = agents_in_cell(row, columns, column);
        return agents * (agents - 1) / 2;
    };
    std::uint64_t change = 0;
    const auto add = [&](std::uint32_t column) {
        change += sharing(after, column) - sharing(before, column);
    };
    if (edits.size() >= columns) {
        for (std::uint32_t column = 0; column < columns; ++column) add(column);
        return change;
    }
    std::uint32_t last = columns;  // the column of oversized agents, which are in no cell
    for (const RowEdit& edit : edits) {
        if (edit.column == last || edit.column == columns) continue;
        last = edit.column;
        add(last);
    }
    return change;
}

// One comparison, since the processor could not foresee whether two columns are equal.
bool precedes(const RowEdit& a, const RowEdit& b) noexcept {
    const auto key = [](const RowEdit& edit) { return std::uint64_t{edit.column} << 32 | edit.id; };
    return key(a) < key(b);
}

// Sorts the edits of one row by column and then by id. `starts` is scratch for columns + 2 numbers, and `out`
// has room for all edits. Edits staged in the order of their ids are the fastest.
void order_edits(std::span<const RowEdit> plan, std::span<const std::uint32_t> members, std::uint32_t columns,
                 std::uint32_t* starts, RowEdit* out) noexcept {
    if (members.size() * 16 < columns) {
        for (std::size_t i = 0; i < members.size(); ++i) out[i] = plan[members[i]];
        std::sort(out, out + members.size(), precedes);
        return;
    }
    std::fill_n(starts, columns + std::size_t{2}, 0u);
    for (const std::uint32_t member : members) ++starts[plan[member].column + 1];
    for (std::uint32_t c = 0; c <= columns; ++c) starts[c + 1] += starts[c];
    for (const std::uint32_t member : members) out[starts[plan[member].column]++] = plan[member];
    // Now the edits of each column are together, in the order of staging.
    if (std::is_sorted(out, out + members.size(), precedes)) return;
    RowEdit* first = out;
    for (std::uint32_t c = 0; c <= columns; ++c) {
        RowEdit* last = out + starts[c];
        if (!std::is_sorted(first, last, precedes)) std::sort(first, last, precedes);
        first = last;
    }
}

// Notes the largest agents of an edited row, and its bounds if there are islands. A row that is not dense has
// notes that give both.
void measure(FrameState& next, std::size_t r, const simd::Kernels& kernels) noexcept {
    const simd::Row& row = next.rows[r];
    const bool with_bounds = next.bounds.size() != 0;
    if (!row.is_dense()) {
        const std::span chunks(chunks_of(row, next.map.columns(r)), chunk_count(row));
        simd::RowReach& reach = next.reach[r] = chunks[0].reach;
        simd::Bounds bounds = chunks[0].bounds;
        for (const RowChunk& chunk : chunks) {
            reach = {std::max(reach.width, chunk.reach.width), std::max(reach.height, chunk.reach.height)};
            add(bounds, chunk.bounds);
        }
        if (with_bounds) next.bounds[r] = bounds;
        return;
    }
    next.reach[r] = kernels.rows->measure_row(row);
    if (with_bounds) next.bounds[r] = kernels.rows->bound_row(row);
}

}  // namespace

// Writes a row. Returns false if there is no memory.
bool FrameEditor::edit_one(const EditedAgents& agents, std::size_t i, std::span<const RowEdit> edits,
                           SortSpace& space, simd::Row& row) noexcept {
    const FrameState& frame = agents.frame;
    const simd::Row* old = &frame.rows[touched_[i]];
    const std::uint32_t columns = frame.map.columns(touched_[i]);
    float* data = const_cast<float*>(row.data);
    if (RowPatch* const patch = patch_of(touched_[i]); patch != nullptr) {
        row = patch_row(*old, columns, edits, agents, data, row.stride, *patch);
        return true;
    }
    simd::Row dense;
    if (!old->is_dense()) {
        const RowLayout layout(agents_in(*old), columns, frame.extras);
        if (!reserve_amply(space.bytes, layout.bytes)) return false;
        dense = copy_densely(*old, columns, frame.extras, reinterpret_cast<float*>(space.bytes.data()),
                             layout.stride);
        old = &dense;
    }
    row = edit_row(*old, columns, edits, agents, data, row.stride);
    return true;
}

// In the edited stretches of a patched row, or in all of a row.
void FrameEditor::note_categories(const EditedAgents& agents, std::size_t i, std::span<const RowEdit> edits,
                                  FrameState& next) noexcept {
    const std::size_t r = touched_[i];
    const std::uint32_t columns = next.map.columns(r), stride = stretch_stride(next.map);
    std::uint32_t* stretches = next.stretches.data() + r * stride;
    if (patch_of(touched_[i]) == nullptr) return note_stretches(next.rows[r], columns, stride, stretches);
    std::uint32_t come = 0;
    for (const RowEdit& edit : edits)
        if (edit.kind != RowEditKind::remove) come |= simd::noted(agents.traits(edit.edit).label.categories);
    for (const RowEdit& edit : edits) {
        if (edit.column == columns) continue;
        const std::uint32_t s = edit.column >> simd::stretch_shift;
        stretches[s] = note_stretch(next.rows[r], columns, s, stretches[s] | come);
    }
}

// Agents that leave or change may leave more to be shared: that is noted when a row is written as a whole.
void FrameEditor::note_heights(const EditedAgents& agents, std::size_t i, std::span<const RowEdit> edits,
                               FrameState& next) noexcept {
    const std::size_t r = touched_[i];
    simd::SharedHeights& shared = next.row_heights[r];
    if (patch_of(touched_[i]) == nullptr) {
        shared = next.kernels->rows->shared_heights(next.rows[r]);
        return;
    }
    for (const RowEdit& edit : edits) {
        if (edit.kind == RowEditKind::remove) continue;
        const Band height = agents.traits(edit.edit).height;
        shared.add(height.min_z, height.max_z);
    }
}

// Returns false if there is no memory.
bool FrameEditor::edit_rows(const EditedAgents& agents, const RowGroup& group, SortSpace& space,
                            FrameState& next) noexcept {
    const FrameState& frame = agents.frame;
    const std::uint32_t stride = stretch_stride(frame.map);
    std::uint64_t sharing = 0;
    for (std::size_t i = group.begin; i < group.end; ++i) {
        const std::size_t r = touched_[i], first = touched_starts_[i], count = touched_starts_[i + 1] - first;
        simd::Row& row = next.rows[r];
        const std::uint32_t columns = frame.map.columns(r);
        RowEdit* sorted = sorted_.data() + first;
        order_edits({plan_.data(), plan_.size()}, {order_.data() + first, count}, columns,
                    reinterpret_cast<std::uint32_t*>(space.bytes.data()), sorted);
        if (row.data == nullptr) {
            if (next.labelled()) note_stretches(row, columns, stride, next.stretches.data() + r * stride);
            sharing += change_of_sharing(frame.rows[r], row, columns, {sorted, count});
            continue;
        }
        if (!edit_one(agents, i, {sorted, count}, space, row)) return false;
        if (next.labelled()) note_categories(agents, i, {sorted, count}, next);
        if (next.has_heights()) note_heights(agents, i, {sorted, count}, next);
        measure(next, r, *frame.kernels);
        sharing += change_of_sharing(frame.rows[r], row, columns, {sorted, count});
    }
    parallel::atomically(next.sharing).fetch_add(sharing, std::memory_order_relaxed);
    return true;
}

Status FrameEditor::edit(Store& store, const Executor& executor, const FrameState& frame,
                         const Staging& staging, FrameState*& next) noexcept {
    whole_ = false;
    const EditedAgents agents{frame, staging};
    if (!plan(agents)) return {Code::out_of_memory};
    if (const Status status = sort_plan(executor, frame); !status.ok()) return status;
    bool up_to_date = false;
    FrameState* made = store.take_frame_after(frame, up_to_date);
    if (made == nullptr) return {Code::out_of_memory};
    if (!up_to_date) copy_tables(frame, *made);
    made->agents = staging.agents_after();
    if (!lay_out(store, frame, *made)) {
        store.abandon(made);
        return {Code::out_of_memory};
    }
    made->shared_categories = frame.shared_categories & staging.shared_categories();
    made->sharing = frame.sharing;
    made->kernels = frame.kernels;
    const std::size_t groups = row_groups_for(executor, touched_.size(), plan_.size() * 16);
    // For ordering the edits of any row.
    const std::size_t scratch = (frame.map.max_columns() + std::size_t{2}) * sizeof(std::uint32_t);
    const auto make_room = [&](SortSpace& space) { return reserve_amply(space.bytes, scratch); };
    const auto edit_group = [&](std::size_t index, SortSpace& space) {
        const RowGroup group = row_group(touched_.size(), groups, index,
                                         [&](std::size_t i) -> std::size_t { return touched_starts_[i]; });
        return edit_rows(agents, group, space, *made);
    };
    Status status = with_spaces(store.spaces.sort, executor, groups, parallel::at_once(executor, groups),
                                make_room, edit_group);
    const Changes changes{
        touched(), up_to_date, {{left_.data(), left_.size()}, {came_.data(), came_.size()}, oversized_}};
    if (status.ok() && !finish_view(*made, frame, changes)) status = {Code::out_of_memory};
    return store.hand_on(made, status, next);
}

}  // namespace throng::detail
