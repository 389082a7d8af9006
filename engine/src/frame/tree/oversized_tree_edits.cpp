// Edits of the tree over the oversized agents. Only groves that lose or gain an agent are made again. If a
// grove no longer has its quadrant, the crown above it is made again, too.
#include <algorithm>
#include <array>
#include <bit>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/row_traits.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/frame/tree/tree_nodes.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"
#include "engine/src/memory/growth.hpp"

namespace throng::detail {

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
bool in_quadrant(std::uint64_t full_rank, const GroveNote& note) noexcept {
    return quadrant_of(full_rank, note.shift) == quadrant_of(note.first_full_rank, note.shift);
}
// Two full ranks differ in these bits: shifted by this, a full rank is their common quadrant.
unsigned shift_of(std::uint64_t differing) noexcept {
    return (static_cast<unsigned>(std::bit_width(differing)) + 1) / 2 * 2;
}
// The same for some groves, all below one node.
unsigned shift_around(const FrameState& frame, std::uint32_t begin, std::uint32_t end) noexcept {
    return shift_of(frame.grove_notes[begin].first_full_rank ^ frame.grove_notes[end - 1].first_full_rank);
}
std::size_t agents_in_groves(const FrameState& frame, std::uint32_t begin, std::uint32_t end) noexcept {
    if (frame.groves.size() == 0) return frame.view.oversized.count;
    const simd::Grove& last = frame.groves[end - 1];
    return last.first + last.oversized.count - frame.groves[begin].first;
}

}  // namespace

bool OversizedTree::edit(FrameState& frame, const FrameState& before,
                         std::span<const OversizedEdit> edits) noexcept {
    const std::size_t max_edits = before.groves.size() == 0 ? 8 : before.view.oversized.count / 8;
    // If most of the tree changes, all of it is built again.
    if (grove_count(before) == 0 || edits.size() > max_edits) return build(frame);
    start(frame.extras);
    fresh_ = false;
    if (!note_changes(frame, before, edits)) return false;
    in_one_piece_ =
        before.groves.size() == 0 && before.view.oversized.count + came_.size() <= grove_size + left_.size();
    const Bough all{0, 0, grove_count(before), left(), came(), 2 * tree_levels};
    clear_crown();
    if (!finish(frame, regrow(frame, before, all))) return false;
    edited_frame_ = &frame;
    return true;
}

// --- What changes ------------------------------------------------------------------------------------------

void OversizedTree::note_edited(std::uint32_t grove) noexcept {
    if (dissolved_[grove] == 0) (void)edited_.push_back(grove);
    dissolved_[grove] = 1;
}

namespace {

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

// By full rank; and which groves lose or gain agents.
bool OversizedTree::note_changes(const FrameState& frame, const FrameState& before,
                                 std::span<const OversizedEdit> edits) noexcept {
    const std::uint32_t groves = grove_count(before);
    left_.clear();
    came_.clear();
    dissolved_.clear();
    edited_.clear();
    if (!resize_amply(dissolved_, groves, std::uint8_t{0}) ||
        !reserve_amply(edited_, std::min<std::size_t>(groves, 3 * edits.size())) ||
        !reserve_amply(left_, edits.size()) || !reserve_amply(came_, edits.size()))
        return false;
    joined_.clear();
    made_.clear();
    for (const OversizedEdit& edit : edits) {
        if (edit.was)
            (void)left_.push_back({edit.id, edit.row, slot_in_tail(before.rows[edit.row], edit.id)});
        if (edit.is) (void)came_.push_back({edit.id, edit.row, slot_in_tail(frame.rows[edit.row], edit.id)});
    }
    const TreeRanks tree_ranks(before, before.tree_marks());
    rank(before, tree_ranks, {left_.data(), left_.size()});
    rank(frame, tree_ranks, {came_.data(), came_.size()});
    note_groves(before);
    return true;
}

// In the order of ranks, so in that of the groves.
void OversizedTree::note_groves(const FrameState& before) noexcept {
    const OversizedChange *leaves = left_.begin(), *comes = came_.begin();
    std::uint32_t at = 0;
    asked_ = 0;
    while (leaves != left_.end() || comes != came_.end()) {
        const bool is_left =
            comes == came_.end() || (leaves != left_.end() && leaves->full_rank <= comes->full_rank);
        const std::uint64_t full_rank = (is_left ? leaves++ : comes++)->full_rank;
        at = last_grove_from(before, full_rank, at);
        if (is_left || in_quadrant(full_rank, note_of(before, at)))
            note_edited(at);
        else if (at + 1 < grove_count(before) && in_quadrant(full_rank, note_of(before, at + 1)))
            note_edited(at + 1);
    }
}

// --- Where the crown changes -------------------------------------------------------------------------------

// Appends a part of the crown as it is after the edits. Unchanged parts are taken over.
bool OversizedTree::regrow(const FrameState& frame, const FrameState& before, const Bough& bough) noexcept {
    const bool is_grove = bough.end - bough.begin == 1;
    const std::size_t agents = agents_after(before, bough);
    if (bough.begin == bough.end || (is_grove ? agents > grove_size : agents <= grove_size) ||
        before.groves.size() == 0)
        return regrow_from_units(frame, before, bough);
    if (bough.left.empty() && bough.came.empty()) return take_over(before, bough);
    const std::size_t at = crown_.size();
    if (is_grove) {
        if (!push_crown_node(0) || !edit_grove(frame, before, bough.begin)) return false;
        close_leaf(crown_[at], at);
        return true;
    }
    std::array<Bough, 4> children;
    const std::size_t count = children_of(before, bough, children);
    if (count == 1) {
        children[0].shift = bough.shift;
        return regrow(frame, before, children[0]);
    }
    if (!push_crown_node(0) || !std::all_of(children.data(), children.data() + count,
                                            [&](const Bough& child) { return regrow(frame, before, child); }))
        return false;
    crown_[at].next = static_cast<std::uint32_t>(crown_.size());
    bound_inner(crown_.data(), at);
    return true;
}

// As many as the bough has then.
std::size_t OversizedTree::agents_after(const FrameState& before, const Bough& bough) noexcept {
    const std::size_t agents =
        bough.begin == bough.end ? 0 : agents_in_groves(before, bough.begin, bough.end);
    return agents + bough.came.size() - bough.left.size();
}

// The quadrants into which a node divides its groves and the agents that come. If some come from outside of
// its own quadrant, the smallest quadrant around all is divided, and the node is in one of its parts. A
// quadrant without agents is left out.
std::size_t OversizedTree::children_of(const FrameState& before, const Bough& bough,
                                       std::array<Bough, 4>& children) noexcept {
    const simd::Node* nodes = before.nodes.data();
    const unsigned own = shift_around(before, bough.begin, bough.end);
    const std::uint64_t first = before.grove_notes[bough.begin].first_full_rank;
    unsigned around = own;
    if (!bough.came.empty())
        around = std::max({own, shift_of(first ^ bough.came.front().full_rank),
                           shift_of(first ^ bough.came.back().full_rank)});
    const unsigned shift = around - 2;
    std::uint32_t n = around == own ? bough.node + 1 : bough.node;
    const std::uint32_t end = nodes[bough.node].next;
    std::size_t count = 0;
    for (std::uint64_t part = 0; part < 4; ++part) {
        const std::uint64_t quadrant = quadrant_of(first, around) << 2 | part, full_rank = quadrant << shift;
        Bough child{
            n,    0, 0, changes_in(bough.left, full_rank, shift), changes_in(bough.came, full_rank, shift),
            shift};
        if (n != end && quadrant_of(before.grove_notes[nodes[n].begin].first_full_rank, shift) == quadrant) {
            child.begin = nodes[n].begin;
            child.end = nodes[n].end;
            n = nodes[n].next;
        }
        if (agents_after(before, child) != 0) children[count++] = child;
    }
    return count;
}

// An unchanged part of the crown.
bool OversizedTree::take_over(const FrameState& before, const Bough& bough) noexcept {
    const auto node = static_cast<std::uint32_t>(crown_.size()),
               grove = static_cast<std::uint32_t>(groves_.size());
    const std::uint32_t nodes = before.nodes[bough.node].next - bough.node, groves = bough.end - bough.begin;
    if (!resize_amply(crown_, std::size_t{node} + nodes) ||
        !resize_amply(groves_, std::size_t{grove} + groves) ||
        !resize_amply(notes_, std::size_t{grove} + groves))
        return false;
    ++entries_;
    std::copy_n(before.groves.data() + bough.begin, groves, groves_.data() + grove);
    std::copy_n(before.grove_notes.data() + bough.begin, groves, notes_.data() + grove);
    for (std::uint32_t i = 0; i < nodes; ++i) {
        simd::Node moved = before.nodes[bough.node + i];
        moved.begin += grove - bough.begin;
        moved.end += grove - bough.begin;
        moved.next += node - bough.node;
        crown_[node + i] = moved;
    }
    return true;
}

// A part of the crown as if it were built from scratch, except that unchanged groves stay.
bool OversizedTree::regrow_from_units(const FrameState& frame, const FrameState& before,
                                      const Bough& bough) noexcept {
    start(frame.extras);
    entries_ += bough.end - bough.begin;
    for (std::uint32_t g = bough.begin; g < bough.end; ++g)
        if (dissolved_[g] == 0 ? !push_grove(before, g)
                               : !dissolve(before, g, changes_in(left(), note_of(before, g)), keys_) ||
                                     !grove_of_.resize(keys_.size(), none))
            return false;
    if (!insert(frame, bough.came)) return false;
    const auto units = static_cast<std::uint32_t>(keys_.size());
    return units == 0 || grow_units(frame, &before, {0, units, 0, bough.shift});
}

bool OversizedTree::push_unit(std::uint64_t key, std::uint32_t grove) noexcept {
    return keys_.push_back(key) && grove_of_.push_back(grove);
}

// A grove that is kept, with an entry for the id of its first agent.
bool OversizedTree::push_grove(const FrameState& before, std::uint32_t grove) noexcept {
    const std::uint64_t full_rank = note_of(before, grove).first_full_rank;
    return push_unit(full_rank >> rank_shift << rank_shift | agents_.size(), grove) &&
           agents_.push_back({{}, static_cast<AgentId>(full_rank), {}});
}

// Adds the keys of a grove's agents, except those that leave. They are loose from now on.
bool OversizedTree::dissolve(const FrameState& before, std::uint32_t index, OversizedChanges left,
                             Buffer<std::uint64_t>& keys) noexcept {
    const simd::Grove grove = grove_at(before, index);
    const std::uint32_t* ranks = ranks_in(grove, before.extras);
    const RowArrays a(grove.oversized);
    const std::uint32_t count = grove.oversized.count;
    steps_ += count;
    if (!reserve_amply(keys, keys.size() + count) || !agents_.reserve(agents_.size() + count)) return false;
    const OversizedChange *leaves = left.data(), *const left_end = leaves + left.size();
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t rank = std::uint64_t{ranks[i]} << rank_shift;
        if (leaves != left_end && leaves->full_rank == (rank | a.id[i])) {
            ++leaves;
            continue;
        }
        (void)keys.push_back(rank | agents_.size());
        (void)agents_.push_back({a.box(i), a.id[i], traits_in(grove.oversized, before.extras, i)});
    }
    return true;
}

// Inserts agents into the units by full rank, as if all had been gathered.
bool OversizedTree::insert(const FrameState& frame, OversizedChanges changes) noexcept {
    std::size_t from = keys_.size(), to = from + changes.size();
    if (!resize_amply(keys_, to) || !resize_amply(grove_of_, to) ||
        !agents_.reserve(agents_.size() + changes.size()))
        return false;
    for (std::size_t k = changes.size(); k-- > 0;) {
        const std::uint64_t full_rank = changes[k].full_rank;
        for (; from != 0 && full_rank_of(keys_[from - 1]) > full_rank; --from) {
            keys_[--to] = keys_[from - 1];
            grove_of_[to] = grove_of_[from - 1];
        }
        keys_[--to] = full_rank >> rank_shift << rank_shift | agents_.size();
        grove_of_[to] = none;
        (void)agents_.push_back(agent_of(frame, changes[k]));
    }
    return true;
}

}  // namespace throng::detail
