#include "engine/src/frame_view.hpp"

#include <algorithm>
#include <limits>

#include "engine/src/grid.hpp"
#include "engine/src/row_labels.hpp"
#include "engine/src/store.hpp"
#include "engine/src/work_spaces.hpp"

namespace throng::detail {

namespace {

// The categories of some stretches in short, where a small question finds most of its answer.
void note_hints(FrameState& frame, std::size_t begin, std::size_t end) noexcept {
    const std::uint32_t* stretches = frame.stretches.data();
    std::uint8_t* hints = frame.hints.data();
    for (std::size_t i = begin; i < end; ++i)
        hints[i] = static_cast<std::uint8_t>(simd::hint_of(stretches[i]));
}

// The largest common agent of some rows.
simd::RowReach reach_of(const FrameState& frame, std::size_t first, std::size_t count) noexcept {
    simd::RowReach largest{0, 0};
    for (std::size_t r = first; r < first + count; ++r) {
        largest.width = std::max(largest.width, frame.reach[r].width);
        largest.height = std::max(largest.height, frame.reach[r].height);
    }
    return {rounded_up(largest.width), rounded_up(largest.height)};
}

simd::View view_of(const FrameState& frame, std::uint32_t region) noexcept {
    const simd::Grid& grid = frame.map.grid_of_region(region);
    const std::uint32_t first = frame.map.first_row(region), stride = stretch_stride(frame.map);
    const simd::RowReach reach = reach_of(frame, first, grid.rows);
    return {.grid = grid,
            .reach_x = reach.width,
            .reach_y = reach.height,
            .rows = frame.rows.data() + first,
            .oversized = {},
            .nodes = nullptr,
            .node_count = 0,
            .is_all = true,
            .islands = nullptr,
            .stretches = frame.labelled ? frame.stretches.data() + std::size_t{first} * stride : nullptr,
            .hints = frame.labelled ? frame.hints.data() + std::size_t{first} * stride : nullptr,
            .stretches_in_row = stride};
}

simd::Locate locate(const simd::RowReach& reach, float origin_x, float origin_y, float scale_x, float scale_y,
                    float last_x, float last_y) noexcept {
    return {.back = {reach.width, reach.height, 0, 0},
            .origin = {origin_x, origin_y, origin_x, origin_y},
            .scale = {scale_x, scale_y, scale_x, scale_y},
            .last = {last_x, last_y, last_x, last_y}};
}

// What an island is in this frame; which rows and which tile it has was planned.
void finish_island(FrameState& frame, std::uint32_t region) noexcept {
    const WorldMap::Tables& tables = frame.map.tables();
    const simd::Tiles& tiles = tables.tiles;
    const std::uint32_t tile = tables.tile_of_region[region];
    simd::Island& island = frame.islands[region - 1];
    island.view = view_of(frame, region);
    island.first_row = frame.map.first_row(region);
    island.tile_column = tile % tiles.columns;
    island.tile_row = tile / tiles.columns;
    constexpr float far = std::numeric_limits<float>::infinity();
    simd::Bounds& all = island.bounds = {far, far, far, far};
    for (std::uint32_t r = 0; r < island.view.grid.rows; ++r) {
        if (island.view.rows[r].count == 0) continue;
        const simd::Bounds& row = frame.bounds[island.first_row + r];
        all = {std::min(all.min_x, row.min_x), std::min(all.min_y, row.min_y),
               std::min(all.negated_max_x, row.negated_max_x),
               std::min(all.negated_max_y, row.negated_max_y)};
    }
    island.reaches_out =
        place(-all.negated_max_x, tiles.origin_x, tiles.inverse_width, tiles.last_column) !=
            island.tile_column ||
        place(-all.negated_max_y, tiles.origin_y, tiles.inverse_height, tiles.last_row) != island.tile_row;
    const simd::Grid& g = island.view.grid;
    island.locate = locate({island.view.reach_x, island.view.reach_y}, g.origin_x, g.origin_y,
                           g.inverse_width, g.inverse_height, g.last_column, g.last_row);
}

simd::RowReach reach_of_islands(const FrameState& frame) noexcept {
    simd::RowReach reach{0, 0};
    for (const simd::Island& island : frame.islands) {
        reach.width = std::max(reach.width, island.view.reach_x);
        reach.height = std::max(reach.height, island.view.reach_y);
    }
    return reach;
}

// What all islands are together.
void join_islands(FrameState& frame, const simd::RowReach& reach) noexcept {
    const simd::Tiles& tiles = frame.map.tables().tiles;
    std::size_t strays = 0;
    for (std::uint32_t r = 0; r < frame.map.open().rows; ++r) strays += frame.rows[r].count;
    frame.island_view = {.tiles = tiles,
                         .regions = frame.map.tables().regions,
                         .all = frame.islands.data(),
                         .count = static_cast<std::uint32_t>(frame.islands.size()),
                         .reach_x = reach.width,
                         .reach_y = reach.height,
                         .open_is_empty = strays == 0,
                         .locate = locate(reach, tiles.origin_x, tiles.origin_y, tiles.inverse_width,
                                          tiles.inverse_height, tiles.last_column, tiles.last_row)};
    frame.view.islands = &frame.island_view;
}

// Islands as they were, but for those with rows that were touched, which are in ascending order. Returns the
// largest reach.
simd::RowReach take_islands_over(FrameState& frame, const FrameState& before,
                                 std::span<const std::uint32_t> touched) noexcept {
    const std::uint32_t stride = stretch_stride(frame.map);
    const std::uint32_t* next = touched.data();
    const std::uint32_t* const end = next + touched.size();
    while (next != end && *next < frame.map.open().rows) ++next;
    simd::RowReach reach{0, 0};
    for (std::uint32_t i = 0; i < frame.islands.size(); ++i) {
        simd::Island& island = frame.islands[i];
        island = before.islands[i];
        const std::uint32_t first = island.first_row;
        island.view.rows = frame.rows.data() + first;
        if (frame.labelled) {
            island.view.stretches = frame.stretches.data() + std::size_t{first} * stride;
            island.view.hints = frame.hints.data() + std::size_t{first} * stride;
        }
        if (next != end && *next < first + island.view.grid.rows) finish_island(frame, i + 1);
        while (next != end && *next < first + island.view.grid.rows) ++next;
        reach.width = std::max(reach.width, island.view.reach_x);
        reach.height = std::max(reach.height, island.view.reach_y);
    }
    return reach;
}

}  // namespace

bool finish_view(FrameState& frame) noexcept {
    note_hints(frame, 0, frame.hints.size());
    frame.view = view_of(frame, 0);
    for (std::uint32_t region = 1; region < frame.map.regions(); ++region) finish_island(frame, region);
    if (frame.map.has_islands()) join_islands(frame, reach_of_islands(frame));
    if (!frame.store->oversized_tree.build(frame)) return false;
    frame.view.is_all = frame.view.node_count == 0 && frame.view.islands == nullptr;
    return true;
}

bool finish_view(FrameState& frame, const FrameState& before, std::span<const std::uint32_t> touched,
                 std::span<const GiantEdit> giants) noexcept {
    const std::size_t stride = stretch_stride(frame.map);
    std::copy(before.hints.begin(), before.hints.end(), frame.hints.begin());
    for (const std::uint32_t row : touched)
        if (frame.labelled) note_hints(frame, row * stride, (row + 1) * stride);
    frame.view = view_of(frame, 0);
    if (frame.map.has_islands()) join_islands(frame, take_islands_over(frame, before, touched));
    if (giants.empty())
        share_oversized(frame, before);
    else if (!frame.store->oversized_tree.edit(frame, before, giants))
        return false;
    frame.view.is_all = frame.view.node_count == 0 && frame.view.islands == nullptr;
    return true;
}

}  // namespace throng::detail
