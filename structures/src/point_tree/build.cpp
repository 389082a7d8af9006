// How a tree is made of points.
#include <algorithm>
#include <limits>
#include <utility>

#include "parallel/blocks.hpp"
#include "structures/src/point_tree/order.hpp"

namespace throng::structures {

using namespace detail;

struct PointTree::Entry {
    double x, y;
    std::uint32_t id;
};

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();

void take_in(PointBounds& bounds, const PointBounds& more) noexcept {
    bounds.min_x = std::min(bounds.min_x, more.min_x), bounds.min_y = std::min(bounds.min_y, more.min_y);
    bounds.max_x = std::max(bounds.max_x, more.max_x), bounds.max_y = std::max(bounds.max_y, more.max_y);
}

// Whether the points are in the plane that wraps around so.
Status check_around(std::span<const DoublePoint> points, const DoublePoint& around) noexcept {
    if (!(around.x >= 0 && around.x < endless && around.y >= 0 && around.y < endless))
        return {Code::bad_config, Argument::period};
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!is_in_plane(points[i], around)) return {Code::too_large, i, Argument::boxes};
    return {};
}

// Puts the points of the first half in front of those of the second, along the axis on which they are spread
// wider.
template <class Entry>
PointSplit halve(Entry* entries, const PointRange& range, std::size_t middle) noexcept {
    PointBounds bounds{endless, endless, -endless, -endless};
    for (std::size_t i = range.begin; i < range.end; ++i)
        take_in(bounds, {entries[i].x, entries[i].y, entries[i].x, entries[i].y});
    const auto by = [&](double Entry::*coordinate) {
        // Equal ones by id, so that the same points give the same tree everywhere.
        std::nth_element(entries + range.begin, entries + middle, entries + range.end,
                         [coordinate](const Entry& a, const Entry& b) {
                             return a.*coordinate < b.*coordinate ||
                                    (a.*coordinate == b.*coordinate && a.id < b.id);
                         });
    };
    const bool by_y = bounds.max_y - bounds.min_y > bounds.max_x - bounds.min_x;
    by(by_y ? &Entry::y : &Entry::x);
    return {by_y ? entries[middle].y : entries[middle].x, by_y};
}

// Level by level: the nodes of one are halved side by side.
template <class Entry>
parallel::Ran halve_all(Entry* entries, std::size_t count, unsigned depth, PointSplit* splits,
                        const Executor& executor) noexcept {
    PointArrays shape{};
    shape.count = count, shape.depth = depth;
    const PointNodes nodes(shape);
    for (unsigned level = 0; level < depth; ++level) {
        const std::size_t number = std::size_t{1} << level, least = 1 + (number << 14) / (count + 1);
        const parallel::Ran ran =
            parallel::for_ranges(executor, number, least, [&](const parallel::Range& range) {
                for (std::size_t i = range.begin; i < range.end; ++i) {
                    const auto node = static_cast<std::uint32_t>(number + i);
                    splits[node] = halve(entries, nodes.points_of(node), nodes.points_of(2 * node).end);
                }
            });
        if (!ran) return ran;
    }
    return true;
}

}  // namespace

std::size_t PointTree::bytes() const noexcept {
    return x_.bytes() + y_.bytes() + ids_.bytes() + nodes_.bytes() + splits_.bytes();
}

Status PointTree::assign(std::span<const DoublePoint> points, const Executor& executor,
                         const DoublePoint& around) noexcept {
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    const std::size_t count = points.size(), fault = first_not_finite(points);
    if (fault != count) return {Code::not_finite, fault, Argument::boxes};
    if (const Status bad = check_around(points, around); !bad) return bad;
    if (count >= std::numeric_limits<std::uint32_t>::max()) return {Code::too_many};
    unsigned depth = 0;
    while ((count + (std::size_t{1} << depth) - 1) >> depth > points_in_a_leaf) ++depth;
    throng::detail::Buffer<Entry> entries(memory_);
    throng::detail::Buffer<PointSplit> splits(memory_);
    if (!entries.resize(count) || !splits.resize(std::size_t{1} << depth) ||
        !x_.reserve(count + points_in_a_leaf) || !y_.reserve(count + points_in_a_leaf) ||
        !ids_.reserve(count) || !nodes_.reserve(std::size_t{2} << depth))
        return {Code::out_of_memory};
    parallel::Ran ran = parallel::for_ranges(executor, count, 1 << 15, [&](const parallel::Range& range) {
        for (std::size_t i = range.begin; i < range.end; ++i)
            entries[i] = {points[i].x, points[i].y, static_cast<std::uint32_t>(i)};
    });
    if (ran) ran = halve_all(entries.data(), count, depth, splits.data(), executor);
    if (!ran) return throng::detail::outcome(ran);
    count_ = count, depth_ = depth, around_ = around;
    splits_ = std::move(splits);
    place(entries.data());
    return {};
}

// Copies the points, which are in the order of the tree, and finds the bounds of nodes.
void PointTree::place(const Entry* entries) noexcept {
    const std::size_t count = count_;
    (void)x_.resize(count + points_in_a_leaf), (void)y_.resize(count + points_in_a_leaf);
    (void)ids_.resize(count), (void)nodes_.resize(std::size_t{2} << depth_);
    for (std::size_t i = 0; i < count; ++i)
        x_[i] = entries[i].x, y_[i] = entries[i].y, ids_[i] = entries[i].id;
    std::fill_n(x_.data() + count, points_in_a_leaf, endless);
    std::fill_n(y_.data() + count, points_in_a_leaf, endless);
    const PointNodes nodes(arrays());
    for (std::uint32_t node = (2u << depth_) - 1; node != 0; --node) {
        PointBounds& bounds = nodes_[node] = {endless, endless, -endless, -endless};
        if (nodes.is_leaf(node)) {
            const PointRange range = nodes.points_of(node);
            for (std::size_t i = range.begin; i < range.end; ++i)
                take_in(bounds, {x_[i], y_[i], x_[i], y_[i]});
        } else {
            take_in(bounds, nodes_[2 * node]);
            take_in(bounds, nodes_[2 * node + 1]);
        }
    }
}

}  // namespace throng::structures
