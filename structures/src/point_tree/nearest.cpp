// The nearest points of each query.
#include "structures/src/point_tree/nearest_row.hpp"
#include "structures/src/point_tree/order.hpp"

namespace throng::structures {

using namespace detail;

Status PointTree::nearest(std::span<const DoublePoint> queries, const NearestPoints& wanted,
                          std::span<double> distances, std::span<std::int64_t> ids,
                          const Executor& executor) const noexcept {
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    if (wanted.count == 0) return {Code::bad_config, Argument::count};
    const std::size_t fault = first_not_finite(queries);
    if (fault != queries.size()) return {Code::not_finite, fault, Argument::queries};
    if (distances.size() / wanted.count < queries.size() || ids.size() / wanted.count < queries.size())
        return {Code::size_mismatch, Argument::output};
    const PointArrays tree = arrays();
    return with_measure(wanted.metric, around_, [&]<class Each>(const Each& each) noexcept {
        const double below = Each::limit(wanted.below);
        QueryOrder order(tree, queries, memory_, executor);
        return order.for_each([&](std::size_t q) {
            NearestRow<Each> row(&distances[q * wanted.count], &ids[q * wanted.count], wanted.count, below);
            walk_nearest(
                each, tree, each.place(queries[q]), [&] { return row.bound(); },
                [&](const PointRange& range, const LeafMeasures<Each>& measures) {
                    row.offer(measures, tree.ids + range.begin, range.end - range.begin);
                });
            row.finish(tree.count);
        });
    });
}

}  // namespace throng::structures
