// Makes a row from an old one and its edits. Runs of agents between two edits are copied unchanged, so a row
// with few edits costs little more than a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/row_labels.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "simd/kernels.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// A relabelled agent keeps its box.
enum class RowEditKind : std::uint8_t { insert, replace, relabel, remove };

struct RowEdit {
    std::uint32_t row;
    std::uint32_t column;  // `columns` for oversized agents
    AgentId id;
    std::uint32_t edit;  // the index of its staged edit
    RowEditKind kind;
};

// Sorts the edits of one row by column and then by id. `starts` is scratch for columns + 2 numbers, and `out`
// has room for all edits. Edits staged in the order of their ids cost least.
void order_edits(std::span<const RowEdit> plan, std::span<const std::uint32_t> members, std::uint32_t columns,
                 std::uint32_t* starts, RowEdit* out) noexcept;

// The edits are sorted by column and then by id, with at most one for each agent. `data` has the bytes of a
// RowLayout for the new number of agents, which is not zero. `box_of(edit)` is the new box of a staged edit,
// and `label_of(edit)` its label, if rows have labels.
template <class BoxOf, class LabelOf>
simd::Row edit_row(const simd::Row& old, std::uint32_t columns, bool labelled, std::span<const RowEdit> edits,
                   float* data, std::uint32_t stride, BoxOf&& box_of, LabelOf&& label_of) noexcept;

}  // namespace throng::detail

#include "engine/src/write/rows/row_editor.inl"
