#include "engine/src/edit/frame_editor.hpp"

#include <algorithm>
#include <atomic>

#include "base/cell_math.hpp"
#include "base/outcome.hpp"
#include "engine/src/build/frame_builder.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/row_traits.hpp"
#include "parallel/atomically.hpp"
#include "parallel/blocks.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

// What an edit's agent keeps beside its box, in a frame with labels. Its cell is known.
Traits traits_before(const FrameState& frame, const Edit& edit) noexcept {
    const bool keeps_any = edit.label == TraitEdit::keep || edit.height == TraitEdit::keep;
    if (edit.old_cell == no_cell || !keeps_any) return {};
    const auto [r, column] = frame.map.cell_at(edit.old_cell);
    const simd::Row& row = frame.rows[r];
    return traits_in(row, frame.extras, slot_in_cell(row, frame.map.columns(r), column, edit.id));
}

// The cell of an edit's agent, which has another box.
Cell new_cell_of(const FrameState& frame, const Staging& staging, std::size_t i) noexcept {
    const WorldMap& map = frame.map;
    const Edit& edit = staging.edits()[i];
    if (!map.has_storeys()) return map.cell_of(staging.boxes_after()[i]);
    const Band height = staging.traits_after(i, traits_before(frame, edit)).height;
    return map.cell_of(staging.boxes_after()[i], map.layer_of(height));
}

}  // namespace

// The scratch for ordering the edits of any row.
std::size_t FrameEditor::scratch_for(const WorldMap& map) noexcept {
    return (map.max_columns() + std::size_t{2}) * sizeof(std::uint32_t);
}

// Every staged edit becomes up to two row edits: out of the old row, and into the new one.
bool FrameEditor::plan(const FrameState& frame, const Staging& staging) noexcept {
    const std::span<const Edit> edits = staging.edits();
    const WorldMap& map = frame.map;
    plan_.clear();
    const std::size_t clear = changed_ ? 0 : std::min(change_.size(), frame.rows.size());
    if (!reserve_amply(plan_, 2 * edits.size()) || !resize_amply(new_cells_, edits.size()) ||
        !reserve_amply(oversized_, 2 * edits.size()) ||
        !resize_by_rows(map.has_islands(), change_, frame.rows.size()))
        return false;
    std::fill(change_.begin() + clear, change_.end(), 0);
    changed_ = true;
    const auto add = [&](const Cell& cell, AgentId id, std::uint32_t edit, RowEditKind kind) {
        (void)plan_.push_back({cell.row, cell.column, id, edit, kind});
    };
    for (std::size_t i = 0; i < edits.size(); ++i) {
        const Edit& edit = edits[i];
        const auto index = static_cast<std::uint32_t>(i);
        const bool was = edit.old_cell != no_cell, is = edit.present;
        new_cells_[i] = no_cell;
        if (!was && !is) continue;
        const Cell old_cell = was ? map.cell_at(edit.old_cell) : Cell{};
        const Cell cell = !is ? Cell{} : edit.boxed ? new_cell_of(frame, staging, i) : old_cell;
        if (is) new_cells_[i] = map.number_of(cell);
        if (was && is && !edit.boxed) {
            if (frame.labelled() && !edit.keeps_traits())
                add(cell, edit.id, index, RowEditKind::other_traits);
            continue;
        }
        if (was && is && cell == old_cell) {
            add(cell, edit.id, index, RowEditKind::replace);
            continue;
        }
        if (was) --change_[old_cell.row];
        if (is) ++change_[cell.row];
        if (was) add(old_cell, edit.id, index, RowEditKind::remove);
        if (is) add(cell, edit.id, index, RowEditKind::insert);
    }
    return true;
}

// Groups the edits by row, in the order of staging, and lists the rows with edits.
Status FrameEditor::sort_plan(const Executor& executor, const WorldMap& map, std::size_t agents) noexcept {
    const std::size_t rows = map.rows();
    const std::size_t blocks = parallel::blocks_for(executor, plan_.size(), 16384);
    if (!resize_amply(order_, plan_.size()) || !resize_by_rows(map.has_islands(), counts_, blocks * rows) ||
        !resize_by_rows(map.has_islands(), starts_, rows + 1) || !resize_amply(sorted_, plan_.size()) ||
        !resize_by_rows(map.has_islands(), touched_, rows) ||
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
        if (whole_ = 2 * count > rows && std::uint64_t{plan_.size()} * agents_for_an_edit >= agents &&
                     agents < rows * SpareRow::min_agents;
            whole_) {
            count = 0;
            for (std::size_t r = 0; r < rows; ++r) touch(r, starts_[r]);
        }
    }
    touched_starts_[count] = static_cast<std::uint32_t>(plan_.size());
    (void)touched_.resize(count);  // does not grow
    return {};
}

namespace {

void copy_tables(const FrameState& frame, FrameState& next) noexcept {
    std::copy(frame.rows.begin(), frame.rows.end(), next.rows.begin());
    std::copy(frame.reach.begin(), frame.reach.end(), next.reach.begin());
    std::copy(frame.blocks.begin(), frame.blocks.end(), next.blocks.begin());
    std::copy(frame.bounds.begin(), frame.bounds.end(), next.bounds.begin());
    std::copy(frame.stretches.begin(), frame.stretches.end(), next.stretches.begin());
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
bool FrameEditor::edit_one(const FrameState& frame, const Staging& staging, std::size_t i,
                           std::span<const RowEdit> edits, SortSpace& space, simd::Row& row) noexcept {
    const simd::Row* old = &frame.rows[touched_[i]];
    const std::uint32_t columns = frame.map.columns(touched_[i]);
    const std::span<const Edit> staged = staging.edits();
    float* data = const_cast<float*>(row.data);
    const auto box_of = [boxes = staging.boxes_after()](std::uint32_t edit) { return boxes[edit]; };
    const auto traits_of = [&](std::uint32_t edit) {
        return staging.traits_after(edit, traits_before(frame, staged[edit]));
    };
    if (RowPatch* const patch = patch_of(touched_[i]); patch != nullptr) {
        row = patch_row(*frame.kernels, *old, columns, frame.extras, edits, data, row.stride, *patch, box_of,
                        traits_of);
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
    row = edit_row(*old, columns, frame.extras, edits, data, row.stride, box_of, traits_of);
    return true;
}

// In the edited stretches of a patched row, or in all of a row.
void FrameEditor::note_categories(const FrameState& frame, const Staging& staging, std::size_t i,
                                  std::span<const RowEdit> edits, FrameState& next) noexcept {
    const std::size_t r = touched_[i];
    const std::uint32_t columns = frame.map.columns(r), stride = stretch_stride(frame.map);
    std::uint32_t* stretches = next.stretches.data() + r * stride;
    if (patch_of(touched_[i]) == nullptr) return note_stretches(next.rows[r], columns, stride, stretches);
    std::uint32_t come = 0;
    for (const RowEdit& edit : edits) {
        const Edit& staged = staging.edits()[edit.edit];
        if (edit.kind != RowEditKind::remove)
            come |=
                simd::noted(staging.traits_after(edit.edit, traits_before(frame, staged)).label.categories);
    }
    for (const RowEdit& edit : edits) {
        if (edit.column == columns) continue;
        const std::uint32_t s = edit.column >> simd::stretch_shift;
        stretches[s] = note_stretch(next.rows[r], columns, s, stretches[s] | come);
    }
}

// The edits of oversized agents are the last of their rows. There is room for all.
void FrameEditor::list_oversized(const WorldMap& map) noexcept {
    oversized_.clear();
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        const std::uint32_t row = touched_[i], columns = map.columns(row);
        const RowEdit *const begin = sorted_.data() + touched_starts_[i],
                             *const end = sorted_.data() + touched_starts_[i + 1], *edit = end;
        while (edit != begin && edit[-1].column == columns) --edit;
        for (; edit != end; ++edit)
            (void)oversized_.push_back(
                {row, edit->id, edit->kind != RowEditKind::insert, edit->kind != RowEditKind::remove});
    }
}

bool FrameEditor::edit_rows(Store& store, const FrameState& frame, const Staging& staging, FrameState& next,
                            const RowGroup& group) noexcept {
    const std::uint32_t stride = stretch_stride(frame.map);
    Lease<SortSpace> space(store.spaces.sort);
    if (!space || !reserve_amply(space->bytes, scratch_for(frame.map))) return false;
    std::uint64_t sharing = 0;
    for (std::size_t i = group.begin; i < group.end; ++i) {
        const std::size_t r = touched_[i], first = touched_starts_[i], count = touched_starts_[i + 1] - first;
        simd::Row& row = next.rows[r];
        const std::uint32_t columns = frame.map.columns(r);
        RowEdit* sorted = sorted_.data() + first;
        order_edits({plan_.data(), plan_.size()}, {order_.data() + first, count}, columns,
                    reinterpret_cast<std::uint32_t*>(space->bytes.data()), sorted);
        if (row.data == nullptr) {
            if (next.labelled()) note_stretches(row, columns, stride, next.stretches.data() + r * stride);
            sharing += change_of_sharing(frame.rows[r], row, columns, {sorted, count});
            continue;
        }
        if (!edit_one(frame, staging, i, {sorted, count}, *space, row)) return false;
        if (next.labelled()) note_categories(frame, staging, i, {sorted, count}, next);
        measure(next, r, *frame.kernels);
        sharing += change_of_sharing(frame.rows[r], row, columns, {sorted, count});
    }
    parallel::atomically(next.sharing).fetch_add(sharing, std::memory_order_relaxed);
    return true;
}

Status FrameEditor::edit(Store& store, const Executor& executor, const FrameState& frame,
                         const Staging& staging, FrameState*& next) noexcept {
    whole_ = false;
    if (!plan(frame, staging)) return {Code::out_of_memory};
    if (const Status status = sort_plan(executor, frame.map, frame.agents); !status.ok()) return status;
    bool up_to_date = false;
    FrameState* made = store.take_frame_after(frame, up_to_date);
    if (made == nullptr) return {Code::out_of_memory};
    if (!up_to_date) copy_tables(frame, *made);
    if (!lay_out(store, frame, *made)) {
        store.abandon(made);
        return {Code::out_of_memory};
    }
    made->shared_categories = frame.shared_categories & staging.shared_categories();
    made->sharing = frame.sharing;
    made->kernels = frame.kernels;
    const std::size_t groups = row_groups_for(executor, touched_.size(), plan_.size() * 16);
    const std::size_t scratch = scratch_for(frame.map);
    std::atomic<bool> enough{
        store.spaces.sort.prepare(parallel::at_once(executor, groups),
                                  [&](SortSpace& space) { return reserve_amply(space.bytes, scratch); })};
    const parallel::Ran ran = parallel::for_blocks(executor, groups, [&](std::size_t index) {
        const RowGroup group = row_group(touched_.size(), groups, index,
                                         [&](std::size_t i) -> std::size_t { return touched_starts_[i]; });
        if (!edit_rows(store, frame, staging, *made, group)) enough.store(false, std::memory_order_relaxed);
    });
    Status status = outcome(ran);
    if (!enough.load(std::memory_order_relaxed)) status = {Code::out_of_memory};
    made->agents = staging.agents_after(frame);
    if (status.ok()) list_oversized(frame.map);
    const Changes changes{touched(), up_to_date, {oversized_.data(), oversized_.size()}};
    if (status.ok() && !finish_view(*made, frame, changes)) status = {Code::out_of_memory};
    if (!status.ok()) {
        store.abandon(made);
        return status;
    }
    next = made;
    return {};
}

void FrameEditor::give_back_excess(std::size_t agents) noexcept {
    release_excess(plan_, agents);
    release_excess(sorted_, agents);
    release_excess(order_, agents);
    release_excess(new_cells_, agents);
    release_excess(patches_, agents);
    release_excess(oversized_, agents);
}

}  // namespace throng::detail
