// Pairs within small and large distances, compared with the cells, and as circles, on every kind of world:
// those of brute force, in the same order on every instruction set and any number of threads.
#include <initializer_list>

#include "support/filtered_answers.hpp"
#include "support/test.hpp"
#include "support/tuning_of.hpp"

namespace throng::test {
namespace {

std::vector<Engine> engines_of(const Scene& scene, const Labels& labels) {
    std::vector<Engine> engines;
    for (const Isa isa : instruction_sets()) {
        EngineConfig config = scene.configure({.isa = isa});
        engines.push_back(engine_with(scene.boxes(), labels, config));
        config.executor = serial_executor();
        engines.push_back(engine_with(scene.boxes(), labels, config));
    }
    return engines;
}

void expect_the_same(const std::vector<Engine>& engines, const oracle::BruteForceFrame& twin,
                     const PairQuery& wanted) {
    oracle::PairLists expected;
    ASSERT_EQ(twin.pairs(expected, wanted), Status{});
    const std::vector<Pair> sorted = in_order(expected.pairs());
    const PairList first = listed_pairs(engines.front().frame(), wanted);
    EXPECT_TRUE(equal_ranges(in_order(first.pairs()), sorted)) << "within " << wanted.within;
    for (const Engine& engine : engines) {
        const PairList list = listed_pairs(engine.frame(), wanted);
        EXPECT_TRUE(equal_ranges(list.pairs(), first.pairs())) << "within " << wanted.within;
        EXPECT_EQ(engine.frame().count_pairs(wanted).total, sorted.size()) << "within " << wanted.within;
    }
}

void expect_the_same(const Scene& scene, std::initializer_list<float> distances) {
    Random random(5);
    const std::vector<Label> labels = random_labels(random, scene.agents().size());
    for (const bool labelled : {false, true}) {
        oracle::BruteForce twin;
        const Labels given = labelled ? Labels(labels) : Labels();
        ASSERT_EQ(twin.update(scene.boxes(), {.labels = given}), Status{});
        const std::vector<Engine> engines = engines_of(scene, given);
        const PairFilter filter{.a = labelled ? 1 : all_categories, .other_groups_only = labelled};
        for (const float within : distances)
            expect_the_same(engines, twin.frame(), {.filter = filter, .within = within});
        for (const float within : {0.0f, *(distances.end() - 2)})
            expect_the_same(engines, twin.frame(),
                            {.filter = filter, .within = within, .agents_as = AgentsAs::circles});
    }
}

class PairsWithinOfScenes : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(PairsWithinOfScenes, are_those_of_brute_force_at_any_distance) {
    expect_the_same(Scene(GetParam(), 400, 3), {1e-45f, 0.3f, 4.0f, 60.0f, 1e4f, 3e38f});
}
INSTANTIATE_TEST_SUITE_P(every, PairsWithinOfScenes, enough_scenes(1), scene_name);

class PairsWithinOfIslands : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(PairsWithinOfIslands, are_those_of_brute_force_at_any_distance) {
    const Scene scene(GetParam(), enough_for_islands, 3);
    ASSERT_GT(tuning_of(scene).islands, 0u);
    expect_the_same(scene, {1e-45f, 0.5f, 9.0f});
}
TEST_P(PairsWithinOfIslands, may_be_on_islands_far_from_each_other) {
    const Scene scene(GetParam(), enough_for_islands, 4);
    const std::vector<Engine> engines = engines_of(scene, {});
    const Frame frame = engines.front().frame();
    float within = 20;
    while (within < 1e30f && frame.count_pairs({.within = within}).total < 100'000) within *= 3;
    expect_the_same(engines, twin_with(scene.boxes()).frame(), {.within = within});
}
INSTANTIATE_TEST_SUITE_P(every, PairsWithinOfIslands, enough_island_worlds(2), scene_name);

// Trees over many oversized agents, in several pieces.
TEST(PairsWithinOfManySizes, are_those_of_brute_force_at_any_distance) {
    Random random(6);
    std::vector<Box> boxes;
    for (int i = 0; i < 4000; ++i) {
        const float half = i % 4 == 0 ? random.uniform(20, 60) : 0.4f;
        boxes.push_back(Box::around(random.uniform(0, 900), random.uniform(0, 900), half, half));
    }
    const oracle::BruteForceFrame twin = twin_with(boxes).frame();
    std::vector<Engine> engines;
    for (const Isa isa : instruction_sets())
        engines.push_back(engine_with(boxes, {.common_size = 2, .isa = isa}));
    ASSERT_GT(engines.front().frame().tuning().oversized, 512u) << "more than a grove";
    for (const float within : {1e-45f, 0.2f, 5.0f, 40.0f}) expect_the_same(engines, twin, {.within = within});
    expect_the_same(engines, twin, {.agents_as = AgentsAs::circles});
}

}  // namespace
}  // namespace throng::test
