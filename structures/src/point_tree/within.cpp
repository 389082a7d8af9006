// All points within a radius of each query.
#include <algorithm>

#include "structures/src/point_tree/order.hpp"

namespace throng::structures {

using namespace detail;

namespace {

// Calls use(q, place, limit, walk) for each query, with the walk that it shares with queries near it.
template <class Each, class Use>
Status share_walks(const Each& each, const PointArrays& tree, const QueryOrder& order,
                   std::span<const DoublePoint> queries, const PointsWithin& wanted,
                   const Use& use) noexcept {
    const auto limit_of = [&](std::size_t q) {
        return Each::limit(wanted.radii.empty() ? wanted.radius : wanted.radii[q]);
    };
    return order.for_each_group([&](std::span<const QueryOrder::Key> keys) {
        double least = limit_of(keys[0].number), most = least;
        const DoublePoint first = each.place(queries[keys[0].number]);
        PointBounds bounds{first.x, first.y, first.x, first.y};
        for (const QueryOrder::Key& key : keys) {
            const DoublePoint p = each.place(queries[key.number]);
            const double limit = limit_of(key.number);
            bounds = {std::min(bounds.min_x, p.x), std::min(bounds.min_y, p.y), std::max(bounds.max_x, p.x),
                      std::max(bounds.max_y, p.y)};
            least = std::min(least, limit), most = std::max(most, limit);
        }
        const SharedWalk<Each> walk(each, tree, bounds, least, most);
        for (const QueryOrder::Key& key : keys)
            use(key.number, each.place(queries[key.number]), limit_of(key.number), walk);
    });
}

template <class Each>
std::int64_t count_within(const Each& each, const PointArrays& tree, const DoublePoint& p, double limit,
                          const SharedWalk<Each>& walk) noexcept {
    std::size_t count = 0;
    walk.visit(
        p, limit, [&](const PointRange& all) { count += all.end - all.begin; },
        [&](const PointRange& some) {
            const LeafMeasures<Each> measures(each, tree, some.begin, p);
            for (std::size_t i = 0; i < some.end - some.begin; ++i) count += measures[i] <= limit ? 1u : 0u;
        });
    return static_cast<std::int64_t>(count);
}

// There is room for as many as were counted.
template <class Each>
void list_within(const Each& each, const PointArrays& tree, const DoublePoint& p, double limit,
                 const SharedWalk<Each>& walk, std::int64_t* to) noexcept {
    walk.visit(
        p, limit,
        [&](const PointRange& all) { to = std::copy(tree.ids + all.begin, tree.ids + all.end, to); },
        [&](const PointRange& some) {
            const LeafMeasures<Each> measures(each, tree, some.begin, p);
            for (std::size_t i = some.begin; i < some.end; ++i)
                if (measures[i - some.begin] <= limit) *to++ = tree.ids[i];
        });
}

// As many as there is room for, and how many there are.
template <class Each>
void list_some(const Each& each, const PointArrays& tree, const DoublePoint& p, double limit,
               std::span<std::int64_t> to, std::size_t& total) noexcept {
    const auto take = [&](std::uint32_t id) {
        if (total < to.size()) to[total] = id;
        ++total;
    };
    walk_within(
        each, tree, p, limit,
        [&](const PointRange& all) { std::for_each(tree.ids + all.begin, tree.ids + all.end, take); },
        [&](const PointRange& some) {
            const LeafMeasures<Each> measures(each, tree, some.begin, p);
            for (std::size_t i = some.begin; i < some.end; ++i)
                if (measures[i - some.begin] <= limit) take(tree.ids[i]);
        });
}

Status check_within(std::span<const DoublePoint> queries, const PointsWithin& wanted,
                    const Executor& executor) noexcept {
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    const std::size_t fault = first_not_finite(queries);
    if (fault != queries.size()) return {Code::not_finite, fault, Argument::queries};
    const bool fits = wanted.radii.empty() || wanted.radii.size() == queries.size();
    return {fits ? Code::ok : Code::size_mismatch, Argument::radii};
}

Status count_all(const PointArrays& tree, const DoublePoint& around, const QueryOrder& order,
                 std::span<const DoublePoint> queries, const PointsWithin& wanted,
                 std::int64_t* counts) noexcept {
    return with_measure(wanted.metric, around, [&]<class Each>(const Each& each) noexcept {
        return share_walks(
            each, tree, order, queries, wanted,
            [&](std::size_t q, const DoublePoint& p, double limit, const SharedWalk<Each>& walk) {
                counts[q] = count_within(each, tree, p, limit, walk);
            });
    });
}

// List q begins at offsets[q] of the ids.
Status list_all(const PointArrays& tree, const DoublePoint& around, const QueryOrder& order,
                std::span<const DoublePoint> queries, const PointsWithin& wanted, const std::int64_t* offsets,
                std::int64_t* ids) noexcept {
    return with_measure(wanted.metric, around, [&]<class Each>(const Each& each) noexcept {
        return share_walks(
            each, tree, order, queries, wanted,
            [&](std::size_t q, const DoublePoint& p, double limit, const SharedWalk<Each>& walk) {
                list_within(each, tree, p, limit, walk, ids + offsets[q]);
                if (wanted.sorted) std::sort(ids + offsets[q], ids + offsets[q + 1]);
            });
    });
}

}  // namespace

Status PointTree::count(std::span<const DoublePoint> queries, const PointsWithin& wanted,
                        std::span<std::int64_t> counts, const Executor& executor) const noexcept {
    if (const Status bad = check_within(queries, wanted, executor); !bad) return bad;
    if (counts.size() < queries.size()) return {Code::size_mismatch, Argument::output};
    const QueryOrder order(arrays(), queries, memory_, executor);
    return count_all(arrays(), around_, order, queries, wanted, counts.data());
}

Status PointTree::find(const DoublePoint& query, const PointsWithin& wanted, std::span<std::int64_t> ids,
                       std::size_t& total) const noexcept {
    total = 0;
    if (const Status bad = check_within({&query, 1}, wanted, serial_executor()); !bad) return bad;
    with_measure(wanted.metric, around_, [&]<class Each>(const Each& each) noexcept {
        const double radius = wanted.radii.empty() ? wanted.radius : wanted.radii[0];
        list_some(each, arrays(), each.place(query), Each::limit(radius), ids, total);
    });
    if (wanted.sorted && total <= ids.size()) std::sort(ids.data(), ids.data() + total);
    return {};
}

// Counts first, so that each list is written where it belongs.
Status PointTree::find(std::span<const DoublePoint> queries, const PointsWithin& wanted, PointLists& lists,
                       const Executor& executor) const noexcept {
    throng::detail::Buffer<std::int64_t>&offsets = lists.offsets_, &ids = lists.ids_;
    offsets.clear();
    ids.clear();
    if (const Status bad = check_within(queries, wanted, executor); !bad) return bad;
    if (!offsets.resize(queries.size() + 1)) return {Code::out_of_memory};
    const QueryOrder order(arrays(), queries, memory_, executor);
    offsets[0] = 0;
    Status status = count_all(arrays(), around_, order, queries, wanted, offsets.data() + 1);
    if (status) {
        for (std::size_t q = 0; q < queries.size(); ++q) offsets[q + 1] += offsets[q];
        if (!ids.resize(static_cast<std::size_t>(offsets[queries.size()]))) status = {Code::out_of_memory};
    }
    if (status) status = list_all(arrays(), around_, order, queries, wanted, offsets.data(), ids.data());
    if (!status) {
        offsets.clear();
        ids.clear();
    }
    return status;
}

Status list_entries(std::span<const DoublePoint> points, std::span<const DoublePoint> queries,
                    const PointLists& lists, Metric metric, std::span<const std::int64_t> numbers,
                    std::span<PointEntry> entries, const DoublePoint& around) noexcept {
    if (lists.size() != queries.size() || (!numbers.empty() && numbers.size() != queries.size()))
        return {Code::size_mismatch, Argument::queries};
    if (entries.size() < lists.ids().size()) return {Code::size_mismatch, Argument::output};
    for (const std::int64_t id : lists.ids())
        if (static_cast<std::uint64_t>(id) >= points.size()) return {Code::unknown_id, Argument::ids};
    PointEntry* to = entries.data();
    with_measure(metric, around, [&]<class Each>(const Each& each) noexcept {
        for (std::size_t q = 0; q < queries.size(); ++q) {
            const std::int64_t number = numbers.empty() ? static_cast<std::int64_t>(q) : numbers[q];
            const DoublePoint query = each.place(queries[q]);
            for (const std::int64_t id : lists[q]) {
                const DoublePoint& point = points[static_cast<std::size_t>(id)];
                const double measure = each.of(point.x - query.x, point.y - query.y);
                *to++ = {number, id, Each::distance(measure)};
            }
        }
    });
    return {};
}

}  // namespace throng::structures
