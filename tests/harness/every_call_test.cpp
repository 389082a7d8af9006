// Every form of every call on every scene, in every state that its agents may have come into, while they
// walk, on every instruction set, against brute force. A full run makes more than a million random queries.
#include "engine/src/frame/frame_state.hpp"
#include "harness/histories.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"
#include "worlds/scenes/recipe_parts.hpp"

namespace throng::test {
namespace {

// Each scene has random numbers of its own, so that somewhere all kinds of queries are met.
std::size_t seed_of(std::string_view name) {
    std::size_t seed = 11;
    for (const char letter : name) seed = seed * 31 + static_cast<unsigned char>(letter);
    return seed;
}

class EveryCall : public ::testing::TestWithParam<SceneRecipe> {
protected:
    void compare(std::size_t agents, const std::vector<State>& states, const Amounts& amounts) {
        const Scene scene(GetParam(), agents, seed_of(GetParam().name));
        expect_every_call_to_agree(scene, states, amounts, scene.configure());
    }
    std::vector<State> states() const { return enough_states(seed_of(GetParam().name)); }
};

// Enough boxes that they are sorted into packets.
TEST_P(EveryCall, agrees_with_brute_force) {
    compare(700, states(), {scaled(2500, 650), scaled(2000, 250), 150, scaled(2000, 260), 9});
}

// A number of agents is small enough for one vector, or for one row.
TEST_P(EveryCall, agrees_with_brute_force_among_very_few_agents) {
    const std::vector<State> all = states();
    std::size_t next = 0;
    for (const std::size_t agents : {1u, 2u, 3u, 7u, 8u, 9u, 15u, 16u, 17u, 33u}) {
        std::vector<State> some;
        while (some.size() < 4) some.push_back(all[next++ % all.size()]);
        compare(agents, some, {scaled(300, 30), 30, 30, scaled(100, 30), 1});
    }
}

// And large enough for many blocks of work.
TEST_P(EveryCall, agrees_with_brute_force_among_many_agents) {
    const std::size_t agents = std::min<std::size_t>(scaled(6000, 1500), GetParam().max_count);
    std::vector<State> some = states();
    some.resize(scaled(4, 1), some.front());
    compare(agents, some, {scaled(6000, 700), scaled(2000, 200), 100, 100, 40});
}

INSTANTIATE_TEST_SUITE_P(every, EveryCall, enough_scenes(5), scene_name);

class EveryCallOnIslands : public ::testing::TestWithParam<SceneRecipe> {};

// Enough boxes that they are sorted into packets.
TEST_P(EveryCallOnIslands, agrees_with_brute_force) {
    const std::size_t seed = seed_of(GetParam().name);
    const std::vector<State> states = enough_states(seed);
    for (std::size_t k = 0; k < scaled(4, 1); ++k)
        expect_every_call_to_agree({GetParam(), enough_for_islands + k * 400, seed + k},
                                   {states[2 * k], states[2 * k + 1]},
                                   {scaled(2300, 520), scaled(600, 60), 40, scaled(800, 60), 40}, {}, true);
}

// From the third test on: in another third, at the ends of the floats, each list has all agents. Only larger
// scales can afford that.
INSTANTIATE_TEST_SUITE_P(every, EveryCallOnIslands, enough_island_worlds(2), scene_name);

// Flat, tall and square giants over a small crowd: more of them than one grove of their tree holds.
Box giant_or_small(Random& random, std::size_t, float) {
    const float x = random.uniform(0, 100), y = random.uniform(0, 100), shape = random.uniform(0, 4);
    const float half_x = shape < 1 ? 0.4f : shape < 2 ? 12.0f : 1.5f, half_y = shape < 1 ? 0.4f : 1.5f;
    return shape < 3 ? Box::around(x, y, half_x, half_y) : Box::around(x, y, 0.2f, random.uniform(4, 20));
}

TEST(EveryCallAmongManyGiants, agrees_with_brute_force) {
    const Scene scene({"many_giants", 0, 0, many, giant_or_small, walk}, 1500, 1);
    std::vector<State> states = enough_states(2);
    states.resize(scaled(8, 2), states.back());
    const EngineConfig config{.common_size = 2};
    ASSERT_GT(engine_with(scene.boxes(), config).frame().tuning().oversized, 512u);
    expect_every_call_to_agree(scene, states, {scaled(1500, 400), scaled(600, 60), 60, 60, 20}, config);
}

// Ranges of sight, for example: as wide as a part of the world, for some agents or for all, in a crowd or in
// spots. Searches by centres then look in a frame of the centres.
Box crowd_of_ranges(Random& random, std::size_t i, float) {
    const float half = i % 8 < 4 ? 20.0f : 0.4f;
    return Box::around(random.uniform(0, 60), random.uniform(0, 60), half, half);
}
Box spots_of_ranges(Random& random, std::size_t, float) {
    const auto spot = [&] { return 2000 * static_cast<float>(random.below(3)) + random.uniform(0, 20); };
    const float x = spot(), y = spot(), half = random.uniform(0, 1500);
    return Box::around(x, y, half, random.one_in(3) ? 0.3f : half);
}

TEST(NeighboursAmongLargeBoxes, agree_with_brute_force) {
    for (const auto& place : {crowd_of_ranges, spots_of_ranges}) {
        const std::size_t agents = 2200;
        Scene scene({"ranges", 0, 0, many, place, walk}, agents, 5);
        ManyTwins worlds({});
        Random random(agents);
        bool had_centres = false;
        for (const State& state : enough_states(3)) {
            bring_into(state, scene, worlds.twins(), random);
            // Queries are as near as the centres are.
            std::vector<Box> places;
            for (const Box& box : worlds.twins().twin().boxes()) {
                const float x = box.min_x / 2 + box.max_x / 2, y = box.min_y / 2 + box.max_y / 2;
                places.push_back({x, y, x, y});
            }
            ASSERT_TRUE(worlds.agree(scene.with(places), {60, 60, scaled(600, 90), 60, 9},
                                     static_cast<Filtered>(random.below(4)), random.next(),
                                     {"neighbours", "neighbours of points", "the nearest"}));
            had_centres = had_centres || state_behind(worlds.twins().frame()).centre_frame.load() != nullptr;
            scene.step();
        }
        EXPECT_TRUE(had_centres);
    }
}

// Long boxes that cross, wide ones all one way, and large squares. Pairs of circles and of centres are then
// looked for in frames of these.
Box crossing(Random& random, std::size_t i, float) {
    const float half_x = i % 2 == 0 ? 12.0f : 0.05f;
    return Box::around(random.uniform(0, 60), random.uniform(0, 60), half_x, 12.05f - half_x);
}
Box all_one_way(Random& random, std::size_t, float) {
    return Box::around(random.uniform(0, 60), random.uniform(0, 60), random.uniform(6, 18),
                       random.uniform(0.02f, 0.5f));
}

class PairsAmongLargeBoxes : public ::testing::TestWithParam<float> {};

TEST_P(PairsAmongLargeBoxes, agree_with_brute_force) {
    for (const auto place : {crossing, all_one_way, crowd_of_ranges}) {
        Scene scene({"long_boxes", 0, 0, many, place, walk}, 2200, 5);
        ManyTwins worlds({.period_x = GetParam(), .period_y = GetParam()});
        Random random(place == crossing ? 1 : 2);
        std::vector<State> states = enough_states(place == all_one_way ? 4 : 5);
        states.resize(scaled(3, 1), states.front());
        for (const State& state : states) {
            bring_into(state, scene, worlds.twins(), random);
            ASSERT_TRUE(worlds.agree(scene, {0, 0, 0, 0, 9}, static_cast<Filtered>(random.below(4)),
                                     random.next(),
                                     {"pairs", "changes of pairs", "pairs with the static layer",
                                      "pairs of the static layer with agents"}));
            const Frame frame = worlds.twins().frame();
            EXPECT_EQ(frame.count_pairs({.within = 1.5f, .agents_as = AgentsAs::centres}).status, Status{});
            EXPECT_NE(state_behind(frame).centre_frame.load(), nullptr);
            scene.step();
        }
    }
}

// Without seams, and with some.
INSTANTIATE_TEST_SUITE_P(every, PairsAmongLargeBoxes, ::testing::Values(0.0f, 60.0f));

// Most scenes have a few rows, and the outermost rows are special. Here most casts begin and end far from
// them, in every direction, and cross some of the rows or all.
TEST(CastsInACrowd, agree_with_brute_force_in_every_direction) {
    const Scene scene = make_scene("uniform", scaled(40'000, 20'000));
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
    const auto asked = std::make_shared<Asked>();
    asked->cast(std::move(casts));
    const Expectation expected(twin_with(scene.boxes()).frame(), asked, {"casts"});
    for (const Isa isa : instruction_sets()) {
        const Engine engine = engine_with(scene.boxes(), {.isa = isa});
        EXPECT_GT(engine.frame().tuning().rows, 20u);
        EXPECT_TRUE(expected.met_by(engine.frame())) << to_string(isa);
    }
}

}  // namespace
}  // namespace throng::test
