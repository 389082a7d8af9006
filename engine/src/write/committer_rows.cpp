// Where a committer puts the rows that it writes: into new memory, or into that of older versions.
#include <algorithm>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/write/committer.hpp"

namespace throng::detail {

// Very full rows get holes when they are edited again and again, and by few edits.
bool Committer::may_have_holes(const Store& store, const FrameState& frame, std::size_t i) const noexcept {
    constexpr std::size_t agents_for_an_edit = 256;
    const simd::Row& old = frame.rows[touched_[i]];
    const std::span<const std::uint32_t> edits = edits_of(i);
    if (std::min(agents_in(old), agents_after(frame, touched_[i])) < SpareRows::min_agents ||
        edits.size() * agents_for_an_edit > agents_in(old))
        return false;
    return old.holes != 0 || store.spare_rows.was_edited(touched_[i]);
}

// No more rows than older versions are kept of.
bool Committer::choose_patches(const Store& store, const FrameState& frame) noexcept {
    constexpr std::size_t max_patches = SpareRows::max_rows / SpareRows::max_of_a_row;
    patches_.clear();
    if (whole_) return true;
    if (!patches_.reserve(max_patches)) return false;
    for (std::size_t i = 0; i < touched_.size() && patches_.size() < max_patches; ++i) {
        if (!may_have_holes(store, frame, i)) continue;
        (void)patches_.push_back(choose_patch(touched_[i], frame.rows[touched_[i]],
                                              frame.map.columns(touched_[i]), {plan_.data(), plan_.size()},
                                              edits_of(i)));
    }
    return true;
}

// Null if a row is written without holes.
HolePatch* Committer::patch_of(std::uint32_t row) noexcept {
    for (HolePatch& patch : patches_)
        if (patch.row == row) return &patch;
    return nullptr;
}

// Memory for a row of its own. Returns false if there is none.
bool Committer::place_row(Store& store, const FrameState& frame, std::uint32_t r, FrameState& next) noexcept {
    const std::uint32_t columns = frame.map.columns(r);
    const simd::Row& old = frame.rows[r];
    Block* block = nullptr;
    std::uint32_t stride = 0;
    if (HolePatch* const patch = patch_of(r); patch != nullptr) {
        stride =
            patch->is_spread ? RowLayout(places_to_spread(old), columns, next.labelled).stride : old.stride;
        const HoleLayout layout(stride, columns, next.labelled);
        if (!patch->is_spread) block = store.spare_rows.take(r, stride, layout.bytes, patch->stale);
        patch->has_older = block != nullptr;
        if (block == nullptr) block = store.take(layout.bytes);
    } else {
        const RowLayout layout(agents_after(frame, r), columns, next.labelled);
        stride = layout.stride;
        block = store.take(layout.bytes);
    }
    if (block == nullptr) return false;
    store.set_row(next, r, {reinterpret_cast<const float*>(block->memory), nullptr, stride, 0, 0}, block);
    return true;
}

// Before `next` is published: what it replaces becomes spare, if that pays.
void Committer::note_spares(Store& store, const FrameState& frame, const FrameState& next) noexcept {
    if (whole_) return store.spare_rows.start_again(store.blocks);
    for (const std::uint32_t r : touched_) {
        const simd::Row& row = next.rows[r];
        const HolePatch* const patch = patch_of(r);
        store.count_agents_written(patch != nullptr ? patch->written : agents_in(row));
        if (agents_in(row) >= SpareRows::min_agents) store.spare_rows.note_edited(r);
        if (patch != nullptr && !patch->is_spread)
            store.spare_rows.note(r, frame.blocks[r], row.stride, patch->change, store.blocks);
        else
            store.spare_rows.forget(r, store.blocks);
    }
}

// Shares all rows with the old frame, except touched ones, which get new memory.
bool Committer::lay_out(Store& store, const FrameState& frame, FrameState& next) noexcept {
    if (!choose_patches(store, frame)) return false;
    Block* whole = nullptr;
    std::size_t used = 0;
    if (whole_) {
        std::size_t bytes = 0, agents = 0;
        for (const std::uint32_t r : touched_) {
            const std::size_t here = agents_after(frame, r);
            if (here != 0) bytes += RowLayout(here, frame.map.columns(r), next.labelled).bytes;
            agents += here;
        }
        bytes = std::max(bytes, max_bytes_of_rows(frame.map, agents, next.labelled));
        if (agents != 0 && (whole = store.take(bytes)) == nullptr) return false;
    }
    for (const std::uint32_t r : touched_) {
        const std::size_t agents = agents_after(frame, r);
        if (agents == 0) {
            store.set_row(next, r, {}, nullptr);
            next.reach[r] = {};
        } else if (whole == nullptr) {
            if (!place_row(store, frame, r, next)) return false;
        } else {
            const RowLayout layout(agents, frame.map.columns(r), next.labelled);
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
