// Commits that build their frame from scratch, in turns with commits by rows, updates and failures: what the engine keeps
// from one to the next must never be what it was. The twin does the same by brute force.
#include "support/test.hpp"

namespace throng::test {
namespace {

class LargeCommits {
public:
    LargeCommits(const SceneRecipe& recipe, const Executor& executor, bool labelled, std::uint64_t seed)
        : scene_(recipe, 500, seed),
          random_(seed),
          labelled_(labelled),
          engine_(scene_.configure({.executor = executor})) {
        update();
    }

    void run(std::size_t steps) {
        for (std::size_t step = 0; step < steps && !::testing::Test::HasFatalFailure(); ++step) {
            take_a_step();
            if (random_.one_in(5)) discard();
            commit();
        }
    }

private:
    void take_a_step() {
        switch (random_.below(12)) {
        case 0: return move(random_.below(4));
        case 1: return insert(1 + random_.below(3)), remove(3);
        case 2: return insert(200), move(5);
        case 3: return remove(2);
        case 4: return relabel(2);
        case 5: return rebase();
        case 6: return move_badly();
        case 7: return update();
        case 8: return move(1), move(2);
        default: return move(1);
        }
    }

    std::vector<AgentId> every(std::size_t step) {
        std::vector<AgentId> ids;
        const std::size_t first = step < 2 ? 0 : random_.below(step);
        std::vector<AgentId> all = twin_.frame().ids();
        for (std::size_t i = first; i < all.size(); i += std::max<std::size_t>(step, 1))
            if (twin_.knows(all[i])) ids.push_back(all[i]);
        if (random_.one_in(2)) std::reverse(ids.begin(), ids.end());
        return ids;
    }
    // No agent, all, or one of so many.
    void move(std::size_t step) {
        std::vector<AgentId> ids = step == 0 ? std::vector<AgentId>{} : every(step);
        const std::vector<Box> boxes = some_boxes(ids.size());
        ASSERT_EQ(engine_.move(ids, Boxes::of(boxes)), twin_.move(ids, Boxes::of(boxes)));
    }
    void move_badly() {
        std::vector<AgentId> ids = every(1);
        if (ids.empty()) return;
        std::vector<Box> boxes = some_boxes(ids.size());
        if (random_.one_in(2)) ids.back() = ids.front();
        boxes[boxes.size() - 1].min_x = std::numeric_limits<float>::quiet_NaN();
        ASSERT_EQ(engine_.move(ids, Boxes::of(boxes)), twin_.move(ids, Boxes::of(boxes)));
    }
    void insert(std::size_t count) {
        const std::vector<Box> boxes = some_boxes(count);
        const std::vector<Label> labels = some_labels(labelled_ ? count : 0);
        std::vector<AgentId> ids(count), twins(count);
        ASSERT_EQ(engine_.insert(boxes, labels, ids), twin_.insert(boxes, labels, twins));
        ASSERT_EQ(ids, twins);
    }
    void remove(std::size_t step) {
        const std::vector<AgentId> ids = every(step);
        ASSERT_EQ(engine_.remove(ids), twin_.remove(ids));
    }
    void relabel(std::size_t step) {
        if (!labelled_) return;
        const std::vector<AgentId> ids = every(step);
        const std::vector<Label> labels = some_labels(ids.size());
        ASSERT_EQ(engine_.relabel(ids, labels), twin_.relabel(ids, labels));
    }
    // There and back again, so that the twin need not do it; the frames in between are looked at by `validate`.
    void rebase() {
        if (engine_.staged() != 0 || engine_.rebase(0, 0) != Status{}) return;
        compare();
    }
    void discard() {
        engine_.discard();
        twin_.discard();
    }
    void update() {
        discard();
        const std::vector<Box> boxes = some_boxes(300 + random_.below(300));
        const std::vector<Label> labels = some_labels(labelled_ ? boxes.size() : 0);
        ASSERT_EQ(engine_.update(boxes, labels), Status{});
        ASSERT_EQ(twin_.update(boxes, labels), Status{});
    }
    void commit() {
        ASSERT_EQ(engine_.commit(), twin_.commit());
        compare();
    }

    void compare() {
        const oracle::BruteForceFrame twin = twin_.frame();
        const Frame frame = engine_.frame();
        ASSERT_EQ(frame.size(), twin.size());
        const std::vector<AgentId> ids = twin.ids();
        const std::vector<Box> boxes = twin.boxes();
        const std::vector<Label> labels = twin.labels();
        for (std::size_t i = 0; i < ids.size(); ++i) {
            ASSERT_EQ(frame.box(ids[i]), boxes[i]) << ids[i];
            ASSERT_EQ(frame.label(ids[i]), labels[i]) << ids[i];
        }
        ASSERT_TRUE(queries_agree(frame, expect(twin, scene_.queries(20, random_.next()))));
        ASSERT_TRUE(engine_.validate().sound()) << ::testing::PrintToString(engine_.validate());
    }

    std::vector<Box> some_boxes(std::size_t count) {
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < count; ++i) boxes.push_back(scene_.place(random_));
        return boxes;
    }
    std::vector<Label> some_labels(std::size_t count) {
        std::vector<Label> labels;
        for (std::size_t i = 0; i < count; ++i) labels.push_back({1u << random_.below(6), 7});
        return labels;
    }

    Scene scene_;
    Random random_;
    bool labelled_;
    Engine engine_;
    oracle::BruteForce twin_;
};

class LargeCommit : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(LargeCommit, leaves_the_engine_and_its_twin_in_agreement) {
    const auto pool = pool_workplace(3);
    for (const bool labelled : {false, true})
        for (std::size_t seed = 0; seed < scaled(4, 1); ++seed) {
            LargeCommits(GetParam(), seed % 2 == 0 ? pool->executor() : serial_executor(), labelled, seed)
                .run(scaled(60, 20));
            ASSERT_FALSE(HasFailure()) << GetParam().name << ", history " << seed;
        }
}

INSTANTIATE_TEST_SUITE_P(every, LargeCommit, enough_scenes(1), scene_name);

// In a large world a commit of fewer edits merges rows or builds from scratch where they are all over it, and goes by rows where
// they are not. Whichever way, it comes to what an update does, bit for bit.
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
        ASSERT_EQ(edited.move(ids, moved), Status{});
        ASSERT_EQ(edited.commit(), Status{});
        ASSERT_EQ(updated.update(boxes), Status{});
        EXPECT_EQ(edited.frame().fingerprint(), updated.frame().fingerprint()) << one_in;
        EXPECT_TRUE(edited.validate().sound());
    }
}

// Agents that stay on both sides of the stretch are far apart in the old row, and side by side in the new one.
TEST(CommitsOfManyEdits, may_empty_a_stretch_of_each_row) {
    Random random(31);
    std::vector<Box> agents;
    std::vector<AgentId> leaving;
    for (AgentId id = 0; id < 2000; ++id) {
        const float x = random.uniform(0, 100);
        if (40 <= x && x < 69) leaving.push_back(id);
        agents.push_back(Box::around(x, random.uniform(0, 10), 0.3f, 0.3f));
    }
    oracle::BruteForce twin;
    ASSERT_EQ(twin.update(Boxes::of(agents)), Status{});
    ASSERT_EQ(twin.remove(leaving), Status{});
    ASSERT_EQ(twin.commit(), Status{});
    const ExpectedAnswers expected = expect(twin.frame(), {{-10, -10, 110, 110}, {35, 2, 75, 5}});
    for (const Isa isa : instruction_sets()) {
        Engine engine({.executor = serial_executor(), .isa = isa});
        ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
        ASSERT_EQ(engine.remove(leaving), Status{});
        ASSERT_EQ(engine.commit(), Status{});
        EXPECT_TRUE(engine.validate().sound()) << to_string(isa);
        EXPECT_TRUE(answers_as(engine.frame(), expected)) << to_string(isa);
    }
}

// Boxes that a rebase gathered are not those of a later frame, to which the next commit could add.
TEST(LargeCommitsAfterARebase, keep_the_boxes_of_agents_without_edits) {
    Scene scene = make_scene("uniform", 1000);
    std::vector<Box> boxes = scene.agents();
    Engine engine;
    ASSERT_EQ(engine.update(boxes), Status{});
    ASSERT_EQ(engine.rebase(0, 0), Status{});
    std::vector<AgentId> ids;
    for (std::size_t i = 0; i < boxes.size(); ++i) ids.push_back(static_cast<AgentId>(i));
    for (int commit = 0; commit < 2; ++commit) {
        scene.step();
        for (std::size_t i = 0; i < ids.size(); ++i) boxes[i] = scene.agents()[i];
        ASSERT_EQ(engine.move(ids, std::span(boxes).first(ids.size())), Status{});
        ASSERT_EQ(engine.commit(), Status{});
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
        Engine engine;
        ASSERT_EQ(engine.update(boxes), Status{});
        std::vector<AgentId> even, odd;
        for (AgentId id = 0; id < 1000; ++id) (id % 2 == 0 ? even : odd).push_back(id);
        const auto move = [&](const std::vector<AgentId>& ids, std::vector<Box>& all) {
            scene.step();
            std::vector<Box> moved;
            for (const AgentId id : ids) moved.push_back(all[id] = scene.agents()[id]);
            return moved;
        };
        std::vector<Box> moved = move(even, boxes), never = boxes;
        ASSERT_EQ(engine.move(even, moved), Status{});
        ASSERT_EQ(engine.commit(), Status{});
        moved = move(even, never);
        if (refused) moved.back().min_x = std::numeric_limits<float>::quiet_NaN();
        ASSERT_EQ(engine.move(even, moved).ok(), !refused);
        if (!refused) engine.discard();
        moved = move(odd, boxes);
        ASSERT_EQ(engine.move(odd, moved), Status{});
        ASSERT_EQ(engine.commit(), Status{});
        for (AgentId id = 0; id < boxes.size(); ++id) ASSERT_EQ(engine.frame().box(id), boxes[id]) << id;
        EXPECT_TRUE(engine.validate().sound());
    }
}

TEST(LargeCommitsSettled, allocate_nothing) {
    for (const std::size_t step : {1u, 2u, 9u, 30u}) {
        Scene scene = make_scene("uniform", 12000);
        CountingResource memory;
        Engine engine({.executor = serial_executor(), .memory = &memory});
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        std::uint64_t calls = 0;
        for (int frame = 0; frame < 60; ++frame) {
            scene.step();
            std::vector<AgentId> ids;
            std::vector<Box> boxes;
            for (std::size_t i = 0; i < scene.agents().size(); i += step) {
                ids.push_back(static_cast<AgentId>(i));
                boxes.push_back(scene.agents()[i]);
            }
            ASSERT_EQ(engine.move(ids, boxes), Status{});
            ASSERT_EQ(engine.commit(), Status{});
            if (frame == 30) calls = memory.calls();
        }
        EXPECT_EQ(memory.calls(), calls) << "one in " << step;
    }
}

// What was gathered for a commit that failed is no agent's box.
TEST(LargeCommitsThatFail, leave_nothing_behind) {
    FaultyExecutor executor(FaultyExecutor::Habit::skips_the_last, 0);
    executor.reform(true);
    Scene scene = make_scene("uniform", 40000);
    std::vector<Box> boxes = scene.agents();
    Engine engine({.executor = executor.executor()});
    ASSERT_EQ(engine.update(boxes), Status{});
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
