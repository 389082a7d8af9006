// What queries read of a frame.
#include <array>
#include <limits>

#include "base/box_math.hpp"
#include "engine/src/build/frame_builder.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/store/store.hpp"

namespace throng::detail {

namespace {

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
    const simd::RowReach reach = reach_of(frame, first, frame.map.rows_of(region));
    return {.grid = grid,
            .reach_x = reach.width,
            .reach_y = reach.height,
            .rows = frame.rows.data() + first,
            .oversized = {},
            .nodes = nullptr,
            .node_count = 0,
            .is_all = true,
            .is_crowded = frame.may_be_crowded(),
            .is_plain = !frame.may_be_crowded(),
            .islands = nullptr,
            .stretches = frame.labelled() ? frame.stretches.data() + std::size_t{first} * stride : nullptr,
            .stretches_in_row = stride,
            .locate = simd::locate(grid, reach.width, reach.height),
            .shared_heights = frame.shared_heights,
            .row_heights = frame.has_heights() ? frame.row_heights.data() + first : nullptr,
            .piles = &frame.piles};
}

// The last part of a region's view. The views of storeys are that of their region, except for the place of
// their rows and what these have in common. Only what is not on the storey is looked for elsewhere.
void finish_storeys(FrameState& frame, std::uint32_t region, simd::View& view,
                    simd::Storeys& storeys) noexcept {
    const WorldMap& map = frame.map;
    if (!map.has_storeys(region)) return;
    const std::uint32_t rows = view.grid.rows, first = map.first_layer(region);
    std::size_t between = 0;
    for (std::uint32_t r = 0; r < rows; ++r) between += view.rows[r].count;
    storeys = {&map.floors(), between == 0, frame.layers.data() + first};
    view.storeys = &storeys;
    view.is_all = view.is_plain = false;
    for (std::uint32_t layer = 0; layer < map.layers(region); ++layer) {
        simd::View& own = frame.layers[first + layer] = view;
        own.rows += layer * rows;
        if (own.stretches != nullptr) own.stretches += std::size_t{layer} * rows * own.stretches_in_row;
        const bool has_rows_alone = own.node_count == 0 && own.islands == nullptr;
        // Then it is a world of its own, and nothing leads from it to the other storeys.
        own.is_all = storeys.between_is_empty && has_rows_alone;
        if (own.is_all) own.storeys = nullptr;
        if (!frame.has_heights()) continue;
        own.row_heights += layer * rows;
        if (has_rows_alone) own.shared_heights = simd::shared_heights_of(own, 0, rows - 1);
    }
}

constexpr float infinity = std::numeric_limits<float>::infinity();

// The extremes of an island, including its own islands.
CutExtremes extremes_of(const simd::Island& island) noexcept {
    const simd::Islands* inner = island.view.islands;
    return {{std::max(island.view.reach_x, inner == nullptr ? 0 : inner->reach_x),
             std::max(island.view.reach_y, inner == nullptr ? 0 : inner->reach_y)},
            island.bounds};
}
CutExtremes extremes_of(const FrameState& frame, const WorldMap::Cut& cut) noexcept {
    CutExtremes all{{0, 0}, {infinity, infinity, infinity, infinity}};
    for (std::uint32_t i = cut.first_island; i < cut.end_island; ++i) {
        const CutExtremes one = extremes_of(frame.islands[i - 1]);
        all.reach = {std::max(all.reach.width, one.reach.width),
                     std::max(all.reach.height, one.reach.height)};
        add(all.bounds, one.bounds);
    }
    return all;
}

constexpr float unknown = -1;

// Updates the extremes of a cut when one of its islands changes. If that island determined them, they become
// unknown.
void follow(CutExtremes& all, const CutExtremes& was, const CutExtremes& is) noexcept {
    bool known = all.reach.width >= 0;
    const auto most = [&](float& value, float before, float after) {
        known = known && (after >= value || before < value);
        value = std::max(value, after);
    };
    const auto least = [&](float& value, float before, float after) {
        known = known && (after <= value || before > value);
        value = std::min(value, after);
    };
    most(all.reach.width, was.reach.width, is.reach.width);
    most(all.reach.height, was.reach.height, is.reach.height);
    least(all.bounds.min_x, was.bounds.min_x, is.bounds.min_x);
    least(all.bounds.min_y, was.bounds.min_y, is.bounds.min_y);
    least(all.bounds.negated_max_x, was.bounds.negated_max_x, is.bounds.negated_max_x);
    least(all.bounds.negated_max_y, was.bounds.negated_max_y, is.bounds.negated_max_y);
    if (!known) all.reach.width = unknown;
}

// Finishes a cut whose islands are all finished. If its extremes are unknown, they are recomputed from all
// islands.
void finish_cut(FrameState& frame, std::uint32_t number) noexcept {
    const WorldMap::Tables& tables = frame.map.tables();
    const WorldMap::Cut& cut = tables.cuts[number];
    const simd::Tiles& tiles = tables.tiles[number];
    const std::uint32_t first = frame.map.first_row(cut.region);
    const simd::View& own = frame.view_of(cut.region);
    CutExtremes& extremes = frame.cut_extremes[number];
    if (extremes.reach.width < 0) extremes = extremes_of(frame, cut);
    const simd::RowReach reach = extremes.reach,
                         of_all{std::max(reach.width, own.reach_x), std::max(reach.height, own.reach_y)};
    std::size_t open = 0;
    for (std::uint32_t r = 0; r < frame.map.rows_of(cut.region); ++r) open += frame.rows[first + r].count;
    frame.cuts[number] = {.tiles = tiles,
                          .cuts = tables.tiles,
                          .regions = tables.regions,
                          .all = frame.islands.data(),
                          .reach_x = reach.width,
                          .reach_y = reach.height,
                          .open_is_empty = open == 0,
                          .locate = simd::locate(tiles, reach.width, reach.height),
                          .locate_all = simd::locate(tiles, of_all.width, of_all.height)};
}

// Finishes an island in this frame; its rows and its tile come from the plan. Its own islands are already
// finished.
void finish_island(FrameState& frame, std::uint32_t region) noexcept {
    const WorldMap::Tables& tables = frame.map.tables();
    const auto [home, tile] = tables.positions[region];
    const simd::Tiles& tiles = tables.tiles[home];
    const std::uint32_t own_cut = tables.regions[region].cut;
    simd::Island& island = frame.islands[region - 1];
    const std::uint32_t around = tables.cuts[home].region;
    island.view = view_of(frame, region);
    island.home = &frame.cuts[home];
    island.parent = around == 0 ? nullptr : &frame.islands[around - 1];
    island.first_row = frame.map.first_row(region);
    island.tile_column = tile % tiles.columns;
    island.tile_row = tile / tiles.columns;
    simd::Bounds& all = island.bounds = {infinity, infinity, infinity, infinity};
    for (std::uint32_t r = 0; r < frame.map.rows_of(region); ++r)
        if (island.view.rows[r].count != 0) add(all, frame.bounds[island.first_row + r]);
    if (own_cut != 0) {
        finish_cut(frame, own_cut);
        island.view.islands = &frame.cuts[own_cut];
        island.view.is_all = island.view.is_plain = false;
        add(all, frame.cut_extremes[own_cut].bounds);
    }
    finish_storeys(frame, region, island.view, island.storeys);
    island.reaches_out =
        bin(-all.negated_max_x, tiles.origin_x, tiles.inverse_width, tiles.last_column) !=
            island.tile_column ||
        bin(-all.negated_max_y, tiles.origin_y, tiles.inverse_height, tiles.last_row) != island.tile_row;
}

// The last first, so an island's own islands are finished before it.
void finish_islands(FrameState& frame) noexcept {
    for (CutExtremes& extremes : frame.cut_extremes) extremes.reach.width = unknown;
    for (std::uint32_t region = frame.map.regions() - 1; region > 0; --region) finish_island(frame, region);
    finish_cut(frame, 0);
    frame.view.islands = frame.cuts.data();
}

// Rebuilds the islands of some rows, and those around them; the others stay. An island's own islands come
// before it.
void renew_islands(FrameState& frame, std::span<const std::uint32_t> recent,
                   std::span<const std::uint32_t> touched) noexcept {
    const WorldMap::Tables& tables = frame.map.tables();
    std::array<std::uint16_t, 2 * RecentRows::most> waiting;
    if (recent.size() + touched.size() > waiting.size()) return finish_islands(frame);
    auto* end = waiting.data();
    for (const std::span<const std::uint32_t> rows : {recent, touched})
        for (const std::uint32_t row : rows)
            if (tables.region_of_row[row] != 0) *end++ = tables.region_of_row[row];
    std::make_heap(waiting.data(), end);
    for (std::uint32_t last = 0; end != waiting.data();) {
        std::pop_heap(waiting.data(), end);
        const std::uint32_t region = *--end;
        if (region == last) continue;
        const std::uint32_t home = tables.positions[region].cut, around = tables.cuts[home].region;
        const CutExtremes was = extremes_of(frame.islands[region - 1]);
        finish_island(frame, last = region);
        follow(frame.cut_extremes[home], was, extremes_of(frame.islands[region - 1]));
        if (around == 0) continue;
        *end++ = static_cast<std::uint16_t>(around);
        std::push_heap(waiting.data(), end);
    }
    finish_cut(frame, 0);
    frame.view.islands = frame.cuts.data();
}

// Marks stay while agents are edited, and agents may go where none were. So other marks are made once a
// quarter of the agents, and of `few_oversized`, were edited.
bool edit_tree(FrameState& frame, const FrameState& before, const OversizedEdits& edits) noexcept {
    OversizedTree& tree = frame.store->oversized_tree;
    std::size_t all = before.view.oversized.count;
    frame.edits_on_marks = before.edits_on_marks + edits.count;
    if (all < few_oversized || 4 * frame.edits_on_marks < all + few_oversized)
        return tree.edit(frame, before, edits);
    all = 0;
    for (const simd::Row& row : frame.rows) all += row.oversized;
    frame.view.oversized.count = static_cast<std::uint32_t>(all);
    frame.edits_on_marks = 0;
    return (all < few_oversized || renew_tree_marks(frame, *frame.store)) && tree.build(frame);
}

// After its tree is made.
void finish_whole(FrameState& frame) noexcept {
    simd::View& view = frame.view;
    view.is_all = view.node_count == 0 && view.islands == nullptr && !frame.map.has_storeys(0);
    view.is_plain = view.is_all && !view.is_crowded;
    finish_storeys(frame, 0, view, frame.storeys);
    frame.store->count_frame();
}

}  // namespace

bool finish_view(FrameState& frame) noexcept {
    for (const simd::SharedHeights& of_row : frame.row_heights) frame.shared_heights.add(of_row);
    frame.view = view_of(frame, 0);
    if (frame.map.has_islands()) finish_islands(frame);
    if (!frame.store->oversized_tree.build(frame)) return false;
    finish_whole(frame);
    return true;
}

bool finish_view(FrameState& frame, const FrameState& before, const Changes& changes) noexcept {
    frame.shared_heights = before.shared_heights;
    for (const std::uint32_t row : changes.touched)
        if (frame.has_heights()) frame.shared_heights.add(frame.row_heights[row]);
    frame.view = view_of(frame, 0);
    if (frame.map.has_islands() && changes.up_to_date)
        renew_islands(frame, frame.store->recent_rows(), changes.touched);
    else if (frame.map.has_islands())
        finish_islands(frame);
    frame.edits_on_marks = before.edits_on_marks;
    if (changes.oversized.count == 0)
        share_oversized(frame, before);
    else if (!edit_tree(frame, before, changes.oversized))
        return false;
    finish_whole(frame);
    return true;
}

}  // namespace throng::detail
