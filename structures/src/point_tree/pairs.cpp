// Pairs of points within a radius: of one tree listed, of two trees counted.
#include <algorithm>
#include <atomic>

#include "structures/src/point_tree/order.hpp"

namespace throng::structures {

using namespace detail;
using throng::detail::outcome;

namespace {

// Calls use(i, j) for the pairs of a leaf's points with each other and with those of later leaves, i and j by
// the order of the tree.
template <class Each, class Use>
void visit_pairs(const PointArrays& tree, std::uint32_t leaf, double limit, const Use& use) noexcept {
    const PointNodes nodes(tree);
    const auto [begin, end] = nodes.points_of(leaf);
    for (std::size_t i = begin; i < end; ++i) {
        const LeafMeasures<Each> measures(tree, begin, {tree.x[i], tree.y[i]});
        for (std::size_t j = i + 1; j < end; ++j)
            if (measures[j - begin] <= limit) use(i, j);
    }
    Pending<std::uint32_t> pending;
    const auto look_at = [&](std::uint32_t node) {
        if (Each::least(nodes.bounds(node), nodes.bounds(leaf)) <= limit) pending.push(node);
    };
    // What lies behind the leaf is the right half of each node that has it in its left half.
    for (std::uint32_t node = leaf; node > 1; node /= 2) {
        if (node % 2 != 0) continue;
        look_at(node + 1);
        while (!pending.empty()) {
            const std::uint32_t other = pending.pop();
            if (!nodes.is_leaf(other)) {
                look_at(2 * other);
                look_at(2 * other + 1);
                continue;
            }
            const auto [first, last] = nodes.points_of(other);
            for (std::size_t i = begin; i < end; ++i) {
                if (!(Each::least(nodes.bounds(other), tree.x[i], tree.y[i]) <= limit)) continue;
                const LeafMeasures<Each> measures(tree, first, {tree.x[i], tree.y[i]});
                for (std::size_t j = first; j < last; ++j)
                    if (measures[j - first] <= limit) use(i, j);
            }
        }
    }
}

// Counts the pairs of a node of one tree and one of another for ascending limits [begin, end), where the
// first are known to find none of these, and the others to find all: sums[k] gets what limit k finds and the
// one before does not.
template <class Each>
class PairCounter {
public:
    PairCounter(const PointArrays& tree, const PointArrays& other, std::span<const double> limits,
                std::int64_t* sums) noexcept
        : tree_(tree), other_(other), nodes_(tree), others_(other), limits_(limits), sums_(sums) {}

    void count(std::uint32_t node, std::uint32_t other, std::size_t begin, std::size_t end) noexcept {
        const double least = Each::least(nodes_.bounds(node), others_.bounds(other)),
                     most = Each::most(nodes_.bounds(node), others_.bounds(other));
        while (begin < end && limits_[begin] < least) ++begin;
        while (begin < end && limits_[end - 1] >= most) --end;
        if (begin == end) {
            if (end < limits_.size()) sums_[end] += size_of(node, nodes_) * size_of(other, others_);
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
    static std::int64_t size_of(std::uint32_t node, const PointNodes& nodes) noexcept {
        const auto [begin, end] = nodes.points_of(node);
        return static_cast<std::int64_t>(end - begin);
    }
    void count_leaves(std::uint32_t node, std::uint32_t other, std::size_t begin, std::size_t end) noexcept {
        const auto [first, last] = nodes_.points_of(node);
        const auto [from, to] = others_.points_of(other);
        for (std::size_t i = first; i < last; ++i) {
            const LeafMeasures<Each> measures(other_, from, {tree_.x[i], tree_.y[i]});
            for (std::size_t j = 0; j < to - from; ++j) {
                std::size_t k = begin;
                while (k < end && limits_[k] < measures[j]) ++k;
                if (k < limits_.size()) ++sums_[k];
            }
        }
    }

    const PointArrays tree_, other_;
    const PointNodes nodes_, others_;
    const std::span<const double> limits_;
    std::int64_t* const sums_;
};

}  // namespace

Status PointTree::find_pairs(double radius, Metric metric, PointPairs& pairs,
                             const Executor& executor) const noexcept {
    pairs.pairs_.clear();
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    if (count_ == 0) return {};
    const PointArrays tree = arrays();
    const std::uint32_t leaves = std::uint32_t{1} << depth_;
    throng::detail::Buffer<std::size_t> starts(memory_);
    if (!starts.resize(leaves + std::size_t{1})) return {Code::out_of_memory};
    return with_measure(metric, [&]<class Each>(Each) noexcept -> Status {
        const double limit = Each::limit(radius);
        const auto for_each_leaf = [&](const auto& use) {
            return parallel::for_ranges(executor, leaves, 16, [&](const parallel::Range& range) {
                for (std::size_t leaf = range.begin; leaf < range.end; ++leaf) use(leaf);
            });
        };
        bool ran = for_each_leaf([&](std::size_t leaf) {
            std::size_t count = 0;
            visit_pairs<Each>(tree, static_cast<std::uint32_t>(leaves + leaf), limit,
                              [&](std::size_t, std::size_t) { ++count; });
            starts[leaf + 1] = count;
        });
        if (!ran) return outcome(ran);
        starts[0] = 0;
        for (std::size_t leaf = 0; leaf < leaves; ++leaf) starts[leaf + 1] += starts[leaf];
        if (!pairs.pairs_.resize(starts[leaves])) return {Code::out_of_memory};
        ran = for_each_leaf([&](std::size_t leaf) {
            PointPair* to = pairs.pairs_.data() + starts[leaf];
            visit_pairs<Each>(tree, static_cast<std::uint32_t>(leaves + leaf), limit,
                              [&](std::size_t i, std::size_t j) {
                                  const auto [low, high] = std::minmax(tree.ids[i], tree.ids[j]);
                                  *to++ = {low, high};
                              });
        });
        if (!ran) pairs.pairs_.clear();
        return outcome(ran);
    });
}

Status PointTree::count_pairs(const PointTree& other, std::span<const double> radii, Metric metric,
                              std::span<std::int64_t> counts, const Executor& executor) const noexcept {
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    if (counts.size() < radii.size()) return {Code::size_mismatch, Argument::output};
    std::fill(counts.begin(), counts.end(), 0);
    if (count_ == 0 || other.count_ == 0 || radii.empty()) return {};
    const PointArrays tree = arrays(), others = other.arrays();
    // A block for each node of some level, with sums of its own.
    const unsigned level = std::min(depth_, 6u);
    const std::size_t blocks = std::size_t{1} << level;
    throng::detail::Buffer<double> limits(memory_);
    throng::detail::Buffer<std::uint32_t> order(memory_);
    throng::detail::Buffer<std::int64_t> sums(memory_);
    if (!limits.resize(radii.size()) || !order.resize(radii.size()) || !sums.resize(blocks * radii.size()))
        return {Code::out_of_memory};
    std::fill(sums.begin(), sums.end(), 0);
    return with_measure(metric, [&]<class Each>(Each) noexcept -> Status {
        for (std::size_t k = 0; k < radii.size(); ++k) order[k] = static_cast<std::uint32_t>(k);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return Each::limit(radii[a]) < Each::limit(radii[b]);
        });
        for (std::size_t k = 0; k < radii.size(); ++k) limits[k] = Each::limit(radii[order[k]]);
        const std::span<const double> all{limits.data(), limits.size()};
        const bool ran = parallel::for_blocks(executor, blocks, [&](std::size_t block) {
            PairCounter<Each>(tree, others, all, sums.data() + block * radii.size())
                .count(static_cast<std::uint32_t>(blocks + block), 1, 0, radii.size());
        });
        if (!ran) return outcome(ran);
        std::int64_t total = 0;
        for (std::size_t k = 0; k < radii.size(); ++k) {
            for (std::size_t block = 0; block < blocks; ++block) total += sums[block * radii.size() + k];
            counts[order[k]] = total;
        }
        return {};
    });
}

}  // namespace throng::structures
