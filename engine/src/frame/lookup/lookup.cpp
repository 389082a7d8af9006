#include "engine/src/frame/lookup/lookup.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <utility>

#include "base/blocks.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"
#include "simd/row_kernels.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

// --- The table ---------------------------------------------------------------------------------------------

// A frame's table as it is, under the lock `making_agent_table`; null if there is no memory for one.
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

// A frame's table with a part of its content, which make(table) makes at the first call. Null if there is no
// memory for it.
template <class Make>
const AgentTable* table_with(const FrameState& frame, std::atomic<bool> AgentTable::*has_part,
                             const Make& make) noexcept {
    AgentTable* table = frame.by_id.load(std::memory_order_acquire);
    if (table != nullptr && (table->*has_part).load(std::memory_order_acquire)) return table;
    const std::lock_guard lock(frame.store->making_agent_table);
    table = table_to_fill(frame);
    if (table == nullptr) return nullptr;
    if (!(table->*has_part).load(std::memory_order_relaxed)) {
        if (!make(*table)) return nullptr;
        (table->*has_part).store(true, std::memory_order_release);
    }
    return table;
}

// --- Boxes by id -------------------------------------------------------------------------------------------

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

const AgentTable* agent_table(const FrameState& frame) noexcept {
    return table_with(frame, &AgentTable::has_boxes, [&](AgentTable& table) { return build(frame, table); });
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

// --- Piles and crowded cells -------------------------------------------------------------------------------

namespace {

using simd::CrowdedCell, simd::least_crowded, simd::least_pile;

// Calls use(row, begin, end) for each cell with at least so many agents.
template <class Use>
bool for_each_full_cell(const FrameState& frame, std::uint32_t least, const Use& use) noexcept {
    for (std::size_t r = 0; r < frame.rows.size(); ++r) {
        const simd::Row& row = frame.rows[r];
        if (row.count < least) continue;
        for (std::uint32_t c = 0; c < frame.map.columns(r); ++c)
            if (row.cells[c + 1] - row.cells[c] >= least && !use(row, row.cells[c], row.cells[c + 1]))
                return false;
    }
    return true;
}

// The box of a slot, bit by bit: computations may tell -0 from 0.
using BoxBits = std::array<std::uint32_t, 4>;

class CellOfPiles {
public:
    explicit CellOfPiles(const simd::Row& row) noexcept : row_(row), arrays_(row) {}

    // Adds the piles among these slots, unless boxes change so often that there are hardly any. Returns false
    // if there is no memory.
    bool add(std::uint32_t begin, std::uint32_t end, Buffer<simd::Pile>& piles) noexcept {
        first_ = begin;
        box_ = bits(begin);
        std::uint32_t changes = 0;
        for (std::uint32_t i = begin; i < end; i += together) {
            if (changes > many_changes + (i - begin) / 16) return true;
            const std::uint32_t some = std::min(end, i + together);
            if (some - i == together && are_all_one(i)) continue;
            for (std::uint32_t k = i; k < some; ++k)
                if (has_agent(row_, k) && bits(k) != box_ && (++changes, !begin_anew(k, piles))) return false;
        }
        return note(end, piles);
    }

private:
    static constexpr std::uint32_t together = 64, many_changes = 1024;

    BoxBits bits(std::uint32_t i) const noexcept { return bits_as<BoxBits>(arrays_.box(i)); }
    // Whether the next slots have the present box, or none. A plain loop, which compilers turn into vectors.
    bool are_all_one(std::uint32_t i) const noexcept {
        std::uint32_t differ = 0;
        for (const auto& [edges, own] :
             {std::pair{arrays_.min_x + i, box_[0]}, std::pair{arrays_.min_y + i, box_[1]},
              std::pair{arrays_.max_x + i, box_[2]}, std::pair{arrays_.max_y + i, box_[3]}})
            differ |= row_.is_dense() ? differences(edges, own) : differences_of_boxes(edges, own);
        return differ == 0;
    }
    static std::uint32_t differences(const float* edges, std::uint32_t own) noexcept {
        std::uint32_t differ = 0;
        for (std::uint32_t k = 0; k < together; ++k) differ |= bits_as<std::uint32_t>(edges[k]) ^ own;
        return differ;
    }
    // All edges of a slot without an agent are NaN.
    static std::uint32_t differences_of_boxes(const float* edges, std::uint32_t own) noexcept {
        std::uint32_t differ = 0;
        for (std::uint32_t k = 0; k < together; ++k)
            differ |= edges[k] == edges[k] ? bits_as<std::uint32_t>(edges[k]) ^ own : 0;
        return differ;
    }
    bool begin_anew(std::uint32_t i, Buffer<simd::Pile>& piles) noexcept {
        const bool enough = note(i, piles);
        first_ = i;
        box_ = bits(i);
        return enough;
    }
    // The agents before this slot with one box.
    bool note(std::uint32_t end, Buffer<simd::Pile>& piles) const noexcept {
        return end - first_ < least_pile || !has_agent(row_, first_) ||
               piles.push_back({arrays_.id + first_, arrays_.id + end});
    }

    std::uint32_t first_ = 0;
    BoxBits box_{};
    const simd::Row& row_;
    const RowArrays arrays_;
};

bool find_piles(const FrameState& frame, AgentTable& table) noexcept {
    table.piles.clear();
    return for_each_full_cell(frame, least_pile,
                              [&](const simd::Row& row, std::uint32_t begin, std::uint32_t end) {
                                  return CellOfPiles(row).add(begin, end, table.piles);
                              });
}

// About the root of the number of agents, so that a search compares as many bounds as agents of a chunk
// afterwards.
std::uint32_t chunk_shift_of(std::uint32_t agents) noexcept {
    return static_cast<std::uint32_t>(std::bit_width(agents) + 1) / 2;
}

// The bounds of the slots [begin, end) of a row. Slots without an agent have none.
simd::Bounds bounds_of(const FrameState& frame, const simd::Row& row, std::uint32_t begin,
                       std::uint32_t end) noexcept {
    const std::uint32_t whole = (end - begin) / simd::gap * simd::gap;  // a kernel would read slots behind it
    simd::Bounds bounds = frame.kernels->rows->bound_row({row.data + begin, nullptr, row.stride, whole, 0});
    const RowArrays arrays(row);
    const auto lower = [](float& bound, float value) { bound = value < bound ? value : bound; };
    for (std::uint32_t i = begin + whole; i < end; ++i) {
        lower(bounds.min_x, arrays.min_x[i]);
        lower(bounds.min_y, arrays.min_y[i]);
        lower(bounds.negated_max_x, -arrays.max_x[i]);
        lower(bounds.negated_max_y, -arrays.max_y[i]);
    }
    return bounds;
}

// Bounds the chunks of a cell, at their place in the row's chunks in the table, and with them the cell.
void bound_chunks(const FrameState& frame, const simd::Row& row, CrowdedCell& cell) noexcept {
    const auto begin = static_cast<std::uint32_t>(cell.begin - RowArrays(row).id),
               end = static_cast<std::uint32_t>(cell.end - RowArrays(row).id);
    float* const to = const_cast<float*>(cell.chunks.data);
    const std::uint32_t stride = cell.chunks.stride;
    std::fill_n(to, std::size_t{4} * stride, std::numeric_limits<float>::quiet_NaN());
    for (std::uint32_t k = 0; k < cell.chunks.count; ++k) {
        const std::uint32_t first = begin + (k << cell.chunk_shift);
        const simd::Bounds bounds =
            bounds_of(frame, row, first, std::min(end, first + (1u << cell.chunk_shift)));
        to[k] = bounds.min_x;
        to[std::size_t{stride} + k] = bounds.min_y;
        to[std::size_t{2} * stride + k] = -bounds.negated_max_x;
        to[std::size_t{3} * stride + k] = -bounds.negated_max_y;
        add(cell.bounds, bounds);
    }
}

bool find_crowded_cells(const FrameState& frame, AgentTable& table) noexcept {
    constexpr float none = std::numeric_limits<float>::infinity();
    table.crowded_cells.clear();
    std::size_t slots = 0;
    const bool enough = for_each_full_cell(
        frame, least_crowded, [&](const simd::Row& row, std::uint32_t begin, std::uint32_t end) {
            const std::uint32_t shift = chunk_shift_of(end - begin), count = ((end - begin - 1) >> shift) + 1,
                                stride = count + simd::gap;
            slots += std::size_t{4} * stride;
            const AgentId* const ids = RowArrays(row).id;
            return table.crowded_cells.push_back({ids + begin,
                                                  ids + end,
                                                  {none, none, none, none},
                                                  shift,
                                                  {nullptr, nullptr, stride, count, 0}});
        });
    if (!enough || !table.chunk_bounds.resize(slots)) return false;
    float* data = table.chunk_bounds.data();
    CrowdedCell* cell = table.crowded_cells.begin();
    (void)for_each_full_cell(frame, least_crowded, [&](const simd::Row& row, std::uint32_t, std::uint32_t) {
        cell->chunks.data = data;
        data += std::size_t{4} * cell->chunks.stride;
        bound_chunks(frame, row, *cell++);
        return true;
    });
    return true;
}

// The first item of a frame's table, in order of address, that ends behind a slot. The first call finds all
// items, by find(frame, table). Without memory there are none.
template <class Item, class Find>
const Item* next_behind(const FrameState& frame, const AgentId* slot, Buffer<Item> AgentTable::*items,
                        std::atomic<bool> AgentTable::*has_items, const Find& find) noexcept {
    const AgentTable* const table = table_with(frame, has_items, [&](AgentTable& made) {
        Buffer<Item>& found = made.*items;
        if (!find(frame, made)) found.clear();
        std::sort(found.begin(), found.end(),
                  [](const Item& a, const Item& b) { return std::less<>()(a.begin, b.begin); });
        return true;
    });
    if (table == nullptr) return nullptr;
    const Buffer<Item>& in_order = table->*items;
    const Item* const behind =
        std::upper_bound(in_order.begin(), in_order.end(), slot,
                         [](const AgentId* at, const Item& item) { return std::less<>()(at, item.end); });
    return behind != in_order.end() ? behind : nullptr;
}

}  // namespace

const simd::Pile* next_pile(const simd::PileFinder& finder, const AgentId* slot) noexcept {
    const FrameState& frame = *static_cast<const FrameState*>(finder.frame);
    if (frame.sharing < std::uint64_t{least_pile} * (least_pile - 1) / 2) return nullptr;
    return next_behind(frame, slot, &AgentTable::piles, &AgentTable::has_piles, find_piles);
}

const CrowdedCell* next_crowded_cell(const simd::PileFinder& finder, const AgentId* slot) noexcept {
    return next_behind(*static_cast<const FrameState*>(finder.frame), slot, &AgentTable::crowded_cells,
                       &AgentTable::has_crowded_cells, find_crowded_cells);
}

}  // namespace throng::detail
