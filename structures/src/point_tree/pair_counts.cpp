// How many pairs of a point of one tree and a point of another are within radii, or the sum of their weights.
#include <algorithm>
#include <type_traits>

#include "structures/src/point_tree/order.hpp"

namespace throng::structures {

using namespace detail;
using throng::detail::outcome;

namespace {

// The weight of a tree's points: one for each.
class OneEach {
public:
    using Sum = std::int64_t;
    explicit OneEach(const PointArrays& tree) noexcept : nodes_(tree) {}
    Sum of_node(std::uint32_t node) const noexcept {
        const auto [begin, end] = nodes_.points_of(node);
        return static_cast<Sum>(end - begin);
    }
    Sum of_point(std::size_t) const noexcept { return 1; }

private:
    const PointNodes nodes_;
};

// Or a weight of its own for each.
class Weights {
public:
    using Sum = double;
    explicit Weights(MemoryResource* memory) noexcept : points_(memory), nodes_(memory) {}
    // False without memory.
    bool assign(const PointArrays& tree, std::span<const double> weights) noexcept {
        const PointNodes nodes(tree);
        const std::uint32_t leaf = nodes.first_leaf();
        if (!points_.resize(tree.count) || !nodes_.resize(2 * std::size_t{leaf})) return false;
        for (std::size_t i = 0; i < tree.count; ++i) points_[i] = weights[tree.ids[i]];
        for (std::uint32_t node = 2 * leaf - 1; node != 0; --node) {
            nodes_[node] = 0;
            if (node >= leaf) {
                const auto [begin, end] = nodes.points_of(node);
                for (std::size_t i = begin; i < end; ++i) nodes_[node] += points_[i];
            } else {
                nodes_[node] = nodes_[2 * node] + nodes_[2 * node + 1];
            }
        }
        return true;
    }
    Sum of_node(std::uint32_t node) const noexcept { return nodes_[node]; }
    Sum of_point(std::size_t i) const noexcept { return points_[i]; }

private:
    throng::detail::Buffer<double> points_, nodes_;
};

// Counts the pairs of a node of one tree and a node of another, for ascending limits [begin, end). Limits
// below these are known to find no pair, and limits above to find all. sums[k] gets what limit k finds and
// the limit before does not.
template <class Each, class Counted>
class PairCounter {
public:
    using Sum = typename Counted::Sum;
    PairCounter(const Each& each, const PointArrays& tree, const PointArrays& other, const Counted& mine,
                const Counted& its, std::span<const double> limits, Sum* sums) noexcept
        : each_(each),
          tree_(tree),
          other_(other),
          nodes_(tree),
          others_(other),
          mine_(mine),
          its_(its),
          limits_(limits),
          sums_(sums) {}

    void count(std::uint32_t node, std::uint32_t other, std::size_t begin, std::size_t end) noexcept {
        const double least = each_.least(nodes_.bounds(node), others_.bounds(other)),
                     most = each_.most(nodes_.bounds(node), others_.bounds(other));
        while (begin < end && limits_[begin] < least) ++begin;
        while (begin < end && limits_[end - 1] >= most) --end;
        if (begin == end) {
            if (end < limits_.size()) sums_[end] += mine_.of_node(node) * its_.of_node(other);
            return;
        }
        const bool is_leaf = nodes_.is_leaf(node), is_other_leaf = others_.is_leaf(other);
        if (is_leaf && is_other_leaf) return count_leaves(node, other, begin, end);
        if (is_other_leaf || (!is_leaf && size_of(node, nodes_) >= size_of(other, others_))) {
            count(2 * node, other, begin, end);
            count(2 * node + 1, other, begin, end);
        } else {
            count(node, 2 * other, begin, end);
            count(node, 2 * other + 1, begin, end);
        }
    }

private:
    static std::size_t size_of(std::uint32_t node, const PointNodes& nodes) noexcept {
        const auto [begin, end] = nodes.points_of(node);
        return end - begin;
    }
    void count_leaves(std::uint32_t node, std::uint32_t other, std::size_t begin, std::size_t end) noexcept {
        const auto [first, last] = nodes_.points_of(node);
        const auto [from, to] = others_.points_of(other);
        for (std::size_t i = first; i < last; ++i) {
            const LeafMeasures<Each> measures(each_, other_, from, {tree_.x[i], tree_.y[i]});
            if constexpr (std::is_same_v<Counted, OneEach>)
                add_all(measures, to - from, begin, end);
            else
                for (std::size_t j = 0; j < to - from; ++j) {
                    std::size_t k = begin;
                    while (k < end && limits_[k] < measures[j]) ++k;
                    if (k < limits_.size()) sums_[k] += mine_.of_point(i) * its_.of_point(from + j);
                }
        }
    }
    // Limit after limit, which compilers do with vectors.
    void add_all(const LeafMeasures<Each>& measures, std::size_t number, std::size_t begin,
                 std::size_t end) noexcept {
        Sum before = 0;
        for (std::size_t k = begin; k < end; ++k) {
            Sum within = 0;
            for (std::size_t j = 0; j < number; ++j) within += measures[j] <= limits_[k] ? 1 : 0;
            sums_[k] += within - before;
            before = within;
        }
        if (end < limits_.size()) sums_[end] += static_cast<Sum>(number) - before;
    }

    const Each& each_;
    const PointArrays tree_, other_;
    const PointNodes nodes_, others_;
    const Counted &mine_, &its_;
    const std::span<const double> limits_;
    Sum* const sums_;
};

// Whether all points of another tree are in the plane of this one, which may wrap around in another way.
Status check_in_plane(const PointArrays& other, const DoublePoint& around) noexcept {
    std::size_t first = other.count;
    for (std::size_t i = 0; i < other.count; ++i)
        if (!is_in_plane({other.x[i], other.y[i]}, around))
            first = std::min<std::size_t>(first, other.ids[i]);
    return first == other.count ? Status{} : Status{Code::too_large, first, Argument::boxes};
}

// The limits of radii, ascending, and the radius that each belongs to.
struct Limits {
    explicit Limits(MemoryResource* memory) noexcept : values(memory), order(memory) {}
    template <class Each>
    bool assign(std::span<const double> radii) noexcept {
        if (!values.resize(radii.size()) || !order.resize(radii.size())) return false;
        for (std::size_t k = 0; k < radii.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            const double first = Each::limit(radii[a]), second = Each::limit(radii[b]);
            return first < second || (first == second && a < b);
        });
        for (std::size_t k = 0; k < radii.size(); ++k) values[k] = Each::limit(radii[order[k]]);
        return true;
    }
    throng::detail::Buffer<double> values;
    throng::detail::Buffer<std::uint32_t> order;
};

// Writes for each radius what is within it and not within the next smaller one.
template <class Each, class Counted>
Status count_shells(const Each& each, const PointArrays& tree, const PointArrays& others, const Counted& mine,
                    const Counted& its, const Limits& limits, MemoryResource* memory,
                    std::span<typename Counted::Sum> shells, const Executor& executor) noexcept {
    using Sum = typename Counted::Sum;
    // A block for each node of some level, with sums of its own.
    const std::size_t radii = limits.values.size(), blocks = std::size_t{1} << std::min(tree.depth, 6u);
    throng::detail::Buffer<Sum> sums(memory);
    if (!sums.resize(blocks * radii)) return {Code::out_of_memory};
    std::fill(sums.begin(), sums.end(), Sum{});
    const std::span<const double> all{limits.values.data(), radii};
    const parallel::Ran ran = parallel::for_blocks(executor, blocks, [&](std::size_t block) {
        PairCounter<Each, Counted>(each, tree, others, mine, its, all, sums.data() + block * radii)
            .count(static_cast<std::uint32_t>(blocks + block), 1, 0, radii);
    });
    if (!ran) return outcome(ran);
    for (std::size_t k = 0; k < radii; ++k)
        for (std::size_t block = 0; block < blocks; ++block)
            shells[limits.order[k]] += sums[block * radii + k];
    return {};
}

}  // namespace

Status PointTree::count_pairs(const PointTree& other, std::span<const double> radii, Metric metric,
                              std::span<std::int64_t> counts, const Executor& executor) const noexcept {
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    if (counts.size() < radii.size()) return {Code::size_mismatch, Argument::output};
    if (const Status bad = check_in_plane(other.arrays(), around_); !bad) return bad;
    std::fill(counts.begin(), counts.end(), 0);
    if (count_ == 0 || other.count_ == 0 || radii.empty()) return {};
    const PointArrays tree = arrays(), others = other.arrays();
    Limits limits(memory_);
    const OneEach mine(tree), its(others);
    return with_measure(metric, around_, [&]<class Each>(const Each& each) noexcept -> Status {
        if (!limits.template assign<Each>(radii)) return {Code::out_of_memory};
        const Status status = count_shells(each, tree, others, mine, its, limits, memory_, counts, executor);
        for (std::size_t k = 1; k < radii.size(); ++k) counts[limits.order[k]] += counts[limits.order[k - 1]];
        return status;
    });
}

Status PointTree::sum_pairs(const PointTree& other, std::span<const double> radii, Metric metric,
                            std::span<const double> weights, std::span<const double> other_weights,
                            std::span<double> sums, const Executor& executor) const noexcept {
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    if (weights.size() != count_ || other_weights.size() != other.count_) return {Code::size_mismatch};
    if (sums.size() < radii.size()) return {Code::size_mismatch, Argument::output};
    if (const Status bad = check_in_plane(other.arrays(), around_); !bad) return bad;
    std::fill(sums.begin(), sums.end(), 0.0);
    if (count_ == 0 || other.count_ == 0 || radii.empty()) return {};
    const PointArrays tree = arrays(), others = other.arrays();
    Limits limits(memory_);
    Weights mine(memory_), its(memory_);
    if (!mine.assign(tree, weights) || !its.assign(others, other_weights)) return {Code::out_of_memory};
    return with_measure(metric, around_, [&]<class Each>(const Each& each) noexcept -> Status {
        if (!limits.template assign<Each>(radii)) return {Code::out_of_memory};
        return count_shells(each, tree, others, mine, its, limits, memory_, sums, executor);
    });
}

}  // namespace throng::structures
