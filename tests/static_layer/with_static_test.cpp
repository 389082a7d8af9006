// Agents together with a static layer: what is refused, and what comes first.
#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(WithStatic, refuses_what_cannot_be_in_two_lists) {
    const std::vector<Box> agents{{0, 0, 1, 1}, {2, 0, 3, 1}}, walls{{1, 1, 2, 2}};
    for (const bool has_walls : {false, true}) {
        Engine engine;
        if (has_walls) {
            ASSERT_EQ(engine.set_static_layer(StaticLayer(walls)), Status{});
        }
        ASSERT_EQ(engine.update(agents), Status{});
        const WithStatic both = engine.frame().with_static();
        NeighbourLists lists, elements;
        std::uint32_t counts[2];
        const auto none = [](std::size_t, const NeighbourLists&, const NeighbourLists&) { FAIL(); };
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
    OverlapLists hits;
    OverlapsAsFound as_found;
    NeighbourLists lists;
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
    NeighbourLists lists, elements;
    ASSERT_EQ(both.neighbours({.count = 2}, lists, elements), Status{});
    EXPECT_TRUE(equal_ranges(lists[0], std::vector<AgentId>{1}));
    EXPECT_TRUE(equal_ranges(elements[0], std::vector<AgentId>{1}));
    EXPECT_TRUE(lists.squared_distances().empty() && elements.squared_distances().empty());
    // With as many as there are, all are listed. An agent is no neighbour of itself.
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
