// Points in doubles against brute force: in even and uneven worlds, far from the origin and with far
// outliers.
#include "throng/structures/point_tree.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "structures/tests/test.hpp"
#include "support/counting_resource.hpp"
#include "support/executors.hpp"

namespace throng::structures::test {
namespace of_point_tree {

using Points = std::vector<DoublePoint>;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr Metric metrics[] = {Metric::euclidean, Metric::manhattan, Metric::chebyshev};

double one(Random& random) { return static_cast<double>(random.next() >> 11) * 0x1p-53; }

// What makes a world: one coordinate.
struct World {
    const char* name;
    double (*coordinate)(Random&);
};
const World worlds[] = {
    {"even", [](Random& r) { return one(r); }},
    {"equal", [](Random& r) { return static_cast<double>(r.below(5)); }},
    {"heavy_tail", [](Random& r) { return std::pow(1 - one(r), -3.0); }},
    {"a_map", [](Random& r) { return 5e6 + 20 * one(r); }},
    {"an_outlier", [](Random& r) { return r.one_in(50) ? 1e12 * one(r) : one(r); }},
    {"tiny", [](Random& r) { return 1e-300 * one(r); }},
    {"huge", [](Random& r) { return 1e150 * one(r); }},
};

Points points_of(const World& world, std::size_t count, Random& random) {
    Points points(count);
    for (DoublePoint& p : points) {
        p.x = world.coordinate(random);
        p.y = world.coordinate(random);
    }
    return points;
}
// Half of them among the points.
Points queries_of(const World& world, const Points& points, std::size_t count, Random& random) {
    Points queries = points_of(world, count, random);
    for (std::size_t q = 0; q < count && !points.empty(); q += 2)
        queries[q] = points[random.below(points.size())];
    return queries;
}

double measure(Metric metric, const DoublePoint& a, const DoublePoint& b) {
    const double dx = std::abs(a.x - b.x), dy = std::abs(a.y - b.y);
    if (metric == Metric::euclidean) return dx * dx + dy * dy;
    return metric == Metric::manhattan ? dx + dy : std::max(dx, dy);
}
double limit(Metric metric, double radius) { return metric == Metric::euclidean ? radius * radius : radius; }

PointTree tree_of(const Points& points) {
    PointTree tree;
    EXPECT_EQ(tree.assign(points), Status{});
    EXPECT_EQ(tree.size(), points.size());
    return tree;
}

// What one query finds, with room for all and for some.
void expect_one(const PointTree& tree, const DoublePoint& query, const PointsWithin& wanted,
                const std::vector<std::int64_t>& expected) {
    std::size_t total = 77;
    std::vector<std::int64_t> ids(expected.size() + 3, -1), some(expected.size() / 2);
    ASSERT_EQ(tree.find(query, wanted, ids, total), Status{});
    EXPECT_EQ(total, expected.size());
    ids.resize(total);
    EXPECT_EQ(ids, expected);
    ASSERT_EQ(tree.find(query, wanted, some, total), Status{});
    EXPECT_EQ(total, expected.size());
    std::sort(some.begin(), some.end());
    EXPECT_TRUE(std::includes(expected.begin(), expected.end(), some.begin(), some.end()));
}

class PointTreeIn : public ::testing::TestWithParam<World> {};

TEST_P(PointTreeIn, any_world_finds_the_nearest) {
    Random random(1);
    for (const std::size_t count : {0u, 1u, 2u, 16u, 17u, 32u, 33u, 100u, 257u, 1000u})
        for (const Metric metric : metrics) {
            const Points points = points_of(GetParam(), count, random);
            const Points queries = queries_of(GetParam(), points, 90, random);
            const PointTree tree = tree_of(points);
            const std::size_t most = random.one_in(4) ? 65 + random.below(200) : 1 + random.below(12);
            std::vector<double> distances(queries.size() * most), all(count);
            std::vector<std::int64_t> ids(distances.size());
            const double below = random.one_in(2) ? infinity : std::abs(GetParam().coordinate(random));
            ASSERT_EQ(tree.nearest(queries, {most, below, metric}, distances, ids), Status{});
            for (std::size_t q = 0; q < queries.size(); ++q) {
                for (std::size_t i = 0; i < count; ++i) all[i] = measure(metric, points[i], queries[q]);
                std::vector<double> sorted = all;
                std::sort(sorted.begin(), sorted.end());
                std::vector<std::int64_t> seen;
                for (std::size_t k = 0; k < most; ++k) {
                    const double distance = distances[q * most + k];
                    const std::int64_t id = ids[q * most + k];
                    if (k >= count || !(sorted[k] < limit(metric, below))) {
                        EXPECT_EQ(distance, infinity);
                        EXPECT_EQ(id, static_cast<std::int64_t>(count));
                        continue;
                    }
                    ASSERT_LT(id, static_cast<std::int64_t>(count));
                    EXPECT_EQ(all[static_cast<std::size_t>(id)], sorted[k]);
                    EXPECT_EQ(distance, metric == Metric::euclidean ? std::sqrt(sorted[k]) : sorted[k]);
                    EXPECT_EQ(std::count(seen.begin(), seen.end(), id), 0);
                    seen.push_back(id);
                }
            }
        }
}

TEST_P(PointTreeIn, any_world_lists_and_counts_all_within_a_radius) {
    Random random(2);
    for (const std::size_t count : {0u, 1u, 16u, 17u, 100u, 600u})
        for (const Metric metric : metrics) {
            const Points points = points_of(GetParam(), count, random);
            const Points queries = queries_of(GetParam(), points, 90, random);
            const PointTree tree = tree_of(points);
            std::vector<double> radii;
            for (std::size_t q = 0; q < queries.size(); ++q)
                radii.push_back(random.one_in(8) ? -1
                                                 : std::abs(GetParam().coordinate(random)) * one(random));
            const PointsWithin wanted{.radii = radii, .metric = metric, .sorted = true};
            PointLists lists;
            std::vector<std::int64_t> counts(queries.size());
            ASSERT_EQ(tree.find(queries, wanted, lists), Status{});
            ASSERT_EQ(tree.count(queries, wanted, counts), Status{});
            ASSERT_EQ(lists.size(), queries.size());
            for (std::size_t q = 0; q < queries.size(); ++q) {
                std::vector<std::int64_t> expected;
                for (std::size_t i = 0; i < count && radii[q] >= 0; ++i)
                    if (measure(metric, points[i], queries[q]) <= limit(metric, radii[q]))
                        expected.push_back(static_cast<std::int64_t>(i));
                EXPECT_EQ(std::vector<std::int64_t>(lists[q].begin(), lists[q].end()), expected);
                EXPECT_EQ(counts[q], static_cast<std::int64_t>(expected.size()));
                expect_one(tree, queries[q], {.radius = radii[q], .metric = metric, .sorted = true},
                           expected);
            }
        }
}

TEST_P(PointTreeIn, any_world_lists_and_counts_pairs) {
    Random random(3);
    for (const std::size_t count : {0u, 1u, 2u, 17u, 100u, 400u})
        for (const Metric metric : metrics) {
            const Points points = points_of(GetParam(), count, random);
            const Points others = points_of(GetParam(), 70, random);
            const PointTree tree = tree_of(points), other = tree_of(others);
            std::vector<double> radii{0, infinity, -1};
            for (int k = 0; k < 4; ++k)
                radii.push_back(std::abs(GetParam().coordinate(random)) * one(random));
            std::vector<std::int64_t> counts(radii.size());
            ASSERT_EQ(tree.count_pairs(other, radii, metric, counts), Status{});
            for (std::size_t k = 0; k < radii.size(); ++k) {
                std::int64_t expected = 0;
                std::vector<std::pair<std::int64_t, std::int64_t>> close, found;
                const auto near = [&](const DoublePoint& a, const DoublePoint& b) {
                    return radii[k] >= 0 && measure(metric, a, b) <= limit(metric, radii[k]);
                };
                for (const DoublePoint& a : points)
                    for (const DoublePoint& b : others) expected += near(a, b) ? 1 : 0;
                EXPECT_EQ(counts[k], expected) << radii[k];
                for (std::size_t i = 0; i < count; ++i)
                    for (std::size_t j = i + 1; j < count; ++j)
                        if (near(points[i], points[j])) close.emplace_back(i, j);
                PointPairs pairs;
                ASSERT_EQ(tree.find_pairs(radii[k], metric, pairs), Status{});
                for (const PointPair& pair : pairs.pairs()) found.emplace_back(pair.first, pair.second);
                std::sort(found.begin(), found.end());
                EXPECT_EQ(found, close) << radii[k];
            }
        }
}

TEST_P(PointTreeIn, any_world_sums_the_weights_of_pairs_between_radii) {
    Random random(6);
    for (const std::size_t count : {0u, 1u, 17u, 300u})
        for (const Metric metric : metrics) {
            const Points points = points_of(GetParam(), count, random);
            const Points others = points_of(GetParam(), 70, random);
            const PointTree tree = tree_of(points), other = tree_of(others);
            std::vector<double> radii{infinity, 0, -1}, weights, its_weights;
            for (int k = 0; k < 4; ++k)
                radii.push_back(std::abs(GetParam().coordinate(random)) * one(random));
            // Whole numbers: their sums are exact in any order.
            for (std::size_t i = 0; i < count; ++i)
                weights.push_back(static_cast<double>(random.below(9)) - 3);
            for (std::size_t i = 0; i < others.size(); ++i)
                its_weights.push_back(static_cast<double>(random.below(9)));
            std::vector<double> sums(radii.size());
            ASSERT_EQ(tree.sum_pairs(other, radii, metric, weights, its_weights, sums), Status{});
            std::vector<double> sorted = radii;
            std::sort(sorted.begin(), sorted.end());
            for (std::size_t k = 0; k < radii.size(); ++k) {
                const auto at = std::find(sorted.begin(), sorted.end(), radii[k]);
                const double before = at == sorted.begin() ? -1 : at[-1];
                const bool is_first = std::find(radii.begin(), radii.end(), radii[k]) - radii.begin() ==
                                      static_cast<std::ptrdiff_t>(k);
                double expected = 0;
                for (std::size_t i = 0; i < count; ++i)
                    for (std::size_t j = 0; j < others.size(); ++j) {
                        const double distance = measure(metric, points[i], others[j]);
                        if (is_first && radii[k] >= 0 && distance <= limit(metric, radii[k]) &&
                            (before < 0 || distance > limit(metric, before)))
                            expected += weights[i] * its_weights[j];
                    }
                EXPECT_EQ(sums[k], expected) << radii[k];
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Worlds, PointTreeIn, ::testing::ValuesIn(worlds),
                         [](const auto& of) { return of.param.name; });

TEST(PointTree, answers_alike_on_any_number_of_workers) {
    Random random(4);
    const Points points = points_of(worlds[2], scaled(20000, 3000), random);
    const PointTree alone = tree_of(points);
    std::vector<double> distances(points.size() * 3), others(distances.size());
    std::vector<std::int64_t> ids(distances.size()), other_ids(distances.size());
    PointLists lists, other_lists;
    PointPairs pairs, other_pairs;
    ASSERT_EQ(alone.nearest(points, {.count = 3}, distances, ids), Status{});
    ASSERT_EQ(alone.find(points, {.radius = 0.5}, lists), Status{});
    ASSERT_EQ(alone.find_pairs(0.5, Metric::euclidean, pairs), Status{});
    for (const unsigned workers : {2u, 7u, 64u}) {
        CountingExecutor host(workers);
        const Executor executor = host.executor();
        PointTree tree;
        ASSERT_EQ(tree.assign(points, executor), Status{});
        ASSERT_EQ(tree.nearest(points, {.count = 3}, others, other_ids, executor), Status{});
        ASSERT_EQ(tree.find(points, {.radius = 0.5}, other_lists, executor), Status{});
        ASSERT_EQ(tree.find_pairs(0.5, Metric::euclidean, other_pairs, executor), Status{});
        EXPECT_EQ(others, distances);
        EXPECT_EQ(other_ids, ids);
        EXPECT_TRUE(std::equal(lists.ids().begin(), lists.ids().end(), other_lists.ids().begin(),
                               other_lists.ids().end()));
        EXPECT_TRUE(std::equal(pairs.pairs().begin(), pairs.pairs().end(), other_pairs.pairs().begin(),
                               other_pairs.pairs().end(), [](const PointPair& a, const PointPair& b) {
                                   return a.first == b.first && a.second == b.second;
                               }));
        EXPECT_GT(host.calls(), 0u);
    }
}

// At whichever question the host says so, on one thread or several.
TEST(PointTree, ends_a_call_where_the_host_wants_it_and_says_so) {
    Random random(8);
    const Points points = points_of(worlds[0], 4000, random);
    PointTree tree;
    ASSERT_EQ(tree.assign(points), Status{});
    std::vector<double> distances(points.size());
    std::vector<std::int64_t> ids(points.size());
    const std::vector<double> radii(1, 0.1), weights(points.size(), 1);
    PointLists lists;
    PointPairs pairs;
    using Call = std::function<Status(const Executor&)>;
    const Call calls[] = {
        [&](const Executor& on) { return PointTree().assign(points, on); },
        [&](const Executor& on) { return tree.nearest(points, {}, distances, ids, on); },
        [&](const Executor& on) { return tree.count(points, {.radius = 0.01}, ids, on); },
        [&](const Executor& on) { return tree.find(points, {.radius = 0.01}, lists, on); },
        [&](const Executor& on) { return tree.find_pairs(0.01, Metric::euclidean, pairs, on); },
        [&](const Executor& on) { return tree.count_pairs(tree, radii, Metric::euclidean, ids, on); },
        [&](const Executor& on) {
            return tree.sum_pairs(tree, radii, Metric::euclidean, weights, weights, distances, on);
        },
    };
    CountingExecutor several(4);
    for (std::size_t c = 0; c < std::size(calls); ++c)
        for (const Executor& executor : {serial_executor(), several.executor()})
            for (std::uint64_t from = 0;; from += 1 + from / 4) {
                CancellingHost host(from);
                lists = PointLists(), pairs = PointPairs();
                const Status status = calls[c](host.on(executor));
                if (!host.has_cancelled()) {
                    EXPECT_EQ(status, Status{}) << "call " << c;
                    EXPECT_NE(from, 0u) << "call " << c << " asks nobody";
                    break;
                }
                EXPECT_EQ(status, Status{Code::cancelled}) << "call " << c << ", question " << from;
                EXPECT_TRUE(lists.ids().empty() && pairs.pairs().empty());
            }
}

TEST(PointTree, without_points_finds_nothing) {
    const PointTree tree;
    const DoublePoint query{1, 2};
    double distance = 0, sum = 7;
    std::int64_t id = 7, counted = 7;
    std::size_t total = 7;
    EXPECT_EQ(tree.nearest({&query, 1}, {}, {&distance, 1}, {&id, 1}), Status{});
    EXPECT_EQ(distance, infinity);
    EXPECT_EQ(id, 0);
    EXPECT_EQ(tree.find(query, {.radius = infinity}, {&id, 1}, total), Status{});
    EXPECT_EQ(total, 0u);
    EXPECT_EQ(tree.count({&query, 1}, {.radius = infinity}, {&counted, 1}), Status{});
    EXPECT_EQ(counted, 0);
    EXPECT_EQ(tree.sum_pairs(tree, {&distance, 1}, Metric::euclidean, {}, {}, {&sum, 1}), Status{});
    EXPECT_EQ(sum, 0);
}

TEST(PointTree, refuses_what_is_not_finite_and_keeps_the_points) {
    const Points points{{0, 0}, {3, 4}};
    PointTree tree = tree_of(points);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double bad : {nan, infinity, -infinity}) {
        const Points illegal{{0, 0}, {1, 1}, {bad, 1}, {1, bad}};
        EXPECT_EQ(tree.assign(illegal), (Status{Code::not_finite, 2, Argument::boxes}));
        std::vector<double> distances(4);
        std::vector<std::int64_t> ids(4), counts(4);
        PointLists lists;
        EXPECT_EQ(tree.nearest(illegal, {}, distances, ids),
                  (Status{Code::not_finite, 2, Argument::queries}));
        EXPECT_EQ(tree.count(illegal, {}, counts), (Status{Code::not_finite, 2, Argument::queries}));
        EXPECT_EQ(tree.find(illegal, {}, lists), (Status{Code::not_finite, 2, Argument::queries}));
    }
    std::vector<double> distances(2);
    std::vector<std::int64_t> ids(2);
    ASSERT_EQ(tree.nearest(points, {}, distances, ids), Status{});
    EXPECT_EQ(ids, (std::vector<std::int64_t>{0, 1}));
}

TEST(PointTree, refuses_too_little_room_and_arrays_that_do_not_go_together) {
    const Points points{{0, 0}, {3, 4}};
    const PointTree tree = tree_of(points);
    std::vector<double> distances(3), radii(1);
    std::vector<std::int64_t> ids(4), counts(1);
    PointLists lists;
    EXPECT_EQ(tree.nearest(points, {.count = 2}, distances, ids),
              (Status{Code::size_mismatch, Argument::output}));
    EXPECT_EQ(tree.nearest(points, {.count = 0}, distances, ids),
              (Status{Code::bad_config, Argument::count}));
    EXPECT_EQ(tree.count(points, {}, counts), (Status{Code::size_mismatch, Argument::output}));
    EXPECT_EQ(tree.find(points, {.radii = radii}, lists), (Status{Code::size_mismatch, Argument::radii}));
    EXPECT_EQ(tree.count_pairs(tree, std::vector<double>(2), Metric::euclidean, counts),
              (Status{Code::size_mismatch, Argument::output}));
    EXPECT_EQ(tree.sum_pairs(tree, radii, Metric::euclidean, distances, radii, distances),
              Status{Code::size_mismatch});
    EXPECT_EQ(tree.sum_pairs(tree, distances, Metric::euclidean, std::vector<double>(2),
                             std::vector<double>(2), radii),
              (Status{Code::size_mismatch, Argument::output}));
    const Executor without{.context = nullptr, .workers = 4, .parallel_for = nullptr};
    EXPECT_EQ(tree.find(points, {}, lists, without), (Status{Code::bad_config, Argument::executor}));
}

TEST(PointTree, without_memory_keeps_its_points) {
    Random random(5);
    const Points few = points_of(worlds[0], 100, random), many = points_of(worlds[0], 5000, random);
    CountingResource memory;
    PointTree tree(&memory);
    ASSERT_EQ(tree.assign(few), Status{});
    for (std::uint64_t calls = 0;; ++calls) {
        memory.fail_after(calls);
        const Status status = tree.assign(many);
        memory.stop_failing();
        if (status) break;
        ASSERT_EQ(status, Status{Code::out_of_memory});
        std::vector<double> distances(few.size());
        std::vector<std::int64_t> ids(few.size());
        ASSERT_EQ(tree.size(), few.size());
        ASSERT_EQ(tree.nearest(few, {}, distances, ids), Status{});
        for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(distances[i], 0);
    }
    EXPECT_EQ(tree.size(), many.size());
}

}  // namespace of_point_tree
}  // namespace throng::structures::test
