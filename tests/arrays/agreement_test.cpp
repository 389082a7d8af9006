// Queries on a host's arrays find what brute force finds, in ascending order: in all scenes, on every
// executor and instruction set, with any number of queries, and so in each of the ways in which a call may
// work.
#include "base/kernels.hpp"
#include "beside/arrays/query_index.hpp"
#include "support/everywhere.hpp"
#include "support/neighbour_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

ArrayQueryConfig as_arrays(const EngineConfig& config) {
    return {.executor = config.executor, .memory = config.memory, .isa = config.isa};
}

std::vector<std::vector<AgentId>> overlaps_by_brute_force(const std::vector<Box>& agents,
                                                          const std::vector<Box>& queries) {
    std::vector<std::vector<AgentId>> lists(queries.size());
    for (std::size_t q = 0; q < queries.size(); ++q)
        for (std::size_t i = 0; i < agents.size(); ++i)
            if (agents[i].overlaps(queries[q])) lists[q].push_back(static_cast<AgentId>(i));
    return lists;
}

using Lists = std::vector<std::vector<AgentId>>;

void expect_overlaps(const Lists& expected, const Boxes& boxes, const std::vector<Box>& queries,
                     const ArrayQueryConfig& config) {
    OverlapLists hits;
    std::vector<std::uint32_t> counts(queries.size() + 1, 77);
    std::vector<std::uint8_t> any(queries.size() + 1, 77);
    ASSERT_EQ(overlaps(boxes, queries, hits, config), Status{});
    ASSERT_EQ(count(boxes, queries, counts, config), Status{});
    ASSERT_EQ(throng::any(boxes, queries, any, config), Status{});
    ASSERT_EQ(hits.size(), queries.size());
    for (std::size_t q = 0; q < queries.size(); ++q) {
        ASSERT_TRUE(equal_ranges(hits[q], expected[q])) << "query " << q;
        ASSERT_EQ(counts[q], expected[q].size()) << "query " << q;
        ASSERT_EQ(any[q], expected[q].empty() ? 0 : 1) << "query " << q;
    }
    EXPECT_EQ(counts.back(), 77u) << "more than was asked for";
    EXPECT_EQ(any.back(), 77u) << "more than was asked for";
}

void expect_neighbours(const std::vector<Box>& agents, const std::vector<Point>& points,
                       const Neighbourhood& wanted, const ArrayQueryConfig& config) {
    const auto expected = oracle::neighbours(twin_with(agents).frame(), points, wanted);
    NeighbourLists lists;
    ASSERT_EQ(wanted.in([&](const auto& asked) { return neighbours(agents, points, asked, lists, config); }),
              Status{});
    ASSERT_EQ(lists.size(), points.size());
    for (std::size_t p = 0; p < points.size(); ++p) {
        ASSERT_EQ(lists[p].size(), expected[p].size()) << "point " << p;
        ASSERT_EQ(lists.squared_distances(p).size(), wanted.distances ? expected[p].size() : 0);
        for (std::size_t k = 0; k < expected[p].size(); ++k) {
            ASSERT_EQ(lists[p][k], expected[p][k].id) << "point " << p << ", place " << k;
            if (wanted.distances) {
                ASSERT_EQ(lists.squared_distances(p)[k], expected[p][k].squared_distance);
            }
        }
    }
}

class WithoutEngine : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(WithoutEngine, finds_what_brute_force_finds) {
    const Scene scene(GetParam(), scaled(1500, 700), 1);
    for (const std::size_t queries : {std::size_t{1}, std::size_t{12}, std::size_t{90}, scaled(700, 150)}) {
        const std::vector<Box> asked = scene.queries(queries, queries);
        const Lists expected = overlaps_by_brute_force(scene.agents(), asked);
        for (const Isa isa : instruction_sets()) {
            SCOPED_TRACE(std::to_string(queries) + " queries, " + to_string(isa));
            expect_overlaps(expected, scene.boxes(), asked, {.executor = serial_executor(), .isa = isa});
        }
    }
}

TEST_P(WithoutEngine, finds_the_neighbours_that_brute_force_finds) {
    const Scene scene(GetParam(), scaled(1500, 700), 2);
    Random random(3);
    for (const std::size_t count : {std::size_t{1}, std::size_t{12}, std::size_t{150}}) {
        const std::vector<Point> points = random_points(random, scene.agents(), count);
        for (int k = 0; k < 4; ++k) {
            const OwnNeighbourhood wanted(random, scene.agents(), count, false);
            if (wanted.wanted().in_row_order) continue;  // points have no rows
            for (const Isa isa : instruction_sets()) {
                SCOPED_TRACE(std::to_string(count) + " points, " + to_string(isa));
                expect_neighbours(scene.agents(), points, wanted.wanted(),
                                  {.executor = serial_executor(), .isa = isa});
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, WithoutEngine, enough_scenes(2), scene_name);

// Enough agents for several blocks.
TEST(QueriesWithoutEngine, are_the_same_everywhere) {
    const Scene scene = make_scene("giants_over_small", scaled(60000, 40000));
    const std::vector<Box> queries = scene.queries(150);
    const std::vector<Box> one(queries.begin(), queries.begin() + 1);
    Random random(4);
    const std::vector<Point> points = random_points(random, scene.agents(), scaled(40, 8));
    const Lists expected = overlaps_by_brute_force(scene.agents(), queries);
    everywhere({1, 3}, [&](const EngineConfig& config) {
        expect_overlaps(expected, scene.boxes(), queries, as_arrays(config));
        expect_overlaps({expected[0]}, scene.boxes(), one, as_arrays(config));
        expect_neighbours(scene.agents(), points, {.max_count = 5, .distances = true}, as_arrays(config));
        expect_neighbours(scene.agents(), points, {.radius = 1}, as_arrays(config));
    });
}

// What a call makes of some queries.
struct Way {
    std::size_t alone;
    bool has_cells, is_slow;
};
Way way_of(const std::vector<Box>& agents, const std::vector<Box>& queries,
           detail::QueryIndex::Wanted wanted = detail::QueryIndex::Wanted::lists) {
    detail::QueryIndex index(nullptr);
    EXPECT_TRUE(index.make({detail::as_kernel(queries.data()), queries.size()}, agents, wanted));
    return {index.alone().size(), index.cells() != nullptr, index.is_slower_than_an_engine()};
}

void expect_overlaps_of(const std::vector<Box>& agents, const std::vector<Box>& queries) {
    const Lists expected = overlaps_by_brute_force(agents, queries);
    for (const Isa isa : instruction_sets())
        expect_overlaps(expected, agents, queries, {.executor = serial_executor(), .isa = isa});
}

TEST(QueriesWithoutEngine, take_one_query_alone) {
    const Scene scene = make_scene("uniform", 3000);
    const std::vector<Box> queries = scene.queries(1);
    EXPECT_EQ(way_of(scene.agents(), queries).alone, 1u);
    expect_overlaps_of(scene.agents(), queries);
}

std::vector<Box> small_boxes(Random& random, std::size_t count, float side, float half) {
    std::vector<Box> boxes(count);
    for (Box& box : boxes) box = Box::around(random.uniform(0, side), random.uniform(0, side), half, half);
    return boxes;
}

TEST(QueriesWithoutEngine, take_giant_queries_apart_from_small_ones) {
    Random random(5);
    const std::vector<Box> agents = small_boxes(random, 16'000, 120, 0.4f);
    std::vector<Box> queries = small_boxes(random, 60, 120, 1.5f);
    queries[7] = {-1e30f, -1e30f, 1e30f, 1e30f};
    queries[20] = {0, 0, 119, 119};
    const Way way = way_of(agents, queries);
    EXPECT_TRUE(way.alone >= 1 && way.has_cells && !way.is_slow);
    expect_overlaps_of(agents, queries);
}

TEST(QueriesWithoutEngine, compare_giants_among_agents_with_all_queries) {
    Random random(6);
    std::vector<Box> agents = small_boxes(random, 60'000, 240, 0.4f);
    for (std::size_t i = 0; i < agents.size(); i += 200)
        agents[i] = Box::around(random.uniform(0, 240), random.uniform(0, 240), random.uniform(1, 40), 0.1f);
    const std::vector<Box> queries = small_boxes(random, 60, 240, 1.5f);
    const Way way = way_of(agents, queries);
    EXPECT_TRUE(way.alone == 0 && way.has_cells && !way.is_slow);
    expect_overlaps_of(agents, queries);
}

// All at one point, agents and queries: each finds all, and a pass would compare all with all.
TEST(QueriesWithoutEngine, make_an_engine_where_it_is_faster) {
    const std::vector<Box> agents(16'000, Box{1, 1, 1, 1}), queries(300, Box{1, 1, 1, 1});
    EXPECT_TRUE(way_of(agents, queries).is_slow);
    expect_overlaps_of(agents, queries);
    Random random(7);
    const std::vector<Box> crowd = small_boxes(random, 12000, 30, 0.4f),
                           many = small_boxes(random, 1000, 30, 5);
    EXPECT_TRUE(way_of(crowd, many).is_slow);
    expect_overlaps_of(crowd, many);
    std::vector<Point> points;
    for (const Box& box : many) points.push_back(box.centre());
    for (const bool distances : {false, true})
        for (const std::uint32_t most : {0u, 6u})
            expect_neighbours(crowd, points, {.radius = 5, .max_count = most, .distances = distances},
                              {.executor = serial_executor()});
}

// Every `each`-th agent of a crowd is in one spot, where all are in one cell.
std::vector<Box> crowd_with_a_spot(Random& random, std::size_t count, std::size_t each, float size) {
    std::vector<Box> boxes = small_boxes(random, count, 1.5f * std::sqrt(static_cast<float>(count)), 0.4f);
    for (std::size_t i = 0; i < boxes.size(); i += each)
        boxes[i] = Box::around(9 + random.uniform(0, size), 9 + random.uniform(0, size), 1e-5f, 1e-5f);
    return boxes;
}

// An engine takes as long as hundreds of comparisons for each box, so few queries are never worth one.
TEST(QueriesWithoutEngine, make_no_engine_for_a_few_queries) {
    Random random(8);
    for (const std::size_t count : {30'000u, 100'000u})
        for (const std::size_t each : {1u, 2u, 1'000u})
            for (const float size : {0.0f, 0.01f}) {
                const std::vector<Box> boxes = crowd_with_a_spot(random, count, each, size);
                for (const std::size_t asked : {2u, 4u, 8u, 16u, 64u}) {
                    std::vector<Box> queries;
                    for (std::size_t i = 0; i < asked; ++i) queries.push_back(boxes[random.below(count)]);
                    EXPECT_FALSE(way_of(boxes, queries, detail::QueryIndex::Wanted::numbers).is_slow)
                        << asked << " of " << count << ", every " << each;
                    if (count == 30'000 && asked == 8) expect_overlaps_of(boxes, queries);
                }
            }
}

// Points in a pile or a spot, where most agents are near each point: so few points that they are compared
// with all at once, and more.
TEST(QueriesWithoutEngine, find_neighbours_of_points_to_which_most_is_near) {
    Random random(9);
    for (const float size : {0.0f, 0.01f, 3.0f}) {
        const std::vector<Box> boxes = crowd_with_a_spot(random, 700, 1, size);
        for (const std::size_t count : {21u, 70u}) {
            const std::vector<Point> points = random_points(random, boxes, count);
            for (const AgentsAs agents_as : {AgentsAs::centres, AgentsAs::boxes})
                for (const bool distances : {false, true})
                    for (const std::uint32_t most : {0u, 1u, 64u})
                        expect_neighbours(boxes, points,
                                          {.radius = 2.5f,
                                           .max_count = most,
                                           .agents_as = agents_as,
                                           .distances = distances},
                                          {});
        }
    }
}

TEST(QueriesWithoutEngine, are_the_same_from_every_layout) {
    Random random(8);
    struct Agent {
        char name[3];
        float x, y, half_x, half_y;
    };
    const std::vector<Box> queries = small_boxes(random, 40, 40, 2);
    std::vector<Agent> agents(3001);
    std::vector<Box> boxes;
    for (Agent& agent : agents) {
        agent = {"a", random.uniform(0, 40), random.uniform(0, 40), random.uniform(0, 1), 0.5f};
        boxes.push_back(Box::around(agent.x, agent.y, agent.half_x, agent.half_y));
    }
    std::vector<float> x, y, half_x, half_y;
    for (const Agent& agent : agents) {
        x.push_back(agent.x);
        y.push_back(agent.y);
        half_x.push_back(agent.half_x);
        half_y.push_back(agent.half_y);
    }
    const Lists expected = overlaps_by_brute_force(boxes, queries);
    for (const Isa isa : instruction_sets()) {
        const ArrayQueryConfig config{.executor = serial_executor(), .isa = isa};
        expect_overlaps(expected, Boxes::centre_half(x, y, half_x, half_y), queries, config);
        expect_overlaps(expected,
                        Boxes::centre_half(agents, &Agent::x, &Agent::y, &Agent::half_x, &Agent::half_y),
                        queries, config);
    }
}

TEST(QueriesWithoutEngine, find_nothing_where_there_is_nothing) {
    const Scene scene = make_scene("uniform", 500);
    const std::vector<Box> queries = scene.queries(70);
    const Lists nothing(queries.size());
    expect_overlaps(nothing, Boxes(), queries, {});
    expect_overlaps({}, scene.boxes(), {}, {});
    expect_overlaps({}, Boxes(), {}, {});
    expect_neighbours({}, {{1, 2}, {3, 4}}, {.radius = 5, .distances = true}, {});
    expect_neighbours({}, {{1, 2}, {3, 4}}, {.max_count = 5}, {});
    expect_neighbours(scene.agents(), {}, {.radius = 1}, {});
}

}  // namespace
}  // namespace throng::test
