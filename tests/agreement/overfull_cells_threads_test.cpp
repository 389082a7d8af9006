// Cells with far more agents than usual, on several threads.
#include "support/overfull_worlds.hpp"
#include "support/test.hpp"
#include "worlds/scenes/crowded_boxes.hpp"

namespace throng::test {
namespace {

TEST(OverfullCells, give_their_pairs_in_one_order_to_every_executor) {
    for (const OverfullWorld& world : enough_of(overfull_worlds(), 2)) {
        std::vector<Pair> first;
        for (const std::unique_ptr<Workplace>& workplace : all_workplaces({2, 7})) {
            EngineConfig config = world.config;
            config.executor = workplace->executor();
            workplace->run([&] {
                PairList list = listed_pairs(engine_with(world.agents, config).frame());
                const std::vector<Pair> pairs(list.begin(), list.end());
                if (first.empty()) first = pairs;
                EXPECT_EQ(pairs, first) << world.name << ", " << workplace->name();
            });
        }
    }
}

TEST(OverfullCells, take_no_memory_once_they_have_settled) {
    for (const std::unique_ptr<Workplace>& workplace : all_workplaces({2})) {
        CountingResource memory;
        EngineConfig config = cells_of(0.3f, 0.4f, 1);
        config.memory = &memory;
        config.executor = workplace->executor();
        workplace->run([&] {
            Engine engine(config);
            PairList list;
            std::uint64_t settled = 0;
            for (std::uint64_t turn = 0; turn < 24; ++turn) {
                const std::vector<Box> given = crowded_boxes[4].make(3000, turn % 3);
                ASSERT_EQ(engine.update(Boxes::of(given)), Status{});
                ASSERT_TRUE(all_ok({engine.frame().pairs(list), engine.frame().count_pairs().status}));
                if (turn == 15) settled = memory.calls();
            }
            EXPECT_EQ(memory.calls(), settled) << workplace->name();
        });
    }
}

}  // namespace
}  // namespace throng::test
