// A few agents that are large beside a world that wraps around, among many small ones.
#include "oracle/neighbours.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

std::vector<Box> small_ones(Random& random, std::size_t count, float side) {
    std::vector<Box> boxes;
    while (boxes.size() < count)
        boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), 0.35f, 0.35f));
    return boxes;
}

std::vector<std::pair<AgentId, AgentId>> in_order(std::span<const Pair> pairs) {
    std::vector<std::pair<AgentId, AgentId>> all;
    for (const Pair& pair : pairs) all.emplace_back(std::min(pair.a, pair.b), std::max(pair.a, pair.b));
    std::sort(all.begin(), all.end());
    return all;
}

TEST(LargeAgentsAroundSeams, are_in_pairs_once_with_all_that_they_touch) {
    Random random(5);
    for (int world = 0; world < 24; ++world) {
        const float side = random.uniform(6, 15);
        std::vector<Box> boxes = small_ones(random, 100, side);
        for (std::size_t i = 0; i < 6; ++i)  // up to wider than the world
            boxes[9 * i] =
                Box::around(boxes[9 * i].min_x, boxes[9 * i].min_y, side * random.uniform(0.02f, 0.6f),
                            side * random.uniform(0.02f, 0.6f));
        Twins twins({.period_x = world % 3 == 0 ? 0 : side, .period_y = world % 3 == 1 ? 0 : side});
        ASSERT_EQ(twins.update(boxes, UpdateOptions{.owned = world % 4 == 0 ? 40 : all_owned}), Code::ok);
        for (const AgentsAs as : {AgentsAs::boxes, AgentsAs::circles, AgentsAs::centres})
            for (const float within : {0.0f, 0.3f * side}) {
                const PairQuery wanted{.within = within, .agents_as = as};
                PairList pairs;
                oracle::PairLists expected;
                ASSERT_EQ(twins.frame().pairs(pairs, wanted), Status{});
                ASSERT_EQ(twins.twin().pairs(expected, wanted), Status{});
                EXPECT_EQ(in_order({pairs.begin(), pairs.size()}), in_order(expected.pairs()))
                    << "world " << world << ", within " << within;
            }
    }
}

// The circle in a box that covers the world in one direction does not cover it.
TEST(LargeAgentsAroundSeams, are_neighbours_once_as_boxes_circles_and_centres) {
    Random random(6);
    for (int world = 0; world < 12; ++world) {
        const float side = random.uniform(6, 15);
        std::vector<Box> boxes = small_ones(random, 60, side);
        for (Box& box : boxes) box = Box::around(box.min_x, box.min_y, 0.01f, 0.01f);
        const bool is_high = world % 2 == 1;
        for (std::size_t i = 0; i < 2; ++i) {  // as wide as the world, or as high, and no others are large
            const float far = side * random.uniform(0.5f, 0.6f), near = side * random.uniform(0.1f, 0.2f);
            boxes[9 * i] = is_high ? Box::around(random.uniform(0, side), side - 0.1f, near, far)
                                   : Box::around(side - 0.1f, random.uniform(0, side), far, near);
        }
        Twins twins({.period_x = world % 3 == 0 ? 0 : side, .period_y = world % 3 == 1 ? 0 : side});
        ASSERT_EQ(twins.update(boxes), Code::ok);
        const float radius = 0.05f * side;
        std::vector<Point> points;
        for (int k = 0; k < 20; ++k) points.push_back({random.uniform(0, side), random.uniform(0, side)});
        for (std::size_t k = 0; k < 2; ++k) {  // across the seam from them
            const Point centre = boxes[9 * k].centre();
            points.push_back(is_high ? Point{centre.x, 2 * radius} : Point{2 * radius, centre.y});
        }
        for (const AgentsAs as : {AgentsAs::boxes, AgentsAs::circles, AgentsAs::centres}) {
            const auto expect_same = [&](const NeighbourLists& lists, oracle::NeighbourLists expected) {
                ASSERT_EQ(lists.size(), expected.size());
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    std::vector<AgentId> found(lists[i].begin(), lists[i].end()), wanted;
                    for (const Neighbour& one : expected[i]) wanted.push_back(one.id);
                    std::sort(found.begin(), found.end());
                    std::sort(wanted.begin(), wanted.end());
                    EXPECT_EQ(found, wanted) << "world " << world << ", list " << i;
                }
            };
            NeighbourLists lists;
            ASSERT_EQ(twins.frame().neighbours(points, {.radius = radius, .agents_as = as}, lists), Status{});
            expect_same(lists, oracle::neighbours(twins.twin(), points, {.radius = radius, .agents_as = as}));
            ASSERT_EQ(twins.frame().neighbours({.radius = radius, .agents_as = as}, lists), Status{});
            expect_same(lists, oracle::neighbours(twins.twin(), {.radius = radius, .agents_as = as}));
            ASSERT_EQ(twins.frame().neighbours(points, {.count = 5, .agents_as = as}, lists), Status{});
            expect_same(lists, oracle::neighbours(twins.twin(), points, {.max_count = 5, .agents_as = as}));
        }
    }
}

// A few of them are looked for one by one, and many as all others are.
TEST(LargeAgentsAroundSeams, are_neighbours_once_whether_they_are_few_or_many) {
    Random random(8);
    for (int world = 0; world < 24; ++world) {
        const float side = random.uniform(20, 40), radius = random.uniform(0.2f, 2);
        std::vector<Box> boxes = small_ones(random, 120, side);
        const std::size_t large = world % 4 == 0 ? 1 : world % 4 == 1 ? 4 : world % 4 == 2 ? 9 : 40;
        for (std::size_t i = 0; i < large; ++i) {
            const float half = side * random.uniform(0.05f, 0.55f);
            boxes[3 * i] = Box::around(random.uniform(0, side), random.uniform(0, side), half,
                                       world % 2 == 0 ? half : side * random.uniform(0.01f, 0.6f));
        }
        Twins twins({.period_x = world % 3 == 0 ? 0 : side, .period_y = world % 3 == 1 ? 0 : side});
        ASSERT_EQ(twins.update(boxes), Code::ok);
        std::vector<Point> points;
        for (int k = 0; k < 100; ++k) points.push_back({random.uniform(0, side), random.uniform(0, side)});
        for (const AgentsAs as : {AgentsAs::boxes, AgentsAs::circles, AgentsAs::centres}) {
            const auto expect_same = [&](const NeighbourLists& lists, oracle::NeighbourLists expected) {
                ASSERT_EQ(lists.size(), expected.size());
                for (std::size_t i = 0; i < expected.size(); ++i) {
                    std::vector<AgentId> found(lists[i].begin(), lists[i].end()), wanted;
                    for (const Neighbour& one : expected[i]) wanted.push_back(one.id);
                    std::sort(found.begin(), found.end());
                    std::sort(wanted.begin(), wanted.end());
                    EXPECT_EQ(found, wanted) << "world " << world << ", list " << i;
                }
            };
            NeighbourLists lists;
            ASSERT_EQ(twins.frame().neighbours({.radius = radius, .agents_as = as}, lists), Status{});
            expect_same(lists, oracle::neighbours(twins.twin(), {.radius = radius, .agents_as = as}));
            ASSERT_EQ(twins.frame().neighbours({.count = 12, .agents_as = as}, lists), Status{});
            expect_same(lists, oracle::neighbours(twins.twin(), {.max_count = 12, .agents_as = as}));
            ASSERT_EQ(twins.frame().neighbours(points, {.radius = radius, .agents_as = as}, lists), Status{});
            expect_same(lists, oracle::neighbours(twins.twin(), points, {.radius = radius, .agents_as = as}));
            ASSERT_EQ(twins.frame().neighbours(points, {.count = 12, .agents_as = as}, lists), Status{});
            expect_same(lists, oracle::neighbours(twins.twin(), points, {.max_count = 12, .agents_as = as}));
        }
    }
}

// Long boxes that cross each other and the seams. All are looked for among their circles or centres.
TEST(LargeAgentsAroundSeams, are_in_pairs_of_circles_once_where_all_are_long) {
    constexpr std::size_t agents = 2100;
    Random random(8);
    for (const float side : {40.0f, 55.0f, 3.0f}) {
        std::vector<Box> boxes = small_ones(random, agents, side);
        const float some = side * random.uniform(0.001f, 0.02f);
        for (std::size_t i = 0; i < agents; ++i) {
            const float wide = side * random.uniform(0.2f, 0.6f), thin = random.uniform(0.1f, 1) * some;
            const Point at = boxes[i].centre();
            boxes[i] = i % 2 == 0 ? Box::around(at.x, at.y, wide, thin) : Box::around(at.x, at.y, thin, wide);
        }
        for (std::size_t i = 0; i < 5; ++i)  // with large circles
            boxes[i * 9] = Box::around(boxes[i * 9].centre(), side * random.uniform(0.1f, 0.6f));
        for (const bool both : {true, false}) {
            Twins twins({.period_x = side, .period_y = both ? side : 0});
            ASSERT_EQ(twins.update(boxes, UpdateOptions{.owned = both ? all_owned : 1500}), Code::ok);
            for (const AgentsAs as : {AgentsAs::circles, AgentsAs::centres})
                for (const float within : {0.0f, 0.004f * side}) {
                    const PairQuery wanted{.within = within, .agents_as = as};
                    oracle::PairLists expected;
                    ASSERT_EQ(twins.twin().pairs(expected, wanted), Status{});
                    const PairList pairs = listed_pairs(twins.frame(), wanted);
                    EXPECT_EQ(in_order({pairs.begin(), pairs.size()}), in_order(expected.pairs()))
                        << "side " << side << ", within " << within;
                }
            EXPECT_NE(state_behind(twins.frame()).circle_frame.load(), nullptr);
            EXPECT_NE(state_behind(twins.frame()).centre_frame.load(), nullptr);
        }
    }
}

// What a call for pairs of circles takes, with seams and without.
struct Taken {
    std::size_t without_seams, with_seams;
};
Taken taken_by_pairs(const std::vector<Box>& boxes, float side) {
    std::size_t taken[2] = {};
    for (const bool wraps : {false, true}) {
        CountingResource memory;
        const float period = wraps ? side : 0;
        Engine engine(
            {.executor = serial_executor(), .memory = &memory, .period_x = period, .period_y = period});
        EXPECT_EQ(engine.update(boxes), Status{});
        const std::size_t before = memory.bytes_out();
        PairList pairs;
        EXPECT_EQ(engine.frame().pairs(pairs, {.agents_as = AgentsAs::circles}), Status{});
        taken[wraps ? 1 : 0] = memory.bytes_out() - before;
    }
    return {taken[0], taken[1]};
}

// Counted in the memory of a call: once it held an image of every agent, beside a table of boxes by id.
TEST(LargeAgentsAroundSeams, do_not_have_all_others_looked_up_across_them) {
    constexpr std::size_t agents = 5000;
    constexpr float side = 85;
    for (const float share : {0.9f, 1.0f}) {
        Random random(7);
        std::vector<Box> boxes = small_ones(random, agents, side);
        boxes[0] = Box::around(side / 2, side / 2, share * side / 2, share * side / 2);
        const Taken taken = taken_by_pairs(boxes, side);
        EXPECT_LE(taken.with_seams, taken.without_seams + 26 * agents) << share;
    }
    Random random(7);
    std::vector<Box> boxes = small_ones(random, agents, side);
    for (std::size_t i = 0; i < agents; ++i)
        boxes[i] = Box::around(boxes[i].centre().x, boxes[i].centre().y, i % 2 == 0 ? side / 6 : 0.05f,
                               i % 2 == 0 ? 0.05f : side / 6);
    const Taken taken = taken_by_pairs(boxes, side);
    EXPECT_LE(taken.with_seams, taken.without_seams + 2 * agents) << "if all are long";
}

}  // namespace
}  // namespace throng::test
