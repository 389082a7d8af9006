// Towers: agents on very many storeys, whose heights move or which stand beside others. A look around an
// agent at its own heights must not take many more steps than in a plain crowd.
#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/src/frame/frame_state.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"
#include "worlds/hunted/steps.hpp"

namespace throng::test {
namespace {

constexpr std::size_t agents_of_towers = 20'000;

struct Towers {
    std::vector<Box> boxes;
    std::vector<Band> heights;

    void rise(float by) {
        for (Band& band : heights) band = {band.min_z + by, band.max_z + by};
    }
};

// Each storey is as crowded as the streets around. With no towers, this is the plain crowd.
Towers stand(int towers, int storeys, float apart) {
    Random random(8);
    Towers all;
    const float side = 1.2f * std::sqrt(static_cast<float>(agents_of_towers) /
                                        static_cast<float>(std::max(towers * storeys, 1)));
    for (std::size_t i = 0; i < agents_of_towers; ++i) {
        const float x = random.uniform(0, side), y = random.uniform(0, side);
        const float base = 3 * std::floor(random.uniform(0, static_cast<float>(storeys)));
        all.boxes.push_back(
            Box::around(x + apart * static_cast<float>(i % static_cast<std::size_t>(std::max(towers, 1))), y,
                        0.4f, 0.4f));
        if (towers != 0) all.heights.push_back({base, base + 1.8f});
    }
    return all;
}

double steps_around(const Frame& frame, const Towers& towers) {
    double steps = 0;
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < towers.boxes.size(); i += 37) {
        const Box box = towers.boxes[i].grown(1.1f);
        const Explain cost = frame.explain(
            Boxes::of({&box, 1}), Filter{.heights = towers.heights.empty() ? Band{} : towers.heights[i]});
        EXPECT_EQ(cost.status, Status{});
        steps += worlds::weighted_steps(cost);
        all += cost.queries + cost.hits;
    }
    return steps / static_cast<double>(all);
}

double steps_in_a_crowd() {
    static const double steps = [] {
        const Towers none = stand(0, 0, 0);
        return steps_around(engine_with(none.boxes).frame(), none);
    }();
    return steps;
}

struct Change {
    const char* name;
    int storeys;
    float rises_once, rises;  // in the first frame after some, and in each
};
void PrintTo(const Change& change, std::ostream* out) { *out << change.name; }

class Tower : public ::testing::TestWithParam<Change> {};

TEST_P(Tower, has_storeys_in_each_frame_whatever_its_heights_are_counted_from) {
    Towers tower = stand(1, GetParam().storeys, 0);
    Engine engine({.executor = serial_executor()});
    for (int frame = 0; frame < 40; ++frame) {
        if (frame >= 5) tower.rise(frame == 5 ? GetParam().rises_once : GetParam().rises);
        ASSERT_EQ(engine.update(tower.boxes, {.heights = tower.heights}), Status{});
        ASSERT_LE(steps_around(engine.frame(), tower), 4 * steps_in_a_crowd()) << "frame " << frame;
    }
}

INSTANTIATE_TEST_SUITE_P(Towers, Tower,
                         ::testing::Values(Change{"other_zero", 200, 10000, 0},
                                           Change{"other_zero_of_fewer_storeys", 60, 10000, 0},
                                           Change{"rises_slowly", 200, 0, 0.05f}, Change{"rises", 200, 0, 1},
                                           Change{"rises_by_storeys", 60, 50, 50}),
                         [](const auto& change) { return std::string(change.param.name); });

TEST(Towers, have_storeys_again_after_commits_in_which_all_climbed) {
    Towers tower = stand(1, 200, 0);
    Engine engine({.executor = serial_executor()});
    for (int frame = 0; frame < 3; ++frame)
        ASSERT_EQ(engine.update(tower.boxes, {.heights = tower.heights}), Status{});
    tower.rise(5000);
    for (std::size_t first = 0; first < 10; ++first) {
        for (std::size_t i = first; i < tower.boxes.size(); i += 10)
            ASSERT_EQ(engine.move(static_cast<AgentId>(i), tower.boxes[i], tower.heights[i]), Status{});
        ASSERT_EQ(engine.commit(), Status{});
    }
    EXPECT_LE(steps_around(engine.frame(), tower), 4 * steps_in_a_crowd());
}

// Far towers are islands with storeys of their own.
TEST(Towers, have_storeys_beside_each_other_and_far_apart) {
    struct Place {
        int towers, storeys;
        float apart, steps;
    };
    for (const Place& place :
         {Place{2, 200, 50, 3}, Place{2, 200, 1000, 3}, Place{2, 60, 1000, 3}, Place{10, 60, 1000, 3},
          Place{2, 200, 1e5f, 3}, Place{2, 60, 1e5f, 3}, Place{10, 60, 1e5f, 3}}) {
        const Towers towers = stand(place.towers, place.storeys, place.apart);
        Engine engine({.executor = serial_executor()});
        for (int frame = 0; frame < 4; ++frame) {
            ASSERT_EQ(engine.update(towers.boxes, {.heights = towers.heights}), Status{});
            EXPECT_LE(steps_around(engine.frame(), towers), place.steps * steps_in_a_crowd())
                << place.towers << " towers of " << place.storeys << ", " << place.apart << " apart, frame "
                << frame;
        }
        ASSERT_EQ(engine.rebase(16, 0), Status{});
        EXPECT_TRUE(state_behind(engine.frame()).map.has_storeys()) << "after it moved";
    }
}

// Half of the agents are in the tower, and the others on the ground.
TEST(Towers, have_storeys_far_from_a_plain_crowd) {
    for (const float apart : {1000.0f, 1e5f})
        for (const int storeys : {60, 200}) {
            Towers towers = stand(1, storeys, 0);
            const Towers crowd = stand(0, 0, 0);
            for (std::size_t i = 0; i < agents_of_towers; i += 2) {
                towers.boxes[i] = crowd.boxes[i].moved(apart, 0);
                towers.heights[i] = {0, 1.8f};
            }
            Engine engine({.executor = serial_executor()});
            for (int frame = 0; frame < 4; ++frame) {
                ASSERT_EQ(engine.update(towers.boxes, {.heights = towers.heights}), Status{});
                EXPECT_LE(steps_around(engine.frame(), towers), 3 * steps_in_a_crowd())
                    << storeys << " storeys, " << apart << " apart, frame " << frame;
            }
        }
}

// Points have no size that says how large queries are.
TEST(Towers, are_searched_on_their_storeys_also_by_centres) {
    for (const float apart : {1000.0f, 1e5f}) {
        const Towers towers = stand(2, 200, apart);
        std::vector<Box> centres;
        for (const Box& box : towers.boxes) centres.push_back(Box::around(box.centre(), 0));
        Engine engine({.executor = serial_executor()});
        for (int frame = 0; frame < 4; ++frame) {
            ASSERT_EQ(engine.update(centres, {.heights = towers.heights}), Status{});
            EXPECT_LE(steps_around(engine.frame(), towers), 6 * steps_in_a_crowd()) << "frame " << frame;
        }
    }
}

}  // namespace
}  // namespace throng::test
