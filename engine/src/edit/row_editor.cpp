// Runs of agents between two edits are copied unchanged:
//
//     old   [ cell 0 | cell 1     | cell 2 | ... ]          from: the read position
//                            x  removed
//     new   [ cell 0 | cell 1 | + | cell 2 | ... ]          to: the write position
//                               inserted
//
// Both advance together, except that an insertion advances only `to` and a removal only `from`. So the start
// of a cell shifts by the distance between the two.
#include "engine/src/edit/row_editor.hpp"

#include <algorithm>
#include <cstring>

#include "engine/src/frame/row_layout.hpp"
#include "simd/row_kernels.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

// The slot of an id in [from, end), with ascending ids, or the slot before which it belongs. If all agents
// are edited it is the first, which the processor foresees. It cannot foresee where a halving ends.
std::uint32_t slot_from(AgentId id, const AgentId* ids, std::uint32_t from, std::uint32_t end) noexcept {
    if (from < end && ids[from] == id) return from;
    return static_cast<std::uint32_t>(std::lower_bound(ids + from, ids + end, id) - ids);
}

}  // namespace

Traits EditedAgents::traits(std::uint32_t edit) const noexcept {
    const Edit& staged = staging.edits()[edit];
    if (staged.old_cell == no_cell || (staged.label && staged.height)) return staging.traits_after(edit, {});
    const auto [r, column] = frame.map.cell_at(staged.old_cell);
    const simd::Row& row = frame.rows[r];
    const std::uint32_t slot = slot_in_cell(row, frame.map.columns(r), column, staged.id);
    return staging.traits_after(edit, traits_in(row, frame.extras, slot));
}

simd::Row edit_row(const simd::Row& old, std::uint32_t columns, std::span<const RowEdit> edits,
                   const EditedAgents& agents, float* data, std::uint32_t stride) noexcept {
    const simd::Extras extras = agents.frame.extras;
    RowWriter to(data, stride, extras);
    std::uint32_t* const cells = cells_in(data, stride, extras);
    const AgentId* ids = old.data == nullptr ? nullptr : RowArrays(old).id;
    std::uint32_t from = 0, cell = 0;
    const auto begin_cells = [&](std::uint32_t end, std::uint32_t shift) {
        for (; cell < end; ++cell) cells[cell] = (ids == nullptr ? 0 : old.cells[cell]) + shift;
    };
    // One edit inside the old agents [from, end) of its cell. Inlined twice: a commit takes 5 % less.
    const auto apply = [&](const RowEdit& edit, std::uint32_t end) THRONG_ALWAYS_INLINE_LAMBDA {
        const std::uint32_t slot = ids == nullptr ? from : slot_from(edit.id, ids, from, end);
        to.copy(old, from, slot);
        from = slot + (edit.kind == RowEditKind::insert ? 0u : 1u);
        if (edit.kind == RowEditKind::remove) return;
        edit.kind == RowEditKind::other_traits ? to.copy(old, slot, slot + 1)
                                               : to.put(agents.box(edit.edit), edit.id);
        if (has_labels(extras)) to.traits(agents.traits(edit.edit));
    };

    std::size_t e = 0;
    for (; e < edits.size() && edits[e].column < columns; ++e) {
        const std::uint32_t column = edits[e].column;
        // Cells up to this one shift by the distance between the two positions.
        begin_cells(column + 1, to.at() - from);
        if (ids != nullptr && from < old.cells[column]) {
            to.copy(old, from, old.cells[column]);
            from = old.cells[column];
        }
        apply(edits[e], ids == nullptr ? 0 : old.cells[column + 1]);
    }
    begin_cells(columns + 1, to.at() - from);
    to.copy(old, from, old.count);
    const std::uint32_t count = to.at();
    to.pad();

    from = oversized_begin(old);
    for (; e < edits.size(); ++e) apply(edits[e], oversized_begin(old) + old.oversized);
    to.copy(old, from, oversized_begin(old) + old.oversized);
    const simd::Row row{data, cells, stride, count, to.at() - count - simd::gap};
    clear_trait_gap(row, extras);
    return row;
}

// --- A row with holes --------------------------------------------------------------------------------------

namespace {

constexpr std::uint32_t not_in_cell = 0xFFFFFFFFu;

// A row gets one hole for 32 agents. A cell of 1,024 or more gets one for 64 of them at its end as well.
constexpr std::uint32_t agents_to_a_hole = 32, full = 1024, extra = 64;
// How far away a hole may be.
constexpr std::uint32_t max_distance = 1024;
// How many agents a commit brings to a row with holes at most. Twice as many holes and a few are never too
// many.
std::uint32_t share_of(const simd::Row& row) noexcept {
    return static_cast<std::uint32_t>(agents_in(row) / RowPatch::agents_for_an_edit);
}
constexpr std::uint32_t few_holes = 64;

void make_hole(float* data, std::uint32_t stride, simd::Extras extras, std::uint32_t slot) noexcept {
    for (std::size_t k = 0; k < 4; ++k) data[k * stride + slot] = simd::not_a_number;
    for (std::size_t k = 5; k < arrays_of_a_row(extras); ++k) data[k * stride + slot] = 0;
}

// The slots of the common agents, or of the oversized ones.
Ranges::Range slots_beside(const simd::Row& row, bool oversized) noexcept {
    return oversized ? Ranges::Range{oversized_begin(row), oversized_end(row)} : Ranges::Range{0, row.count};
}

// The hole next to a slot, where an agent is to come in front of the present one.
std::uint32_t hole_near(const simd::Row& row, const Ranges::Range& all, std::uint32_t slot,
                        std::uint32_t most) noexcept {
    for (std::uint32_t d = 0; d < most; ++d) {
        const bool ahead = slot + d < all.end, behind = all.begin + d < slot;
        if (ahead && !has_agent(row, slot + d)) return slot + d;
        if (behind && !has_agent(row, slot - 1 - d)) return slot - 1 - d;
        if (!ahead && !behind) break;
    }
    return not_in_cell;
}

std::uint32_t holes_beside_oversized(const simd::Row& row) noexcept {
    return oversized_end(row) - oversized_begin(row) - row.oversized;
}

// Notes the chunks of some slots.
void note_chunks(const simd::Kernels& kernels, const simd::Row& row, std::uint32_t columns,
                 const Ranges::Range& range) noexcept {
    auto* chunks = const_cast<RowChunk*>(chunks_of(row, columns));
    const std::uint32_t last = std::min((range.end - 1) / RowChunk::slots, chunk_count(row) - 1);
    for (std::uint32_t k = range.begin / RowChunk::slots; k <= last; ++k) {
        const std::uint32_t begin = k * RowChunk::slots, end = std::min(begin + RowChunk::slots, row.count);
        simd::Row part = row;
        part.data += begin;
        part.count = end - begin;
        chunks[k] = {holes_between(row, begin, end), kernels.rows->measure_row(part),
                     kernels.rows->bound_row(part)};
    }
}

// Writes the agents of a row one after the other; with a patch, with holes between them.
class Spreader {
public:
    Spreader(const simd::Row& old, simd::Extras extras, const RowPatch* patch, float* data,
             std::uint32_t stride) noexcept
        : old_(old), extras_(extras), patch_(patch), data_(data), stride_(stride) {}

    simd::Row write(std::uint32_t columns) noexcept {
        std::uint32_t* cells = cells_in(data_, stride_, extras_);
        if (patch_ != nullptr && patch_->crowded >= columns && old_.is_dense() && has_no_full_cell(columns)) {
            add_evenly(columns, cells);
        } else {
            for (std::uint32_t c = 0; c < columns; ++c) {
                cells[c] = at_;
                if (old_.cells[c] != old_.cells[c + 1] || is_crowded(c) || c + 1 == columns)
                    add_cell(c, old_.cells[c], old_.cells[c + 1]);
            }
        }
        if (patch_ != nullptr && holes_ <= patch_->coming) add_holes(patch_->coming + 1 - holes_);
        cells[columns] = at_;
        RowWriter(data_, stride_, extras_, at_).pad();
        const simd::Row row{data_, cells, stride_, at_, old_.oversized, holes_};
        clear_trait_gap(row, extras_);
        at_ += simd::gap;
        add_cell(columns, oversized_begin(old_), oversized_end(old_));
        if (patch_ != nullptr) add_holes(stride_ - at_);
        return row;
    }

private:
    bool is_crowded(std::uint32_t column) const noexcept {
        return patch_ != nullptr && patch_->crowded == column;
    }
    bool has_no_full_cell(std::uint32_t columns) const noexcept {
        std::uint32_t most = 0;
        for (std::uint32_t c = 0; c < columns; ++c) most = std::max(most, old_.cells[c + 1] - old_.cells[c]);
        return most < full;
    }
    // The same as cell by cell for a row without holes or full cells, in runs that do not end at cells.
    void add_evenly(std::uint32_t columns, std::uint32_t* cells) noexcept {
        constexpr std::uint32_t run = agents_to_a_hole;
        const std::uint32_t runs = old_.count / run, rest = old_.count % run;
        for (std::size_t k = 0; k < arrays_of_a_row(extras_); ++k) {
            const float* from = old_.data + k * old_.stride;
            float* to = data_ + k * stride_;
            for (std::uint32_t r = 0; r < runs; ++r, from += run, to += run + 1) {
                std::memcpy(to, from, run * sizeof *to);
                if (k == 4)  // an id, which may not be a number as a float
                    std::memcpy(to + run, from + run - 1, sizeof *to);
                else
                    to[run] = k < 4 ? simd::not_a_number : 0;
            }
            if (rest != 0) std::memcpy(to, from, rest * sizeof *to);
        }
        for (std::uint32_t c = 0; c < columns; ++c) cells[c] = old_.cells[c] + old_.cells[c] / run;
        at_ = old_.count + runs;
        holes_ = runs;
        until_hole_ = run - rest;
        if (old_.count != 0) last_id_ = RowArrays(old_).id[old_.count - 1];
    }
    void add_cell(std::uint32_t column, std::uint32_t begin, std::uint32_t end) noexcept {
        const std::uint32_t first = at_, holes = holes_;
        last_id_ = 0;
        while (begin < end) {
            while (begin < end && !has_agent(old_, begin)) ++begin;
            std::uint32_t behind = begin;
            while (behind < end && has_agent(old_, behind) && behind - begin < until_hole_) ++behind;
            add_run(begin, behind);
            begin = behind;
        }
        if (patch_ == nullptr) return;
        const std::uint32_t agents = at_ - first - (holes_ - holes),
                            beside = begin > old_.count ? old_.oversized : common_agents_in(old_);
        if (agents >= full) add_holes(agents / extra);
        if (is_crowded(column)) add_holes(std::max(beside / extra, share_of(old_)));
    }
    void add_run(std::uint32_t begin, std::uint32_t end) noexcept {
        if (begin == end) return;
        RowWriter(data_, stride_, extras_, at_).copy(old_, begin, end);
        at_ += end - begin;
        last_id_ = RowArrays(old_).id[end - 1];
        if (patch_ == nullptr || (until_hole_ -= end - begin) != 0) return;
        add_holes(1);
        until_hole_ = agents_to_a_hole;
    }
    // With the id of the agent before them in their cell.
    void add_holes(std::uint32_t count) noexcept {
        for (; count != 0; --count, ++at_, ++holes_) {
            make_hole(data_, stride_, extras_, at_);
            reinterpret_cast<AgentId*>(data_ + std::size_t{4} * stride_)[at_] = last_id_;
        }
    }

    const simd::Row& old_;
    simd::Extras extras_;
    const RowPatch* patch_;
    float* data_;
    std::uint32_t stride_, at_ = 0, holes_ = 0, until_hole_ = agents_to_a_hole;
    AgentId last_id_ = 0;
};

// Brings an older version up to date, or copies the old row.
simd::Row copy_with_holes(const simd::Row& old, std::uint32_t columns, simd::Extras extras, float* data,
                          RowPatch& patch) noexcept {
    const simd::Row row{data,     cells_in(data, old.stride, extras), old.stride, old.count, old.oversized,
                        old.holes};
    const std::uint32_t slots = oversized_end(old);
    RowRanges all;
    if (!patch.has_older) {
        all.slots.add(0, slots);
        all.cells.add(0, columns + 1);
    }
    const RowRanges& stale = patch.has_older ? patch.stale : all;
    const RowChunk* chunks = chunks_of(old, columns);
    for (const Ranges::Range& range : stale.slots) {
        const std::uint32_t end = std::min(range.end, slots);
        if (range.begin >= end) continue;
        const std::uint32_t first = range.begin / RowChunk::slots,
                            behind = std::min((end - 1) / RowChunk::slots + 1, chunk_count(old));
        if (first < behind)
            std::copy(chunks + first, chunks + behind,
                      const_cast<RowChunk*>(chunks_of(row, columns)) + first);
        patch.written += end - range.begin;
        RowWriter(data, old.stride, extras, range.begin).copy(old, range.begin, end);
    }
    auto* cells = const_cast<std::uint32_t*>(row.cells);
    for (const Ranges::Range& range : stale.cells)
        std::memcpy(cells + range.begin, old.cells + range.begin,
                    (range.end - range.begin) * sizeof(std::uint32_t));
    return row;
}

// Changes a row in place. Oversized agents are in column `columns`.
class RowPatcher {
public:
    RowPatcher(const simd::Row& row, std::uint32_t columns, simd::Extras extras, RowPatch& patch) noexcept
        : row_(row), columns_(columns), extras_(extras), patch_(patch) {}

    std::uint32_t find(std::uint32_t column, AgentId id) const noexcept {
        return slot_in_cell(row_, columns_, column, id);
    }

    // Returns the slot, which is written by `put`.
    std::uint32_t insert(std::uint32_t column, AgentId id) noexcept {
        const std::uint32_t slot = find(column, id);
        const bool is_oversized = column == columns_;
        const std::uint32_t hole = hole_near(row_, slots_beside(row_, is_oversized), slot, row_.stride);
        if (hole >= slot)
            move(slot, hole, slot + 1);
        else
            move(hole + 1, slot, hole);
        if (is_oversized) {
            ++row_.oversized;
            return hole >= slot ? slot : slot - 1;
        }
        --row_.holes;
        if (hole >= slot) {
            // The cells that begin at the moved agents, and at the hole itself.
            std::uint32_t c = column + 1;
            for (; row_.cells[c] <= hole; ++c) ++cells()[c];
            patch_.change.cells.add(column + 1, c);
            return slot;
        }
        std::uint32_t c = column + 1;
        for (; row_.cells[c - 1] > hole; --c) --cells()[c - 1];
        patch_.change.cells.add(c, column + 1);
        return slot - 1;
    }

    void remove(std::uint32_t column, std::uint32_t slot) noexcept {
        make_hole(data(), row_.stride, extras_, slot);
        if (column == columns_)
            --row_.oversized;
        else
            ++row_.holes;
        ++patch_.written;
        patch_.change.slots.add(slot, slot + 1);
    }

    void put(std::uint32_t slot, const Box& box, AgentId id) noexcept {
        RowWriter(data(), row_.stride, extras_, slot).put(box, id);
        ++patch_.written;
        patch_.change.slots.add(slot, slot + 1);
    }

    void traits(std::uint32_t slot, const Traits& traits) noexcept {
        RowWriter(data(), row_.stride, extras_, slot + 1).traits(traits);
        patch_.change.slots.add(slot, slot + 1);
    }

    // Once all edits are made.
    void finish(const simd::Kernels& kernels) noexcept {
        if (patch_.is_spread) {
            patch_.change.slots.add(0, row_.stride);
            patch_.change.cells.add(0, columns_ + 1);
        }
        for (const Ranges::Range& range : patch_.change.slots) note_chunks(kernels, row_, columns_, range);
    }
    const simd::Row& row() const noexcept { return row_; }

private:
    // By one slot.
    void move(std::uint32_t begin, std::uint32_t end, std::uint32_t to) noexcept {
        if (begin == end) return;
        for (std::size_t k = 0; k < arrays_of_a_row(extras_); ++k) {
            float* array = data() + k * row_.stride;
            std::memmove(array + to, array + begin, (end - begin) * sizeof(float));
        }
        patch_.written += end - begin;
        patch_.change.slots.add(std::min(begin, to), std::max(end, to + (end - begin)));
    }
    float* data() const noexcept { return const_cast<float*>(row_.data); }
    std::uint32_t* cells() const noexcept { return const_cast<std::uint32_t*>(row_.cells); }

    simd::Row row_;
    std::uint32_t columns_;
    simd::Extras extras_;
    RowPatch& patch_;
};

}  // namespace

RowPatch choose_patch(std::uint32_t number, const simd::Row& row, std::uint32_t columns,
                      std::span<const RowEdit> plan, std::span<const std::uint32_t> members) noexcept {
    RowPatch patch{.row = number};
    std::uint32_t oversized_coming = 0;
    for (const std::uint32_t member : members) {
        const RowEdit& edit = plan[member];
        if (edit.kind != RowEditKind::insert) continue;
        const bool is_oversized = edit.column == columns;
        ++(is_oversized ? oversized_coming : patch.coming);
        if (!row.is_dense() &&
            hole_near(row, slots_beside(row, is_oversized), slot_in_cell(row, columns, edit.column, edit.id),
                      max_distance) != not_in_cell)
            continue;
        patch.is_spread = true;
        if (!row.is_dense()) patch.crowded = edit.column;
    }
    // One hole must be left among the common agents, since it marks the row as one with holes.
    const std::uint32_t others = holes_beside_oversized(row);
    patch.is_spread = patch.is_spread || row.is_dense() || patch.coming >= row.holes ||
                      oversized_coming > others ||
                      row.holes > row.count / 4 + 2 * share_of(row) + few_holes ||
                      row.holes + others > agents_in(row) / 4 + few_holes;
    return patch;
}

std::size_t slots_to_spread(const simd::Row& row) noexcept {
    const std::size_t agents = agents_in(row);
    return agents + agents / agents_to_a_hole + 2 * (agents / extra) + 2 * share_of(row) + agents_to_a_hole;
}

simd::Row copy_densely(const simd::Row& old, std::uint32_t columns, simd::Extras extras, float* data,
                       std::uint32_t stride) noexcept {
    return Spreader(old, extras, nullptr, data, stride).write(columns);
}

simd::Row patch_row(const simd::Row& old, std::uint32_t columns, std::span<const RowEdit> edits,
                    const EditedAgents& agents, float* data, std::uint32_t stride, RowPatch& patch) noexcept {
    const simd::Extras extras = agents.frame.extras;
    RowPatcher row(patch.is_spread ? Spreader(old, extras, &patch, data, stride).write(columns)
                                   : copy_with_holes(old, columns, extras, data, patch),
                   columns, extras, patch);
    if (patch.is_spread) patch.written += agents_in(old);
    for (const RowEdit& edit : edits) {
        const bool comes = edit.kind == RowEditKind::insert;
        const std::uint32_t slot = comes ? row.insert(edit.column, edit.id) : row.find(edit.column, edit.id);
        if (edit.kind == RowEditKind::remove) {
            row.remove(edit.column, slot);
            continue;
        }
        if (edit.kind != RowEditKind::other_traits) row.put(slot, agents.box(edit.edit), edit.id);
        if (has_labels(extras)) row.traits(slot, agents.traits(edit.edit));
    }
    row.finish(*agents.frame.kernels);
    return row.row();
}

}  // namespace throng::detail
