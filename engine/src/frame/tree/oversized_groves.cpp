// The groves of the tree over the oversized agents. Each is made from keys, or from a grove of the frame
// before and its changes.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/row_traits.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/frame/tree/tree_nodes.hpp"
#include "engine/src/memory/growth.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

// --- From nothing ------------------------------------------------------------------------------------------

// A new grove, the last in the list.
bool OversizedTree::make_grove(const FrameState& frame, std::span<const std::uint64_t> keys,
                               std::uint8_t shift) noexcept {
    steps_ += keys.size();
    nodes_.clear();
    if (!reserve_amply(nodes_, keys.size() / 4) || !make_nodes<grove_size>(keys, leaf_size, nodes_) ||
        (!fresh_ && !reserve_amply(made_, made_.size() + 1)))
        return false;
    const GroveLayout layout = layout_of(keys.size(), frame.extras);
    Block* block = blocks_.take(layout.bytes);
    if (block == nullptr) return false;
    if (!fresh_) (void)made_.push_back(static_cast<std::uint32_t>(groves_.size()));
    (void)groves_.push_back(emit(frame.extras, *block, keys, layout));
    (void)notes_.push_back({groves_[groves_.size() - 1].nodes[0], block, full_rank_of(keys[0]), shift});
    return true;
}

simd::Grove OversizedTree::emit(simd::Extras extras, Block& block, std::span<const std::uint64_t> keys,
                                const GroveLayout& layout) const noexcept {
    const std::size_t stride = layout.stride;
    auto* const boxes = reinterpret_cast<float*>(block.memory);
    auto* const words = reinterpret_cast<std::uint32_t*>(block.memory);
    std::uint32_t* const ranks = words + (layout.arrays - 1) * stride;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Box& box = agents_.box(number_of(keys[i]));
        boxes[i] = box.min_x;
        boxes[stride + i] = box.min_y;
        boxes[2 * stride + i] = box.max_x;
        boxes[3 * stride + i] = box.max_y;
        words[4 * stride + i] = id_of(keys[i]);
        ranks[i] = static_cast<std::uint32_t>(keys[i] >> rank_shift);
    }
    for (std::size_t i = 0; i < keys.size() && has_labels(extras); ++i) {
        const Traits& traits = agents_.traits(number_of(keys[i]));
        words[5 * stride + i] = traits.label.categories;
        words[6 * stride + i] = traits.label.group;
        if (!has_heights(extras)) continue;
        boxes[7 * stride + i] = traits.height.min_z;
        boxes[8 * stride + i] = traits.height.max_z;
    }
    return finish_grove(block, keys.size(), layout, extras);
}

namespace {

// The bounds of the leaves among some nodes, and where the agents of each begin.
simd::Row list_leaves(float* data, std::uint32_t stride, std::span<const simd::Node> nodes) noexcept {
    auto* begins = reinterpret_cast<std::uint32_t*>(data + std::size_t{4} * stride);
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!leaf_at(nodes, i)) continue;
        put_bounds(data, stride, count, nodes[i]);
        begins[count++] = nodes[i].begin;
    }
    for (std::size_t k = 0; k < 4; ++k)
        std::fill(data + k * stride + count, data + (k + 1) * stride,
                  std::numeric_limits<float>::quiet_NaN());
    std::fill(begins + count, begins + stride, nodes[0].end);
    return {data, nullptr, stride, count, 0};
}

}  // namespace

// Pads the arrays after the last agent, and adds the nodes and their leaves.
simd::Grove OversizedTree::finish_grove(Block& block, std::size_t count, const GroveLayout& layout,
                                        simd::Extras extras) const noexcept {
    auto* data = reinterpret_cast<float*>(block.memory);
    const std::size_t stride = layout.stride;
    for (std::size_t k = 0; k < layout.arrays; ++k) {
        const float padding = k < 5 ? std::numeric_limits<float>::quiet_NaN() : 0.0f;
        std::fill(data + k * stride + count, data + (k + 1) * stride, padding);
    }
    auto* to = reinterpret_cast<simd::Node*>(data + layout.arrays * stride);
    std::copy(nodes_.begin(), nodes_.end(), to);
    const simd::Row row{data, nullptr, layout.stride, static_cast<std::uint32_t>(count), 0};
    bound_nodes({to, nodes_.size()}, [&](simd::Node& leaf) { bound_leaf(leaf, row, has_labels(extras)); });
    auto* leaves = reinterpret_cast<float*>(block.memory + layout.leaves);
    return {row, to, static_cast<std::uint32_t>(nodes_.size()), 0,
            in_one_piece_ ? simd::Row{} : list_leaves(leaves, layout.leaf_stride, {to, nodes_.size()})};
}

// --- From one of the frame before --------------------------------------------------------------------------

TreeAgent OversizedTree::agent_of(const FrameState& frame, const OversizedChange& change) const noexcept {
    const simd::Row& row = frame.rows[change.row];
    return {RowArrays(row).box(change.at), static_cast<AgentId>(change.full_rank),
            traits_in(row, frame.extras, change.at)};
}

// The next of the groves that are edited, in their order.
void OversizedTree::ask_for_next(const FrameState& before, std::uint32_t grove) noexcept {
    while (asked_ != edited_.size() && edited_[asked_] <= grove) ++asked_;
    if (asked_ == edited_.size() || before.groves.size() == 0) return;
    const simd::Grove& next = before.groves[edited_[asked_]];
    const std::size_t arrays = arrays_of_a_row(before.extras) + std::size_t{1},
                      bytes = arrays * next.oversized.stride * sizeof(float) +
                              next.node_count * sizeof(simd::Node);
    const auto* const data = reinterpret_cast<const std::byte*>(next.oversized.data);
    for (std::size_t at = 0; at < bytes; at += 64) THRONG_PREFETCH(data + at);
}

// A grove without the agents that leave it, and with those that come. Some stay.
bool OversizedTree::edit_grove(const FrameState& frame, const FrameState& before,
                               std::uint32_t grove) noexcept {
    const GroveNote& note = before.grove_notes[grove];
    const GroveEdit edit{before.groves[grove], ranks_in(before.groves[grove], before.extras),
                         changes_in(left(), note), changes_in(came(), note)};
    const std::size_t count = edit.old.oversized.count + edit.come.size() - edit.leave.size();
    if (!list_pieces(edit) || !reserve_amply(nodes_, std::max<std::size_t>(count / 4, edit.old.node_count)) ||
        !reserve_amply(groves_, groves_.size() + 1) || !reserve_amply(notes_, notes_.size() + 1) ||
        !reserve_amply(made_, made_.size() + 1))
        return false;
    steps_ += count;
    ask_for_next(before, grove);
    nodes_.clear();
    if (!list_keys(edit, count) || !make_nodes<grove_size>({keys_.data(), keys_.size()}, leaf_size, nodes_))
        return false;
    const GroveLayout layout = layout_of(count, frame.extras);
    Block* block = blocks_.take(layout.bytes);
    if (block == nullptr) return false;
    (void)made_.push_back(static_cast<std::uint32_t>(groves_.size()));
    ++entries_;
    (void)groves_.push_back(emit_pieces(frame, edit, *block, count, layout));
    const simd::Grove& made = groves_[groves_.size() - 1];
    const std::uint64_t rank = ranks_in(made, frame.extras)[0];
    (void)notes_.push_back(
        {made.nodes[0], block, rank << rank_shift | RowArrays(made.oversized).id[0], note.shift});
    return true;
}

namespace {

// The first of some agents of a grove whose full rank is at least this one; they are in the order of their
// ranks.
std::uint32_t first_from(const std::uint32_t* ranks, const AgentId* ids, std::uint32_t begin,
                         std::uint32_t end, std::uint64_t full_rank) noexcept {
    return first_not(begin, end, [&](std::uint32_t i) {
        return (std::uint64_t{ranks[i]} << rank_shift | ids[i]) < full_rank;
    });
}

std::uint32_t rank_of_change(const OversizedChange& change) noexcept {
    return static_cast<std::uint32_t>(change.full_rank >> rank_shift);
}
}  // namespace

// The runs of agents that stay, and the agents that come between them.
bool OversizedTree::list_pieces(const GroveEdit& edit) noexcept {
    const AgentId* ids = RowArrays(edit.old.oversized).id;
    const std::uint32_t count = edit.old.oversized.count;
    pieces_.clear();
    if (!reserve_amply(pieces_, edit.leave.size() + 2 * edit.come.size() + 1)) return false;
    const OversizedChange *leaves = edit.leave.data(), *comes = edit.come.data();
    const OversizedChange *const left_end = leaves + edit.leave.size(), *const came_end =
                                                                            comes + edit.come.size();
    std::uint32_t at = 0;
    const auto keep_until = [&](std::uint32_t end) {
        if (at != end) (void)pieces_.push_back({at, end, nullptr});
        at = end;
    };
    while (leaves != left_end || comes != came_end) {
        // An agent that comes where one leaves takes its place.
        if (leaves == left_end || (comes != came_end && comes->full_rank < leaves->full_rank)) {
            keep_until(first_from(edit.ranks, ids, at, count, comes->full_rank));
            (void)pieces_.push_back({0, 1, comes++});
        } else {
            keep_until(first_from(edit.ranks, ids, at, count, (leaves++)->full_rank));
            ++at;
        }
    }
    keep_until(count);
    return true;
}

// The keys of its agents after the edit.
bool OversizedTree::list_keys(const GroveEdit& edit, std::size_t count) noexcept {
    if (!resize_amply(keys_, count)) return false;
    std::uint64_t* key = keys_.data();
    for (const Piece& piece : pieces_) {
        if (piece.comes != nullptr) {
            *key++ = piece.comes->full_rank;
            continue;
        }
        for (std::uint32_t i = piece.begin; i < piece.end; ++i)
            *key++ = std::uint64_t{edit.ranks[i]} << rank_shift;
    }
    return true;
}

namespace {

// Copies numbers by the vector. Less than a vector behind them is read, and written with anything: arrays end
// in a larger gap.
void copy_in_vectors(const std::uint32_t* from, std::size_t count, std::uint32_t* to) noexcept {
    constexpr std::size_t vector = 16;
    for (std::size_t i = 0; i < count; i += vector) std::memcpy(to + i, from + i, vector * sizeof *to);
}

}  // namespace

// The next run overwrites what is written behind a run, and so do the agents that come.
simd::Grove OversizedTree::emit_pieces(const FrameState& frame, const GroveEdit& edit, Block& block,
                                       std::size_t count, const GroveLayout& layout) const noexcept {
    const std::size_t from_stride = edit.old.oversized.stride;
    auto* const data = reinterpret_cast<std::uint32_t*>(block.memory);
    const auto* from = reinterpret_cast<const std::uint32_t*>(edit.old.oversized.data);
    for (std::size_t k = 0; k < layout.arrays; ++k, from += from_stride) {
        std::uint32_t* to = data + k * layout.stride;
        for (const Piece& piece : pieces_) {
            if (piece.comes == nullptr) copy_in_vectors(from + piece.begin, piece.end - piece.begin, to);
            to += piece.end - piece.begin;
        }
    }
    std::uint32_t* to = data;
    for (const Piece& piece : pieces_) {
        if (piece.comes != nullptr) {
            const TreeAgent agent = agent_of(frame, *piece.comes);
            const auto corners = detail::bits_as<std::array<std::uint32_t, 4>>(agent.box);
            const auto traits = detail::bits_as<std::array<std::uint32_t, 4>>(agent.traits);
            const std::array<std::uint32_t, 9> values{corners[0], corners[1], corners[2],
                                                      corners[3], agent.id,   traits[0],
                                                      traits[1],  traits[2],  traits[3]};
            for (std::size_t k = 0; k + 1 < layout.arrays; ++k) to[k * layout.stride] = values[k];
            to[(layout.arrays - 1) * layout.stride] = rank_of_change(*piece.comes);
        }
        to += piece.end - piece.begin;
    }
    return finish_grove(block, count, layout, frame.extras);
}

}  // namespace throng::detail
