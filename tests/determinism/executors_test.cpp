// The same history of input gives the same bytes, with any number of workers, any executor and any
// instruction set. Whole sequences are compared, not sets, on every scene and in worlds with islands, after
// bulk updates and after single edits.
#include "support/test.hpp"

namespace throng::test {
namespace {

using Record = std::vector<Answers>;

// What the tests run on. Made once, since a pool of 33 threads takes a while to start.
const std::vector<std::unique_ptr<Workplace>>& workplaces() {
    static const auto all = [] {
        std::vector<std::unique_ptr<Workplace>> places;
        places.push_back(serial_workplace());
        for (const unsigned workers : {1u, 2u, 3u, 5u, 8u, 16u, 33u}) {
            places.push_back(pool_workplace(workers));
            if (can_test_tbb()) places.push_back(tbb_workplace(workers));
        }
        for (const unsigned workers : {3u, 33u}) {
            places.push_back(backward_workplace(workers));
            places.push_back(shuffled_workplace(workers, workers));
        }
        return places;
    }();
    return all;
}

// The queries of a scene, or, in worlds with islands, mostly boxes of its agents, so that there are packets.
std::vector<Box> queries_of(const Scene& scene, std::size_t count, std::uint64_t seed, bool islands) {
    if (!islands) return scene.queries(count, seed);
    std::vector<Box> queries = scene.queries(count / 10);
    for (std::size_t i = 0; queries.size() < count; ++i)
        queries.push_back(scene.agents()[i * 1237 % scene.agents().size()]);
    return queries;
}

// Three frames: a bulk update, single edits of every kind, and another bulk update.
Record history(Scene scene, const EngineConfig& config, std::size_t query_count, bool islands) {
    Record record;
    Engine engine(config);
    const auto note = [&](std::uint64_t seed) {
        if (islands) {
            EXPECT_GT(engine.frame().tuning().islands, 0u);
        }
        record.push_back(ask(engine.frame(), queries_of(scene, query_count, seed, islands)));
    };
    EXPECT_EQ(engine.update(scene.boxes()), Status{});
    note(1);

    scene.step();
    std::vector<AgentId> ids;
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < scene.agents().size(); i += 7) {
        ids.push_back(static_cast<AgentId>(i));
        boxes.push_back(scene.agents()[i]);
    }
    EXPECT_EQ(engine.move(ids, Boxes::of(boxes)), Status{});
    for (std::size_t i = 0; i < ids.size(); i += 3) EXPECT_EQ(engine.remove(ids[i]), Status{});
    std::vector<AgentId> fresh(boxes.size());
    EXPECT_EQ(committed(engine, engine.insert(Boxes::of(boxes), fresh)), Status{});
    note(2);

    scene.step();
    EXPECT_EQ(engine.update(scene.boxes()), Status{});
    note(3);
    return record;
}

// In a world with islands: each instruction set on one thread, and on every third of the other workplaces in
// turn.
void expect_identical_everywhere(const Scene& scene, std::size_t queries, bool islands = false) {
    const std::vector<Isa> sets = instruction_sets();
    const Record reference =
        history(scene, scene.configure({.executor = serial_executor()}), queries, islands);
    for (std::size_t p = 0; p < workplaces().size(); p += islands && p != 0 ? 3 : 1)
        for (std::size_t k = 0; k < sets.size(); ++k) {
            if (islands && p != 0 && k != p % sets.size()) continue;
            Workplace& place = *workplaces()[p];
            Record record;
            place.run([&] {
                record = history(scene, scene.configure({.executor = place.executor(), .isa = sets[k]}),
                                 queries, islands);
            });
            for (std::size_t i = 0; i < reference.size(); ++i)
                ASSERT_TRUE(identical(reference[i], record[i]))
                    << scene.name() << ", frame " << i << ", " << place.name() << ", " << to_string(sets[k]);
        }
}

class SameHistory : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(SameHistory, gives_the_same_bytes_on_every_executor_and_instruction_set) {
    expect_identical_everywhere(Scene(GetParam(), scaled(3000, 700), 5), scaled(400, 80));
}

INSTANTIATE_TEST_SUITE_P(every, SameHistory, enough_scenes(1), scene_name);

class SameIslands : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(SameIslands, give_the_same_bytes_on_every_executor_and_instruction_set) {
    expect_identical_everywhere(Scene(GetParam(), enough_for_islands, 5), scaled(2300, 300), true);
}

INSTANTIATE_TEST_SUITE_P(every, SameIslands, enough_island_worlds(0), scene_name);

// Enough work for more blocks than there are workers.
TEST(SameLongHistory, gives_the_same_bytes_on_every_executor_and_instruction_set) {
    for (const char* name : {"uniform", "clustered", "lattice", "mixed_sizes"})
        expect_identical_everywhere(make_scene(name, scaled(40000, 6000), 5), scaled(6000, 700));
}

TEST(SameLongHistory, gives_the_same_bytes_where_there_are_islands) {
    expect_identical_everywhere(make_island_scene("villages_of_all_sizes", scaled(60000, 6000), 9),
                                scaled(10000, 500), true);
}

TEST(SameFrame, gives_the_same_bytes_on_another_executor) {
    const Scene scene = make_scene("lattice", 20000);
    Engine engine = engine_with(scene.boxes(), {.executor = serial_executor()});
    const std::vector<Box> queries = scene.queries(500);
    const Answers reference = ask(engine.frame(), queries);
    for (const auto& place : workplaces())
        place->run([&] {
            EXPECT_TRUE(identical(reference, ask(engine.frame().on(place->executor()), queries)))
                << place->name();
        });
}

TEST(SameFrame, gives_the_same_bytes_for_each_query) {
    const Scene scene = make_scene("clustered", 20000);
    const auto place = pool_workplace(8);
    Engine engine = engine_with(scene.boxes(), {.executor = place->executor()});
    const std::vector<Box> queries = scene.queries(200);
    const Answers reference = ask(engine.frame(), queries);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(identical(reference, ask(engine.frame(), queries)));
}

}  // namespace
}  // namespace throng::test
