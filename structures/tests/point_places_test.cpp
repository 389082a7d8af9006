// Points in doubles that an engine finds in floats, against a tree of doubles.
#include "throng/structures/point_places.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "structures/tests/test.hpp"
#include "throng/throng.hpp"

namespace throng::structures::test {
namespace of_point_places {

using Points = std::vector<DoublePoint>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Metric metrics[] = {Metric::euclidean, Metric::manhattan, Metric::chebyshev};

Points points_in(const DoublePoint& corner, double side, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    const auto one = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53; };
    Points points(count);
    for (DoublePoint& p : points) p = {corner.x + side * one(), corner.y + side * one()};
    return points;
}

double distance(Metric metric, const DoublePoint& a, const DoublePoint& b) {
    const double dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
    if (metric == Metric::euclidean) return std::sqrt(dx * dx + dy * dy);
    return metric == Metric::manhattan ? dx + dy : std::max(dx, dy);
}

// An engine with the places of points, a tree, and queries.
struct Both {
    explicit Both(Points the_points) : points(std::move(the_points)) {
        EXPECT_EQ(PointPlaces::of(points, places), Status{});
        EXPECT_EQ(tree.assign(points), Status{});
        put(points);
        EXPECT_EQ(engine.update(Boxes::points(floats, &Point::x, &Point::y, 0)), Status{});
        EXPECT_EQ(std::count(outside.begin(), outside.end(), 1), 0);
    }
    void put(const Points& some) {
        floats.resize(some.size()), outside.resize(some.size());
        EXPECT_EQ(places.put(some, floats, outside), Status{});
    }
    NeighbourLists within(double radius, Metric metric) {
        NeighbourLists lists;
        const Within wanted{.radius = places.reach(radius, metric), .distances = true};
        EXPECT_EQ(engine.frame().neighbours(std::span<const Point>(floats), wanted, lists), Status{});
        return lists;
    }
    Points points;
    PointTree tree;
    PointPlaces places;
    Engine engine{EngineConfig{.executor = serial_executor()}};
    std::vector<Point> floats;
    std::vector<std::uint8_t> outside;
};

const DoublePoint corners[] = {{0, 0}, {5e5, 5e6}, {-1e9, 1e-3}};

TEST(PointPlaces, with_an_engine_find_the_nearest_and_say_which_they_leave_open) {
    for (const DoublePoint& corner : corners) {
        Both both(points_in(corner, 20, 3000, 1));
        const Points queries = points_in(corner, 20, 500, 2);
        both.put(queries);
        for (const std::uint32_t count : {1u, 5u}) {
            NeighbourLists lists;
            const Nearest wanted{.count = count + 1, .distances = true};
            ASSERT_EQ(both.engine.frame().neighbours(std::span<const Point>(both.floats), wanted, lists),
                      Status{});
            std::vector<double> distances(queries.size() * count), exact(distances.size());
            std::vector<std::int64_t> ids(distances.size()), exact_ids(distances.size());
            std::vector<std::uint8_t> open(queries.size(), 7);
            const NearestPoints nearest{.count = count, .below = 0.5};
            ASSERT_EQ(both.places.nearest({both.points, queries, lists}, nearest, distances, ids, open),
                      Status{});
            ASSERT_EQ(both.tree.nearest(queries, nearest, exact, exact_ids), Status{});
            std::size_t sure = 0;
            for (std::size_t q = 0; q < queries.size(); ++q) {
                if (open[q] != 0) continue;
                ++sure;
                for (std::size_t i = q * count; i < (q + 1) * count; ++i) {
                    EXPECT_EQ(distances[i], exact[i]);
                    EXPECT_EQ(ids[i], exact_ids[i]);
                }
            }
            // In a world that a float resolves, few are open.
            EXPECT_GT(sure, queries.size() * 9 / 10);
        }
    }
}

TEST(PointPlaces, of_points_that_a_float_cannot_tell_apart_are_open) {
    Points points = points_in({0, 0}, 1e-6, 200, 1);
    points.push_back({1e6, 1e6});
    Both both(points);
    NeighbourLists lists;
    ASSERT_EQ(both.engine.frame().neighbours(std::span<const Point>(both.floats),
                                             Nearest{.count = 3, .distances = true}, lists),
              Status{});
    std::vector<double> distances(2 * points.size());
    std::vector<std::int64_t> ids(distances.size());
    std::vector<std::uint8_t> open(points.size());
    ASSERT_EQ(both.places.nearest({points, points, lists}, {.count = 2}, distances, ids, open), Status{});
    EXPECT_EQ(std::count(open.begin(), open.end() - 1, 1), 200);
    EXPECT_EQ(both.places.reach(1e-6, Metric::euclidean), 0);
    EXPECT_EQ(both.places.reach(std::numeric_limits<double>::quiet_NaN(), Metric::euclidean), 0);
    EXPECT_GT(both.places.reach(1e5, Metric::euclidean), 0);
}

TEST(PointPlaces, with_an_engine_find_all_within_a_radius_and_their_distances) {
    for (const DoublePoint& corner : corners)
        for (const Metric metric : metrics) {
            Both both(points_in(corner, 20, 2000, 1));
            const Points queries = points_in(corner, 25, 300, 2);
            both.put(queries);
            // A radius that is the distance of some points, so that rounding decides.
            const double edge = std::abs(queries[0].x - both.points[0].x);
            for (const double radius : {0.3, edge, infinity}) {
                const PointsWithin wanted{.radius = radius, .metric = metric, .sorted = true};
                PointLists lists, exact;
                const NeighbourLists candidates = both.within(radius, metric);
                ASSERT_EQ(both.places.find({both.points, queries, candidates}, wanted, lists), Status{});
                ASSERT_EQ(both.tree.find(queries, wanted, exact), Status{});
                for (std::size_t q = 0; q < queries.size(); ++q) {
                    if (both.outside[q] != 0) continue;
                    ASSERT_TRUE(
                        std::equal(lists[q].begin(), lists[q].end(), exact[q].begin(), exact[q].end()));
                }
                std::vector<PointEntry> entries(exact.ids().size());
                ASSERT_EQ(list_entries(both.points, queries, exact, metric, {}, entries), Status{});
                for (const PointEntry& entry : entries) {
                    const DoublePoint& p = both.points[static_cast<std::size_t>(entry.id)];
                    ASSERT_EQ(entry.distance,
                              distance(metric, p, queries[static_cast<std::size_t>(entry.query)]));
                }
            }
        }
}

TEST(PointPlaces, with_an_engine_find_all_pairs) {
    for (const DoublePoint& corner : corners)
        for (const Metric metric : metrics) {
            Both both(points_in(corner, 20, 2000, 3));
            NeighbourLists lists;
            const Within wanted{.radius = both.places.reach(0.4, metric),
                                .half = true,
                                .distances = true,
                                .in_row_order = true};
            ASSERT_EQ(both.engine.frame().neighbours(wanted, lists), Status{});
            PointPairs pairs, exact;
            ASSERT_EQ(both.places.find_pairs(both.points, lists, 0.4, metric, pairs), Status{});
            ASSERT_EQ(both.tree.find_pairs(0.4, metric, exact), Status{});
            std::vector<std::pair<std::int64_t, std::int64_t>> found, expected;
            for (const PointPair& pair : pairs.pairs()) found.emplace_back(pair.first, pair.second);
            for (const PointPair& pair : exact.pairs()) expected.emplace_back(pair.first, pair.second);
            std::sort(found.begin(), found.end());
            std::sort(expected.begin(), expected.end());
            EXPECT_GT(found.size(), 100u);
            EXPECT_EQ(found, expected);
        }
}

TEST(PointPlaces, are_there_for_any_finite_points_and_not_outside_of_them) {
    const double largest = std::numeric_limits<double>::max(), nan = std::numeric_limits<double>::quiet_NaN();
    PointPlaces places;
    std::vector<Point> floats(3);
    std::vector<std::uint8_t> outside(3);
    for (const Points& points : {Points{}, Points{{3, 4}}, Points{{-largest, largest}, {largest, -largest}},
                                 Points{{0, 0}, {0, 5e-324}}, Points{{1e-300, 0}, {2e-300, 0}}}) {
        ASSERT_EQ(PointPlaces::of(points, places), Status{});
        ASSERT_EQ(places.put(points, floats, outside), Status{});
        for (std::size_t i = 0; i < points.size(); ++i) {
            EXPECT_EQ(outside[i], 0);
            EXPECT_LE(std::abs(floats[i].x), 1);
            EXPECT_LE(std::abs(floats[i].y), 1);
        }
    }
    const Points wrong{{0, 0}, {1, nan}};
    EXPECT_EQ(PointPlaces::of(wrong, places), (Status{Code::not_finite, 1, Argument::boxes}));
    ASSERT_EQ(PointPlaces::of(Points{{0, 0}, {1, 1}}, places), Status{});
    const Points far{{0.5, 0.5}, {9, 0}, {0, -1e300}};
    ASSERT_EQ(places.put(far, floats, outside), Status{});
    EXPECT_EQ(outside, (std::vector<std::uint8_t>{0, 1, 1}));
    EXPECT_EQ(floats[1], Point{});
}

TEST(PointPlaces, refuse_lists_that_are_not_of_these_queries_or_points) {
    Both both(points_in({0, 0}, 20, 100, 1));
    const Points few(both.points.begin(), both.points.begin() + 50);
    const NeighbourLists lists = both.within(5, Metric::euclidean);
    std::vector<double> distances(100);
    std::vector<std::int64_t> ids(100);
    std::vector<std::uint8_t> open(100);
    PointLists exact;
    PointPairs pairs;
    EXPECT_EQ(both.places.find({both.points, few, lists}, {.radius = 5}, exact),
              (Status{Code::size_mismatch, Argument::queries}));
    EXPECT_EQ(both.places.find({few, both.points, lists}, {.radius = 5}, exact),
              (Status{Code::unknown_id, Argument::ids}));
    EXPECT_EQ(both.places.nearest({few, both.points, lists}, {}, distances, ids, open),
              (Status{Code::unknown_id, Argument::ids}));
    EXPECT_EQ(both.places.nearest({both.points, both.points, lists}, {.count = 2}, distances, ids, open),
              (Status{Code::size_mismatch, Argument::output}));
    EXPECT_EQ(both.places.nearest({both.points, both.points, lists}, {.count = 0}, distances, ids, open),
              (Status{Code::bad_config, Argument::count}));
    EXPECT_EQ(both.places.find_pairs(both.points, lists, 5, Metric::euclidean, pairs),
              (Status{Code::size_mismatch, Argument::queries}));
    ASSERT_EQ(both.places.find({both.points, both.points, lists}, {.radius = 5}, exact), Status{});
    std::vector<PointEntry> entries(exact.ids().size());
    EXPECT_EQ(list_entries(few, both.points, exact, Metric::euclidean, {}, entries),
              (Status{Code::unknown_id, Argument::ids}));
    EXPECT_EQ(list_entries(both.points, few, exact, Metric::euclidean, {}, entries),
              (Status{Code::size_mismatch, Argument::queries}));
    entries.pop_back();
    EXPECT_EQ(list_entries(both.points, both.points, exact, Metric::euclidean, {}, entries),
              (Status{Code::size_mismatch, Argument::output}));
}

}  // namespace of_point_places
}  // namespace throng::structures::test
