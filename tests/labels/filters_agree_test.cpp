// Filtered queries and pairs on every scene, over frames in which all agents move and get other labels, on
// every instruction set, against brute force.
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Whether both filters give the same answers to a batch, and the first leaves out no element of the static layer.
::testing::AssertionResult same_answers(const Frame& frame, const std::vector<Box>& queries,
                                        const Filters& itself, const Filters& each, Filter of_elements) {
    Hits hits, expected, agents, elements, expected_elements;
    std::vector<std::uint32_t> counts(queries.size()), expected_counts(queries.size());
    std::vector<std::uint8_t> any(queries.size()), expected_any(queries.size());
    of_elements.self = no_agent;
    bool ok = frame.overlaps(queries, hits, itself).ok() && frame.overlaps(queries, expected, each).ok() &&
              frame.count(queries, counts, itself).ok() && frame.count(queries, expected_counts, each).ok() &&
              frame.any(queries, any, itself).ok() && frame.any(queries, expected_any, each).ok() &&
              frame.with_static().overlaps(queries, agents, elements, itself).ok() &&
              frame.static_layer().overlaps(queries, expected_elements, of_elements).ok();
    if (!ok) return ::testing::AssertionFailure() << "a batch is refused";
    if (counts != expected_counts || any != expected_any)
        return ::testing::AssertionFailure() << "counts differ";
    if (frame.explain(queries, itself).hits != frame.explain(queries, each).hits)
        return ::testing::AssertionFailure() << "explained hits differ";
    for (std::size_t q = 0; q < queries.size(); ++q)
        if (!equal_ranges(hits[q], expected[q]) || !equal_ranges(agents[q], expected[q]) ||
            !equal_ranges(elements[q], expected_elements[q]))
            return ::testing::AssertionFailure() << "hits of query " << q << " differ";
    return ::testing::AssertionSuccess();
}

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
        const FilteredPairs pairs = expect_filtered_pairs(twin.frame());
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
            ASSERT_TRUE(pair_filters_agree(engine.frame(), pairs));
        }
    }
}

TEST_P(LabelledScene, answers_filters_as_brute_force_does) { compare(GetParam(), 700, 2, scaled(500, 60)); }

TEST_P(LabelledScene, answers_filters_as_brute_force_does_with_very_few_agents) {
    for (const std::size_t agents : {1u, 2u, 8u, 17u, 33u}) compare(GetParam(), agents, 2, scaled(100, 20));
}

TEST_P(LabelledScene, answers_filters_as_brute_force_does_with_many_agents) {
    compare(GetParam(), std::min<std::size_t>(scaled(2500, 900), GetParam().max_count), 1, scaled(300, 50));
}

// One filter for a whole batch, common and rare: answered in the order they come, and in packets.
TEST_P(LabelledScene, answers_one_filter_for_a_whole_batch) {
    Scene scene(GetParam(), std::min<std::size_t>(1500, GetParam().max_count), 5);
    Random random(9);
    const std::vector<Label> labels = random_labels(random, scene.agents().size());
    const std::vector<Box> queries = scene.queries(scaled(1500, 700));
    oracle::BruteForce twin;
    ASSERT_EQ(twin.update(scene.boxes(), Labels::of(labels)), Status{});
    std::vector<Engine> engines;
    for (const Isa isa : instruction_sets())
        engines.push_back(engine_with(scene.boxes(), Labels::of(labels),
                                      scene.configure({.executor = serial_executor(), .isa = isa})));
    for (const std::uint32_t categories : {0u, 1u, 2u, 64u, all_categories}) {
        const Filters filters = Filters::all({.categories = categories, .self = 3, .not_in_group = 2});
        oracle::HitLists expected;
        ASSERT_EQ(twin.frame().overlaps(Boxes::of(queries), expected, filters), Status{});
        for (const Engine& engine : engines) {
            Hits hits;
            std::vector<std::uint32_t> counts(queries.size());
            ASSERT_EQ(engine.frame().overlaps(Boxes::of(queries), hits, filters), Status{});
            ASSERT_EQ(engine.frame().count(Boxes::of(queries), counts, filters), Status{});
            for (std::size_t q = 0; q < queries.size(); ++q) {
                std::vector<AgentId> ids(hits[q].begin(), hits[q].end());
                std::sort(ids.begin(), ids.end());
                ASSERT_TRUE(equal_ranges(ids, expected[q])) << q;
                ASSERT_EQ(counts[q], ids.size());
            }
        }
    }
}

// Each leaves out itself: as with an array of filters, each with its own number, in every form of a batch.
TEST_P(LabelledScene, leaves_out_the_agent_that_asks_as_an_array_of_filters_would) {
    Scene scene(GetParam(), std::min<std::size_t>(1500, GetParam().max_count), 6);
    Random random(10);
    ThreadPool pool(3);
    const std::vector<Label> labels = random_labels(random, scene.agents().size());
    std::vector<Box> queries = scene.queries(scaled(1500, 700));
    for (std::size_t i = 0; i < std::min(queries.size(), scene.agents().size()); i += 2)
        queries[i] = scene.boxes()[i];
    for (const Isa isa : instruction_sets())
        for (const bool labelled : {false, true}) {
            const Executor executor = labelled ? serial_executor() : pool.executor();
            Engine engine(scene.configure({.executor = executor, .isa = isa}));
            ASSERT_EQ(engine.set_static_layer(StaticLayer(scene.boxes())), Status{});
            ASSERT_EQ(engine.update(scene.boxes(), labelled ? Labels::of(labels) : Labels()), Status{});
            for (const std::uint32_t categories : {1u, 64u, all_categories}) {
                const Filter filter{.categories = categories, .self = 3, .not_in_group = 2};
                std::vector<Filter> each(queries.size(), filter);
                for (AgentId i = 0; i < each.size(); ++i) each[i].self = i;
                ASSERT_TRUE(same_answers(engine.frame(), queries, Filters::each_without_itself(filter),
                                         Filters::of(each), filter));
            }
        }
}

INSTANTIATE_TEST_SUITE_P(every, LabelledScene, enough_scenes(0), scene_name);

}  // namespace
}  // namespace throng::test
