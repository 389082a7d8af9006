// Pairs of agents as circles, or as their centres: the definition, and that other calls find the same.
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr PairQuery circles{.agents_as = AgentsAs::circles};

std::vector<Pair> found_in(const std::vector<Box>& boxes, const PairQuery& wanted) {
    std::vector<Pair> first;
    for (const Isa isa : instruction_sets()) {
        const PairList list = listed_pairs(engine_with(boxes, {.isa = isa}).frame(), wanted);
        const std::vector<Pair> found = in_order(list.pairs());
        if (isa == instruction_sets().front()) first = found;
        EXPECT_EQ(found, first) << to_string(isa);
    }
    return first;
}
using Found = std::vector<Pair>;

TEST(PairsOfCircles, touch_where_their_boxes_do_not_only_overlap_at_the_corners) {
    // 1 is beside 0 and touches it, 2 is at the corner of 0: the boxes touch, and the circles do not.
    const std::vector<Box> boxes{{0, 0, 2, 2}, {2, 0, 4, 2}, {2, 2, 4, 4}};
    EXPECT_EQ(found_in(boxes, {}), (Found{{0, 1}, {0, 2}, {1, 2}}));
    EXPECT_EQ(found_in(boxes, circles), (Found{{0, 1}, {1, 2}}));
}

TEST(PairsOfCircles, have_the_largest_circle_in_a_box_that_is_no_square) {
    // A wide one: its circle is of radius 1 around (5, 1).
    const std::vector<Box> boxes{{0, 0, 10, 2}, {6, 0, 8, 2}, {6.5f, 0, 8.5f, 2}, {4, 2, 6, 20}};
    EXPECT_EQ(found_in(boxes, circles), (Found{{0, 1}, {1, 2}}));
}

TEST(PairsOfCircles, are_within_a_distance_by_the_gap_between_circles) {
    // The circles of 3, 4, 5: their centres are 5 apart, and their radii are 1 and 2.
    const std::vector<Box> boxes{{-1, -1, 1, 1}, {1, 2, 5, 6}};
    EXPECT_EQ(found_in(boxes, {.within = std::nextafter(5.0f, 0.0f) - 3, .agents_as = AgentsAs::circles}),
              Found{});
    EXPECT_EQ(found_in(boxes, {.within = 2, .agents_as = AgentsAs::circles}), (Found{{0, 1}}));
    EXPECT_EQ(found_in(boxes, {.within = std::nextafter(5.0f, 0.0f), .agents_as = AgentsAs::centres}),
              Found{});
    EXPECT_EQ(found_in(boxes, {.within = 5, .agents_as = AgentsAs::centres}), (Found{{0, 1}}));
    EXPECT_EQ(found_in(boxes, {.agents_as = AgentsAs::centres}), Found{});
}

TEST(PairsOfCircles, are_at_one_place_as_centres_within_nothing) {
    const std::vector<Box> boxes{{0, 0, 2, 2}, {-1, -1, 3, 3}, {0, 0, 2, 3}};
    EXPECT_EQ(found_in(boxes, {.agents_as = AgentsAs::centres}), (Found{{0, 1}}));
}

// In each direction about as far apart as their radii together, or a few floats more or less.
std::vector<Box> hardly_touching(Random& random, const Point& origin, std::size_t pairs) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < pairs; ++i) {
        const float x = origin.x + static_cast<float>(i % 40) * 8,
                    y = origin.y + static_cast<float>(i / 40) * 8, one = random.uniform(0.2f, 1.5f),
                    other = random.uniform(0.2f, 1.5f);
        const int kind = static_cast<int>(random.below(4));
        const float angle = kind == 0 ? 0.0f : kind == 1 ? 1.5707964f : random.uniform(0, 6.3f);
        const float apart =
            (one + other) * (1 + static_cast<float>(static_cast<int>(random.below(7)) - 3) * 0x1p-24f);
        boxes.push_back(Box::around(x, y, one, one));
        boxes.push_back(Box::around(x + apart * std::cos(angle), y + apart * std::sin(angle), other, other));
    }
    return boxes;
}

TEST(PairsOfCircles, are_those_of_the_definition_where_they_hardly_touch_and_far_from_the_origin) {
    Random random(7);
    for (const Point origin :
         {Point{0, 0}, Point{-160, -160}, Point{1e4f, 3}, Point{-5e5f, 5e6f}, Point{3e7f, 1e8f}}) {
        const std::vector<Box> boxes = hardly_touching(random, origin, 1200);
        for (const PairQuery& wanted : {circles, {.within = 0.25f, .agents_as = AgentsAs::circles}}) {
            oracle::PairLists expected;
            ASSERT_EQ(twin_with(boxes).frame().pairs(expected, wanted), Status{});
            EXPECT_EQ(found_in(boxes, wanted), in_order(expected.pairs())) << origin.x;
        }
    }
}

TEST(PairsOfCircles, are_found_at_the_edges_of_the_floats) {
    const float most = std::numeric_limits<float>::max();
    const std::vector<Box> boxes{{-most, -most, most, most},   {0, 0, most, most},
                                 {-1e-45f, 0, 0, 1e-45f},      {0, 0, 1e-45f, 1e-45f},
                                 {1e38f, 1e38f, 2e38f, 2e38f}, {0, 0, 0, 0},
                                 {1e-20f, 0, 2e-20f, 1e-20f},  {0, 1e-20f, 1e-20f, 2e-20f}};
    for (const PairQuery& wanted : {circles,
                                    {.within = 1e-45f, .agents_as = AgentsAs::circles},
                                    {.within = most, .agents_as = AgentsAs::centres}}) {
        oracle::PairLists expected;
        ASSERT_EQ(twin_with(boxes).frame().pairs(expected, wanted), Status{});
        EXPECT_EQ(found_in(boxes, wanted), in_order(expected.pairs()));
    }
}

TEST(PairsOfCircles, are_all_pairs_of_a_pile) {
    for (const std::size_t count : {2u, 30u, 700u}) {
        const std::vector<Box> pile(count, Box{5, 5, 6, 6});
        for (const Isa isa : instruction_sets())
            EXPECT_EQ(engine_with(pile, {.isa = isa}).frame().count_pairs(circles).total,
                      count * (count - 1) / 2);
    }
}

TEST(PairsOfCircles, are_what_a_circle_around_each_agent_finds) {
    const Scene scene = make_scene("uniform", 800);
    const Frame frame = engine_with(scene.boxes()).frame();
    std::vector<Pair> expected;
    for (std::size_t i = 0; i < scene.agents().size(); ++i) {
        const Box& box = scene.agents()[i];
        const float half_width = 0.5f * box.max_x - 0.5f * box.min_x,
                    half_height = 0.5f * box.max_y - 0.5f * box.min_y;
        const Circle circle{0.5f * box.min_x + 0.5f * box.max_x, 0.5f * box.min_y + 0.5f * box.max_y,
                            std::min(half_width, half_height), AgentsAs::circles};
        const auto id = static_cast<AgentId>(i);
        ASSERT_EQ(frame.for_each_overlap(circle,
                                         [&](AgentId other) {
                                             if (other > id) expected.push_back({id, other});
                                         }),
                  Status{});
    }
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(in_order(listed_pairs(frame, circles).pairs()), in_order(expected));
}

TEST(PairsOfCircles, within_a_distance_as_centres_are_the_neighbours_within_that_radius) {
    const Scene scene = make_scene("uniform", 800);
    const Frame frame = engine_with(scene.boxes()).frame();
    NeighbourLists lists;
    ASSERT_EQ(frame.neighbours({.radius = 2.5f, .half = true}, lists), Status{});
    std::vector<Pair> expected;
    for (std::size_t i = 0; i < lists.size(); ++i)
        for (const AgentId other : lists[i]) expected.push_back({static_cast<AgentId>(i), other});
    ASSERT_FALSE(expected.empty());
    const PairQuery wanted{.within = 2.5f, .agents_as = AgentsAs::centres};
    EXPECT_EQ(in_order(listed_pairs(frame, wanted).pairs()), in_order(expected));
}

TEST(PairsOfCircles, begin_and_end_as_circles_touch_and_part) {
    const std::vector<Box> apart{{0, 0, 2, 2}, {1.9f, 1.9f, 3.9f, 3.9f}},
        together{{0, 0, 2, 2}, {1, 1, 3, 3}};
    Engine engine = engine_with(apart);
    PairChanges changes;
    ASSERT_EQ(changes.update(engine.frame(), circles), Status{});
    EXPECT_TRUE(changes.began().empty());
    ASSERT_EQ(engine.update(together), Status{});
    ASSERT_EQ(changes.update(engine.frame(), circles), Status{});
    EXPECT_EQ(changes.began().size(), 1u);
    ASSERT_EQ(engine.update(apart), Status{});
    ASSERT_EQ(changes.update(engine.frame(), circles), Status{});
    EXPECT_EQ(changes.ended().size(), 1u);
}

TEST(PairsOfCircles, are_refused_where_agents_are_something_unknown) {
    const std::vector<Box> boxes{{0, 0, 1, 1}};
    Engine engine = engine_with(boxes);
    const PairQuery wanted{.agents_as = static_cast<AgentsAs>(3)};
    const Frame frame = engine.frame();
    PairList list;
    PairChanges changes;
    const auto none = [](std::span<const Pair>) { FAIL(); };
    const Status refused{Code::bad_config, Argument::agents_as};
    EXPECT_EQ(frame.pairs(list, wanted), refused);
    EXPECT_EQ(frame.pairs(std::span<Pair>(), wanted).status, refused);
    EXPECT_EQ(frame.count_pairs(wanted).status, refused);
    EXPECT_EQ(frame.for_each_pair_concurrently(none, wanted), refused);
    EXPECT_EQ(frame.pairs(list, with_other(frame, wanted)), refused);
    EXPECT_EQ(frame.count_pairs(with_other(frame, wanted)).status, refused);
    EXPECT_EQ(changes.update(frame, wanted), refused);
}

}  // namespace
}  // namespace throng::test
