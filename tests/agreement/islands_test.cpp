// Worlds with islands against brute force: every kind of query, few at a time and so many that they are
// sorted into packets, in any order and in one that keeps neighbours together, and pairs in every form.
#include <tuple>

#include "support/test.hpp"

namespace throng::test {
namespace {

// What follows another one is near it, as with a host that queries for its agents in the order of their places.
std::vector<Box> in_coherent_order(std::vector<Box> queries) {
    std::sort(queries.begin(), queries.end(), [](const Box& a, const Box& b) {
        return std::tuple(a.min_y, a.min_x, a.max_y, a.max_x) <
               std::tuple(b.min_y, b.min_x, b.max_y, b.max_x);
    });
    return queries;
}

// The neighbourhoods of agents, as many as there are: of such small queries, packets are made.
std::vector<Box> neighbourhoods(const Scene& scene) {
    std::vector<Box> queries;
    for (std::size_t i = 0; i < scene.agents().size(); ++i)
        queries.push_back(scene.agents()[i * 1237 % scene.agents().size()]);
    return queries;
}

class IslandWorld : public ::testing::TestWithParam<SceneRecipe> {
protected:
    IslandWorld() {
        // Whether executors agree is for tests/determinism.
        for (const Isa isa : instruction_sets())
            engines_.emplace_back(EngineConfig{
                .executor = engines_.size() % 2 == 0 ? pool_.executor() : serial_executor(), .isa = isa});
    }
    void expect_agreement(const Scene& scene, const std::vector<Box>& queries) {
        ASSERT_EQ(twin_.update(scene.boxes()), Status{});
        const ExpectedAnswers expected = expect(twin_.frame(), queries);
        for (Engine& engine : engines_) {
            ASSERT_EQ(engine.update(scene.boxes()), Status{});
            ASSERT_GT(engine.tuning().islands, 0u);
            ASSERT_EQ(engine.tuning().reason, TuningReason::islands);
            EXPECT_TRUE(answers_as(engine.frame(), expected))
                << GetParam().name << ", " << to_string(engine.isa());
            EXPECT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
        }
    }

    ThreadPool pool_{3};
    std::vector<Engine> engines_;
    oracle::BruteForce twin_;
};

TEST_P(IslandWorld, answers_as_brute_force_does_while_all_agents_walk) {
    Scene scene(GetParam(), enough_for_islands, 3);
    for (std::size_t frame = 0; frame < 3; ++frame, scene.step())
        expect_agreement(scene, scene.queries(scaled(300, 60), frame));
}

TEST_P(IslandWorld, answers_many_queries_in_any_order_as_brute_force_does) {
    const Scene scene(GetParam(), enough_for_islands, 5);
    expect_agreement(scene, neighbourhoods(scene));
}

TEST_P(IslandWorld, answers_many_queries_in_coherent_order_as_brute_force_does) {
    const Scene scene(GetParam(), enough_for_islands, 6);
    expect_agreement(scene, in_coherent_order(neighbourhoods(scene)));
}

TEST_P(IslandWorld, answers_many_queries_of_every_size_as_brute_force_does) {
    const Scene scene(GetParam(), enough_for_islands, 8);
    expect_agreement(scene, scene.queries(scaled(2300, 200)));
}

TEST_P(IslandWorld, answers_as_brute_force_does_in_many_variations) {
    const std::size_t variations = scaled(12, 2);
    for (std::size_t variation = 0; variation < variations; ++variation) {
        const Scene scene(GetParam(), enough_for_islands + variation % 3 * 400, 100 + variation);
        Engine engine =
            engine_with(scene.boxes(), {.isa = instruction_sets()[variation % instruction_sets().size()]});
        ASSERT_EQ(twin_.update(scene.boxes()), Status{});
        ASSERT_GT(engine.tuning().islands, 0u);
        ASSERT_TRUE(answers_as(engine.frame(), expect(twin_.frame(), scene.queries(40, variation))))
            << GetParam().name << ", variation " << variation << ", " << to_string(engine.isa());
    }
}

INSTANTIATE_TEST_SUITE_P(every, IslandWorld, enough_island_worlds(1), scene_name);

}  // namespace
}  // namespace throng::test
