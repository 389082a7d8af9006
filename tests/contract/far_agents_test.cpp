// Distance costs nothing: memory and work follow how many agents there are, not how far apart.
#include "support/test.hpp"

namespace throng::test {
namespace {

Engine engine_with(const std::vector<Box>& agents) {
    // On one thread, so that what is measured does not depend on the machine.
    Engine engine({.executor = serial_executor()});
    // The second frame takes the place of what the first needed besides.
    EXPECT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_TRUE(engine.validate().sound());
    return engine;
}

TEST(FarAgent, costs_no_memory_by_its_distance) {
    std::vector<Box> agents = make_scene("uniform", 10000).agents();
    const std::size_t near = engine_with(agents).memory().total();
    for (const float distance : {1e6f, 1e15f, 1e30f, 3e38f}) {
        agents[1234] = Box::around(distance, -distance, 1, 1);
        EXPECT_LE(engine_with(agents).memory().total(), near + near / 2) << distance;
    }
}

TEST(FarAgents, in_every_direction_cost_no_memory_by_their_distance) {
    std::vector<Box> agents = make_scene("uniform", 10000).agents();
    const std::size_t near = engine_with(agents).memory().total();
    agents[0] = Box::around(1e30f, 0, 1, 1);
    agents[1] = Box::around(-1e30f, 0, 1, 1);
    agents[2] = Box::around(0, 1e30f, 1, 1);
    agents[3] = Box::around(0, -1e30f, 1, 1);
    EXPECT_LE(engine_with(agents).memory().total(), near + near / 2);
}

TEST(FarAgent, does_not_make_queries_slower) {
    std::vector<Box> agents = make_scene("uniform", 10000).agents();
    const std::vector<Box> queries = agents;
    const std::uint64_t near = engine_with(agents).frame().explain(Boxes::of(queries)).tested;
    agents[1234] = Box::around(1e30f, 1e30f, 1, 1);
    EXPECT_LE(engine_with(agents).frame().explain(Boxes::of(queries)).tested, near + near / 2);
}

TEST(FarAgent, is_found_where_it_is) {
    std::vector<Box> agents = make_scene("uniform", 10000).agents();
    for (const float distance : {1e15f, -1e30f, 3e38f}) {
        agents[1234] = Box::around(distance, -distance, 1, 1);
        const Engine engine = engine_with(agents);
        EXPECT_EQ(hits_of(engine.frame(), agents[1234]), std::vector<AgentId>{1234}) << distance;
    }
}

TEST(FarAgents, scattered_over_the_whole_range_cost_memory_by_their_number) {
    const std::size_t near = engine_with(make_scene("uniform", 10000).agents()).memory().total();
    for (const char* scene : {"huge_numbers", "tiny_numbers", "two_worlds", "slivers"})
        EXPECT_LE(engine_with(make_scene(scene, 10000).agents()).memory().total(), near * 3) << scene;
    // Any bits: two hundred octaves along both axes, each with grids and rows of its own.
    EXPECT_LE(engine_with(make_scene("any_numbers", 10000).agents()).memory().total(), near * 11 / 2);
}

TEST(FarCells, that_a_host_asked_for_cost_no_memory_by_their_number) {
    // A cell that is far too small for the world would need more of them than there is memory.
    const std::size_t near = engine_with(make_scene("uniform", 10000).agents()).memory().total();
    Engine engine({.cell_width = 1e-6f, .row_height = 1e-6f});
    const Scene scene = make_scene("two_worlds", 10000);
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    EXPECT_TRUE(engine.validate().sound());
    EXPECT_LE(engine.memory().total(), near * 20);
    oracle::BruteForce twin;
    ASSERT_EQ(twin.update(scene.boxes()), Status{});
    EXPECT_TRUE(answers_as(engine.frame(), expect(twin.frame(), scene.queries(50))));
}

}  // namespace
}  // namespace throng::test
