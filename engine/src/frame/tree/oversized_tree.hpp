// The tree over a frame's oversized agents: a loose quadtree (Ulrich, Game Programming Gems, 2000) with tight
// bounds, in the order of ranks (tree_ranks.hpp), packed for searching.
//
// docs/design.md has a picture of its nodes and agents. Each agent is in one leaf, by its rank. A node's
// bounds are the exact bounds of its agents. Agents with the same rank are ordered by id, and share a leaf. A
// large tree is in pieces: groves of at most `grove_size` agents, and the crown above them. An edit makes one
// or two groves again, and copies the crown if it still divides the agents as a new one would. Once a quarter
// of the agents were edited, all are rebuilt on other marks (build/frame_view.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/tree_nodes.hpp"
#include "engine/src/memory/block_store.hpp"
#include "engine/src/memory/growth.hpp"
#include "simd/types.hpp"
#include "throng/compiler.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// The source of the tree's blocks: the store, which has the tree, but which the tree does not know.
class TreeBlocks {
public:
    // A block of at least that size; null if there is no memory.
    virtual Block* take(std::size_t bytes) noexcept = 0;
    virtual void put_back(Block* block) noexcept = 0;
    // Gives a frame the marks of its tree, in a block that frames may share; null for none.
    virtual void set_marks(FrameState& frame, Block* marks) noexcept = 0;

protected:
    ~TreeBlocks() = default;
};

// The block of a grove: the arrays of a row without cells, the ranks of its agents, the nodes, and the bounds
// of the leaves, as a row. A tree in one piece is searched from node to node, and has no such row.
struct GroveLayout {
    std::uint32_t stride, leaf_stride;
    std::size_t arrays, leaves, bytes;

    GroveLayout(std::size_t agents, std::span<const simd::Node> nodes, simd::Extras extras,
                bool whole) noexcept
        : stride(RowLayout(agents, 0, extras).stride),
          leaf_stride(whole ? 0 : RowLayout(leaves_among(nodes) + 1, 0, simd::Extras::none).stride),
          arrays(arrays_of_a_row(extras) + std::size_t{1}),
          leaves(arrays * stride * sizeof(float) + nodes.size_bytes()),
          bytes(leaves + std::size_t{arrays_of_a_row(simd::Extras::none)} * leaf_stride * sizeof(float)) {}
};
inline std::span<const std::uint32_t> ranks_in(const simd::Grove& grove, simd::Extras extras) noexcept {
    const simd::Row& agents = grove.oversized;
    return {cells_in(const_cast<float*>(agents.data), agents.stride, extras), agents.count};
}

// An agent that a commit takes from the tree or brings to it: its rank (tree_ranks.hpp) followed by its id,
// the row whose tail has it, and its place there. At first only the id and the row are known.
struct OversizedChange {
    std::uint64_t full_rank;
    std::uint32_t row, at = 0;
};
using OversizedChanges = std::span<const OversizedChange>;

// What a commit changes of oversized agents: an agent that is edited in its row leaves and comes.
struct OversizedEdits {
    std::span<OversizedChange> left, came;
    std::size_t count = 0;  // of edits
};

class OversizedTree {
public:
    OversizedTree(ScratchList& scratch, TreeBlocks& blocks) noexcept : scratch_(scratch), blocks_(blocks) {}

    // Gathers the oversized agents of all rows of a frame, and builds its tree over them. Returns false if
    // there is no memory.
    [[nodiscard]] bool build(FrameState& frame) noexcept;
    // The same for a frame on the same map that differs from the one before by some edits.
    [[nodiscard]] bool edit(FrameState& frame, const FrameState& before,
                            const OversizedEdits& edits) noexcept;

    // The number of agents put into groves so far: tests count these steps instead of time.
    std::uint64_t steps() const noexcept { return steps_; }
    // The same for groves that were entered into a crown one by one.
    std::uint64_t entries() const noexcept { return entries_; }

    // A leaf is split when it holds more: a vector's worth.
    static constexpr std::uint32_t leaf_size = 16;
    // Rebuilding a grove costs no more than rebuilding a row.
    static constexpr std::uint32_t grove_size = simd::max_leaves_in_grove;

private:
    // The number of an agent in its list: the lower half of its key. A grove's number is complemented there.
    static std::size_t number_of(std::uint64_t key) noexcept { return static_cast<std::uint32_t>(key); }
    static std::uint32_t grove_of(std::uint64_t key) noexcept { return ~static_cast<std::uint32_t>(key); }
    std::uint64_t key_of_grove(std::uint32_t grove) const noexcept;
    bool is_grove(std::uint64_t key) const noexcept { return old_ != nullptr && grove_of(key) < old_groves_; }
    AgentId id_of(std::uint64_t key) const noexcept;
    // The rank, followed by the id.
    std::uint64_t full_rank_of(std::uint64_t key) const noexcept {
        return key >> rank_shift << rank_shift | id_of(key);
    }
    // Whether some groves of the frame before are edited, and how many agents one has then.
    bool is_edited(std::uint32_t begin, std::uint32_t end) const noexcept {
        return edited_[begin] != edited_[end];
    }
    std::uint32_t agents_after(std::uint32_t grove) const noexcept {
        return in_groves_[grove + 1] - in_groves_[grove];
    }
    template <class Keep, class Bring>
    void for_each_run(std::uint32_t grove, Keep&& keep, Bring&& bring) const noexcept;
    void start(const FrameState& frame, const FrameState* old) noexcept;
    bool resize_agents(std::size_t count) noexcept;
    THRONG_ALWAYS_INLINE void set_agent(std::size_t number, const simd::Row& row,
                                        std::uint32_t slot) noexcept {
        boxes_[number] = RowArrays(row).box(slot);
        ids_[number] = RowArrays(row).id[slot];
        if (frame_->labelled()) traits_[number] = traits_in(row, frame_->extras, slot);
    }
    void get_ready_for_edits(const FrameState& frame) noexcept;
    bool gather(const FrameState& frame) noexcept;
    bool sort() noexcept;
    const std::uint64_t* sorted_by_upper_half(std::span<std::uint64_t> keys) noexcept;
    bool sort_one_rank(std::span<std::uint64_t> keys) noexcept;

    bool grow(FrameState& frame) noexcept;
    bool grow_units() noexcept;
    bool plant(std::span<const std::uint64_t> units, std::uint8_t shift) noexcept;
    bool take_crown(FrameState& frame, std::size_t groves, std::size_t nodes) noexcept;
    template <class IsNew>
    void finish_crown(FrameState& frame, IsNew&& is_new) noexcept;
    bool raise(FrameState& frame) noexcept;
    bool finish(FrameState& frame, bool enough) noexcept;

    // A grove and its note, without a block if there was no memory.
    struct Planted {
        simd::Grove grove;
        GroveNote note;
    };
    Planted make_grove(std::span<const std::uint64_t> units, std::uint8_t shift) noexcept;
    std::span<const std::uint64_t> list_agents(std::span<const std::uint64_t> units) noexcept;
    void write_agents(std::span<const std::uint64_t> units, RowWriter to) const noexcept;
    RowWriter write_grove(std::uint32_t grove, RowWriter to) const noexcept;

    bool keeps_crown() noexcept;
    bool replant(FrameState& frame) noexcept;
    bool regrow() noexcept;

    ScratchList& scratch_;
    TreeBlocks& blocks_;
    const FrameState* frame_ = nullptr;  // whose tree is made
    const FrameState* old_ = nullptr;    // the frame before, whose tree is edited; null for a new tree
    std::uint32_t old_groves_ = 0;       // of the frame before
    bool in_one_piece_ = false;          // there are so few agents that one grove is the whole tree
    // All that a tree needs of its agents, in one or two cache lines for each; in the arrays of a row it
    // would be five or more. They are in the order of rows. Of an edited tree the loose ones.
    Scratch<Box> boxes_{scratch_};
    Scratch<AgentId> ids_{scratch_};
    Scratch<Traits> traits_{scratch_};  // none in a frame without labels
    // Units in the order of ranks: an agent, or a grove of the frame before after its changes.
    Scratch<std::uint64_t> keys_{scratch_}, other_keys_{scratch_};
    Scratch<std::uint32_t> before_{scratch_};  // agents in the units before; not in a new tree
    Scratch<std::uint64_t> part_{scratch_};    // the agents of one grove that is made of units
    Scratch<simd::Node> nodes_{scratch_};      // of one grove
    Scratch<simd::Node> crown_{scratch_};
    Scratch<simd::Grove> groves_{scratch_};
    Scratch<GroveNote> notes_{scratch_};
    OversizedChanges left_, came_;  // by full rank
    // In the groves of the frame before that come before each: changes, and agents after them.
    Scratch<std::uint32_t> edited_{scratch_}, in_groves_{scratch_};
    std::uint64_t steps_ = 0, entries_ = 0;
};

// Which marks divide the tree of a frame (tree_marks.cpp): up to few_oversized agents go by the ranks of the
// map, if these tell them apart and they are not long.
inline constexpr std::size_t few_oversized = 512;
// Gives marks to a frame that was built from scratch, if it has many oversized agents. It has rows, but no
// tree yet. Returns false if there is no memory.
[[nodiscard]] bool choose_tree_marks(FrameState& frame, TreeBlocks& blocks) noexcept;
// Gives it other marks. A slot without an agent counts as one that is nowhere.
[[nodiscard]] bool renew_tree_marks(FrameState& frame, TreeBlocks& blocks) noexcept;

// Gives a frame the tree of another frame with the same oversized agents.
void share_oversized(FrameState& frame, const FrameState& other) noexcept;

// The groves of a frame. A tree in one piece is one grove without a record.
std::uint32_t grove_count(const FrameState& frame) noexcept;
simd::Grove grove_at(const FrameState& frame, std::uint32_t index) noexcept;

}  // namespace throng::detail
