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
inline const std::uint32_t* ranks_in(const simd::Grove& grove, simd::Extras extras) noexcept {
    return reinterpret_cast<const std::uint32_t*>(grove.oversized.data) +
           std::size_t{arrays_of_a_row(extras)} * grove.oversized.stride;
}

// An oversized agent that was inserted, removed or changed, and the row whose tail has it. They are listed by
// row, in a row by id.
struct OversizedEdit {
    std::uint32_t row;
    AgentId id;
    bool was, is;
};

// An agent that a commit takes from the tree or brings to it: its rank (tree_ranks.hpp) followed by its id,
// and its place in its row.
struct OversizedChange {
    std::uint64_t full_rank;
    std::uint32_t row, at;
};

using OversizedChanges = std::span<const OversizedChange>;

// All that a tree needs of some agents, in one or two cache lines for each. In the arrays of a row it would
// be five or more.
struct TreeAgents {
    explicit TreeAgents(ScratchList& scratch) noexcept : boxes(scratch), ids(scratch), traits(scratch) {}

    void clear(simd::Extras of_rows) noexcept {
        boxes.clear();
        ids.clear();
        traits.clear();
        extras = of_rows;
    }
    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        return reserve_amply(boxes, count) && reserve_amply(ids, count) &&
               (!has_labels(extras) || reserve_amply(traits, count));
    }
    // Agents beyond the old size are to be set.
    [[nodiscard]] bool resize(std::size_t count) noexcept {
        return reserve(count) && boxes.resize(count) && ids.resize(count) &&
               (!has_labels(extras) || traits.resize(count));
    }
    // To the agent in a slot of a row, whose arrays these are.
    void set(std::size_t k, const RowArrays& a, const simd::Row& row, std::uint32_t slot) noexcept {
        boxes[k] = a.box(slot);
        ids[k] = a.id[slot];
        if (has_labels(extras)) traits[k] = traits_in(row, extras, slot);
    }

    Scratch<Box> boxes;
    Scratch<AgentId> ids;
    Scratch<Traits> traits;  // none in a frame without labels
    simd::Extras extras = simd::Extras::none;
};

class OversizedTree {
public:
    OversizedTree(ScratchList& scratch, TreeBlocks& blocks) noexcept : scratch_(scratch), blocks_(blocks) {}

    // Gathers the oversized agents of all rows of a frame, and builds its tree over them. Returns false if
    // there is no memory.
    [[nodiscard]] bool build(FrameState& frame) noexcept;
    // The same for a frame on the same map that differs from the one before by some edits.
    [[nodiscard]] bool edit(FrameState& frame, const FrameState& before,
                            std::span<const OversizedEdit> edits) noexcept;

    // The number of agents put into groves so far: tests count these steps instead of time.
    std::uint64_t steps() const noexcept { return steps_; }
    // The same for groves that were entered into a crown one by one.
    std::uint64_t entries() const noexcept { return entries_; }

    // A leaf is split when it holds more: a vector's worth.
    static constexpr std::uint32_t leaf_size = 16;
    // Rebuilding a grove costs no more than rebuilding a row.
    static constexpr std::uint32_t grove_size = simd::max_leaves_in_grove;

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    // The number of an agent in its list: the lower half of its key.
    static std::size_t number_of(std::uint64_t key) noexcept { return static_cast<std::uint32_t>(key); }
    AgentId id_of(std::uint64_t key) const noexcept { return agents_.ids[number_of(key)]; }
    // The rank, followed by the id.
    std::uint64_t full_rank_of(std::uint64_t key) const noexcept {
        return key >> rank_shift << rank_shift | id_of(key);
    }
    std::uint32_t agents_in_units(std::uint32_t begin, std::uint32_t end) const noexcept {
        return fresh_ ? end - begin : before_[end] - before_[begin];
    }
    bool is_grove(std::uint32_t unit) const noexcept { return !fresh_ && grove_of_[unit] != none; }
    OversizedChanges left() const noexcept { return {left_.data(), left_.size()}; }
    OversizedChanges came() const noexcept { return {came_.data(), came_.size()}; }
    void start(simd::Extras extras) noexcept;
    void get_ready_for_edits(const FrameState& frame) noexcept;
    bool gather(const FrameState& frame) noexcept;
    bool sort() noexcept;
    const std::uint64_t* sorted_by_upper_half(std::span<std::uint64_t> keys) noexcept;
    bool sort_one_rank(std::span<std::uint64_t> keys) noexcept;

    void clear_crown() noexcept;
    bool grow(FrameState& frame) noexcept;
    bool count_units(const FrameState& before) noexcept;
    bool grow_units(const FrameState* before) noexcept;
    bool push_crown_node(std::uint32_t depth) noexcept;
    bool plant(const FrameState* before, std::uint32_t begin, std::uint32_t end, std::uint8_t shift) noexcept;
    void bound_crown() noexcept;
    bool raise(FrameState& frame) noexcept;
    bool take_crown(FrameState& frame) noexcept;
    bool finish(FrameState& frame, bool enough) noexcept;

    // A grove and its note, without a block if there was no memory.
    struct Planted {
        simd::Grove grove;
        GroveNote note;
    };
    Planted make_grove(std::span<const std::uint64_t> keys, std::uint8_t shift) noexcept;
    simd::Grove emit(Block& block, std::span<const std::uint64_t> keys,
                     const GroveLayout& layout) const noexcept;

    bool note_changes(const FrameState& frame, const FrameState& before,
                      std::span<const OversizedEdit> edits) noexcept;
    bool keeps_crown(const FrameState& before) noexcept;
    bool replant(const FrameState& frame, const FrameState& before) noexcept;
    bool regrow(const FrameState& frame, const FrameState& before) noexcept;
    bool push_grove(const FrameState& before, std::uint32_t grove) noexcept;
    bool list_agents(const FrameState& before, std::uint32_t index, Buffer<std::uint64_t>& keys) noexcept;
    bool dissolve(const FrameState& before, std::uint32_t grove) noexcept;
    bool insert(const FrameState& frame, OversizedChanges changes) noexcept;

    ScratchList& scratch_;
    TreeBlocks& blocks_;
    bool fresh_ = true;            // every unit is an agent
    bool in_one_piece_ = false;    // there are so few agents that one grove is the whole tree
    TreeAgents agents_{scratch_};  // in the order of rows; in an edited tree the loose ones
    // Units in the order of ranks: an agent (its rank and its number), or an unchanged grove of the frame
    // before (the rank of its first agent, and the number of an entry that has only its id).
    Scratch<std::uint64_t> keys_{scratch_}, other_keys_{scratch_};
    Scratch<std::uint32_t> before_{scratch_};    // agents in the units before; not in a fresh tree
    Scratch<std::uint32_t> grove_of_{scratch_};  // by unit; none for an agent
    Scratch<std::uint64_t> part_{scratch_};      // the agents of one grove, while groves are joined
    Scratch<simd::Node> nodes_{scratch_};        // of one grove
    Scratch<simd::Node> crown_{scratch_};
    Scratch<simd::Grove> groves_{scratch_};
    Scratch<GroveNote> notes_{scratch_};
    Scratch<OversizedChange> left_{scratch_}, came_{scratch_};  // by full rank
    Scratch<std::uint8_t> edited_{scratch_};                    // by grove of the frame before
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
