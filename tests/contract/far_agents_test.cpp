// Distance costs nothing: memory and work depend on how many agents there are, not on how far apart they are.
#include "support/test.hpp"

namespace throng::test {
namespace {

Engine settled_engine_with(const std::vector<Box>& agents) {
    // On one thread, so that the numbers do not depend on the machine.
    Engine engine({.executor = serial_executor()});
    // The second frame takes the place of what making the first one needed besides.
    EXPECT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_TRUE(engine.validate().sound());
    return engine;
}

// One agent far away, or one in each direction.
TEST(FarAgents, cost_no_memory_and_no_work_by_their_distance_and_are_found) {
    const std::vector<Box> near_ones = make_scene("uniform", 10000).agents();
    const Engine near = settled_engine_with(near_ones);
    const std::uint64_t tested = near.frame().explain(Boxes::of(near_ones)).tested;
    for (const float distance : {1e6f, 1e15f, -1e30f, 3e38f})
        for (const std::size_t directions : {1u, 4u}) {
            std::vector<Box> agents = near_ones;
            for (std::size_t i = 0; i < directions; ++i) {
                const float x = i < 2 ? distance : -distance, y = i % 2 == 0 ? -distance : distance;
                agents[1234 + i] = Box::around(x, y, 1, 1);
            }
            const Engine engine = settled_engine_with(agents);
            EXPECT_LE(engine.memory().total(), near.memory().total() * 3 / 2) << distance;
            EXPECT_LE(engine.frame().explain(Boxes::of(near_ones)).tested, tested * 3 / 2) << distance;
            EXPECT_EQ(hits_of(engine.frame(), agents[1234]), std::vector<AgentId>{1234}) << distance;
        }
}

TEST(FarAgents, scattered_over_the_whole_range_cost_memory_by_their_number) {
    const std::size_t near = settled_engine_with(make_scene("uniform", 10000).agents()).memory().total();
    for (const char* scene : {"huge_numbers", "tiny_numbers", "two_worlds", "slivers"})
        EXPECT_LE(settled_engine_with(make_scene(scene, 10000).agents()).memory().total(), near * 4) << scene;
    // Any bits: two hundred octaves along both axes, each with grids and rows of its own.
    EXPECT_LE(settled_engine_with(make_scene("any_numbers", 10000).agents()).memory().total(), near * 11 / 2);
}

TEST(FarCells, that_a_host_asked_for_cost_no_memory_by_their_number) {
    // With a cell that is far too small for the world there would be more cells than fit into memory.
    const std::size_t near = settled_engine_with(make_scene("uniform", 10000).agents()).memory().total();
    const Scene scene = make_scene("two_worlds", 10000);
    Engine engine = engine_with(scene.boxes(), {.cell_width = 1e-6f, .row_height = 1e-6f});
    EXPECT_TRUE(engine.validate().sound());
    EXPECT_LE(engine.memory().total(), near * 20);
    EXPECT_TRUE(answers_as(engine.frame(), expect(twin_with(scene.boxes()).frame(), scene.queries(50))));
}

}  // namespace
}  // namespace throng::test
