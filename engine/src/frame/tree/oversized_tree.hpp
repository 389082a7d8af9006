// The tree over a frame's oversized agents: a loose quadtree (Ulrich, Game Programming Gems, 2000) with tight
// bounds, in the order of ranks (tree_ranks.hpp), packed for searching.
//
// docs/design.md has a picture of its nodes and agents. Each agent is in one leaf, by its rank. A node's
// bounds are the exact bounds of its agents. Agents with the same rank are ordered by id, and share a leaf. A
// large tree is in pieces: groves of at most `grove_size` agents, and the crown above them. An edit makes one
// or two groves again, and a new crown. Once a quarter of the agents were edited, all are rebuilt on other
// marks (build/frame_view.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/frame/frame_state.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_changes.hpp"
#include "engine/src/frame/tree/tree_agents.hpp"
#include "engine/src/frame/tree/tree_nodes.hpp"
#include "engine/src/memory/block_store.hpp"
#include "simd/types.hpp"
#include "throng/labels.hpp"
#include "throng/memory.hpp"

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

class OversizedTree {
public:
    OversizedTree(MemoryResource* memory, TreeBlocks& blocks) noexcept : memory_(memory), blocks_(blocks) {}

    // Gathers the oversized agents of all rows of a frame, and builds its tree over them. Returns false if
    // there is no memory.
    [[nodiscard]] bool build(FrameState& frame) noexcept;
    // The same for a frame on the same map that differs from the one before by some edits.
    [[nodiscard]] bool edit(FrameState& frame, const FrameState& before,
                            std::span<const OversizedEdit> edits) noexcept;

    // Frees buffers that are much too large for this many agents.
    void give_back_excess(std::size_t agents) noexcept;

    // Whether that frame's tree is an edit of the one before. Then calls leaves(number) for the groves of the
    // frame before that are gone, and comes(number) for new ones.
    bool has_edited(const FrameState& frame) const noexcept { return edited_frame_ == &frame; }
    template <class Leaves, class Comes>
    void for_each_exchanged(Leaves&& leaves, Comes&& comes) const noexcept {
        for (const std::uint32_t grove : edited_) leaves(grove);
        for (const std::uint32_t grove : joined_) leaves(grove);
        for (const std::uint32_t grove : made_) comes(grove);
    }

    // The number of agents put into groves so far: tests count these steps instead of time.
    std::uint64_t steps() const noexcept { return steps_; }
    // The same for the groves that were entered into a crown, and for parts of one taken over from the frame
    // before.
    std::uint64_t entries() const noexcept { return entries_; }

    // A leaf is split when it holds more: a vector's worth.
    static constexpr std::uint32_t leaf_size = 16;
    // Rebuilding a grove costs no more than rebuilding a row.
    static constexpr std::uint32_t grove_size = simd::max_leaves_in_grove;

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    // The number of an agent in its list: the lower half of its key.
    static std::size_t number_of(std::uint64_t key) noexcept { return static_cast<std::uint32_t>(key); }
    AgentId id_of(std::uint64_t key) const noexcept { return agents_.id(number_of(key)); }
    // The rank, followed by the id.
    std::uint64_t full_rank_of(std::uint64_t key) const noexcept {
        return key >> rank_shift << rank_shift | id_of(key);
    }
    std::uint32_t agents_in_units(std::uint32_t begin, std::uint32_t end) const noexcept {
        return fresh_ ? end - begin : before_[end] - before_[begin];
    }
    bool is_grove(std::uint32_t unit) const noexcept { return !fresh_ && grove_of_[unit] != none; }
    void start(simd::Extras extras) noexcept;
    void get_ready_for_edits(const FrameState& frame) noexcept;
    bool gather(const FrameState& frame) noexcept;
    // A part of the crown before an edit: a node and its groves, their quadrant, and the agents that leave it
    // and come to it.
    struct Bough {
        std::uint32_t node, begin, end;
        OversizedChanges left, came;
        unsigned shift;
    };
    OversizedChanges left() const noexcept { return {left_.data(), left_.size()}; }
    OversizedChanges came() const noexcept { return {came_.data(), came_.size()}; }
    void note_edited(std::uint32_t grove) noexcept;
    bool note_changes(const FrameState& frame, const FrameState& before,
                      std::span<const OversizedEdit> edits) noexcept;
    void note_groves(const FrameState& before) noexcept;
    TreeAgent agent_of(const FrameState& frame, const OversizedChange& change) const noexcept;
    bool regrow(const FrameState& frame, const FrameState& before, const Bough& bough) noexcept;
    static std::size_t agents_after(const FrameState& before, const Bough& bough) noexcept;
    bool take_over(const FrameState& before, const Bough& bough) noexcept;
    void close_leaf(simd::Node& leaf, std::size_t at) const noexcept;
    static std::size_t children_of(const FrameState& before, const Bough& bough,
                                   std::array<Bough, 4>& children) noexcept;
    bool regrow_from_units(const FrameState& frame, const FrameState& before, const Bough& bough) noexcept;
    bool take_crown(FrameState& frame, std::size_t groves, std::size_t nodes) noexcept;
    static void show(FrameState& frame, std::uint32_t agents) noexcept;
    static void note_bounds(FrameState& frame, std::size_t grove) noexcept;
    bool make_grove(const FrameState& frame, std::span<const std::uint64_t> keys,
                    std::uint8_t shift) noexcept;
    // The layout of the grove that is being made.
    GroveLayout layout_of(std::size_t agents, simd::Extras extras) const noexcept {
        return {agents, {nodes_.data(), nodes_.size()}, extras, in_one_piece_};
    }
    simd::Grove finish_grove(Block& block, std::size_t count, const GroveLayout& layout,
                             simd::Extras extras) const noexcept;
    void ask_for_next(const FrameState& before, std::uint32_t grove) noexcept;
    bool edit_grove(const FrameState& frame, const FrameState& before, std::uint32_t grove) noexcept;
    // A grove, the ranks of its agents, and the agents that leave it and come to it.
    struct GroveEdit {
        const simd::Grove& old;
        const std::uint32_t* ranks;
        OversizedChanges leave, come;
    };
    // A run of agents of the old grove, or one agent that comes.
    struct Piece {
        std::uint32_t begin, end;
        const OversizedChange* comes;
    };
    bool list_pieces(const GroveEdit& edit) noexcept;
    bool list_keys(const GroveEdit& edit, std::size_t count) noexcept;
    simd::Grove emit_pieces(const FrameState& frame, const GroveEdit& edit, Block& block, std::size_t count,
                            const GroveLayout& layout) const noexcept;
    bool dissolve(const FrameState& before, std::uint32_t index, OversizedChanges left,
                  Buffer<std::uint64_t>& keys) noexcept;
    bool insert(const FrameState& frame, OversizedChanges changes) noexcept;
    bool push_unit(std::uint64_t key, std::uint32_t grove) noexcept;
    bool push_grove(const FrameState& before, std::uint32_t grove) noexcept;
    bool sort() noexcept;
    const std::uint64_t* sorted_by_upper_half(std::span<std::uint64_t> keys) noexcept;
    bool sort_one_rank(std::span<std::uint64_t> keys) noexcept;
    bool count_units(const FrameState& before) noexcept;
    bool grow(FrameState& frame) noexcept;
    void clear_crown() noexcept;
    bool finish(FrameState& frame, bool enough) noexcept;
    bool push_crown_node(std::uint32_t depth) noexcept;
    bool grow_units(const FrameState& frame, const FrameState* before, const QuadRange& whole) noexcept;
    bool plant(const FrameState& frame, const FrameState* before, std::uint32_t begin, std::uint32_t end,
               unsigned shift) noexcept;
    bool raise(FrameState& frame) noexcept;
    simd::Grove emit(simd::Extras extras, Block& block, std::span<const std::uint64_t> keys,
                     const GroveLayout& layout) const noexcept;

    MemoryResource* const memory_;
    TreeBlocks& blocks_;
    bool fresh_ = true;           // every unit is an agent
    bool in_one_piece_ = false;   // there are so few agents that one grove is the whole tree
    TreeAgents agents_{memory_};  // in the order of rows; in an edited tree the loose ones
    // Units in the order of ranks: an agent (its rank and its number), or an unchanged grove of the frame
    // before (the rank of its first agent, and the number of an entry that has only its id).
    Buffer<std::uint64_t> keys_{memory_}, other_keys_{memory_};
    Buffer<std::uint32_t> before_{memory_};    // agents in the units before; not in a fresh tree
    Buffer<std::uint32_t> grove_of_{memory_};  // by unit; none for an agent
    Buffer<std::uint64_t> part_{memory_};      // the agents of one grove, while groves are joined
    Buffer<Piece> pieces_{memory_};            // of a grove that is edited
    Buffer<simd::Node> nodes_{memory_};        // of one grove
    Buffer<simd::Node> crown_{memory_};
    Buffer<simd::Grove> groves_{memory_};
    Buffer<GroveNote> notes_{memory_};
    Buffer<OversizedChange> left_{memory_}, came_{memory_};  // by full rank
    Buffer<std::uint8_t> dissolved_{memory_};                // by grove of the frame before
    Buffer<std::uint32_t> edited_{memory_};                  // the same groves, in their order
    Buffer<std::uint32_t> joined_{memory_};                  // others that were joined
    Buffer<std::uint32_t> made_{memory_};                    // new groves
    std::size_t asked_ = 0;                                  // groves that are edited, so far
    const FrameState* edited_frame_ = nullptr;
    std::uint64_t steps_ = 0, entries_ = 0;
};

// Gives a frame the tree of another frame with the same oversized agents.
void share_oversized(FrameState& frame, const FrameState& other) noexcept;

// The groves of a frame. A tree in one piece is one grove without a record.
std::uint32_t grove_count(const FrameState& frame) noexcept;
simd::Grove grove_at(const FrameState& frame, std::uint32_t index) noexcept;

}  // namespace throng::detail
