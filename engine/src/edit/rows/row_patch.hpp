// Edits of a row with holes (row_layout.hpp). If the new memory has an older version of the row
// (spare_rows.hpp), each edit writes only from its slot to the next hole, however long the row is. A row gets
// its holes when it is written as a whole: spread over it evenly, and a few more at the ends of full cells.
// It is written as a whole again if no hole is near, or too many are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/edit/rows/row_editor.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/memory/traits.hpp"
#include "engine/src/store/spare_rows.hpp"
#include "simd/kernels.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// How a commit writes a row with holes.
struct RowPatch {
    // With more edits a row is written without holes.
    static constexpr std::size_t agents_for_an_edit = 32;

    std::uint32_t row;       // its number
    bool is_spread = false;  // as a whole, with new holes; otherwise in the layout of the old row
    bool has_older = false;  // the new memory has an older version
    RowRanges stale;         // where that may differ from the old row
    RowRanges change;        // after it is written: where the new row differs from the old one
    std::uint64_t written = 0;
    // If it is spread: the column that gets more holes, since an agent found none there, and how many agents
    // come in all.
    std::uint32_t crowded = 0xFFFFFFFFu, coming = 0;
};

// Chooses how a row is written: as it is, if each agent that comes has a hole near its slot, and holes are
// not too many. The edits are in any order.
RowPatch choose_patch(std::uint32_t number, const simd::Row& row, std::uint32_t columns,
                      std::span<const RowEdit> plan, std::span<const std::uint32_t> members) noexcept;
// How many slots are needed, at most, to spread the agents of a row.
std::size_t slots_to_spread(const simd::Row& row) noexcept;
// Writes a row as a whole, with holes.
simd::Row spread_row(const simd::Row& old, std::uint32_t columns, simd::Extras extras, const RowPatch& patch,
                     float* data, std::uint32_t stride) noexcept;
// The same without holes.
simd::Row copy_densely(const simd::Row& old, std::uint32_t columns, simd::Extras extras, float* data,
                       std::uint32_t stride) noexcept;

// Changes a row in place. Oversized agents are in column `columns`.
class RowPatcher {
public:
    RowPatcher(const simd::Row& row, std::uint32_t columns, simd::Extras extras, RowPatch& patch) noexcept
        : row_(row), columns_(columns), extras_(extras), patch_(patch) {}

    std::uint32_t find(std::uint32_t column, AgentId id) const noexcept;
    // Returns the slot, which is written by `put`.
    std::uint32_t insert(std::uint32_t column, AgentId id) noexcept;
    void remove(std::uint32_t column, std::uint32_t slot) noexcept;
    void put(std::uint32_t slot, const Box& box, AgentId id) noexcept;
    void traits(std::uint32_t slot, const Traits& traits) noexcept;
    // Notes the changes.
    void finish(const simd::Kernels& kernels) noexcept;
    const simd::Row& row() const noexcept { return row_; }

private:
    void move(std::uint32_t begin, std::uint32_t end, std::uint32_t to) noexcept;
    float* data() const noexcept { return const_cast<float*>(row_.data); }
    std::uint32_t* cells() const noexcept { return const_cast<std::uint32_t*>(row_.cells); }

    simd::Row row_;
    std::uint32_t columns_;
    simd::Extras extras_;
    RowPatch& patch_;
};

// Brings an older version up to date, or copies the old row.
simd::Row copy_with_holes(const simd::Row& old, std::uint32_t columns, simd::Extras extras, float* data,
                          RowPatch& patch) noexcept;

// As edit_row.
template <class BoxOf, class TraitsOf>
simd::Row patch_row(const simd::Kernels& kernels, const simd::Row& old, std::uint32_t columns,
                    simd::Extras extras, std::span<const RowEdit> edits, float* data, std::uint32_t stride,
                    RowPatch& patch, BoxOf&& box_of, TraitsOf&& traits_of) noexcept {
    RowPatcher row(patch.is_spread ? spread_row(old, columns, extras, patch, data, stride)
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
        if (edit.kind != RowEditKind::other_traits) row.put(slot, box_of(edit.edit), edit.id);
        if (has_labels(extras)) row.traits(slot, traits_of(edit.edit));
    }
    row.finish(kernels);
    return row.row();
}

}  // namespace throng::detail
