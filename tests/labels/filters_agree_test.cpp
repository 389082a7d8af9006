// Filtered queries and pairs on every scene, over frames in which all agents move and get other labels, on
// every instruction set, against brute force.
#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "support/executors.hpp"
#include "support/filtered_answers.hpp"
#include "support/instruction_sets.hpp"
#include "support/parameters.hpp"
#include "support/printing.hpp"
#include "support/scale.hpp"
#include "support/scenes.hpp"
#include "support/thread_pool.hpp"
#include "throng/engine.hpp"

namespace throng::test {
namespace {

class LabelledScene : public ::testing::TestWithParam<SceneRecipe> {};

void compare(const SceneRecipe& recipe, std::size_t agents, std::size_t frames, std::size_t queries) {
    Scene scene(recipe, agents, agents);
    Random random(agents);
    ThreadPool pool(3);
    oracle::BruteForce twin;
    std::vector<Engine> engines;
    for (const Isa isa : instruction_sets())
        for (const Executor& executor : {serial_executor(), pool.executor()})
            engines.emplace_back(scene.configure({.executor = executor, .isa = isa}));
    for (std::size_t frame = 0; frame < frames; ++frame, scene.step()) {
        const std::vector<Label> labels = random_labels(random, scene.agents().size());
        ASSERT_EQ(twin.update(scene.boxes(), Labels::of(labels)), Status{});
        const FilteredQueries asked = random_filters(random, agents, scene.queries(queries, frame));
        FilteredAnswers first;
        for (Engine& engine : engines) {
            ASSERT_EQ(engine.update(scene.boxes(), Labels::of(labels)), Status{});
            SCOPED_TRACE(std::string(recipe.name) + ", frame " + std::to_string(frame) + ", " +
                         to_string(engine.isa()));
            EXPECT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
            const FilteredAnswers answers = ask_filtered(engine.frame(), asked);
            if (&engine == &engines.front()) first = answers;
            EXPECT_TRUE(answers == first) << "not the same answers as on the first instruction set";
            if ((&engine - engines.data()) % 2 != 0) continue;  // the same set again, on several threads
            ASSERT_TRUE(filters_agree(engine.frame(), twin.frame(), asked));
            ASSERT_TRUE(pair_filters_agree(engine.frame(), twin.frame()));
        }
    }
}

TEST_P(LabelledScene, answers_filters_as_brute_force_does) { compare(GetParam(), 700, 2, scaled(500, 60)); }

TEST_P(LabelledScene, answers_filters_as_brute_force_does_with_very_few_agents) {
    for (const std::size_t agents : {1u, 2u, 8u, 17u, 33u}) compare(GetParam(), agents, 2, scaled(100, 20));
}

TEST_P(LabelledScene, answers_filters_as_brute_force_does_with_many_agents) {
    compare(GetParam(), std::min<std::size_t>(scaled(2500, 900), GetParam().most), 1, scaled(300, 50));
}

// One filter for a whole batch, common and rare: answered in the order they come, and in packets.
TEST_P(LabelledScene, answers_one_filter_for_a_whole_batch) {
    Scene scene(GetParam(), std::min<std::size_t>(1500, GetParam().most), 5);
    Random random(9);
    const std::vector<Label> labels = random_labels(random, scene.agents().size());
    const std::vector<Box> queries = scene.queries(scaled(1500, 700));
    oracle::BruteForce twin;
    ASSERT_EQ(twin.update(scene.boxes(), Labels::of(labels)), Status{});
    for (const Isa isa : instruction_sets()) {
        Engine engine(scene.configure({.executor = serial_executor(), .isa = isa}));
        ASSERT_EQ(engine.update(scene.boxes(), Labels::of(labels)), Status{});
        for (const std::uint32_t categories : {0u, 1u, 2u, 64u, all_categories}) {
            const Filters filters = Filters::all({.categories = categories, .self = 3, .other_than = 2});
            Hits hits;
            oracle::HitLists expected;
            std::vector<std::uint32_t> counts(queries.size());
            ASSERT_EQ(engine.frame().overlaps(Boxes::of(queries), hits, filters), Status{});
            ASSERT_EQ(engine.frame().count(Boxes::of(queries), counts, filters), Status{});
            ASSERT_EQ(twin.frame().overlaps(Boxes::of(queries), expected, filters), Status{});
            for (std::size_t q = 0; q < queries.size(); ++q) {
                std::vector<AgentId> ids(hits[q].begin(), hits[q].end());
                std::sort(ids.begin(), ids.end());
                ASSERT_TRUE(std::equal(ids.begin(), ids.end(), expected[q].begin(), expected[q].end())) << q;
                ASSERT_EQ(counts[q], ids.size());
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(every, LabelledScene, every_scene(), scene_name);

}  // namespace
}  // namespace throng::test
