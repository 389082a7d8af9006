// The same history of input gives the same bytes: for any number of workers, any executor and any
// instruction set. Compared are whole sequences, not sets, on every scene, after bulk updates as
// well as after single edits.
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

std::vector<Box> every_seventh(const std::vector<Box>& boxes, std::vector<AgentId>& ids) {
    std::vector<Box> some;
    ids.clear();
    for (std::size_t i = 0; i < boxes.size(); i += 7) {
        ids.push_back(static_cast<AgentId>(i));
        some.push_back(boxes[i]);
    }
    return some;
}

// Three frames: a bulk update, single edits of every kind, and another bulk update.
Record history(Scene scene, const EngineConfig& config, std::size_t query_count) {
    Record record;
    Engine engine(config);
    EXPECT_EQ(engine.update(scene.boxes()), Status{});
    record.push_back(ask(engine.frame(), scene.queries(query_count, 1)));

    scene.step();
    std::vector<AgentId> ids;
    const std::vector<Box> boxes = every_seventh(scene.agents(), ids);
    EXPECT_EQ(engine.move(ids, Boxes::of(boxes)), Status{});
    for (std::size_t i = 0; i < ids.size(); i += 3) EXPECT_EQ(engine.remove(ids[i]), Status{});
    std::vector<AgentId> fresh(boxes.size());
    EXPECT_EQ(engine.insert(Boxes::of(boxes), fresh), Status{});
    EXPECT_EQ(engine.commit(), Status{});
    record.push_back(ask(engine.frame(), scene.queries(query_count, 2)));

    scene.step();
    EXPECT_EQ(engine.update(scene.boxes()), Status{});
    record.push_back(ask(engine.frame(), scene.queries(query_count, 3)));
    return record;
}

void expect_identical_everywhere(const SceneRecipe& recipe, std::size_t agents, std::size_t queries) {
    const Scene scene(recipe, agents, 5);
    const Record reference = history(scene, scene.configure({.executor = serial_executor()}), queries);
    for (const auto& place : workplaces())
        for (const Isa isa : instruction_sets()) {
            Record record;
            place->run([&] {
                record =
                    history(scene, scene.configure({.executor = place->executor(), .isa = isa}), queries);
            });
            for (std::size_t i = 0; i < reference.size(); ++i)
                ASSERT_TRUE(identical(reference[i], record[i]))
                    << recipe.name << ", frame " << i << ", " << place->name() << ", " << to_string(isa);
        }
}

class SameHistory : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(SameHistory, gives_the_same_bytes_on_every_executor_and_instruction_set) {
    expect_identical_everywhere(GetParam(), scaled(3000, 700), scaled(400, 80));
}

INSTANTIATE_TEST_SUITE_P(every, SameHistory, enough_scenes(1), scene_name);

// Enough work for more blocks than there are workers.
class SameLongHistory : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(SameLongHistory, gives_the_same_bytes_on_every_executor_and_instruction_set) {
    expect_identical_everywhere(GetParam(), scaled(40000, 6000), scaled(6000, 700));
}

std::vector<SceneRecipe> scenes_with_much_work() {
    std::vector<SceneRecipe> some;
    for (const SceneRecipe& recipe : scene_recipes())
        for (const char* name : {"uniform", "clustered", "lattice", "mixed_sizes"})
            if (std::string(name) == recipe.name) some.push_back(recipe);
    return some;
}

INSTANTIATE_TEST_SUITE_P(some, SameLongHistory, ::testing::ValuesIn(scenes_with_much_work()), scene_name);

TEST(SameFrame, gives_the_same_bytes_on_another_executor) {
    const Scene scene = make_scene("lattice", 20000);
    Engine engine({.executor = serial_executor()});
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
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
    Engine engine({.executor = place->executor()});
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    const std::vector<Box> queries = scene.queries(200);
    const Answers reference = ask(engine.frame(), queries);
    for (int i = 0; i < 10; ++i) ASSERT_TRUE(identical(reference, ask(engine.frame(), queries)));
}

}  // namespace
}  // namespace throng::test
