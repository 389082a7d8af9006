// Filters where agents are not all in one grid: more oversized agents than one grove of their tree holds, and islands,
// with labels and without.
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

struct World {
    std::vector<Box> agents;
    EngineConfig config;
};

// Flat, tall and square giants over a small crowd.
World giants_over_a_crowd(Random& random) {
    World world{{}, {.executor = serial_executor(), .common_size = 2}};
    for (std::size_t i = 0; i < 1800; ++i) {
        const float x = random.uniform(0, 100), y = random.uniform(0, 100), shape = random.uniform(0, 4);
        const float half_x = shape < 1 ? 0.4f : shape < 2 ? 12.0f : 1.5f, half_y = shape < 1 ? 0.4f : 1.5f;
        world.agents.push_back(shape < 3 ? Box::around(x, y, half_x, half_y)
                                         : Box::around(x, y, 0.2f, random.uniform(4, 20)));
    }
    return world;
}

std::vector<Box> asked_of(const std::vector<Box>& agents, std::size_t count, Random& random) {
    std::vector<Box> all;
    for (std::size_t i = 0; i < count; ++i) {
        const Box& near = agents[random.below(static_cast<std::uint32_t>(agents.size()))];
        const float wide = i % 4 == 0 ? 30.0f : 0.5f;
        all.push_back(Box::around(near.min_x, near.min_y, wide, wide));
    }
    return all;
}

void compare(const std::vector<Box>& agents, EngineConfig config, bool labelled) {
    Random random(4);
    const std::vector<Label> all = random_labels(random, agents.size());
    const Labels labels = labelled ? Labels::of(all) : Labels();
    const FilteredQueries asked =
        random_filters(random, agents.size(), asked_of(agents, scaled(300, 80), random));
    oracle::BruteForce twin;
    ASSERT_EQ(twin.update(Boxes::of(agents), labels), Status{});
    const FilteredPairs pairs = expect_filtered_pairs(twin.frame());
    for (const Isa isa : instruction_sets()) {
        config.isa = isa;
        Engine engine = engine_with(agents, labels, config);
        EXPECT_TRUE(engine.tuning().oversized > 512 || engine.tuning().islands > 0);
        ASSERT_TRUE(filters_agree(engine.frame(), twin.frame(), asked)) << to_string(isa);
        ASSERT_TRUE(pair_filters_agree(engine.frame(), pairs)) << to_string(isa);
    }
}

TEST(FiltersBesideTheGrid, find_giants_in_many_groves_with_labels_and_without) {
    Random random(1);
    const World world = giants_over_a_crowd(random);
    for (const bool labelled : {true, false}) compare(world.agents, world.config, labelled);
}
TEST(FiltersBesideTheGrid, leave_out_the_asking_agent_on_islands) {
    for (const char* name : {"neighbours", "villages_under_giants", "villages_of_villages"}) {
        SCOPED_TRACE(name);
        compare(make_island_scene(name, enough_for_islands).agents(), {.executor = serial_executor()}, false);
    }
}

}  // namespace
}  // namespace throng::test
