// The groves of the tree over the oversized agents: each is made from keys, or from one of the frame before and what changes.
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

#include "engine/src/frame/row_labels.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/frame/tree/tree_nodes.hpp"
#include "engine/src/memory/scratch.hpp"

namespace throng::detail {

// --- From nothing ------------------------------------------------------------------------------------------

// A new grove, the last in the list.
bool OversizedTree::make_grove(const FrameState& frame, std::span<const std::uint64_t> keys,
                               std::uint8_t shift) noexcept {
    steps_ += keys.size();
    nodes_.clear();
    if (!reserve_amply(nodes_, keys.size() / 4) || !make_nodes(keys, leaf_size, nodes_) ||
        (!fresh_ && !reserve_amply(made_, made_.size() + 1)))
        return false;
    Block* block = blocks_.take(layout_of(keys.size(), frame.labelled).bytes);
    if (block == nullptr) return false;
    if (!fresh_) (void)made_.push_back(static_cast<std::uint32_t>(groves_.size()));
    (void)groves_.push_back(emit(frame, *block, keys));
    (void)notes_.push_back({groves_[groves_.size() - 1].nodes[0], block, rank_of(frame, keys[0]), shift});
    return true;
}

simd::Grove OversizedTree::emit(const FrameState& frame, Block& block,
                                std::span<const std::uint64_t> keys) const noexcept {
    const GroveLayout layout = layout_of(keys.size(), frame.labelled);
    const std::size_t stride = layout.stride;
    auto* const data = reinterpret_cast<std::uint32_t*>(block.memory);
    std::uint32_t* const places = data + (layout.arrays - 1) * stride;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Words words = words_of(frame, keys[i]);
        const auto copy = [&](std::size_t k) {
            const std::uint32_t word = words[k];
            std::memcpy(data + k * stride + i, &word, sizeof word);
        };
        for (std::size_t k = 0; k < 5; ++k) copy(k);
        for (std::size_t k = 5; k + 1 < layout.arrays; ++k) copy(k);
        places[i] = static_cast<std::uint32_t>(keys[i] >> place_shift);
    }
    return finish_grove(block, keys.size(), layout, frame.labelled);
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
                                        bool labelled) const noexcept {
    auto* data = reinterpret_cast<float*>(block.memory);
    const std::size_t stride = layout.stride;
    for (std::size_t k = 0; k < layout.arrays; ++k) {
        const float padding = k < 5 ? std::numeric_limits<float>::quiet_NaN() : 0.0f;
        std::fill(data + k * stride + count, data + (k + 1) * stride, padding);
    }
    auto* to = reinterpret_cast<simd::Node*>(data + layout.arrays * stride);
    std::copy(nodes_.begin(), nodes_.end(), to);
    const simd::Row row{data, nullptr, layout.stride, static_cast<std::uint32_t>(count), 0};
    for (std::size_t n = nodes_.size(); n-- > 0;) {
        if (to[n].min_x == to[n].min_x) continue;  // it stands as it was
        if (leaf_at({to, nodes_.size()}, n))
            bound_leaf(to[n], row, labelled);
        else
            bound_inner(to, n);
    }
    auto* leaves = reinterpret_cast<float*>(block.memory + layout.leaves);
    return {row, to, static_cast<std::uint32_t>(nodes_.size()), 0,
            in_one_piece_ ? simd::Row{} : list_leaves(leaves, layout.leaf_stride, {to, nodes_.size()})};
}

// --- From one of the frame before --------------------------------------------------------------------------

OversizedTree::Agent OversizedTree::agent_of(const FrameState& frame,
                                             const OversizedChange& change) const noexcept {
    const simd::Row& row = frame.rows[change.row];
    return {RowArrays(row).box(change.at), static_cast<AgentId>(change.rank),
            frame.labelled ? RowLabels(row).label(change.at) : Label{}};
}

// A grove without the agents that leave it, and with those that come. Some are left.
bool OversizedTree::edit_grove(const FrameState& frame, const FrameState& before,
                               std::uint32_t grove) noexcept {
    const GroveNote& note = before.grove_notes[grove];
    const GroveEdit edit{before.groves[grove], places_in(before.groves[grove], before.labelled),
                         changes_in(left(), note), changes_in(came(), note)};
    const std::size_t count = edit.old.oversized.count + edit.come.size() - edit.leave.size();
    if (!list_pieces(edit) || !reserve_amply(nodes_, std::max<std::size_t>(count / 4, edit.old.node_count)) ||
        !reserve_amply(groves_, groves_.size() + 1) || !reserve_amply(notes_, notes_.size() + 1) ||
        !reserve_amply(made_, made_.size() + 1))
        return false;
    steps_ += count;
    if (!keep_nodes(edit) && !make_nodes_of_pieces(edit, count)) return false;
    Block* block = blocks_.take(layout_of(count, frame.labelled).bytes);
    if (block == nullptr) return false;
    (void)made_.push_back(static_cast<std::uint32_t>(groves_.size()));
    ++entries_;
    (void)groves_.push_back(emit_pieces(frame, edit, *block, count));
    const simd::Grove& made = groves_[groves_.size() - 1];
    const std::uint64_t place = places_in(made, frame.labelled)[0];
    (void)notes_.push_back(
        {made.nodes[0], block, place << place_shift | RowArrays(made.oversized).id[0], note.shift});
    return true;
}

namespace {

// The first of some agents of a grove whose rank is not below this one; they are in the order of their ranks.
std::uint32_t first_from(const std::uint32_t* places, const AgentId* ids, Ranges::Range agents,
                         std::uint64_t rank) noexcept {
    while (agents.begin != agents.end) {
        const std::uint32_t middle = (agents.begin + agents.end) / 2;
        if ((std::uint64_t{places[middle]} << place_shift | ids[middle]) < rank)
            agents.begin = middle + 1;
        else
            agents.end = middle;
    }
    return agents.begin;
}

std::uint32_t place_of(const OversizedChange& change) noexcept {
    return static_cast<std::uint32_t>(change.rank >> place_shift);
}
}  // namespace

// The runs of agents that stay, and between them those that come.
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
        // One that comes where one leaves takes its place.
        if (leaves == left_end || (comes != came_end && comes->rank < leaves->rank)) {
            keep_until(first_from(edit.places, ids, {at, count}, comes->rank));
            (void)pieces_.push_back({0, 1, comes++});
        } else {
            keep_until(first_from(edit.places, ids, {at, count}, (leaves++)->rank));
            ++at;
        }
    }
    keep_until(count);
    return true;
}

// The leaf for a place, by the nodes as they were; those on the way to it forget their bounds. Null if there is none.
simd::Node* OversizedTree::find_leaf(const GroveEdit& edit, std::uint32_t place) noexcept {
    const simd::Node* nodes = edit.old.nodes;
    std::uint32_t n = 0;
    nodes_[0].min_x = no_bound;
    while (nodes[n].next != n + 1) {
        const unsigned shift = edit.shift_below(nodes[n]);
        std::uint32_t child = n + 1;
        const auto has = [&](const simd::Node& node) {
            const std::uint32_t first = edit.places[node.begin], last = edit.places[node.end - 1];
            const unsigned joined = (first ^ last) >> shift;  // 1 if it is a leaf of two quadrants
            return (first ^ place) >> (shift + joined) == 0;
        };
        while (child != nodes[n].next && !has(nodes[child])) child = nodes[child].next;
        if (child == nodes[n].next) return nullptr;
        nodes_[n = child].min_x = no_bound;
    }
    return &nodes_[n];
}

// Takes over the nodes as they were, but for where they begin and end, and for bounds that change. Not if the grove would have
// other nodes; it may also refuse where they would be the same.
bool OversizedTree::keep_nodes(const GroveEdit& edit) noexcept {
    const simd::Node* nodes = edit.old.nodes;
    (void)nodes_.resize(edit.old.node_count);
    std::copy_n(nodes, edit.old.node_count, nodes_.data());
    for (const OversizedChange& change : edit.leave) {
        simd::Node* const leaf = find_leaf(edit, place_of(change));
        if (leaf == nullptr) return false;
        --leaf->end;
    }
    for (const OversizedChange& change : edit.come) {
        simd::Node* const leaf = find_leaf(edit, place_of(change));
        if (leaf == nullptr) return false;
        const simd::Node& was = nodes[leaf - nodes_.data()];
        // More than fit into a leaf are at one place.
        if (was.end - was.begin > leaf_size && edit.places[was.begin] != place_of(change)) return false;
        ++leaf->end;
    }
    std::uint32_t at = 0;
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
        const std::uint32_t agents = nodes_[n].end - nodes_[n].begin, before = nodes[n].end - nodes[n].begin;
        nodes_[n].begin = at;
        if (nodes[n].next != n + 1) continue;
        if (agents == 0 || (agents > leaf_size && before <= leaf_size)) return false;
        nodes_[n].end = at += agents;
    }
    for (std::size_t n = nodes_.size(); n-- > 0;) {
        if (nodes[n].next == n + 1) continue;
        const unsigned shift = edit.shift_below(nodes[n]);
        std::size_t last = n + 1;
        for (std::size_t child = nodes[last].next; child < nodes[n].next; child = nodes[last = child].next)
            if (nodes_[child].end - nodes_[last].begin <= leaf_size &&
                (edit.places[nodes[child].begin] ^ edit.places[nodes[last].begin]) >> shift == 1)
                return false;
        nodes_[n].end = nodes_[last].end;
        if (nodes_[n].end - nodes_[n].begin <= leaf_size) return false;
    }
    return true;
}

bool OversizedTree::make_nodes_of_pieces(const GroveEdit& edit, std::size_t count) noexcept {
    nodes_.clear();
    if (!resize_amply(keys_, count)) return false;
    std::uint64_t* key = keys_.data();
    for (const Piece& piece : pieces_)
        for (std::uint32_t i = piece.begin; i < piece.end; ++i)
            *key++ = std::uint64_t{piece.comes != nullptr ? place_of(*piece.comes) : edit.places[i]}
                     << place_shift;
    return make_nodes({keys_.data(), count}, leaf_size, nodes_);
}

simd::Grove OversizedTree::emit_pieces(const FrameState& frame, const GroveEdit& edit, Block& block,
                                       std::size_t count) const noexcept {
    const GroveLayout layout = layout_of(count, frame.labelled);
    const std::size_t from_stride = edit.old.oversized.stride;
    auto* to = reinterpret_cast<std::uint32_t*>(block.memory);
    const auto* from = reinterpret_cast<const std::uint32_t*>(edit.old.oversized.data);
    for (const Piece& piece : pieces_) {
        const std::size_t agents = piece.end - piece.begin;
        if (piece.comes == nullptr) {
            for (std::size_t k = 0; k < layout.arrays; ++k)
                std::copy_n(from + k * from_stride + piece.begin, agents, to + k * layout.stride);
        } else {
            const Agent agent = agent_of(frame, *piece.comes);
            const auto corners = std::bit_cast<std::array<std::uint32_t, 4>>(agent.box);
            const std::array<std::uint32_t, 7> values{corners[0],       corners[1], corners[2],
                                                      corners[3],       agent.id,   agent.label.categories,
                                                      agent.label.group};
            for (std::size_t k = 0; k + 1 < layout.arrays; ++k) to[k * layout.stride] = values[k];
            to[(layout.arrays - 1) * layout.stride] = place_of(*piece.comes);
        }
        to += agents;
    }
    return finish_grove(block, count, layout, frame.labelled);
}

}  // namespace throng::detail
