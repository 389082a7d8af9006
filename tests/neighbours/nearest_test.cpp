// The nearest agent to a point in one call. All comparisons with brute force check that it is the right one:
// see harness/neighbour_calls.cpp.
#include "support/test.hpp"

namespace throng::test {
namespace {

using Limits = std::numeric_limits<float>;

TEST(TheNearest, is_the_agent_with_the_nearest_centre_and_comes_with_its_squared_distance) {
    const std::vector<Box> boxes{{0, 0, 2, 2}, {-50, 3, 50, 7}, {4, 0, 6, 2}};
    const Frame frame = engine_with(boxes).frame();
    const NearestNeighbour nearest = frame.nearest({3.5f, 1});
    EXPECT_EQ(nearest.status, Status{});
    EXPECT_EQ(nearest.neighbour, (Neighbour{2, 2.25f}));
    EXPECT_FALSE(nearest.is_static);
    EXPECT_EQ(frame.nearest({1, 4}).neighbour, (Neighbour{1, 2})) << "1 to the left and 1 above";
    EXPECT_EQ(frame.nearest({-40, 5}).neighbour, (Neighbour{1, 1600})) << "however near its box is";
    EXPECT_EQ(frame.nearest(boxes[0].centre()).neighbour, (Neighbour{0, 0}));
}

TEST(TheNearest, is_the_one_with_the_lowest_id_of_those_that_are_as_far_away) {
    std::vector<Box> boxes;
    for (const Point& centre : {Point{1, 0}, Point{0, 1}, Point{-1, 0}, Point{0, -1}})
        for (int i = 0; i < 100; ++i) boxes.push_back(Box::around(centre, 0.5f));
    Engine engine = engine_with(boxes);
    EXPECT_EQ(engine.frame().nearest({0, 0}).neighbour, (Neighbour{0, 1}));
    ASSERT_EQ(committed(engine, engine.remove(0)), Status{});
    EXPECT_EQ(engine.frame().nearest({0, 0}).neighbour, (Neighbour{1, 1}));
}

TEST(TheNearest, passes_the_filter) {
    Engine engine;
    const std::vector<Box> boxes{{0, 0, 1, 1}, {2, 0, 3, 1}, {4, 0, 5, 1}};
    const std::vector<Label> labels{{.categories = 1, .group = 7}, {.categories = 1}, {.categories = 2}};
    ASSERT_EQ(engine.update(boxes, {.labels = labels}), Status{});
    const Frame frame = engine.frame();
    const Point place{0.5f, 0.5f};
    EXPECT_EQ(frame.nearest(place).neighbour.id, 0u);
    EXPECT_EQ(frame.nearest(place, {.self = 0}).neighbour.id, 1u);
    EXPECT_EQ(frame.nearest(place, {.not_in_group = 7}).neighbour.id, 1u);
    EXPECT_EQ(frame.nearest(place, {.categories = 2}).neighbour, (Neighbour{2, 16}));
    EXPECT_FALSE(frame.nearest(place, {.categories = 4}).neighbour.found());
}

TEST(TheNearest, may_be_infinitely_far_away) {
    const std::vector<Box> boxes{{1e30f, 0, 1e30f, 0}};
    const Frame frame = engine_with(boxes).frame();
    EXPECT_EQ(frame.nearest({-1e30f, 0}).neighbour, (Neighbour{0, Limits::infinity()}));
}

TEST(TheNearest, is_none_without_agents_and_where_the_point_is_refused) {
    const NearestNeighbour none = Frame().nearest({1, 2});
    EXPECT_EQ(none.status, Status{});
    EXPECT_FALSE(none.neighbour.found());
    EXPECT_EQ(none.neighbour.squared_distance, Limits::infinity());
    const std::vector<Box> boxes{{0, 0, 1, 1}};
    const Frame frame = engine_with(boxes).frame();
    for (const Point& bad : {Point{Limits::quiet_NaN(), 0}, Point{0, Limits::infinity()}}) {
        for (const Frame& any : {frame, Frame()}) {
            EXPECT_EQ(any.nearest(bad).status, (Status{Code::not_finite, 0}));
            EXPECT_FALSE(any.nearest(bad).neighbour.found());
        }
    }
}

}  // namespace
}  // namespace throng::test
