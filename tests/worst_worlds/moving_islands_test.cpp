// Islands that move with their agents: no new plan is made where most agents move together.
#include <cmath>
#include <vector>

#include "bench/common/worlds/frames.hpp"
#include "support/answers.hpp"
#include "support/counting_resource.hpp"
#include "support/test.hpp"
#include "worst_worlds/world_of.hpp"

namespace throng::test {
namespace {

// Crowds over 20 octaves around some places, some of the agents large. Coordinates stay precise enough for them while they move.
std::vector<Box> octaves(std::size_t places, std::size_t number) {
    Random random(9);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < number; ++i) {
        const float away = std::exp2(random.uniform(0, 20)), angle = random.uniform(0, 6.28f),
                    half = i % 50 == 0 ? away : 1e-3f * away;
        boxes.push_back(Box::around(1e6f * static_cast<float>(i % places) + away * std::cos(angle),
                                    away * std::sin(angle), half, half));
    }
    return boxes;
}
void move(std::vector<Box>& boxes, float x, float y) {
    for (Box& box : boxes) box = {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y};
}
std::vector<Box> some_of(const std::vector<Box>& boxes, std::size_t step) {
    std::vector<Box> some;
    for (std::size_t i = 0; i < boxes.size(); i += step) some.push_back(boxes[i]);
    return some;
}

TEST(Islands, move_with_agents_that_move_together) {
    for (const std::size_t places : {1u, 3u}) {
        std::vector<Box> boxes = octaves(places, 20'000);
        CountingExecutor executor;
        Engine engine = engine_with(boxes, {.executor = executor.executor()});
        ASSERT_GT(engine.tuning().islands, 10u);
        const Tuning before = engine.tuning();
        const std::uint64_t calls = executor.calls();
        for (std::uint64_t frame = 1; frame <= 4; ++frame) {
            move(boxes, 3000, -5000);
            ASSERT_EQ(engine.update(boxes), Status{});
            EXPECT_EQ(engine.tuning().times_moved, frame);
            EXPECT_EQ(engine.tuning().islands, before.islands);
            EXPECT_TRUE(engine.validate().sound());
        }
        EXPECT_EQ(engine.tuning().times_chosen, before.times_chosen);
        EXPECT_EQ(executor.calls(), calls + 4 * 3) << "three rounds to a frame";
    }
}

// Little by little they leave their islands, which follow when that costs too much.
TEST(Islands, follow_agents_that_move_slowly) {
    std::vector<Box> boxes = octaves(1, 6000);
    Engine engine = engine_with(boxes, {.executor = serial_executor()});
    const Tuning before = engine.tuning();
    for (int frame = 0; frame < 20; ++frame) {
        move(boxes, 1.5f, 0.25f);
        ASSERT_EQ(engine.update(boxes), Status{});
    }
    EXPECT_GE(engine.tuning().times_moved, 1u);
    EXPECT_LE(engine.tuning().times_chosen, before.times_chosen + 2);
}

// They leave their islands, but not together: islands that moved with some of them would cost too much.
TEST(Islands, stay_where_agents_part) {
    std::vector<Box> boxes = octaves(1, 6000);
    Engine engine = engine_with(boxes, {.executor = serial_executor()});
    ASSERT_GT(engine.tuning().islands, 10u);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        Box& box = boxes[i];
        const float by = 3000 * (static_cast<float>(i % 3) - 1);
        box = {box.min_x + by, box.min_y, box.max_x + by, box.max_y};
    }
    ASSERT_EQ(engine.update(boxes), Status{});
    EXPECT_GT(engine.tuning().times_rebuilt, 0u) << "they left their islands";
    EXPECT_EQ(engine.tuning().times_moved, 0u);
}

// They move together, and half of them gather in one of the spots meanwhile: a frame on moved islands would cost less than one on these, but far
// more than the first one did.
TEST(Islands, stay_where_agents_also_gather) {
    std::vector<Box> boxes = octaves(1, 20'000);
    Engine engine = engine_with(boxes, {.executor = serial_executor()});
    ASSERT_GT(engine.tuning().islands, 10u);
    Random random(6);
    for (std::size_t i = 0; i < boxes.size(); i += 2)
        boxes[i] = Box::around(random.uniform(300, 310), random.uniform(300, 310), 0.01f, 0.01f);
    move(boxes, 3000, -5000);
    ASSERT_EQ(engine.update(boxes), Status{});
    EXPECT_EQ(engine.tuning().times_moved, 0u);
    EXPECT_LE(engine.tuning().sharing, 16 * boxes.size());
}

// A few join and a few leave meanwhile.
TEST(Islands, move_with_agents_whose_number_changes) {
    std::vector<Box> boxes = octaves(2, 6000);
    Engine engine = engine_with(boxes, {.executor = serial_executor()});
    for (std::uint64_t frame = 1; frame <= 4; ++frame) {
        move(boxes, 3000, -5000);
        boxes.resize(frame % 2 == 0 ? 5950 : 6020, boxes.front());
        ASSERT_EQ(engine.update(boxes), Status{});
        EXPECT_EQ(engine.tuning().times_moved, frame);
    }
    EXPECT_TRUE(answers_as(engine.frame(), expect(twin_with(boxes).frame(), some_of(boxes, 40))));
}

TEST(Islands, that_moved_hold_agents_that_were_edited) {
    std::vector<Box> boxes = octaves(2, 6000);
    Engine engine = engine_with(boxes, {.executor = serial_executor()});
    move(boxes, 3000, -5000);
    ASSERT_EQ(engine.update(boxes), Status{});
    ASSERT_EQ(engine.tuning().times_moved, 1u);
    for (AgentId id = 0; id < 6000; id += 7) {
        boxes[id] = Box::around(static_cast<float>(id), 3, 1, 2);
        ASSERT_EQ(engine.move(id, boxes[id]), Status{});
    }
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_TRUE(engine.validate().sound());
    EXPECT_TRUE(answers_as(engine.frame(), expect(twin_with(boxes).frame(), some_of(boxes, 40))));
}

// By how much they moved counts from the new origin, and in the new order.
TEST(Islands, move_after_a_rebase_and_a_new_order) {
    std::vector<Box> boxes = octaves(2, 6000);
    Engine engine = engine_with(boxes, {.executor = serial_executor()});
    ASSERT_EQ(engine.rebase(1000, -20'000), Status{});
    move(boxes, 2000, 15'000);
    ASSERT_EQ(engine.update(boxes), Status{});
    EXPECT_EQ(engine.tuning().times_moved, 1u);
    std::vector<AgentId> order(boxes.size());
    ASSERT_EQ(engine.frame().order(order).status, Status{});
    ASSERT_EQ(engine.renumber(order), Status{});
    std::vector<Box> in_order;
    for (const AgentId id : order) in_order.push_back(boxes[id]);
    move(in_order, 3000, -5000);
    ASSERT_EQ(engine.update(in_order), Status{});
    EXPECT_EQ(engine.tuning().times_moved, 2u);
    EXPECT_TRUE(answers_as(engine.frame(), expect(twin_with(in_order).frame(), some_of(in_order, 40))));
}

// What they learned of the motion is forgotten, too, so the next update does what that one would have done.
TEST(Islands, that_cannot_move_for_want_of_memory_stay) {
    std::vector<Box> boxes = octaves(2, 6000), farther = boxes;
    move(farther, 3000, -5000);
    for (const bool with_pairs : {false, true}) {
        bool failed = false, moved = false;
        for (std::uint64_t successes = 0; !moved; ++successes) {
            CountingResource memory;
            Engine engine = engine_with(boxes, {.executor = serial_executor(), .memory = &memory});
            const std::uint64_t before = engine.frame().fingerprint();
            PairList pairs;
            memory.fail_after(successes);
            const Status status = with_pairs ? engine.update(farther, pairs) : engine.update(farther);
            memory.stop_failing();
            failed = failed || !status.ok();
            moved = status.ok() && engine.tuning().times_moved == 1;
            if (!status.ok()) {
                EXPECT_EQ(status.code, Code::out_of_memory);
                EXPECT_EQ(engine.frame().fingerprint(), before);
            }
            ASSERT_LT(successes, 200u);
            ASSERT_EQ(engine.update(farther), Status{});
            EXPECT_EQ(engine.tuning().times_moved, 1u) << "as if nothing had failed";
        }
        EXPECT_TRUE(failed);
    }
}

}  // namespace
}  // namespace throng::test
