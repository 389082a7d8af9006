// Where a frame editor puts the rows that it writes: into new memory, or into the memory of older versions.
#include <algorithm>

#include "engine/src/edit/frame_editor.hpp"
#include "engine/src/frame/row_layout.hpp"

namespace throng::detail {

// A long row is patched when few of its agents are edited for the second time. Many rows are edited only once
// between two updates; for these a copy is faster. A row that was copied has a block to itself.
bool FrameEditor::has_patch(const FrameState& frame, std::size_t i) const noexcept {
    const simd::Row& old = frame.rows[touched_[i]];
    const std::size_t agents = agents_in(old);
    if (agents == 0 || (old.is_dense() && frame.blocks[touched_[i]]->rows != 1)) return false;
    return !whole_ && std::min(agents, agents_after(frame, touched_[i])) >= SpareRow::min_agents &&
           edits_of(i).size() * RowPatch::agents_for_an_edit <= agents;
}

bool FrameEditor::choose_patches(const FrameState& frame) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < touched_.size(); ++i) count += has_patch(frame, i);
    patches_.clear();
    if (!reserve_amply(patches_, count)) return false;
    for (std::size_t i = 0; i < touched_.size(); ++i)
        if (has_patch(frame, i))
            (void)patches_.push_back(choose_patch(touched_[i], frame.rows[touched_[i]],
                                                  frame.map.columns(touched_[i]),
                                                  {plan_.data(), plan_.size()}, edits_of(i)));
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
bool FrameEditor::take_row(Store& store, const FrameState& frame, std::uint32_t r,
                           FrameState& next) noexcept {
    const std::uint32_t columns = frame.map.columns(r);
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
        const RowLayout layout(agents_after(frame, r), columns, next.extras);
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
    if (!choose_patches(frame)) return false;
    Block* whole = nullptr;
    std::size_t used = 0;
    if (whole_) {
        std::size_t bytes = 0, agents = 0;
        for (const std::uint32_t r : touched_) {
            const std::size_t here = agents_after(frame, r);
            if (here != 0) bytes += RowLayout(here, frame.map.columns(r), next.extras).bytes;
            agents += here;
        }
        bytes = std::max(bytes, max_bytes_of_rows(frame.map, agents, next.extras));
        if (agents != 0 && (whole = store.take(bytes)) == nullptr) return false;
    }
    for (const std::uint32_t r : touched_) {
        const std::size_t agents = agents_after(frame, r);
        if (agents == 0) {
            store.set_row(next, r, {}, nullptr);
            next.reach[r] = {};
        } else if (whole == nullptr) {
            if (!take_row(store, frame, r, next)) return false;
        } else {
            const RowLayout layout(agents, frame.map.columns(r), next.extras);
            const float* data = reinterpret_cast<const float*>(whole->memory + used);
            used += layout.bytes;
            store.set_row(next, r, {data, nullptr, layout.stride, 0, 0}, whole);
        }
    }
    for (const std::uint32_t row : touched_) change_[row] = 0;
    changed_ = false;
    return true;
}

}  // namespace throng::detail
