// The same history of input gives the same bytes in worlds with islands, too: for any number of
// workers, any executor and any instruction set. Batches are large enough for packets, and pairs
// for several waves of blocks.
#include "support/test.hpp"

namespace throng::test {
namespace {

using Record = std::vector<Answers>;

const std::vector<std::unique_ptr<Workplace>>& island_workplaces() {
    static const auto all = [] {
        std::vector<std::unique_ptr<Workplace>> places = all_workplaces({1, 2, 3, 8});
        places.push_back(backward_workplace(8));
        places.push_back(shuffled_workplace(3, 17));
        return places;
    }();
    return all;
}

Answers ask_everything(const Engine& engine, const Scene& scene, std::size_t query_count) {
    EXPECT_GT(engine.tuning().islands, 0u);
    std::vector<Box> queries = scene.queries(query_count / 10);
    for (std::size_t i = 0; queries.size() < query_count; ++i)
        queries.push_back(scene.agents()[i * 1237 % scene.agents().size()]);
    return ask(engine.frame(), queries);
}

// A bulk update, a few edits of every kind, and another bulk update.
Record island_history(Scene scene, const EngineConfig& config, std::size_t queries) {
    Record record;
    Engine engine(config);
    EXPECT_EQ(engine.update(scene.boxes()), Status{});
    record.push_back(ask_everything(engine, scene, queries));

    scene.step();
    for (std::size_t i = 0; i < scene.agents().size(); i += 7) {
        const auto id = static_cast<AgentId>(i);
        EXPECT_EQ(i % 3 == 0 ? engine.remove(id) : engine.move(id, scene.agents()[i]), Status{});
    }
    AgentId id = 0;
    for (std::size_t i = 0; i < 50; ++i)
        EXPECT_EQ(engine.insert(scene.agents()[i * 31 % scene.agents().size()], id), Status{});
    EXPECT_EQ(engine.commit(), Status{});
    record.push_back(ask_everything(engine, scene, queries));

    scene.step();
    EXPECT_EQ(engine.update(scene.boxes()), Status{});
    record.push_back(ask_everything(engine, scene, queries));
    return record;
}

class SameIslands : public ::testing::TestWithParam<SceneRecipe> {
protected:
    void expect_identical(const Scene& scene, std::size_t queries) {
        const std::vector<Isa> sets = instruction_sets();
        const Record reference = island_history(scene, {.executor = serial_executor()}, queries);
        for (std::size_t p = 0; p < island_workplaces().size(); ++p)
            for (std::size_t k = 0; k < sets.size(); ++k) {
                // Every instruction set on one thread, and on each of the others in turn.
                if (p != 0 && k != p % sets.size()) continue;
                Workplace& place = *island_workplaces()[p];
                Record record;
                place.run([&] {
                    record = island_history(scene, {.executor = place.executor(), .isa = sets[k]}, queries);
                });
                for (std::size_t i = 0; i < reference.size(); ++i)
                    ASSERT_TRUE(identical(reference[i], record[i]))
                        << GetParam().name << ", frame " << i << ", " << place.name() << ", "
                        << to_string(sets[k]);
            }
    }
};

TEST_P(SameIslands, give_the_same_bytes_on_every_executor_and_instruction_set) {
    expect_identical(Scene(GetParam(), enough_for_islands, 5), scaled(2300, 300));
}

INSTANTIATE_TEST_SUITE_P(every, SameIslands, enough_island_worlds(0), scene_name);

// Enough agents for more blocks than a wave of any of the executors has.
TEST(SameIslandsOfMany, give_the_same_pairs_and_answers_in_many_waves) {
    const Scene scene = make_island_scene("villages_of_all_sizes", scaled(60000, 6000), 9);
    Engine serial({.executor = serial_executor()});
    ASSERT_EQ(serial.update(scene.boxes()), Status{});
    const Answers reference = ask_everything(serial, scene, scaled(10000, 500));
    for (const auto& place : island_workplaces())
        place->run([&] {
            Engine engine({.executor = place->executor()});
            EXPECT_EQ(engine.update(scene.boxes()), Status{});
            EXPECT_TRUE(identical(reference, ask_everything(engine, scene, scaled(10000, 500))))
                << place->name();
        });
}

}  // namespace
}  // namespace throng::test
