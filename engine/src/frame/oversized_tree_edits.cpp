// Edits of the tree over the oversized agents: only groves that lose or gain an agent are rebuilt.
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
bool in_quadrant(std::uint64_t rank, const GroveNote& note) noexcept {
    const unsigned half = note.shift / 2u;
    return rank >> half >> half == note.first_rank >> half >> half;
}

}  // namespace

bool OversizedTree::edit(FrameState& frame, const FrameState& before,
                         std::span<const GiantEdit> edits) noexcept {
    const std::uint32_t groves = grove_count(before);
    // If most groves change, all are rebuilt.
    if (groves == 0 || edits.size() > 8 + groves / 4) return build(frame);
    start();
    fresh_ = false;
    dissolved_.clear();
    removed_.clear();
    if (!resize_amply(dissolved_, groves, std::uint8_t{0}) || !reserve_amply(removed_, edits.size()))
        return false;
    note_dissolved(frame, before, edits);
    if (keeps_crown(before, edits.size())) return patch(frame, before, edits);
    if (!gather_edited(frame, before, edits)) return false;
    return keys_.size() == 0 || grow(frame, &before);
}

// --- Loose agents and kept groves --------------------------------------------------------------------------

bool OversizedTree::push_unit(std::uint64_t key, std::uint32_t grove) noexcept {
    return keys_.push_back(key) && grove_of_.push_back(grove);
}

// A grove that is kept, with an entry for the id of its first agent.
bool OversizedTree::push_grove(const FrameState& before, std::uint32_t grove) noexcept {
    const std::uint64_t rank = note_of(before, grove).first_rank;
    return push_unit(rank >> place_shift << place_shift | agents_.size(), grove) &&
           agents_.push_back({{}, static_cast<AgentId>(rank), {}});
}

// Adds the keys of a grove's agents, except the edited ones; these agents are loose from now on.
bool OversizedTree::dissolve(const FrameState& before, std::uint32_t index, std::span<const AgentId> but,
                             Buffer<std::uint64_t>& keys) noexcept {
    const simd::Grove grove = grove_at(before, index);
    const std::uint32_t* places = places_in(grove, before.labelled);
    const RowArrays a(grove.oversized);
    const RowLabels labels(grove.oversized);
    const std::uint32_t count = grove.oversized.count;
    steps_ += count;
    if (!reserve_amply(keys, keys.size() + count) || !reserve_amply(agents_, agents_.size() + count))
        return false;
    const auto left_out = [&](AgentId id) {
        return but.size() == 1 ? id == but[0] : std::binary_search(but.begin(), but.end(), id);
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        if (left_out(a.id[i])) continue;
        const Giant giant{a.box(i), a.id[i], before.labelled ? labels.label(i) : Label{}};
        if (!keys.push_back(std::uint64_t{places[i]} << place_shift | agents_.size()) ||
            !agents_.push_back(giant))
            return false;
    }
    return true;
}

// Inserts into the units by place on the curve, then by id, as if all had been gathered.
bool OversizedTree::insert(const FrameState& frame, const GiantEdit& edit) noexcept {
    const simd::Row& row = frame.rows[edit.row];
    const std::uint32_t at = place_in_tail(row, edit.id);
    const Giant giant{RowArrays(row).box(at), edit.id, frame.labelled ? RowLabels(row).label(at) : Label{}};
    const std::uint64_t place = Curve(frame.map, frame.tree_marks())(giant.box),
                        rank = place << place_shift | edit.id;
    const auto unit = static_cast<std::size_t>(
        std::partition_point(keys_.begin(), keys_.end(),
                             [&](std::uint64_t key) { return rank_of(frame, key) < rank; }) -
        keys_.begin());
    if (!push_unit(place << 32 | agents_.size(), none) || !agents_.push_back(giant)) return false;
    std::rotate(keys_.begin() + unit, keys_.end() - 1, keys_.end());
    std::rotate(grove_of_.begin() + unit, grove_of_.end() - 1, grove_of_.end());
    return true;
}

// Marks the groves that an edit takes from or adds to as dissolved; all others are kept.
void OversizedTree::note_dissolved(const FrameState& frame, const FrameState& before,
                                   std::span<const GiantEdit> edits) noexcept {
    const Curve curve(before.map, before.tree_marks());
    const std::uint32_t groves = grove_count(before);
    new_quadrant_ = false;
    for (const GiantEdit& edit : edits) {
        if (edit.was) {
            const simd::Row& row = before.rows[edit.row];
            const Box box = RowArrays(row).box(place_in_tail(row, edit.id));
            dissolved_[last_grove_from(before, curve(box) << place_shift | edit.id)] = 1;
            (void)removed_.push_back(edit.id);
        }
        if (!edit.is) continue;
        const simd::Row& row = frame.rows[edit.row];
        const Box box = RowArrays(row).box(place_in_tail(row, edit.id));
        const std::uint64_t rank = curve(box) << place_shift | edit.id;
        const std::uint32_t at = last_grove_from(before, rank);
        bool found = false;
        for (std::uint32_t g = at; g < groves && g <= at + 1; ++g)
            if (in_quadrant(rank, note_of(before, g))) dissolved_[g] = found = true;
        new_quadrant_ = new_quadrant_ || !found;
    }
    std::sort(removed_.begin(), removed_.end());
}

bool OversizedTree::gather_edited(const FrameState& frame, const FrameState& before,
                                  std::span<const GiantEdit> edits) noexcept {
    for (std::uint32_t g = 0; g < grove_count(before); ++g)
        if (dissolved_[g] == 0 ? !push_grove(before, g)
                               : !dissolve(before, g, {removed_.data(), removed_.size()}, keys_) ||
                                     !grove_of_.resize(keys_.size(), none))
            return false;
    for (const GiantEdit& edit : edits)
        if (edit.is && !insert(frame, edit)) return false;
    return true;
}

// --- Under the old crown -----------------------------------------------------------------------------------

// Whether the groves keep their quadrants and their number: so it is unless one gets too many agents or too
// few, or its surrounding quadrants too few. A false negative is allowed.
bool OversizedTree::keeps_crown(const FrameState& before, std::size_t edits) const noexcept {
    if (before.groves.size() == 0 || new_quadrant_) return false;
    for (std::uint32_t g = 0; g < before.groves.size(); ++g) {
        if (dissolved_[g] == 0) continue;
        const std::size_t agents = before.groves[g].oversized.count;
        const simd::Node& around = before.nodes[path_to(before.nodes.data(), g).parent()];
        const simd::Grove& last = before.groves[around.end - 1];
        const std::size_t agents_around =
            last.first + last.oversized.count - before.groves[around.begin].first;
        if (agents + edits > grove_size || agents <= edits || agents_around <= grove_size + edits)
            return false;
    }
    return true;
}

// Copies the crown and all groves, except those that are rebuilt and the bounds above them.
bool OversizedTree::patch(FrameState& frame, const FrameState& before,
                          std::span<const GiantEdit> edits) noexcept {
    groves_.clear();
    notes_.clear();
    if (!groves_.reserve(2 * edits.size()) || !notes_.reserve(2 * edits.size())) return false;
    const std::uint32_t count = grove_count(before);
    if (!take_crown(frame, count, before.nodes.size())) return false;
    std::copy(before.groves.begin(), before.groves.end(), frame.groves.begin());
    std::copy(before.grove_notes.begin(), before.grove_notes.end(), frame.grove_notes.begin());
    std::copy(before.nodes.begin(), before.nodes.end(), frame.nodes.begin());
    std::uint32_t agents = 0;
    for (std::uint32_t g = 0; g < count; ++g) {
        frame.groves[g].first = agents;
        if (dissolved_[g] != 0) {
            if (!edit_grove(frame, before, g, edits)) return false;
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

// A grove without the agents that leave it, and with those that come. It has some of each kind of agent.
bool OversizedTree::edit_grove(const FrameState& frame, const FrameState& before, std::uint32_t grove,
                               std::span<const GiantEdit> edits) noexcept {
    if (!keys_after(frame, before, grove, edits)) return false;
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
bool OversizedTree::keys_after(const FrameState& frame, const FrameState& before, std::uint32_t grove,
                               std::span<const GiantEdit> edits) noexcept {
    const simd::Grove& old = before.groves[grove];
    const std::uint32_t* places = places_in(old, before.labelled);
    const AgentId* ids = RowArrays(old.oversized).id;
    const std::uint32_t count = old.oversized.count;
    agents_.clear();
    keys_.clear();
    if (!reserve_amply(agents_, edits.size()) || !reserve_amply(keys_, count + edits.size())) return false;
    const std::size_t removed = removed_.size();
    const AgentId one = removed == 1 ? removed_[0] : 0;
    for (std::uint32_t i = 0; i < count; ++i)
        if (removed != 1 ? !std::binary_search(removed_.begin(), removed_.end(), ids[i]) : ids[i] != one)
            (void)keys_.push_back(std::uint64_t{places[i]} << place_shift | i);
    const Curve curve(frame.map, frame.tree_marks());
    const auto rank = [&](std::uint64_t key) {
        const auto number = static_cast<std::uint32_t>(key);
        return key >> place_shift << place_shift |
               (number < count ? ids[number] : agents_[number - count].id);
    };
    for (const GiantEdit& edit : edits) {
        if (!edit.is) continue;
        const simd::Row& row = frame.rows[edit.row];
        const std::uint32_t at = place_in_tail(row, edit.id);
        const Box box = RowArrays(row).box(at);
        const std::uint64_t place = curve(box) << place_shift, wanted = place | edit.id;
        if (!in_quadrant(wanted, before.grove_notes[grove])) continue;
        const auto unit = std::partition_point(keys_.begin(), keys_.end(),
                                               [&](std::uint64_t key) { return rank(key) < wanted; }) -
                          keys_.begin();
        (void)keys_.push_back(place | (count + agents_.size()));
        (void)agents_.push_back({box, edit.id, frame.labelled ? RowLabels(row).label(at) : Label{}});
        std::rotate(keys_.begin() + unit, keys_.end() - 1, keys_.end());
    }
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

}  // namespace throng::detail
