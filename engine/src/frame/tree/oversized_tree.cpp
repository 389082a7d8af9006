#include "engine/src/frame/tree/oversized_tree.hpp"

#include <algorithm>
#include <limits>

#include "base/sample.hpp"
#include "engine/src/frame/row_agents.hpp"
#include "engine/src/frame/row_traits.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"
#include "engine/src/memory/growth.hpp"

namespace throng::detail {

void share_oversized(FrameState& frame, const FrameState& other) noexcept {
    frame.view.oversized = other.view.oversized;
    frame.view.nodes = other.view.nodes;
    frame.view.node_count = other.view.node_count;
    frame.view.groves = other.view.groves;
    frame.view.grove_bounds = other.view.grove_bounds;
    frame.tree_block = other.tree_block;
    frame.nodes = {const_cast<simd::Node*>(other.nodes.data()), other.nodes.size()};
    frame.groves = {const_cast<simd::Grove*>(other.groves.data()), other.groves.size()};
    frame.grove_notes = {const_cast<GroveNote*>(other.grove_notes.data()), other.grove_notes.size()};
    frame.grove_bounds = {const_cast<float*>(other.grove_bounds.data()), other.grove_bounds.size()};
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
                      units = agents + grove_count(frame);
    (void)(agents_.reserve(units) && reserve_amply(keys_, units) && reserve_amply(grove_of_, units) &&
           reserve_amply(before_, units) && reserve_amply(part_, grove_size / 4) &&
           reserve_amply(pieces_, 16) && reserve_amply(left_, grove_count(frame)) &&
           reserve_amply(came_, grove_count(frame)) && reserve_amply(dissolved_, grove_count(frame)) &&
           reserve_amply(edited_, grove_count(frame)) && reserve_amply(joined_, 64) &&
           reserve_amply(made_, grove_count(frame)));
}

void OversizedTree::give_back_excess(std::size_t agents) noexcept {
    const auto release = [agents](auto&... buffers) { (release_excess(buffers, agents), ...); };
    agents_.release_excess(agents);
    release(keys_, other_keys_, before_, grove_of_, part_, pieces_, nodes_, crown_, groves_, notes_, left_,
            came_, dissolved_, edited_, joined_, made_);
}

void OversizedTree::start(simd::Extras extras) noexcept {
    edited_frame_ = nullptr;
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
        tree_ranks.find({&agents_.box(0) + placed, gathered - placed}, ranks.data());
        for (std::size_t k = 0; placed < gathered; ++k, ++placed)
            keys_[placed] = std::uint64_t{ranks[k]} << rank_shift | placed;
    };
    for (const simd::Row& row : frame.rows) {
        if (row.oversized == 0) continue;
        const RowArrays a(row);
        for_each_oversized(row, [&](std::uint32_t i) {
            agents_.box(gathered) = a.box(i);
            agents_.id(gathered) = a.id[i];
            if (frame.labelled()) agents_.traits(gathered) = traits_in(row, frame.extras, i);
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

// --- The tree ----------------------------------------------------------------------------------------------

bool OversizedTree::count_units(const FrameState& before) noexcept {
    const std::size_t units = keys_.size();
    if (!resize_amply(before_, units + 1)) return false;
    before_[0] = 0;
    for (std::size_t i = 0; i < units; ++i)
        before_[i + 1] =
            before_[i] + (grove_of_[i] == none ? 1 : grove_at(before, grove_of_[i]).oversized.count);
    return true;
}

bool OversizedTree::grow(FrameState& frame) noexcept {
    const auto count = static_cast<std::uint32_t>(keys_.size());
    in_one_piece_ = count <= grove_size;
    const std::size_t groves = count / (grove_size / 4) + 8;
    clear_crown();
    const bool enough =
        reserve_amply(groves_, groves) && reserve_amply(notes_, groves) && reserve_amply(crown_, groves);
    return finish(frame, enough && grow_units(frame, nullptr, {0, count, 0, 2 * tree_levels}));
}

void OversizedTree::clear_crown() noexcept {
    crown_.clear();
    groves_.clear();
    notes_.clear();
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

// A leaf is a grove. Until bounds are known, the field for a node's categories holds its depth.
bool OversizedTree::push_crown_node(std::uint32_t depth) noexcept {
    const auto first = static_cast<std::uint32_t>(groves_.size());
    return crown_.push_back({.begin = first, .end = first + 1, .next = 0, .categories = depth});
}

// Appends the crown over all units, which are in the quadrant `whole`, and their groves.
bool OversizedTree::grow_units(const FrameState& frame, const FrameState* before,
                               const QuadRange& whole) noexcept {
    if (!fresh_ && !count_units(*before)) return false;
    const auto is_grove = [&](std::uint32_t begin, std::uint32_t end) {
        return agents_in_units(begin, end) <= grove_size;
    };
    const auto add = [&](const QuadRange& range, bool grove) {
        return push_crown_node(range.depth) &&
               (!grove || plant(frame, before, range.begin, range.end, range.shift));
    };
    const auto full_rank = [this](std::uint64_t key) { return full_rank_of(key); };
    const std::size_t first = crown_.size();
    if (!split_quads<false>({keys_.data(), keys_.size()}, whole, 0, full_rank, is_grove, add)) return false;
    link_nodes(crown_, first);
    bound_nodes(
        {crown_.data(), crown_.size()}, [&](simd::Node& leaf) { set_bounds(leaf, notes_[leaf.begin].root); },
        first);
    return true;
}

// The bounds of the last grove.
void OversizedTree::close_leaf(simd::Node& leaf, std::size_t at) const noexcept {
    leaf.next = static_cast<std::uint32_t>(at + 1);
    set_bounds(leaf, notes_[leaf.begin].root);
}

// One grove: that of the frame before if it has not changed, otherwise a new one.
bool OversizedTree::plant(const FrameState& frame, const FrameState* before, std::uint32_t begin,
                          std::uint32_t end, unsigned shift) noexcept {
    if (!groves_.reserve(groves_.size() + 1) || !notes_.reserve(notes_.size() + 1)) return false;
    ++entries_;
    const auto quadrant_shift = static_cast<std::uint8_t>(shift);
    if (end - begin == 1 && is_grove(begin) && before->groves.size() != 0) {
        (void)groves_.push_back(before->groves[grove_of_[begin]]);
        const GroveNote& note = before->grove_notes[grove_of_[begin]];
        (void)notes_.push_back({note.root, note.block, full_rank_of(keys_[begin]), quadrant_shift});
        return true;
    }
    std::span<const std::uint64_t> keys{keys_.data() + begin, end - begin};
    const auto stays = [](std::uint32_t grove) { return grove != none; };
    if (!fresh_ && std::any_of(grove_of_.begin() + begin, grove_of_.begin() + end, stays)) {
        part_.clear();
        for (std::uint32_t u = begin; u < end; ++u) {
            if (!is_grove(u)) {
                if (!part_.push_back(keys_[u])) return false;
                continue;
            }
            if (!dissolve(*before, grove_of_[u], {}, part_) || !joined_.push_back(grove_of_[u])) return false;
        }
        keys = {part_.data(), part_.size()};
    }
    return make_grove(frame, keys, quadrant_shift);
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

bool OversizedTree::take_crown(FrameState& frame, std::size_t groves, std::size_t nodes) noexcept {
    const CrownLayout layout(groves, nodes);
    Block* const block = blocks_.take(layout.bytes);
    if (block == nullptr) return false;
    frame.tree_block = block;
    frame.groves = {reinterpret_cast<simd::Grove*>(block->memory), groves};
    frame.grove_notes = {reinterpret_cast<GroveNote*>(block->memory + layout.notes), groves};
    frame.grove_bounds = {reinterpret_cast<float*>(block->memory + layout.bounds), sides * layout.stride};
    frame.nodes = {reinterpret_cast<simd::Node*>(block->memory + layout.nodes), nodes};
    for (std::size_t k = 0; k < sides; ++k)
        std::fill(frame.grove_bounds.data() + k * layout.stride + groves,
                  frame.grove_bounds.data() + (k + 1) * layout.stride,
                  std::numeric_limits<float>::quiet_NaN());
    return true;
}

void OversizedTree::note_bounds(FrameState& frame, std::size_t grove) noexcept {
    put_bounds(frame.grove_bounds.data(), frame.grove_bounds.size() / sides, grove,
               frame.grove_notes[grove].root);
}

void OversizedTree::show(FrameState& frame, std::uint32_t agents) noexcept {
    frame.view.oversized = {nullptr, nullptr, 0, agents, 0};
    frame.view.nodes = frame.nodes.data();
    frame.view.node_count = static_cast<std::uint32_t>(frame.nodes.size());
    frame.view.groves = frame.groves.data();
    frame.view.grove_bounds = {frame.grove_bounds.data(), nullptr,
                               static_cast<std::uint32_t>(frame.grove_bounds.size() / sides),
                               static_cast<std::uint32_t>(frame.groves.size()), 0};
}

// Puts the groves and the crown into a block. A single grove is the whole tree.
bool OversizedTree::raise(FrameState& frame) noexcept {
    const std::size_t count = groves_.size();
    if (count == 1) {
        const simd::Grove& grove = groves_[0];
        frame.tree_block = notes_[0].block;
        frame.nodes = {const_cast<simd::Node*>(grove.nodes), grove.node_count};
        frame.view.oversized = grove.oversized;
        frame.view.nodes = grove.nodes;
        frame.view.node_count = grove.node_count;
        return true;
    }
    std::uint32_t agents = 0;
    for (simd::Grove& grove : groves_) {
        grove.first = agents;
        agents += grove.oversized.count;
    }
    if (!take_crown(frame, count, crown_.size())) return false;
    std::copy(groves_.begin(), groves_.end(), frame.groves.begin());
    std::copy(notes_.begin(), notes_.end(), frame.grove_notes.begin());
    for (std::size_t g = 0; g < count; ++g) note_bounds(frame, g);
    std::copy(crown_.begin(), crown_.end(), frame.nodes.begin());
    show(frame, agents);
    return true;
}

}  // namespace throng::detail
