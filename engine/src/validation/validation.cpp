#include "engine/src/validation/validation.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/box_math.hpp"
#include "base/kernels.hpp"
#include "base/legal.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/oversized_tree.hpp"
#include "simd/row_kernels.hpp"
#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

class Inspector {
public:
    Inspector(const FrameState& frame, const Staging* staging, MemoryResource* memory) noexcept
        : frame_(frame),
          grid_(frame.view.grid),
          map_(frame.map),
          staging_(staging),
          seen_(memory),
          stretches_(memory) {}

    Validation run() noexcept {
        std::size_t agents = 0, oversized = 0;
        if (frame_.rows.size() != map_.rows() || frame_.blocks.size() != map_.rows() ||
            grid_.rows != map_.open().rows || grid_.rows == 0 || frame_.view.rows != frame_.rows.data()) {
            report(Fault::row_table_size, 0, 0, 0);
            return result_;  // nothing else can be read safely
        }
        if (!seen_.resize(frame_.id_bound, 0)) {
            result_.status = {Code::out_of_memory};
            return result_;
        }
        for (std::uint32_t r = 0; r < map_.rows(); ++r) {
            agents += agents_in(frame_.rows[r]);
            if (agents_in(frame_.rows[r]) == 0) continue;
            inspect_row(r);
            oversized += frame_.rows[r].oversized;
        }
        if (agents != frame_.agents) report(Fault::agent_count, 0, 0, 0);
        inspect_oversized_list(oversized);
        inspect_tree();
        inspect_islands();
        inspect_ghosts();
        if (frame_.labelled()) inspect_stretches();
        if (frame_.has_heights()) inspect_heights();
        if (staging_ != nullptr && staging_->has_table()) inspect_ids();
        return result_;
    }

private:
    void report(Fault fault, std::uint32_t row, std::uint32_t slot, AgentId agent) noexcept {
        if (result_.faults++ != 0) return;
        result_.first = fault;
        result_.row = row;
        result_.slot = slot;
        result_.agent = agent;
    }

    void inspect_row(std::uint32_t r) noexcept {
        const std::uint32_t columns = map_.columns(r);
        const simd::Row& row = frame_.rows[r];
        const Block* block = frame_.blocks[r];
        const std::uint32_t places = oversized_end(row);
        if (block == nullptr || !block->taken || !inside(*block, row))
            return report(Fault::store_reference, r, 0, 0);
        if (row.stride < places ||
            row.cells != cells_in(const_cast<float*>(row.data), row.stride, frame_.extras))
            return report(Fault::row_capacity, r, 0, 0);
        bool ascending = row.cells[0] == 0;
        for (std::uint32_t c = 0; c < columns; ++c) ascending = ascending && row.cells[c] <= row.cells[c + 1];
        if (!ascending) return report(Fault::cells_not_ascending, r, 0, 0);
        if (row.cells[columns] != row.count) return report(Fault::cells_do_not_end_at_count, r, 0, 0);
        if (!row.is_dense() && !are_chunks_sound(row, columns)) return report(Fault::row_capacity, r, 0, 0);
        const RowArrays a(row);
        for (std::uint32_t i = row.count; i < row.count + simd::gap; ++i)
            if (!std::isnan(a.min_x[i]) || !std::isnan(a.min_y[i]) || !std::isnan(a.max_x[i]) ||
                !std::isnan(a.max_y[i]))
                report(Fault::padding_not_nan, r, i, 0);
        for (std::uint32_t c = 0; c < columns; ++c) inspect_cell(r, c, row.cells[c], row.cells[c + 1]);
        inspect_cell(r, columns, oversized_begin(row), places);
    }

    // The extent of an agent may differ under another rounding mode.
    static bool is_about(float extent, float other) noexcept {
        return std::abs(extent - other) <= 0x1p-22f * std::abs(other);
    }
    // The notes on the chunks of a row with holes.
    bool are_chunks_sound(const simd::Row& row, std::uint32_t columns) const noexcept {
        std::uint32_t all = 0;
        bool sound = true;
        for (std::uint32_t k = 0; k < chunk_count(row); ++k) {
            const std::uint32_t begin = k * RowChunk::slots;
            simd::Row part = row;
            part.data += begin;
            part.count = std::min(RowChunk::slots, row.count - begin);
            const RowChunk &noted = chunks_of(row, columns)[k],
                           found{holes_between(row, begin, begin + part.count),
                                 frame_.kernels->rows->measure_row(part),
                                 frame_.kernels->rows->bound_row(part)};
            sound = sound && noted.holes == found.holes && is_about(noted.reach.width, found.reach.width) &&
                    is_about(noted.reach.height, found.reach.height) &&
                    std::memcmp(&noted.bounds, &found.bounds, sizeof found.bounds) == 0;
            all += found.holes;
        }
        return sound && all == row.holes &&
               holes_between(row, oversized_begin(row), row.stride) ==
                   row.stride - oversized_begin(row) - row.oversized;
    }
    static bool inside(const Block& block, const simd::Row& row) noexcept {
        const auto* begin = reinterpret_cast<const std::byte*>(row.data);
        return begin >= block.memory && begin < block.memory + block.bytes;
    }

    void inspect_cell(std::uint32_t r, std::uint32_t column, std::uint32_t begin,
                      std::uint32_t end) noexcept {
        const simd::Row& row = frame_.rows[r];
        const RowArrays a(row);
        for (std::uint32_t i = begin; i < end; ++i) {
            const AgentId id = a.id[i];
            const bool has_equal = i > begin && a.id[i - 1] == id;
            if (i > begin && (a.id[i - 1] > id || (has_equal && (row.is_dense() || has_agent(row, i)))))
                report(Fault::agents_out_of_order, r, i, id);
            if (!row.is_dense() && !has_agent(row, i)) continue;
            const Box box = a.box(i);
            if (const Code code = check(box); code != Code::ok) {
                report(code == Code::inverted ? Fault::box_inverted : Fault::box_not_finite, r, i, id);
                continue;
            }
            if (frame_.has_heights() && check(RowHeights(row).height(i)) != Code::ok)
                report(Fault::height_not_legal, r, i, id);
            const Band height = traits_in(row, frame_.extras, i).height;
            inspect_place(r, column, i, id, map_.cell_of(box, map_.layer_of(height)), box);
            inspect_id(r, column, i, id);
        }
    }

    void inspect_place(std::uint32_t r, std::uint32_t column, std::uint32_t i, AgentId id, const Cell& cell,
                       const Box& box) noexcept {
        const std::uint32_t columns = map_.columns(r);
        const simd::View& view = frame_.view_of(map_.region_of_row(r));
        if (cell.row != r) report(Fault::agent_in_wrong_row, r, i, id);
        if (cell.column == column) {
            const bool reached = column == columns || (box.max_x - box.min_x <= view.reach_x &&
                                                       box.max_y - box.min_y <= view.reach_y);
            if (!reached) report(Fault::common_size_too_small, r, i, id);
            return;
        }
        if (column == columns)
            report(Fault::common_among_oversized, r, i, id);
        else
            report(
                cell.column == map_.columns(cell.row) ? Fault::oversized_in_cell : Fault::agent_in_wrong_cell,
                r, i, id);
    }

    void inspect_id(std::uint32_t r, std::uint32_t column, std::uint32_t i, AgentId id) noexcept {
        if (id >= frame_.id_bound) return report(Fault::id_out_of_range, r, i, id);
        if (seen_[id] != 0) report(Fault::id_twice, r, i, id);
        seen_[id] = 1;
        if (staging_ == nullptr || !staging_->has_table()) return;
        if (staging_->knows_cells() && staging_->published_cell(id) != map_.number_of({r, column}))
            report(Fault::locator_differs, r, i, id);
    }

    // The list holds each oversized agent of the rows once, unchanged, in the order of the tree's leaves.
    void inspect_oversized_list(std::size_t in_rows) noexcept {
        std::size_t listed = 0;
        for (std::uint32_t g = 0; g < grove_count(frame_); ++g) {
            const simd::Grove grove = grove_at(frame_, g);
            if (grove.first != listed) report(Fault::oversized_list_differs, 0, g, 0);
            listed += grove.oversized.count;
            inspect_list(grove.oversized);
        }
        if (frame_.view.oversized.count != in_rows || listed != in_rows)
            report(Fault::oversized_list_differs, 0, 0, 0);
    }
    void inspect_list(const simd::Row& list) noexcept {
        const RowArrays a(list);
        for (std::uint32_t i = 0; i < list.count; ++i) {
            const Band height = traits_in(list, frame_.extras, i).height;
            const std::uint32_t r = map_.cell_of(a.box(i), map_.layer_of(height)).row;
            if (!is_in_tail(frame_.rows[r], list, i) || seen_[a.id[i]] != 1)
                report(Fault::oversized_list_differs, r, i, a.id[i]);
            else
                seen_[a.id[i]] = 2;
        }
    }
    // Whether an agent of the list is the same in the row's tail.
    bool is_in_tail(const simd::Row& row, const simd::Row& list, std::uint32_t i) const noexcept {
        const RowArrays own(row), a(list);
        if (a.id[i] >= seen_.size() || row.oversized == 0) return false;
        const std::uint32_t at = slot_in_tail(row, a.id[i]);
        return at != oversized_end(row) && own.id[at] == a.id[i] && own.box(at) == a.box(i) &&
               traits_in(row, frame_.extras, at) == traits_in(list, frame_.extras, i);
    }

    // Compares the table of categories with one recomputed row by row.
    void inspect_stretches() noexcept {
        const std::uint32_t stride = stretch_stride(map_);
        if (frame_.view.stretches != frame_.stretches.data() || frame_.view.stretches_in_row != stride ||
            frame_.stretches.size() != stretch_entries(map_))
            return report(Fault::stretches_differ, 0, 0, 0);
        Buffer<std::uint32_t>& expected = stretches_;
        if (!expected.resize(stride)) {
            result_.status = {Code::out_of_memory};
            return;
        }
        for (std::uint32_t r = 0; r < map_.rows() && result_.faults == 0; ++r) {
            note_stretches(frame_.rows[r], map_.columns(r), stride, expected.data());
            for (std::uint32_t s = 0; s < simd::stretches_in(map_.columns(r)); ++s)
                if (const std::size_t at = std::size_t{r} * stride + s; expected[s] != frame_.stretches[at])
                    report(Fault::stretches_differ, r, s, 0);
            if (!all_share(frame_.rows[r])) report(Fault::stretches_differ, r, 0, 0);
        }
    }
    // Whether the agents of a row have the categories that all agents of the frame are said to have.
    bool all_share(const simd::Row& row) const noexcept {
        if (agents_in(row) == 0) return true;
        const std::uint32_t wanted = frame_.shared_categories;
        const RowLabels labels(row);
        bool all = true;
        for_each_slot(row, [&](std::uint32_t i) { all &= (labels.categories[i] & wanted) == wanted; });
        return all;
    }

    // Whether each agent has the heights that all agents, and those of its row, are said to share.
    void inspect_heights() noexcept {
        for (std::uint32_t r = 0; r < map_.rows(); ++r) {
            if (agents_in(frame_.rows[r]) == 0) continue;
            const RowHeights heights(frame_.rows[r]);
            const auto has = [&](const simd::SharedHeights& shared, std::uint32_t i) {
                return heights.min_z[i] <= shared.from && shared.to <= heights.max_z[i];
            };
            bool sound = true;
            for_each_slot(frame_.rows[r], [&](std::uint32_t i) {
                sound = sound && has(frame_.shared_heights, i) && has(frame_.row_heights[r], i);
            });
            if (!sound) return report(Fault::heights_differ, r, 0, 0);
        }
    }

    // An island's bounds enclose its common agents and its own islands, and its view has its own rows and
    // storeys.
    void inspect_islands() noexcept {
        if (frame_.islands.size() + 1 != map_.regions() || !has_its_storeys(frame_.view, 0))
            report(Fault::island_unsound, 0, 0, 0);
        for (std::uint32_t i = 0; i < frame_.islands.size(); ++i)
            if (!is_sound(frame_.islands[i], i + 1))
                report(Fault::island_unsound, map_.first_row(i + 1), i, 0);
    }
    bool is_sound(const simd::Island& island, std::uint32_t region) const noexcept {
        const WorldMap::Tables& tables = map_.tables();
        const WorldMap::Position position = tables.positions[region];
        const simd::Tiles& tiles = tables.tiles[position.cut];
        const simd::Islands& home = frame_.cuts[position.cut];
        const std::uint32_t tile = island.tile_row * tiles.columns + island.tile_column;
        const std::uint32_t parent = tables.cuts[position.cut].region, own_cut = tables.regions[region].cut;
        Box bounds = no_box;
        for (std::uint32_t r = 0; r < map_.rows_of(region); ++r) {
            const simd::Row& row = island.view.rows[r];
            for_each_run(row, [&](std::uint32_t begin, std::uint32_t end) {
                for (std::uint32_t k = begin; k < end; ++k) bounds = bounds.united(RowArrays(row).box(k));
            });
        }
        simd::RowReach reach{island.view.reach_x, island.view.reach_y};
        if (own_cut != 0) {
            const WorldMap::Cut& cut = tables.cuts[own_cut];
            for (std::uint32_t inner = cut.first_island; inner < cut.end_island; ++inner)
                bounds = bounds.united(box_of(frame_.islands[inner - 1].bounds));
            reach.width = std::max(reach.width, frame_.cuts[own_cut].reach_x);
            reach.height = std::max(reach.height, frame_.cuts[own_cut].reach_y);
        }
        const bool leaves = !is_empty(bounds) && WorldMap::tile_at(tiles, bounds.max_x, bounds.max_y) != tile;
        return island.view.rows == frame_.rows.data() + map_.first_row(region) && position.tile == tile &&
               tiles.region_of[tile] == region && bounds == box_of(island.bounds) &&
               (!leaves || island.reaches_out != 0) && reach.width <= home.reach_x &&
               reach.height <= home.reach_y && island.home == &home &&
               island.parent == (parent == 0 ? nullptr : &frame_.islands[parent - 1]) &&
               island.view.islands == (own_cut == 0 ? nullptr : &frame_.cuts[own_cut]) &&
               has_its_storeys(island.view, region);
    }
    bool has_its_storeys(const simd::View& view, std::uint32_t region) const noexcept {
        const simd::Storeys* const storeys = view.storeys;
        if (storeys == nullptr || !map_.has_storeys(region))
            return storeys == nullptr && !map_.has_storeys(region);
        std::size_t between = 0;
        for (std::uint32_t r = 0; r < view.grid.rows; ++r) between += view.rows[r].count;
        bool sound = storeys->between_is_empty == (between == 0);
        for (std::uint32_t layer = 0; layer < map_.layers(region); ++layer) {
            const simd::View& storey = storeys->views[layer];
            sound = sound && storey.rows == frame_.rows.data() + map_.first_row(region, layer) &&
                    storey.reach_x == view.reach_x && storey.reach_y == view.reach_y;
        }
        return sound;
    }

    // Every ghost is an agent that was seen.
    void inspect_ghosts() noexcept {
        const simd::GhostIds& ghosts = frame_.ghosts;
        std::size_t count = 0;
        for (std::size_t id = ghosts.lowest; id < ghosts.bound; ++id) {
            if (!ghosts.has(static_cast<AgentId>(id))) continue;
            ++count;
            if (id >= seen_.size() || seen_[id] == 0)
                return report(Fault::ghosts_differ, 0, 0, static_cast<AgentId>(id));
        }
        if (count != frame_.ghost_count) report(Fault::ghosts_differ, 0, 0, 0);
    }

    // A tree in one piece, or a crown whose leaves are groves, each of which is a tree.
    void inspect_tree() noexcept {
        const simd::View& view = frame_.view;
        if (view.groves == nullptr) {
            inspect_nodes(view, view.oversized.count,
                          [&](const simd::Node& leaf) { return bounds_leaf(leaf, view.oversized); });
            return;
        }
        for (const simd::Grove& grove : frame_.groves) {
            inspect_nodes(grove, grove.oversized.count,
                          [&](const simd::Node& leaf) { return bounds_leaf(leaf, grove.oversized); });
            if (!lists_leaves(grove.leaves, {grove.nodes, grove.node_count}))
                report(Fault::oversized_tree_unsound, 0, 0, 0);
        }
        inspect_nodes(view, static_cast<std::uint32_t>(frame_.groves.size()), [&](const simd::Node& leaf) {
            const simd::Node& root = frame_.groves[leaf.begin].nodes[0];
            return leaf.end == leaf.begin + 1 && box_of(leaf) == box_of(root) &&
                   leaf.categories == root.categories && has_bounds(view.grove_bounds, leaf.begin, root);
        });
    }
    // Nodes in preorder: the children of a node partition its agents, or its groves, and its bounds are the
    // union of theirs.
    template <class Tree, class BoundsLeaf>
    void inspect_nodes(const Tree& tree, std::uint32_t count, BoundsLeaf&& bounds) noexcept {
        std::uint32_t expected = 0;  // the start of the next leaf
        for (std::uint32_t n = 0; n < tree.node_count; ++n) {
            const simd::Node& node = tree.nodes[n];
            const bool leaf = node.next == n + 1;
            if (node.next <= n || node.next > tree.node_count || node.begin != expected ||
                node.end <= node.begin || node.end > count ||
                !(leaf ? bounds(node) : bounds_children(tree.nodes, n)))
                return report(Fault::oversized_tree_unsound, 0, n, 0);
            if (leaf) expected = node.end;
        }
        if (expected != count) report(Fault::oversized_tree_unsound, 0, tree.node_count, 0);
    }
    // The bounds and categories of a node must equal those of its parts.
    bool bounds_leaf(const simd::Node& node, const simd::Row& list) const noexcept {
        Box bounds = no_box;
        const RowArrays a(list);
        std::uint32_t categories = frame_.labelled() ? 0 : simd::default_category;
        for (std::uint32_t i = node.begin; i < node.end; ++i) {
            bounds = bounds.united(a.box(i));
            if (frame_.labelled()) categories |= simd::noted(RowLabels(list).categories[i]);
        }
        return bounds == box_of(node) && categories == node.categories;
    }
    static bool bounds_children(const simd::Node* nodes, std::uint32_t n) noexcept {
        Box bounds = no_box;
        std::uint32_t at = nodes[n].begin, categories = 0;
        for (std::uint32_t child = n + 1; child < nodes[n].next; child = nodes[child].next) {
            if (nodes[child].begin != at || nodes[child].next <= child) return false;
            bounds = bounds.united(box_of(nodes[child]));
            categories |= nodes[child].categories;
            at = nodes[child].end;
        }
        return at == nodes[n].end && bounds == box_of(nodes[n]) && categories == nodes[n].categories;
    }

    // Every agent in the table must have been seen in its recorded cell.
    void inspect_ids() noexcept {
        for (std::size_t id = 0; id < staging_->id_bound(); ++id) {
            const bool there = id < frame_.id_bound && seen_[id] != 0;
            if ((staging_->published_cell(static_cast<AgentId>(id)) != no_cell) != there)
                report(Fault::id_table_differs, 0, 0, static_cast<AgentId>(id));
        }
    }

    const FrameState& frame_;
    const simd::Grid& grid_;
    const WorldMap& map_;
    const Staging* staging_;
    Buffer<std::uint8_t> seen_;
    Buffer<std::uint32_t> stretches_;
    Validation result_;
};

}  // namespace

THRONG_COLD Validation validate(const FrameState& frame, const Staging* staging,
                                MemoryResource* memory) noexcept {
    return Inspector(frame, staging, memory).run();
}

}  // namespace throng::detail
