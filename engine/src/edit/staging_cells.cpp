// Finds the agents of staged edits: without a table, and with one.
#include <algorithm>
#include <atomic>

#include "base/outcome.hpp"
#include "base/row_groups.hpp"
#include "engine/src/build/frame_builder.hpp"
#include "engine/src/edit/staging.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

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

// Afterwards ids can be freed. Returns false if there is no memory.
bool Staging::know_ids(const FrameState& frame) noexcept {
    if (!ids_.reserve(0)) return false;
    if (ids_are_known_) return true;
    ids_.give_back_all();
    for (const simd::Row& row : frame.rows) {
        if (agents_in(row) == 0) continue;
        const AgentId* const ids = RowArrays(row).id;
        for_each_run(row, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t i = begin; i < end; ++i) ids_.take_back(ids[i]);
        });
        for_each_oversized(row, [&](std::uint32_t i) { ids_.take_back(ids[i]); });
    }
    return ids_are_known_ = true;
}

// Before up to `count` more edits. Returns false if there is no memory.
bool Staging::prepare_entries(const FrameState& frame, std::size_t count) noexcept {
    if (has_table_) return true;
    const std::size_t edits = edits_.size() + count;
    const bool few = edits <= FewIds::most && looked_at_ <= frame.agents;
    return know_ids(frame) && (few ? few_.reserve(edits) : make_table(frame));
}

// Edits may be staged already. Returns false if there is no memory; then nothing has changed.
bool Staging::make_table(const FrameState& frame) noexcept {
    locator_.clear();
    if (!fill_table(frame)) return false;
    for (std::size_t e = 0; e < edits_.size(); ++e) {
        Edit& edit = edits_[e];
        if (edit.old_cell != no_cell) edit.old_cell = locator_[edit.id];
        locator_.set(edit.id, number_of_edit(e));
    }
    few_.clear();
    return has_table_ = cells_are_known_ = true;
}

// Makes no page for ids without agents or edits. Returns false if there is no memory.
bool Staging::fill_table(const FrameState& frame) noexcept {
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
Status Staging::find_few(const Executor& executor, const FrameState& frame, const NotedRows& noted) noexcept {
    if (has_table_) return {};
    std::size_t not_found = 0;
    for (const Edit& edit : edits()) not_found += edit.old_cell == unknown_cell;
    const std::uint64_t most = looked_at_ + frame.agents;
    for (std::size_t e = 0; e < edits_.size() && looked_at_ < most; ++e) {
        if (edits_[e].old_cell != unknown_cell) continue;
        const RowGroup rows = noted.of(edits_[e].id);
        for (std::size_t r = rows.begin; r < rows.end && r < frame.rows.size(); ++r) {
            not_found -= find_few_in(frame, r);
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
            left.fetch_sub(find_few_in(frame, r), std::memory_order_relaxed);
    });
    return outcome(ran);
}

// Returns how many it found.
std::size_t Staging::find_few_in(const FrameState& frame, std::size_t r) noexcept {
    const simd::Row& row = frame.rows[r];
    if (agents_in(row) == 0) return 0;
    const AgentId* const ids = RowArrays(row).id;
    const std::uint32_t columns = frame.map.columns(r);
    const CellNumber first = frame.map.first_cell_of_row(r);
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

void Staging::find_cells(const FrameState& frame) noexcept {
    if (!has_table_ || cells_are_known_) return;
    for_each_cell(frame, [&](AgentId id, CellNumber cell) {
        const std::uint32_t entry = entry_of(id);
        if (is_edit(entry))
            edits_[edit_of(entry)].old_cell = cell;
        else
            locator_.replace(id, cell);
    });
    cells_are_known_ = true;
}

}  // namespace throng::detail
