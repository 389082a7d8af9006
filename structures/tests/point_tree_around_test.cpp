// Points in doubles in a plane that wraps around, against brute force by the shorter way.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "structures/tests/test.hpp"
#include "throng/structures/point_tree.hpp"

namespace throng::structures::test {
namespace of_point_tree_around {

using Points = std::vector<DoublePoint>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Metric metrics[] = {Metric::euclidean, Metric::manhattan, Metric::chebyshev};

double shorter(double way, double around) {
    if (around == 0) return std::abs(way);
    return std::abs(way < -around / 2 ? around + way : way > around / 2 ? way - around : way);
}
double measure(Metric metric, const DoublePoint& a, const DoublePoint& b, const DoublePoint& around) {
    const double dx = shorter(a.x - b.x, around.x), dy = shorter(a.y - b.y, around.y);
    if (metric == Metric::euclidean) return dx * dx + dy * dy;
    return metric == Metric::manhattan ? dx + dy : std::max(dx, dy);
}
double limit(Metric metric, double radius) { return metric == Metric::euclidean ? radius * radius : radius; }

// Even ones, some on a lattice that has the seams in it, and some at one place.
Points points_in(const DoublePoint& around, std::size_t count, Random& random) {
    const auto coordinate = [&](double size, bool on_lattice) {
        const double most = size == 0 ? 3 : size;
        const std::size_t steps = on_lattice ? 8 : 1 << 20;
        return most * static_cast<double>(random.below(steps)) / static_cast<double>(steps);
    };
    Points points(count, {0, 0});
    for (std::size_t i = count / 8; i < count; ++i)
        points[i] = {coordinate(around.x, i % 2 == 0), coordinate(around.y, i % 3 == 0)};
    return points;
}

class PointTreeAround : public ::testing::TestWithParam<DoublePoint> {
protected:
    struct World {
        Points points, queries;
        PointTree tree;
    };
    World world(std::size_t count, Random& random) {
        World made{points_in(around, count, random), points_in(around, 70, random), PointTree()};
        EXPECT_EQ(made.tree.assign(made.points, serial_executor(), around), Status{});
        return made;
    }
    const DoublePoint around = GetParam();
};

TEST_P(PointTreeAround, finds_what_brute_force_does) {
    Random random(1);
    for (const std::size_t count : {0u, 1u, 17u, 100u, 700u})
        for (const Metric metric : metrics)
            for (const double radius : {0.0, 0.125, 0.3, 0.5, 2.0}) {
                const World w = world(count, random);
                PointLists lists;
                std::vector<std::int64_t> counts(w.queries.size()), ids(count + 1);
                const PointsWithin wanted{.radius = radius, .metric = metric, .sorted = true};
                ASSERT_EQ(w.tree.find(w.queries, wanted, lists), Status{});
                ASSERT_EQ(w.tree.count(w.queries, wanted, counts), Status{});
                std::vector<PointEntry> entries(lists.ids().size());
                ASSERT_EQ(list_entries(w.points, w.queries, lists, metric, {}, entries, around), Status{});
                for (const PointEntry& e : entries) ASSERT_LE(e.distance, radius * (1 + 1e-15));
                for (std::size_t q = 0; q < w.queries.size(); ++q) {
                    std::vector<std::int64_t> expected;
                    for (std::size_t i = 0; i < count; ++i)
                        if (measure(metric, w.points[i], w.queries[q], around) <= limit(metric, radius))
                            expected.push_back(static_cast<std::int64_t>(i));
                    std::size_t total = 0;
                    ASSERT_EQ(w.tree.find(w.queries[q], wanted, ids, total), Status{});
                    EXPECT_EQ(std::vector<std::int64_t>(lists[q].begin(), lists[q].end()), expected);
                    EXPECT_EQ(std::vector<std::int64_t>(ids.data(), ids.data() + total), expected);
                    EXPECT_EQ(counts[q], static_cast<std::int64_t>(expected.size()));
                }
            }
}

TEST_P(PointTreeAround, finds_the_nearest_wherever_queries_are) {
    Random random(2);
    for (const std::size_t count : {1u, 17u, 100u, 700u})
        for (const Metric metric : metrics) {
            const World w = world(count, random);
            const std::size_t most = count / 3 + 1;
            // On lattices of sixteenths, moved by whole numbers: nothing is rounded.
            Points away = w.queries;
            for (DoublePoint& p : away) p.x += 3 * around.x, p.y -= 2 * around.y;
            std::vector<double> distances(w.queries.size() * most), from_away = distances, all(count);
            std::vector<std::int64_t> ids(distances.size());
            ASSERT_EQ(w.tree.nearest(w.queries, {most, infinity, metric}, distances, ids), Status{});
            ASSERT_EQ(w.tree.nearest(away, {most, infinity, metric}, from_away, ids), Status{});
            EXPECT_EQ(distances, from_away);
            for (std::size_t q = 0; q < w.queries.size(); ++q) {
                for (std::size_t i = 0; i < count; ++i)
                    all[i] = measure(metric, w.points[i], w.queries[q], around);
                std::sort(all.begin(), all.end());
                for (std::size_t k = 0; k < most; ++k) {
                    const double distance = metric == Metric::euclidean ? std::sqrt(all[k]) : all[k];
                    ASSERT_EQ(distances[q * most + k], distance) << q << ", " << k;
                }
            }
        }
}

TEST_P(PointTreeAround, lists_counts_and_weighs_pairs) {
    Random random(3);
    for (const std::size_t count : {2u, 40u, 300u})
        for (const Metric metric : metrics) {
            const World w = world(count, random), other = world(count / 2, random);
            const std::vector<double> radii{0.5, 0.125, 0.3, 9};
            std::vector<std::int64_t> counts(radii.size());
            std::vector<double> sums(radii.size()), ones(count, 1), others(count / 2, 1);
            ASSERT_EQ(w.tree.count_pairs(other.tree, radii, metric, counts), Status{});
            ASSERT_EQ(w.tree.sum_pairs(other.tree, radii, metric, ones, others, sums), Status{});
            double all = 0;
            for (std::size_t r = 0; r < radii.size(); ++r) {
                const auto within = [&](const DoublePoint& a, const DoublePoint& b) {
                    return measure(metric, a, b, around) <= limit(metric, radii[r]) ? 1 : 0;
                };
                std::int64_t expected = 0, own = 0;
                for (std::size_t i = 0; i < count; ++i) {
                    for (const DoublePoint& p : other.points) expected += within(w.points[i], p);
                    for (std::size_t j = 0; j < i; ++j) own += within(w.points[i], w.points[j]);
                }
                PointPairs pairs;
                ASSERT_EQ(w.tree.find_pairs(radii[r], metric, pairs), Status{});
                EXPECT_EQ(pairs.pairs().size(), static_cast<std::size_t>(own));
                EXPECT_EQ(counts[r], expected) << radii[r];
                all += sums[r];
            }
            EXPECT_EQ(all, static_cast<double>(counts[3])) << "the shells of all radii";
        }
}

INSTANTIATE_TEST_SUITE_P(Planes, PointTreeAround,
                         ::testing::Values(DoublePoint{1, 1}, DoublePoint{1, 0}, DoublePoint{0, 4},
                                           DoublePoint{2, 0.5}));

TEST(PointTreeAroundIt, refuses_what_is_no_such_plane_and_points_outside) {
    PointTree tree;
    const Points points{{0, 0}, {0.5, 1}};
    for (const DoublePoint bad : {DoublePoint{-1, 0}, {infinity, 0}, {0, std::nan("")}})
        EXPECT_EQ(tree.assign(points, serial_executor(), bad), (Status{Code::bad_config, Argument::period}));
    EXPECT_EQ(tree.assign(points, serial_executor(), {1, 1}), (Status{Code::too_large, 1, Argument::boxes}));
    EXPECT_EQ(tree.size(), 0u);
}

TEST(PointTreeAroundIt, counts_pairs_with_a_flat_tree_whose_points_are_all_in_its_plane) {
    PointTree tree, within, beyond;
    ASSERT_EQ(tree.assign(Points{{1, 0}}, serial_executor(), {10, 0}), Status{});
    ASSERT_EQ(within.assign(Points{{7, -50}, {9, 4}}), Status{});
    ASSERT_EQ(beyond.assign(Points{{7, 0}, {25, 0}, {-1, 0}}), Status{});
    const std::vector<double> radii{5}, one{1}, two{1, 1}, three{1, 1, 1};
    std::vector<std::int64_t> counts(1);
    std::vector<double> sums(1);
    EXPECT_EQ(tree.count_pairs(within, radii, Metric::euclidean, counts), Status{});
    EXPECT_EQ(tree.sum_pairs(within, radii, Metric::euclidean, one, two, sums), Status{});
    const Status outside{Code::too_large, 1, Argument::boxes};
    EXPECT_EQ(tree.count_pairs(beyond, radii, Metric::euclidean, counts), outside);
    EXPECT_EQ(tree.sum_pairs(beyond, radii, Metric::euclidean, one, three, sums), outside);
    EXPECT_EQ(counts[0], 1) << "as they were";
    EXPECT_EQ(sums[0], 1);
    EXPECT_EQ(beyond.count_pairs(tree, radii, Metric::euclidean, counts), Status{});
    EXPECT_EQ(counts[0], 1);
}

}  // namespace of_point_tree_around
}  // namespace throng::structures::test
