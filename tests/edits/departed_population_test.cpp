// When most of a large population has left, costs follow the agents that remain: no array by id is walked,
// and memory goes back.
#include "support/test.hpp"

namespace throng::test {
namespace {

// A crowd of which all but the last agents leave, in one commit.
class Departed {
public:
    Departed(std::size_t count, std::size_t remaining, bool labelled = false)
        : Departed(make_scene("uniform", count).agents(), remaining, labelled) {}
    Departed(std::vector<Box> crowd, std::size_t remaining, bool labelled = false)
        : agents(std::move(crowd)), first(agents.size() - remaining) {
        const std::size_t count = agents.size();
        std::vector<Label> labels(labelled ? count : 0, Label{3, 1});
        EXPECT_EQ(engine.update(Boxes::of(agents), {.labels = Labels::of(labels)}), Status{});
        std::vector<AgentId> ids(first);
        std::iota(ids.begin(), ids.end(), 0u);
        EXPECT_EQ(committed(engine, engine.remove(ids)), Status{});
    }
    void edit(std::size_t k) {
        const auto id = static_cast<AgentId>(first + k % (agents.size() - first));
        ASSERT_EQ(committed(engine, engine.move(id, agents[k])), Status{});
    }

    CountingResource memory;
    Engine engine{{.executor = serial_executor(), .memory = &memory}};
    std::vector<Box> agents;
    std::size_t first;
};

// So far apart that a plan for their islands takes a tile for each agent.
std::vector<Box> hamlets_of_a_continent(std::size_t count) {
    Random random(7);
    std::vector<Box> agents;
    while (agents.size() < count) {
        const float left = random.uniform(0, 1e6f), low = random.uniform(0, 1e6f);
        for (std::size_t i = 0; i < 200; ++i) {
            const float x = left + random.uniform(0, 10), y = low + random.uniform(0, 10);
            agents.push_back({x, y, x + 0.5f, y + 0.5f});
        }
    }
    return agents;
}

TEST(DepartedPopulation, leaves_its_memory_within_ten_commits) {
    for (const std::size_t remaining : {std::size_t{1}, std::size_t{40}, std::size_t{1000}}) {
        Departed world(400000, remaining);
        for (std::size_t k = 0; k < 10; ++k) world.edit(k);
        // A bit for each id, what one call may have in work spaces, and the agents that remain.
        EXPECT_LE(world.memory.bytes_out(), 700000 + 400 * remaining);
        EXPECT_TRUE(world.engine.validate().sound());
        EXPECT_EQ(world.engine.frame().size(), remaining);
    }
}

TEST(DepartedPopulation, leaves_no_room_for_planning_its_islands) {
    for (const std::size_t remaining : {std::size_t{1}, std::size_t{40}}) {
        Departed world(hamlets_of_a_continent(400000), remaining);
        for (std::size_t k = 0; k < 10; ++k) world.edit(k);
        // As above; what is too small to be given back of each of the plan's tables; and the places and
        // bounds of its islands' tiles.
        EXPECT_LE(world.memory.bytes_out(), 1050000 + 400 * remaining);
        EXPECT_TRUE(world.engine.validate().sound());
    }
}

TEST(DepartedPopulation, makes_no_calls_for_memory_in_later_commits) {
    Departed world(300000, 1);
    for (std::size_t k = 0; k < 10; ++k) world.edit(k);
    const std::uint64_t calls = world.memory.calls() + world.memory.returns();
    for (std::size_t k = 0; k < 100; ++k) world.edit(k);
    EXPECT_EQ(world.memory.calls() + world.memory.returns(), calls);
}

TEST(DepartedPopulation, comes_back_under_its_old_ids) {
    for (const bool labelled : {false, true}) {
        Departed world(50000, 3, labelled);
        for (std::size_t k = 0; k < 20; ++k) world.edit(k);
        std::vector<AgentId> ids(49997);
        ASSERT_EQ(committed(world.engine, world.engine.insert(Boxes::of(world.agents).part(0, 49997), ids)),
                  Status{});
        for (std::size_t i = 0; i < ids.size(); ++i) ASSERT_EQ(ids[i], i);
        EXPECT_EQ(world.engine.frame().size(), 50000u);
        EXPECT_TRUE(world.engine.validate().sound()) << ::testing::PrintToString(world.engine.validate());
        const std::uint64_t with_label =
            world.engine.frame().count({-1e9f, -1e9f, 1e9f, 1e9f}, {.categories = 2}).total;
        EXPECT_EQ(with_label, labelled ? 3u : 0u);
    }
}

// The answers about a dense crowd fill many times the memory that its agents need.
TEST(DepartedPopulation, leaves_no_work_spaces_when_half_of_it_is_gone) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    Random random(1);
    std::vector<Box> crowd;
    for (std::size_t i = 0; i < 4000; ++i) {
        const float x = random.uniform(0, 16), y = random.uniform(0, 16);
        crowd.push_back({x, y, x + 1, y + 1});
    }
    // A few that had left before are none that come back.
    for (const std::size_t few : {100u, 10u})
        ASSERT_EQ(engine.update(Boxes::of(crowd).part(0, few)), Status{});
    ASSERT_EQ(engine.update(Boxes::of(crowd)), Status{});
    const std::size_t before = memory.bytes_out();
    OverlapLists hits;
    ASSERT_EQ(engine.frame().overlaps(Boxes::of(crowd), hits), Status{});
    EXPECT_GE(memory.bytes_out(), 4 * before);
    crowd.resize(1900);
    for (int k = 0; k < 10; ++k) ASSERT_EQ(engine.update(Boxes::of(crowd)), Status{});
    EXPECT_LE(memory.bytes_out(), 2 * before);
}

// The first time it leaves, the tables go; since it came back, they are kept.
TEST(DepartedPopulation, allocates_nothing_once_it_has_left_and_come_back) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    const Scene scene = make_scene("uniform", 4000);
    const std::vector<Box> many = scene.agents();
    OverlapLists hits;
    std::uint64_t settled = 0;
    for (int turn = 0; turn < 40; ++turn)
        for (const std::size_t count : {many.size(), many.size() / 3}) {
            if (turn == 20) settled = memory.calls();
            ASSERT_EQ(engine.update(Boxes::of(many).part(0, count)), Status{});
            ASSERT_EQ(engine.frame().overlaps(Boxes::of(many), hits), Status{});
        }
    EXPECT_EQ(memory.calls(), settled);
}

}  // namespace
}  // namespace throng::test
