#include "engine/src/query/batch_order.hpp"

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/frame/tree/tree_ranks.hpp"
#include "engine/src/query/filter_batch.hpp"
#include "engine/src/query/shape_reader.hpp"
#include "simd/query_kernels.hpp"

namespace throng::detail {

Status QueryBatch::read(const Shapes& shapes, BatchSpace& space) noexcept {
    count_ = shapes.size();
    std::size_t edges = 0;
    for (std::size_t i = 0; shapes.circles() == nullptr && i < count_; ++i) edges += edges_of(shapes[i]);
    if (!resize_amply(space.queries, count_) || !resize_amply(space.shapes, count_) ||
        !resize_amply(space.edges, edges))
        return {Code::out_of_memory};
    queries_ = space.queries.data();
    shapes_ = space.shapes.data();
    return read_shapes(shapes, space.shapes.data(), space.queries.data(), space.edges.data());
}

template <class Add>
double QueryBatch::mean_of_some(parallel::Range some, const Add& add, std::size_t most) const noexcept {
    const std::size_t looked_at = std::min(some.size(), most);
    double sum = 0;
    for (std::size_t i = 0; i < looked_at; ++i) {
        const simd::Query& q = queries_[some.begin + some.size() / looked_at * i];
        if (check(box_of(q)) == Code::ok) sum += static_cast<double>(add(q));
    }
    return 1 + (looked_at == 0 ? 0 : sum / static_cast<double>(looked_at));
}
double QueryBatch::expected_candidates(const FrameState& frame) const noexcept {
    return mean_of_some({0, count_}, [&](const simd::Query& q) {
        simd::QueryCost cost;
        simd::add_cost(frame.view, q, {}, cost);
        return cost.tested + cost.covered;
    });
}
double QueryBatch::expected_answers(const FrameState& frame, parallel::Range some) const noexcept {
    return mean_of_some(some,
                        [&](const simd::Query& q) { return frame.kernels->queries->count(frame.view, q); });
}

bool QueryBatch::is_far_in_tree(const FrameState& frame) const noexcept {
    constexpr std::uint64_t far = 10;
    constexpr std::size_t looked_at = 16, in_a_walk = 64;
    const simd::View& view = frame.view;
    const bool fills_walks = count_ >= in_a_walk * frame.map.regions();  // row by row
    if (fills_walks || view.groves == nullptr || view.stretches != nullptr || frame.tree_marks() == nullptr)
        return false;
    const auto is_far = [&](const simd::Query& q) {
        simd::QueryCost cost;
        simd::add_cost(view, q, {}, cost);
        const std::uint64_t in_tree = cost.nodes + cost.oversized / 16;
        return in_tree > far && in_tree > 2 * (cost.rows + cost.islands);
    };
    return mean_of_some({0, count_}, is_far, looked_at) > 1.5;
}

bool QueryBatch::is_coherent(const FrameState& frame) const noexcept {
    constexpr std::size_t runs = 32, run = 16;
    constexpr std::uint32_t near_columns = 32;
    const WorldMap& map = frame.map;
    if (count_ < runs * run) return true;         // too few to gain anything
    if (is_ordered_by_rank(frame)) return false;  // large agents are apart from small ones beside them
    std::size_t jumps = 0;
    for (std::size_t r = 0; r < runs && jumps * 8 <= runs * run; ++r) {
        const simd::Query* q = queries_ + (count_ - run) / (runs - 1) * r;
        Cell before{};
        for (std::size_t i = 0; i < run; ++i) {
            const std::uint32_t region = map.region_at(q[i].min_x, q[i].min_y);
            const simd::Grid& g = map.grid_of_region(region);
            const Cell cell{map.first_row(region) + row_at(g, q[i].min_y), column_at(g, q[i].min_x)};
            const auto apart = [](std::uint32_t a, std::uint32_t b) { return a < b ? b - a : a - b; };
            jumps += i != 0 &&
                     (apart(cell.row, before.row) > 1 || apart(cell.column, before.column) > near_columns);
            before = cell;
        }
    }
    return jumps * 8 <= runs * run;
}

bool FilterBatch::are_selective(const FrameState& frame, const QueryBatch& batch) const noexcept {
    if (filters.are_unfiltered()) return false;
    const std::size_t looked_at = std::min<std::size_t>(batch.size(), 64);
    std::uint64_t all = 0, matching = 0;
    for (std::size_t i = 0; i < looked_at; ++i) {
        const std::size_t n = batch.size() / looked_at * i;
        const simd::Query& q = batch.data()[n];
        const std::uint32_t categories = filters[n].categories;
        if (check(box_of(q)) != Code::ok) continue;
        const std::uint32_t region = frame.map.region_at(q.min_x, q.min_y);
        const simd::Grid& g = frame.map.grid_of_region(region);
        const std::uint32_t layer = layer_of_query(frame.map, filters, n);
        const std::size_t r = frame.map.first_row(region, layer) + row_at(g, q.min_y);
        const std::uint32_t s = column_at(g, q.min_x) >> simd::stretch_shift;
        // Queries on all storeys are not counted.
        const bool is_known = frame.labelled() && (layer != 0 || !frame.map.has_storeys(region));
        const std::uint32_t here = is_known           ? frame.stretches[r * frame.view.stretches_in_row + s]
                                   : frame.labelled() ? categories
                                                      : std::uint32_t{simd::default_category};
        ++all;
        matching += (here & categories) != 0;
    }
    return matching * 4 <= all;
}

}  // namespace throng::detail
