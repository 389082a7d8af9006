// Makes the next frame out of the last one and the staged edits, by one of two ways:
//
//   - few edits: the rows that an edit touches are made anew (row_editor.hpp), in parallel; all others are
//     shared. Where more than half the rows are touched, the rest are copied along, so that the frame is one
//     block again and the blocks of older ones can go;
//   - many edits, or another grid, or the first labels: all agents are put in order of their ids and built
//     from nothing (frame_builder.hpp).
//
// Both come to the same frame, bit for bit, if the grid is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/base/row_groups.hpp"
#include "engine/src/frame/store.hpp"
#include "engine/src/write/frame_builder.hpp"
#include "engine/src/write/row_editor.hpp"
#include "engine/src/write/staging.hpp"
#include "throng/executor.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class Committer {
public:
    explicit Committer(MemoryResource* memory) noexcept
        : plan_(memory),
          sorted_(memory),
          order_(memory),
          starts_(memory),
          counts_(memory),
          touched_(memory),
          touched_starts_(memory),
          change_(memory),
          giants_(memory),
          new_cells_(memory),
          boxes_(memory),
          ids_(memory),
          by_id_(memory),
          few_(memory),
          labels_(memory) {}

    // How many agents there will be.
    static std::size_t agents_after(const FrameState& frame, std::span<const Edit> edits) noexcept;
    // Whether so many edits are better done by building from nothing.
    static bool are_many(const FrameState& frame, std::span<const Edit> edits) noexcept {
        return edits.size() * 2 > frame.agents;
    }

    // On success `next` is a state with one reference, complete but for its tuning and number.
    Status edit(Store& store, const Executor& executor, const FrameState& frame, const Staging& staging,
                FrameState*& next) noexcept;

    // The agents as they will be, by ascending id, for a build from nothing. Valid until the next call. False
    // if there is no memory.
    bool gather(const FrameState& frame, const Staging& staging, std::size_t agents) noexcept;
    std::span<Box> gathered() noexcept { return {boxes_.data(), boxes_.size()}; }
    Boxes gathered_boxes() const noexcept { return Boxes::of({boxes_.data(), boxes_.size()}); }
    const AgentId* gathered_ids() const noexcept { return ids_.data(); }
    // By id, or in the order of the boxes; empty if all have the default one.
    Labels gathered_labels() const noexcept {
        return labels_.size() == 0 ? Labels() : Labels::of({labels_.data(), labels_.size()});
    }
    bool labels_are_by_id() const noexcept { return !sparse_; }

    // Gives back what so many agents have no use for.
    void give_back_excess(std::size_t agents) noexcept;

    // The rows that `edit` rebuilt, in ascending order.
    std::span<const std::uint32_t> touched() const noexcept { return {touched_.data(), touched_.size()}; }
    // Where the agent of an edit is in the frame that `edit` made.
    CellNumber new_cell(std::size_t edit) const noexcept { return new_cells_[edit]; }

private:
    struct Few {
        AgentId id;
        Box box;
        Label label;
    };
    static std::size_t scratch_for(const WorldMap& map) noexcept;
    bool plan(const FrameState& frame, std::span<const Edit> edits) noexcept;
    bool gather_by_id(const FrameState& frame, const Staging& staging, std::size_t agents) noexcept;
    bool gather_labels_by_id(const FrameState& frame, const Staging& staging) noexcept;
    bool gather_few(const FrameState& frame, const Staging& staging, std::size_t agents) noexcept;
    Status sort_plan(const Executor& executor, const WorldMap& map) noexcept;
    bool lay_out(Store& store, const FrameState& frame, FrameState& next) noexcept;
    // How many agents a row will have.
    std::size_t agents_after(const FrameState& frame, std::size_t row) const noexcept {
        return agents_in(frame.rows[row]) + static_cast<std::size_t>(std::ptrdiff_t{change_[row]});
    }
    bool edit_rows(Store& store, const FrameState& frame, const Staging& staging, FrameState& next,
                   const RowGroup& group) noexcept;

    Buffer<RowEdit> plan_, sorted_;         // the edits of rows as they were staged, and row by row in order
    Buffer<std::uint32_t> order_, starts_;  // which edits of the plan belong to each row
    Buffer<std::uint32_t> counts_;
    Buffer<std::uint32_t> touched_,
        touched_starts_;           // the rows that are rebuilt, and their edits in the order
    Buffer<std::int32_t> change_;  // by row: how many agents more
    bool changed_ = false;         // whether any of these may be other than 0 between two commits
    bool whole_ = false;           // all rows are
    Buffer<GiantEdit> giants_;     // edits of oversized agents
    Buffer<CellNumber> new_cells_;
    Buffer<Box> boxes_;
    Buffer<AgentId> ids_;
    Buffer<Box> by_id_;
    Buffer<Few> few_;
    Buffer<Label> labels_;
    bool sparse_ = false;  // ids reach much further than there are agents
};

}  // namespace throng::detail
