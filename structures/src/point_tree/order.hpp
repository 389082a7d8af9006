// The order in which the queries of a batch are answered: by leaf, in parallel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/blocks.hpp"
#include "base/sample.hpp"
#include "parallel/blocks.hpp"
#include "structures/src/point_tree/walk.hpp"
#include "throng/executor.hpp"
#include "throng/memory.hpp"
#include "throng/status.hpp"

namespace throng::structures::detail {

// The index of the first point that is not finite, or the number of points.
inline std::size_t first_not_finite(std::span<const DoublePoint> points) noexcept {
    constexpr double largest = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < points.size(); ++i) {
        const DoublePoint& p = points[i];
        if (!((-largest <= p.x) & (p.x <= largest) & (-largest <= p.y) & (p.y <= largest))) return i;
    }
    return points.size();
}

// Whether it is in [0, around), in a direction in which the plane wraps around.
inline bool is_in_plane(const DoublePoint& point, const DoublePoint& around) noexcept {
    const auto is_in = [](double at, double size) { return size == 0 || (at >= 0 && at < size); };
    return is_in(point.x, around.x) && is_in(point.y, around.y);
}

class QueryOrder {
public:
    QueryOrder(const PointArrays& tree, std::span<const DoublePoint> queries, MemoryResource* memory,
               const Executor& executor) noexcept
        : executor_(executor), count_(queries.size()), keys_(memory), spare_(memory) {
        if (count_ > few) status_ = sort(tree, queries);
    }
    struct Key {
        std::uint32_t leaf, number;
    };

    // Calls use(keys) for queries of one leaf, some at a time.
    template <class Use>
    Status for_each_group(const Use& use) const noexcept {
        if (!status_) return status_;
        constexpr std::size_t smallest_block = 256, largest_group = 32;
        if (sorted_ == nullptr) {
            for (std::uint32_t q = 0; q < count_; ++q) {
                const Key key{0, q};
                use(std::span<const Key>{&key, 1});
            }
            return {};
        }
        return throng::detail::outcome(
            parallel::for_ranges(executor_, count_, smallest_block, [&](const parallel::Range& range) {
                for (std::size_t i = range.begin, end = 0; i < range.end; i = end) {
                    const std::size_t last = std::min(range.end, i + largest_group);
                    for (end = i + 1; end < last && sorted_[end].leaf == sorted_[i].leaf;) ++end;
                    use(std::span<const Key>{sorted_ + i, end - i});
                }
            }));
    }
    // Calls use(q) for each query.
    template <class Use>
    Status for_each(const Use& use) const noexcept {
        return for_each_group([&](std::span<const Key> keys) {
            for (const Key& key : keys) use(key.number);
        });
    }

private:
    // These are answered as they come.
    static constexpr std::size_t few = 64;

    Status sort(const PointArrays& tree, std::span<const DoublePoint> queries) noexcept {
        if (!keys_.resize(count_) || !spare_.resize(count_)) return {Code::out_of_memory};
        const PointNodes nodes(tree);
        const parallel::Ran ran =
            parallel::for_ranges(executor_, count_, 4096, [&](const parallel::Range& range) {
                for (std::size_t q = range.begin; q < range.end; ++q)
                    keys_[q] = {nodes.leaf_at(queries[q]) - nodes.first_leaf(),
                                static_cast<std::uint32_t>(q)};
            });
        if (!ran) return throng::detail::outcome(ran);
        sorted_ = throng::detail::radix_sort<11>(keys_.data(), spare_.data(), count_,
                                                 [](const Key& key) { return key.leaf; });
        return {};
    }

    const Executor& executor_;
    const std::size_t count_;
    throng::detail::Buffer<Key> keys_, spare_;
    const Key* sorted_ = nullptr;
    Status status_;
};

}  // namespace throng::structures::detail
