// What a question costs, worked out beside the kernels rather than in them, so that they need not count.

#include <algorithm>

#include "engine/src/box_check.hpp"
#include "engine/src/filter_batch.hpp"
#include "engine/src/frame_state.hpp"
#include "engine/src/grid.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// The oversized agents: the same walk as in simd/kernels/search.hpp. With a filter nothing is taken untested.
void add_tree(Explain& sum, const simd::View& view, const Box& box, const Filter* filter) noexcept {
    for (std::uint32_t n = 0; n < view.node_count;) {
        const simd::Node& node = view.nodes[n];
        const Box bounds{node.min_x, node.min_y, -node.negated_max_x, -node.negated_max_y};
        const std::uint32_t agents = node.end - node.begin;
        ++sum.nodes;
        if (!bounds.overlaps(box) || (filter != nullptr && (node.categories & filter->categories) == 0)) {
            n = node.next;
        } else if (box.min_x <= bounds.min_x && box.min_y <= bounds.min_y && bounds.max_x <= box.max_x &&
                   bounds.max_y <= box.max_y) {
            (filter == nullptr ? sum.covered : sum.tested) += agents;
            if (filter != nullptr) sum.oversized += agents;
            n = node.next;
        } else if (++n == node.next) {
            sum.tested += agents;
            sum.oversized += agents;
        }
    }
}

// The same cut along the grid as in simd/kernels/search.hpp.
void add(Explain& sum, const FrameState& frame, const Box& box) noexcept {
    const simd::View& view = frame.view;
    const simd::Grid& g = view.grid;
    const std::uint32_t first_row = row_at(g, box.min_y - view.reach_y), last_row = row_at(g, box.max_y);
    const std::uint32_t first_column = column_at(g, box.min_x - view.reach_x),
                        last_column = column_at(g, box.max_x);
    const std::uint32_t inner_row = row_at(g, box.min_y), inner_column = column_at(g, box.min_x);
    const bool has_inner = inner_row + 1 < last_row && inner_column + 1 < last_column;
    for (std::uint32_t r = first_row; r <= last_row; ++r) {
        const simd::Row& row = frame.rows[r];
        if (row.count == 0) continue;
        ++sum.rows;
        sum.cells += last_column - first_column + 1;
        const std::uint32_t all = row.cells[last_column + 1] - row.cells[first_column];
        const bool inner = has_inner && r > inner_row && r < last_row;
        const std::uint32_t covered = inner ? row.cells[last_column] - row.cells[inner_column + 1] : 0;
        sum.covered += covered;
        sum.tested += all - covered;
    }
    add_tree(sum, view, box, nullptr);
    sum.hits += frame.kernels->count(view, {box.min_x, box.min_y, box.max_x, box.max_y});
    ++sum.questions;
}

// The part of a row that a filtered question looks at: the stretches where somebody may be admitted.
void add_row(Explain& sum, const FrameState& frame, std::uint32_t r, std::uint32_t first, std::uint32_t last,
             std::uint32_t categories) noexcept {
    const simd::Row& row = frame.rows[r];
    if (row.count == 0) return;
    bool looked = false;
    for (std::uint32_t s = first >> simd::stretch_shift; s <= last >> simd::stretch_shift; ++s) {
        const std::uint32_t here = frame.labelled
                                       ? frame.stretches[std::size_t{r} * frame.view.stretches_in_row + s]
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
// As in simd/kernels/filtered.hpp.
void add(Explain& sum, const FrameState& frame, const Box& box, const Filter& filter) noexcept {
    if (admits_all(frame, filter)) return add(sum, frame, box);
    const simd::View& view = frame.view;
    const simd::Grid& g = view.grid;
    const std::uint32_t last_row = row_at(g, box.max_y);
    for (std::uint32_t r = row_at(g, box.min_y - view.reach_y); r <= last_row; ++r)
        add_row(sum, frame, r, column_at(g, box.min_x - view.reach_x), column_at(g, box.max_x),
                filter.categories);
    add_tree(sum, view, box, &filter);
    const simd::Question q{box.min_x, box.min_y, box.max_x, box.max_y};
    std::uint32_t hits = 0;
    frame.kernels->count_filtered(view, &q, as_kernel(&filter), 0, 1, &hits);
    sum.hits += hits;
    ++sum.questions;
}

}  // namespace

Explain Frame::explain(const Box& box, const Filter& filter) const noexcept {
    return explain(Boxes::of({&box, 1}), Filters::all(filter));
}

Explain Frame::explain(const Boxes& boxes, const Filters& filters) const noexcept {
    if (boxes.null()) return {.status = {Code::null_view}};
    if (!filters.one_for_all() && filters.size() != boxes.size()) return {.status = {Code::size_mismatch}};
    if (!boxes.empty() && filters.data() == nullptr) return {.status = {Code::null_view}};
    if (const Status status = check(boxes); !status.ok()) return {.status = status};
    Explain sum;
    if (state_ == nullptr) {
        sum.questions = boxes.size();
        return sum;
    }
    for (std::size_t i = 0; i < boxes.size(); ++i) add(sum, *state_, boxes[i], filters[i]);
    return sum;
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
    for (std::size_t i = 0; i < boxes.size(); ++i) add(sum, *state_, boxes[i]);
    return sum;
}

}  // namespace throng
