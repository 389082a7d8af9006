// Pairs of points of one tree within a radius.
#include <algorithm>

#include "structures/src/point_tree/order.hpp"

namespace throng::structures {

using namespace detail;
using throng::detail::outcome;

namespace {

// Calls use(i, j) for the pairs of a leaf's points with each other and with points of later leaves. i and j
// are places in the order of the tree.
template <class Each, class Use>
void visit_pairs(const Each& each, const PointArrays& tree, std::uint32_t leaf, double limit,
                 const Use& use) noexcept {
    const PointNodes nodes(tree);
    const auto [begin, end] = nodes.points_of(leaf);
    for (std::size_t i = begin; i < end; ++i) {
        const LeafMeasures<Each> measures(each, tree, begin, {tree.x[i], tree.y[i]});
        for (std::size_t j = i + 1; j < end; ++j)
            if (measures[j - begin] <= limit) use(i, j);
    }
    Pending<std::uint32_t> pending;
    const auto look_at = [&](std::uint32_t node) {
        if (each.least(nodes.bounds(node), nodes.bounds(leaf)) <= limit) pending.push(node);
    };
    // Behind the leaf are the right halves of all nodes that have it in their left half.
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
                if (!(each.least(nodes.bounds(other), tree.x[i], tree.y[i]) <= limit)) continue;
                const LeafMeasures<Each> measures(each, tree, first, {tree.x[i], tree.y[i]});
                for (std::size_t j = first; j < last; ++j)
                    if (measures[j - first] <= limit) use(i, j);
            }
        }
    }
}

PointPair pair_of(const PointArrays& tree, std::size_t i, std::size_t j) noexcept {
    const auto [low, high] = std::minmax(tree.ids[i], tree.ids[j]);
    return {low, high};
}

// On one thread pairs are appended as they are found.
template <class Each>
Status append_pairs(const Each& each, const PointArrays& tree, double limit,
                    throng::detail::Buffer<PointPair>& pairs, const Executor& executor) noexcept {
    const parallel::Stop stop(executor);
    bool fits = true;
    const std::uint32_t leaves = std::uint32_t{1} << tree.depth;
    for (std::uint32_t leaf = leaves; leaf < 2 * leaves && fits && !stop.is_wanted(); ++leaf)
        visit_pairs(each, tree, leaf, limit, [&](std::size_t i, std::size_t j) {
            fits = pairs.push_back(pair_of(tree, i, j)) && fits;
        });
    if (fits && !stop.said()) return {};
    pairs.clear();
    return outcome(stop, {Code::out_of_memory});
}

// On several they are counted first, and then written where they belong.
template <class Each>
Status place_pairs(const Each& each, const PointArrays& tree, double limit,
                   throng::detail::Buffer<PointPair>& pairs, MemoryResource* memory,
                   const Executor& executor) noexcept {
    const std::uint32_t leaves = std::uint32_t{1} << tree.depth;
    throng::detail::Buffer<std::size_t> starts(memory);
    if (!starts.resize(leaves + std::size_t{1})) return {Code::out_of_memory};
    const auto for_each_leaf = [&](const auto& use) {
        return parallel::for_ranges(executor, leaves, 16, [&](const parallel::Range& range) {
            for (std::size_t leaf = range.begin; leaf < range.end; ++leaf) use(leaf);
        });
    };
    parallel::Ran ran = for_each_leaf([&](std::size_t leaf) {
        std::size_t count = 0;
        visit_pairs(each, tree, static_cast<std::uint32_t>(leaves + leaf), limit,
                    [&](std::size_t, std::size_t) { ++count; });
        starts[leaf + 1] = count;
    });
    if (!ran) return outcome(ran);
    starts[0] = 0;
    for (std::size_t leaf = 0; leaf < leaves; ++leaf) starts[leaf + 1] += starts[leaf];
    if (!pairs.resize(starts[leaves])) return {Code::out_of_memory};
    ran = for_each_leaf([&](std::size_t leaf) {
        PointPair* to = pairs.data() + starts[leaf];
        visit_pairs(each, tree, static_cast<std::uint32_t>(leaves + leaf), limit,
                    [&](std::size_t i, std::size_t j) { *to++ = pair_of(tree, i, j); });
    });
    if (!ran) pairs.clear();
    return outcome(ran);
}

}  // namespace

Status PointTree::find_pairs(double radius, Metric metric, PointPairs& pairs,
                             const Executor& executor) const noexcept {
    pairs.pairs_.clear();
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    if (count_ == 0) return {};
    return with_measure(metric, around_, [&]<class Each>(const Each& each) noexcept -> Status {
        const double limit = Each::limit(radius);
        if (executor.workers < 2) return append_pairs(each, arrays(), limit, pairs.pairs_, executor);
        return place_pairs(each, arrays(), limit, pairs.pairs_, memory_, executor);
    });
}

}  // namespace throng::structures
