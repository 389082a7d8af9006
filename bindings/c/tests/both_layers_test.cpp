// Agents and walls in one query, and two frames in one.

#include "bindings/c/tests/both_worlds.hpp"

namespace throng::test {
namespace {

class CBothLayers : public ::testing::TestWithParam<std::size_t> {
protected:
    CBothLayers() : both(both_of(GetParam())) {
        both.build_walls();
        EXPECT_EQ(throng_hits_create(both.c.engine, &walls, nullptr), THRONG_OK);
        EXPECT_EQ(throng_hits_as_found_create(both.c.engine, &found, nullptr), THRONG_OK);
        EXPECT_EQ(throng_hits_as_found_create(both.c.engine, &found_walls, nullptr), THRONG_OK);
        EXPECT_EQ(throng_neighbours_create(both.c.engine, &wall_lists, nullptr), THRONG_OK);
        EXPECT_EQ(throng_frame_static_layer(both.c.frame, &layer, nullptr), THRONG_OK);
        for (const Box& box : both.scene.queries(100)) {
            x.push_back(box.centre().x);
            y.push_back(box.centre().y);
        }
        points.count = x.size();
        points.x = x.data();
        points.y = y.data();
    }
    ~CBothLayers() override {
        throng_hits_destroy(walls);
        throng_hits_as_found_destroy(found);
        throng_hits_as_found_destroy(found_walls);
        throng_neighbours_destroy(wall_lists);
        throng_frame_release(layer);
    }

    Both both;
    throng_hits* walls = nullptr;
    throng_hits_as_found *found = nullptr, *found_walls = nullptr;
    throng_neighbours* wall_lists = nullptr;
    throng_frame* layer = nullptr;
    std::vector<float> x, y;
    throng_points points = made(throng_init_points);
};

TEST_P(CBothLayers, give_two_lists_for_each_query) {
    const std::vector<Box> queries = both.scene.queries(200);
    const throng_boxes boxes = boxes_in_c(queries);
    for (const BothFilters& filter : all_filters(queries.size())) {
        OverlapLists hits, wall_hits;
        OverlapsAsFound as_found, walls_as_found;
        const WithStatic asked = both.frame.with_static();
        ASSERT_TRUE(asked.overlaps(queries, hits, wall_hits, filter.filters));
        ASSERT_TRUE(asked.overlaps(queries, as_found, walls_as_found, filter.filters));
        ASSERT_EQ(
            throng_frame_overlaps_of_both(both.c.frame, &boxes, filter.given, both.c.hits, walls, nullptr),
            THRONG_OK);
        ASSERT_EQ(throng_frame_overlaps_as_found_both(both.c.frame, &boxes, filter.given, found, found_walls,
                                                      nullptr),
                  THRONG_OK);
        expect_same_bytes(hits.ids(), got(both.c.hits, throng_hits_ids));
        expect_same_bytes(wall_hits.ids(), got(walls, throng_hits_ids));
        expect_same_bytes(wall_hits.offsets(), got(walls, throng_hits_offsets));
        expect_same_bytes(as_found.ids(), got(found, throng_hits_as_found_ids));
        expect_same_bytes(walls_as_found.ids(), got(found_walls, throng_hits_as_found_ids));
        expect_same_bytes(walls_as_found.queries(), got(found_walls, throng_hits_as_found_queries));
    }
}

TEST_P(CBothLayers, are_counted_together) {
    const std::vector<Box> queries = both.scene.queries(200);
    const throng_boxes boxes = boxes_in_c(queries);
    const WithStatic asked = both.frame.with_static();
    for (const BothFilters& filter : all_filters(queries.size())) {
        const throng_filter with = with_static(filter);
        std::vector<std::uint32_t> counts(queries.size()), c_counts(queries.size());
        std::vector<std::uint8_t> any(queries.size()), c_any(queries.size());
        ASSERT_TRUE(asked.count(queries, counts, filter.filters));
        ASSERT_TRUE(asked.any(queries, any, filter.filters));
        ASSERT_EQ(
            throng_frame_count_of(both.c.frame, &boxes, &with, c_counts.data(), c_counts.size(), nullptr),
            THRONG_OK);
        ASSERT_EQ(throng_frame_any_of(both.c.frame, &boxes, &with, c_any.data(), c_any.size(), nullptr),
                  THRONG_OK);
        EXPECT_EQ(counts, c_counts);
        EXPECT_EQ(any, c_any);
        for (std::size_t i = 0; i < 20; ++i) {
            const throng_box box{queries[i].min_x, queries[i].min_y, queries[i].max_x, queries[i].max_y};
            std::uint64_t total = 0;
            std::int32_t is_any = 0;
            ASSERT_EQ(throng_frame_count(both.c.frame, &box, &with, &total, nullptr), THRONG_OK);
            ASSERT_EQ(throng_frame_any(both.c.frame, &box, &with, &is_any, nullptr), THRONG_OK);
            EXPECT_EQ(asked.count(queries[i], filter.one).total, total);
            EXPECT_EQ(asked.any(queries[i], filter.one).found, is_any != 0);
        }
    }
}

TEST_P(CBothLayers, stop_casts) {
    std::vector<Cast> casts;
    std::vector<throng_cast> c_casts;
    for (std::size_t i = 0; i < x.size(); ++i) {
        casts.push_back(Cast::ray(x[i], y[i], 30, -20));
        c_casts.push_back({x[i], y[i], x[i], y[i], 30, -20, 0});
    }
    const WithStatic asked = both.frame.with_static();
    const std::size_t count = casts.size();
    for (const BothFilters& filter : all_filters(count)) {
        const throng_filter with = with_static(filter);
        std::vector<CastHit> hits(count), some(5);
        std::vector<throng_cast_hit> c_hits(count), c_some(5);
        std::vector<std::uint8_t> blocked(count), c_blocked(count);
        CastHits all;
        const throng_frame* frame = both.c.frame;
        ASSERT_TRUE(asked.first_hits(casts, hits, filter.filters));
        ASSERT_TRUE(asked.blocked(casts, blocked, filter.filters));
        ASSERT_TRUE(asked.all_hits(casts, all, filter.filters));
        ASSERT_EQ(
            throng_frame_first_hits_of(frame, c_casts.data(), count, &with, c_hits.data(), count, nullptr),
            THRONG_OK);
        ASSERT_EQ(
            throng_frame_blocked_of(frame, c_casts.data(), count, &with, c_blocked.data(), count, nullptr),
            THRONG_OK);
        ASSERT_EQ(throng_frame_all_hits_of(frame, c_casts.data(), count, &with, both.c.cast_hits, nullptr),
                  THRONG_OK);
        expect_same_bytes(std::span<const CastHit>(hits), std::span<const throng_cast_hit>(c_hits));
        EXPECT_EQ(blocked, c_blocked);
        expect_same_bytes(all.hits(), got(both.c.cast_hits, throng_cast_hits_get));
        for (std::size_t i = 0; i < 20; ++i) {
            throng_cast_hit hit{};
            std::uint64_t total = 0;
            std::int32_t is_blocked = 0;
            const Filled filled = asked.all_hits(casts[i], some, filter.one);
            ASSERT_EQ(throng_frame_all_hits(frame, &c_casts[i], &with, c_some.data(), 5, &total, nullptr),
                      THRONG_OK);
            ASSERT_EQ(throng_frame_first_hit(frame, &c_casts[i], &with, &hit, nullptr), THRONG_OK);
            ASSERT_EQ(throng_frame_blocked(frame, &c_casts[i], &with, &is_blocked, nullptr), THRONG_OK);
            EXPECT_EQ(filled.total, total);
            EXPECT_EQ(std::memcmp(some.data(), c_some.data(), filled.written * sizeof(CastHit)), 0);
            EXPECT_EQ(asked.first_hit(casts[i], filter.one).hit,
                      (CastHit{hit.id, hit.fraction, hit.is_static}));
            EXPECT_EQ(asked.blocked(casts[i], filter.one).found, is_blocked != 0);
        }
    }
}

TEST_P(CBothLayers, are_neighbours_of_agents_and_points) {
    auto within = made(throng_init_within);
    within.radius = 3;
    auto nearest = made(throng_init_nearest);
    nearest.count = 4;
    nearest.distances = 1;
    const WithStatic asked = both.frame.with_static();
    const throng_frame* f = both.c.frame;
    throng_neighbours *a = both.c.lists, *w = wall_lists;
    NeighbourLists lists, elements;
    const auto expect_same = [&](std::int32_t status) {
        ASSERT_EQ(status, THRONG_OK);
        EXPECT_GT(elements.offsets().size(), 1u);
        expect_same_lists(lists, a);
        expect_same_lists(elements, w);
    };
    const Points places = Points::arrays(x, y);
    ASSERT_TRUE(asked.neighbours({.radius = 3}, lists, elements));
    expect_same(throng_frame_neighbours_within_both(f, &within, nullptr, a, w, nullptr));
    ASSERT_TRUE(asked.neighbours({.count = 4, .distances = true}, lists, elements));
    expect_same(throng_frame_neighbours_nearest_both(f, &nearest, nullptr, a, w, nullptr));
    ASSERT_TRUE(asked.neighbours(places, {.radius = 3}, lists, elements));
    expect_same(throng_frame_neighbours_within_of_both(f, &points, &within, nullptr, a, w, nullptr));
    ASSERT_TRUE(asked.neighbours(places, {.count = 4, .distances = true}, lists, elements));
    expect_same(throng_frame_neighbours_nearest_of_both(f, &points, &nearest, nullptr, a, w, nullptr));
    for (const BothFilters& filter : all_filters(x.size())) {
        const throng_filter with = with_static(filter);
        std::vector<std::uint32_t> counts(x.size()), c_counts(x.size());
        ASSERT_TRUE(asked.count_neighbours(places, {.radius = 3}, counts, filter.filters));
        ASSERT_EQ(
            throng_frame_count_neighbours_of(f, &points, &within, &with, c_counts.data(), x.size(), nullptr),
            THRONG_OK);
        EXPECT_EQ(counts, c_counts);
        throng_neighbour near{};
        std::int32_t is_static = -1;
        const NearestNeighbour one = asked.nearest({x[0], y[0]}, filter.one);
        ASSERT_EQ(throng_frame_nearest(f, x[0], y[0], &with, &near, &is_static, nullptr), THRONG_OK);
        EXPECT_EQ(one.neighbour, (Neighbour{near.id, near.squared_distance}));
        EXPECT_EQ(one.is_static, is_static != 0);
    }
}

TEST_P(CBothLayers, are_frames_that_may_be_compared) {
    const Frame elements = both.frame.static_layer();
    const throng_frame* f = both.c.frame;
    PairList pairs;
    std::uint64_t total = 0, count = 0;
    std::vector<throng_pair> some(50);
    ASSERT_TRUE(both.frame.pairs(pairs, {.with = &elements}));
    ASSERT_EQ(throng_frame_pairs_with(f, layer, nullptr, both.c.pairs, nullptr), THRONG_OK);
    ASSERT_EQ(throng_frame_count_pairs_with(f, layer, nullptr, &count, nullptr), THRONG_OK);
    ASSERT_EQ(throng_frame_pairs_with_into(f, layer, nullptr, some.data(), 50, &total, nullptr), THRONG_OK);
    EXPECT_GT(pairs.size(), 0u);
    expect_same_bytes(pairs.pairs(), got(both.c.pairs, throng_pairs_get));
    EXPECT_EQ(pairs.size(), total);
    EXPECT_EQ(pairs.size(), count);
    EXPECT_EQ(std::memcmp(pairs.begin(), some.data(), std::min<std::size_t>(50, pairs.size()) * sizeof(Pair)),
              0);
    auto within = made(throng_init_within);
    within.radius = 3;
    auto nearest = made(throng_init_nearest);
    nearest.count = 4;
    NeighbourLists lists;
    ASSERT_TRUE(both.frame.neighbours_in(elements, {.radius = 3}, lists));
    ASSERT_EQ(throng_frame_neighbours_within_in(f, layer, &within, nullptr, both.c.lists, nullptr),
              THRONG_OK);
    expect_same_lists(lists, both.c.lists);
    ASSERT_TRUE(both.frame.neighbours_in(elements, {.count = 4}, lists));
    ASSERT_EQ(throng_frame_neighbours_nearest_in(f, layer, &nearest, nullptr, both.c.lists, nullptr),
              THRONG_OK);
    expect_same_lists(lists, both.c.lists);
}

INSTANTIATE_TEST_SUITE_P(Scenes, CBothLayers, ::testing::Values(0, 1, 2, one_that_wraps));

}  // namespace
}  // namespace throng::test
