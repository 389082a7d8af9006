// Makes the next frame from the last one and the staged edits, in one of three ways:
//
//   - few edits: the rows that an edit touches are rebuilt (row_editor.hpp), or only where they are edited,
//     if they are long (hole_editor.hpp), in parallel; all others are shared, or copied along where they are
//     short and less than half, so that the blocks of older frames can go;
//   - more than one edit for 200 agents, all over the world: each row is merged (row_merger.hpp);
//   - very many edits, or another grid, or the first labels: all agents are built from scratch
//     (frame_builder.hpp).
//
// All give the same rows, bit for bit, if the grid is the same; those of the last two ways also the same tree
// over the oversized agents, which few edits change where it is, until a quarter of these were edited: then
// it is made with other marks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "base/row_groups.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/write/frame_builder.hpp"
#include "engine/src/write/ids/box_arrays.hpp"
#include "engine/src/write/rows/hole_editor.hpp"
#include "engine/src/write/rows/row_editor.hpp"
#include "engine/src/write/rows/row_merger.hpp"
#include "engine/src/write/staging.hpp"
#include "throng/executor.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class Committer {
public:
    explicit Committer(MemoryResource* memory) noexcept : memory_(memory) {}

    // The fastest way for these edits: it depends on how many there are, and whether they are all over the
    // world.
    enum class Way : std::uint8_t { by_rows, merged, from_scratch };
    static Way choose_way(const FrameState& frame, const Staging& staging) noexcept;

    // On success `next` is a state with one reference, complete except for its tuning and number.
    Status edit(Store& store, const Executor& executor, const FrameState& frame, const Staging& staging,
                FrameState*& next) noexcept;

    // The same where each row is merged, on the frame's own map; but there is no view yet (frame_view.hpp),
    // and `touched` and `new_cell` do not tell of it.
    Status merge(Store& store, FrameBuilder& builder, const Executor& executor, const FrameState& frame,
                 const Staging& staging, FrameState*& next) noexcept;

    // The agents after the edits, by ascending id, for a build from scratch. Valid until the next call. If
    // this frame was built from the last ones gathered, only what the edits change is written.
    Status gather(const Executor& executor, const FrameState& frame, const Staging& staging,
                  std::size_t agents) noexcept;
    BoxArrays& gathered() noexcept { return boxes_; }
    // Those of this frame's agents by id, for moves that are staged; null if they are not at hand. If such a
    // move is taken back, they have to be forgotten.
    BoxArrays* gathered_for(const FrameState& frame) noexcept {
        return has_gathered(frame) && ids_.size() == 0 ? &boxes_ : nullptr;
    }
    void forget_gathered() noexcept { gathered_for_ = 0; }
    Boxes gathered_boxes() const noexcept { return boxes_.view(); }
    // Null where the ids count from 0 without a hole.
    const AgentId* gathered_ids() const noexcept { return ids_.size() == 0 ? nullptr : ids_.data(); }
    // Before a commit: what was gathered for anything else, such as a rebase or a commit that failed, is in
    // none of its frames.
    void begin() noexcept { may_be_kept_ = false; }
    // A frame was published that was built from what was gathered last, if anything was since `begin`.
    void keep_gathered(std::uint64_t frame_number) noexcept {
        gathered_for_ = std::exchange(may_be_kept_, false) ? frame_number : 0;
    }
    // Labels by id, or in the order of the boxes; empty if all are the default one.
    Labels gathered_labels() const noexcept {
        return labels_.size() == 0 ? Labels() : Labels::of({labels_.data(), labels_.size()});
    }
    bool labels_are_by_id() const noexcept { return !sparse_; }

    // Frees buffers that are much too large for this many agents.
    void give_back_excess(std::size_t agents) noexcept;

    // Before the frame that `edit` made is published: keeps what it replaces for later commits
    // (spare_rows.hpp).
    void note_spares(Store& store, const FrameState& frame, const FrameState& next) noexcept;

    // The rows that `edit` rebuilt, in ascending order.
    std::span<const std::uint32_t> touched() const noexcept { return {touched_.data(), touched_.size()}; }
    // The cell of an edit's agent in the frame that `edit` made.
    CellNumber new_cell(std::size_t edit) const noexcept { return new_cells_[edit]; }

private:
    struct Gathered {
        AgentId id;
        Box box;
        Label label;
    };
    bool list_coming(const Staging& staging) noexcept;
    static std::size_t scratch_for(const WorldMap& map) noexcept;
    bool plan(const FrameState& frame, const Staging& staging) noexcept;
    Status gather_by_id(const Executor& executor, const FrameState& frame, const Staging& staging,
                        std::size_t agents, bool kept) noexcept;
    bool has_gathered(const FrameState& frame) const noexcept {
        return gathered_for_ != 0 && gathered_for_ == frame.number && !sparse_;
    }
    bool spread_gathered(std::size_t bound) noexcept;
    void close_holes() noexcept;
    Status gather_labels_by_id(const Executor& executor, const FrameState& frame, const Staging& staging,
                               bool kept) noexcept;
    bool mark_leaving(const FrameState& frame, const Staging& staging) noexcept;
    bool gather_few(const FrameState& frame, const Staging& staging, std::size_t agents) noexcept;
    Status sort_plan(const Executor& executor, const WorldMap& map, std::size_t agents) noexcept;
    std::span<const std::uint32_t> edits_of(std::size_t i) const noexcept {
        return {order_.data() + touched_starts_[i], touched_starts_[i + 1] - std::size_t{touched_starts_[i]}};
    }
    bool has_patch(const FrameState& frame, std::size_t i) const noexcept;
    bool choose_patches(const FrameState& frame) noexcept;
    HolePatch* patch_of(std::uint32_t row) noexcept;
    bool place_row(Store& store, const FrameState& frame, std::uint32_t r, FrameState& next) noexcept;
    bool edit_one(const FrameState& frame, const Staging& staging, std::size_t i,
                  std::span<const RowEdit> edits, SortSpace& space, simd::Row& row) noexcept;
    bool lay_out(Store& store, const FrameState& frame, FrameState& next) noexcept;
    // The number of agents that a row will have.
    std::size_t agents_after(const FrameState& frame, std::size_t row) const noexcept {
        return agents_in(frame.rows[row]) + static_cast<std::size_t>(std::ptrdiff_t{change_[row]});
    }
    void note_categories(const FrameState& frame, const Staging& staging, std::size_t i,
                         std::span<const RowEdit> edits, FrameState& next) noexcept;
    void list_oversized(const WorldMap& map) noexcept;
    bool edit_rows(Store& store, const FrameState& frame, const Staging& staging, FrameState& next,
                   const RowGroup& group) noexcept;

    MemoryResource* const memory_;
    Buffer<RowEdit> plan_{memory_}, sorted_{memory_};  // the row edits as they were staged, and sorted by row
    Buffer<std::uint32_t> order_{memory_}, starts_{memory_};  // the edits of the plan for each row
    Buffer<std::uint32_t> counts_{memory_};
    Buffer<std::uint32_t> touched_{memory_},
        touched_starts_{memory_};               // the rebuilt rows, and where their edits start in the order
    Buffer<HolePatch> patches_{memory_};        // of those that have holes
    Buffer<std::int32_t> change_{memory_};      // by row: the change in the number of agents
    bool changed_ = false;                      // whether any of these may be nonzero between two commits
    bool whole_ = false;                        // all rows are
    Buffer<OversizedEdit> oversized_{memory_};  // edits of oversized agents
    Buffer<CellNumber> new_cells_{memory_};
    BoxArrays boxes_{memory_};
    Buffer<AgentId> ids_{memory_};
    Buffer<Gathered> few_agents_{memory_};
    Buffer<Label> labels_{memory_};
    // A bit for each id: the agents that move or leave, or only those that leave.
    Buffer<std::uint32_t> edited_{memory_};
    Buffer<AgentId> coming_ids_{memory_};
    BoxArrays coming_boxes_{memory_};  // where some edits bring no box
    AgentList coming_;
    RowMerger merger_{memory_};
    std::uint64_t gathered_for_ = 0;  // the number of the frame that boxes, ids and labels are those of
    bool may_be_kept_ = false;        // whether they were gathered since
    bool sparse_ = false;             // the largest id is much larger than the number of agents
};

}  // namespace throng::detail
