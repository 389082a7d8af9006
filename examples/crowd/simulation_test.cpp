// Each scenario, small: it ends, and nothing touches on the way.
#include "examples/crowd/simulation.hpp"

#include <algorithm>
#include <cstring>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "examples/executors/thread_pool.hpp"

namespace throng::crowd {
namespace {

// A thousandth of a radius: rounding.
constexpr float tolerance = 1e-3f;

// The deepest overlap of any two agents.
float deepest_overlap(std::span<const Agent> agents) {
    std::vector<Agent> sorted(agents.begin(), agents.end());
    std::sort(sorted.begin(), sorted.end(), [](const Agent& a, const Agent& b) { return a.x < b.x; });
    float deepest = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i)
        for (std::size_t j = i + 1; j < sorted.size() && sorted[j].x - sorted[i].x < 2; ++j)
            deepest = std::max(deepest, sorted[i].radius + sorted[j].radius -
                                            length(sorted[i].position() - sorted[j].position()));
    return deepest;
}

float deepest_in_a_wall(std::span<const Agent> agents, const std::vector<Box>& walls) {
    float deepest = 0;
    for (const Agent& agent : agents)
        for (const Box& wall : walls) {
            const Vec nearest{std::clamp(agent.x, wall.min_x, wall.max_x),
                              std::clamp(agent.y, wall.min_y, wall.max_y)};
            deepest = std::max(deepest, agent.radius - length(agent.position() - nearest));
        }
    return deepest;
}

struct Case {
    const char* scenario;
    std::size_t agents;
    int steps;  // by which all have arrived
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.scenario << " of " << c.agents; }

class EachScenario : public testing::TestWithParam<Case> {};

TEST_P(EachScenario, EndsAndNothingTouchesOnTheWay) {
    const Scenario scenario = make_scenario(GetParam().scenario, GetParam().agents);
    ASSERT_EQ(scenario.agents.size(), GetParam().agents);
    // An agent must not cross a wall between two steps, where nobody would see it.
    for (const Box& wall : scenario.walls)
        ASSERT_GT(std::min(wall.max_x - wall.min_x, wall.max_y - wall.min_y) + 2 * Agent{}.radius,
                  Settings{}.fastest * Settings{}.horizons.step);
    Simulation simulation(scenario, {});
    int steps = 0;
    for (; !simulation.agents().empty() && steps < GetParam().steps; ++steps) {
        simulation.step();
        ASSERT_LE(deepest_overlap(simulation.agents()), tolerance) << "in step " << steps;
        ASSERT_LE(deepest_in_a_wall(simulation.agents(), scenario.walls), tolerance) << "in step " << steps;
    }
    EXPECT_EQ(simulation.agents().size(), 0u) << "have not arrived";
}

INSTANTIATE_TEST_SUITE_P(Crowd, EachScenario,
                         testing::Values(Case{"crossing", 1, 200}, Case{"crossing", 240, 1000},
                                         Case{"doorway", 1, 200}, Case{"doorway", 120, 1000},
                                         Case{"evacuation", 1, 300}, Case{"evacuation", 600, 1200},
                                         Case{"evacuation", 700, 1000}));

class EveryScenario : public testing::TestWithParam<const char*> {};

bool same(std::span<const Agent> a, std::span<const Agent> b) {
    static_assert(sizeof(Agent) == 32, "agents have no padding, so their bytes can be compared");
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST_P(EveryScenario, IsTheSameOnAnyNumberOfWorkersAndEveryInstructionSet) {
    const Scenario scenario = make_scenario(GetParam(), 3000);
    throng_examples::ThreadPool pool(3);
    Simulation one(scenario, {});
    Simulation three(scenario, {.executor = pool.executor()});
    Simulation plain(scenario, {.isa = is_supported(Isa::sse2) ? Isa::sse2 : Isa::automatic});
    for (int step = 0; step < 100; ++step) {
        one.step();
        three.step();
        plain.step();
        ASSERT_TRUE(same(one.agents(), three.agents())) << "in step " << step;
        ASSERT_TRUE(same(one.agents(), plain.agents())) << "in step " << step;
    }
    EXPECT_FALSE(same(one.agents(), scenario.agents)) << "nothing has moved";
}

TEST_P(EveryScenario, StartsWithoutAnythingThatTouches) {
    const Scenario scenario = make_scenario(GetParam(), 2000);
    EXPECT_EQ(scenario.agents.size(), 2000u);
    EXPECT_EQ(deepest_overlap(scenario.agents), 0);
    EXPECT_EQ(deepest_in_a_wall(scenario.agents, scenario.walls), 0);
    for (const Agent& agent : scenario.agents) {
        ASSERT_LT(agent.route, scenario.routes.size());
        ASSERT_LT(scenario.routes[agent.route].goal, scenario.goals.size());
    }
}

INSTANTIATE_TEST_SUITE_P(Crowd, EveryScenario, testing::Values("crossing", "doorway", "evacuation"));

}  // namespace
}  // namespace throng::crowd
