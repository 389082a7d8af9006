// The nearest points of each query.
#include <limits>

#include "structures/src/point_tree/order.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// The nearest so far of one query, in ascending order, in its row of the host's arrays.
template <class Each>
class NearestRow {
public:
    NearestRow(double* measures, std::int64_t* ids, std::size_t most, double below) noexcept
        : measures_(measures), ids_(ids), most_(most), bound_(below) {}

    double bound() const noexcept { return bound_; }
    void offer(const LeafMeasures<Each>& found, const std::uint32_t* ids, std::size_t number) noexcept {
        // Copies, since for all that a compiler knows the row lies where the members do.
        double *const measures = measures_, bound = bound_;
        std::int64_t* const its_ids = ids_;
        std::size_t count = count_;
        for (std::size_t i = 0; i < number; ++i) {
            const double measure = found[i];
            if (!(measure < bound)) continue;
            std::size_t at = count < most_ ? count++ : most_ - 1;
            for (; at != 0 && measures[at - 1] > measure; --at) {
                measures[at] = measures[at - 1];
                its_ids[at] = its_ids[at - 1];
            }
            measures[at] = measure;
            its_ids[at] = ids[i];
            if (count == most_) bound = measures[most_ - 1];
        }
        bound_ = bound, count_ = count;
    }
    // Turns measures into distances, and fills the rest of the row.
    void finish(std::size_t none) noexcept {
        for (std::size_t i = 0; i < count_; ++i) measures_[i] = Each::distance(measures_[i]);
        for (; count_ < most_; ++count_) {
            measures_[count_] = std::numeric_limits<double>::infinity();
            ids_[count_] = static_cast<std::int64_t>(none);
        }
    }

private:
    double* const measures_;
    std::int64_t* const ids_;
    std::size_t count_ = 0;
    const std::size_t most_;
    double bound_;
};

}  // namespace

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
    return with_measure(wanted.metric, [&]<class Each>(Each) noexcept {
        const double below = Each::limit(wanted.below);
        QueryOrder order(tree, queries, memory_, executor);
        return order.for_each([&](std::size_t q) {
            NearestRow<Each> row(&distances[q * wanted.count], &ids[q * wanted.count], wanted.count, below);
            walk_nearest<Each>(
                tree, queries[q], [&] { return row.bound(); },
                [&](const PointRange& range, const LeafMeasures<Each>& measures) {
                    row.offer(measures, tree.ids + range.begin, range.end - range.begin);
                });
            row.finish(tree.count);
        });
    });
}

}  // namespace throng::structures
