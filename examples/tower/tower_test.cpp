// Which agents see each other in the tower, and that all of them reach their storeys.

#include <algorithm>
#include <set>

#include "examples/tower/tower.hpp"
#include "gtest/gtest.h"

namespace throng::tower {
namespace {

bool share_a_height(const Agent& one, const Agent& other) {
    return one.feet <= other.feet + agent_height && other.feet <= one.feet + agent_height;
}

// Brute force over what the next step will be given.
TEST(Tower, finds_the_nearest_at_the_same_heights) {
    Tower tower(600, serial_executor());
    for (int i = 0; i < 250; ++i) tower.step();
    const std::vector<Agent> agents(tower.agents().begin(), tower.agents().end());
    tower.step();
    std::size_t above_each_other = 0;
    for (std::size_t i = 0; i < agents.size(); ++i) {
        std::vector<std::pair<float, AgentId>> near;
        for (std::size_t j = 0; j < agents.size(); ++j) {
            const Vec apart = agents[j].position() - agents[i].position();
            const float square = dot(apart, apart);
            if (i == j || square > 16) continue;
            if (share_a_height(agents[i], agents[j]))
                near.emplace_back(square, static_cast<AgentId>(j));
            else
                ++above_each_other;
        }
        std::sort(near.begin(), near.end());
        const auto found = tower.neighbours()[i];
        ASSERT_EQ(found.size(), std::min<std::size_t>(near.size(), 12)) << "agent " << i;
        for (std::size_t k = 0; k < found.size(); ++k)
            EXPECT_EQ(std::count_if(near.begin(), near.end(),
                                    [&](const auto& one) {
                                        return one.second == found[k] &&
                                               one.first <= near[found.size() - 1].first;
                                    }),
                      1);
    }
    EXPECT_GT(above_each_other, 1000u);
}

TEST(Tower, lets_everybody_walk_and_nobody_touch_for_long) {
    Tower tower(800, serial_executor());
    std::set<std::size_t> arrived;
    std::vector<int> begun(800);
    for (std::size_t i = 0; i < begun.size(); ++i) begun[i] = tower.agents()[i].storey;
    for (int step = 0; step < 1500; ++step) {
        tower.step();
        for (std::size_t i = 0; i < begun.size(); ++i)
            if (tower.agents()[i].going == Going::nowhere && tower.agents()[i].storey != begun[i])
                arrived.insert(i);
    }
    EXPECT_GT(arrived.size(), 400u);
    PairList touching;
    ASSERT_TRUE(tower.frame().pairs(touching, {.agents_as = AgentsAs::circles}).ok());
    const auto overlap = [&](const Pair& pair) {
        return length(tower.agents()[pair.a].position() - tower.agents()[pair.b].position()) <
               2 * agent_radius - 0.1f;
    };
    EXPECT_LT(std::count_if(touching.begin(), touching.end(), overlap), 20);
}

}  // namespace
}  // namespace throng::tower
