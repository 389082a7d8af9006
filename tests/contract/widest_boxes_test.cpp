// Boxes and worlds wider than the largest float are legal. Numbers computed from them may be infinite, and
// infinity times zero is not a number. None of them may be converted to an integer, which the undefined
// behaviour sanitizer watches, and the answers are those of brute force.
#include "support/test.hpp"
#include "worlds/scenes/widest_worlds.hpp"

namespace throng::test {
namespace {

TEST(WidestBoxes, are_kept_and_found) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{40}, scaled(1200, 300)})
        for (const WidestWorld& world : widest_worlds(count)) {
            const ExpectedAnswers expected = expect(twin_with(world.boxes).frame(), queries_of(world));
            for (const EngineConfig& config :
                 {EngineConfig{}, EngineConfig{.cell_width = 1, .row_height = 1},
                  EngineConfig{.common_size = 1},
                  EngineConfig{.cell_width = 1e30f, .row_height = 1e30f, .common_size = 1e30f}}) {
                Engine engine(config);
                for (int frame = 0; frame < 2; ++frame) {
                    ASSERT_EQ(engine.update(Boxes::of(world.boxes)), Status{}) << world.name;
                    ASSERT_TRUE(answers_as(engine.frame(), expected)) << world.name << ", " << count;
                }
                EXPECT_TRUE(engine.validate().sound()) << world.name;
                ASSERT_EQ(engine.move(0, world.boxes.back()), Status{});
                ASSERT_EQ(committed(engine, engine.move(0, world.boxes[0])), Status{});
                ASSERT_TRUE(answers_as(engine.frame(), expected)) << world.name << ", after an edit";
            }
        }
}

}  // namespace
}  // namespace throng::test
