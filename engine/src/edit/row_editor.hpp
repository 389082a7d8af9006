// Makes a row from an old one and its edits. A row with few edits costs little more than a copy.
//
// A row may have holes (row_layout.hpp). If the new memory has an older version of the row
// (spare_rows.hpp), each edit writes only from its slot to the next hole, however long the row is. A row gets
// its holes when it is written as a whole: spread over it evenly, and a few more at the ends of full cells.
// It is written as a whole again if no hole is near, or too many are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/edit/staging.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/store/spare_rows.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// For an agent with other traits the box stays.
enum class RowEditKind : std::uint8_t { insert, replace, other_traits, remove };

struct RowEdit {
    std::uint32_t row;
    std::uint32_t column;  // `columns` for oversized agents
    AgentId id;
    std::uint32_t edit;  // the index of its staged edit
    RowEditKind kind;
};

// What the staged edits of a frame give their agents.
struct EditedAgents {
    const FrameState& frame;
    const Staging& staging;
    const BoxPointers boxes = staging.boxes_after();

    Box box(std::uint32_t edit) const noexcept { return boxes[edit]; }
    // In a frame with labels. The agent's cell is known.
    Traits traits(std::uint32_t edit) const noexcept;
};

// The edits are sorted by column and then by id, with at most one for each agent. `data` has the bytes of a
// RowLayout for the new number of agents, which is not zero. The old row is dense.
simd::Row edit_row(const simd::Row& old, std::uint32_t columns, std::span<const RowEdit> edits,
                   const EditedAgents& agents, float* data, std::uint32_t stride) noexcept;
// A row without its holes.
simd::Row copy_densely(const simd::Row& old, std::uint32_t columns, simd::Extras extras, float* data,
                       std::uint32_t stride) noexcept;

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
// As edit_row; the new row has holes.
simd::Row patch_row(const simd::Row& old, std::uint32_t columns, std::span<const RowEdit> edits,
                    const EditedAgents& agents, float* data, std::uint32_t stride, RowPatch& patch) noexcept;

}  // namespace throng::detail
