// Commits that build their frame from scratch, in turns with commits by rows, updates and failures: what the
// engine keeps from one to the next must never be out of date. The twin does the same by brute force.
#include "support/engine_inside.hpp"
#include "support/executors.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// In a large world a commit of fewer edits merges rows, or builds from scratch where edits are all over the
// world, and goes by rows elsewhere. Each way gives what an update gives, bit for bit.
TEST(CommitsInALargeWorld, come_to_what_an_update_does) {
    Scene scene = make_scene("uniform", 12000);
    Random random(3);
    std::vector<Box> boxes = scene.agents();
    Engine edited, updated;
    ASSERT_EQ(edited.update(boxes), Status{});
    ASSERT_EQ(updated.update(boxes), Status{});
    for (const std::size_t one_in : {10u, 10u, 900u, 30u, 900u, 2u, 1u, 10u, 1u, 2u, 2u, 6u, 6u, 17u}) {
        const std::size_t begin = one_in == 17 ? 2000 : 0, end = one_in == 17 ? 3500 : boxes.size();
        scene.step();
        std::vector<AgentId> ids;
        std::vector<Box> moved;
        for (std::size_t i = begin; i < end; ++i) {
            if (one_in != 17 && !random.one_in(one_in)) continue;
            boxes[i] = scene.agents()[i];
            ids.push_back(static_cast<AgentId>(i));
            moved.push_back(boxes[i]);
        }
        if (random.one_in(2)) {
            std::reverse(ids.begin(), ids.end());
            std::reverse(moved.begin(), moved.end());
        }
        ASSERT_EQ(committed(edited, edited.move(ids, moved)), Status{});
        ASSERT_EQ(updated.update(boxes), Status{});
        EXPECT_EQ(edited.frame().fingerprint(), updated.frame().fingerprint()) << one_in;
        EXPECT_TRUE(edited.validate().sound());
    }
}

// Agents that stay on both sides of the stretch are far apart in the old row, and side by side in the new
// one.
TEST(CommitsOfManyEdits, may_empty_a_stretch_of_each_row) {
    Random random(31);
    std::vector<Box> agents;
    std::vector<AgentId> leaving;
    for (AgentId id = 0; id < 2000; ++id) {
        const float x = random.uniform(0, 100);
        if (40 <= x && x < 69) leaving.push_back(id);
        agents.push_back(Box::around(x, random.uniform(0, 10), 0.3f, 0.3f));
    }
    oracle::BruteForce twin = twin_with(agents);
    ASSERT_EQ(twin.remove(leaving), Status{});
    ASSERT_EQ(twin.commit(), Status{});
    const ExpectedAnswers expected = expect(twin.frame(), {{-10, -10, 110, 110}, {35, 2, 75, 5}});
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(agents, {.executor = serial_executor(), .isa = isa});
        ASSERT_EQ(committed(engine, engine.remove(leaving)), Status{});
        EXPECT_TRUE(engine.validate().sound()) << to_string(isa);
        EXPECT_TRUE(answers_as(engine.frame(), expected)) << to_string(isa);
    }
}

// One row has holes, some agents are oversized, and some ids are free.
TEST(CommitsInALargeWorld, find_all_boxes_by_id_after_an_update) {
    ThreadPool pool(3);
    for (const Executor& executor : {serial_executor(), pool.executor()}) {
        Random random(7);
        std::vector<Box> boxes = make_scene("mixed", 70000).agents();
        for (std::size_t i = 0; i < boxes.size(); i += 10)
            boxes[i] = Box::around(random.uniform(0, 100), 50, 0.1f, 0.1f);
        Engine engine = engine_with(boxes, {.executor = executor});
        const auto shift = [&](AgentId id) { return boxes[id].max_x += 0.01f, boxes[id]; };
        for (AgentId id = 0; id < 200; id += 10)
            ASSERT_EQ(committed(engine, engine.move(id, shift(id))), Status{});
        {
            const Frame frame = engine.frame();
            const auto& rows = state_behind(frame).rows;
            ASSERT_TRUE(
                std::any_of(rows.begin(), rows.end(), [](const simd::Row& row) { return row.holes != 0; }));
        }
        std::vector<AgentId> moved, removed;
        std::vector<Box> after;
        for (AgentId id = 0; id < boxes.size(); ++id) (id % 8 == 5 ? removed : moved).push_back(id);
        for (const AgentId id : removed) boxes[id] = no_box;
        std::erase_if(moved, [](AgentId id) { return id % 2 == 0; });
        for (const AgentId id : moved) after.push_back(shift(id));
        ASSERT_EQ(engine.remove(removed), Status{});
        ASSERT_EQ(committed(engine, engine.move(moved, after)), Status{});
        for (AgentId id = 0; id < boxes.size(); ++id) ASSERT_EQ(engine.frame().box(id), boxes[id]) << id;
        EXPECT_TRUE(engine.validate().sound());
    }
}

// A later commit must not add to the boxes that a rebase gathered.
TEST(LargeCommitsAfterARebase, keep_the_boxes_of_agents_without_edits) {
    Scene scene = make_scene("uniform", 1000);
    std::vector<Box> boxes = scene.agents();
    Engine engine = engine_with(boxes);
    ASSERT_EQ(engine.rebase(0, 0), Status{});
    std::vector<AgentId> ids;
    for (std::size_t i = 0; i < boxes.size(); ++i) ids.push_back(static_cast<AgentId>(i));
    for (int commit = 0; commit < 2; ++commit) {
        scene.step();
        for (std::size_t i = 0; i < ids.size(); ++i) boxes[i] = scene.agents()[i];
        ASSERT_EQ(committed(engine, engine.move(ids, std::span(boxes).first(ids.size()))), Status{});
        ids.pop_back();
    }
    EXPECT_EQ(engine.frame().box(999), boxes[999]);
    EXPECT_TRUE(engine.validate().sound());
}

// After a large commit, moves are written where the next one reads boxes.
TEST(MovesAfterALargeCommit, leave_nothing_behind_when_they_are_refused_or_discarded) {
    for (const bool refused : {true, false}) {
        Scene scene = make_scene("uniform", 1000);
        std::vector<Box> boxes = scene.agents();
        Engine engine = engine_with(boxes);
        std::vector<AgentId> even, odd;
        for (AgentId id = 0; id < 1000; ++id) (id % 2 == 0 ? even : odd).push_back(id);
        const auto move = [&](const std::vector<AgentId>& ids, std::vector<Box>& all) {
            scene.step();
            std::vector<Box> moved;
            for (const AgentId id : ids) moved.push_back(all[id] = scene.agents()[id]);
            return moved;
        };
        std::vector<Box> moved = move(even, boxes), never = boxes;
        ASSERT_EQ(committed(engine, engine.move(even, moved)), Status{});
        moved = move(even, never);
        if (refused) moved.back().min_x = std::numeric_limits<float>::quiet_NaN();
        ASSERT_EQ(engine.move(even, moved).ok(), !refused);
        if (!refused) engine.discard();
        moved = move(odd, boxes);
        ASSERT_EQ(committed(engine, engine.move(odd, moved)), Status{});
        for (AgentId id = 0; id < boxes.size(); ++id) ASSERT_EQ(engine.frame().box(id), boxes[id]) << id;
        EXPECT_TRUE(engine.validate().sound());
    }
}

// When most agents leave, the commit frees its copies of all boxes by id, and the next large commit makes
// them again. The insertions made these arrays larger than the ids that are left need.
TEST(LargeCommitsAfterMostAgentsLeft, keep_the_boxes_of_agents_without_edits) {
    Scene scene = make_scene("uniform", 60000);
    std::vector<Box> boxes = scene.agents();
    Engine engine;
    ASSERT_EQ(engine.update(std::span(boxes).first(50000)), Status{});
    const auto move_one_in = [&](AgentId one_in, AgentId first) {
        scene.step();
        std::vector<AgentId> ids;
        std::vector<Box> moved;
        for (AgentId id = first; id < engine.frame().id_bound(); id += one_in) {
            ids.push_back(id);
            moved.push_back(boxes[id] = scene.agents()[id]);
        }
        return committed(engine, engine.move(ids, moved));
    };
    ASSERT_EQ(move_one_in(2, 0), Status{});
    std::vector<AgentId> coming(10000);
    ASSERT_EQ(engine.insert(std::span(boxes).subspan(50000), coming), Status{});
    ASSERT_EQ(move_one_in(2, 0), Status{});
    std::vector<AgentId> leaving;
    for (AgentId id = 0; id < 60000; ++id)
        if (id % 8 != 7) leaving.push_back(id);
    ASSERT_EQ(committed(engine, engine.remove(leaving)), Status{});
    for (int commit = 0; commit < 2; ++commit) {
        ASSERT_EQ(move_one_in(16, 7), Status{});
        for (AgentId id = 7; id < 60000; id += 8) ASSERT_EQ(engine.frame().box(id), boxes[id]) << id;
        EXPECT_TRUE(engine.validate().sound());
    }
}

TEST(LargeCommitsSettled, allocate_nothing) {
    for (const std::size_t step : {1u, 2u, 9u, 30u}) {
        Scene scene = make_scene("uniform", 12000);
        CountingResource memory;
        Engine engine = engine_with(scene.boxes(), {.executor = serial_executor(), .memory = &memory});
        std::uint64_t calls = 0;
        for (int frame = 0; frame < 60; ++frame) {
            scene.step();
            std::vector<AgentId> ids;
            std::vector<Box> boxes;
            for (std::size_t i = 0; i < scene.agents().size(); i += step) {
                ids.push_back(static_cast<AgentId>(i));
                boxes.push_back(scene.agents()[i]);
            }
            ASSERT_EQ(committed(engine, engine.move(ids, boxes)), Status{});
            if (frame == 30) calls = memory.calls();
        }
        EXPECT_EQ(memory.calls(), calls) << "one in " << step;
    }
}

// What an update forgets about each id, the next edit needs again.
TEST(EditsAndUpdatesInTurns, allocate_nothing) {
    const std::vector<Box> boxes = make_scene("uniform", 100000).agents();
    CountingResource memory;
    Engine engine = engine_with(boxes, {.executor = serial_executor(), .memory = &memory});
    std::uint64_t calls = 0;
    for (int frame = 0; frame < 30; ++frame) {
        ASSERT_EQ(engine.update(boxes), Status{});
        ASSERT_EQ(committed(engine, engine.move(AgentId{7}, boxes[8])), Status{});
        if (frame == 15) calls = memory.calls();
    }
    EXPECT_EQ(memory.calls(), calls);
}

// What was gathered for a commit that failed must not be used as an agent's box.
TEST(LargeCommitsThatFail, leave_nothing_behind) {
    FaultyExecutor executor(FaultyExecutor::Habit::skips_the_last, 0);
    executor.reform(true);
    Scene scene = make_scene("uniform", 40000);
    std::vector<Box> boxes = scene.agents();
    Engine engine = engine_with(boxes, {.executor = executor.executor()});
    const auto move = [&](std::size_t step, std::vector<Box>& of) {
        std::vector<AgentId> ids;
        std::vector<Box> moved;
        scene.step();
        for (std::size_t i = 0; i < of.size(); i += step) {
            of[i] = scene.agents()[i];
            ids.push_back(static_cast<AgentId>(i));
            moved.push_back(of[i]);
        }
        ASSERT_EQ(engine.move(ids, moved), Status{});
    };
    move(1, boxes);
    ASSERT_EQ(engine.commit(), Status{});
    std::vector<Box> never = boxes;
    move(2, never);
    executor.reform(false);
    ASSERT_EQ(engine.commit(), Status{Code::bad_executor});
    executor.reform(true);
    engine.discard();
    move(3, boxes);
    ASSERT_EQ(engine.commit(), Status{});
    for (AgentId id = 0; id < boxes.size(); ++id) ASSERT_EQ(engine.frame().box(id), boxes[id]) << id;
    EXPECT_TRUE(engine.validate().sound());
}

}  // namespace
}  // namespace throng::test
