// A few agents that are large beside a world that wraps around, among many small ones.
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

// Counted in the memory of a call: it held an image of every agent, beside a table of boxes by id.
TEST(LargeAgentsAroundSeams, do_not_have_all_others_looked_up_across_them) {
    constexpr std::size_t agents = 5000;
    constexpr float side = 85;
    for (const float share : {0.9f, 1.0f}) {
        Random random(7);
        std::vector<Box> boxes = small_ones(random, agents, side);
        std::size_t taken[2] = {};
        boxes[0] = Box::around(side / 2, side / 2, share * side / 2, share * side / 2);
        for (const bool wraps : {false, true}) {
            CountingResource memory;
            const float period = wraps ? side : 0;
            Engine engine(
                {.executor = serial_executor(), .memory = &memory, .period_x = period, .period_y = period});
            ASSERT_EQ(engine.update(boxes), Status{});
            const std::size_t before = memory.bytes_out();
            PairList pairs;
            ASSERT_EQ(engine.frame().pairs(pairs, {.agents_as = AgentsAs::circles}), Status{});
            taken[wraps ? 1 : 0] = memory.bytes_out() - before;
        }
        EXPECT_LE(taken[1], taken[0] + 26 * agents) << share;
    }
}

}  // namespace
}  // namespace throng::test
