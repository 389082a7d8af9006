#include "engine/src/edit/staging.hpp"

#include <algorithm>
#include <atomic>

#include "base/blocks.hpp"
#include "base/box_reader.hpp"
#include "base/legal.hpp"
#include "engine/src/build/frame_builder.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// How many edits ahead an entry is prefetched: ids in any order lead to entries all over the memory.
constexpr std::size_t ahead = 16;

// Calls `visit(id, cell)` for all agents of a frame.
template <class Visit>
void for_each_cell(const FrameState& frame, Visit&& visit) noexcept {
    for (std::size_t r = 0; r < frame.rows.size(); ++r) {
        const simd::Row& row = frame.rows[r];
        if (agents_in(row) == 0) continue;
        const RowArrays a(row);
        const std::uint32_t columns = frame.map.columns(r);
        const CellNumber first = frame.map.first_cell_of_row(r);
        for (std::uint32_t c = 0; c < columns; ++c)
            for_each_slot(row, row.cells[c], row.cells[c + 1],
                          [&](std::uint32_t i) { visit(a.id[i], first + c); });
        for_each_oversized(row, [&](std::uint32_t i) { visit(a.id[i], first + columns); });
    }
}

}  // namespace

// --- What changes ------------------------------------------------------------------------------------------

bool Staging::prepare_reset(std::size_t bound, bool gaps) noexcept {
    return generations_.reserve(bound, 0) && (!gaps || !generations_.are_kept() || ids_.reserve_all(bound));
}

void Staging::reset(std::size_t count) noexcept {
    known_ = Known::ids;
    cells_were_lost_ = false;
    looked_at_ = 0;
    locator_.clear();
    forget_edits();
    ids_.reset(count);
    generations_.reset(count);
}

void Staging::reset(std::size_t bound, std::span<const AgentId> used) noexcept {
    reset(bound);
    if (!generations_.are_kept()) {
        known_ = Known::bound;
        return;
    }
    ids_.give_back_all();
    for (const AgentId id : used) ids_.take_back(id);
    ids_.for_each_free([&](std::size_t id) { generations_.renew(static_cast<AgentId>(id)); });
}

Status Staging::handle(AgentId id, AgentHandle& handle) noexcept {
    if (known_ == Known::bound && !know_ids()) return {Code::out_of_memory};
    if (!is_used(id)) return {Code::unknown_id, 0};
    if (!generations_.begin(ids_.bound(), edits_.size())) return {Code::out_of_memory};
    handle = {id, generations_[id]};
    return {};
}

bool Staging::is_current(const AgentHandle& handle) const noexcept {
    return known_ != Known::bound && is_used(handle.id) && generations_[handle.id] == handle.generation;
}

// Entries of agents with edits stay as they are: see entry_of.
void Staging::published_from_scratch() noexcept {
    for (std::size_t i = 0; i < edits_.size() && removed_ != 0 && has_table(); ++i) {
        if (i + ahead < edits_.size()) locator_.ask_for(edits_[i + ahead].id);
        if (edits_[i].present) continue;
        locator_.set(edits_[i].id, no_cell);
        locator_.sweep(edits_[i].id);
    }
    first_number_ += static_cast<std::uint32_t>(edits_.size());
    if (first_number_ > highest_first_number) forget_numbers();
    forget_edits();
    lose_cells();
}

// A host that merges a few rows in each commit would rather have its next small commit by rows. With more
// edits all cells are found again, if at all.
void Staging::published_merged() noexcept {
    constexpr std::size_t agents_for_each_edit = 25;
    if (!knows_cells() || size() * agents_for_each_edit > newest_->agents) return published_from_scratch();
    const WorldMap& map = newest_->map;
    published_by_rows([&](std::size_t i) {
        return edits_[i].boxed ? map.number_of(map.cell_of(boxes_[i])) : edits_[i].old_cell;
    });
}

bool Staging::alive(std::uint32_t entry) const noexcept {
    return is_edit(entry) ? edits_[edit_of(entry)].present : entry != no_cell;
}

// The agent's edit; if it had none, a new one that changes nothing yet. Needs reserved room.
Edit& Staging::touch(AgentId id, std::uint32_t entry) noexcept {
    if (is_edit(entry)) return edits_[edit_of(entry)];
    const std::uint32_t number = number_of_edit(edits_.size());
    if (!has_table())
        few_.add(id);
    else if (entry != no_cell)
        locator_.replace(id, number);
    else
        locator_.set(id, number);
    (void)edits_.push_back({id, entry, 0, entry != no_cell, false, false, false, false});
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
    edit.label = true;
}

void Staging::set_height(Edit& edit, const Band& height) noexcept {
    traits_of(edit).height = height;
    edit.height = true;
}

bool Staging::are_an_update() const noexcept {
    bool are = size() == agents_after() && size() == id_bound() && extras_after() == simd::Extras::none;
    for (std::size_t i = 0; i < edits_.size() && are; ++i) are = edits_[i].id == i && edits_[i].boxed;
    return are;
}

simd::Extras Staging::extras_after() const noexcept {
    simd::Extras extras = newest_->extras;
    for (std::size_t i = 0; i < traits_.size() && i < edits_.size() && !has_heights(extras); ++i) {
        const Edit& edit = edits_[i];
        if (!edit.present) continue;
        if (edit.height && traits_[i].height != Band{})
            extras = simd::Extras::heights;
        else if (edit.label && traits_[i].label != Label{})
            extras = simd::Extras::labels;
    }
    return extras;
}

std::uint32_t Staging::shared_categories() const noexcept {
    std::uint32_t shared = all_categories;
    for (std::size_t i = 0; i < edits_.size(); ++i)
        if (edits_[i].present && edits_[i].label) shared &= traits_after(i, {}).label.categories;
    return shared;
}

Status Staging::insert(const Boxes& boxes, const Labels& labels, const Heights& heights,
                       AgentId* ids) noexcept {
    if (const Status status = check(heights); !status.ok()) return status;
    if (const Status status = check(boxes); !status.ok()) return status;
    const std::size_t count = boxes.size();
    if (!prepare_entries(count)) return {Code::out_of_memory};
    const std::size_t bound = ids_.bound(), more = ids_.new_among(count);
    const std::uint64_t new_bound = std::uint64_t{bound} + more,
                        without_id = new_bound - std::min<std::uint64_t>(new_bound, max_ids);
    const std::size_t fitting =
        std::min(count - static_cast<std::size_t>(without_id), max_agents - agents_after());
    if (fitting < count) return {Code::too_many, fitting};
    if (!reserve_edits(edits_.size() + count) || !ids_.reserve(more) ||
        !generations_.reserve(bound + more, edits_.size() + count) ||
        (!(labels.empty() && heights.empty()) && !traits_.reserve(edits_.size() + count)) ||
        (has_table() && !make_entries(count, more)))
        return {Code::out_of_memory};
    for (std::size_t i = 0; i < count; ++i) {
        ids[i] = ids_.take();
        Edit& edit = touch(ids[i], entry_of_new(ids[i]));
        edit.present = edit.inserted = true;
        set_box(edit, boxes[i]);
        edit.label = edit.height = true;
        // The id may have had other traits before.
        const auto number = static_cast<std::size_t>(&edit - edits_.data());
        if (number < traits_.size()) traits_[number] = {};
        generations_.renew(ids[i]);
        if (!labels.empty()) set_label(edit, labels[i]);
        if (!heights.empty()) set_height(edit, heights[i]);
    }
    inserted_ += count;
    return {};
}

bool Staging::prepare_edits(std::size_t count) noexcept {
    if (!prepare_entries(count) || !reserve_edits(edits_.size() + count) ||
        !generations_.reserve(0, edits_.size() + count))
        return false;
    if (++call_ == 0) ++call_;
    return true;
}

void Staging::undo_edits_from(std::size_t first) noexcept {
    for (std::size_t e = first; e < edits_.size() && has_table(); ++e)
        locator_.set(edits_[e].id, edits_[e].old_cell);
    (void)edits_.resize(first);
    if (!has_table()) few_.keep(first);
    generations_.keep_edits(first);
}

// Every element is checked, and gets an edit that changes nothing, or only has a box. If one is illegal, the
// new edits are removed again.
template <bool boxed>
Status Staging::touch_all(const AgentId* ids, std::size_t count, const Status& illegal) noexcept {
    const std::size_t edits_before = edits_.size(), first_illegal = illegal.index;
    Status status;
    for (std::size_t i = 0; i < count && status.ok(); ++i) {
        if (i + ahead < count && ids[i + ahead] < locator_.size()) locator_.ask_for(ids[i + ahead]);
        const std::uint32_t entry = entry_of(ids[i]);
        if (!alive(entry)) {
            status = {Code::unknown_id, i};
        } else if (i == first_illegal) {
            status = illegal;
        } else {
            Edit& edit = touch(ids[i], entry);
            if (edit.call == call_) status = {Code::duplicate_id, i};
            edit.call = call_;
            if constexpr (boxed) edit.boxed = edit.boxed || !is_edit(entry);
        }
    }
    if (!status.ok()) undo_edits_from(edits_before);
    return status;
}

// All edits are applied when every element has one, which cannot fail.
template <class Apply>
Status Staging::edit_existing(const AgentId* ids, std::size_t count, Apply&& apply) noexcept {
    if (!prepare_edits(count)) return {Code::out_of_memory};
    const Status status = touch_all<false>(ids, count, {});
    for (std::size_t i = 0; i < count && status.ok(); ++i) apply(edits_[edit_of(entry_of(ids[i]))], i);
    return status;
}

// The same, but boxes are checked and copied before, as arrays: new edits follow each other as their boxes
// do. If an agent was edited before, all get their boxes when they are known to be legal.
Status Staging::move(const AgentId* ids, const Boxes& boxes, const Heights& heights) noexcept {
    const std::size_t count = boxes.size(), edits_before = edits_.size();
    if (!prepare_edits(count) || (!heights.empty() && !traits_.reserve(edits_before + count)))
        return {Code::out_of_memory};
    Status illegal = check(heights);
    if (const std::size_t legal = copy_boxes(boxes); legal < std::min(count, illegal.index))
        illegal = {check(boxes[legal]), legal};
    if (const Status bad = touch_all<true>(ids, count, illegal); !bad.ok()) return bad;
    const bool some_had_edits = edits_.size() - edits_before < count;
    for (std::size_t i = 0; i < count && some_had_edits; ++i)
        set_box(edits_[edit_of(entry_of(ids[i]))], boxes[i]);
    for (std::size_t i = 0; i < heights.size(); ++i)
        set_height(edits_[some_had_edits ? edit_of(entry_of(ids[i])) : edits_before + i], heights[i]);
    return {};
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

Status Staging::relabel(const AgentId* ids, const Labels& labels) noexcept {
    if (!traits_.reserve(edits_.size() + labels.size())) return {Code::out_of_memory};
    return edit_existing(ids, labels.size(), [&](Edit& edit, std::size_t i) { set_label(edit, labels[i]); });
}

Status Staging::remove(std::span<const AgentId> ids) noexcept {
    const Status status = edit_existing(ids.data(), ids.size(), [&](Edit& edit, std::size_t) {
        edit.present = false;
        ids_.give_back(edit.id);
        generations_.renew(edit.id);
    });
    if (status.ok()) removed_ += ids.size();
    return status;
}

// Ids of the published frame are in use again, and all others are free.
void Staging::discard() noexcept {
    for (std::size_t e = 0; e < edits_.size(); ++e) {
        const Edit& edit = edits_[e];
        if (has_table()) locator_.set(edit.id, edit.old_cell);
        generations_.restore(e, edit.id);
        if (edit.old_cell != no_cell)
            ids_.take_back(edit.id);
        else if (edit.id < newest_->id_bound)
            ids_.give_back(edit.id);
    }
    ids_.shrink(newest_->id_bound);
    generations_.shrink(newest_->id_bound);
    if (has_table()) locator_.shrink(newest_->id_bound);
    forget_edits();
}

// --- Where agents are --------------------------------------------------------------------------------------

// Afterwards ids can be freed. Returns false if there is no memory.
bool Staging::know_ids() noexcept {
    if (!ids_.reserve(0)) return false;
    if (known_ != Known::bound) return true;
    ids_.give_back_all();
    for (const simd::Row& row : newest_->rows) {
        if (agents_in(row) == 0) continue;
        const AgentId* const ids = RowArrays(row).id;
        for_each_run(row, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t i = begin; i < end; ++i) ids_.take_back(ids[i]);
        });
        for_each_oversized(row, [&](std::uint32_t i) { ids_.take_back(ids[i]); });
    }
    known_ = Known::ids;
    return true;
}

// Before up to `count` more edits. Returns false if there is no memory.
bool Staging::prepare_entries(std::size_t count) noexcept {
    if (has_table()) return true;
    const std::size_t edits = edits_.size() + count;
    const bool few = edits <= FewIds::most && looked_at_ <= newest_->agents;
    return know_ids() && (few ? few_.reserve(edits) : make_table());
}

// Edits may be staged already. Returns false if there is no memory; then nothing has changed.
bool Staging::make_table() noexcept {
    locator_.clear();
    if (!fill_table()) return false;
    for (std::size_t e = 0; e < edits_.size(); ++e) {
        Edit& edit = edits_[e];
        if (edit.old_cell != no_cell) edit.old_cell = locator_[edit.id];
        locator_.set(edit.id, number_of_edit(e));
    }
    few_.clear();
    known_ = Known::cells;
    return true;
}

// Makes no page for ids without agents or edits. Returns false if there is no memory.
bool Staging::fill_table() noexcept {
    const FrameState& frame = *newest_;
    const bool gaps = frame.agents != ids_.bound();
    bool enough = locator_.grow(ids_.bound(), gaps ? ids_.bound() : 0);
    if (enough && gaps)
        for_each_cell(frame, [&](AgentId id, CellNumber) { enough = enough && locator_.prepare(id); });
    for (std::size_t e = 0; e < edits_.size(); ++e) enough = enough && locator_.prepare(edits_[e].id);
    if (enough) for_each_cell(frame, [&](AgentId id, CellNumber cell) { locator_.set_first(id, cell); });
    return enough;
}

// Agents that have left the row where the update found them, and those of updates by ids, are looked for in
// all rows.
Status Staging::find_few(const Executor& executor, const NotedRows& noted) noexcept {
    if (has_table()) return {};
    const FrameState& frame = *newest_;
    std::size_t not_found = 0;
    for (const Edit& edit : edits()) not_found += edit.old_cell == unknown_cell;
    const std::uint64_t most = looked_at_ + frame.agents;
    for (std::size_t e = 0; e < edits_.size() && looked_at_ < most; ++e) {
        if (edits_[e].old_cell != unknown_cell) continue;
        const RowGroup rows = noted.of(edits_[e].id);
        for (std::size_t r = rows.begin; r < rows.end && r < frame.rows.size(); ++r) {
            not_found -= find_few_in(r);
            looked_at_ += frame.rows[r].count;
        }
    }
    if (not_found == 0) return {};
    looked_at_ += frame.agents;
    std::atomic<std::size_t> left{not_found};
    const std::size_t rows = frame.rows.size(), groups = row_groups_for(executor, rows, frame.agents);
    const parallel::Ran ran = parallel::for_blocks(executor, groups, [&](std::size_t index) {
        const parallel::Range range = parallel::range_of(rows, groups, index, 1);
        for (std::size_t r = range.begin; r < range.end && left.load(std::memory_order_relaxed) != 0; ++r)
            left.fetch_sub(find_few_in(r), std::memory_order_relaxed);
    });
    return outcome(ran);
}

// Returns how many it found.
std::size_t Staging::find_few_in(std::size_t r) noexcept {
    const simd::Row& row = newest_->rows[r];
    if (agents_in(row) == 0) return 0;
    const AgentId* const ids = RowArrays(row).id;
    const std::uint32_t columns = newest_->map.columns(r);
    const CellNumber first = newest_->map.first_cell_of_row(r);
    std::size_t found = 0;
    const auto note = [&](std::uint32_t edit, std::size_t i) {
        if (edits_[edit].old_cell != unknown_cell || (!row.is_dense() && !has_agent(row, i))) return;
        const std::uint32_t* const after = std::upper_bound(row.cells, row.cells + columns, i);
        edits_[edit].old_cell =
            first + (i < row.count ? static_cast<std::uint32_t>(after - row.cells - 1) : columns);
        ++found;
    };
    few_.for_each_among(ids, 0, row.count, note);
    few_.for_each_among(ids, oversized_begin(row), oversized_end(row), note);
    return found;
}

// In the table, for the next ids. Returns false if there is no memory.
bool Staging::make_entries(std::size_t count, std::size_t new_ids) noexcept {
    const std::size_t bound = ids_.bound();
    return locator_.grow(bound + new_ids, bound) &&
           (!locator_.has_gaps() ||
            ids_.for_each_next(count, [&](std::size_t id) { return locator_.prepare(id); }));
}

// Edit numbers begin at 0 again. Entries with an old number are reset, or they would be taken for new edits.
void Staging::forget_numbers() noexcept {
    for (std::size_t id = 0; id < locator_.size(); ++id)
        if (is_edit(locator_[id])) locator_.replace(id, some_cell);
    first_number_ = 0;
}

void Staging::find_cells() noexcept {
    if (known_ != Known::table) return;
    for_each_cell(*newest_, [&](AgentId id, CellNumber cell) {
        const std::uint32_t entry = entry_of(id);
        if (is_edit(entry))
            edits_[edit_of(entry)].old_cell = cell;
        else
            locator_.replace(id, cell);
    });
    known_ = Known::cells;
}

}  // namespace throng::detail
