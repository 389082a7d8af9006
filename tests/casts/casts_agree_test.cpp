// Casts on every scene, in worlds with islands and with thousands of giants, after bulk updates and edits, with
// labels and without, on every instruction set, against brute force.
#include "support/casts.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Engines with each instruction set, on several threads and on one, and their twin.
class Worlds {
public:
    explicit Worlds(const Scene& scene) {
        for (const Isa isa : instruction_sets())
            engines_.emplace_back(scene.configure(
                {.executor = engines_.size() % 2 == 0 ? pool_.executor() : serial_executor(), .isa = isa}));
    }
    std::vector<Engine>& engines() { return engines_; }
    oracle::BruteForce& twin() { return twin_; }

    void update(const Scene& scene, const Labels& labels = {}) {
        ASSERT_EQ(twin_.update(scene.boxes(), labels), Status{});
        for (Engine& engine : engines_) ASSERT_EQ(engine.update(scene.boxes(), labels), Status{});
    }
    void build(const std::vector<Box>& walls) {
        ASSERT_EQ(walls_.update(walls), Status{});
        for (Engine& engine : engines_)
            ASSERT_EQ(engine.set_static_layer(StaticLayer(walls, {.isa = engine.isa()})), Status{});
    }
    void expect_agreement_with_walls(std::vector<Cast> casts, std::vector<Filter> filters = {}) {
        const ExpectedCasts expected =
            expect_casts_of_both(twin_.frame(), walls_.frame(), std::move(casts), std::move(filters));
        for (Engine& engine : engines_)
            EXPECT_TRUE(casts_agree(engine.frame().with_static(), expected)) << to_string(engine.isa());
    }
    void expect_agreement(std::vector<Cast> casts, std::vector<Filter> filters = {}) {
        const ExpectedCasts expected = expect_casts(twin_.frame(), std::move(casts), std::move(filters));
        for (Engine& engine : engines_)
            EXPECT_TRUE(casts_agree(engine.frame(), expected)) << to_string(engine.isa());
    }

private:
    ThreadPool pool_{3};
    std::vector<Engine> engines_;
    oracle::BruteForce twin_, walls_;
};

std::vector<Filter> filters_for(const Scene& scene, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Filter> filters;
    while (filters.size() < count) filters.push_back(random_filter(random, scene.agents().size()));
    return filters;
}

class CastScene : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(CastScene, answers_casts_as_brute_force_does) {
    Scene scene(GetParam(), 700, 3);
    Worlds worlds(scene);
    for (std::size_t frame = 0; frame < 2; ++frame, scene.step()) {
        worlds.update(scene);
        worlds.expect_agreement(casts_for(scene, scaled(4000, 300), frame));
    }
}

TEST_P(CastScene, answers_casts_as_brute_force_does_with_very_few_agents) {
    for (const std::size_t agents : {1u, 2u, 3u, 8u, 9u, 17u, 33u}) {
        const Scene scene(GetParam(), agents, agents);
        Worlds worlds(scene);
        worlds.update(scene);
        worlds.expect_agreement(casts_for(scene, scaled(300, 30), agents));
    }
}

TEST_P(CastScene, answers_casts_as_brute_force_does_with_many_agents) {
    const Scene scene(GetParam(), std::min<std::size_t>(scaled(6000, 1500), GetParam().max_count), 4);
    Worlds worlds(scene);
    worlds.update(scene);
    worlds.expect_agreement(casts_for(scene, scaled(700, 60), 5));
}

TEST_P(CastScene, answers_casts_with_filters_as_brute_force_does) {
    Scene scene(GetParam(), 700, 6);
    Random random(7);
    Worlds worlds(scene);
    const std::size_t count = scaled(1500, 300);
    for (const bool labelled : {false, true}) {
        const std::vector<Label> labels =
            labelled ? random_labels(random, scene.agents().size()) : std::vector<Label>();
        worlds.update(scene, labels);
        worlds.expect_agreement(casts_for(scene, count, 8), filters_for(scene, count, 9));
    }
}

TEST_P(CastScene, answers_casts_as_brute_force_does_after_edits) {
    const Scene scene(GetParam(), 500, 10);
    if (scene.agents().size() < 10) return;
    Worlds worlds(scene);
    worlds.update(scene);
    Random random(11);
    std::vector<AgentId> gone, moved;
    std::vector<Box> boxes;
    for (std::size_t i = 0; i + 3 < scene.agents().size(); i += 3) {
        gone.push_back(static_cast<AgentId>(i));
        moved.push_back(static_cast<AgentId>(i + 1));
        boxes.push_back(scene.place(random));
    }
    const auto edit = [&](auto& world) {
        ASSERT_EQ(world.remove(gone), Status{});
        ASSERT_EQ(world.move(moved, Boxes::of(boxes)), Status{});
        ASSERT_EQ(world.commit(), Status{});
    };
    edit(worlds.twin());
    for (Engine& engine : worlds.engines()) edit(engine);
    worlds.expect_agreement(casts_for(scene, scaled(600, 100), 12));
}

// Walls lie elsewhere than agents, and some where agents are.
TEST_P(CastScene, answers_casts_against_agents_and_walls_as_brute_force_does) {
    const Scene scene(GetParam(), 500, 13), elsewhere(GetParam(), 300, 14);
    std::vector<Box> walls(elsewhere.agents().begin(), elsewhere.agents().end());
    for (std::size_t i = 0; i < scene.agents().size(); i += 3) walls.push_back(scene.agents()[i]);
    Worlds worlds(scene);
    worlds.build(walls);
    Random random(15);
    const std::size_t count = scaled(1500, 200);
    for (const bool labelled : {false, true}) {
        const std::vector<Label> labels =
            labelled ? random_labels(random, scene.agents().size()) : std::vector<Label>();
        worlds.update(scene, labels);
        worlds.expect_agreement_with_walls(casts_for(scene, count, 16), filters_for(scene, count, 17));
        worlds.expect_agreement_with_walls(casts_for(elsewhere, count, 18));
    }
}

// Most scenes have a few rows, and the outermost rows are special. Here most casts begin and end far from those, and
// go in every direction, through some of the rows or all.
TEST(CastCrowd, answers_casts_in_every_direction_as_brute_force_does) {
    const Scene scene = make_scene("uniform", scaled(40'000, 20'000));
    Worlds worlds(scene);
    worlds.update(scene);
    const Box& some = scene.agents().front();
    const float size = some.max_x - some.min_x;
    Random random(13);
    std::vector<Cast> casts;
    for (std::size_t i = 0; i < scaled(1500, 400); ++i) {
        const Box& from = scene.agents()[random.below(scene.agents().size())];
        const float length = random.one_in(3) ? 300 * size : 20 * size;
        const float dx = random.uniform(-length, length), dy = random.uniform(-length, length);
        casts.push_back(i % 2 == 0 ? Cast::ray(from.max_x + 0.3f * size, from.max_y + 0.3f * size, dx, dy)
                                   : Cast::circle(from.max_x + size, from.max_y + size, 0.2f * size, dx, dy));
    }
    worlds.expect_agreement(std::move(casts));
    for (Engine& engine : worlds.engines()) EXPECT_GT(engine.tuning().rows, 20u);
}

INSTANTIATE_TEST_SUITE_P(every, CastScene, enough_scenes(2), scene_name);

class CastIslands : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(CastIslands, answer_casts_as_brute_force_does) {
    const Scene scene(GetParam(), enough_for_islands, 3);
    Random random(4);
    Worlds worlds(scene);
    const std::size_t count = scaled(800, 100);
    for (const bool labelled : {false, true}) {
        const std::vector<Label> labels =
            labelled ? random_labels(random, scene.agents().size()) : std::vector<Label>();
        worlds.update(scene, labels);
        for (Engine& engine : worlds.engines()) ASSERT_GT(engine.tuning().islands, 0u);
        worlds.expect_agreement(casts_for(scene, count, 5));
        worlds.expect_agreement(casts_for(scene, count / 2, 6), filters_for(scene, count / 2, 7));
    }
}

INSTANTIATE_TEST_SUITE_P(every, CastIslands, enough_island_worlds(2), scene_name);

}  // namespace
}  // namespace throng::test
