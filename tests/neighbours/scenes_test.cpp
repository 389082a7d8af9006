// Neighbours on every scene, on every instruction set, against brute force: within a radius and the nearest, of all
// agents and of points, with labels and without, after updates and after edits.
#include "support/filtered_answers.hpp"
#include "support/neighbour_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Each scene has random numbers of its own, so that all kinds of neighbourhoods are met somewhere.
std::uint64_t seed_of(std::string_view scene) {
    std::uint64_t seed = 11;
    for (const char letter : scene) seed = seed * 31 + static_cast<unsigned char>(letter);
    return seed;
}

class NeighbourScene : public ::testing::TestWithParam<SceneRecipe> {
protected:
    NeighbourScene() {
        for (const Isa isa : instruction_sets())
            engines_.emplace_back(EngineConfig{
                .executor = engines_.size() % 2 == 0 ? pool_.executor() : serial_executor(), .isa = isa});
    }
    void update(const Scene& scene, const Labels& labels) {
        ASSERT_EQ(twin_.update(scene.boxes(), labels), Status{});
        for (Engine& engine : engines_) ASSERT_EQ(engine.update(scene.boxes(), labels), Status{});
    }
    Filter filter(bool labelled, std::size_t agents) {
        if (!labelled && !random_.one_in(4)) return {};
        return random_filter(random_, agents);
    }
    void expect_agreement(const Scene& scene, bool labelled, std::size_t rounds) {
        const std::size_t agents = scene.agents().size();
        for (std::size_t round = 0; round < rounds; ++round) {
            const RandomNeighbourhood of_agents(random_, scene.agents(), agents, true);
            const RandomNeighbourhood of_points(random_, scene.agents(), agents, false);
            const std::vector<Point> points = random_points(random_, scene.agents(), agents);
            std::vector<Filter> each;
            for (std::size_t i = 0; i < agents; ++i) each.push_back(filter(labelled, agents));
            const Filter one = filter(labelled, agents);
            const Filters filters = random_.one_in(3)   ? Filters::of(each)
                                    : random_.one_in(2) ? Filters::each_without_itself(one)
                                                        : Filters(one);
            std::vector<Frame> frames;
            for (const Engine& engine : engines_) frames.push_back(engine.frame());
            ASSERT_TRUE(agents_agree(frames, twin_.frame(), of_agents.wanted(), filters))
                << GetParam().name << ", round " << round;
            ASSERT_TRUE(points_agree(frames, twin_.frame(), points, of_points.wanted(), filters))
                << GetParam().name << ", round " << round;
        }
    }
    void compare(std::size_t agents, bool labelled, std::size_t rounds) {
        const Scene scene(GetParam(), std::min(agents, GetParam().max_count), agents);
        const std::vector<Label> labels = random_labels(random_, labelled ? scene.agents().size() : 0);
        update(scene, Labels::of(labels));
        if (!HasFatalFailure()) expect_agreement(scene, labelled, rounds);
    }

    ThreadPool pool_{3};
    std::vector<Engine> engines_;
    oracle::BruteForce twin_;
    Random random_{seed_of(GetParam().name)};
};

// A list in a pile has all of them.
std::size_t some_agents() { return std::min<std::size_t>(600, scaled(6000, 250)); }

TEST_P(NeighbourScene, are_those_that_brute_force_finds) { compare(some_agents(), false, scaled(12, 3)); }

TEST_P(NeighbourScene, are_those_that_brute_force_finds_with_labels) {
    compare(some_agents(), true, scaled(10, 2));
}

TEST_P(NeighbourScene, are_those_that_brute_force_finds_among_very_few) {
    for (const std::size_t agents : {1u, 2u, 7u, 8u, 9u, 17u, 33u})
        compare(agents, agents % 2 == 0, scaled(12, 3));
}

TEST_P(NeighbourScene, are_those_that_brute_force_finds_among_many) { compare(scaled(4000, 700), false, 2); }

INSTANTIATE_TEST_SUITE_P(every, NeighbourScene, enough_scenes(3), scene_name);

using NearestNeighbours = NeighbourScene;

// Packets of queriers have other kernels for up to eight than for more.
TEST_P(NearestNeighbours, are_those_that_brute_force_finds_however_many_are_wanted) {
    const Scene scene(GetParam(), scaled(1000, 400), 5);
    update(scene, {});
    std::vector<Frame> frames;
    for (const Engine& engine : engines_) frames.push_back(engine.frame());
    for (const std::uint32_t max_count : {8u, 9u, 16u, 17u, 33u, 63u, 64u})
        for (const float radius : {std::numeric_limits<float>::infinity(), 3.0f})
            ASSERT_TRUE(
                agents_agree(frames, twin_.frame(),
                             {.radius = radius, .max_count = max_count, .distances = max_count % 2 == 0}))
                << max_count << " within " << radius;
}

// In a lattice many are as far as others.
std::vector<SceneRecipe> plain_and_even_scenes() {
    std::vector<SceneRecipe> some;
    for (const SceneRecipe& recipe : scene_recipes())
        for (const std::string_view name : {"lattice", "uniform", "clustered"})
            if (recipe.name == name) some.push_back(recipe);
    return some;
}

INSTANTIATE_TEST_SUITE_P(some, NearestNeighbours, ::testing::ValuesIn(plain_and_even_scenes()), scene_name);

// Each world on one instruction set, another one in the next: the lists of thousands are long.
class IslandNeighbours : public NeighbourScene {
protected:
    IslandNeighbours() {
        std::swap(engines_[0], engines_[seed_of(GetParam().name) % engines_.size()]);
        engines_.erase(engines_.begin() + 1, engines_.end());
    }
};

TEST_P(IslandNeighbours, are_those_that_brute_force_finds) {
    compare(enough_for_islands, false, scaled(5, 1));
    for (const Engine& engine : engines_) EXPECT_GT(engine.frame().tuning().islands, 0u);
}

TEST_P(IslandNeighbours, are_those_that_brute_force_finds_with_labels) {
    compare(enough_for_islands, true, scaled(4, 1));
}

// From the third on: in another third, at the ends of the floats, each list has all agents, which only larger scales can afford.
INSTANTIATE_TEST_SUITE_P(every, IslandNeighbours, enough_island_worlds(2), scene_name);

// The first packet of queriers has more candidates than fit, which the next one finds where its own would be.
TEST(ThePacketBefore, leaves_nothing_to_queriers_with_fewer_neighbours_than_are_wanted) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < 150; ++i) {
        const float x = 0.5f * static_cast<float>(i);
        boxes.push_back({x, 0, x, 0});
    }
    std::vector<Point> points;
    for (std::size_t i = 0; i < 32; ++i) {
        const auto k = static_cast<float>(i % 16);
        points.push_back({i < 16 ? 4.25f * k : 64.1f + 0.01f * k, 0});
    }
    oracle::BruteForce twin = twin_with(boxes);
    for (const Isa isa : instruction_sets()) {
        const Frame frame =
            engine_with(boxes,
                        {.executor = serial_executor(), .cell_width = 1000, .row_height = 1000, .isa = isa})
                .frame();
        EXPECT_TRUE(points_agree({&frame, 1}, twin.frame(), points, {.radius = 0.75f, .max_count = 8}));
    }
}

}  // namespace
}  // namespace throng::test
