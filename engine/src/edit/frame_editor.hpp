// Makes the next frame from the last one and a few staged edits, in parallel. Rows touched by an edit are
// written as a whole, or, if they are long, only in the edited places (row_editor.hpp). All other rows are
// shared. If they are short and less than half, they are copied along, so that the blocks of older frames can
// go. In the tree over the oversized agents, edited groves are made again; once a quarter of its agents were
// edited, it is made with other marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/blocks.hpp"
#include "engine/src/edit/row_editor.hpp"
#include "engine/src/edit/staging.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class FrameEditor {
public:
    explicit FrameEditor(ScratchList& scratch) noexcept : scratch_(scratch) {}

    // On success `next` is a state with one reference, complete except for its tuning and number.
    Status edit(Store& store, const Executor& executor, const FrameState& frame, const Staging& staging,
                FrameState*& next) noexcept;
    // The rows that `edit` wrote, in ascending order.
    std::span<const std::uint32_t> touched() const noexcept { return {touched_.data(), touched_.size()}; }
    // The cell of an edit's agent in the frame that `edit` made.
    CellNumber new_cell(std::size_t edit) const noexcept { return new_cells_[edit]; }
    // Before the frame that `edit` made is published: keeps what it replaces for later edits
    // (store/spare_rows.hpp).
    void note_spares(Store& store, const FrameState& frame, const FrameState& next) noexcept;

private:
    bool plan(const EditedAgents& agents) noexcept;
    Status sort_plan(const Executor& executor, const FrameState& frame) noexcept;
    std::span<const std::uint32_t> edits_of(std::size_t i) const noexcept {
        return {order_.data() + touched_starts_[i], touched_starts_[i + 1] - std::size_t{touched_starts_[i]}};
    }
    bool has_patch(const FrameState& frame, std::size_t i) const noexcept;
    bool choose_patches(const FrameState& frame) noexcept;
    RowPatch* patch_of(std::uint32_t row) noexcept;
    bool take_row(Store& store, const FrameState& frame, std::size_t i, FrameState& next) noexcept;
    bool lay_out(Store& store, const FrameState& frame, FrameState& next) noexcept;
    bool edit_rows(const EditedAgents& agents, const RowGroup& group, SortSpace& space,
                   FrameState& next) noexcept;
    bool edit_one(const EditedAgents& agents, std::size_t i, std::span<const RowEdit> edits, SortSpace& space,
                  simd::Row& row) noexcept;
    void note_heights(const EditedAgents& agents, std::size_t i, std::span<const RowEdit> edits,
                      FrameState& next) noexcept;
    void note_categories(const EditedAgents& agents, std::size_t i, std::span<const RowEdit> edits,
                         FrameState& next) noexcept;

    ScratchList& scratch_;
    // The row edits as they were staged, and sorted by row.
    Scratch<RowEdit> plan_{scratch_}, sorted_{scratch_};
    Scratch<std::uint32_t> order_{scratch_};  // the edits of the plan for each row
    Buffer<std::uint32_t> starts_{scratch_}, counts_{scratch_};
    // The written rows, where their edits start in the order, and how many agents they will have.
    Buffer<std::uint32_t> touched_{scratch_}, touched_starts_{scratch_}, agents_after_{scratch_};
    Scratch<RowPatch> patches_{scratch_};  // of the rows that are written only in the edited places
    bool whole_ = false;                   // all rows are touched
    Scratch<OversizedChange> left_{scratch_}, came_{scratch_};
    std::size_t oversized_ = 0;  // row edits of oversized agents
    Scratch<CellNumber> new_cells_{scratch_};
};

}  // namespace throng::detail
