// What queries cost: the kernels' own search counts what it looks at (simd/query_kernels.hpp).

#include "simd/query_kernels.hpp"

#include <numeric>

#include "base/kernels.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/opened_batch.hpp"
#include "engine/src/query/shape_reader.hpp"
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

// For each query by its own filter.
void add_cost(const FrameState& frame, const QueryBatch& batch, const Filters& filters,
              simd::QueryCost& cost) noexcept {
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Filter filter = filters[i];
        const simd::LabelFilters own = kernel_filters(frame, filter);
        if (batch.shapes() == nullptr)
            simd::add_cost(frame.view, batch.data()[i], own, cost);
        else
            simd::add_cost(frame.view, batch.shapes()[i], own, cost);
    }
}

}  // namespace

Explain Frame::explain(const BoxesOrShapes& queries, const Filters& filters) const noexcept {
    if (const Status bad = check_call(queries, {}, filters, failure_); !bad.ok()) return {.status = bad};
    if (state_ == nullptr) {
        const Status legal = check(queries);
        return legal.ok() ? explain_of({}, queries.size(), 0) : Explain{.status = legal};
    }
    OpenedBatch opened(*state_, serial_executor());
    Status status = opened.open(queries, filters, torus());
    if (status.ok()) status = opened.count(queries);
    if (!status.ok()) return {.status = status};
    simd::QueryCost cost;
    add_cost(*state_, opened.all().queries, filters, cost);
    add_cost(*state_, opened.all().images, opened.all().their_filters, cost);
    const Buffer<std::uint32_t>& counts = opened.space().answers;
    return explain_of(cost, queries.size(), std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
}

}  // namespace throng
