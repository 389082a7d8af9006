// The tree over oversized agents takes its marks from the frame's own oversized agents, where the places of
// its plan would leave many of them at one place.
#include <cmath>

#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr std::size_t agents = 6000, giants = 2000;
// The host says what is common, so no frame has islands.
Engine engine_for_specks() { return Engine({.executor = serial_executor(), .common_size = 1e-4f}); }

// Specks over a square of 10,000, and larger agents that stand apart, inside a square of a given side.
std::vector<Box> world_of(float side_of_giants) {
    Random random(7);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < agents; ++i) {
        const float side = i < giants ? side_of_giants : 10000, half = i < giants ? 4e-4f : 1e-5f;
        boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), half, half));
    }
    return boxes;
}

std::uint64_t oversized_compared(const Engine& engine, const std::vector<Box>& boxes) {
    const Explain cost = engine.frame().explain(Boxes::of(boxes).part(0, giants));
    EXPECT_EQ(cost.status, Status{});
    return cost.oversized / cost.queries;
}

TEST(MarksOfTheTree, are_of_the_frame_and_not_of_its_plan) {
    Engine engine = engine_for_specks();
    const std::vector<Box> apart = world_of(10000), spot = world_of(0.1f);
    ASSERT_EQ(engine.update(Boxes::of(apart)), Status{});
    EXPECT_LE(oversized_compared(engine, apart), 60u);
    const std::uint64_t plans = engine.frame().tuning().times_chosen;
    ASSERT_EQ(engine.update(Boxes::of(spot)), Status{});
    ASSERT_EQ(engine.frame().tuning().times_chosen, plans);
    ASSERT_EQ(engine.frame().tuning().oversized, giants);
    EXPECT_LE(oversized_compared(engine, spot), 60u) << "all giants are within a 32,768th of the grid";
    EXPECT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
    ASSERT_EQ(engine.update(Boxes::of(apart)), Status{});
    EXPECT_LE(oversized_compared(engine, apart), 60u);
}

// Where they go no mark divides them, so other marks are made in time.
TEST(MarksOfTheTree, follow_agents_that_commits_move_elsewhere) {
    Engine engine = engine_for_specks();
    std::vector<Box> boxes = world_of(100);
    ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
    for (AgentId id = 0; id < giants; ++id) {
        Box& box = boxes[id];
        box = {box.min_x + 5000, box.min_y + 7000, box.max_x + 5000, box.max_y + 7000};
        ASSERT_EQ(committed(engine, engine.move(id, box)), Status{});
    }
    EXPECT_LE(oversized_compared(engine, boxes), 60u);
    EXPECT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
}

TEST(MarksOfTheTree, stay_while_agents_are_edited) {
    Engine engine = engine_for_specks();
    std::vector<Box> boxes = world_of(0.1f);
    ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
    const simd::TreeMarks* marks = state_behind(engine.frame()).tree_marks();
    ASSERT_NE(marks, nullptr);
    for (std::size_t k = 0; k < 20; ++k) {
        const auto id = static_cast<AgentId>(k * 97 % giants);
        boxes[id] = boxes[(id + 31) % giants];
        ASSERT_EQ(committed(engine, engine.move(id, boxes[id])), Status{});
        ASSERT_EQ(state_behind(engine.frame()).tree_marks(), marks);
        ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
    }
    EXPECT_LE(oversized_compared(engine, boxes), 60u);
}

// Most agents are in a column that is 1.2e9 long and 10 wide, the others on rings of 96 octaves.
std::vector<Box> column_among_rings() {
    Random random(8);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < 4 * agents; ++i) {
        const float y = random.uniform(-6e8f, 6e8f), octave = random.uniform(-20, 76),
                    angle = random.uniform(0, 6.28f), distance = std::exp2(octave), far = distance * 0.3f;
        boxes.push_back(i % 6 != 0
                            ? Box::around(random.uniform(-5, 5), y, 1, 32)
                            : Box::around(std::cos(angle) * distance, std::sin(angle) * distance, far, far));
    }
    return boxes;
}

TEST(MarksOfTheTree, do_not_divide_a_column_across) {
    std::vector<Box> boxes = column_among_rings();
    Engine engine = engine_for_specks();
    ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
    for (Box& box : boxes) box = Box::around(box.min_x, box.min_y, 3000, 3000);
    EXPECT_LE(oversized_compared(engine, boxes), 250u);
}

// One in forty is tall, and all of them cross all others.
TEST(MarksOfTheTree, part_wide_slivers_from_tall_ones) {
    Random random(8);
    std::vector<Box> boxes, queries;
    for (std::size_t i = 0; i < 4 * agents; ++i) {
        const float along = random.uniform(-1000, 1000), half = random.uniform(5e5f, 1e6f),
                    across = std::exp2(random.uniform(0, 12)) * (i % 2 != 0 ? 1 : -1);
        boxes.push_back(i % 40 != 0 ? Box::around(along, across, half, 0.01f)
                                    : Box::around(across, along, 0.01f, half));
    }
    for (std::size_t i = 0; i < giants; ++i)
        queries.push_back(Box::around(random.uniform(-1000, 1000), random.uniform(-1000, 1000), 0.1f, 0.1f));
    Engine engine = engine_for_specks();
    ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
    EXPECT_LE(oversized_compared(engine, queries), 120u);
}

// In no part of the sample are both kinds equally many, so none is parted at its middle. Agents outside of
// the sample may be a little less tall or less wide than those in it.
TEST(MarksOfTheTree, part_wide_slivers_from_tall_ones_that_are_not_as_many) {
    for (const std::size_t tall : {7u, 9u, 11u}) {
        Random random(10);
        std::vector<Box> boxes, queries;
        for (std::size_t i = 0; i < 4 * agents; ++i) {
            const float half = random.uniform(30, 60), x = random.uniform(0, 600), y = random.uniform(0, 600);
            boxes.push_back(i % 20 < tall ? Box::around(x, y, 0.01f, half) : Box::around(x, y, half, 0.01f));
        }
        for (std::size_t i = 0; i < giants; ++i)
            queries.push_back(Box::around(random.uniform(0, 600), random.uniform(0, 600), 0.1f, 0.1f));
        Engine engine = engine_for_specks();
        ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
        EXPECT_LE(oversized_compared(engine, queries), 50u) << tall << " of 20 are tall";
    }
}

// All have the same heights, so no mark of heights divides them.
TEST(MarksOfTheTree, divide_walls_along_one_line_by_where_they_are_on_it) {
    Random random(9);
    std::vector<Box> boxes, queries;
    for (std::size_t i = 0; i < 20 * agents; ++i)
        boxes.push_back(Box::around(random.uniform(0, 1e6f), 0, random.uniform(10, 100), 0));
    for (std::size_t i = 0; i < giants; ++i)
        queries.push_back(Box::around(random.uniform(0, 1e6f), 0, 0.1f, 0.1f));
    Engine engine = engine_for_specks();
    ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
    EXPECT_LE(oversized_compared(engine, queries), 60u);
}

}  // namespace
}  // namespace throng::test
