#include "engine/src/pairs/grown_frame.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/blocks.hpp"
#include "base/box_math.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

constexpr std::size_t edge_arrays = 4;

// Copies the edges of some boxes, lower edges as they are.
void grow_edges(const simd::Row& from, const simd::Row& to, std::size_t count,
                const Growth& growth) noexcept {
    auto* out = const_cast<float*>(to.data);
    for (std::size_t k = 0; k < edge_arrays / 2; ++k)
        std::copy_n(from.data + k * from.stride, count, out + k * to.stride);
    for (std::size_t k = edge_arrays / 2; k < edge_arrays; ++k) {
        const float* edge = from.data + k * from.stride;
        float* up = out + k * to.stride;
        for (std::size_t i = 0; i < count; ++i) up[i] = growth.up(edge[i]);
    }
}
// Ids, slots, or the starts of leaves; null if a row has no memory.
std::uint32_t* names_of(const simd::Row& row) noexcept {
    return row.data == nullptr
               ? nullptr
               : reinterpret_cast<std::uint32_t*>(const_cast<float*>(row.data)) + edge_arrays * row.stride;
}
// Nodes, and bounds of an island: their upper edges are negated.
template <class Enclosing>
void grow_bounds(Enclosing& bounds, const Growth& growth) noexcept {
    bounds.negated_max_x = growth.down(bounds.negated_max_x);
    bounds.negated_max_y = growth.down(bounds.negated_max_y);
}

// The largest extent along one axis of the agents of a row, which is padded to whole vectors with NaNs.
float largest_extent(const float* min, const float* max, std::size_t count) noexcept {
    constexpr std::size_t lanes = 16;
    static_assert(lanes <= simd::gap);
    float most[lanes] = {};
    for (std::size_t i = 0; i < count; i += lanes)
        for (std::size_t k = 0; k < lanes; ++k) {
            const float extent = max[i + k] - min[i + k];
            most[k] = extent > most[k] ? extent : most[k];
        }
    return *std::max_element(most, most + lanes);
}

// Cuts the arrays of rows from one piece of memory, or only counts how much they need.
struct RowCutter {
    float* memory;
    std::size_t used = 0;

    simd::Row row(const simd::Row& like, std::uint32_t stride, std::size_t arrays) noexcept {
        simd::Row row = like;
        row.data = memory == nullptr ? nullptr : memory + used;
        row.stride = stride;
        used += arrays * stride;
        return row;
    }
};
std::uint32_t stride_for(const simd::Row& row) noexcept {
    return RowLayout(row.count, 0, simd::Extras::none).stride;
}

}  // namespace

GrownFrame::GrownFrame(const FrameState& frame, Ghosts ghosts, NamedBy named_by) noexcept
    : frame_(frame),
      leaves_out_ghosts_(ghosts == Ghosts::are_left_out),
      by_id_(named_by == NamedBy::id),
      space_(frame.store->spaces.grown) {}

bool GrownFrame::make_room(simd::Extras extras) noexcept {
    const std::size_t rows = frame_.rows.size(), groves = grove_count(frame_),
                      crown = frame_.groves.size() != 0, arrays = arrays_of_a_row(extras);
    if (!space_ || !resize_amply(space_->rows, rows) || !resize_amply(space_->reach, rows) ||
        !resize_amply(space_->groves, groves) || !resize_amply(space_->first, rows + groves + 1) ||
        !resize_amply(space_->islands, frame_.islands.size()) ||
        !resize_amply(space_->cuts, frame_.cuts.size()) ||
        !resize_amply(space_->layers, frame_.layers.size()))
        return false;
    std::size_t nodes = crown != 0 ? frame_.view.node_count : 0;
    const auto cut = [&](RowCutter cutter) {
        std::uint32_t slot = 0, *first = space_->first.data();
        for (std::size_t r = 0; r < rows; slot += frame_.rows[r++].count) {
            *first++ = slot;
            const simd::Row& row = frame_.rows[r];
            space_->rows[r] = row.count == 0 ? row : cutter.row(row, stride_for(row), arrays);
        }
        for (std::uint32_t g = 0; g < groves; ++g) {
            simd::Grove& to = space_->groves[g] = grove_at(frame_, g);
            *first++ = slot;
            slot += to.oversized.count;
            to.oversized = cutter.row(to.oversized, stride_for(to.oversized), arrays);
            if (crown != 0) to.leaves = cutter.row(to.leaves, to.leaves.stride, edge_arrays + 1);
        }
        *first = slot;
        const simd::Row& bounds = frame_.view.grove_bounds;
        if (crown != 0) bounds_ = cutter.row(bounds, bounds.stride, edge_arrays);
        return cutter.used;
    };
    const std::size_t floats = cut({nullptr});
    for (const simd::Grove& grove : space_->groves) nodes += grove.node_count;
    const std::size_t slots = space_->first[rows + groves];
    if (!resize_amply(space_->data, floats) || !resize_amply(space_->nodes, nodes) ||
        !resize_amply(space_->boxes, slots) || !resize_amply(space_->ids, slots) ||
        !resize_amply(space_->traits, has_labels(extras) ? slots : 0))
        return false;
    (void)cut({space_->data.data()});
    return !leaves_out_ghosts_ || make_cells();
}
// If ghosts are left out, rows have cells of their own.
bool GrownFrame::make_cells() noexcept {
    std::size_t count = simd::gap;
    for (std::size_t r = 0; r < frame_.rows.size(); ++r)
        if (frame_.rows[r].count != 0) count += frame_.map.columns(r) + 1;
    if (!resize_amply(space_->cells, count)) return false;
    std::uint32_t* next = space_->cells.data();
    for (std::size_t r = 0; r < frame_.rows.size(); ++r)
        if (frame_.rows[r].count != 0)
            space_->rows[r].cells = std::exchange(next, next + frame_.map.columns(r) + 1);
    return true;
}

Status GrownFrame::make(float distance, simd::Extras extras, const Executor& executor) noexcept {
    if (!make_room(extras)) return {Code::out_of_memory};
    const Growth growth(distance);
    const std::size_t rows = frame_.rows.size(), pieces = rows + space_->groves.size(),
                      blocks = parallel::blocks_for(executor, frame_.agents, 8192);
    simd::Node* nodes = space_->nodes.data();
    for (simd::Grove& grove : space_->groves) {
        std::copy_n(grove.nodes, grove.node_count, nodes);
        grove.nodes = std::exchange(nodes, nodes + grove.node_count);
    }
    const parallel::Ran ran = parallel::for_blocks(executor, blocks, [&](std::size_t block) {
        const parallel::Range part = parallel::range_of(pieces, blocks, block, 1);
        for (std::size_t piece = part.begin; piece < part.end; ++piece)
            if (piece < rows)
                space_->reach[piece] = grow_row(piece, extras, growth);
            else
                grow_grove(piece - rows, extras, growth);
    });
    if (!ran) return outcome(ran);
    view_ = frame_.view;
    view_.oversized.count = 0;
    for (simd::Grove& grove : space_->groves) {
        grove.first = view_.oversized.count;
        view_.oversized.count += grove.oversized.count;
    }
    finish_view(view_, 0);
    if (frame_.map.has_islands()) finish_islands(growth);
    finish_storeys(frame_.map, 0, space_->layers.data(), view_, storeys_);
    if (view_.node_count != 0) grow_crown(growth);
    return {};
}

simd::RowReach GrownFrame::grow_row(std::size_t r, simd::Extras extras, const Growth& growth) noexcept {
    const simd::Row& from = frame_.rows[r];
    simd::Row& to = space_->rows[r];
    if (from.count == 0) return {0, 0};
    const std::uint32_t first = space_->first[r];
    if (leaves_out_ghosts_) {
        auto* const cells = const_cast<std::uint32_t*>(to.cells);
        cells[0] = to.count = 0;
        for (std::uint32_t c = 0; c < frame_.map.columns(r); ++c) {
            keep_owned(from, {from.cells[c], from.cells[c + 1]}, to, extras, first, growth);
            cells[c + 1] = to.count;
        }
        end_row(from, to, extras);
    } else {
        grow_agents(from, to, extras, first, growth);
    }
    const std::size_t stride = to.stride;
    return {largest_extent(to.data, to.data + 2 * stride, to.count),
            largest_extent(to.data + stride, to.data + 3 * stride, to.count)};
}
void GrownFrame::grow_agents(const simd::Row& from, const simd::Row& to, simd::Extras extras,
                             std::uint32_t first, const Growth& growth) noexcept {
    const std::size_t padded = std::size_t{from.count} + simd::gap;
    grow_edges(from, to, padded, growth);
    auto* const out = const_cast<float*>(to.data);
    const RowArrays agents(from);
    std::uint32_t* const names = names_of(to);
    if (by_id_)
        std::copy_n(agents.id, padded, names);
    else
        std::iota(names, names + padded, first);
    if (has_labels(extras)) {
        for (std::size_t k = 5; k < arrays_of_a_row(extras); ++k)
            std::copy_n(from.data + k * from.stride, padded, out + k * to.stride);
        for (std::uint32_t i = 0; i < from.count; ++i) space_->traits[first + i] = traits_in(from, extras, i);
    }
    for (std::uint32_t i = 0; i < from.count; ++i) space_->boxes[first + i] = agents.box(i);
    std::copy_n(agents.id, from.count, space_->ids.data() + first);
}

bool GrownFrame::is_kept(const simd::Row& row, std::uint32_t i) const noexcept {
    return has_agent(row, i) && !frame_.ghosts.has(RowArrays(row).id[i]);
}
// Appends the owned agents of a range to the copy of their row.
void GrownFrame::keep_owned(const simd::Row& from, const parallel::Range& agents, simd::Row& to,
                            simd::Extras extras, std::uint32_t first, const Growth& growth) noexcept {
    const RowArrays own(from);
    auto* const out = const_cast<float*>(to.data);
    const std::size_t stride = to.stride;
    for (auto i = static_cast<std::uint32_t>(agents.begin); i < agents.end; ++i) {
        const Box box = space_->boxes[first + i] = own.box(i);
        space_->ids[first + i] = own.id[i];
        if (has_labels(extras)) space_->traits[first + i] = traits_in(from, extras, i);
        if (!is_kept(from, i)) continue;
        float* const at = out + to.count;
        at[0] = box.min_x, at[stride] = box.min_y;
        at[2 * stride] = growth.up(box.max_x), at[3 * stride] = growth.up(box.max_y);
        names_of(to)[to.count++] = by_id_ ? own.id[i] : first + i;
        for (std::size_t k = edge_arrays + 1; k < arrays_of_a_row(extras); ++k)
            at[k * stride] = from.data[k * from.stride + i];
    }
}
// Behind the last agent there is none.
void GrownFrame::end_row(const simd::Row& from, simd::Row& to, simd::Extras extras) noexcept {
    auto* const out = const_cast<float*>(to.data);
    for (std::size_t k = 0; k < arrays_of_a_row(extras); ++k)
        std::copy_n(from.data + k * from.stride + from.count, simd::gap, out + k * to.stride + to.count);
    to.holes = 0;
}

void GrownFrame::grow_grove(std::size_t g, simd::Extras extras, const Growth& growth) noexcept {
    const simd::Grove from = grove_at(frame_, static_cast<std::uint32_t>(g));
    simd::Grove& to = space_->groves[g];
    auto* nodes = const_cast<simd::Node*>(to.nodes);
    for (std::uint32_t n = 0; n < to.node_count; ++n) grow_bounds(nodes[n], growth);
    // Where the agents of each leaf begin.
    std::uint32_t* const begins = names_of(to.leaves);
    if (begins != nullptr) {
        grow_edges(from.leaves, to.leaves, from.leaves.stride, growth);
        std::copy_n(RowArrays(from.leaves).id, from.leaves.stride, begins);
    }
    if (leaves_out_ghosts_) {
        // How many agents before each one are kept, stored where the next copied agents go.
        auto* const kept = reinterpret_cast<std::uint32_t*>(const_cast<float*>(to.oversized.data));
        kept[0] = 0;
        for (std::uint32_t i = 0; i < from.oversized.count; ++i)
            kept[i + 1] = kept[i] + is_kept(from.oversized, i);
        for (std::uint32_t n = 0; n < to.node_count; ++n)
            nodes[n].begin = kept[nodes[n].begin], nodes[n].end = kept[nodes[n].end];
        for (std::uint32_t k = 0; begins != nullptr && k <= to.leaves.count; ++k) begins[k] = kept[begins[k]];
    }
    const std::uint32_t first = space_->first[frame_.rows.size() + g];
    if (!leaves_out_ghosts_) return grow_agents(from.oversized, to.oversized, extras, first, growth);
    to.oversized.count = 0;
    keep_owned(from.oversized, {0, from.oversized.count}, to.oversized, extras, first, growth);
    end_row(from.oversized, to.oversized, extras);
}

// The part above the groves, or the whole tree if it is one grove.
void GrownFrame::grow_crown(const Growth& growth) noexcept {
    if (view_.groves == nullptr) {
        view_.oversized = space_->groves[0].oversized;
        view_.nodes = space_->groves[0].nodes;
        return;
    }
    simd::Node* crown = space_->nodes.data() + space_->nodes.size() - view_.node_count;
    std::copy_n(view_.nodes, view_.node_count, crown);
    for (std::uint32_t n = 0; n < view_.node_count; ++n) grow_bounds(crown[n], growth);
    grow_edges(view_.grove_bounds, bounds_, bounds_.stride, growth);
    view_.nodes = crown;
    view_.grove_bounds = bounds_;
    view_.groves = space_->groves.data();
}

void GrownFrame::finish_view(simd::View& view, std::uint32_t region) noexcept {
    const std::uint32_t first = frame_.map.first_row(region);
    simd::RowReach most{0, 0};
    for (std::uint32_t r = first; r < first + frame_.map.rows_of(region); ++r)
        most = {std::max(most.width, space_->reach[r].width), std::max(most.height, space_->reach[r].height)};
    view.reach_x = rounded_up(most.width);
    view.reach_y = rounded_up(most.height);
    view.rows = space_->rows.data() + first;
    view.locate = simd::locate(view.grid, view.reach_x, view.reach_y);
    view.piles = nullptr;
}

// The last first, so an island's own islands are finished before it.
void GrownFrame::finish_islands(const Growth& growth) noexcept {
    const WorldMap::Tables& tables = frame_.map.tables();
    for (std::uint32_t region = frame_.map.regions() - 1; region > 0; --region) {
        simd::Island& island = space_->islands[region - 1] = frame_.islands[region - 1];
        finish_view(island.view, region);
        grow_bounds(island.bounds, growth);
        island.home = &space_->cuts[tables.positions[region].cut];
        if (island.parent != nullptr)
            island.parent = space_->islands.data() + (island.parent - frame_.islands.data());
        island.reaches_out = 1;  // perhaps: its agents are queries
        if (island.view.islands != nullptr) {
            finish_cut(tables.regions[region].cut);
            island.view.islands = &space_->cuts[tables.regions[region].cut];
        }
        finish_storeys(frame_.map, region, space_->layers.data(), island.view, island.storeys);
    }
    finish_cut(0);
    view_.islands = space_->cuts.data();
}

// The islands of one region, which are all finished.
void GrownFrame::finish_cut(std::uint32_t number) noexcept {
    const WorldMap::Cut& on_map = frame_.map.tables().cuts[number];
    simd::Islands& cut = space_->cuts[number] = frame_.cuts[number];
    const simd::View& own = on_map.region == 0 ? view_ : space_->islands[on_map.region - 1].view;
    cut.all = space_->islands.data();
    cut.reach_x = cut.reach_y = 0;
    for (std::uint32_t i = on_map.first_island; i < on_map.end_island; ++i) {
        const simd::View& view = space_->islands[i - 1].view;
        const simd::Islands* inner = view.islands;
        cut.reach_x = std::max({cut.reach_x, view.reach_x, inner == nullptr ? 0 : inner->reach_x});
        cut.reach_y = std::max({cut.reach_y, view.reach_y, inner == nullptr ? 0 : inner->reach_y});
    }
    cut.locate = simd::locate(cut.tiles, cut.reach_x, cut.reach_y);
    cut.locate_all =
        simd::locate(cut.tiles, std::max(cut.reach_x, own.reach_x), std::max(cut.reach_y, own.reach_y));
}

}  // namespace throng::detail
