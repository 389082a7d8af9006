#include "engine/src/frame/lookup/crowded_cells.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>

#include "base/row_groups.hpp"
#include "engine/src/frame/lookup/boxes_by_id.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/store/store.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

using simd::CrowdedCell;

// About the root of how many agents there are, so that a search compares as many bounds as it then compares
// agents of a chunk.
std::uint32_t chunk_shift_of(std::uint32_t agents) noexcept {
    return static_cast<std::uint32_t>(std::bit_width(agents) + 1) / 2;
}

// Calls use(row, begin, end) for each crowded cell.
template <class Use>
bool for_each_crowded_cell(const FrameState& frame, const Use& use) noexcept {
    for (std::size_t r = 0; r < frame.rows.size(); ++r) {
        const simd::Row& row = frame.rows[r];
        if (row.count < simd::least_pile) continue;
        for (std::uint32_t c = 0; c < frame.map.columns(r); ++c)
            if (row.cells[c + 1] - row.cells[c] >= simd::least_pile &&
                !use(row, row.cells[c], row.cells[c + 1]))
                return false;
    }
    return true;
}

// Of the slots [begin, end) of a row. Those without an agent have no bounds.
simd::Bounds bounds_of(const FrameState& frame, const simd::Row& row, std::uint32_t begin,
                       std::uint32_t end) noexcept {
    const std::uint32_t whole = (end - begin) / simd::gap * simd::gap;  // a kernel would read behind others
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

// Bounds the chunks of a cell, which lie in the table where its row of chunks says, and with them the cell.
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
    const bool enough = for_each_crowded_cell(frame, [&](const simd::Row& row, std::uint32_t begin,
                                                         std::uint32_t end) {
        const std::uint32_t shift = chunk_shift_of(end - begin), count = ((end - begin - 1) >> shift) + 1,
                            stride = count + simd::gap;
        slots += std::size_t{4} * stride;
        const AgentId* const ids = RowArrays(row).id;
        return table.crowded_cells.push_back(
            {ids + begin, ids + end, {none, none, none, none}, shift, {nullptr, nullptr, stride, count, 0}});
    });
    if (!enough || !table.chunk_bounds.resize(slots)) return false;
    float* data = table.chunk_bounds.data();
    CrowdedCell* cell = table.crowded_cells.begin();
    (void)for_each_crowded_cell(frame, [&](const simd::Row& row, std::uint32_t, std::uint32_t) {
        cell->chunks.data = data;
        data += std::size_t{4} * cell->chunks.stride;
        bound_chunks(frame, row, *cell++);
        return true;
    });
    std::sort(table.crowded_cells.begin(), table.crowded_cells.end(),
              [](const CrowdedCell& a, const CrowdedCell& b) { return std::less<>()(a.begin, b.begin); });
    return true;
}

const AgentTable* table_with_crowded_cells(const FrameState& frame) noexcept {
    const AgentTable* known = frame.by_id.load(std::memory_order_acquire);
    if (known != nullptr && known->has_crowded_cells.load(std::memory_order_acquire)) return known;
    const std::lock_guard lock(frame.store->making_agent_table);
    AgentTable* const table = table_to_fill(frame);
    if (table == nullptr) return nullptr;
    if (!table->has_crowded_cells.load(std::memory_order_relaxed)) {
        if (!find_crowded_cells(frame, *table)) table->crowded_cells.clear();
        table->has_crowded_cells.store(true, std::memory_order_release);
    }
    return table;
}

}  // namespace

const CrowdedCell* next_crowded_cell(const simd::PileFinder& finder, const AgentId* slot) noexcept {
    const AgentTable* table = table_with_crowded_cells(*static_cast<const FrameState*>(finder.frame));
    if (table == nullptr) return nullptr;
    const CrowdedCell* const behind = std::upper_bound(
        table->crowded_cells.begin(), table->crowded_cells.end(), slot,
        [](const AgentId* at, const CrowdedCell& cell) { return std::less<>()(at, cell.end); });
    return behind != table->crowded_cells.end() ? behind : nullptr;
}

}  // namespace throng::detail
