#include "engine/src/explain.hpp"

#include "engine/src/box_check.hpp"
#include "engine/src/frame_state.hpp"
#include "engine/src/grid.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// The same cut along the grid as in simd/kernels/search.hpp.
void add_grid(Explain& sum, const simd::View& view, const Box& box) noexcept {
    const simd::Grid& g = view.grid;
    const std::uint32_t first_row = row_at(g, box.min_y - view.reach_y), last_row = row_at(g, box.max_y);
    const std::uint32_t first_column = column_at(g, box.min_x - view.reach_x),
                        last_column = column_at(g, box.max_x);
    const std::uint32_t inner_row = row_at(g, box.min_y), inner_column = column_at(g, box.min_x);
    const bool has_inner = inner_row + 1 < last_row && inner_column + 1 < last_column;
    for (std::uint32_t r = first_row; r <= last_row; ++r) {
        const simd::Row& row = view.rows[r];
        if (row.count == 0) continue;
        ++sum.rows;
        sum.cells += last_column - first_column + 1;
        const std::uint32_t all = row.cells[last_column + 1] - row.cells[first_column];
        const bool inner = has_inner && r > inner_row && r < last_row;
        const std::uint32_t covered = inner ? row.cells[last_column] - row.cells[inner_column + 1] : 0;
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

// Islands, as in simd/kernels/islands.hpp.
void add_islands(Explain& sum, const simd::Islands& islands, const Box& box) noexcept {
    const simd::Tiles& t = islands.tiles;
    const auto column = [&](float x) { return place(x, t.origin_x, t.inverse_width, t.last_column); };
    const auto row = [&](float y) { return place(y, t.origin_y, t.inverse_height, t.last_row); };
    const std::uint32_t right = column(box.max_x), high = row(box.max_y);
    for (std::uint32_t r = row(box.min_y - islands.reach_y); r <= high; ++r)
        for (std::uint32_t c = column(box.min_x - islands.reach_x); c <= right; ++c) {
            const std::uint32_t region = t.region_of[std::size_t{r} * t.columns + c];
            if (region == 0) continue;
            const simd::Island& island = islands.all[region - 1];
            const simd::Bounds& b = island.bounds;
            const Box bounds = bounds_of(b.min_x, b.min_y, b.negated_max_x, b.negated_max_y);
            ++sum.islands;
            if (!bounds.overlaps(box)) continue;
            if (!inside(bounds, box)) {
                add_grid(sum, island.view, box);
                continue;
            }
            for (std::uint32_t k = 0; k < island.view.grid.rows; ++k)
                sum.covered += island.view.rows[k].count;
        }
}

// The oversized agents: the same walk as in simd/kernels/search.hpp.
void add_tree(Explain& sum, const simd::View& view, const Box& box) noexcept {
    for (std::uint32_t n = 0; n < view.node_count;) {
        const simd::Node& node = view.nodes[n];
        const Box bounds = bounds_of(node.min_x, node.min_y, node.negated_max_x, node.negated_max_y);
        const std::uint32_t agents = node.end - node.begin;
        ++sum.nodes;
        if (!bounds.overlaps(box)) {
            n = node.next;
        } else if (inside(bounds, box)) {
            sum.covered += agents;
            n = node.next;
        } else if (++n == node.next) {
            sum.tested += agents;
            sum.oversized += agents;
        }
    }
}

}  // namespace

void detail::add_cost(Explain& sum, const FrameState& frame, const Box& box) noexcept {
    if (frame.view.islands == nullptr || !frame.view.islands->open_is_empty) add_grid(sum, frame.view, box);
    if (frame.view.islands != nullptr) add_islands(sum, *frame.view.islands, box);
    add_tree(sum, frame.view, box);
    ++sum.questions;
}

Explain Frame::explain(const Box& box) const noexcept { return explain(Boxes::of({&box, 1})); }

Explain Frame::explain(const Boxes& boxes) const noexcept {
    if (boxes.null()) return {.status = {Code::null_view}};
    if (const Status status = check(boxes); !status.ok()) return {.status = status};
    Explain sum;
    if (state_ == nullptr) {
        sum.questions = boxes.size();
        return sum;
    }
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const Box box = boxes[i];
        add_cost(sum, *state_, box);
        sum.hits += state_->kernels->count(state_->view, {box.min_x, box.min_y, box.max_x, box.max_y});
    }
    return sum;
}

}  // namespace throng
