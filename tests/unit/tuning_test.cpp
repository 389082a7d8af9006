// Which grid the engine chooses, and when it chooses anew: always the same for the same agents, the same for as long as
// they stay about where they are, and another one when there are twice as many, or half.
#include <algorithm>
#include <vector>

#include "gtest/gtest.h"
#include "support/printing.hpp"
#include "support/scenes.hpp"
#include "throng/engine.hpp"

namespace throng::test {
namespace {

// Cells so small that the grid ends before the agents do.
TEST(Tuning, keeps_a_fixed_grid_that_cannot_cover_everybody) {
    const std::vector<Box> agents = make_scene("lattice", 2000).agents();
    Engine engine({.cell_width = 0.1f, .row_height = 0.3f});
    for (int frame = 0; frame < 100; ++frame) ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    const Tuning tuning = engine.tuning();
    const auto end = tuning.origin_y + tuning.row_height * static_cast<float>(tuning.rows);
    EXPECT_TRUE(std::any_of(agents.begin(), agents.end(), [&](const Box& box) { return box.min_y > end; }));
    EXPECT_EQ(tuning.times_chosen, 1u);
}

}  // namespace
}  // namespace throng::test
