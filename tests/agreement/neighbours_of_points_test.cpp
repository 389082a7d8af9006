// Neighbours of points in every form of a view, and visitors of them.
#include "support/neighbour_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

class NeighboursOfPoints : public ::testing::TestWithParam<Isa> {};

TEST_P(NeighboursOfPoints, are_the_same_in_every_form_of_a_view) {
    struct Thing {
        double weight;
        float x, y;
        char name[5];
    };
    const Scene scene = make_scene("uniform", 900, 3);
    Engine engine = engine_with(scene.boxes(), {.isa = GetParam()});
    Random random(2);
    const std::vector<Point> points = random_points(random, scene.agents(), 700);
    std::vector<Thing> things;
    std::vector<float> x, y;
    for (const Point& point : points) {
        things.push_back({1, point.x, point.y, {}});
        x.push_back(point.x);
        y.push_back(point.y);
    }
    NeighbourLists lists;
    ASSERT_EQ(engine.frame().neighbours(points, Nearest{5}, lists), Status{});
    const ListsAsTheyAre expected(lists);
    const Points views[] = {Points::arrays(x, y), Points::members(things, &Thing::x, &Thing::y),
                            Points::arrays(&things[0].x, &things[0].y, things.size(), sizeof(Thing))};
    for (const Points& view : views) {
        ASSERT_EQ(engine.frame().neighbours(view, Nearest{5}, lists), Status{});
        EXPECT_TRUE(ListsAsTheyAre(lists) == expected);
        EXPECT_EQ(view[3], points[3]);
    }
}

INSTANTIATE_TEST_SUITE_P(every, NeighboursOfPoints, every_instruction_set(), isa_name);

TEST(NeighbourVisitors, may_stop_and_may_throw) {
    const Scene scene = make_scene("uniform", 3000, 3);
    const Frame frame = engine_with(scene.boxes()).frame();
    const Point middle = oracle::centre_of(scene.agents()[0]);
    std::size_t seen = 0;
    EXPECT_EQ(frame.for_each_neighbour(middle, Within{1e9f}, [&](const Neighbour&) { return ++seen < 5; }),
              Status{});
    EXPECT_EQ(seen, 5u);
    std::size_t spans = 0;
    EXPECT_EQ(frame.for_each_neighbour(middle, Within{1e9f},
                                       [&](std::span<const Neighbour> some) { spans += some.size(); }),
              Status{});
    EXPECT_EQ(spans, 3000u);
    EXPECT_THROW(
        static_cast<void>(frame.for_each_neighbour(middle, Nearest{3}, [](const Neighbour&) { throw 1; })),
        int);
}

}  // namespace
}  // namespace throng::test
