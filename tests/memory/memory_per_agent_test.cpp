// What an engine holds for each agent: while all of them move, and after batches with many answers.
#include <algorithm>
#include <new>
#include <random>

#include "support/test.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::test {
namespace {

void expect_at_most(std::size_t bytes_an_agent, const Executor& executor) {
    constexpr std::size_t agents = 100000;
    workload::World world = workload::make("crowd", agents);
    CountingResource memory;
    Engine engine({.executor = executor, .memory = &memory});
    PairList pairs;
    for (int frame = 0; frame < 10; ++frame) {
        world.step();
        const Boxes boxes =
            Boxes::centre_half(world.x.data(), world.y.data(), world.hx.data(), world.hy.data(), agents);
        ASSERT_EQ(engine.update(boxes), Status{});
        ASSERT_EQ(engine.frame().pairs(pairs), Status{});
    }
    EXPECT_LE(memory.bytes_out(), bytes_an_agent * agents) << executor.workers << " workers";
    EXPECT_EQ(engine.memory().total(), memory.bytes_out());
}

TEST(Memory, is_at_most_64_bytes_an_agent_while_all_move) { expect_at_most(64, serial_executor()); }

TEST(Memory, is_at_most_104_bytes_an_agent_where_up_to_16_workers_move_them) {
    for (const unsigned workers : {2u, 4u, 16u}) expect_at_most(104, backward_workplace(workers)->executor());
}

// A batch in random order, each box of which finds about sixty agents.
std::vector<Box> crowded_boxes(const std::vector<Box>& agents) {
    std::vector<Box> boxes = agents;
    for (Box& box : boxes) box = {box.min_x - 7, box.min_y - 7, box.max_x + 7, box.max_y + 7};
    std::shuffle(boxes.begin(), boxes.end(), std::mt19937(7));
    return boxes;
}

TEST(CrowdedBatch, keeps_less_memory_than_its_answers_take) {
    const Scene scene = make_scene("uniform", 30000);
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    const std::vector<Box> boxes = crowded_boxes(scene.agents());
    OverlapLists hits;
    ASSERT_EQ(engine.frame().overlaps(boxes, hits), Status{});
    EXPECT_LE(memory.bytes_out(), 4 * hits.ids().size());
}

// One agent in six stands in one of two piles, and their queries are the last of the batch: 170 answers on
// average, 1,000 there.
TEST(CrowdedBatch, keeps_no_answers_where_so_few_queries_could_wait_that_sorting_them_gains_nothing) {
    std::vector<Box> agents = make_scene("uniform", 10000).agents();
    std::shuffle(agents.begin(), agents.end(), std::mt19937(7));
    for (std::size_t i = 0; i < 2000; ++i) agents.push_back(agents[i % 2]);
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    OverlapLists hits;
    ASSERT_EQ(engine.frame().overlaps(agents, hits), Status{});
    EXPECT_GE(hits.ids().size(), 2000000u);
    EXPECT_LE(memory.bytes_out(), 2 * hits.ids().size());
}

TEST(CrowdedBatch, is_shared_by_all_workers_also_among_few_agents) {
    const Scene scene = make_scene("uniform", 2000);
    CountingExecutor executor(4);
    Engine engine({.executor = executor.executor()}), alone({.executor = serial_executor()});
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    ASSERT_EQ(alone.update(scene.boxes()), Status{});
    const std::vector<Box> some = crowded_boxes(scene.agents());
    std::vector<Box> boxes;
    for (int i = 0; i < 20; ++i) boxes.insert(boxes.end(), some.begin(), some.end());
    OverlapLists hits, expected;
    const std::uint64_t before = executor.blocks();
    ASSERT_EQ(engine.frame().overlaps(boxes, hits), Status{});
    EXPECT_GE(executor.blocks() - before, 16u);
    ASSERT_EQ(alone.frame().overlaps(boxes, expected), Status{});
    EXPECT_TRUE(equal_ranges(hits.ids(), expected.ids()));
    EXPECT_TRUE(equal_ranges(hits.offsets(), expected.offsets()));
}

// Refuses what a table by id would take.
class NoTables final : public MemoryResource {
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        return bytes > 1'000'000 ? nullptr : ::operator new(bytes, std::align_val_t(alignment));
    }
    void deallocate(void* memory, std::size_t, std::size_t alignment) noexcept override {
        ::operator delete(memory, std::align_val_t(alignment));
    }
};

TEST(ListsInRowOrder, take_memory_for_agents_and_not_for_ids) {
    std::vector<AgentId> ids;
    std::vector<Box> boxes;
    for (AgentId i = 0; i < 1000; ++i) {
        ids.push_back(1'000'000 * i + 999'999);
        const auto x = static_cast<float>(i % 32), y = static_cast<float>(i / 32);
        boxes.push_back({x, y, x + 0.5f, y + 0.5f});
    }
    for (const float period : {0.0f, 32.0f}) {
        NoTables memory;
        Engine engine(
            {.executor = serial_executor(), .memory = &memory, .period_x = period, .period_y = period});
        ASSERT_EQ(engine.update(ids, boxes), Status{});
        const Frame frame = engine.frame();
        NeighbourLists lists;
        EXPECT_EQ(frame.neighbours({.radius = 1, .in_row_order = true}, lists), Status{}) << period;
        EXPECT_EQ(frame.neighbours({.radius = 1, .half = true, .in_row_order = true}, lists), Status{})
            << period;
        EXPECT_EQ(frame.neighbours(Nearest{.count = 3, .in_row_order = true}, lists), Status{}) << period;
        std::size_t listed = 0;
        const auto look = [&](std::size_t, const NeighbourLists& some) { listed += some.size(); };
        EXPECT_EQ(frame.for_each_answer(Within{.radius = 1, .in_row_order = true}, lists, look,
                                        {.max_bytes = 10'000}),
                  Status{})
            << period;
        EXPECT_EQ(listed, ids.size());
    }
}

// In one cell they are first tried as one row, which is given back where some are too large for it.
TEST(FewAgents, take_no_more_memory_with_each_update) {
    const std::vector<Box> agents{{0, 0, 1, 1}, {2, 0, 3, 1}, {0, 0, 9, 9}};
    for (const float cell : {0.0f, 1000.0f}) {
        CountingResource memory;
        Engine engine({.executor = serial_executor(),
                       .memory = &memory,
                       .cell_width = cell,
                       .row_height = cell,
                       .common_size = 2});
        std::uint64_t calls = 0;
        for (int frame = 0; frame < 2000; ++frame) {
            ASSERT_EQ(engine.update(agents), Status{});
            if (frame == 20) calls = memory.calls();
        }
        EXPECT_EQ(memory.calls(), calls) << "cells of " << cell;
    }
}

}  // namespace
}  // namespace throng::test
