// Every kind of query on every scene, over several frames in which all agents move, on every instruction
// set, against brute force. A full run makes more than a million random queries.
#include "support/test.hpp"

namespace throng::test {
namespace {

class MovingScene : public ::testing::TestWithParam<SceneRecipe> {};

// A number of agents is small enough for one vector, for one row, or large enough for many blocks of work.
void compare(const SceneRecipe& recipe, std::size_t agents, std::size_t frames, std::size_t queries_a_frame) {
    Scene scene(recipe, agents, agents);
    ThreadPool pool(3);
    std::vector<Engine> engines;
    oracle::BruteForce twin;
    for (const Isa isa : instruction_sets()) {
        engines.emplace_back(scene.configure({.executor = pool.executor(), .isa = isa}));
        ASSERT_EQ(engines.back().isa(), isa);
    }
    for (std::size_t frame = 0; frame < frames; ++frame, scene.step()) {
        ASSERT_EQ(twin.update(scene.boxes()), Status{});
        const ExpectedAnswers expected = expect(twin.frame(), scene.queries(queries_a_frame, frame));
        for (Engine& engine : engines) {
            ASSERT_EQ(engine.update(scene.boxes()), Status{});
            EXPECT_TRUE(answers_as(engine.frame(), expected))
                << recipe.name << ", " << agents << " agents, frame " << frame << ", "
                << to_string(engine.isa());
            EXPECT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
        }
    }
}

TEST_P(MovingScene, answers_as_brute_force_does) { compare(GetParam(), 700, 3, scaled(14000, 300)); }

TEST_P(MovingScene, answers_as_brute_force_does_with_very_few_agents) {
    constexpr std::size_t few[] = {2, 3, 7, 8, 9, 15, 16, 17, 33};
    for (const std::size_t agents : few) compare(GetParam(), agents, 2, scaled(300, 30));
}

TEST_P(MovingScene, answers_as_brute_force_does_with_many_agents) {
    compare(GetParam(), std::min<std::size_t>(scaled(6000, 1500), GetParam().max_count), 2, scaled(600, 60));
}

INSTANTIATE_TEST_SUITE_P(every, MovingScene, enough_scenes(5), scene_name);

}  // namespace
}  // namespace throng::test
