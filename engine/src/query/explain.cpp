#include "engine/src/query/explain.hpp"

#include <algorithm>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/cell_math.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/plan/world_map.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// The same cut along the grid as in simd/kernels/search/search.hpp.
void add_grid(Explain& sum, const simd::View& view, const Box& box) noexcept {
    const simd::Grid& g = view.grid;
    const std::uint32_t first_row = lowest_row(g, box.min_y - view.reach_y),
                        last_row = highest_row(g, box.max_y);
    const std::uint32_t first_column = lowest_column(g, box.min_x - view.reach_x),
                        last_column = highest_column(g, box.max_x);
    const std::uint32_t edge_row = highest_row(g, box.min_y), edge_column = highest_column(g, box.min_x);
    const std::uint32_t top_row = lowest_row(g, box.max_y), behind = lowest_column(g, box.max_x);
    const bool has_inner =
        last_row - first_row > 1 && last_column - first_column > 1 && edge_column + 1 < behind;
    for (std::uint32_t r = first_row; r <= last_row; ++r) {
        const simd::Row& row = view.rows[r];
        if (row.count == 0) continue;
        ++sum.rows;
        sum.cells += last_column - first_column + 1;
        const std::uint32_t all = row.cells[last_column + 1] - row.cells[first_column];
        const bool inner = has_inner && r > edge_row && r < top_row;
        const std::uint32_t covered = inner ? row.cells[behind] - row.cells[edge_column + 1] : 0;
        sum.covered += covered;
        sum.tested += all - covered;
    }
}

Box bounds_of(float min_x, float min_y, float negated_max_x, float negated_max_y) noexcept {
    return {min_x, min_y, -negated_max_x, -negated_max_y};
}
bool inside(const Box& inner, const Box& outer) noexcept {
    return outer.min_x <= inner.min_x && outer.min_y <= inner.min_y && inner.max_x <= outer.max_x &&
           inner.max_y <= outer.max_y;
}

// Calls visit(island, bounds) for the islands that may overlap a box, as in simd/kernels/search/islands.hpp.
template <class Visit>
void for_each_island(Explain& sum, const simd::Islands& islands, const Box& box,
                     const Visit& visit) noexcept {
    const simd::Tiles& t = islands.tiles;
    const auto column = [&](float x, float scaled) {
        return place(x, t.origin_x, t.inverse_width * scaled, t.last_column);
    };
    const auto row = [&](float y, float scaled) {
        return place(y, t.origin_y, t.inverse_height * scaled, t.last_row);
    };
    const std::uint32_t left = column(box.min_x - islands.reach_x, simd::scaled_down),
                        right = column(box.max_x, simd::scaled_up), high = row(box.max_y, simd::scaled_up);
    for (std::uint32_t r = row(box.min_y - islands.reach_y, simd::scaled_down); r <= high; ++r)
        for (std::uint32_t c = left; c <= right; ++c) {
            const std::uint32_t region = t.region_of[std::size_t{r} * t.columns + c];
            if (region == 0) continue;
            const simd::Island& island = islands.all[region - 1];
            const simd::Bounds& b = island.bounds;
            const Box bounds = bounds_of(b.min_x, b.min_y, b.negated_max_x, b.negated_max_y);
            ++sum.islands;
            if (bounds.overlaps(box)) visit(island, bounds);
        }
}
// All common agents of an island, and of its own islands.
void add_whole_island(Explain& sum, const simd::Island& island) noexcept {
    for (std::uint32_t k = 0; k < island.view.grid.rows; ++k) sum.covered += island.view.rows[k].count;
    if (island.view.islands == nullptr) return;
    const simd::Islands& inner = *island.view.islands;
    for (std::size_t tile = 0; tile < std::size_t{inner.tiles.columns} * inner.tiles.rows; ++tile)
        if (const std::uint32_t region = inner.tiles.region_of[tile]; region != 0)
            add_whole_island(sum, inner.all[region - 1]);
}
void add_islands(Explain& sum, const simd::Islands& islands, const Box& box) noexcept;

void add_island(Explain& sum, const simd::Island& island, const Box& bounds, const Box& box) noexcept {
    if (inside(bounds, box)) return add_whole_island(sum, island);
    const simd::Islands* inner = island.view.islands;
    if (inner == nullptr || !inner->open_is_empty) add_grid(sum, island.view, box);
    if (inner != nullptr) add_islands(sum, *inner, box);
}
void add_islands(Explain& sum, const simd::Islands& islands, const Box& box) noexcept {
    for_each_island(sum, islands, box, [&](const simd::Island& island, const Box& bounds) {
        add_island(sum, island, bounds, box);
    });
}
// The innermost island that has all agents which may overlap a box, as in simd/kernels/search/islands.hpp.
const simd::Island* only_island(const simd::Islands* islands, const Box& box) noexcept {
    const simd::Island* only = nullptr;
    while (islands != nullptr) {
        const simd::Tiles& t = islands->tiles;
        const float* reach = islands->locate_all.back;
        const auto tile = [&](float x, float y, float scaled) {
            return place(y, t.origin_y, t.inverse_height * scaled, t.last_row) * t.columns +
                   place(x, t.origin_x, t.inverse_width * scaled, t.last_column);
        };
        const std::uint32_t first = tile(box.min_x - reach[0], box.min_y - reach[1], simd::scaled_down);
        const std::uint32_t region = t.region_of[first];
        if (first != tile(box.max_x, box.max_y, simd::scaled_up) || region == 0) break;
        only = &islands->all[region - 1];
        islands = only->view.islands;
    }
    return only;
}
void add_world(Explain& sum, const simd::View& view, const Box& box) noexcept {
    const simd::Island* only = only_island(view.islands, box);
    if (only == nullptr) {
        if (view.islands == nullptr || !view.islands->open_is_empty) add_grid(sum, view, box);
        if (view.islands != nullptr) add_islands(sum, *view.islands, box);
        return;
    }
    const simd::Bounds& b = only->bounds;
    const Box bounds = bounds_of(b.min_x, b.min_y, b.negated_max_x, b.negated_max_y);
    ++sum.islands;
    if (bounds.overlaps(box)) add_island(sum, *only, bounds, box);
}

// The nodes of a tree: the same walk as in simd/kernels/search/search.hpp. Calls `visit(node, inside)` for
// leaves, and for subtrees inside the box.
template <class Tree, class Visit>
void walk_tree(Explain& sum, const Tree& tree, const Box& box, const Filter* filter, Visit&& visit) noexcept {
    for (std::uint32_t n = 0; n < tree.node_count;) {
        const simd::Node& node = tree.nodes[n];
        const Box bounds = bounds_of(node.min_x, node.min_y, node.negated_max_x, node.negated_max_y);
        ++sum.nodes;
        if (!bounds.overlaps(box) || (filter != nullptr && (node.categories & filter->categories) == 0)) {
            n = node.next;
        } else if (inside(bounds, box)) {
            visit(node, true);
            n = node.next;
        } else if (++n == node.next) {
            visit(node, false);
        }
    }
}

// The oversized agents. With a filter every agent is tested.
void add_tree(Explain& sum, const simd::View& view, const Box& box, const Filter* filter) noexcept {
    const auto add = [&](std::uint32_t agents, bool inside) {
        (inside && filter == nullptr ? sum.covered : sum.tested) += agents;
        if (!inside || filter != nullptr) sum.oversized += agents;
    };
    const auto add_node = [&](const simd::Node& node, bool inside) { add(node.end - node.begin, inside); };
    if (view.groves == nullptr) return walk_tree(sum, view, box, filter, add_node);
    walk_tree(sum, view, box, filter, [&](const simd::Node& node, bool inside) {
        for (std::uint32_t g = node.begin; g < node.end; ++g)
            if (inside)
                add(view.groves[g].oversized.count, true);
            else
                walk_tree(sum, view.groves[g], box, filter, add_node);
    });
}

// The part of a row that a filtered query searches: the stretches where an agent may be admitted.
void add_row(Explain& sum, const simd::View& view, std::uint32_t r, std::uint32_t first, std::uint32_t last,
             std::uint32_t categories) noexcept {
    const simd::Row& row = view.rows[r];
    if (row.count == 0) return;
    bool looked = false;
    for (std::uint32_t s = first >> simd::stretch_shift; s <= last >> simd::stretch_shift; ++s) {
        const std::uint32_t here = view.stretches != nullptr
                                       ? view.stretches[std::size_t{r} * view.stretches_in_row + s]
                                       : std::uint32_t{simd::default_category};
        if ((here & categories) == 0) continue;
        const std::uint32_t from = std::max(first, s << simd::stretch_shift),
                            to = std::min(last, ((s + 1) << simd::stretch_shift) - 1);
        looked = true;
        sum.cells += to - from + 1;
        sum.tested += row.cells[to + 1] - row.cells[from];
    }
    sum.rows += looked;
}
void add_filtered_grid(Explain& sum, const simd::View& view, const Box& box,
                       std::uint32_t categories) noexcept {
    const simd::Grid& g = view.grid;
    const std::uint32_t first = lowest_column(g, box.min_x - view.reach_x),
                        last = highest_column(g, box.max_x), last_row = highest_row(g, box.max_y);
    for (std::uint32_t r = lowest_row(g, box.min_y - view.reach_y); r <= last_row; ++r)
        add_row(sum, view, r, first, last, categories);
}
void add_filtered_islands(Explain& sum, const simd::Islands& islands, const Box& box,
                          std::uint32_t categories) noexcept {
    for_each_island(sum, islands, box, [&](const simd::Island& island, const Box&) {
        add_filtered_grid(sum, island.view, box, categories);
        if (island.view.islands != nullptr) add_filtered_islands(sum, *island.view.islands, box, categories);
    });
}
// As in simd/kernels/search/filtered.hpp.
void add_filtered_cost(Explain& sum, const simd::View& view, const Box& box, const Filter& filter) noexcept {
    if (const simd::Island* only = only_island(view.islands, box)) {
        add_filtered_grid(sum, only->view, box, filter.categories);
        if (only->view.islands != nullptr)
            add_filtered_islands(sum, *only->view.islands, box, filter.categories);
    } else {
        add_filtered_grid(sum, view, box, filter.categories);
        if (view.islands != nullptr) add_filtered_islands(sum, *view.islands, box, filter.categories);
    }
    add_tree(sum, view, box, &filter);
    ++sum.queries;
}

// The sum of add(sum, i, box) over all queries, if they are legal. Zero without a frame.
template <class Add>
Explain sum_up(const FrameState* frame, const Boxes& boxes, const Add& add) noexcept {
    if (const Status status = check(boxes); !status.ok()) return {.status = status};
    Explain sum;
    if (frame == nullptr) sum.queries = boxes.size();
    for (std::size_t i = 0; frame != nullptr && i < boxes.size(); ++i) add(sum, i, boxes[i]);
    return sum;
}

}  // namespace

void detail::add_cost(Explain& sum, const FrameState& frame, const Box& box) noexcept {
    add_world(sum, frame.view, box);
    add_tree(sum, frame.view, box, nullptr);
    ++sum.queries;
}

Explain Frame::explain(const Box& box, const Filter& filter) const noexcept {
    return explain(Boxes::of({&box, 1}), filter);
}

Explain Frame::explain(const Boxes& boxes, const Filters& filters) const noexcept {
    if (const Code bad = boxes.fault(); bad != Code::ok) return {.status = {bad}};
    if (!filters.one_for_all() && filters.size() != boxes.size()) return {.status = {Code::size_mismatch}};
    if (!boxes.empty() && filters.data() == nullptr) return {.status = {Code::null_view}};
    if (state_ == nullptr && !status().ok()) return {.status = status()};
    return sum_up(state_, boxes, [&](Explain& sum, std::size_t i, const Box& box) {
        const Filter filter = filters[i];
        const simd::Query q{box.min_x, box.min_y, box.max_x, box.max_y};
        if (admits_all(*state_, filter)) {
            add_cost(sum, *state_, box);
            sum.hits += state_->kernels->count(state_->view, q);
            return;
        }
        add_filtered_cost(sum, state_->view, box, filter);
        std::uint32_t hits = 0;
        state_->kernels->count_in_order(state_->view, {as_kernel(&filter)}, &q, 1, &hits);
        sum.hits += hits;
    });
}

}  // namespace throng
