// What a settled simulation holds for each agent while all of them move.
#include "bench/common/workload.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(Memory, is_at_most_64_bytes_an_agent_while_all_move) {
    constexpr std::size_t agents = 100000;
    workload::World world = workload::make("crowd", agents);
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    PairList pairs;
    for (int frame = 0; frame < 10; ++frame) {
        world.step();
        const Boxes boxes =
            Boxes::centre_half(world.x.data(), world.y.data(), world.hx.data(), world.hy.data(), agents);
        ASSERT_EQ(engine.update(boxes), Status{});
        ASSERT_EQ(engine.frame().pairs(pairs), Status{});
    }
    EXPECT_LE(memory.bytes_out(), 64 * agents);
    EXPECT_EQ(engine.memory().total(), memory.bytes_out());
}

}  // namespace
}  // namespace throng::test
