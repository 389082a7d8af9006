// What queries cost: the kernels' own search counts what it looks at (simd/explain.hpp).

#include "simd/explain.hpp"

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/query_box.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

Explain explain_of(const simd::QueryCost& cost, std::uint64_t queries, std::uint64_t hits) noexcept {
    return {.status = {},
            .queries = queries,
            .rows = cost.rows,
            .cells = cost.cells,
            .tested = cost.tested,
            .covered = cost.covered,
            .islands = cost.islands,
            .nodes = cost.nodes,
            .oversized = cost.oversized,
            .hits = hits};
}

}  // namespace

Explain Frame::explain(const Box& box, const Filter& filter) const noexcept {
    return explain(Boxes::of({&box, 1}), filter);
}

Explain Frame::explain(const Boxes& boxes, const Filters& filters) const noexcept {
    if (const Code bad = boxes.fault(); bad != Code::ok) return {.status = {bad}};
    if (!filters.one_for_all() && filters.size() != boxes.size()) return {.status = {Code::size_mismatch}};
    if (!boxes.empty() && filters.data() == nullptr) return {.status = {Code::null_view}};
    if (state_ == nullptr && !status().ok()) return {.status = status()};
    if (const Status bad = check(boxes); !bad.ok()) return {.status = bad};
    simd::QueryCost cost;
    std::uint64_t hits = 0;
    for (std::size_t i = 0; state_ != nullptr && i < boxes.size(); ++i) {
        const Filter filter = filters[i];
        const simd::LabelFilters own = kernel_filters(*state_, filter);
        const simd::Query q = query_of(boxes[i]);
        simd::add_cost(state_->view, q, own, cost);
        std::uint32_t found = 0;
        state_->kernels->count_in_order(state_->view, own, &q, 1, &found);
        hits += found;
    }
    return explain_of(cost, boxes.size(), hits);
}

}  // namespace throng
