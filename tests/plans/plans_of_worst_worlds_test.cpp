// Two engines that go the same way, in the worlds where the planner has the most to decide.
#include <fstream>

#include "plans/plans.hpp"
#include "support/test.hpp"
#include "worlds/hunted/frames.hpp"
#include "worlds/hunted/text.hpp"

namespace throng::test {
namespace {

std::vector<std::string> corpus_of_plans() {
    std::vector<std::string> lines;
    std::ifstream file(THRONG_WORST_WORLDS);
    for (std::string line; std::getline(file, line);)
        if (!line.empty() && line[0] != '#') lines.push_back(line);
    return lines;
}

struct PlansOfWorstWorlds : ::testing::TestWithParam<std::string> {};

// The one that joins has been in another world before, for some frames.
TEST_P(PlansOfWorstWorlds, lead_an_engine_of_another_history_the_same_way) {
    worlds::World world = worlds::parse(GetParam()).world.value();
    world.agents = std::min<std::size_t>(world.agents, 1500);
    worlds::Frames frames(world);
    const std::size_t joins = world.seed % 7;
    Scene elsewhere = make_island_scene("villages", 2000, world.seed);
    Engine engine({.executor = serial_executor()}), joining({.executor = serial_executor()});
    for (std::size_t k = 0; k < joins; ++k, frames.next(), elsewhere.step()) {
        ASSERT_EQ(engine.update(frames.boxes()), Status{});
        ASSERT_EQ(joining.update(elsewhere.boxes()), Status{});
    }
    const PlanBytes plan = plan_of(engine);
    ASSERT_EQ(joining.set_plan(plan), Status{});
    ASSERT_EQ(plan_of(joining), plan);
    Frames both;
    for (std::size_t k = 0; k < scaled(100, 10); ++k, frames.next())
        ASSERT_TRUE(both.make(engine, joining, frames.boxes())) << "frame " << k << " after " << joins;
}

INSTANTIATE_TEST_SUITE_P(Corpus, PlansOfWorstWorlds, ::testing::ValuesIn(corpus_of_plans()));

}  // namespace
}  // namespace throng::test
