// What a frame costs is known before it is published: a frame that turned out too expensive is built once more, on a plan
// for its own agents. And what did not help is not tried again and again.
#include "engine/src/plan/sample.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t count = 4000;

std::vector<Box> crowd(std::uint64_t seed, float scale = 1) {
    Random random(seed);
    const float side = 2 * std::sqrt(static_cast<float>(count)) * scale;
    std::vector<Box> agents;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = random.uniform(0, side), y = random.uniform(0, side);
        agents.push_back(Box::around(x, y, 0.4f * scale, 0.4f * scale));
    }
    return agents;
}
std::vector<Box> pile() { return std::vector<Box>(count, Box{0, 0, 1, 1}); }

Tuning after(Engine& engine, const std::vector<Box>& agents) {
    EXPECT_EQ(engine.update(Boxes::of(agents)), Status{});
    return engine.tuning();
}

// --- The sample --------------------------------------------------------------------------------------------

TEST(Sample, takes_one_of_each_stratum_in_ascending_order) {
    for (const std::size_t agents : {1000u, 1024u, 100'003u, 5'000'000u}) {
        constexpr std::size_t wanted = 1000;
        for (std::size_t k = 0; k < wanted; ++k) {
            const std::size_t id = detail::sampled(k, wanted, agents);
            ASSERT_GE(id + 1, std::uint64_t{k} * agents / wanted) << agents;
            ASSERT_LE(id, std::uint64_t{k + 1} * agents / wanted) << agents;
            if (k != 0) {
                ASSERT_GT(id, detail::sampled(k - 1, wanted, agents)) << agents;
            }
        }
    }
}

TEST(Sample, keeps_step_with_no_stride) {
    constexpr std::size_t wanted = 2048, agents = 1 << 20;
    for (const std::size_t stride : {2u, 3u, 48u, 64u, 512u, 1024u}) {
        std::size_t first = 0;
        for (std::size_t k = 0; k < wanted; ++k) first += detail::sampled(k, wanted, agents) % stride == 0;
        EXPECT_LE(first, 2 * wanted / stride + 16) << stride;
        EXPECT_GE(first + 16, wanted / stride / 2) << stride;
    }
}

// --- Frames that are built once more -----------------------------------------------------------------------

TEST(Planning, builds_the_frame_in_which_a_spawned_crowd_spreads_on_a_grid_for_it) {
    Engine engine;
    (void)after(engine, pile());
    const Tuning spread = after(engine, crowd(1));
    EXPECT_LE(spread.sharing, 3 * count);
    EXPECT_GE(spread.times_rebuilt, 1u);
    for (int frame = 0; frame < 10; ++frame)
        EXPECT_EQ(after(engine, crowd(1)).times_rebuilt, spread.times_rebuilt)
            << "the grid fits from then on";
}

TEST(Planning, leaves_a_world_alone_that_no_plan_makes_cheaper) {
    Engine engine;
    const std::uint64_t tried = after(engine, pile()).times_rebuilt;
    for (int frame = 0; frame < 100; ++frame) (void)after(engine, pile());
    EXPECT_LE(engine.tuning().times_rebuilt, tried + 2);
}

TEST(Planning, builds_no_frame_of_worlds_in_turns_more_than_twice_again) {
    Engine engine;
    const std::vector<Box> small = crowd(1), large = crowd(2, 1000);
    for (int frame = 0; frame < 40; ++frame) {
        const std::uint64_t before = engine.tuning().times_rebuilt;
        const Tuning tuning = after(engine, frame % 2 == 0 ? small : large);
        EXPECT_LE(tuning.times_rebuilt, before + 2);
        EXPECT_LE(tuning.sharing, 20 * count) << "frame " << frame;
    }
}

TEST(Planning, never_rebuilds_a_crowd_that_walks) {
    Engine engine;
    std::vector<Box> agents = crowd(3);
    Random random(4);
    for (int frame = 0; frame < 100; ++frame) {
        for (Box& box : agents) {
            const float x = random.uniform(-0.5f, 0.5f), y = random.uniform(-0.5f, 0.5f);
            box = {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y};
        }
        EXPECT_EQ(after(engine, agents).times_rebuilt, 0u);
    }
}

TEST(Planning, follows_a_crowd_that_spreads_by_single_edits) {
    Engine engine;
    (void)after(engine, pile());
    const std::vector<Box> goal = crowd(5);
    for (AgentId id = 0; id < count; ++id) {
        ASSERT_EQ(engine.move(id, goal[id]), Status{});
        if (id % 40 == 39) {
            ASSERT_EQ(engine.commit(), Status{});
        }
    }
    EXPECT_LE(engine.tuning().sharing, 6 * count);
    EXPECT_LE(engine.tuning().times_rebuilt, 16u);
    EXPECT_TRUE(engine.validate().sound());
}

// What edits add to the count is what a bulk update finds.
TEST(Planning, counts_the_same_after_edits_as_after_an_update) {
    std::vector<Box> agents = crowd(6);
    const EngineConfig config{.executor = serial_executor(), .cell_width = 3, .row_height = 7};
    Engine edited = engine_with(agents, config), made = engine_with(agents, config);
    Random random(7);
    for (std::size_t round = 0; round < 20; ++round) {
        for (std::size_t k = 0; k < 1 + round * 20; ++k) {
            const auto id = static_cast<AgentId>(random.below(count));
            const float size = random.one_in(10) ? 6.0f : 0.4f;
            const float x = random.uniform(0, 130), y = random.uniform(0, 130);
            agents[id] = Box::around(x, y, size, size);
            ASSERT_EQ(edited.move(id, agents[id]), Status{});
        }
        ASSERT_EQ(edited.commit(), Status{});
        ASSERT_EQ(made.update(Boxes::of(agents)), Status{});
        ASSERT_EQ(edited.tuning().sharing, made.tuning().sharing) << "round " << round;
    }
}

TEST(Planning, counts_few_agents_also_after_edits) {
    const std::vector<Box> agents(20, Box::around(1, 2, 1, 1));
    Engine engine({.executor = serial_executor()});
    ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.tuning().sharing, 20 * 19 / 2u);
    ASSERT_EQ(engine.remove(AgentId{7}), Status{});
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.tuning().sharing, 19 * 18 / 2u);
}

}  // namespace
}  // namespace throng::test
