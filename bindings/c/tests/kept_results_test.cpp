// Results that are kept from frame to frame, and answers in the host's memory.

#include "bindings/c/tests/both_worlds.hpp"

namespace throng::test {
namespace {

TEST(CKeptResults, pairs_begin_and_end_as_by_the_library) {
    Both both("uniform", 2000);
    throng_pair_changes* changes = nullptr;
    ASSERT_EQ(throng_pair_changes_create(both.c.engine, &changes, nullptr), THRONG_OK);
    auto query = made(throng_init_pair_query);
    query.a = 3;
    PairChanges own;
    std::size_t began = 0, ended = 0;
    for (int step = 0; step < 6; ++step) {
        ASSERT_TRUE(own.update(both.frame, PairFilter{.a = 3}));
        ASSERT_EQ(throng_frame_pair_changes(both.c.frame, &query, changes, nullptr), THRONG_OK);
        expect_same_bytes(own.began(), got(changes, throng_pair_changes_began));
        expect_same_bytes(own.ended(), got(changes, throng_pair_changes_ended));
        expect_same_bytes(own.pairs(), got(changes, throng_pair_changes_pairs));
        began += own.began().size();
        ended += own.ended().size();
        both.scene.step();
        both.update();
    }
    EXPECT_GT(began, own.pairs().size());
    EXPECT_GT(ended, 0u);
    throng_pair_changes_clear(changes);
    EXPECT_TRUE(got(changes, throng_pair_changes_pairs).empty());
    ASSERT_EQ(throng_frame_pair_changes(both.c.frame, &query, changes, nullptr), THRONG_OK);
    EXPECT_EQ(got(changes, throng_pair_changes_began).size(), got(changes, throng_pair_changes_pairs).size());
    throng_pair_changes_destroy(changes);
}

TEST(CKeptResults, lists_are_kept_as_by_the_library) {
    Both both("uniform", 2000);
    auto wanted = made(throng_init_kept_neighbourhood);
    wanted.radius = 3;
    wanted.skin = 2;
    throng_kept_neighbours* kept = nullptr;
    ASSERT_EQ(throng_kept_neighbours_create(both.c.engine, &wanted, &kept, nullptr), THRONG_OK);
    KeptNeighbours own({.radius = 3, .skin = 2});
    for (int step = 0; step < 6; ++step) {
        ASSERT_TRUE(own.update(both.frame));
        ASSERT_EQ(throng_frame_neighbours_kept(both.c.frame, kept, nullptr), THRONG_OK);
        expect_same_bytes(own.lists().offsets(), got(kept, throng_kept_neighbours_offsets));
        expect_same_bytes(own.lists().ids(), got(kept, throng_kept_neighbours_ids));
        EXPECT_EQ(own.times_rebuilt(), throng_kept_neighbours_times_rebuilt(kept));
        EXPECT_EQ(own.was_rebuilt(), throng_kept_neighbours_was_rebuilt(kept) != 0);
        if (step % 2 == 1) both.scene.step();
        both.update();
    }
    EXPECT_LT(own.times_rebuilt(), 6u);
    throng_kept_neighbours_clear(kept);
    EXPECT_TRUE(got(kept, throng_kept_neighbours_offsets).empty());
    throng_kept_neighbours_destroy(kept);
    wanted = made(throng_init_kept_neighbourhood);  // without a radius
    ASSERT_EQ(throng_kept_neighbours_create(nullptr, &wanted, &kept, nullptr), THRONG_OK);
    EXPECT_EQ(throng_frame_neighbours_kept(both.c.frame, kept, nullptr), THRONG_NOT_FINITE);
    throng_kept_neighbours_destroy(kept);
}

TEST(CKeptResults, pairs_and_counts_go_into_the_hosts_memory) {
    Both both("clustered", 2000);
    PairList pairs;
    std::vector<throng_pair> some(100);
    std::uint64_t total = 0;
    ASSERT_TRUE(both.frame.pairs(pairs));
    ASSERT_EQ(throng_frame_pairs_into(both.c.frame, nullptr, some.data(), some.size(), &total, nullptr),
              THRONG_OK);
    EXPECT_EQ(pairs.size(), total);
    EXPECT_GT(total, some.size());
    EXPECT_EQ(std::memcmp(pairs.begin(), some.data(), some.size() * sizeof(Pair)), 0);
    auto within = made(throng_init_within);
    within.radius = 3;
    for (const BothFilters& filter : all_filters(both.frame.id_bound())) {
        std::vector<std::uint32_t> counts(both.frame.id_bound()), c_counts(counts.size());
        ASSERT_TRUE(both.frame.count_neighbours({.radius = 3}, counts, filter.filters));
        ASSERT_EQ(throng_frame_count_neighbours(both.c.frame, &within, filter.given, c_counts.data(),
                                                c_counts.size(), nullptr),
                  THRONG_OK);
        EXPECT_EQ(counts, c_counts);
    }
}

TEST(CKeptResults, neighbours_of_one_point_go_into_the_hosts_memory) {
    Both both("clustered", 2000);
    auto within = made(throng_init_within);
    within.radius = 5;
    auto nearest = made(throng_init_nearest);
    nearest.count = 8;
    for (const BothFilters& filter : all_filters(1))
        for (const Box& box : both.scene.queries(20)) {
            const Point at = box.centre();
            std::vector<Neighbour> found(10);
            std::vector<throng_neighbour> c_found(10);
            std::uint64_t total = 0;
            Filled filled = both.frame.neighbours(at, Within{.radius = 5}, found, filter.one);
            ASSERT_EQ(throng_frame_neighbours_within_into(both.c.frame, at.x, at.y, &within, filter.given,
                                                          c_found.data(), 10, &total, nullptr),
                      THRONG_OK);
            EXPECT_EQ(filled.total, total);
            EXPECT_EQ(std::memcmp(found.data(), c_found.data(), filled.written * sizeof(Neighbour)), 0);
            filled = both.frame.neighbours(at, Nearest{.count = 8}, found, filter.one);
            ASSERT_EQ(throng_frame_neighbours_nearest_into(both.c.frame, at.x, at.y, &nearest, filter.given,
                                                           c_found.data(), 10, &total, nullptr),
                      THRONG_OK);
            EXPECT_EQ(filled.total, total);
            EXPECT_EQ(std::memcmp(found.data(), c_found.data(), filled.written * sizeof(Neighbour)), 0);
        }
}

TEST(CArrays, are_asked_without_an_engine) {
    const Scene scene = make_scene("clustered", 2000);
    const std::vector<Box> queries = scene.queries(100);
    const throng_boxes boxes = boxes_in_c(scene.agents()), asked = boxes_in_c(queries);
    CWorld c;
    throng_engine_config serial = made_config();
    serial.serial = 1;
    OverlapLists hits;
    std::vector<std::uint32_t> counts(100), c_counts(100);
    std::vector<std::uint8_t> any(100), c_any(100);
    ASSERT_TRUE(overlaps(scene.boxes(), queries, hits));
    ASSERT_TRUE(count(scene.boxes(), queries, counts));
    ASSERT_TRUE(throng::any(scene.boxes(), queries, any));
    ASSERT_EQ(throng_arrays_overlaps_of(&boxes, &asked, nullptr, c.hits, nullptr), THRONG_OK);
    ASSERT_EQ(throng_arrays_count_of(&boxes, &asked, &serial, c_counts.data(), 100, nullptr), THRONG_OK);
    ASSERT_EQ(throng_arrays_any_of(&boxes, &asked, &serial, c_any.data(), 100, nullptr), THRONG_OK);
    expect_same_bytes(hits.ids(), got(c.hits, throng_hits_ids));
    EXPECT_EQ(counts, c_counts);
    EXPECT_EQ(any, c_any);
    std::vector<float> x, y;
    for (const Box& box : queries) {
        x.push_back(box.centre().x);
        y.push_back(box.centre().y);
    }
    auto points = made(throng_init_points);
    points.count = 100;
    points.x = x.data();
    points.y = y.data();
    auto within = made(throng_init_within);
    within.radius = 5;
    auto nearest = made(throng_init_nearest);
    nearest.count = 3;
    NeighbourLists lists;
    ASSERT_TRUE(neighbours(scene.boxes(), Points::arrays(x, y), {.radius = 5}, lists));
    ASSERT_EQ(throng_arrays_neighbours_within_of(&boxes, &points, &within, &serial, c.lists, nullptr),
              THRONG_OK);
    expect_same_lists(lists, c.lists);
    ASSERT_TRUE(neighbours(scene.boxes(), Points::arrays(x, y), {.count = 3}, lists));
    ASSERT_EQ(throng_arrays_neighbours_nearest_of(&boxes, &points, &nearest, nullptr, c.lists, nullptr),
              THRONG_OK);
    expect_same_lists(lists, c.lists);
    // The object that is asked is an argument of its own.
    auto details = made(throng_init_status_details);
    EXPECT_EQ(throng_arrays_count_of(&boxes, nullptr, nullptr, c_counts.data(), 100, &details),
              THRONG_NULL_POINTER);
    EXPECT_EQ(details.argument, THRONG_ARGUMENT_QUERIES);
    serial.isa = "mmx";
    EXPECT_EQ(throng_arrays_count_of(&boxes, &asked, &serial, c_counts.data(), 100, nullptr),
              THRONG_UNKNOWN_ISA);
}

}  // namespace
}  // namespace throng::test
