// Edits of the tree over the oversized agents: only groves that lose or gain an agent are made again, and of the crown only
// what is above those that are no longer groves of the same quadrants.
#include <algorithm>
#include <array>
#include <bit>

#include "engine/src/frame/curve.hpp"
#include "engine/src/frame/oversized_tree.hpp"
#include "engine/src/frame/row_labels.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/store.hpp"
#include "engine/src/frame/tree_nodes.hpp"
#include "engine/src/memory/scratch.hpp"

namespace throng::detail {

namespace {

using Changes = std::span<const GiantChange>;

// The place of an agent in the tail of its row.
std::uint32_t place_in_tail(const simd::Row& row, AgentId id) noexcept {
    const AgentId* ids = RowArrays(row).id;
    const AgentId* begin = ids + oversized_begin(row);
    return static_cast<std::uint32_t>(std::lower_bound(begin, begin + row.oversized, id) - ids);
}
// A tree in one piece is a grove that covers everything.
GroveNote note_of(const FrameState& frame, std::uint32_t grove) noexcept {
    return frame.groves.size() == 0 ? GroveNote{{}, nullptr, 0, 64} : frame.grove_notes[grove];
}
// The last grove that begins at or before a rank.
std::uint32_t last_grove_from(const FrameState& frame, std::uint64_t rank) noexcept {
    std::uint32_t low = 0, high = grove_count(frame);
    while (high - low > 1) {
        const std::uint32_t middle = (low + high) / 2;
        (note_of(frame, middle).first_rank <= rank ? low : high) = middle;
    }
    return low;
}
// Shifted in two halves, since the whole shift may be 64 bits.
std::uint64_t quadrant_of(std::uint64_t rank, unsigned shift) noexcept {
    const unsigned half = shift / 2;
    return rank >> half >> half;
}
bool in_quadrant(std::uint64_t rank, const GroveNote& note) noexcept {
    return quadrant_of(rank, note.shift) == quadrant_of(note.first_rank, note.shift);
}
// Those in the quadrant of a rank.
Changes changes_in(Changes all, std::uint64_t rank, unsigned shift) noexcept {
    const std::uint64_t quadrant = quadrant_of(rank, shift);
    const auto* begin = std::partition_point(all.data(), all.data() + all.size(), [&](const GiantChange& c) {
        return quadrant_of(c.rank, shift) < quadrant;
    });
    const auto* end = std::partition_point(begin, all.data() + all.size(), [&](const GiantChange& c) {
        return quadrant_of(c.rank, shift) == quadrant;
    });
    return {begin, end};
}
Changes changes_in(Changes all, const GroveNote& note) noexcept {
    return changes_in(all, note.first_rank, note.shift);
}
// A rank shifted by this is the quadrant that some groves, which are all below one node, have in common.
unsigned shift_around(const FrameState& frame, std::uint32_t begin, std::uint32_t end) noexcept {
    const std::uint64_t differing =
        frame.grove_notes[begin].first_rank ^ frame.grove_notes[end - 1].first_rank;
    return (static_cast<unsigned>(std::bit_width(differing)) + 1) / 2 * 2;
}
std::size_t agents_in_groves(const FrameState& frame, std::uint32_t begin, std::uint32_t end) noexcept {
    if (frame.groves.size() == 0) return frame.view.oversized.count;
    const simd::Grove& last = frame.groves[end - 1];
    return last.first + last.oversized.count - frame.groves[begin].first;
}

}  // namespace

bool OversizedTree::edit(FrameState& frame, const FrameState& before,
                         std::span<const GiantEdit> edits) noexcept {
    const std::size_t few = before.groves.size() == 0 ? 8 : before.view.oversized.count / 8;
    // If most of the tree changes, all of it is built again.
    if (grove_count(before) == 0 || edits.size() > few) return build(frame);
    start();
    fresh_ = false;
    if (!note_changes(frame, before, edits)) return false;
    if (keeps_crown(before)) return patch(frame, before);
    const Bough all{0, 0, grove_count(before), left(), came(), 0, 2 * tree_levels};
    clear_crown();
    return finish(frame, regrow(frame, before, all));
}

// --- What changes ------------------------------------------------------------------------------------------

// By rank; and which groves lose or gain agents.
bool OversizedTree::note_changes(const FrameState& frame, const FrameState& before,
                                 std::span<const GiantEdit> edits) noexcept {
    const Curve curve(before.map, before.tree_marks());
    const std::uint32_t groves = grove_count(before);
    left_.clear();
    came_.clear();
    dissolved_.clear();
    if (!resize_amply(dissolved_, groves, std::uint8_t{0}) || !reserve_amply(left_, edits.size()) ||
        !reserve_amply(came_, edits.size()))
        return false;
    new_quadrant_ = false;
    for (const GiantEdit& edit : edits) {
        if (edit.was) {
            const simd::Row& row = before.rows[edit.row];
            const std::uint32_t at = place_in_tail(row, edit.id);
            const std::uint64_t rank = curve(RowArrays(row).box(at)) << place_shift | edit.id;
            dissolved_[last_grove_from(before, rank)] = 1;
            (void)left_.push_back({rank, edit.row, at});
        }
        if (!edit.is) continue;
        const simd::Row& row = frame.rows[edit.row];
        const std::uint32_t place = place_in_tail(row, edit.id);
        const std::uint64_t rank = curve(RowArrays(row).box(place)) << place_shift | edit.id;
        const std::uint32_t at = last_grove_from(before, rank);
        bool found = false;
        for (std::uint32_t g = at; g < groves && g <= at + 1; ++g)
            if (in_quadrant(rank, note_of(before, g))) dissolved_[g] = found = true;
        new_quadrant_ = new_quadrant_ || !found;
        (void)came_.push_back({rank, edit.row, place});
    }
    const auto by_rank = [](const GiantChange& a, const GiantChange& b) { return a.rank < b.rank; };
    std::sort(left_.begin(), left_.end(), by_rank);
    std::sort(came_.begin(), came_.end(), by_rank);
    return true;
}

OversizedTree::Giant OversizedTree::giant_of(const FrameState& frame,
                                             const GiantChange& change) const noexcept {
    const simd::Row& row = frame.rows[change.row];
    return {RowArrays(row).box(change.at), static_cast<AgentId>(change.rank),
            frame.labelled ? RowLabels(row).label(change.at) : Label{}};
}

// --- Under the old crown -----------------------------------------------------------------------------------

// Whether the groves keep their quadrants and their number: so it is unless one gets too many agents or too
// few, or its surrounding quadrants too few. A false negative is allowed.
bool OversizedTree::keeps_crown(const FrameState& before) const noexcept {
    if (before.groves.size() == 0 || new_quadrant_) return false;
    for (std::uint32_t g = 0; g < before.groves.size(); ++g) {
        if (dissolved_[g] == 0) continue;
        const GroveNote& note = before.grove_notes[g];
        const std::size_t agents = before.groves[g].oversized.count + changes_in(came(), note).size() -
                                   changes_in(left(), note).size();
        if (agents == 0 || agents > grove_size) return false;
        const simd::Node& around = before.nodes[path_to(before.nodes.data(), g).parent()];
        const unsigned shift = shift_around(before, around.begin, around.end);
        if (agents_in_groves(before, around.begin, around.end) +
                changes_in(came(), note.first_rank, shift).size() <=
            grove_size + changes_in(left(), note.first_rank, shift).size())
            return false;
    }
    return true;
}

// Copies the crown and all groves, except those that are made again and the bounds above them.
bool OversizedTree::patch(FrameState& frame, const FrameState& before) noexcept {
    groves_.clear();
    notes_.clear();
    const std::uint32_t count = grove_count(before);
    if (!take_crown(frame, count, before.nodes.size())) return false;
    std::copy(before.groves.begin(), before.groves.end(), frame.groves.begin());
    std::copy(before.grove_notes.begin(), before.grove_notes.end(), frame.grove_notes.begin());
    std::copy(before.nodes.begin(), before.nodes.end(), frame.nodes.begin());
    std::uint32_t agents = 0;
    for (std::uint32_t g = 0; g < count; ++g) {
        frame.groves[g].first = agents;
        if (dissolved_[g] != 0) {
            if (!edit_grove(frame, before, g)) return false;
            frame.groves[g] = groves_[groves_.size() - 1];
            frame.groves[g].first = agents;
            frame.grove_notes[g] = notes_[notes_.size() - 1];
            const Path path = path_to(frame.nodes.data(), g);
            set_bounds(frame.nodes[path.nodes[path.length - 1]], frame.grove_notes[g].root);
            for (std::size_t i = path.length - 1; i-- > 0;) bound_inner(frame.nodes.data(), path.nodes[i]);
        }
        agents += frame.groves[g].oversized.count;
    }
    show(frame, agents);
    return true;
}

// A grove without the agents that leave it, and with those that come. Some are left.
bool OversizedTree::edit_grove(const FrameState& frame, const FrameState& before,
                               std::uint32_t grove) noexcept {
    if (!keys_after(frame, before, grove) || !reserve_amply(groves_, groves_.size() + 1) ||
        !reserve_amply(notes_, notes_.size() + 1))
        return false;
    steps_ += keys_.size();
    nodes_.clear();
    const std::span<const std::uint64_t> keys{keys_.data(), keys_.size()};
    if (!reserve_amply(nodes_, keys.size() / 4) || !make_nodes(keys, leaf_size, nodes_)) return false;
    Block* block = frame.store->take(GroveLayout(keys.size(), nodes_.size(), frame.labelled).bytes);
    if (block == nullptr) return false;
    const simd::Grove& old = before.groves[grove];
    (void)groves_.push_back(emit_edited(old, *block, frame.labelled));
    const auto& made = groves_[groves_.size() - 1];
    const std::uint64_t first = keys[0] >> place_shift << place_shift | RowArrays(made.oversized).id[0];
    (void)notes_.push_back({made.nodes[0], block, first, before.grove_notes[grove].shift});
    return true;
}

// The place of each agent, then its number in the grove as it was, or behind those in the list of those that come.
bool OversizedTree::keys_after(const FrameState& frame, const FrameState& before,
                               std::uint32_t grove) noexcept {
    const simd::Grove& old = before.groves[grove];
    const std::uint32_t* places = places_in(old, before.labelled);
    const AgentId* ids = RowArrays(old.oversized).id;
    const std::uint32_t count = old.oversized.count;
    const Changes left_here = changes_in(left(), before.grove_notes[grove]),
                  came_here = changes_in(came(), before.grove_notes[grove]);
    agents_.clear();
    keys_.clear();
    if (!reserve_amply(agents_, came_here.size()) || !reserve_amply(keys_, count + came_here.size()))
        return false;
    const GiantChange *leaves = left_here.data(), *comes = came_here.data();
    const GiantChange *const left_end = leaves + left_here.size(), *const came_end = comes + came_here.size();
    const auto come = [&] {
        (void)keys_.push_back(comes->rank >> place_shift << place_shift | (count + agents_.size()));
        (void)agents_.push_back(giant_of(frame, *comes++));
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t place = std::uint64_t{places[i]} << place_shift, rank = place | ids[i];
        while (comes != came_end && comes->rank < rank) come();
        if (leaves != left_end && leaves->rank == rank)
            ++leaves;
        else
            (void)keys_.push_back(place | i);
    }
    while (comes != came_end) come();
    return true;
}

// Runs of agents that stay in their order are copied.
simd::Grove OversizedTree::emit_edited(const simd::Grove& old, Block& block, bool labelled) const noexcept {
    const GroveLayout layout(keys_.size(), nodes_.size(), labelled);
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

// --- Where the crown changes -------------------------------------------------------------------------------

// Appends a part of the crown as it is after the edits. What stands as it did is taken over.
bool OversizedTree::regrow(const FrameState& frame, const FrameState& before, const Bough& bough) noexcept {
    const std::size_t agents =
        agents_in_groves(before, bough.begin, bough.end) + bough.came.size() - bough.left.size();
    if (before.groves.size() == 0) return regrow_from_units(frame, before, bough);
    if (bough.end - bough.begin == 1) {
        if (agents > grove_size) return regrow_from_units(frame, before, bough);
        if (!push_crown_node(bough.depth)) return false;
        if (!bough.left.empty() || !bough.came.empty()) return edit_grove(frame, before, bough.begin);
        return groves_.push_back(before.groves[bough.begin]) &&
               notes_.push_back(before.grove_notes[bough.begin]);
    }
    std::array<Bough, 4> children;
    const std::size_t count = children_of(before, bough, children);
    std::size_t came = 0;
    bool stays = agents > grove_size;
    for (const Bough& child : std::span(children.data(), count)) {
        came += child.came.size();
        stays =
            stays && agents_in_groves(before, child.begin, child.end) + child.came.size() > child.left.size();
    }
    if (!stays || came != bough.came.size()) return regrow_from_units(frame, before, bough);
    if (!push_crown_node(bough.depth)) return false;
    return std::all_of(children.data(), children.data() + count,
                       [&](const Bough& child) { return regrow(frame, before, child); });
}

// The quadrants into which a node divides its groves.
std::size_t OversizedTree::children_of(const FrameState& before, const Bough& bough,
                                       std::array<Bough, 4>& children) noexcept {
    const simd::Node* nodes = before.nodes.data();
    const unsigned shift = shift_around(before, bough.begin, bough.end) - 2;
    std::size_t count = 0;
    for (std::uint32_t n = bough.node + 1; n < nodes[bough.node].next; n = nodes[n].next) {
        const std::uint64_t rank = before.grove_notes[nodes[n].begin].first_rank;
        children[count++] = {n,
                             nodes[n].begin,
                             nodes[n].end,
                             changes_in(bough.left, rank, shift),
                             changes_in(bough.came, rank, shift),
                             bough.depth + 1,
                             shift};
    }
    return count;
}

// A part of the crown as if it were built from scratch, but for the groves that do not change.
bool OversizedTree::regrow_from_units(const FrameState& frame, const FrameState& before,
                                      const Bough& bough) noexcept {
    start();
    for (std::uint32_t g = bough.begin; g < bough.end; ++g)
        if (dissolved_[g] == 0 ? !push_grove(before, g)
                               : !dissolve(before, g, changes_in(left(), note_of(before, g)), keys_) ||
                                     !grove_of_.resize(keys_.size(), none))
            return false;
    if (!insert(frame, bough.came)) return false;
    const auto units = static_cast<std::uint32_t>(keys_.size());
    return units == 0 || grow_units(frame, &before, {0, units, bough.depth, bough.shift});
}

bool OversizedTree::push_unit(std::uint64_t key, std::uint32_t grove) noexcept {
    return keys_.push_back(key) && grove_of_.push_back(grove);
}

// A grove that is kept, with an entry for the id of its first agent.
bool OversizedTree::push_grove(const FrameState& before, std::uint32_t grove) noexcept {
    const std::uint64_t rank = note_of(before, grove).first_rank;
    return push_unit(rank >> place_shift << place_shift | agents_.size(), grove) &&
           agents_.push_back({{}, static_cast<AgentId>(rank), {}});
}

// Adds the keys of a grove's agents, except those that leave; they are loose from now on.
bool OversizedTree::dissolve(const FrameState& before, std::uint32_t index, Changes left,
                             Buffer<std::uint64_t>& keys) noexcept {
    const simd::Grove grove = grove_at(before, index);
    const std::uint32_t* places = places_in(grove, before.labelled);
    const RowArrays a(grove.oversized);
    const RowLabels labels(grove.oversized);
    const std::uint32_t count = grove.oversized.count;
    steps_ += count;
    if (!reserve_amply(keys, keys.size() + count) || !reserve_amply(agents_, agents_.size() + count))
        return false;
    const GiantChange *leaves = left.data(), *const left_end = leaves + left.size();
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint64_t place = std::uint64_t{places[i]} << place_shift;
        if (leaves != left_end && leaves->rank == (place | a.id[i])) {
            ++leaves;
            continue;
        }
        (void)keys.push_back(place | agents_.size());
        (void)agents_.push_back({a.box(i), a.id[i], before.labelled ? labels.label(i) : Label{}});
    }
    return true;
}

// Inserts agents into the units by rank, as if all had been gathered.
bool OversizedTree::insert(const FrameState& frame, Changes changes) noexcept {
    std::size_t from = keys_.size(), to = from + changes.size();
    if (!resize_amply(keys_, to) || !resize_amply(grove_of_, to) ||
        !reserve_amply(agents_, agents_.size() + changes.size()))
        return false;
    for (std::size_t k = changes.size(); k-- > 0;) {
        const std::uint64_t rank = changes[k].rank;
        for (; from != 0 && rank_of(frame, keys_[from - 1]) > rank; --from) {
            keys_[--to] = keys_[from - 1];
            grove_of_[to] = grove_of_[from - 1];
        }
        keys_[--to] = rank >> place_shift << place_shift | agents_.size();
        grove_of_[to] = none;
        (void)agents_.push_back(giant_of(frame, changes[k]));
    }
    return true;
}

}  // namespace throng::detail
