#include "engine/src/frame/lookup/boxes_by_id.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "engine/src/frame/row_agents.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/row_traits.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"

namespace throng::detail {

namespace {

// Calls found(row, slot) for the agent with this id, if there is one.
template <class Found>
void find_agent(const FrameState& frame, AgentId id, Found&& found) noexcept {
    bool is_found = false;
    for (const simd::Row& row : frame.rows) {
        for_each_slot(row, [&](std::size_t i) {
            if (RowArrays(row).id[i] != id) return;
            found(row, i);
            is_found = true;
        });
        if (is_found) return;
    }
}

// Numbers the pages that have agents, and returns how many they are.
std::uint32_t number_pages(const FrameState& frame, AgentTable& table) noexcept {
    std::uint32_t count = 0;
    if (frame.agents == frame.id_bound) {
        for (std::uint32_t& page : table.pages) page = count++;
        return count;
    }
    std::fill(table.pages.begin(), table.pages.end(), AgentTable::none);
    for (const simd::Row& row : frame.rows)
        for_each_slot(
            row, [&](std::size_t i) { table.pages[RowArrays(row).id[i] / AgentTable::ids_in_a_page] = 0; });
    for (std::uint32_t& page : table.pages)
        if (page != AgentTable::none) page = count++;
    return count;
}

// Returns false if there is no memory.
bool build(const FrameState& frame, AgentTable& table) noexcept {
    if (!resize_amply(table.pages,
                      (frame.id_bound + AgentTable::ids_in_a_page - 1) / AgentTable::ids_in_a_page))
        return false;
    const std::size_t slots = number_pages(frame, table) * AgentTable::ids_in_a_page;
    release_excess(table.boxes, slots);
    release_excess(table.traits, slots);
    if (!resize_amply(table.boxes, slots) || !resize_amply(table.traits, frame.labelled() ? slots : 0))
        return false;
    // If all ids are in use, only the last page has slots without an agent.
    const bool all_in_use = frame.agents == frame.id_bound;
    const std::size_t kept = all_in_use && slots != 0 ? slots - AgentTable::ids_in_a_page : 0;
    std::fill(table.boxes.begin() + kept, table.boxes.end(), no_box);
    if (frame.labelled()) std::fill(table.traits.begin() + kept, table.traits.end(), Traits{});
    for (const simd::Row& row : frame.rows) {
        if (agents_in(row) == 0) continue;
        const RowArrays arrays(row);
        for_each_slot(row, [&](std::size_t i) {
            const std::size_t at = table.slot(arrays.id[i]);
            table.boxes[at] = arrays.box(i);
            if (frame.labelled()) table.traits[at] = traits_in(row, frame.extras, i);
        });
    }
    return true;
}

}  // namespace

AgentTable* table_to_fill(const FrameState& frame) noexcept {
    AgentTable* table = frame.by_id.load(std::memory_order_relaxed);
    if (table != nullptr) return table;
    table = frame.store->spaces.agent_tables.take();
    if (table == nullptr) return nullptr;
    table->has_boxes.store(false, std::memory_order_relaxed);
    table->has_piles.store(false, std::memory_order_relaxed);
    table->has_crowded_cells.store(false, std::memory_order_relaxed);
    frame.by_id.store(table, std::memory_order_release);
    return table;
}

const AgentTable* agent_table(const FrameState& frame) noexcept {
    const AgentTable* known = frame.by_id.load(std::memory_order_acquire);
    if (known != nullptr && known->has_boxes.load(std::memory_order_acquire)) return known;
    const std::lock_guard lock(frame.store->making_agent_table);
    AgentTable* const table = table_to_fill(frame);
    if (table == nullptr) return nullptr;
    if (!table->has_boxes.load(std::memory_order_relaxed)) {
        if (!build(frame, *table)) return nullptr;
        table->has_boxes.store(true, std::memory_order_release);
    }
    return table;
}

Box box_of(const FrameState& frame, AgentId id) noexcept {
    if (const AgentTable* table = agent_table(frame); table != nullptr) return table->box(id);
    Box box = no_box;
    find_agent(frame, id, [&](const simd::Row& row, std::size_t i) { box = RowArrays(row).box(i); });
    return box;
}

Traits traits_of(const FrameState& frame, AgentId id) noexcept {
    if (const AgentTable* table = agent_table(frame); table != nullptr) return table->traits_of(id);
    Traits traits;
    find_agent(frame, id,
               [&](const simd::Row& row, std::size_t i) { traits = traits_in(row, frame.extras, i); });
    return traits;
}

}  // namespace throng::detail
