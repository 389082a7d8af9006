// The groves of the tree over the oversized agents: each is made from keys, or from one of the frame before and what changes.
#include <algorithm>
#include <array>
#include <bit>
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
    auto* data = reinterpret_cast<float*>(block.memory);
    auto* ids = reinterpret_cast<std::uint32_t*>(data + 4 * stride);
    std::uint32_t *categories = ids + stride, *places = ids + (layout.arrays - 5) * stride;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Giant one = giant(frame, keys[i]);
        data[i] = one.box.min_x;
        data[stride + i] = one.box.min_y;
        data[2 * stride + i] = one.box.max_x;
        data[3 * stride + i] = one.box.max_y;
        ids[i] = one.id;
        places[i] = static_cast<std::uint32_t>(keys[i] >> place_shift);
        if (!frame.labelled) continue;
        categories[i] = one.label.categories;
        categories[stride + i] = one.label.group;
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
    bound_nodes({to, nodes_.size()}, [&](simd::Node& leaf) { bound_leaf(leaf, row, labelled); });
    auto* leaves = reinterpret_cast<float*>(block.memory + layout.leaves);
    return {row, to, static_cast<std::uint32_t>(nodes_.size()), 0,
            in_one_piece_ ? simd::Row{} : list_leaves(leaves, layout.leaf_stride, {to, nodes_.size()})};
}

// --- From one of the frame before --------------------------------------------------------------------------

OversizedTree::Giant OversizedTree::giant_of(const FrameState& frame,
                                             const GiantChange& change) const noexcept {
    const simd::Row& row = frame.rows[change.row];
    return {RowArrays(row).box(change.at), static_cast<AgentId>(change.rank),
            frame.labelled ? RowLabels(row).label(change.at) : Label{}};
}

// A grove without the agents that leave it, and with those that come. Some are left.
bool OversizedTree::edit_grove(const FrameState& frame, const FrameState& before,
                               std::uint32_t grove) noexcept {
    if (!keys_after(frame, before, grove) || !reserve_amply(groves_, groves_.size() + 1) ||
        !reserve_amply(notes_, notes_.size() + 1) || !reserve_amply(made_, made_.size() + 1))
        return false;
    steps_ += keys_.size();
    nodes_.clear();
    const std::span<const std::uint64_t> keys{keys_.data(), keys_.size()};
    if (!reserve_amply(nodes_, keys.size() / 4) || !make_nodes(keys, leaf_size, nodes_)) return false;
    Block* block = blocks_.take(layout_of(keys.size(), frame.labelled).bytes);
    if (block == nullptr) return false;
    const simd::Grove& old = before.groves[grove];
    (void)made_.push_back(static_cast<std::uint32_t>(groves_.size()));
    ++entries_;
    (void)groves_.push_back(emit_edited(old, *block, frame.labelled));
    const auto& made = groves_[groves_.size() - 1];
    const std::uint64_t first = keys[0] >> place_shift << place_shift | RowArrays(made.oversized).id[0];
    (void)notes_.push_back({made.nodes[0], block, first, before.grove_notes[grove].shift});
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

}  // namespace

// The place of each agent, then its number in the grove as it was, or behind those in the list of those that come.
bool OversizedTree::keys_after(const FrameState& frame, const FrameState& before,
                               std::uint32_t grove) noexcept {
    const simd::Grove& old = before.groves[grove];
    const std::uint32_t* places = places_in(old, before.labelled);
    const AgentId* ids = RowArrays(old.oversized).id;
    const std::uint32_t count = old.oversized.count;
    const GiantChanges left_here = changes_in(left(), before.grove_notes[grove]),
                       came_here = changes_in(came(), before.grove_notes[grove]);
    agents_.clear();
    keys_.clear();
    if (!reserve_amply(agents_, came_here.size()) || !resize_amply(keys_, count + came_here.size()))
        return false;
    const GiantChange *leaves = left_here.data(), *comes = came_here.data();
    const GiantChange *const left_end = leaves + left_here.size(), *const came_end = comes + came_here.size();
    std::uint64_t* to = keys_.data();
    std::uint32_t at = 0;
    const auto keep_until = [&](std::uint32_t end) {
        for (; at < end; ++at) *to++ = std::uint64_t{places[at]} << place_shift | at;
    };
    while (leaves != left_end || comes != came_end) {
        // One that comes where one leaves takes its place.
        if (leaves == left_end || (comes != came_end && comes->rank < leaves->rank)) {
            keep_until(first_from(places, ids, {at, count}, comes->rank));
            *to++ = comes->rank >> place_shift << place_shift | (count + agents_.size());
            (void)agents_.push_back(giant_of(frame, *comes++));
        } else {
            keep_until(first_from(places, ids, {at, count}, (leaves++)->rank));
            ++at;
        }
    }
    keep_until(count);
    return keys_.resize(static_cast<std::size_t>(to - keys_.data()));
}

// Runs of agents that stay in their order are copied.
simd::Grove OversizedTree::emit_edited(const simd::Grove& old, Block& block, bool labelled) const noexcept {
    const GroveLayout layout = layout_of(keys_.size(), labelled);
    const std::size_t stride = layout.stride, from_stride = old.oversized.stride, size = keys_.size();
    const std::uint32_t count = old.oversized.count;
    auto* data = reinterpret_cast<std::uint32_t*>(block.memory);
    const auto* from = reinterpret_cast<const std::uint32_t*>(old.oversized.data);
    const auto number = [&](std::size_t i) { return static_cast<std::uint32_t>(keys_[i]); };
    for (std::size_t i = 0; i < size;) {
        const std::uint32_t first = number(i);
        if (first >= count) {
            const Giant& giant = agents_[first - count];
            const std::array<std::uint32_t, 8> values{std::bit_cast<std::uint32_t>(giant.box.min_x),
                                                      std::bit_cast<std::uint32_t>(giant.box.min_y),
                                                      std::bit_cast<std::uint32_t>(giant.box.max_x),
                                                      std::bit_cast<std::uint32_t>(giant.box.max_y),
                                                      giant.id,
                                                      giant.label.categories,
                                                      giant.label.group};
            for (std::size_t k = 0; k + 1 < layout.arrays; ++k) data[k * stride + i] = values[k];
            data[(layout.arrays - 1) * stride + i] = static_cast<std::uint32_t>(keys_[i] >> place_shift);
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        while (end < size && number(end) == first + (end - i)) ++end;
        // The numbers of those that come follow the last one's, and are no part of the run.
        end = std::min(end, i + (count - first));
        for (std::size_t k = 0; k < layout.arrays; ++k)
            std::copy_n(from + k * from_stride + first, end - i, data + k * stride + i);
        i = end;
    }
    return finish_grove(block, size, layout, labelled);
}

}  // namespace throng::detail
