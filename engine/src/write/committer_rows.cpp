// Where a committer puts the rows that it writes: into new memory, or into that of older versions.
#include <algorithm>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/write/committer.hpp"

namespace throng::detail {

// Very full rows get holes when they are edited again and again, and by few edits.
bool Committer::may_have_holes(const Store& store, const FrameState& frame, std::size_t i) const noexcept {
    constexpr std::size_t fewer = 256;
    const simd::Row& old = frame.rows[touched_[i]];
    const std::span<const std::uint32_t> edits = edits_of(i);
    if (std::min(agents_in(old), agents_after(frame, touched_[i])) < SpareRows::min_agents ||
        edits.size() * fewer > agents_in(old) || edits.empty())
        return false;
    return old.holes != 0 || store.spare_rows.was_edited(touched_[i]);
}

// No more rows than older versions are kept of.
bool Committer::choose_patches(const Store& store, const FrameState& frame) noexcept {
    constexpr std::size_t most = SpareRows::most / SpareRows::max_of_a_row;
    patches_.clear();
    for (std::size_t i = 0; i < touched_.size(); ++i) versions_[i] = {};
    if (whole_) return true;
    if (!patches_.reserve(most)) return false;
    for (std::size_t i = 0; i < touched_.size() && patches_.size() < most; ++i) {
        if (!may_have_holes(store, frame, i)) continue;
        versions_[i].patch = static_cast<std::uint32_t>(patches_.size());
        (void)patches_.push_back(choose_patch(frame.rows[touched_[i]], frame.map.columns(touched_[i]),
                                              {plan_.data(), plan_.size()}, edits_of(i)));
    }
    return true;
}

// The memory of a touched row: a spare of it, if there is one.
Block* Committer::take_row(Store& store, std::size_t i, const RowLayout& layout) noexcept {
    if (store.spare_rows.empty()) return store.take(layout.bytes);
    RowRanges stale;
    Block* spare = store.spare_rows.take(touched_[i], layout.stride, layout.bytes, stale);
    versions_[i].has_older = spare != nullptr;
    versions_[i].stale = stale.hull();
    return spare != nullptr ? spare : store.take(layout.bytes);
}

// Memory for a row of its own. Returns false if there is none.
bool Committer::place_row(Store& store, const FrameState& frame, std::size_t i, FrameState& next) noexcept {
    const std::uint32_t r = touched_[i];
    const std::uint32_t columns = frame.map.columns(r);
    const simd::Row& old = frame.rows[r];
    Block* block = nullptr;
    std::uint32_t stride = 0;
    if (versions_[i].patch == RowVersions::none) {
        const RowLayout layout(agents_after(frame, r), columns, next.labelled);
        stride = layout.stride;
        // A row that had holes is written from a copy without them.
        block = old.holes != 0 ? store.take(layout.bytes) : take_row(store, i, layout);
    } else {
        HolePatch& patch = patches_[versions_[i].patch];
        stride =
            patch.is_spread ? RowLayout(places_to_spread(old), columns, next.labelled).stride : old.stride;
        const HoleLayout layout(stride, columns, next.labelled);
        if (!patch.is_spread) block = store.spare_rows.take(r, stride, layout.bytes, patch.stale);
        patch.has_older = block != nullptr;
        if (block == nullptr) block = store.take(layout.bytes);
    }
    if (block == nullptr) return false;
    store.set_row(next, r, {reinterpret_cast<const float*>(block->memory), nullptr, stride, 0, 0}, block);
    return true;
}

// Where a rebuilt row differs from the one before.
RowRanges Committer::change_of(std::size_t i) const noexcept {
    if (versions_[i].patch != RowVersions::none) return patches_[versions_[i].patch].change;
    RowRanges change;
    change.add(versions_[i].change);
    return change;
}

// Before `next` is published: what it replaces becomes spare, if that pays.
void Committer::note_spares(Store& store, const FrameState& frame, const FrameState& next) const noexcept {
    for (const RowVersions& one : versions_) store.count_agents_written(one.written);
    for (const HolePatch& one : patches_) store.count_agents_written(one.written);
    if (whole_) return store.spare_rows.start_again(store.blocks);
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        const std::uint32_t r = touched_[i];
        const simd::Row &old = frame.rows[r], &row = next.rows[r];
        if (agents_in(row) >= SpareRows::min_agents) store.spare_rows.note_edited(r);
        Block* block = frame.blocks[r];
        const bool is_alone = block != nullptr && block->rows == 1 &&
                              block->memory == reinterpret_cast<const std::byte*>(old.data);
        if (is_alone && agents_in(old) >= SpareRows::min_agents && old.stride == row.stride)
            store.spare_rows.note(r, block, old.stride, change_of(i), store.blocks);
        else if (!store.spare_rows.empty())
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
        for (std::size_t i = 0; i < touched_.size(); ++i) {
            const std::size_t here = agents_after(frame, touched_[i]);
            if (here != 0) bytes += RowLayout(here, frame.map.columns(touched_[i]), next.labelled).bytes;
            agents += here;
        }
        if (agents != 0) {
            whole = store.take(std::max(bytes, max_bytes_of_rows(frame.map, agents, next.labelled)));
            if (whole == nullptr) return false;
        }
    }
    for (std::size_t i = 0; i < touched_.size(); ++i) {
        const std::size_t r = touched_[i];
        const std::size_t agents = agents_after(frame, r);
        if (agents == 0) {
            store.set_row(next, r, {}, nullptr);
            next.reach[r] = {};
            continue;
        }
        if (whole == nullptr) {
            if (!place_row(store, frame, i, next)) return false;
            continue;
        }
        const RowLayout layout(agents, frame.map.columns(r), next.labelled);
        const float* data = reinterpret_cast<const float*>(whole->memory + used);
        used += layout.bytes;
        store.set_row(next, r, {data, nullptr, layout.stride, 0, 0}, whole);
    }
    for (const std::uint32_t row : touched_) change_[row] = 0;
    changed_ = false;
    return true;
}

}  // namespace throng::detail
