// The groves of the tree over the oversized agents: each is made from keys, or from one of the frame before and what changes.
#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "engine/src/frame/row_labels.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/frame/tree/tree_nodes.hpp"
#include "engine/src/memory/scratch.hpp"
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
    const GroveLayout layout = layout_of(keys.size(), frame.labelled);
    Block* block = blocks_.take(layout.bytes);
    if (block == nullptr) return false;
    if (!fresh_) (void)made_.push_back(static_cast<std::uint32_t>(groves_.size()));
    (void)groves_.push_back(emit(frame.labelled, *block, keys, layout));
    (void)notes_.push_back({groves_[groves_.size() - 1].nodes[0], block, rank_of(keys[0]), shift});
    return true;
}

simd::Grove OversizedTree::emit(bool labelled, Block& block, std::span<const std::uint64_t> keys,
                                const GroveLayout& layout) const noexcept {
    const std::size_t stride = layout.stride;
    auto* const boxes = reinterpret_cast<float*>(block.memory);
    auto* const words = reinterpret_cast<std::uint32_t*>(block.memory);
    std::uint32_t* const places = words + (layout.arrays - 1) * stride;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Box& box = agents_.box(number_of(keys[i]));
        boxes[i] = box.min_x;
        boxes[stride + i] = box.min_y;
        boxes[2 * stride + i] = box.max_x;
        boxes[3 * stride + i] = box.max_y;
        words[4 * stride + i] = id_of(keys[i]);
        places[i] = static_cast<std::uint32_t>(keys[i] >> place_shift);
    }
    for (std::size_t i = 0; i < keys.size() && labelled; ++i) {
        const Label& label = agents_.label(number_of(keys[i]));
        words[5 * stride + i] = label.categories;
        words[6 * stride + i] = label.group;
    }
    return finish_grove(block, keys.size(), layout, labelled);
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

TreeAgent OversizedTree::agent_of(const FrameState& frame, const OversizedChange& change) const noexcept {
    const simd::Row& row = frame.rows[change.row];
    return {RowArrays(row).box(change.at), static_cast<AgentId>(change.rank),
            frame.labelled ? RowLabels(row).label(change.at) : Label{}};
}

// The next of the groves that are edited, in their order.
void OversizedTree::ask_for_next(const FrameState& before, std::uint32_t grove) noexcept {
    while (asked_ != edited_.size() && edited_[asked_] <= grove) ++asked_;
    if (asked_ == edited_.size() || before.groves.size() == 0) return;
    const simd::Grove& next = before.groves[edited_[asked_]];
    const std::size_t arrays = arrays_of_a_row(before.labelled) + std::size_t{1},
                      bytes = arrays * next.oversized.stride * sizeof(float) +
                              next.node_count * sizeof(simd::Node);
    const auto* const data = reinterpret_cast<const std::byte*>(next.oversized.data);
    for (std::size_t at = 0; at < bytes; at += 64) THRONG_PREFETCH(data + at);
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
    ask_for_next(before, grove);
    if (!edit_nodes(edit, count)) return false;
    const GroveLayout layout = layout_of(count, frame.labelled);
    Block* block = blocks_.take(layout.bytes);
    if (block == nullptr) return false;
    (void)made_.push_back(static_cast<std::uint32_t>(groves_.size()));
    ++entries_;
    (void)groves_.push_back(emit_pieces(frame, edit, *block, count, layout));
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
    return first_not(agents.begin, agents.end, [&](std::uint32_t i) {
        return (std::uint64_t{places[i]} << place_shift | ids[i]) < rank;
    });
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

// The nodes after the edit: those that make_nodes would make of the same places. Where nothing changes they are taken over with
// their bounds.
bool OversizedTree::edit_nodes(const GroveEdit& edit, std::size_t count) noexcept {
    nodes_.clear();
    if (!resize_amply(keys_, count)) return false;
    std::uint64_t* key = keys_.data();
    for (const Piece& piece : pieces_) {
        if (piece.comes != nullptr) {
            *key++ = piece.comes->rank;
            continue;
        }
        for (std::uint32_t i = piece.begin; i < piece.end; ++i)
            *key++ = std::uint64_t{edit.places[i]} << place_shift;
    }
    const QuadRange all{0, static_cast<std::uint32_t>(count), 0, 2 * tree_levels};
    return grow_twig(edit, {all, 0, 0, edit.leave, edit.come});
}

namespace {

// The node over these agents and no others, at or below another one.
std::uint32_t node_over(const simd::Node* nodes, std::uint32_t node, Ranges::Range agents,
                        std::uint32_t none) noexcept {
    while (nodes[node].begin != agents.begin || nodes[node].end != agents.end) {
        const std::uint32_t end = nodes[node++].next;
        while (node != end && nodes[node].end <= agents.begin) node = nodes[node].next;
        if (node == end || nodes[node].end < agents.end) return none;
    }
    return node;
}

// How many of some changes, from the first one on, are in quadrants before this one.
std::size_t changes_before(OversizedChanges changes, std::uint64_t quadrant, unsigned shift) noexcept {
    std::size_t count = 0;
    while (count != changes.size() && changes[count].rank >> shift < quadrant) ++count;
    return count;
}

}  // namespace

// Where the first three quadrants of a twig end: as far from each other as in the node that was there, but for what changes. Returns
// false if that was divided by other bits, or if an end would have to be searched for in a leaf.
bool OversizedTree::follow_ends(const GroveEdit& edit, const Twig& twig,
                                std::array<std::uint32_t, 3>& ends) const noexcept {
    const simd::Node *const nodes = edit.old.nodes, &node = nodes[twig.node];
    const auto place_at = [&](std::uint32_t i) {
        return static_cast<std::uint32_t>(keys_[i] >> place_shift);
    };
    const std::uint32_t was = edit.places[node.begin], is = place_at(twig.agents.begin),
                        differing = was ^ edit.places[node.end - 1];
    if (node.next == twig.node + 1 || is == place_at(twig.agents.end - 1)) return false;
    const unsigned shift = dividing_shift(differing);
    if (dividing_shift(is ^ place_at(twig.agents.end - 1)) != shift || (was ^ is) >> shift > 3) return false;
    std::array<std::uint32_t, 4> count{};
    std::array<bool, 2> joined{};
    for (std::uint32_t n = twig.node + 1; n < node.next; n = nodes[n].next) {
        const std::uint32_t last = edit.places[nodes[n].end - 1], quadrant = last >> shift & 3;
        count[quadrant] += nodes[n].end - nodes[n].begin;
        if ((edit.places[nodes[n].begin] ^ last) >> shift != 0) joined[quadrant / 2] = true;
    }
    for (const OversizedChange& change : twig.leave) --count[place_of(change) >> shift & 3];
    for (const OversizedChange& change : twig.come) ++count[place_of(change) >> shift & 3];
    ends[0] = twig.agents.begin + count[0];
    ends[1] = ends[0] + count[1];
    ends[2] = ends[1] + count[2];
    return (!joined[0] || ends[1] - twig.agents.begin <= leaf_size) &&
           (!joined[1] || twig.agents.end - ends[1] <= leaf_size);
}

// As quarters_of finds them.
Quarters OversizedTree::parts_of(const GroveEdit& edit, const Twig& twig) const noexcept {
    const auto is_leaf = fits_a_leaf(leaf_size);
    if (is_leaf(twig.agents.begin, twig.agents.end)) return undivided(twig.agents);
    std::array<std::uint32_t, 3> ends;
    const std::uint64_t differing = keys_[twig.agents.begin] ^ keys_[twig.agents.end - 1];
    if (twig.node != none && follow_ends(edit, twig, ends))
        return divided<true>(twig.agents, dividing_shift(differing), ends, is_leaf);
    return quarters_of<true>({keys_.data(), keys_.size()}, twig.agents, place_shift, rank_in_grove, is_leaf);
}

bool OversizedTree::grow_twig(const GroveEdit& edit, const Twig& twig) noexcept {
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    if (!nodes_.push_back(
            {.min_x = no_bound, .begin = twig.agents.begin, .end = twig.agents.end, .next = at + 1}))
        return false;
    const Quarters parts = parts_of(edit, twig);
    if (parts.count == 1) return true;
    Twig rest = twig;  // what is behind the last part
    for (unsigned k = 0; k < parts.count; ++k) {
        const QuadRange agents{parts.edges[k], parts.edges[k + 1], 0, parts.shift};
        const auto quadrant = [&](std::uint32_t i) { return keys_[i] >> parts.shift; };
        const std::size_t gone = changes_before(rest.leave, quadrant(agents.begin), parts.shift);
        rest.leave = rest.leave.subspan(gone);
        rest.at += static_cast<std::uint32_t>(gone);
        const std::uint64_t next = quadrant(agents.end - 1) + 1;
        const std::size_t leave = changes_before(rest.leave, next, parts.shift),
                          come = changes_before(rest.come, next, parts.shift);
        const auto end = static_cast<std::uint32_t>(rest.at + (agents.end - agents.begin) + leave - come);
        const std::uint32_t node =
            twig.node == none ? none : node_over(edit.old.nodes, twig.node, {rest.at, end}, none);
        const bool stays = node != none && leave + come == 0;
        if (stays ? !keep_nodes(edit.old.nodes, node, agents.begin)
                  : !grow_twig(edit, {agents, node, rest.at, rest.leave.first(leave), rest.come.first(come)}))
            return false;
        rest.at = end;
        rest.leave = rest.leave.subspan(leave);
        rest.come = rest.come.subspan(come);
    }
    nodes_[at].next = static_cast<std::uint32_t>(nodes_.size());
    return true;
}

// Appends a node that stands as it did, with all below it, for agents from `begin` on.
bool OversizedTree::keep_nodes(const simd::Node* nodes, std::uint32_t node, std::uint32_t begin) noexcept {
    const auto at = static_cast<std::uint32_t>(nodes_.size());
    const std::uint32_t count = nodes[node].next - node, further = begin - nodes[node].begin;
    if (!resize_amply(nodes_, std::size_t{at} + count)) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
        simd::Node& taken = nodes_[at + i] = nodes[node + i];
        taken.begin += further;
        taken.end += further;
        taken.next += at - node;
    }
    return true;
}

namespace {

// Copies numbers by the vector: less than a vector behind them is read, and written with anything. Arrays end in a gap of more.
void copy_in_vectors(const std::uint32_t* from, std::size_t count, std::uint32_t* to) noexcept {
    constexpr std::size_t vector = 16;
    for (std::size_t i = 0; i < count; i += vector) std::memcpy(to + i, from + i, vector * sizeof *to);
}

}  // namespace

// What is written behind a run is overwritten by the next one, and then by the agents that come.
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
            const std::array<std::uint32_t, 7> values{corners[0],       corners[1], corners[2],
                                                      corners[3],       agent.id,   agent.label.categories,
                                                      agent.label.group};
            for (std::size_t k = 0; k + 1 < layout.arrays; ++k) to[k * layout.stride] = values[k];
            to[(layout.arrays - 1) * layout.stride] = place_of(*piece.comes);
        }
        to += piece.end - piece.begin;
    }
    return finish_grove(block, count, layout, frame.labelled);
}

}  // namespace throng::detail
