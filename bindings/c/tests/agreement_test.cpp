// The C calls give what the C++ calls give, to the last bit and in the same order.

#include "bindings/c/tests/both_worlds.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

class CAgreement : public ::testing::TestWithParam<std::size_t> {
protected:
    Both make() const { return both_of(GetParam()); }
};

TEST_P(CAgreement, of_overlaps) {
    Both both = make();
    const std::vector<Box> queries = both.scene.queries(200);
    const throng_boxes boxes = boxes_in_c(queries);
    for (const BothFilters& filter : all_filters(queries.size())) {
        OverlapLists hits;
        ASSERT_TRUE(both.frame.overlaps(queries, hits, filter.filters));
        ASSERT_EQ(throng_frame_overlaps_of(both.c.frame, &boxes, filter.given, both.c.hits, nullptr),
                  THRONG_OK);
        expect_same_bytes(hits.ids(), got(both.c.hits, throng_hits_ids));
        expect_same_bytes(hits.offsets(), got(both.c.hits, throng_hits_offsets));
        std::vector<std::uint32_t> counts(queries.size()), c_counts(queries.size());
        std::vector<std::uint8_t> any(queries.size()), c_any(queries.size());
        ASSERT_TRUE(both.frame.count(queries, counts, filter.filters));
        ASSERT_TRUE(both.frame.any(queries, any, filter.filters));
        ASSERT_EQ(throng_frame_count_of(both.c.frame, &boxes, filter.given, c_counts.data(), c_counts.size(),
                                        nullptr),
                  THRONG_OK);
        ASSERT_EQ(
            throng_frame_any_of(both.c.frame, &boxes, filter.given, c_any.data(), c_any.size(), nullptr),
            THRONG_OK);
        EXPECT_EQ(counts, c_counts);
        EXPECT_EQ(any, c_any);
    }
}

TEST_P(CAgreement, of_single_queries) {
    Both both = make();
    for (const BothFilters& filter : all_filters(30))
        for (const Box& query : both.scene.queries(30)) {
            const throng_box box{query.min_x, query.min_y, query.max_x, query.max_y};
            std::vector<AgentId> ids(50), c_ids(50);
            std::uint64_t total = 0, count = 0;
            std::int32_t found = 0;
            const Filled filled = both.frame.overlaps(query, ids, filter.one);
            ASSERT_EQ(
                throng_frame_overlaps(both.c.frame, &box, filter.given, c_ids.data(), 50, &total, nullptr),
                THRONG_OK);
            ASSERT_EQ(throng_frame_count(both.c.frame, &box, filter.given, &count, nullptr), THRONG_OK);
            ASSERT_EQ(throng_frame_any(both.c.frame, &box, filter.given, &found, nullptr), THRONG_OK);
            // Only answers are compared: the rest of the memory may hold anything.
            ids.resize(filled.written);
            c_ids.resize(filled.written);
            EXPECT_EQ(ids, c_ids);
            EXPECT_EQ(filled.total, total);
            EXPECT_EQ(filled.total, count);
            EXPECT_EQ(filled.total != 0, found != 0);
            const Point centre = query.centre();
            throng_neighbour c_nearest{};
            const NearestNeighbour nearest = both.frame.nearest(centre, filter.one);
            ASSERT_EQ(throng_frame_nearest(both.c.frame, centre.x, centre.y, filter.given, &c_nearest,
                                           nullptr, nullptr),
                      THRONG_OK);
            EXPECT_EQ(nearest.neighbour.id, c_nearest.id);
        }
}

TEST_P(CAgreement, of_pairs) {
    Both both = make();
    auto query = made(throng_init_pair_query);
    query.a = 1;
    query.b = 6;
    query.other_groups_only = 1;
    query.within = 0.5f;
    PairQuery wanted{.filter = {.a = 1, .b = 6, .other_groups_only = true}, .within = 0.5f};
    for (const int number : {-1, 0, 1, 2}) {
        const bool all = number < 0;
        if (!all) query.agents_as = static_cast<std::uint32_t>(number);
        if (!all) wanted.agents_as = static_cast<AgentsAs>(number);
        PairList list;
        std::uint64_t total = 0;
        ASSERT_TRUE(both.frame.pairs(list, all ? PairQuery{} : wanted));
        ASSERT_EQ(throng_frame_pairs(both.c.frame, all ? nullptr : &query, both.c.pairs, nullptr), THRONG_OK);
        ASSERT_EQ(throng_frame_count_pairs(both.c.frame, all ? nullptr : &query, &total, nullptr), THRONG_OK);
        expect_same_bytes(list.pairs(), got(both.c.pairs, throng_pairs_get));
        EXPECT_EQ(list.size(), total);
        ASSERT_TRUE(list.sort());
        ASSERT_EQ(throng_pairs_sort(both.c.pairs, nullptr), THRONG_OK);
        expect_same_bytes(list.pairs(), got(both.c.pairs, throng_pairs_get));
    }
}

TEST_P(CAgreement, of_neighbours_of_agents) {
    Both both = make();
    auto within = made(throng_init_within);
    within.radius = 3;
    within.distances = within.in_row_order = 1;
    auto nearest = made(throng_init_nearest);
    nearest.count = 5;
    nearest.max_radius = 10;
    nearest.distances = 1;
    NeighbourLists lists;
    ASSERT_TRUE(both.frame.neighbours({.radius = 3, .distances = true, .in_row_order = true}, lists));
    ASSERT_EQ(throng_frame_neighbours_within(both.c.frame, &within, nullptr, both.c.lists, nullptr),
              THRONG_OK);
    expect_same_lists(lists, both.c.lists);
    for (const AgentsAs what : {AgentsAs::boxes, AgentsAs::centres, AgentsAs::circles}) {
        nearest.agents_as = static_cast<std::uint32_t>(what);
        ASSERT_TRUE(both.frame.neighbours(
            {.count = 5, .max_radius = 10, .agents_as = what, .distances = true}, lists));
        ASSERT_EQ(throng_frame_neighbours_nearest(both.c.frame, &nearest, nullptr, both.c.lists, nullptr),
                  THRONG_OK);
        expect_same_lists(lists, both.c.lists);
    }
    // A radius for each.
    std::vector<float> radii(both.frame.id_bound());
    for (std::size_t id = 0; id < radii.size(); ++id) radii[id] = static_cast<float>(id % 4);
    within = made(throng_init_within);
    within.radii = radii.data();
    within.radii_count = radii.size();
    within.either_reaches = 1;
    ASSERT_TRUE(both.frame.neighbours({.radii = radii, .either_reaches = true}, lists));
    ASSERT_EQ(throng_frame_neighbours_within(both.c.frame, &within, nullptr, both.c.lists, nullptr),
              THRONG_OK);
    expect_same_lists(lists, both.c.lists);
}

TEST_P(CAgreement, of_neighbours_of_points) {
    Both both = make();
    std::vector<float> x, y;
    for (const Box& box : both.scene.queries(100)) {
        x.push_back(box.centre().x);
        y.push_back(box.centre().y);
    }
    auto points = made(throng_init_points);
    points.count = x.size();
    points.x = x.data();
    points.y = y.data();
    auto within = made(throng_init_within);
    within.radius = 4;
    auto nearest = made(throng_init_nearest);
    nearest.count = 3;
    NeighbourLists lists;
    for (const BothFilters& filter : all_filters(x.size())) {
        ASSERT_TRUE(both.frame.neighbours(Points::arrays(x, y), {.radius = 4}, lists, filter.filters));
        ASSERT_EQ(throng_frame_neighbours_within_of(both.c.frame, &points, &within, filter.given,
                                                    both.c.lists, nullptr),
                  THRONG_OK);
        expect_same_lists(lists, both.c.lists);
        ASSERT_TRUE(both.frame.neighbours(Points::arrays(x, y), {.count = 3}, lists, filter.filters));
        ASSERT_EQ(throng_frame_neighbours_nearest_of(both.c.frame, &points, &nearest, filter.given,
                                                     both.c.lists, nullptr),
                  THRONG_OK);
        expect_same_lists(lists, both.c.lists);
    }
}

TEST_P(CAgreement, of_casts) {
    Both both = make();
    std::vector<Cast> casts;
    std::vector<throng_cast> c_casts;
    for (const Box& box : both.scene.queries(100)) {
        if (box.max_x - box.min_x > 1e6f || box.max_y - box.min_y > 1e6f) continue;
        const float radius = casts.size() % 2 == 0 ? 0.0f : 0.5f;
        casts.emplace_back(box, 20.0f, -10.0f, radius);
        c_casts.push_back({box.min_x, box.min_y, box.max_x, box.max_y, 20, -10, radius});
    }
    for (const BothFilters& filter : all_filters(casts.size())) {
        std::vector<CastHit> hits(casts.size());
        std::vector<throng_cast_hit> c_hits(casts.size());
        std::vector<std::uint8_t> blocked(casts.size()), c_blocked(casts.size());
        CastHits all;
        ASSERT_TRUE(both.frame.first_hits(casts, hits, filter.filters));
        ASSERT_TRUE(both.frame.blocked(casts, blocked, filter.filters));
        ASSERT_TRUE(both.frame.all_hits(casts, all, filter.filters));
        ASSERT_EQ(throng_frame_first_hits_of(both.c.frame, c_casts.data(), c_casts.size(), filter.given,
                                             c_hits.data(), c_hits.size(), nullptr),
                  THRONG_OK);
        ASSERT_EQ(throng_frame_blocked_of(both.c.frame, c_casts.data(), c_casts.size(), filter.given,
                                          c_blocked.data(), c_blocked.size(), nullptr),
                  THRONG_OK);
        ASSERT_EQ(throng_frame_all_hits_of(both.c.frame, c_casts.data(), c_casts.size(), filter.given,
                                           both.c.cast_hits, nullptr),
                  THRONG_OK);
        expect_same_bytes(std::span<const CastHit>(hits), std::span<const throng_cast_hit>(c_hits));
        EXPECT_EQ(blocked, c_blocked);
        expect_same_bytes(all.hits(), got(both.c.cast_hits, throng_cast_hits_get));
        expect_same_bytes(all.offsets(), got(both.c.cast_hits, throng_cast_hits_offsets));
        for (std::size_t i = 0; i < std::min<std::size_t>(casts.size(), 20); ++i) {
            throng_cast_hit hit{};
            std::int32_t is_blocked = 0;
            const FirstHit first = both.frame.first_hit(casts[i], filter.one);
            ASSERT_EQ(throng_frame_first_hit(both.c.frame, &c_casts[i], filter.given, &hit, nullptr),
                      THRONG_OK);
            ASSERT_EQ(throng_frame_blocked(both.c.frame, &c_casts[i], filter.given, &is_blocked, nullptr),
                      THRONG_OK);
            EXPECT_EQ(first.hit, (CastHit{hit.id, hit.fraction, hit.is_static}));
            EXPECT_EQ(first.hit.found(), is_blocked != 0);
        }
    }
}

TEST_P(CAgreement, after_edits_and_updates_by_ids) {
    Both both = make();
    const std::size_t count = both.scene.agents().size();
    Random random(GetParam());
    std::vector<AgentId> ids(count / 3 + 1), new_ids(2), c_new_ids(2);
    std::iota(ids.begin(), ids.end(), 0u);
    std::vector<Box> places;
    for (std::size_t i = 0; i < ids.size(); ++i) places.push_back(both.scene.place(random));
    const throng_boxes boxes = boxes_in_c(places);
    const std::vector<Box> two(places.begin(), places.begin() + 1 + 1);
    const throng_boxes c_two = boxes_in_c(two);
    const AgentId gone = ids.back();
    ASSERT_TRUE(both.engine.move(ids, places));
    ASSERT_TRUE(both.engine.remove(gone));
    ASSERT_TRUE(both.engine.insert(two, new_ids));
    ASSERT_TRUE(both.engine.commit());
    throng_engine* engine = both.c.engine;
    ASSERT_EQ(throng_engine_move(engine, ids.data(), ids.size(), &boxes, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_remove(engine, &gone, 1, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_insert(engine, &c_two, nullptr, c_new_ids.data(), 2, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_commit(engine, nullptr), THRONG_OK);
    EXPECT_EQ(new_ids, c_new_ids);
    ASSERT_EQ(throng_engine_frame(engine, &both.c.frame, nullptr), THRONG_OK);
    EXPECT_EQ(both.engine.frame().fingerprint(), throng_frame_fingerprint(both.c.frame));
    for (AgentId& id : ids) id = id * 3 + 1;
    ASSERT_TRUE(both.engine.update(ids, places));
    ASSERT_EQ(throng_engine_update_by_ids(engine, ids.data(), ids.size(), &boxes, nullptr, nullptr),
              THRONG_OK);
    ASSERT_EQ(throng_engine_frame(engine, &both.c.frame, nullptr), THRONG_OK);
    EXPECT_EQ(both.engine.frame().fingerprint(), throng_frame_fingerprint(both.c.frame));
    EXPECT_EQ(both.engine.frame().id_bound(), throng_frame_id_bound(both.c.frame));
    throng_box box{};
    ASSERT_EQ(throng_frame_agent_box(both.c.frame, ids[1], &box, nullptr), THRONG_OK);
    EXPECT_EQ(both.engine.frame().box(ids[1]), (Box{box.min_x, box.min_y, box.max_x, box.max_y}));
}

INSTANTIATE_TEST_SUITE_P(Scenes, CAgreement, ::testing::Range<std::size_t>(0, one_that_wraps + 1));

TEST(CAgreementOfViews, all_forms_of_boxes_are_those_of_the_library) {
    const std::vector<float> x{1, 5, 9}, y{2, 6, 3}, half{1, 2, 0.5f};
    Engine engine;
    CWorld c;
    auto boxes = made(throng_init_boxes);
    const auto expect_same = [&](const Boxes& all) {
        ASSERT_TRUE(engine.update(all));
        ASSERT_EQ(throng_engine_update(c.engine, &boxes, nullptr, nullptr), THRONG_OK);
        ASSERT_EQ(throng_engine_frame(c.engine, &c.frame, nullptr), THRONG_OK);
        EXPECT_EQ(engine.frame().fingerprint(), throng_frame_fingerprint(c.frame));
    };
    throng_boxes_centre_half(&boxes, x.data(), y.data(), half.data(), half.data(), 3, 0);
    expect_same(Boxes::centre_half(x, y, half, half));
    throng_boxes_points(&boxes, x.data(), y.data(), 2, 3, sizeof(float));
    expect_same(Boxes::points(x, y, 2));
    const throng_box elements[] = {{0, 0, 1, 1}, {1, 1, 2, 2}};
    throng_boxes_of(&boxes, elements, 2);
    const std::vector<Box> same{{0, 0, 1, 1}, {1, 1, 2, 2}};
    expect_same(same);
}

TEST(CStaticLayer, is_that_of_the_frames_published_afterwards) {
    CWorld c;
    throng_frame* walls = nullptr;
    const std::vector<Box> agents{{0, 0, 1, 1}}, elements{{5, 5, 6, 6}, {7, 7, 8, 8}};
    const throng_boxes boxes = boxes_in_c(elements);
    throng_static_layer* layer = nullptr;
    ASSERT_EQ(throng_static_layer_create(c.engine, &boxes, nullptr, &layer, nullptr), THRONG_OK);
    ASSERT_EQ(throng_engine_set_static_layer(c.engine, layer, nullptr), THRONG_OK);
    throng_static_layer_destroy(layer);
    c.update(agents);
    ASSERT_EQ(throng_frame_static_layer(c.frame, &walls, nullptr), THRONG_OK);
    EXPECT_EQ(throng_frame_size(walls), 2u);
    EXPECT_EQ(throng_frame_size(c.frame), 1u);
    ASSERT_EQ(throng_engine_clear_static_layer(c.engine, nullptr), THRONG_OK);
    c.update(agents);
    throng_frame* held = walls;
    throng_frame_retain(held);
    ASSERT_EQ(throng_frame_static_layer(c.frame, &walls, nullptr), THRONG_OK);
    EXPECT_EQ(throng_frame_size(walls), 0u);
    EXPECT_EQ(throng_frame_size(held), 2u);  // a handle with another holder does not change
    throng_frame_release(walls);
    throng_frame_release(held);
}

}  // namespace
}  // namespace throng::test
