#include "engine/src/frame/tree/oversized_tree.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/sample.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"

namespace throng::detail {

void share_oversized(FrameState& frame, const FrameState& other) noexcept {
    frame.view.oversized = other.view.oversized;
    frame.view.nodes = other.view.nodes;
    frame.view.node_count = other.view.node_count;
    frame.view.groves = other.view.groves;
    frame.view.grove_bounds = other.view.grove_bounds;
    frame.tree_block = other.tree_block;
    frame.nodes = other.nodes;
    frame.groves = other.groves;
    frame.grove_notes = other.grove_notes;
}

std::uint32_t grove_count(const FrameState& frame) noexcept {
    if (frame.groves.size() != 0) return static_cast<std::uint32_t>(frame.groves.size());
    return frame.view.node_count != 0 ? 1 : 0;
}

simd::Grove grove_at(const FrameState& frame, std::uint32_t index) noexcept {
    if (frame.groves.size() != 0) return frame.groves[index];
    return {frame.view.oversized, frame.view.nodes, frame.view.node_count, 0, {}};
}

bool OversizedTree::build(FrameState& frame) noexcept {
    start(frame, nullptr);
    if (!gather(frame)) return false;
    if (keys_.size() == 0) return true;
    if (!sort() || !grow(frame)) return false;
    get_ready_for_edits(frame);
    return true;
}

// Reserves what an edit needs, so the first edit in a settled world allocates nothing. Lack of memory here is
// no failure.
void OversizedTree::get_ready_for_edits(const FrameState& frame) noexcept {
    const std::size_t agents = std::min<std::size_t>(frame.view.oversized.count, 3 * grove_size),
                      groves = grove_count(frame), units = agents + groves;
    (void)(resize_agents(agents) && reserve_amply(keys_, units) && reserve_amply(before_, units) &&
           reserve_amply(part_, grove_size) && reserve_amply(edited_, groves) &&
           reserve_amply(in_groves_, groves));
}

void OversizedTree::start(const FrameState& frame, const FrameState* old) noexcept {
    frame_ = &frame;
    old_ = old;
    old_groves_ = old == nullptr ? 0 : grove_count(*old);
    keys_.clear();
    crown_.clear();
    groves_.clear();
    notes_.clear();
}

bool OversizedTree::resize_agents(std::size_t count) noexcept {
    return resize_amply(boxes_, count) && resize_amply(ids_, count) &&
           (!frame_->labelled() || resize_amply(traits_, count));
}

// --- What the tree is made of ------------------------------------------------------------------------------

// In the order of the rows. Later they are put into the order of ranks.
bool OversizedTree::gather(const FrameState& frame) noexcept {
    std::size_t count = 0;
    for (const simd::Row& row : frame.rows) count += row.oversized;
    if (count == 0) return true;
    if (!resize_agents(count) || !resize_amply(keys_, count)) return false;
    const TreeRanks tree_ranks(frame, frame.tree_marks());
    std::array<std::uint32_t, 64> ranks;
    std::size_t gathered = 0, placed = 0;
    const auto find_ranks = [&] {
        tree_ranks.find({boxes_.data() + placed, gathered - placed}, ranks.data());
        for (std::size_t k = 0; placed < gathered; ++k, ++placed)
            keys_[placed] = std::uint64_t{ranks[k]} << rank_shift | placed;
    };
    for (const simd::Row& row : frame.rows) {
        if (row.oversized == 0) continue;
        for_each_oversized(row, [&](std::uint32_t i) {
            set_agent(gathered, row, i);
            if (++gathered - placed == ranks.size()) find_ranks();
        });
    }
    find_ranks();
    return true;
}

// By rank in the tree, then by id.
bool OversizedTree::sort() noexcept {
    const std::uint64_t* const sorted = sorted_by_upper_half({keys_.data(), keys_.size()});
    if (sorted == nullptr) return false;
    if (sorted != keys_.data()) keys_.swap(other_keys_);
    const std::span<std::uint64_t> keys{keys_.data(), keys_.size()};
    for (std::size_t first = 0, end = 1; first < keys.size(); first = end++) {
        while (end < keys.size() && keys[end] >> rank_shift == keys[first] >> rank_shift) ++end;
        if (end - first > 1 && !sort_one_rank(keys.subspan(first, end - first))) return false;
    }
    return true;
}

// Sorts agents with the same rank by id; the id fits into the bits of the rank. Agents of one row are in
// order already.
bool OversizedTree::sort_one_rank(std::span<std::uint64_t> keys) noexcept {
    const auto are_in_order = [this](std::uint64_t a, std::uint64_t b) { return id_of(a) < id_of(b); };
    if (std::is_sorted(keys.begin(), keys.end(), are_in_order)) return true;
    constexpr std::uint64_t number = 0xFFFFFFFFu;
    const std::uint64_t rank = keys[0] & ~number;
    for (std::uint64_t& key : keys) key = std::uint64_t{id_of(key)} << rank_shift | (key & number);
    const std::uint64_t* const sorted = sorted_by_upper_half(keys);
    for (std::size_t k = 0; k < keys.size() && sorted != nullptr; ++k) keys[k] = rank | (sorted[k] & number);
    return sorted != nullptr;
}

// A stable LSD radix sort by the upper half of the key. Returns the place of the sorted keys, which may be
// the other keys; null if there is no memory.
const std::uint64_t* OversizedTree::sorted_by_upper_half(std::span<std::uint64_t> keys) noexcept {
    constexpr std::size_t max_for_plain_sort = 1024;
    if (keys.size() <= max_for_plain_sort) {
        std::sort(keys.begin(), keys.end());
        return keys.data();
    }
    if (!resize_amply(other_keys_, keys.size())) return nullptr;
    return radix_sort<11>(keys.data(), other_keys_.data(), keys.size(),
                          [](std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); });
}

// --- Groves of the frame before ----------------------------------------------------------------------------

namespace {

// A tree in one piece is a grove that covers everything.
constexpr GroveNote whole_tree{{}, nullptr, 0, 64};
const GroveNote* notes_of(const FrameState& frame) noexcept {
    return frame.groves.size() == 0 ? &whole_tree : frame.grove_notes.data();
}
// Shifted in two halves, since the whole shift may be 64 bits.
std::uint64_t quadrant_of(std::uint64_t full_rank, unsigned shift) noexcept {
    const unsigned half = shift / 2;
    return full_rank >> half >> half;
}
bool in_quadrant(std::uint64_t full_rank, const GroveNote& note) noexcept {
    return quadrant_of(full_rank, note.shift) == quadrant_of(note.first_full_rank, note.shift);
}
bool begins_behind(std::uint64_t full_rank, const GroveNote& note) noexcept {
    return full_rank < note.first_full_rank;
}
// The changes in the quadrant of a grove.
OversizedChanges changes_in(OversizedChanges all, const GroveNote& note) noexcept {
    const std::uint64_t quadrant = quadrant_of(note.first_full_rank, note.shift);
    const auto first_above = [&](std::uint64_t bound) {
        return std::partition_point(all.begin(), all.end(), [&](const OversizedChange& change) {
            return quadrant_of(change.full_rank, note.shift) < bound;
        });
    };
    return {first_above(quadrant), first_above(quadrant + 1)};
}

}  // namespace

std::uint64_t OversizedTree::key_of_grove(std::uint32_t grove) const noexcept {
    return notes_of(*old_)[grove].first_full_rank >> rank_shift << rank_shift | std::uint32_t{~grove};
}
AgentId OversizedTree::id_of(std::uint64_t key) const noexcept {
    return is_grove(key) ? static_cast<AgentId>(notes_of(*old_)[grove_of(key)].first_full_rank)
                         : ids_[number_of(key)];
}

// Goes through a grove after its changes, in the order of ranks: calls `keep(grove, begin, end)` for each run
// of agents that stay, and `bring(change)` for each agent that comes.
template <class Keep, class Bring>
void OversizedTree::for_each_run(std::uint32_t index, Keep&& keep, Bring&& bring) const noexcept {
    const simd::Grove grove = grove_at(*old_, index);
    const std::span ranks = ranks_in(grove, old_->extras);
    const AgentId* const ids = RowArrays(grove.oversized).id;
    const auto count = static_cast<std::uint32_t>(ranks.size());
    std::uint32_t at = 0;
    const auto keep_until = [&](std::uint32_t end) {
        if (at != end) keep(grove, at, end);
        at = end;
    };
    const auto first_from = [&](std::uint64_t full_rank) {
        return first_not(at, count, [&](std::uint32_t i) {
            return (std::uint64_t{ranks[i]} << rank_shift | ids[i]) < full_rank;
        });
    };
    if (!is_edited(index, index + 1)) return keep_until(count);
    const OversizedChanges leaving = changes_in(left_, notes_of(*old_)[index]),
                           coming = changes_in(came_, notes_of(*old_)[index]);
    auto leaves = leaving.begin(), comes = coming.begin();
    while (leaves != leaving.end() || comes != coming.end()) {
        // An agent that comes where one leaves takes its place.
        if (leaves == leaving.end() || (comes != coming.end() && comes->full_rank < leaves->full_rank)) {
            keep_until(first_from(comes->full_rank));
            bring(*comes++);
        } else {
            keep_until(first_from((leaves++)->full_rank));
            ++at;
        }
    }
    keep_until(count);
}

// --- The crown ---------------------------------------------------------------------------------------------

bool OversizedTree::grow(FrameState& frame) noexcept {
    in_one_piece_ = keys_.size() <= grove_size;
    const std::size_t groves = keys_.size() / (grove_size / 4) + 8;
    return finish(frame, reserve_amply(groves_, groves) && reserve_amply(notes_, groves) &&
                             reserve_amply(crown_, groves) && grow_units());
}

// Makes the crown over all units, and their groves.
bool OversizedTree::grow_units() noexcept {
    const auto units = static_cast<std::uint32_t>(keys_.size());
    if (old_ != nullptr && !resize_amply(before_, units + std::size_t{1})) return false;
    for (std::uint32_t i = 0, before = 0; old_ != nullptr && i <= units; ++i) {
        before_[i] = before;
        if (i != units) before += is_grove(keys_[i]) ? agents_after(grove_of(keys_[i])) : 1;
    }
    const auto fits_into_a_grove = [&](std::uint32_t begin, std::uint32_t end) {
        return (old_ == nullptr ? end - begin : before_[end] - before_[begin]) <= grove_size;
    };
    // A leaf is a grove. Until bounds are known, the field for a node's categories holds its depth.
    const auto add = [&](const QuadRange& range, bool grove) {
        const auto first = static_cast<std::uint32_t>(groves_.size());
        return crown_.push_back({.begin = first, .end = first + 1, .categories = range.depth}) &&
               (!grove || plant({keys_.data() + range.begin, range.end - range.begin},
                                static_cast<std::uint8_t>(range.shift)));
    };
    const auto full_rank = [this](std::uint64_t key) { return full_rank_of(key); };
    if (!split_quads<false>({keys_.data(), units}, {0, units, 0, 2 * tree_levels}, 0, full_rank,
                            fits_into_a_grove, add))
        return false;
    link_nodes(crown_);
    return true;
}

namespace {

constexpr std::size_t sides = 4;

// The block of a crown: its groves, the notes on them, their bounds, and its nodes.
struct CrownLayout {
    std::uint32_t stride;
    std::size_t notes, bounds, nodes, bytes;

    CrownLayout(std::size_t groves, std::size_t node_count) noexcept
        : stride(RowLayout(groves, 0, simd::Extras::none).stride),
          notes(lines(groves * sizeof(simd::Grove))),
          bounds(notes + lines(groves * sizeof(GroveNote))),
          nodes(bounds + lines(sides * stride * sizeof(float))),
          bytes(nodes + node_count * sizeof(simd::Node)) {}

private:
    static std::size_t lines(std::size_t bytes) noexcept { return (bytes + 63) / 64 * 64; }
};

}  // namespace

// One grove: that of the frame before if it has not changed, otherwise a new one.
bool OversizedTree::plant(std::span<const std::uint64_t> units, std::uint8_t shift) noexcept {
    if (!groves_.reserve(groves_.size() + 1) || !notes_.reserve(notes_.size() + 1)) return false;
    ++entries_;
    if (const std::uint32_t g = grove_of(units[0]);
        units.size() == 1 && is_grove(units[0]) && !is_edited(g, g + 1)) {
        const GroveNote& note = old_->grove_notes[g];
        return groves_.push_back(old_->groves[g]) &&
               notes_.push_back({note.root, note.block, note.first_full_rank, shift});
    }
    const Planted made = make_grove(units, shift);
    return made.note.block != nullptr && groves_.push_back(made.grove) && notes_.push_back(made.note);
}

// Gives a frame a block for a crown and its groves, which are still to be written.
bool OversizedTree::take_crown(FrameState& frame, std::size_t groves, std::size_t nodes) noexcept {
    const CrownLayout layout(groves, nodes);
    Block* const block = blocks_.take(layout.bytes);
    if (block == nullptr) return false;
    frame.tree_block = block;
    frame.groves = {reinterpret_cast<simd::Grove*>(block->memory), groves};
    frame.grove_notes = {reinterpret_cast<GroveNote*>(block->memory + layout.notes), groves};
    frame.nodes = {reinterpret_cast<simd::Node*>(block->memory + layout.nodes), nodes};
    frame.view.groves = frame.groves.data();
    frame.view.grove_bounds = {reinterpret_cast<float*>(block->memory + layout.bounds), nullptr,
                               layout.stride, static_cast<std::uint32_t>(groves), 0};
    return true;
}

// Numbers the agents of all groves, and bounds what is new: the groves and nodes of which `is_new(begin,
// end)` says so. Children come after their parent.
template <class IsNew>
void OversizedTree::finish_crown(FrameState& frame, IsNew&& is_new) noexcept {
    const simd::Row& bounds = frame.view.grove_bounds;
    std::uint32_t agents = 0;
    for (std::uint32_t g = 0; g < bounds.count; ++g) {
        frame.groves[g].first = agents;
        agents += frame.groves[g].oversized.count;
        if (is_new(g, g + 1))
            put_bounds(const_cast<float*>(bounds.data), bounds.stride, g, frame.grove_notes[g].root);
    }
    for (std::size_t i = frame.nodes.size(); i-- > 0;) {
        simd::Node& node = frame.nodes[i];
        if (!is_new(node.begin, node.end)) continue;
        if (node.next == i + 1)
            set_bounds(node, frame.grove_notes[node.begin].root);
        else
            bound_inner(frame.nodes.data(), i);
    }
    frame.view.oversized = {nullptr, nullptr, 0, agents, 0};
    frame.view.nodes = frame.nodes.data();
    frame.view.node_count = static_cast<std::uint32_t>(frame.nodes.size());
}

// A single grove is the whole tree.
bool OversizedTree::raise(FrameState& frame) noexcept {
    if (groves_.size() == 1) {
        const simd::Grove& grove = groves_[0];
        frame.tree_block = notes_[0].block;
        frame.nodes = {const_cast<simd::Node*>(grove.nodes), grove.node_count};
        frame.view.oversized = grove.oversized;
        frame.view.nodes = grove.nodes;
        frame.view.node_count = grove.node_count;
        return true;
    }
    if (!take_crown(frame, groves_.size(), crown_.size())) return false;
    std::copy(groves_.begin(), groves_.end(), frame.groves.begin());
    std::copy(notes_.begin(), notes_.end(), frame.grove_notes.begin());
    std::copy(crown_.begin(), crown_.end(), frame.nodes.begin());
    const simd::Row& bounds = frame.view.grove_bounds;
    for (std::size_t k = 0; k < sides; ++k)
        std::fill(const_cast<float*>(bounds.data) + k * bounds.stride + bounds.count,
                  const_cast<float*>(bounds.data) + (k + 1) * bounds.stride, simd::not_a_number);
    finish_crown(frame, [](std::uint32_t, std::uint32_t) { return true; });
    return true;
}

// `enough` tells whether there was memory for the crown and its groves.
bool OversizedTree::finish(FrameState& frame, bool enough) noexcept {
    enough = enough && (groves_.size() == 0 || raise(frame));
    // Groves that were already made are freed with the frame.
    if (!enough && frame.tree_block == nullptr)
        for (const GroveNote& note : notes_)
            if (note.block->rows == 0) blocks_.put_back(note.block);
    return enough;
}

// --- A grove -----------------------------------------------------------------------------------------------

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
        std::fill(data + k * stride + count, data + (k + 1) * stride, simd::not_a_number);
    std::fill(begins + count, begins + stride, nodes[0].end);
    return {data, nullptr, stride, count, 0};
}

}  // namespace

// Over the agents of some units.
OversizedTree::Planted OversizedTree::make_grove(std::span<const std::uint64_t> units,
                                                 std::uint8_t shift) noexcept {
    if (old_ != nullptr && !reserve_amply(part_, grove_size)) return {};
    const std::span keys = old_ == nullptr ? units : list_agents(units);
    const std::size_t count = keys.size();
    steps_ += count;
    nodes_.clear();
    if (!reserve_amply(nodes_, count / 4) || !make_nodes<grove_size>(keys, leaf_size, nodes_)) return {};
    const GroveLayout layout(count, {nodes_.data(), nodes_.size()}, frame_->extras, in_one_piece_);
    Block* const block = blocks_.take(layout.bytes);
    if (block == nullptr) return {};
    const std::size_t stride = layout.stride;
    auto* const data = reinterpret_cast<float*>(block->memory);
    write_agents(units, RowWriter(data, layout.stride, frame_->extras));
    auto* const ranks = reinterpret_cast<std::uint32_t*>(data + (layout.arrays - 1) * stride);
    for (std::size_t i = 0; i < count; ++i) ranks[i] = static_cast<std::uint32_t>(keys[i] >> rank_shift);
    for (std::size_t k = 0; k < layout.arrays; ++k)
        std::fill(data + k * stride + count, data + (k + 1) * stride, k < 5 ? simd::not_a_number : 0.0f);
    const std::span nodes(reinterpret_cast<simd::Node*>(data + layout.arrays * stride), nodes_.size());
    std::copy(nodes_.begin(), nodes_.end(), nodes.begin());
    const simd::Row row{data, nullptr, layout.stride, static_cast<std::uint32_t>(count), 0};
    bound_nodes(nodes, [&](simd::Node& leaf) { bound_leaf(leaf, row, frame_->labelled()); });
    auto* const leaves = reinterpret_cast<float*>(block->memory + layout.leaves);
    return {{row, nodes.data(), static_cast<std::uint32_t>(nodes.size()), 0,
             in_one_piece_ ? simd::Row{} : list_leaves(leaves, layout.leaf_stride, nodes)},
            {nodes[0], block, std::uint64_t{ranks[0]} << rank_shift | RowArrays(row).id[0], shift}};
}

// The keys of the agents in some units.
std::span<const std::uint64_t> OversizedTree::list_agents(std::span<const std::uint64_t> units) noexcept {
    part_.clear();
    for (const std::uint64_t unit : units) {
        if (!is_grove(unit)) {
            (void)part_.push_back(unit);
            continue;
        }
        for_each_run(
            grove_of(unit),
            [this](const simd::Grove& grove, std::uint32_t begin, std::uint32_t end) {
                const std::size_t from = part_.size();
                const std::span ranks = ranks_in(grove, old_->extras).subspan(begin, end - begin);
                (void)part_.resize(from + ranks.size());
                for (std::size_t i = 0; i < ranks.size(); ++i)
                    part_[from + i] = std::uint64_t{ranks[i]} << rank_shift;
            },
            [this](const OversizedChange& change) { (void)part_.push_back(change.full_rank); });
    }
    return {part_.data(), part_.size()};
}

void OversizedTree::write_agents(std::span<const std::uint64_t> units, RowWriter to) const noexcept {
    const bool labelled = frame_->labelled();
    for (const std::uint64_t unit : units) {
        if (is_grove(unit)) {
            to = write_grove(grove_of(unit), to);
            continue;
        }
        to.put(boxes_[number_of(unit)], ids_[number_of(unit)]);
        if (labelled) to.traits(traits_[number_of(unit)]);
    }
}

// Apart, so that the writer of a new tree stays in registers.
THRONG_NOINLINE RowWriter OversizedTree::write_grove(std::uint32_t index, RowWriter to) const noexcept {
    for_each_run(
        index,
        [&](const simd::Grove& grove, std::uint32_t begin, std::uint32_t end) {
            to.copy(grove.oversized, begin, end);
        },
        [&](const OversizedChange& change) { to.copy(frame_->rows[change.row], change.at, change.at + 1); });
    return to;
}

// --- Edits -------------------------------------------------------------------------------------------------

namespace {

// Finds each agent that leaves or comes, puts its rank before its id, and sorts them.
void rank(const FrameState& frame, const TreeRanks& tree_ranks, std::span<OversizedChange> changes) noexcept {
    std::array<Box, 64> boxes;
    std::array<std::uint32_t, boxes.size()> ranks;
    for (std::size_t first = 0; first < changes.size(); first += boxes.size()) {
        const std::span some = changes.subspan(first, std::min(boxes.size(), changes.size() - first));
        for (std::size_t k = 0; k < some.size(); ++k) {
            const simd::Row& row = frame.rows[some[k].row];
            some[k].at = slot_in_tail(row, static_cast<AgentId>(some[k].full_rank));
            boxes[k] = RowArrays(row).box(some[k].at);
        }
        tree_ranks.find({boxes.data(), some.size()}, ranks.data());
        for (std::size_t k = 0; k < some.size(); ++k)
            some[k].full_rank |= std::uint64_t{ranks[k]} << rank_shift;
    }
    std::sort(changes.begin(), changes.end(),
              [](const OversizedChange& a, const OversizedChange& b) { return a.full_rank < b.full_rank; });
}

}  // namespace

bool OversizedTree::edit(FrameState& frame, const FrameState& before, const OversizedEdits& edits) noexcept {
    const std::size_t max_edits = before.groves.size() == 0 ? 8 : before.view.oversized.count / 8;
    // If most of the tree changes, all of it is built again.
    if (grove_count(before) == 0 || edits.count > max_edits) return build(frame);
    start(frame, &before);
    edited_.clear();
    if (!resize_amply(edited_, old_groves_ + std::size_t{1}, 0u) ||
        !resize_amply(in_groves_, old_groves_ + std::size_t{1}))
        return false;
    const TreeRanks tree_ranks(before, before.tree_marks());
    rank(before, tree_ranks, edits.left);
    rank(frame, tree_ranks, edits.came);
    left_ = edits.left;
    came_ = edits.came;
    in_one_piece_ =
        before.groves.size() == 0 && before.view.oversized.count + came_.size() <= grove_size + left_.size();
    return keeps_crown() ? replant(frame) : finish(frame, regrow());
}

// Counts the changes and the agents of each grove. Returns whether a new crown would divide the agents as
// that of the frame before does: each agent that comes belongs to a grove, no grove is empty or too full
// then, and no node's groves fit into one.
bool OversizedTree::keeps_crown() noexcept {
    bool keeps = old_->groves.size() != 0;
    in_groves_[0] = 0;
    for (std::uint32_t g = 0; g < old_groves_; ++g) in_groves_[g + 1] = grove_at(*old_, g).oversized.count;
    const auto count = [&](OversizedChanges changes, std::uint32_t more) {
        const GroveNote *const notes = notes_of(*old_), *const end = notes + old_groves_, *own = notes;
        for (const OversizedChange& change : changes) {
            // The last one that begins by there, or the next, if the agent comes first in its quadrant.
            own = std::upper_bound(own + 1, end, change.full_rank, begins_behind) - 1;
            own += own + 1 != end && in_quadrant(change.full_rank, own[1]);
            if (in_quadrant(change.full_rank, *own)) {
                in_groves_[static_cast<std::size_t>(own - notes) + 1] += more;
                ++edited_[static_cast<std::size_t>(own - notes) + 1];
            } else {
                keeps = false;
            }
        }
    };
    count(left_, ~0u);
    count(came_, 1);
    for (std::uint32_t g = 0; g < old_groves_; ++g) {
        keeps = keeps && in_groves_[g + 1] != 0 && in_groves_[g + 1] <= grove_size;
        in_groves_[g + 1] += in_groves_[g];
        edited_[g + 1] += edited_[g];
    }
    return keeps && std::all_of(old_->nodes.begin(), old_->nodes.end(), [&](const simd::Node& node) {
               return node.end - node.begin == 1 ||
                      in_groves_[node.end] - in_groves_[node.begin] > grove_size;
           });
}

// Copies the crown, and makes the edited groves again. If there is no memory, those are freed with the frame.
bool OversizedTree::replant(FrameState& frame) noexcept {
    const std::size_t nodes = old_->nodes.size();
    if (!take_crown(frame, old_groves_, nodes)) return false;
    std::memcpy(frame.tree_block->memory, old_->tree_block->memory, CrownLayout(old_groves_, nodes).bytes);
    for (std::uint32_t g = 0; g < old_groves_; ++g) {
        if (!is_edited(g, g + 1)) continue;
        ++entries_;
        const std::uint64_t unit = key_of_grove(g);
        const Planted made = make_grove({&unit, 1}, old_->grove_notes[g].shift);
        if (made.note.block == nullptr) return false;
        frame.groves[g] = made.grove;
        frame.grove_notes[g] = made.note;
    }
    finish_crown(frame, [this](std::uint32_t begin, std::uint32_t end) { return is_edited(begin, end); });
    return true;
}

// The tree as if it were built from scratch, except that unchanged groves stay. Agents become loose that come
// where no grove was, and those of a grove that gets too full.
bool OversizedTree::regrow() noexcept {
    std::size_t agent = 0;
    const auto add = [&](const simd::Row& row, std::uint32_t slot, std::uint32_t rank) {
        set_agent(agent, row, slot);
        (void)keys_.push_back(std::uint64_t{rank} << rank_shift | agent++);
    };
    const auto bring = [&](const OversizedChange& change) {
        add(frame_->rows[change.row], change.at, static_cast<std::uint32_t>(change.full_rank >> rank_shift));
    };
    const auto keep = [&](const simd::Grove& grove, std::uint32_t begin, std::uint32_t end) {
        for (; begin != end; ++begin) add(grove.oversized, begin, ranks_in(grove, old_->extras)[begin]);
    };
    const OversizedChange *next = came_.data(), *const behind = next + came_.size();
    for (std::uint32_t g = 0; g < old_groves_; ++g) {
        const OversizedChanges coming = changes_in(came_, notes_of(*old_)[g]);
        const std::size_t most = agent + agents_after(g) + came_.size();
        if (!reserve_amply(keys_, g + most + 1) || !resize_agents(most)) return false;
        while (next != coming.data()) bring(*next++);
        if (agents_after(g) > grove_size)
            for_each_run(g, keep, bring);
        else if (agents_after(g) != 0)
            (void)keys_.push_back(key_of_grove(g));
        next += coming.size();
    }
    while (next != behind) bring(*next++);
    return keys_.size() == 0 || grow_units();
}

}  // namespace throng::detail
