// Edits in worlds with islands, against the twin: agents that walk from one island to another and out into
// the open, islands that are emptied and filled again, villages that drift away from where they were planned.
#include "support/engine_inside.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

constexpr std::size_t population = 2200;

Twins twins_in(const Scene& scene, const EngineConfig& config) {
    Twins twins(config);
    twins.update(scene.boxes());
    EXPECT_GT(twins.engine().frame().tuning().islands, 0u);
    return twins;
}

class IslandEdits : public ::testing::TestWithParam<SceneRecipe> {
protected:
    Scene scene_{GetParam(), population, 4};
    Random random_{11};

    Box anywhere() { return GetParam().place(random_, random_.below(population), 100); }
    Box step_of(AgentId id) { return GetParam().nudge(random_, scene_.agents()[id], 100); }
    AgentId any_agent() { return static_cast<AgentId>(random_.below(population)); }

    // Few of them, so that rows are edited and not rebuilt.
    void edit(Twins& twins) {
        AgentId fresh = no_agent;
        for (std::size_t left = 1 + random_.below(40); left > 0; --left) {
            const AgentId id = any_agent();
            if (random_.one_in(4)) {
                twins.insert(anywhere(), fresh);
            } else if (twins.knows(id)) {
                if (random_.one_in(3))
                    twins.remove(id);
                else
                    twins.move(id, random_.one_in(2) ? anywhere() : step_of(id));
            }
        }
    }
};

TEST_P(IslandEdits, leave_the_engine_and_its_twin_in_agreement) {
    ThreadPool pool(3);
    std::size_t run = 0;
    for (const Isa isa : instruction_sets()) {
        Twins twins =
            twins_in(scene_, {.executor = run++ % 2 == 0 ? pool.executor() : serial_executor(), .isa = isa});
        for (std::size_t round = 0; round < scaled(40, 10); ++round) {
            edit(twins);
            // More than twice now: the world is rebuilt from what there is.
            for (AgentId id = 0; round % 16 == 9 && id < population; id += 2)
                if (twins.knows(id)) twins.move(id, anywhere());
            twins.commit();
            if (round % 16 == 15) twins.update(scene_.agents());
            if (round % 4 == 1 || round > 36)
                ASSERT_TRUE(twins.agree(scene_.queries(30, round)))
                    << GetParam().name << ", round " << round << ", " << to_string(isa);
            else
                ASSERT_TRUE(twins.engine().validate().sound()) << "round " << round;
        }
    }
}

// All agents of one island, to the agents' own boxes on another one.
TEST_P(IslandEdits, empty_an_island_and_fill_it_again) {
    Twins twins = twins_in(scene_, {});
    const std::uint32_t islands = twins.engine().frame().tuning().islands;
    for (AgentId id = 0; id < 150; ++id) twins.move(id, scene_.agents()[(id + 750) % population]);
    twins.commit();
    EXPECT_EQ(twins.engine().frame().tuning().islands, islands) << "islands are kept where they were planned";
    ASSERT_TRUE(twins.agree(scene_.queries(40, 1))) << "emptied";
    for (AgentId id = 0; id < 150; ++id) twins.remove(id);
    twins.commit();
    ASSERT_TRUE(twins.agree(scene_.queries(40, 2))) << "removed";
    AgentId fresh = no_agent;
    for (AgentId id = 0; id < 150; ++id) twins.insert(scene_.agents()[id], fresh);
    twins.commit();
    ASSERT_TRUE(twins.agree(scene_.queries(40, 3))) << "filled again";
    EXPECT_EQ(twins.engine().frame().fingerprint(), engine_with(scene_.boxes()).frame().fingerprint());
}

// Rows come to the same, whether they were rebuilt or made edit by edit, as long as the plan stays.
TEST_P(IslandEdits, come_to_the_same_bytes_as_a_bulk_update) {
    Twins twins = twins_in(scene_, {.executor = serial_executor()});
    std::vector<Box> boxes = scene_.agents();
    for (std::size_t round = 0; round < 20; ++round) {
        for (int i = 0; i < 30; ++i) {
            const AgentId id = any_agent();
            boxes[id] = random_.one_in(3) ? anywhere() : GetParam().nudge(random_, boxes[id], 100);
            twins.move(id, boxes[id]);
        }
        twins.commit();
    }
    Engine bulk = engine_with(scene_.boxes(), {.executor = serial_executor()});
    ASSERT_EQ(bulk.update(Boxes::of(boxes)), Status{});
    ASSERT_EQ(bulk.frame().tuning().islands, twins.engine().frame().tuning().islands);
    EXPECT_EQ(strays_of(bulk.frame()), strays_of(twins.engine().frame()));
    EXPECT_EQ(bulk.frame().fingerprint(), twins.engine().frame().fingerprint());
}

INSTANTIATE_TEST_SUITE_P(every, IslandEdits, enough_island_worlds(0), scene_name);

// --- Agents on their way -----------------------------------------------------------------------------------

enum class By { updates, edits };

class DriftingVillages : public ::testing::TestWithParam<By> {
protected:
    std::uint64_t strays_at_last_ = 0;

    // One step of the whole way, for every agent that `goes` selects.
    template <class Goes>
    void travel(float step_x, float step_y, std::size_t frames, const Goes& goes) {
        const Scene scene = make_island_scene("villages", population, 4);
        std::vector<Box> boxes = scene.agents();
        Twins twins = twins_in(scene, {});
        for (std::size_t frame = 0; frame < frames; ++frame) {
            for (AgentId id = 0; id < population; ++id) {
                if (!goes(id)) continue;
                // Villages go to all sides.
                const float x = id / 150 % 2 == 0 ? step_x : -step_x,
                            y = id / 150 % 3 == 0 ? step_y : -step_y;
                Box& box = boxes[id];
                box = {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y};
                if (GetParam() == By::edits) twins.move(id, box);
            }
            GetParam() == By::edits ? twins.commit() : twins.update(boxes);
            ASSERT_TRUE(twins.engine().validate().sound()) << "frame " << frame;
            if (frame % 10 != 9) continue;
            ASSERT_TRUE(twins.agree(scene.queries(30, frame))) << "frame " << frame;
        }
        EXPECT_GT(twins.engine().frame().tuning().islands, 0u) << "there still are villages";
        strays_at_last_ = strays_of(twins.engine().frame());
    }
};

TEST_P(DriftingVillages, are_followed) {
    travel(1.5f, 0.75f, 100, [](AgentId) { return true; });
    EXPECT_LT(strays_at_last_, population / 3) << "islands are where the villages are";
}
TEST_P(DriftingVillages, are_followed_when_few_of_their_people_go) {
    travel(1.5f, 0.75f, 100, [](AgentId id) { return id % 150 < 20; });
}
TEST_P(DriftingVillages, are_followed_when_they_hurry) {
    travel(60, -25, 40, [](AgentId id) { return id / 150 % 3 != 1; });
}

std::string way_name(const ::testing::TestParamInfo<By>& info) {
    return info.param == By::updates ? "by_updates" : "by_edits";
}

INSTANTIATE_TEST_SUITE_P(all, DriftingVillages, ::testing::Values(By::updates, By::edits), way_name);

// From one island to another, and on the way in the open.
TEST(Wanderers, are_found_all_along_their_way) {
    const Scene scene = make_island_scene("villages_far_away", population, 4);
    Twins twins = twins_in(scene, {});
    constexpr int steps = 30;
    const std::uint64_t strays = strays_of(twins.engine().frame());
    std::uint64_t most = 0;
    for (int step = 1; step <= steps; ++step) {
        const float t = static_cast<float>(step) / steps;
        for (AgentId id = 0; id < population; id += 11) {
            const Box &from = scene.agents()[id], &to = scene.agents()[(id + 700) % population];
            const float x = from.min_x * (1 - t) + to.min_x * t, y = from.min_y * (1 - t) + to.min_y * t;
            twins.move(id, {x, y, x + 0.75f, y + 0.75f});
        }
        twins.commit();
        most = std::max(most, strays_of(twins.engine().frame()));
        ASSERT_TRUE(twins.agree(scene.queries(30, static_cast<std::uint64_t>(step)))) << "step " << step;
    }
    EXPECT_GE(most, strays + population / 12) << "they were in the open";
    EXPECT_LE(strays_of(twins.engine().frame()), strays + 10) << "and have arrived";
}

}  // namespace
}  // namespace throng::test
