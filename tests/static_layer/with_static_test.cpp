// Agents together with a static layer, in the forms that static_layer_test.cpp leaves out: in the order of the search, in blocks,
// and neighbours of all kinds, against brute force and against the calls for either kind alone.
#include "oracle/neighbours.hpp"
#include "support/filtered_answers.hpp"
#include "support/neighbour_answers.hpp"
#include "support/neighbour_blocks.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using oracle::BothLists;
using oracle::nearest_of_both;

void expect_list(std::span<const AgentId> ids, std::span<const float> distances,
                 const std::vector<Neighbour>& expected, const Neighbourhood& wanted) {
    ASSERT_EQ(ids.size(), expected.size());
    ASSERT_EQ(distances.size(), wanted.distances ? ids.size() : 0u);
    std::vector<Neighbour> list;
    for (std::size_t k = 0; k < ids.size(); ++k)
        list.push_back({ids[k], wanted.distances ? distances[k] : expected[k].squared_distance});
    if (wanted.max_count == 0) {
        const auto by_id = [](const Neighbour& a, const Neighbour& b) { return a.id < b.id; };
        std::sort(list.begin(), list.end(), by_id);
        if (!wanted.distances)
            for (std::size_t k = 0; k < list.size(); ++k)
                list[k].squared_distance = expected[k].squared_distance;
    }
    ASSERT_EQ(list, expected);
}
void expect_lists(const Neighbours& lists, const oracle::NeighbourLists& expected,
                  const Neighbourhood& wanted) {
    for (std::size_t i = 0; i < lists.size(); ++i) {
        const std::size_t number = wanted.in_row_order ? lists.agents()[i] : i;
        static const std::vector<Neighbour> none;
        ASSERT_NO_FATAL_FAILURE(expect_list(lists[i], lists.squared_distances(i),
                                            number < expected.size() ? expected[number] : none, wanted))
            << "list " << i;
    }
}

// The same in blocks, in many and in few.
template <class... Places>
void expect_blocks(const WithStatic& both, const Neighbours& agents, const Neighbours& elements,
                   const Filters& filters, const Neighbourhood& wanted, const Places&... places) {
    for (const std::size_t max_bytes : {std::size_t{700}, std::size_t{1} << 16}) {
        JoinedLists joined, joined_elements;
        joined.all.offsets = joined_elements.all.offsets = {0};
        Neighbours block, element_block;
        const auto add = [&](std::size_t first, const Neighbours& some, const Neighbours& others) {
            joined.add(first, some, max_bytes / 2);
            joined_elements.add(first, others, max_bytes / 2);
        };
        ASSERT_EQ(wanted.in([&](const auto& kind) {
            return both.for_each_answer(places..., kind, block, element_block, add, {.max_bytes = max_bytes},
                                        filters);
        }),
                  Status{});
        ASSERT_TRUE(joined.well_cut);
        ASSERT_TRUE(joined_elements.well_cut);
        ASSERT_EQ(joined.blocks, joined_elements.blocks);
        if (agents.empty()) continue;
        ASSERT_TRUE(joined.all == ListsAsTheyAre(agents));
        ASSERT_TRUE(joined_elements.all == ListsAsTheyAre(elements));
    }
}

void expect_counts(std::span<const std::uint32_t> counts, const BothLists& expected) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const bool is_used = i < expected.agents.size();
        ASSERT_EQ(counts[i], is_used ? expected.agents[i].size() + expected.elements[i].size() : 0u) << i;
    }
}

void expect_agents(const Frame& frame, const BothLists& expected, Neighbourhood wanted,
                   const Filters& filters) {
    Neighbours agents, elements;
    for (const bool in_row_order : {false, true}) {
        wanted.in_row_order = in_row_order;
        ASSERT_EQ(wanted.in([&](const auto& kind) {
            return frame.with_static().neighbours(kind, agents, elements, filters);
        }),
                  Status{});
        ASSERT_EQ(agents.size(), elements.size());
        ASSERT_EQ(agents.size(), in_row_order ? frame.size() : frame.id_bound());
        ASSERT_TRUE(equal_ranges(agents.agents(), elements.agents()));
        ASSERT_NO_FATAL_FAILURE(expect_lists(agents, expected.agents, wanted));
        ASSERT_NO_FATAL_FAILURE(expect_lists(elements, expected.elements, wanted));
        ASSERT_NO_FATAL_FAILURE(expect_blocks(frame.with_static(), agents, elements, filters, wanted));
    }
    if (wanted.max_count != 0) return;
    std::vector<std::uint32_t> counts(frame.id_bound() + 3, 7);
    ASSERT_EQ(frame.with_static().count_neighbours(wanted.within(), counts, filters), Status{});
    ASSERT_NO_FATAL_FAILURE(expect_counts(counts, expected));
}

void expect_points(const Frame& frame, const BothLists& expected, const std::vector<Point>& points,
                   const Neighbourhood& wanted, const Filters& filters) {
    Neighbours agents, elements;
    const WithStatic both = frame.with_static();
    ASSERT_EQ(
        wanted.in([&](const auto& kind) { return both.neighbours(points, kind, agents, elements, filters); }),
        Status{});
    ASSERT_EQ(agents.size(), points.size());
    ASSERT_NO_FATAL_FAILURE(expect_lists(agents, expected.agents, wanted));
    ASSERT_NO_FATAL_FAILURE(expect_lists(elements, expected.elements, wanted));
    ASSERT_NO_FATAL_FAILURE(expect_blocks(both, agents, elements, filters, wanted, points));
    for (std::size_t i = 0; i < points.size(); i += 5) {
        std::vector<AgentId> some, others;
        Neighbourhood one = wanted;
        if (!wanted.radii.empty()) one.radii = std::span<const float>(wanted.radii).subspan(i, 1);
        const auto note = [&](const Neighbour& agent) { some.push_back(agent.id); };
        const auto note_others = [&](std::span<const Neighbour> found) {
            for (const Neighbour& element : found) others.push_back(element.id);
        };
        ASSERT_EQ(one.in([&](const auto& kind) {
            return both.for_each_neighbour(points[i], kind, note, note_others, filters[i]);
        }),
                  Status{});
        ASSERT_TRUE(equal_ranges(some, agents[i]));
        ASSERT_TRUE(equal_ranges(others, elements[i]));
    }
    if (wanted.max_count != 0) return;
    std::vector<std::uint32_t> counts(points.size());
    ASSERT_EQ(both.count_neighbours(points, wanted.within(), counts, filters), Status{});
    ASSERT_NO_FATAL_FAILURE(expect_counts(counts, expected));
}

// Engines of every kind with the same agents and walls, and their twins.
struct Layered {
    std::vector<Box> walls;
    std::vector<Label> labels;
    oracle::BruteForce agent_twin, wall_twin;
    const Scene& scene;

    Layered(const Scene& some, std::size_t elements, Random& random) : scene(some) {
        for (std::size_t i = 0; i < elements; ++i)
            walls.push_back(i % 4 == 0 && !scene.agents().empty()
                                ? scene.agents()[random.below(scene.agents().size())]
                                : scene.place(random));
        labels = random_labels(random, scene.agents().size());
        EXPECT_EQ(agent_twin.update(scene.boxes(), labels), Status{});
        EXPECT_EQ(wall_twin.update(walls), Status{});
    }
    template <class Use>
    void everywhere(const Use& use) const {
        ThreadPool pool(3);
        for (const Isa isa : instruction_sets())
            for (const Executor& executor : {serial_executor(), pool.executor()}) {
                const StaticLayer layer(walls, {.executor = executor, .isa = isa});
                Engine engine(scene.configure({.executor = executor, .isa = isa}));
                ASSERT_EQ(engine.set_static_layer(layer), Status{});
                ASSERT_EQ(engine.update(scene.boxes(), labels), Status{});
                SCOPED_TRACE(to_string(isa));
                use(engine.frame());
            }
    }
};

// The agent and the element that brute force finds, of which the agent wins where both are as far away.
void expect_nearest(const Frame& frame, const std::array<oracle::BruteForceFrame, 2>& twins,
                    const std::vector<Point>& points, const std::vector<Filter>& filters) {
    for (std::size_t i = 0; i < points.size(); i += 4) {
        Filter of_elements = filters[i];
        of_elements.self = no_agent;
        const Neighbour agent = oracle::nearest(twins[0], points[i], filters[i]),
                        element = oracle::nearest(twins[1], points[i], of_elements);
        const bool is_static =
            element.found() && (!agent.found() || element.squared_distance < agent.squared_distance);
        const NearestNeighbour nearest = frame.with_static().nearest(points[i], filters[i]);
        ASSERT_EQ(nearest.status, Status{});
        ASSERT_EQ(nearest.is_static, is_static) << i;
        ASSERT_EQ(nearest.neighbour, is_static ? element : agent) << i;
    }
}

class AgentsAndWalls : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(AgentsAndWalls, have_the_neighbours_that_brute_force_finds) {
    const Scene scene(GetParam(), std::min<std::size_t>(160, GetParam().max_count), 5);
    Random random(11);
    const Layered world(scene, 70, random);
    const oracle::BruteForceFrame agents = world.agent_twin.frame(), walls = world.wall_twin.frame();
    const std::vector<Point> points = random_points(random, scene.agents(), 40);
    const std::size_t ids = scene.agents().size();
    for (std::size_t round = scaled(20, 2); round-- > 0;) {
        const RandomNeighbourhood of_agents(random, scene.agents(), ids, false),
            of_points(random, scene.agents(), points.size(), false);
        const Neighbourhood wanted = of_agents.wanted(), around = of_points.wanted();
        std::vector<Filter> filters, point_filters;
        while (filters.size() < ids) filters.push_back(random_filter(random, ids));
        while (point_filters.size() < points.size()) point_filters.push_back(random_filter(random, ids));
        // No agent that is left out is an element.
        const auto of_elements = [](std::vector<Filter> all) {
            for (Filter& filter : all) filter.self = no_agent;
            return all;
        };
        const std::vector<Filter> element_filters = of_elements(filters),
                                  element_point_filters = of_elements(point_filters);
        const BothLists expected =
            nearest_of_both({oracle::neighbours(agents, wanted, filters),
                             oracle::neighbours_in(agents, walls, wanted, element_filters)},
                            wanted);
        const BothLists expected_of_points =
            nearest_of_both({oracle::neighbours(agents, points, around, point_filters),
                             oracle::neighbours(walls, points, around, element_point_filters)},
                            around);
        world.everywhere([&](const Frame& frame) {
            ASSERT_NO_FATAL_FAILURE(expect_agents(frame, expected, wanted, filters));
            ASSERT_NO_FATAL_FAILURE(expect_points(frame, expected_of_points, points, around, point_filters));
            ASSERT_NO_FATAL_FAILURE(expect_nearest(frame, {agents, walls}, points, point_filters));
        });
        if (HasFailure()) return;
    }
}

void expect_as_found(const HitsAsFound& found, const Hits& hits) {
    ASSERT_EQ(found.size(), hits.size());
    for (const auto& [query, agents] : found) ASSERT_TRUE(equal_ranges(agents, hits[query]));
}

TEST_P(AgentsAndWalls, are_hit_as_found_and_in_blocks_as_in_the_order_of_the_caller) {
    const Scene scene(GetParam(), std::min<std::size_t>(700, GetParam().max_count), 6);
    Random random(12);
    const Layered world(scene, 300, random);
    const std::vector<Box> queries = scene.queries(400);
    std::vector<Filter> filters;
    while (filters.size() < queries.size()) filters.push_back(random_filter(random, scene.agents().size()));
    std::vector<std::uint32_t> order;
    std::vector<std::size_t> cut;
    world.everywhere([&](const Frame& frame) {
        const WithStatic both = frame.with_static();
        Hits hits, walls;
        HitsAsFound found, found_walls;
        ASSERT_EQ(both.overlaps(queries, hits, walls, filters), Status{});
        ASSERT_EQ(both.overlaps(queries, found, found_walls, filters), Status{});
        ASSERT_NO_FATAL_FAILURE(expect_as_found(found, hits));
        ASSERT_NO_FATAL_FAILURE(expect_as_found(found_walls, walls));
        if (order.empty()) order.assign(found_walls.queries().begin(), found_walls.queries().end());
        ASSERT_TRUE(equal_ranges(found_walls.queries(), order));
        std::vector<std::size_t> sizes;
        std::size_t next = 0;
        Hits block, wall_block;
        const auto check = [&](std::size_t first, const Hits& some, const Hits& others) {
            ASSERT_EQ(first, next);
            ASSERT_EQ(some.size(), others.size());
            for (std::size_t i = 0; i < some.size(); ++i) {
                ASSERT_TRUE(equal_ranges(some[i], hits[first + i]));
                ASSERT_TRUE(equal_ranges(others[i], walls[first + i]));
            }
            for (const Hits* half : {&some, &others})
                ASSERT_TRUE(half->offsets().size_bytes() + half->ids().size_bytes() <= 1000 ||
                            some.size() == 1);
            next += some.size();
            sizes.push_back(some.size());
        };
        ASSERT_EQ(both.for_each_answer(queries, block, wall_block, check, {.max_bytes = 2000}, filters),
                  Status{});
        ASSERT_EQ(next, queries.size());
        if (cut.empty()) cut = sizes;
        ASSERT_EQ(sizes, cut);
    });
}

INSTANTIATE_TEST_SUITE_P(every, AgentsAndWalls, enough_scenes(2), scene_name);

// --- What is refused, and the memory it takes ---

TEST(WithStatic, refuses_what_cannot_be_in_two_lists) {
    const std::vector<Box> agents{{0, 0, 1, 1}, {2, 0, 3, 1}}, walls{{1, 1, 2, 2}};
    for (const bool has_walls : {false, true}) {
        Engine engine;
        if (has_walls) {
            ASSERT_EQ(engine.set_static_layer(StaticLayer(walls)), Status{});
        }
        ASSERT_EQ(engine.update(agents), Status{});
        const WithStatic both = engine.frame().with_static();
        Neighbours lists, elements;
        std::uint32_t counts[2];
        const auto none = [](std::size_t, const Neighbours&, const Neighbours&) { FAIL(); };
        const std::vector<float> radii{1, 1};
        for (const Within& bad :
             {Within{.radius = 2, .half = true}, Within{.radii = radii, .either_reaches = true}}) {
            ASSERT_EQ(both.neighbours({.radius = 9}, lists, elements), Status{});
            EXPECT_EQ(both.neighbours(bad, lists, elements).code, Code::bad_config);
            EXPECT_TRUE(lists.empty() && elements.empty());
            EXPECT_EQ(both.count_neighbours(bad, counts).code, Code::bad_config);
            EXPECT_EQ(both.for_each_answer(bad, lists, elements, none).code, Code::bad_config);
        }
        EXPECT_EQ(both.neighbours({.count = 65}, lists, elements), Status{Code::bad_config});
        EXPECT_EQ(both.neighbours({.radius = -1}, lists, elements), Status{Code::inverted});
        EXPECT_EQ(both.count_neighbours({.radius = 2}, std::span(counts).first(1)).code, Code::size_mismatch);
        const std::vector<Point> points{{0, 0}, {std::numeric_limits<float>::quiet_NaN(), 0}};
        EXPECT_EQ(both.neighbours(points, {.radius = 1}, lists, elements), (Status{Code::not_finite, 1}));
        EXPECT_EQ(both.for_each_answer(points, {.radius = 1}, lists, elements, none),
                  (Status{Code::not_finite, 1}));
        EXPECT_EQ(
            both.for_each_neighbour(
                points[1], {.radius = 1}, [](const Neighbour&) { FAIL(); }, [](const Neighbour&) { FAIL(); }),
            (Status{Code::not_finite, 0}));
    }
}

TEST(WithStatic, refuses_one_object_for_the_answers_of_both) {
    const std::vector<Box> agents{{0, 0, 1, 1}}, walls{{1, 1, 2, 2}};
    const std::vector<Point> points{{1, 1}};
    const WithStatic both = engine_with_layer(StaticLayer(walls), agents).frame().with_static();
    const Status refused{Code::bad_config};
    Hits hits;
    HitsAsFound as_found;
    Neighbours lists;
    EXPECT_EQ(both.overlaps(agents, hits, hits), refused);
    EXPECT_EQ(both.overlaps(agents, as_found, as_found), refused);
    EXPECT_EQ(both.neighbours({.count = 2}, lists, lists), refused);
    EXPECT_EQ(both.neighbours(points, {.radius = 2}, lists, lists), refused);
    const auto none = [](std::size_t, const auto&, const auto&) { FAIL(); };
    EXPECT_EQ(both.for_each_answer(agents, hits, hits, none), refused);
    EXPECT_EQ(both.for_each_answer({.radius = 2}, lists, lists, none), refused);
    EXPECT_TRUE(hits.empty() && as_found.ids().empty() && lists.empty());
}

TEST(WithStatic, prefers_an_agent_to_an_element_that_is_as_far_away) {
    const std::vector<Box> agents{{-1, -1, 1, 1}, {4, -1, 6, 1}}, walls{{-6, -1, -4, 1}, {1, -1, 3, 1}};
    const WithStatic both = engine_with_layer(StaticLayer(walls), agents).frame().with_static();
    Neighbours lists, elements;
    ASSERT_EQ(both.neighbours({.count = 2}, lists, elements), Status{});
    EXPECT_TRUE(equal_ranges(lists[0], std::vector<AgentId>{1}));
    EXPECT_TRUE(equal_ranges(elements[0], std::vector<AgentId>{1}));
    EXPECT_TRUE(lists.squared_distances().empty() && elements.squared_distances().empty());
    // With as many as there are, all come; an agent at the place of the point is no neighbour of itself.
    ASSERT_EQ(both.neighbours({.count = 9}, lists, elements), Status{});
    EXPECT_EQ(lists[0].size() + elements[0].size(), 3u);
    ASSERT_EQ(Frame().with_static().neighbours({.count = 9}, lists, elements), Status{});
    EXPECT_TRUE(lists.empty() && elements.empty());
}

TEST(WithStatic, finds_the_nearest_of_either_kind_and_an_agent_if_both_are_as_far_away) {
    const std::vector<Box> agents{{4, -1, 6, 1}}, walls{{-6, -1, -4, 1}, {1, 20, 3, 22}};
    const WithStatic both = engine_with_layer(StaticLayer(walls), agents).frame().with_static();
    const NearestNeighbour between = both.nearest({0, 0}), left = both.nearest({-1, 0}),
                           alone = both.nearest({0, 0}, {.self = 0});
    EXPECT_EQ(between.neighbour, (Neighbour{0, 25}));
    EXPECT_FALSE(between.is_static);
    EXPECT_EQ(left.neighbour, (Neighbour{0, 16}));
    EXPECT_TRUE(left.is_static);
    EXPECT_EQ(alone.neighbour, (Neighbour{0, 25}));
    EXPECT_TRUE(alone.is_static);
    EXPECT_EQ(both.nearest({std::numeric_limits<float>::quiet_NaN(), 0}).status,
              (Status{Code::not_finite, 0}));
    const NearestNeighbour none = Frame().with_static().nearest({0, 0});
    EXPECT_EQ(none.status, Status{});
    EXPECT_FALSE(none.neighbour.found() || none.is_static);
}

}  // namespace
}  // namespace throng::test
