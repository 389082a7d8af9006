#include "engine/src/edit/staging.hpp"

#include "base/box_reader.hpp"
#include "base/legal.hpp"
#include "engine/src/memory/growth.hpp"

namespace throng::detail {

namespace {

// How many edits ahead an entry is prefetched: ids in any order lead to entries all over the memory.
constexpr std::size_t ahead = 16;

}  // namespace

bool Staging::prepare_reset(std::size_t bound, bool gaps) noexcept {
    return generations_.reserve(bound, 0) && (!gaps || !generations_.are_kept() || ids_.reserve_all(bound));
}

void Staging::reset(std::size_t count) noexcept {
    has_table_ = cells_were_lost_ = false;
    looked_at_ = 0;
    locator_.clear();
    forget_edits();
    ids_.reset(count);
    generations_.reset(count);
    committed_bound_ = count;
    ids_are_known_ = true;
}

void Staging::reset(std::size_t bound, std::span<const AgentId> used) noexcept {
    reset(bound);
    ids_are_known_ = generations_.are_kept();
    if (!ids_are_known_) return;
    ids_.give_back_all();
    for (const AgentId id : used) ids_.take_back(id);
    ids_.for_each_free([&](std::size_t id) { generations_.renew(static_cast<AgentId>(id)); });
}

Status Staging::handle(const FrameState& frame, AgentId id, AgentHandle& handle) noexcept {
    if (!ids_are_known_ && !know_ids(frame)) return {Code::out_of_memory};
    if (!is_used(id)) return {Code::unknown_id, 0};
    if (!generations_.begin(ids_.bound(), edits_.size())) return {Code::out_of_memory};
    handle = {id, generations_[id]};
    return {};
}

bool Staging::is_current(const AgentHandle& handle) const noexcept {
    return ids_are_known_ && is_used(handle.id) && generations_[handle.id] == handle.generation;
}

// Entries of agents with edits stay as they are: see entry_of.
void Staging::published_from_scratch() noexcept {
    for (std::size_t i = 0; i < edits_.size() && some_were_removed_ && has_table_; ++i) {
        if (i + ahead < edits_.size()) locator_.ask_for(edits_[i + ahead].id);
        if (edits_[i].present) continue;
        locator_.set(edits_[i].id, no_cell);
        locator_.sweep(edits_[i].id);
    }
    first_number_ += static_cast<std::uint32_t>(edits_.size());
    if (first_number_ > highest_first_number) forget_numbers();
    finish_commit();
    lose_cells();
}

// A host that merges a few rows in each commit would rather have its next small commit by rows. With more
// edits all cells are found again, if at all.
void Staging::published_merged(const FrameState& before) noexcept {
    constexpr std::size_t agents_for_each_edit = 25;
    if (!knows_cells() || size() * agents_for_each_edit > before.agents) return published_from_scratch();
    const WorldMap& map = before.map;
    published_by_rows([&](std::size_t i) {
        return edits_[i].boxed ? map.number_of(map.cell_of(boxes_[i])) : edits_[i].old_cell;
    });
}

void Staging::give_back_excess(std::size_t agents) noexcept {
    locator_.give_back_excess(agents);
    if (size() != 0) return;
    few_.give_back_excess(agents);
    release_excess(edits_, agents);
    boxes_.give_back_excess(agents);
    release_excess(traits_, agents);
}

bool Staging::alive(std::uint32_t entry) const noexcept {
    return is_edit(entry) ? edits_[edit_of(entry)].present : entry != no_cell;
}

// The agent's edit; if it had none, a new one that changes nothing yet. Needs reserved room.
Edit& Staging::touch(AgentId id, std::uint32_t entry) noexcept {
    if (is_edit(entry)) return edits_[edit_of(entry)];
    const std::uint32_t number = number_of_edit(edits_.size());
    if (!has_table_)
        few_.add(id);
    else if (entry != no_cell)
        locator_.replace(id, number);
    else
        locator_.set(id, number);
    are_in_order_ = are_in_order_ && id == edits_.size();
    (void)edits_.push_back({id, entry, 0, entry != no_cell, false, false, TraitEdit::keep, TraitEdit::keep});
    generations_.staged(id);
    return edits_[edits_.size() - 1];
}

// These three need reserved room.
Traits& Staging::traits_of(const Edit& edit) noexcept {
    const auto index = static_cast<std::size_t>(&edit - edits_.data());
    if (index >= traits_.size()) (void)traits_.resize(index + 1, Traits{});
    return traits_[index];
}

void Staging::set_label(Edit& edit, const Label& label) noexcept {
    traits_of(edit).label = label;
    edit.label = TraitEdit::set;
}

void Staging::set_height(Edit& edit, const Band& height) noexcept {
    traits_of(edit).height = height;
    edit.height = TraitEdit::set;
}

simd::Extras Staging::extras_after(const FrameState& frame) const noexcept {
    simd::Extras extras = frame.extras;
    for (std::size_t i = 0; i < traits_.size() && i < edits_.size() && !has_heights(extras); ++i) {
        const Edit& edit = edits_[i];
        if (!edit.present) continue;
        if (edit.height == TraitEdit::set && traits_[i].height != Band{})
            extras = simd::Extras::heights;
        else if (edit.label == TraitEdit::set && traits_[i].label != Label{})
            extras = simd::Extras::labels;
    }
    return extras;
}

std::uint32_t Staging::shared_categories() const noexcept {
    std::uint32_t shared = all_categories;
    for (std::size_t i = 0; i < edits_.size(); ++i)
        if (edits_[i].present && edits_[i].label != TraitEdit::keep)
            shared &= traits_after(i, {}).label.categories;
    return shared;
}

Status Staging::insert(const FrameState& frame, const Boxes& boxes, const Labels& labels,
                       const Heights& heights, AgentId* ids) noexcept {
    if (const Status status = check(heights); !status.ok()) return status;
    if (const Status status = check(boxes); !status.ok()) return status;
    const std::size_t count = boxes.size();
    if (!prepare_entries(frame, count)) return {Code::out_of_memory};
    const std::size_t bound = ids_.bound(), more = ids_.new_among(count);
    const std::uint64_t new_bound = std::uint64_t{bound} + more,
                        without_id = new_bound - std::min<std::uint64_t>(new_bound, max_ids);
    const std::size_t fitting =
        std::min(count - static_cast<std::size_t>(without_id), max_agents - agents_after(frame));
    if (fitting < count) return {Code::too_many, fitting};
    if (!reserve_edits(edits_.size() + count) || !ids_.reserve(more) ||
        !generations_.reserve(bound + more, edits_.size() + count) ||
        (!(labels.empty() && heights.empty()) && !traits_.reserve(edits_.size() + count)) ||
        (has_table_ && !make_entries(count, more)))
        return {Code::out_of_memory};
    are_boxes_by_id_ = are_boxes_by_id_ && count == 0;
    for (std::size_t i = 0; i < count; ++i) {
        ids[i] = ids_.take();
        Edit& edit = touch(ids[i], entry_of_new(ids[i]));
        edit.present = edit.inserted = true;
        set_box(edit, boxes[i]);
        edit.label = edit.height = TraitEdit::reset;
        generations_.renew(ids[i]);
        if (!labels.empty()) set_label(edit, labels[i]);
        if (!heights.empty()) set_height(edit, heights[i]);
    }
    come_ += static_cast<std::ptrdiff_t>(count);
    return {};
}

bool Staging::prepare_edits(const FrameState& frame, std::size_t count) noexcept {
    if (!prepare_entries(frame, count) || !reserve_edits(edits_.size() + count) ||
        !generations_.reserve(0, edits_.size() + count))
        return false;
    if (++call_ == 0) ++call_;
    return true;
}

void Staging::undo_edits_from(std::size_t first) noexcept {
    for (std::size_t e = first; e < edits_.size() && has_table_; ++e)
        locator_.set(edits_[e].id, edits_[e].old_cell);
    (void)edits_.resize(first);
    if (!has_table_) few_.keep(first);
    generations_.keep_edits(first);
}

// First every element is checked, and gets an edit that changes nothing; if one is illegal, the new edits are
// removed again. Then all are applied, which cannot fail.
template <class Apply>
Status Staging::edit_existing(const FrameState& frame, const AgentId* ids, std::size_t count,
                              Apply&& apply) noexcept {
    if (!prepare_edits(frame, count)) return {Code::out_of_memory};
    const std::size_t edits_before = edits_.size();
    are_in_order_ = are_in_order_ && count == 0;
    Status status;
    for (std::size_t i = 0; i < count && status.ok(); ++i) {
        const std::uint32_t entry = entry_of(ids[i]);
        if (!alive(entry)) {
            status = {Code::unknown_id, i};
        } else {
            Edit& edit = touch(ids[i], entry);
            if (edit.call == call_) status = {Code::duplicate_id, i};
            edit.call = call_;
        }
    }
    if (!status.ok()) {
        undo_edits_from(edits_before);
        return status;
    }
    for (std::size_t i = 0; i < count; ++i) apply(edits_[edit_of(entry_of(ids[i]))], i);
    return {};
}

// The same, but boxes are checked and copied before, as arrays: new edits follow each other as their boxes
// do. If an agent was edited before, all get their boxes when they are known to be legal.
Status Staging::move(const FrameState& frame, const AgentId* ids, const Boxes& boxes, const Heights& heights,
                     BoxArrays* by_id) noexcept {
    const std::size_t count = boxes.size();
    if (!prepare_edits(frame, count) || (!heights.empty() && !traits_.reserve(edits_.size() + count)))
        return {Code::out_of_memory};
    const Status band = check(heights);
    const std::size_t edits_before = edits_.size(), legal = std::min(copy_boxes(boxes), band.index);
    bool some_had_edits = false;
    Status status;
    for (std::size_t i = 0; i < count && status.ok(); ++i) {
        if (i + ahead < count && ids[i + ahead] < locator_.size()) locator_.ask_for(ids[i + ahead]);
        const std::uint32_t entry = entry_of(ids[i]);
        if (!alive(entry)) {
            status = {Code::unknown_id, i};
        } else if (i == legal) {
            status = i == band.index ? band : Status{check(boxes[i]), i};
        } else {
            Edit& edit = touch(ids[i], entry);
            if (edit.call == call_) status = {Code::duplicate_id, i};
            edit.call = call_;
            edit.boxed = edit.boxed || !is_edit(entry);
            some_had_edits = some_had_edits || is_edit(entry);
        }
    }
    if (!status.ok()) {
        undo_edits_from(edits_before);
        return status;
    }
    for (std::size_t i = 0; i < count && some_had_edits; ++i)
        set_box(edits_[edit_of(entry_of(ids[i]))], boxes[i]);
    for (std::size_t i = 0; i < heights.size(); ++i)
        set_height(edits_[some_had_edits ? edit_of(entry_of(ids[i])) : edits_before + i], heights[i]);
    are_boxes_by_id_ =
        are_boxes_by_id_ && !some_had_edits && by_id != nullptr && write_from(edits_before, *by_id);
    return status;
}

// Copies boxes behind those of the edits, as far as there is room. Returns how many come before the first
// illegal one.
std::size_t Staging::copy_boxes(const Boxes& boxes) noexcept {
    if (boxes.size() == 1) {  // hosts that move one by one do not wait for vectors
        const Box box = boxes[0];
        boxes_.set(edits_.size(), box);
        return std::size_t{check(box) == Code::ok};
    }
    std::size_t legal = 0;
    read_boxes(boxes, 0, boxes.size(), [&](const simd::Columns& some, std::size_t first, std::size_t here) {
        if (all_legal(some, here))
            legal += here;
        else
            while (check(boxes[legal]) == Code::ok) ++legal;
        if (some.centre_half)
            boxes_.copy<true>(some, edits_.size() + first, here);
        else
            boxes_.copy<false>(some, edits_.size() + first, here);
        return legal == first + here;
    });
    return legal;
}

// Writes the boxes of edits from this one on to their ids. Returns false if by_id has no room for one.
bool Staging::write_from(std::size_t first, BoxArrays& by_id) const noexcept {
    const BoxPointers boxes = boxes_.pointers();
    const std::size_t known = by_id.size();
    for (std::size_t i = first; i < edits_.size(); ++i) {
        if (i + ahead < edits_.size() && edits_[i + ahead].id < known) by_id.ask_for(edits_[i + ahead].id);
        if (edits_[i].id >= known) return false;
        by_id.set(edits_[i].id, boxes[i]);
    }
    return true;
}

Status Staging::relabel(const FrameState& frame, const AgentId* ids, const Labels& labels) noexcept {
    if (!traits_.reserve(edits_.size() + labels.size())) return {Code::out_of_memory};
    return edit_existing(frame, ids, labels.size(),
                         [&](Edit& edit, std::size_t i) { set_label(edit, labels[i]); });
}

Status Staging::remove(const FrameState& frame, const AgentId* ids, std::size_t count) noexcept {
    const Status status = edit_existing(frame, ids, count, [&](Edit& edit, std::size_t) {
        edit.present = false;
        ids_.give_back(edit.id);
        generations_.renew(edit.id);
    });
    if (!status.ok()) return status;
    come_ -= static_cast<std::ptrdiff_t>(count);
    some_were_removed_ = some_were_removed_ || count != 0;
    are_boxes_by_id_ = are_boxes_by_id_ && count == 0;
    return status;
}

// Ids of the published frame are in use again, and all others are free.
void Staging::discard() noexcept {
    for (std::size_t e = 0; e < edits_.size(); ++e) {
        const Edit& edit = edits_[e];
        if (has_table_) locator_.set(edit.id, edit.old_cell);
        generations_.restore(e, edit.id);
        if (edit.old_cell != no_cell)
            ids_.take_back(edit.id);
        else if (edit.id < committed_bound_)
            ids_.give_back(edit.id);
    }
    ids_.shrink(committed_bound_);
    if (has_table_) locator_.shrink(committed_bound_);
    forget_edits();
}

}  // namespace throng::detail
