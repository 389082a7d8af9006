// Trees of points in C, beside those of the library.

#include <cmath>
#include <limits>
#include <vector>

#include "bindings/c/tests/both_worlds.hpp"
#include "throng/structures/point_tree.hpp"
#include "throng_structures.h"

namespace throng::test {
namespace {

using namespace structures;
constexpr double infinity = std::numeric_limits<double>::infinity();

struct PointsInBoth {
    explicit PointsInBoth(std::size_t count, const throng_engine* engine = nullptr) {
        Random random(3);
        for (std::size_t i = 0; i < count; ++i)
            points.push_back({5e6 + random.uniform(0, 100), static_cast<double>(random.uniform(0, 100))});
        EXPECT_EQ(tree.assign(points), Status{});
        EXPECT_EQ(throng_point_tree_create(engine, &c, nullptr), THRONG_OK);
        EXPECT_EQ(throng_point_tree_assign(c, nullptr, in_c(), points.size(), nullptr), THRONG_OK);
    }
    ~PointsInBoth() { throng_point_tree_destroy(c); }
    PointsInBoth(const PointsInBoth&) = delete;
    PointsInBoth& operator=(const PointsInBoth&) = delete;
    const throng_double_point* in_c() const {
        return reinterpret_cast<const throng_double_point*>(points.data());
    }
    std::vector<DoublePoint> points;
    PointTree tree;
    throng_point_tree* c = nullptr;
};

TEST(CPoints, answer_as_those_of_the_library) {
    CWorld world;
    const PointsInBoth both(2000, world.engine);
    const std::size_t n = both.points.size();
    EXPECT_EQ(throng_point_tree_size(both.c), n);
    EXPECT_EQ(throng_point_tree_bytes(both.c), both.tree.bytes());
    for (const Metric metric : {Metric::euclidean, Metric::manhattan, Metric::chebyshev})
        for (const std::uint32_t serial : {0u, 1u}) {
            auto options = made(throng_init_point_options);
            options.metric = static_cast<std::uint32_t>(metric);
            options.serial = serial;
            options.count = 3;
            options.radius = 2;
            std::vector<double> distances(3 * n), c_distances(3 * n);
            std::vector<std::int64_t> ids(3 * n), c_ids(3 * n), counts(n), c_counts(n);
            ASSERT_TRUE(both.tree.nearest(both.points, {3, 2, metric}, distances, ids));
            ASSERT_EQ(throng_point_tree_nearest(both.c, &options, both.in_c(), n, c_distances.data(),
                                                c_ids.data(), c_ids.size(), nullptr),
                      THRONG_OK);
            EXPECT_EQ(distances, c_distances);
            EXPECT_EQ(ids, c_ids);
            std::vector<double> radii;
            for (std::size_t i = 0; i < n; ++i) radii.push_back(static_cast<double>(i % 7) * 0.5);
            options.radii = radii.data();
            options.radius_count = n;
            options.sorted = 1;
            const PointsWithin within{.radii = radii, .metric = metric, .sorted = true};
            ASSERT_TRUE(both.tree.count(both.points, within, counts));
            ASSERT_EQ(throng_point_tree_count(both.c, &options, both.in_c(), n, c_counts.data(), n, nullptr),
                      THRONG_OK);
            EXPECT_EQ(counts, c_counts);
            PointLists lists;
            throng_point_lists* c_lists = nullptr;
            ASSERT_EQ(throng_point_lists_create(world.engine, &c_lists, nullptr), THRONG_OK);
            ASSERT_TRUE(both.tree.find(both.points, within, lists));
            ASSERT_EQ(throng_point_tree_find(both.c, &options, both.in_c(), n, c_lists, nullptr), THRONG_OK);
            std::uint64_t count = 0;
            const std::int64_t* c_all = throng_point_lists_ids(c_lists, &count);
            EXPECT_EQ(std::vector<std::int64_t>(c_all, c_all + count),
                      std::vector<std::int64_t>(lists.ids().begin(), lists.ids().end()));
            const std::int64_t* c_offsets = throng_point_lists_offsets(c_lists, &count);
            EXPECT_EQ(std::vector<std::int64_t>(c_offsets, c_offsets + count),
                      std::vector<std::int64_t>(lists.offsets().begin(), lists.offsets().end()));
            throng_point_lists_destroy(c_lists);
        }
}

TEST(CPoints, answer_one_query_as_many) {
    const PointsInBoth both(500);
    auto options = made(throng_init_point_options);
    options.radius = 9;
    options.sorted = 1;
    std::vector<std::int64_t> ids(500), c_ids(500);
    std::size_t total = 0;
    std::uint64_t c_total = 0;
    ASSERT_TRUE(both.tree.find(both.points[7], {.radius = 9, .sorted = true}, ids, total));
    ASSERT_EQ(throng_point_tree_find_one(both.c, &options, both.in_c() + 7, c_ids.data(), c_ids.size(),
                                         &c_total, nullptr),
              THRONG_OK);
    EXPECT_GT(total, 1u);
    EXPECT_EQ(total, c_total);
    EXPECT_EQ(ids, c_ids);
    EXPECT_EQ(throng_point_tree_find_one(both.c, &options, both.in_c() + 7, nullptr, 0, &c_total, nullptr),
              THRONG_OK);
    EXPECT_EQ(total, c_total);
}

TEST(CPoints, count_and_list_pairs_as_the_library) {
    const PointsInBoth both(1000), other(300);
    const std::vector<double> radii{1, 30, 3}, weights(1000, 2.0), its(300, 3.0);
    std::vector<std::int64_t> counts(3), c_counts(3);
    std::vector<double> sums(3), c_sums(3);
    ASSERT_TRUE(both.tree.count_pairs(other.tree, radii, Metric::euclidean, counts));
    ASSERT_EQ(
        throng_point_tree_count_pairs(both.c, other.c, nullptr, radii.data(), 3, c_counts.data(), 3, nullptr),
        THRONG_OK);
    EXPECT_EQ(counts, c_counts);
    ASSERT_TRUE(both.tree.sum_pairs(other.tree, radii, Metric::euclidean, weights, its, sums));
    ASSERT_EQ(throng_point_tree_sum_pairs(both.c, other.c, nullptr, radii.data(), 3, weights.data(), 1000,
                                          its.data(), 300, c_sums.data(), 3, nullptr),
              THRONG_OK);
    EXPECT_EQ(sums, c_sums);
    EXPECT_EQ(c_sums[0], 6 * static_cast<double>(counts[0]));
    PointPairs pairs;
    throng_point_pairs* c_pairs = nullptr;
    auto options = made(throng_init_point_options);
    options.radius = 1;
    ASSERT_TRUE(both.tree.find_pairs(1, Metric::euclidean, pairs));
    ASSERT_EQ(throng_point_pairs_create(nullptr, &c_pairs, nullptr), THRONG_OK);
    ASSERT_EQ(throng_point_tree_find_pairs(both.c, &options, c_pairs, nullptr), THRONG_OK);
    std::uint64_t count = 0;
    const throng_point_pair* all = throng_point_pairs_get(c_pairs, &count);
    ASSERT_EQ(count, pairs.pairs().size());
    EXPECT_GT(count, 0u);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(all[i].first, pairs.pairs()[i].first);
        EXPECT_EQ(all[i].second, pairs.pairs()[i].second);
    }
    throng_point_pairs_destroy(c_pairs);
}

// What C gives an engine, and what it makes of the engine's lists.
struct PlacesInC {
    explicit PlacesInC(const PointsInBoth& both) : count(both.points.size()), floats(count), outside(count) {
        EXPECT_EQ(throng_point_places_of(both.in_c(), count, &places, nullptr), THRONG_OK);
        EXPECT_EQ(throng_point_places_put(&places, both.in_c(), count, floats.data(), outside.data(), count,
                                          nullptr),
                  THRONG_OK);
        auto boxes = made(throng_init_boxes);
        EXPECT_EQ(throng_boxes_points(&boxes, &floats[0].x, &floats[0].y, 0, count, sizeof(throng_point)),
                  THRONG_OK);
        EXPECT_EQ(throng_engine_update(world.engine, &boxes, nullptr, nullptr), THRONG_OK);
        EXPECT_EQ(throng_engine_frame(world.engine, &frame, nullptr), THRONG_OK);
        EXPECT_EQ(throng_neighbours_create(world.engine, &lists, nullptr), THRONG_OK);
        auto within = made(throng_init_within);
        options.radius = 3;
        EXPECT_EQ(throng_point_places_reach(&places, &options, &within.radius, 1, nullptr), THRONG_OK);
        within.distances = within.half = within.in_row_order = 1;
        EXPECT_EQ(throng_frame_neighbours_within(frame, &within, nullptr, lists, nullptr), THRONG_OK);
    }
    ~PlacesInC() {
        throng_neighbours_destroy(lists);
        throng_frame_release(frame);
    }
    PlacesInC(const PlacesInC&) = delete;
    PlacesInC& operator=(const PlacesInC&) = delete;
    CWorld world;
    std::size_t count;
    std::vector<throng_point> floats;
    std::vector<std::uint8_t> outside;
    throng_point_places places{};
    throng_point_options options = made(throng_init_point_options);
    throng_frame* frame = nullptr;
    throng_neighbours* lists = nullptr;
};

TEST(CPoints, in_a_plane_that_wraps_around_are_near_by_the_shorter_way) {
    throng_point_options options;
    constexpr std::uint32_t first_size = 48;  // of the first header; it never changes
    EXPECT_EQ(throng_init_point_options(&options, first_size - 4), THRONG_BAD_STRUCT);
    ASSERT_EQ(throng_init_point_options(&options, first_size), THRONG_OK);
    options = made(throng_init_point_options);
    options.around_x = 10;
    options.radius = 1;
    const throng_double_point points[] = {{0.25, 0}, {9.75, 0}, {5, 9.75}};
    throng_point_tree* tree = nullptr;
    ASSERT_EQ(throng_point_tree_create(nullptr, &tree, nullptr), THRONG_OK);
    ASSERT_EQ(throng_point_tree_assign(tree, &options, points, 3, nullptr), THRONG_OK);
    std::int64_t counts[3] = {};
    ASSERT_EQ(throng_point_tree_count(tree, &options, points, 3, counts, 3, nullptr), THRONG_OK);
    EXPECT_EQ(std::vector<std::int64_t>(counts, counts + 3), (std::vector<std::int64_t>{2, 2, 1}));
    options.around_y = -1;
    throng_status_details details;
    throng_init_status_details(&details, sizeof details);
    EXPECT_EQ(throng_point_tree_assign(tree, &options, points, 3, &details), THRONG_BAD_CONFIG);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_PERIOD);
    throng_point_tree_destroy(tree);
}

TEST(CPoints, that_an_engine_found_are_in_the_pairs_that_a_tree_finds) {
    const PointsInBoth both(1500);
    PlacesInC in_c(both);
    const std::size_t n = both.points.size();
    throng_point_pairs *pairs = nullptr, *exact = nullptr;
    ASSERT_EQ(throng_point_pairs_create(nullptr, &pairs, nullptr), THRONG_OK);
    ASSERT_EQ(throng_point_pairs_create(nullptr, &exact, nullptr), THRONG_OK);
    ASSERT_EQ(throng_point_places_find_pairs(&in_c.places, &in_c.options, both.in_c(), n, in_c.lists, pairs,
                                             nullptr),
              THRONG_OK);
    ASSERT_EQ(throng_point_tree_find_pairs(both.c, &in_c.options, exact, nullptr), THRONG_OK);
    std::uint64_t count = 0, exact_count = 0;
    (void)throng_point_pairs_get(pairs, &count);
    (void)throng_point_pairs_get(exact, &exact_count);
    EXPECT_GT(count, 100u);
    EXPECT_EQ(count, exact_count);
    throng_point_pairs_destroy(pairs);
    throng_point_pairs_destroy(exact);
}

TEST(CPoints, that_an_engine_found_have_the_distances_of_the_nearest) {
    const PointsInBoth both(1500);
    PlacesInC in_c(both);
    const std::size_t n = both.points.size();
    auto points = made(throng_init_points);
    points.x = &in_c.floats[0].x, points.y = &in_c.floats[0].y;
    points.count = n, points.stride = sizeof(throng_point);
    auto nearest = made(throng_init_nearest);
    nearest.count = 4;
    nearest.distances = 1;
    ASSERT_EQ(throng_frame_neighbours_nearest_of(in_c.frame, &points, &nearest, nullptr, in_c.lists, nullptr),
              THRONG_OK);
    std::vector<double> distances(3 * n), exact_distances(3 * n);
    std::vector<std::int64_t> ids(3 * n);
    std::vector<std::uint8_t> open(n);
    in_c.options.count = 3;
    in_c.options.radius = infinity;
    ASSERT_EQ(
        throng_point_places_nearest(&in_c.places, &in_c.options, both.in_c(), n, both.in_c(), n, in_c.lists,
                                    open.data(), n, distances.data(), ids.data(), 3 * n, nullptr),
        THRONG_OK);
    ASSERT_EQ(throng_point_tree_nearest(both.c, &in_c.options, both.in_c(), n, exact_distances.data(),
                                        ids.data(), 3 * n, nullptr),
              THRONG_OK);
    for (std::size_t i = 0; i < 3 * n; ++i)
        EXPECT_TRUE(open[i / 3] != 0 || distances[i] == exact_distances[i]);
    throng_point_lists* found = nullptr;
    ASSERT_EQ(throng_point_lists_create(nullptr, &found, nullptr), THRONG_OK);
    ASSERT_EQ(throng_point_places_find(&in_c.places, &in_c.options, both.in_c(), n, both.in_c(), n,
                                       in_c.lists, found, nullptr),
              THRONG_OK);
    std::vector<throng_point_entry> entries(4 * n);
    std::vector<std::int64_t> numbers(n, 77);
    ASSERT_EQ(throng_point_lists_entries(found, nullptr, both.in_c(), n, both.in_c(), numbers.data(), n,
                                         entries.data(), entries.size(), nullptr),
              THRONG_OK);
    EXPECT_EQ(entries[0].query, 77);
    EXPECT_EQ(entries[0].distance, 0);
    EXPECT_EQ(throng_point_lists_entries(found, nullptr, both.in_c(), n - 1, both.in_c(), nullptr, n,
                                         entries.data(), entries.size(), nullptr),
              THRONG_UNKNOWN_ID);
    EXPECT_EQ(throng_point_places_find(&in_c.places, nullptr, both.in_c(), n, both.in_c(), n, nullptr, found,
                                       nullptr),
              THRONG_NULL_POINTER);
    EXPECT_EQ(throng_point_places_reach(nullptr, nullptr, nullptr, 0, nullptr), THRONG_NULL_POINTER);
    EXPECT_EQ(throng_point_places_reach(&in_c.places, nullptr, nullptr, 0, nullptr), THRONG_SIZE_MISMATCH);
    throng_point_lists_destroy(found);
}

TEST(CPoints, end_a_call_that_the_host_wants_to_end) {
    const PointsInBoth both(2000);
    const double radius = 1;
    std::int64_t count = 7;
    for (const std::uint32_t serial : {0u, 1u}) {
        auto options = made(throng_init_point_options);
        options.serial = serial;
        throng_cancel_with([](void*) -> std::int32_t { return 1; }, nullptr);
        EXPECT_EQ(throng_point_tree_count_pairs(both.c, both.c, &options, &radius, 1, &count, 1, nullptr),
                  THRONG_CANCELLED);
        throng_cancel_with(nullptr, nullptr);
        EXPECT_EQ(throng_point_tree_count_pairs(both.c, both.c, &options, &radius, 1, &count, 1, nullptr),
                  THRONG_OK);
    }
}

TEST(CPoints, name_what_is_at_fault) {
    const PointsInBoth both(10);
    auto details = made(throng_init_status_details);
    auto options = made(throng_init_point_options);
    std::vector<double> distances(10), radii(9);
    std::vector<std::int64_t> ids(10);
    const auto nearest = [&](const throng_point_tree* tree, const throng_double_point* queries,
                             std::uint64_t room) {
        return throng_point_tree_nearest(tree, &options, queries, 10, distances.data(), ids.data(), room,
                                         &details);
    };
    EXPECT_EQ(nearest(both.c, both.in_c(), 10), THRONG_OK);
    EXPECT_EQ(nearest(nullptr, both.in_c(), 10), THRONG_NULL_POINTER);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_HANDLE);
    EXPECT_EQ(nearest(both.c, nullptr, 10), THRONG_NULL_VIEW);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_QUERIES);
    EXPECT_EQ(nearest(both.c, both.in_c(), 9), THRONG_SIZE_MISMATCH);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_OUTPUT);
    std::vector<throng_double_point> wrong(both.in_c(), both.in_c() + 10);
    wrong[4].y = infinity;
    EXPECT_EQ(nearest(both.c, wrong.data(), 10), THRONG_NOT_FINITE);
    EXPECT_EQ(details.index, 4u);
    EXPECT_EQ(throng_point_tree_assign(both.c, nullptr, wrong.data(), 10, &details), THRONG_NOT_FINITE);
    options.radii = radii.data();
    options.radius_count = 9;
    EXPECT_EQ(throng_point_tree_count(both.c, &options, both.in_c(), 10, ids.data(), 10, &details),
              THRONG_SIZE_MISMATCH);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_RADII);
    options.radii = nullptr;
    EXPECT_EQ(throng_point_tree_count(both.c, &options, both.in_c(), 10, ids.data(), 10, &details),
              THRONG_NULL_VIEW);
    options.radius_count = 0;
    options.metric = 3;
    EXPECT_EQ(nearest(both.c, both.in_c(), 10), THRONG_BAD_CONFIG);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_OPTIONS);
    options.size = 4;
    EXPECT_EQ(nearest(both.c, both.in_c(), 10), THRONG_BAD_STRUCT);
    EXPECT_EQ(throng_point_tree_find(both.c, nullptr, both.in_c(), 10, nullptr, nullptr),
              THRONG_NULL_POINTER);
    EXPECT_EQ(throng_point_tree_find_pairs(both.c, nullptr, nullptr, nullptr), THRONG_NULL_POINTER);
    EXPECT_EQ(throng_point_tree_size(nullptr), 0u);
    EXPECT_EQ(throng_point_lists_ids(nullptr, nullptr), nullptr);
    throng_point_tree_destroy(nullptr);
}

}  // namespace
}  // namespace throng::test
