#include "throng/structures/point_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "structures/src/point_tree/nearest_row.hpp"
#include "structures/src/point_tree/order.hpp"

namespace throng::structures {

using namespace detail;

namespace {

constexpr double farthest_place = 2, place_margin = 0x1p-22, place_relative = 0x1p-22;
// Farther than any two places are apart.
constexpr double everywhere = 4 * farthest_place;
// With fewer margins in it, a radius finds much that is not within it.
constexpr double coarse = 64 * place_margin;

// All within a radius is within so many radii by the euclidean metric. And all within the inner part of a
// radius by that metric is within the radius.
double outer_part(Metric metric) noexcept { return metric == Metric::chebyshev ? 0x1.6a09e667f3bcdp+0 : 1; }
double inner_part(Metric metric) noexcept { return metric == Metric::manhattan ? 0x1.6a09e667f3bccp-1 : 1; }

// The square of the distance in floats up to which all is surely within a radius, or a number below zero.
float certain(const PointPlaces& places, double radius, Metric metric) noexcept {
    const double inner = radius * inner_part(metric) * places.scale * (1 - place_relative) - place_margin;
    if (!(inner > 0)) return -1;
    const double near = std::min(inner, everywhere);
    return static_cast<float>(near * near * (1 - place_relative));
}
// A full list of the nearest ends at this distance in floats: all that it does not have is at least this far
// away in doubles.
double beyond(const PointPlaces& places, float squared) noexcept {
    const double found = std::sqrt(static_cast<double>(squared)) * (1 - place_relative) - place_margin;
    return std::max(found, 0.0) / (places.scale * (1 + place_relative));
}

template <class Each>
struct CandidateMeasures {
    const DoublePoint* points;
    const AgentId* ids;
    DoublePoint query;
    double operator[](std::size_t i) const noexcept {
        const DoublePoint& point = points[ids[i]];
        return Each::of(point.x - query.x, point.y - query.y);
    }
};

// Whether lists have distances, and name only these points.
Status check_lists(std::span<const DoublePoint> points, const NeighbourLists& lists) noexcept {
    if (lists.squared_distances().size() != lists.ids().size())
        return {Code::size_mismatch, Argument::queries};
    AgentId largest = 0;
    for (const AgentId id : lists.ids()) largest = std::max(largest, id);
    const bool is_known = lists.ids().empty() || largest < points.size();
    return is_known ? Status{} : Status{Code::unknown_id, Argument::ids};
}
// And whether they belong to these queries.
Status check_candidates(const PointCandidates& candidates) noexcept {
    if (candidates.lists.size() != candidates.queries.size()) return {Code::size_mismatch, Argument::queries};
    const std::size_t fault = first_not_finite(candidates.queries);
    if (fault != candidates.queries.size()) return {Code::not_finite, fault, Argument::queries};
    return check_lists(candidates.points, candidates.lists);
}

}  // namespace

Status PointPlaces::of(std::span<const DoublePoint> points, PointPlaces& places) noexcept {
    const std::size_t fault = first_not_finite(points);
    if (fault != points.size()) return {Code::not_finite, fault, Argument::boxes};
    places = {};
    if (points.empty()) return {};
    DoublePoint low = points[0], high = points[0];
    for (const DoublePoint& p : points) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    // Halves first, since a sum could be too large.
    places.centre_x = low.x * 0.5 + high.x * 0.5;
    places.centre_y = low.y * 0.5 + high.y * 0.5;
    const double half = std::max({high.x - places.centre_x, places.centre_x - low.x, high.y - places.centre_y,
                                  places.centre_y - low.y});
    // A power of two, which rounds nothing.
    int exponent = 0;
    (void)std::frexp(half, &exponent);
    places.scale = std::ldexp(1.0, std::min(-exponent, 1000));
    return {};
}

Status PointPlaces::put(std::span<const DoublePoint> points, std::span<Point> places,
                        std::span<std::uint8_t> outside) const noexcept {
    if (places.size() < points.size() || outside.size() < points.size())
        return {Code::size_mismatch, Argument::output};
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double x = (points[i].x - centre_x) * scale, y = (points[i].y - centre_y) * scale;
        // Also false for NaN, the difference of numbers that are too large.
        const bool is_inside = std::abs(x) <= farthest_place && std::abs(y) <= farthest_place;
        places[i] = {static_cast<float>(is_inside ? x : 0), static_cast<float>(is_inside ? y : 0)};
        outside[i] = is_inside ? 0 : 1;
    }
    return {};
}

float PointPlaces::reach(double radius, Metric metric) const noexcept {
    const double scaled = radius * outer_part(metric) * scale;
    if (!(scaled >= coarse)) return 0;
    return static_cast<float>(std::min((scaled + place_margin) * (1 + place_relative), everywhere));
}

Status PointPlaces::nearest(const PointCandidates& candidates, const NearestPoints& wanted,
                            std::span<double> distances, std::span<std::int64_t> ids,
                            std::span<std::uint8_t> open) const noexcept {
    if (wanted.count == 0) return {Code::bad_config, Argument::count};
    // By names, since not all compilers let what follows capture a binding.
    const std::span<const DoublePoint> points = candidates.points, queries = candidates.queries;
    const NeighbourLists& lists = candidates.lists;
    if (distances.size() / wanted.count < queries.size() || ids.size() / wanted.count < queries.size() ||
        open.size() < queries.size())
        return {Code::size_mismatch, Argument::output};
    if (const Status bad = check_candidates(candidates); !bad) return bad;
    const auto offsets = lists.offsets();
    return with_measure(wanted.metric, [&]<class Each>(Each) noexcept -> Status {
        const double below = Each::limit(wanted.below);
        for (std::size_t q = 0; q < queries.size(); ++q) {
            const std::size_t begin = static_cast<std::size_t>(offsets[q]),
                              number = static_cast<std::size_t>(offsets[q + 1]) - begin;
            double* const row = &distances[q * wanted.count];
            NearestRow<Each> nearest(row, &ids[q * wanted.count], wanted.count, below);
            const CandidateMeasures<Each> measures{points.data(), lists.ids().data() + begin, queries[q]};
            nearest.offer(measures, measures.ids, number);
            nearest.finish(points.size());
            const double last = std::min(row[wanted.count - 1], wanted.below);
            const bool is_sure = number <= wanted.count ||
                                 (wanted.metric != Metric::chebyshev &&
                                  last <= beyond(*this, lists.squared_distances()[begin + number - 1]));
            open[q] = is_sure ? 0 : 1;
        }
        return {};
    });
}

Status PointPlaces::find(const PointCandidates& candidates, const PointsWithin& wanted,
                         PointLists& exact) const noexcept {
    throng::detail::Buffer<std::int64_t>&to = exact.ids_, &ends = exact.offsets_;
    to.clear(), ends.clear();
    const std::span<const DoublePoint> points = candidates.points, queries = candidates.queries;
    const NeighbourLists& lists = candidates.lists;
    if (!wanted.radii.empty() && wanted.radii.size() != queries.size())
        return {Code::size_mismatch, Argument::radii};
    if (const Status bad = check_candidates(candidates); !bad) return bad;
    if (!ends.resize(queries.size() + 1)) return {Code::out_of_memory};
    if (!to.resize(lists.ids().size())) {
        ends.clear();
        return {Code::out_of_memory};
    }
    const auto offsets = lists.offsets();
    const auto squared = lists.squared_distances();
    std::size_t count = 0;
    ends[0] = 0;
    with_measure(wanted.metric, [&]<class Each>(Each) noexcept {
        for (std::size_t q = 0; q < queries.size(); ++q) {
            const double radius = wanted.radii.empty() ? wanted.radius : wanted.radii[q];
            const double limit = Each::limit(radius);
            const float sure = certain(*this, radius, wanted.metric);
            const CandidateMeasures<Each> measures{points.data(), lists.ids().data(), queries[q]};
            for (std::size_t i = static_cast<std::size_t>(offsets[q]); i < offsets[q + 1]; ++i) {
                to[count] = lists.ids()[i];
                count += squared[i] <= sure || measures[i] <= limit ? 1u : 0u;
            }
            if (wanted.sorted) std::sort(to.data() + ends[q], to.data() + count);
            ends[q + 1] = static_cast<std::int64_t>(count);
        }
    });
    (void)to.resize(count);
    return {};
}

Status PointPlaces::find_pairs(std::span<const DoublePoint> points, const NeighbourLists& lists,
                               double radius, Metric metric, PointPairs& pairs) const noexcept {
    throng::detail::Buffer<PointPair>& to = pairs.pairs_;
    to.clear();
    const auto agents = lists.agents();
    if (agents.size() != lists.size()) return {Code::size_mismatch, Argument::queries};
    for (const AgentId agent : agents)
        if (agent >= points.size()) return {Code::unknown_id, Argument::ids};
    if (const Status bad = check_lists(points, lists); !bad) return bad;
    if (!to.resize(lists.ids().size())) return {Code::out_of_memory};
    const auto offsets = lists.offsets();
    const auto squared = lists.squared_distances();
    const float sure = certain(*this, radius, metric);
    std::size_t count = 0;
    with_measure(metric, [&]<class Each>(Each) noexcept {
        const double limit = Each::limit(radius);
        for (std::size_t q = 0; q < agents.size(); ++q) {
            const CandidateMeasures<Each> measures{points.data(), lists.ids().data(), points[agents[q]]};
            for (std::size_t i = static_cast<std::size_t>(offsets[q]); i < offsets[q + 1]; ++i) {
                to[count] = {agents[q], lists.ids()[i]};
                count += squared[i] <= sure || measures[i] <= limit ? 1u : 0u;
            }
        }
    });
    (void)to.resize(count);
    return {};
}

}  // namespace throng::structures
