#include "engine/src/frame_view.hpp"

#include <algorithm>
#include <limits>

#include "engine/src/grid.hpp"
#include "engine/src/row_labels.hpp"
#include "engine/src/store.hpp"
#include "engine/src/work_spaces.hpp"

namespace throng::detail {

namespace {

// The categories of each stretch in short, where a small question finds most of its answer.
bool note_hints(FrameState& frame) noexcept {
    if (!frame.labelled) return true;
    if (!frame.hints.resize(frame.stretches.size())) return false;
    const std::uint32_t* stretches = frame.stretches.data();
    std::uint8_t* hints = frame.hints.data();
    for (std::size_t i = 0; i < frame.hints.size(); ++i)
        hints[i] = static_cast<std::uint8_t>(simd::hint_of(stretches[i]));
    return true;
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
            .stretches_in_row = stride,
            .locate = simd::locate(grid, reach.width, reach.height)};
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
}

bool finish_islands(FrameState& frame) noexcept {
    const simd::Tiles& tiles = frame.map.tables().tiles;
    const std::uint32_t count = frame.map.regions() - 1;
    if (!resize_amply(frame.islands, count)) return false;
    std::size_t strays = 0;
    for (std::uint32_t r = 0; r < frame.map.open().rows; ++r) strays += frame.rows[r].count;
    simd::RowReach reach{0, 0};
    for (std::uint32_t i = 0; i < count; ++i) {
        finish_island(frame, i + 1);
        reach.width = std::max(reach.width, frame.islands[i].view.reach_x);
        reach.height = std::max(reach.height, frame.islands[i].view.reach_y);
    }
    frame.island_view = {
        .tiles = tiles,
        .regions = frame.map.tables().regions,
        .all = frame.islands.data(),
        .count = count,
        .reach_x = reach.width,
        .reach_y = reach.height,
        .open_is_empty = strays == 0,
        .locate = simd::locate(simd::Place{tiles.origin_x, tiles.origin_y, tiles.inverse_width,
                                           tiles.inverse_height, tiles.last_column, tiles.last_row},
                               reach.width, reach.height)};
    frame.view.islands = &frame.island_view;
    return true;
}

}  // namespace

bool finish_view(FrameState& frame) noexcept {
    if (!note_hints(frame)) return false;
    frame.view = view_of(frame, 0);
    if (frame.map.has_islands() && !finish_islands(frame)) return false;
    if (!frame.store->oversized_tree.build(frame)) return false;
    frame.view.is_all = frame.view.node_count == 0 && frame.view.islands == nullptr;
    return true;
}

}  // namespace throng::detail
