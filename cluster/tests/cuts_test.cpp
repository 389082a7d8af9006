// New cuts move few agents.
#include <cmath>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/test.hpp"

namespace throng::test {

using cluster::ClusterEngine;

// Without kept directions, cuts of such a crowd move up to twice as many.
TEST(ClusterCuts, of_a_drifting_crowd_move_few_agents) {
    if (rank_count() == 1) return;
    constexpr std::size_t count = 6000;
    constexpr int frames = 60;
    const float side = 2 * std::sqrt(float(count));
    Random random(31);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), 0.5f, 0.5f));
    ClusterEngine engine(MPI_COMM_WORLD);
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    std::uint64_t cuts = 0, sent = 0;
    for (int frame = 0; frame < frames; ++frame) {
        ASSERT_TRUE(engine.update(held.view()).ok());
        if (frame != 0 && engine.report().partitioned) {
            ++cuts;
            for (const std::uint64_t one : gathered(std::vector{engine.report().sent})) sent += one;
        }
        held.take(engine.owned());
        for (std::size_t i = 0; i < held.ids.size(); ++i) {
            const float speed = float(place_of(held.ids[i]) * 7919 % 1000) / 500;
            const Point at = held.boxes[i].centre();
            const bool gathers = frame < frames / 3;
            held.boxes[i] = Box::around(gathers ? at.x * 0.98f : at.x + speed,
                                        gathers ? at.y * 0.99f : at.y * 1.006f + speed / 2, 0.5f, 0.5f);
        }
    }
    EXPECT_GE(cuts, 2u);
    EXPECT_LT(double(sent), 0.25 * double(cuts) * double(count)) << cuts << " cuts";
}

}  // namespace throng::test
