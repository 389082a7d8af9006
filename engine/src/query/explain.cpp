// What queries cost: the kernels' own search counts what it looks at (simd/explain.hpp).

#include "simd/explain.hpp"

#include "base/as_kernel.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/query/filter_batch.hpp"
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

void add_cost(const FrameState& frame, const Box& box, const simd::LabelFilters& filters,
              simd::QueryCost& cost) noexcept {
    simd::add_cost(frame.view, query_of(box), filters, cost);
}
void add_cost(const FrameState& frame, const Shape& shape, const simd::LabelFilters& filters,
              simd::QueryCost& cost) noexcept {
    simd::ShapeQuery query;
    simd::PolygonEdge edges[ConvexPolygon::max_corners];
    if (read_shape(shape, query, edges) == Code::ok) simd::add_cost(frame.view, query, filters, cost);
}

}  // namespace

Explain Frame::explain(const BoxesOrShapes& queries, const Filters& filters) const noexcept {
    if (const Code bad = queries.fault(); bad != Code::ok) return {.status = {bad, Argument::boxes}};
    if (const Status bad = check_filters(filters, queries.size()); !bad.ok()) return {.status = bad};
    if (state_ == nullptr && !status().ok()) return {.status = status()};
    if (const Status bad = check_batch(queries); !bad.ok()) return {.status = bad};
    if (wraps_) return explain_around(queries, filters);
    simd::QueryCost cost;
    std::uint64_t hits = 0;
    queries.visit([&](const auto& all) {
        for (std::size_t i = 0; state_ != nullptr && i < all.size(); ++i) {
            const Filter filter = filters[i];
            add_cost(*state_, all[i], kernel_filters(*state_, filter), cost);
            hits += count(all[i], filter).total;
        }
    });
    return explain_of(cost, queries.size(), hits);
}

}  // namespace throng
