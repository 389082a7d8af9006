#include "engine/src/frame/tree/oversized_tree.hpp"

#include <algorithm>
#include <array>
#include <limits>

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
    start(frame.extras);
    fresh_ = true;
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
    (void)(agents_.reserve(units) && reserve_amply(keys_, units) && reserve_amply(grove_of_, units) &&
           reserve_amply(before_, units) && reserve_amply(part_, grove_size / 4) &&
           reserve_amply(left_, groves) && reserve_amply(came_, groves) && reserve_amply(edited_, groves));
}

void OversizedTree::start(simd::Extras extras) noexcept {
    agents_.clear(extras);
    keys_.clear();
    grove_of_.clear();
}

// --- What the tree is made of ------------------------------------------------------------------------------

// In the order of the rows. Later they are put into the order of ranks.
bool OversizedTree::gather(const FrameState& frame) noexcept {
    std::size_t count = 0;
    for (const simd::Row& row : frame.rows) count += row.oversized;
    if (count == 0) return true;
    if (!agents_.resize(count) || !resize_amply(keys_, count)) return false;
    const TreeRanks tree_ranks(frame, frame.tree_marks());
    std::array<std::uint32_t, 64> ranks;
    std::size_t gathered = 0, placed = 0;
    const auto find_ranks = [&] {
        tree_ranks.find({agents_.boxes.data() + placed, gathered - placed}, ranks.data());
        for (std::size_t k = 0; placed < gathered; ++k, ++placed)
            keys_[placed] = std::uint64_t{ranks[k]} << rank_shift | placed;
    };
    for (const simd::Row& row : frame.rows) {
        if (row.oversized == 0) continue;
        const RowArrays a(row);
        for_each_oversized(row, [&](std::uint32_t i) {
            agents_.set(gathered, a, row, i);
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

// --- The crown ---------------------------------------------------------------------------------------------

void OversizedTree::clear_crown() noexcept {
    crown_.clear();
    groves_.clear();
    notes_.clear();
}

bool OversizedTree::grow(FrameState& frame) noexcept {
    in_one_piece_ = keys_.size() <= grove_size;
    const std::size_t groves = keys_.size() / (grove_size / 4) + 8;
    clear_crown();
    const bool enough =
        reserve_amply(groves_, groves) && reserve_amply(notes_, groves) && reserve_amply(crown_, groves);
    return finish(frame, enough && grow_units(nullptr));
}

bool OversizedTree::count_units(const FrameState& before) noexcept {
    const std::size_t units = keys_.size();
    if (!resize_amply(before_, units + 1)) return false;
    before_[0] = 0;
    for (std::size_t i = 0; i < units; ++i)
        before_[i + 1] =
            before_[i] + (grove_of_[i] == none ? 1 : grove_at(before, grove_of_[i]).oversized.count);
    return true;
}

// Makes the crown over all units, and their groves.
bool OversizedTree::grow_units(const FrameState* before) noexcept {
    if (!fresh_ && !count_units(*before)) return false;
    const auto is_grove = [&](std::uint32_t begin, std::uint32_t end) {
        return agents_in_units(begin, end) <= grove_size;
    };
    const auto add = [&](const QuadRange& range, bool grove) {
        return push_crown_node(range.depth) &&
               (!grove || plant(before, range.begin, range.end, static_cast<std::uint8_t>(range.shift)));
    };
    const auto full_rank = [this](std::uint64_t key) { return full_rank_of(key); };
    const auto units = static_cast<std::uint32_t>(keys_.size());
    if (!split_quads<false>({keys_.data(), units}, {0, units, 0, 2 * tree_levels}, 0, full_rank, is_grove,
                            add))
        return false;
    link_nodes(crown_);
    bound_crown();
    return true;
}

// A leaf is a grove. Until bounds are known, the field for a node's categories holds its depth.
bool OversizedTree::push_crown_node(std::uint32_t depth) noexcept {
    const auto first = static_cast<std::uint32_t>(groves_.size());
    return crown_.push_back({.begin = first, .end = first + 1, .next = 0, .categories = depth});
}

void OversizedTree::bound_crown() noexcept {
    bound_nodes({crown_.data(), crown_.size()},
                [&](simd::Node& leaf) { set_bounds(leaf, notes_[leaf.begin].root); });
}

// One grove: that of the frame before if it has not changed, otherwise a new one.
bool OversizedTree::plant(const FrameState* before, std::uint32_t begin, std::uint32_t end,
                          std::uint8_t shift) noexcept {
    if (!groves_.reserve(groves_.size() + 1) || !notes_.reserve(notes_.size() + 1)) return false;
    ++entries_;
    if (end - begin == 1 && is_grove(begin) && before->groves.size() != 0) {
        const GroveNote& note = before->grove_notes[grove_of_[begin]];
        return groves_.push_back(before->groves[grove_of_[begin]]) &&
               notes_.push_back({note.root, note.block, note.first_full_rank, shift});
    }
    std::span<const std::uint64_t> keys{keys_.data() + begin, end - begin};
    const auto stays = [](std::uint32_t grove) { return grove != none; };
    if (!fresh_ && std::any_of(grove_of_.begin() + begin, grove_of_.begin() + end, stays)) {
        part_.clear();
        for (std::uint32_t u = begin; u < end; ++u)
            if (!(is_grove(u) ? list_agents(*before, grove_of_[u], part_) : part_.push_back(keys_[u])))
                return false;
        keys = {part_.data(), part_.size()};
    }
    const Planted made = make_grove(keys, shift);
    return made.note.block != nullptr && groves_.push_back(made.grove) && notes_.push_back(made.note);
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

// Puts the crown and the list of its groves into a block.
bool OversizedTree::take_crown(FrameState& frame) noexcept {
    const std::size_t groves = groves_.size();
    const CrownLayout layout(groves, crown_.size());
    Block* const block = blocks_.take(layout.bytes);
    if (block == nullptr) return false;
    frame.tree_block = block;
    frame.groves = {reinterpret_cast<simd::Grove*>(block->memory), groves};
    frame.grove_notes = {reinterpret_cast<GroveNote*>(block->memory + layout.notes), groves};
    frame.nodes = {reinterpret_cast<simd::Node*>(block->memory + layout.nodes), crown_.size()};
    std::uint32_t agents = 0;
    for (simd::Grove& grove : groves_) {
        grove.first = agents;
        agents += grove.oversized.count;
    }
    std::copy(groves_.begin(), groves_.end(), frame.groves.begin());
    std::copy(notes_.begin(), notes_.end(), frame.grove_notes.begin());
    std::copy(crown_.begin(), crown_.end(), frame.nodes.begin());
    auto* const bounds = reinterpret_cast<float*>(block->memory + layout.bounds);
    for (std::size_t g = 0; g < groves; ++g) put_bounds(bounds, layout.stride, g, notes_[g].root);
    for (std::size_t k = 0; k < sides; ++k)
        std::fill(bounds + k * layout.stride + groves, bounds + (k + 1) * layout.stride,
                  std::numeric_limits<float>::quiet_NaN());
    frame.view.oversized = {nullptr, nullptr, 0, agents, 0};
    frame.view.groves = frame.groves.data();
    frame.view.grove_bounds = {bounds, nullptr, layout.stride, static_cast<std::uint32_t>(groves), 0};
    return true;
}

// A single grove is the whole tree.
bool OversizedTree::raise(FrameState& frame) noexcept {
    if (groves_.size() == 1) {
        const simd::Grove& grove = groves_[0];
        frame.tree_block = notes_[0].block;
        frame.nodes = {const_cast<simd::Node*>(grove.nodes), grove.node_count};
        frame.view.oversized = grove.oversized;
    } else if (!take_crown(frame)) {
        return false;
    }
    frame.view.nodes = frame.nodes.data();
    frame.view.node_count = static_cast<std::uint32_t>(frame.nodes.size());
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

OversizedTree::Planted OversizedTree::make_grove(std::span<const std::uint64_t> keys,
                                                 std::uint8_t shift) noexcept {
    steps_ += keys.size();
    nodes_.clear();
    if (!reserve_amply(nodes_, keys.size() / 4) || !make_nodes<grove_size>(keys, leaf_size, nodes_))
        return {};
    const GroveLayout layout(keys.size(), {nodes_.data(), nodes_.size()}, agents_.extras, in_one_piece_);
    Block* const block = blocks_.take(layout.bytes);
    if (block == nullptr) return {};
    const simd::Grove grove = emit(*block, keys, layout);
    return {grove, {grove.nodes[0], block, full_rank_of(keys[0]), shift}};
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

// Writes the arrays of the agents with these keys, padded after the last, the nodes, and their leaves.
simd::Grove OversizedTree::emit(Block& block, std::span<const std::uint64_t> keys,
                                const GroveLayout& layout) const noexcept {
    const std::size_t stride = layout.stride, count = keys.size();
    auto* const data = reinterpret_cast<float*>(block.memory);
    auto* const words = reinterpret_cast<std::uint32_t*>(block.memory);
    std::uint32_t* const ranks = words + (layout.arrays - 1) * stride;
    for (std::size_t i = 0; i < count; ++i) {
        const Box& box = agents_.boxes[number_of(keys[i])];
        data[i] = box.min_x;
        data[stride + i] = box.min_y;
        data[2 * stride + i] = box.max_x;
        data[3 * stride + i] = box.max_y;
        words[4 * stride + i] = id_of(keys[i]);
        ranks[i] = static_cast<std::uint32_t>(keys[i] >> rank_shift);
    }
    const bool labelled = has_labels(agents_.extras);
    for (std::size_t i = 0; i < count && labelled; ++i) {
        const Traits& traits = agents_.traits[number_of(keys[i])];
        words[5 * stride + i] = traits.label.categories;
        words[6 * stride + i] = traits.label.group;
        if (!has_heights(agents_.extras)) continue;
        data[7 * stride + i] = traits.height.min_z;
        data[8 * stride + i] = traits.height.max_z;
    }
    for (std::size_t k = 0; k < layout.arrays; ++k)
        std::fill(data + k * stride + count, data + (k + 1) * stride,
                  k < 5 ? std::numeric_limits<float>::quiet_NaN() : 0.0f);
    const std::span nodes(reinterpret_cast<simd::Node*>(data + layout.arrays * stride), nodes_.size());
    std::copy(nodes_.begin(), nodes_.end(), nodes.begin());
    const simd::Row row{data, nullptr, layout.stride, static_cast<std::uint32_t>(count), 0};
    bound_nodes(nodes, [&](simd::Node& leaf) { bound_leaf(leaf, row, labelled); });
    auto* const leaves = reinterpret_cast<float*>(block.memory + layout.leaves);
    return {row, nodes.data(), static_cast<std::uint32_t>(nodes.size()), 0,
            in_one_piece_ ? simd::Row{} : list_leaves(leaves, layout.leaf_stride, nodes)};
}

// --- Edits -------------------------------------------------------------------------------------------------

namespace {

// A tree in one piece is a grove that covers everything.
GroveNote note_of(const FrameState& frame, std::uint32_t grove) noexcept {
    return frame.groves.size() == 0 ? GroveNote{{}, nullptr, 0, 64} : frame.grove_notes[grove];
}
// The last grove that begins at or before a full rank, or the first of all, if it is not before this one.
std::uint32_t last_grove_from(const FrameState& frame, std::uint64_t full_rank, std::uint32_t low) noexcept {
    const std::uint32_t groves = grove_count(frame);
    const auto begins_by = [&](std::uint32_t grove) {
        return note_of(frame, grove).first_full_rank <= full_rank;
    };
    std::uint32_t step = 1;
    for (; step < groves - low && begins_by(low + step); step *= 2) low += step;
    for (std::uint32_t high = std::min(groves - low, step) + low; high - low > 1;) {
        const std::uint32_t middle = (low + high) / 2;
        (begins_by(middle) ? low : high) = middle;
    }
    return low;
}
// Shifted in two halves, since the whole shift may be 64 bits.
std::uint64_t quadrant_of(std::uint64_t full_rank, unsigned shift) noexcept {
    const unsigned half = shift / 2;
    return full_rank >> half >> half;
}
bool in_quadrant(std::uint64_t full_rank, const GroveNote& note) noexcept {
    return quadrant_of(full_rank, note.shift) == quadrant_of(note.first_full_rank, note.shift);
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

// Gives each agent that leaves or comes its rank, before its id, and sorts them.
void rank(const FrameState& frame, const TreeRanks& tree_ranks, std::span<OversizedChange> changes) noexcept {
    std::array<Box, 64> boxes;
    std::array<std::uint32_t, boxes.size()> ranks;
    for (std::size_t first = 0; first < changes.size(); first += boxes.size()) {
        const std::span some = changes.subspan(first, std::min(boxes.size(), changes.size() - first));
        for (std::size_t k = 0; k < some.size(); ++k)
            boxes[k] = RowArrays(frame.rows[some[k].row]).box(some[k].at);
        tree_ranks.find({boxes.data(), some.size()}, ranks.data());
        for (std::size_t k = 0; k < some.size(); ++k)
            some[k].full_rank |= std::uint64_t{ranks[k]} << rank_shift;
    }
    std::sort(changes.begin(), changes.end(),
              [](const OversizedChange& a, const OversizedChange& b) { return a.full_rank < b.full_rank; });
}

}  // namespace

bool OversizedTree::edit(FrameState& frame, const FrameState& before,
                         std::span<const OversizedEdit> edits) noexcept {
    const std::size_t max_edits = before.groves.size() == 0 ? 8 : before.view.oversized.count / 8;
    // If most of the tree changes, all of it is built again.
    if (grove_count(before) == 0 || edits.size() > max_edits) return build(frame);
    fresh_ = false;
    if (!note_changes(frame, before, edits)) return false;
    in_one_piece_ =
        before.groves.size() == 0 && before.view.oversized.count + came_.size() <= grove_size + left_.size();
    clear_crown();
    return finish(frame, keeps_crown(before) ? replant(frame, before) : regrow(frame, before));
}

// By full rank.
bool OversizedTree::note_changes(const FrameState& frame, const FrameState& before,
                                 std::span<const OversizedEdit> edits) noexcept {
    const std::uint32_t groves = grove_count(before);
    left_.clear();
    came_.clear();
    edited_.clear();
    if (!resize_amply(edited_, groves, std::uint8_t{0}) || !resize_amply(before_, groves + std::size_t{1}) ||
        !reserve_amply(left_, edits.size()) || !reserve_amply(came_, edits.size()))
        return false;
    for (const OversizedEdit& edit : edits) {
        if (edit.was)
            (void)left_.push_back({edit.id, edit.row, slot_in_tail(before.rows[edit.row], edit.id)});
        if (edit.is) (void)came_.push_back({edit.id, edit.row, slot_in_tail(frame.rows[edit.row], edit.id)});
    }
    const TreeRanks tree_ranks(before, before.tree_marks());
    rank(before, tree_ranks, {left_.data(), left_.size()});
    rank(frame, tree_ranks, {came_.data(), came_.size()});
    return true;
}

// Notes which groves lose or gain agents. Returns whether a new crown would divide the agents as that of the
// frame before does: each agent that comes belongs to a grove, no grove is empty or too full then, and no
// node's groves fit into one.
bool OversizedTree::keeps_crown(const FrameState& before) noexcept {
    const std::uint32_t groves = grove_count(before);
    bool keeps = before.groves.size() != 0;
    before_[0] = 0;
    for (std::uint32_t g = 0; g < groves; ++g) before_[g + 1] = grove_at(before, g).oversized.count;
    std::uint32_t at = 0;
    for (const OversizedChange& change : left_) {
        at = last_grove_from(before, change.full_rank, at);
        edited_[at] = 1;
        --before_[at + 1];
    }
    at = 0;
    for (const OversizedChange& change : came_) {
        at = last_grove_from(before, change.full_rank, at);
        const bool is_behind = at + 1 < groves && in_quadrant(change.full_rank, note_of(before, at + 1));
        const std::uint32_t own = at + is_behind;
        if (in_quadrant(change.full_rank, note_of(before, own))) {
            edited_[own] = 1;
            ++before_[own + 1];
        } else {
            keeps = false;
        }
    }
    for (std::uint32_t g = 0; g < groves; ++g) {
        keeps = keeps && before_[g + 1] != 0 && before_[g + 1] <= grove_size;
        before_[g + 1] += before_[g];
    }
    return keeps && std::all_of(before.nodes.begin(), before.nodes.end(), [&](const simd::Node& node) {
               return node.end - node.begin == 1 || before_[node.end] - before_[node.begin] > grove_size;
           });
}

// Makes the edited groves again, below the same crown.
bool OversizedTree::replant(const FrameState& frame, const FrameState& before) noexcept {
    const std::size_t groves = before.groves.size();
    if (!resize_amply(crown_, before.nodes.size()) || !resize_amply(groves_, groves) ||
        !resize_amply(notes_, groves))
        return false;
    std::copy(before.nodes.begin(), before.nodes.end(), crown_.begin());
    std::copy(before.groves.begin(), before.groves.end(), groves_.begin());
    std::copy(before.grove_notes.begin(), before.grove_notes.end(), notes_.begin());
    for (std::uint32_t g = 0; g < groves; ++g) {
        if (edited_[g] == 0) continue;
        ++entries_;
        const GroveNote& note = before.grove_notes[g];
        start(frame.extras);
        if (!dissolve(before, g) || !insert(frame, changes_in(came(), note))) return false;
        const Planted made = make_grove({keys_.data(), keys_.size()}, note.shift);
        if (made.note.block == nullptr) return false;
        groves_[g] = made.grove;
        notes_[g] = made.note;
    }
    bound_crown();
    return true;
}

// The tree as if it were built from scratch, except that unchanged groves stay.
bool OversizedTree::regrow(const FrameState& frame, const FrameState& before) noexcept {
    start(frame.extras);
    for (std::uint32_t g = 0; g < grove_count(before); ++g)
        if (!(edited_[g] == 0 ? push_grove(before, g) : dissolve(before, g))) return false;
    return insert(frame, came()) && (keys_.size() == 0 || grow_units(&before));
}

// A grove that is kept, with an entry for the id of its first agent.
bool OversizedTree::push_grove(const FrameState& before, std::uint32_t grove) noexcept {
    const std::uint64_t full_rank = note_of(before, grove).first_full_rank;
    const std::size_t entry = agents_.ids.size();
    if (!agents_.resize(entry + 1)) return false;
    agents_.ids[entry] = static_cast<AgentId>(full_rank);
    return keys_.push_back(full_rank >> rank_shift << rank_shift | entry) && grove_of_.push_back(grove);
}

// Adds the keys of a grove's agents, except those that leave. They are loose from now on.
bool OversizedTree::list_agents(const FrameState& before, std::uint32_t index,
                                Buffer<std::uint64_t>& keys) noexcept {
    const simd::Grove grove = grove_at(before, index);
    const OversizedChanges leaving = changes_in(left(), note_of(before, index));
    const std::uint32_t* const ranks = ranks_in(grove, before.extras);
    const RowArrays a(grove.oversized);
    std::size_t key = keys.size(), agent = agents_.ids.size();
    const std::size_t count = grove.oversized.count;
    if (!resize_amply(keys, key + count) || !agents_.resize(agent + count)) return false;
    auto leaves = leaving.begin();
    for (std::uint32_t i = 0; i < grove.oversized.count; ++i) {
        const std::uint64_t rank = std::uint64_t{ranks[i]} << rank_shift;
        if (leaves != leaving.end() && leaves->full_rank == (rank | a.id[i])) {
            ++leaves;
            continue;
        }
        keys[key++] = rank | agent;
        agents_.set(agent++, a, grove.oversized, i);
    }
    return keys.resize(key) && agents_.resize(agent);
}
// To the units.
bool OversizedTree::dissolve(const FrameState& before, std::uint32_t grove) noexcept {
    return list_agents(before, grove, keys_) && resize_amply(grove_of_, keys_.size(), none);
}

// Inserts agents into the units by full rank, as if all had been gathered.
bool OversizedTree::insert(const FrameState& frame, OversizedChanges changes) noexcept {
    std::size_t from = keys_.size(), to = from + changes.size(), agent = agents_.ids.size();
    if (!resize_amply(keys_, to) || !resize_amply(grove_of_, to) || !agents_.resize(agent + changes.size()))
        return false;
    for (std::size_t k = changes.size(); k-- > 0;) {
        const std::uint64_t full_rank = changes[k].full_rank;
        for (; from != 0 && full_rank_of(keys_[from - 1]) > full_rank; --from) {
            keys_[--to] = keys_[from - 1];
            grove_of_[to] = grove_of_[from - 1];
        }
        const simd::Row& row = frame.rows[changes[k].row];
        agents_.set(agent, RowArrays(row), row, changes[k].at);
        keys_[--to] = full_rank >> rank_shift << rank_shift | agent++;
        grove_of_[to] = none;
    }
    return true;
}

}  // namespace throng::detail
