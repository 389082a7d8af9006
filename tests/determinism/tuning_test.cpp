// The grid for the same agents is the same on every executor and instruction set.
#include "support/everywhere.hpp"
#include "support/test.hpp"
#include "support/tuning_of.hpp"

namespace throng::test {
namespace {

// Everything but how often a grid was chosen.
void expect_same_choice(const Tuning& a, const Tuning& b) {
    EXPECT_EQ(a.cell_width, b.cell_width);
    EXPECT_EQ(a.row_height, b.row_height);
    EXPECT_EQ(a.origin_x, b.origin_x);
    EXPECT_EQ(a.origin_y, b.origin_y);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.common_width, b.common_width);
    EXPECT_EQ(a.common_height, b.common_height);
    EXPECT_EQ(a.oversized, b.oversized);
    EXPECT_EQ(a.islands, b.islands);
    EXPECT_EQ(a.crowding, b.crowding);
    EXPECT_EQ(a.reason, b.reason);
}

class SameTuning : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(SameTuning, on_every_executor_and_instruction_set) {
    const Scene scene(GetParam(), 3000, 3);
    const Tuning first = tuning_of(scene);
    everywhere({3, 8},
               [&](const EngineConfig& config) { expect_same_choice(first, tuning_of(scene, config)); });
}

INSTANTIATE_TEST_SUITE_P(every, SameTuning, enough_scenes(2), scene_name);
INSTANTIATE_TEST_SUITE_P(islands, SameTuning, enough_island_worlds(1), scene_name);

}  // namespace
}  // namespace throng::test
