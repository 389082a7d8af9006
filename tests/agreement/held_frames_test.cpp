// A frame never changes: later calls must not show in it, though it shares rows with later frames.
#include <deque>

#include "support/test.hpp"

namespace throng::test {
namespace {

std::vector<AgentId> every_tenth(std::size_t count, std::size_t from) {
    std::vector<AgentId> ids;
    for (std::size_t i = from % 10; i < count; i += 10) ids.push_back(static_cast<AgentId>(i));
    return ids;
}

std::vector<Box> of(const Scene& scene, const std::vector<AgentId>& ids) {
    std::vector<Box> boxes;
    for (const AgentId id : ids) boxes.push_back(scene.agents()[id]);
    return boxes;
}

TEST(HeldFrame, answers_as_before_after_many_commits_and_updates) {
    Scene scene = make_scene("uniform", 2000);
    const std::vector<Box> queries = scene.queries(60);
    Engine engine = engine_with(scene.boxes());
    std::vector<std::pair<Frame, Answers>> held;
    for (std::size_t frame = 0; frame < 25; ++frame) {
        held.emplace_back(engine.frame(), ask(engine.frame(), queries));
        scene.step();
        if (frame % 8 < 3) {
            ASSERT_EQ(engine.update(scene.boxes()), Status{});
            continue;
        }
        const std::vector<AgentId> ids = every_tenth(2000, frame);
        const std::vector<Box> boxes = of(scene, ids);
        ASSERT_EQ(committed(engine, engine.move(ids, Boxes::of(boxes))), Status{});
    }
    for (const auto& [frame, answers] : held) {
        EXPECT_TRUE(identical(ask(frame, queries), answers)) << frame.number();
        EXPECT_TRUE(frame.validate().sound()) << frame.number();
    }
}

TEST(HeldFrame, answers_as_before_in_a_window_that_slides) {
    // Frames are dropped in the order they were made, as a renderer some frames behind does.
    Scene scene = make_scene("mixed_sizes", 1500);
    const std::vector<Box> queries = scene.queries(40);
    Engine engine;
    std::deque<std::pair<Frame, Answers>> window;
    for (std::size_t frame = 0; frame < 30; ++frame, scene.step()) {
        if (frame % 3 == 0) {
            ASSERT_EQ(engine.update(scene.boxes()), Status{});
        } else {
            const std::vector<AgentId> ids = every_tenth(1500, frame);
            const std::vector<Box> boxes = of(scene, ids);
            ASSERT_EQ(committed(engine, engine.move(ids, Boxes::of(boxes))), Status{});
        }
        window.emplace_back(engine.frame(), ask(engine.frame(), queries));
        if (window.size() > 4) window.pop_front();
        for (const auto& [held, answers] : window)
            ASSERT_TRUE(identical(ask(held, queries), answers)) << held.number();
    }
}

TEST(HeldFrame, gives_its_memory_back_when_the_last_copy_is_dropped) {
    CountingResource memory;
    Scene scene = make_scene("uniform", 3000);
    {
        std::vector<Frame> held;
        {
            Engine engine({.memory = &memory});
            for (std::size_t frame = 0; frame < 6; ++frame, scene.step()) {
                ASSERT_EQ(engine.update(scene.boxes()), Status{});
                held.push_back(engine.frame());
            }
        }
        EXPECT_GT(memory.bytes_out(), 0u) << "frames live on after their engine";
        for (const Frame& frame : held) EXPECT_EQ(frame.count({-1e9f, -1e9f, 1e9f, 1e9f}).total, 3000u);
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(HeldFrame, costs_what_changed_since) {
    const Scene scene = make_scene("uniform", 20000);
    Engine engine = engine_with(scene.boxes());
    ASSERT_EQ(committed(engine, engine.move(0, scene.agents()[0])), Status{});
    const std::size_t before = engine.memory().total();
    const Frame held = engine.frame();
    for (int i = 0; i < 3; ++i) {
        ASSERT_EQ(committed(engine, engine.move(7, scene.agents()[7])), Status{});
    }
    EXPECT_LT(engine.memory().total(), before + before / 4) << "one row of many was rebuilt";
    EXPECT_EQ(held.size(), 20000u);
}

TEST(HeldFrame, does_not_change_the_answers_of_later_ones) {
    // Whether rows can be reused or have to be rebuilt must not show.
    Scene scene = make_scene("lattice", 1500);
    const std::vector<Box> queries = scene.queries(60);
    Engine holding, dropping;
    std::vector<Frame> held;
    for (std::size_t frame = 0; frame < 10; ++frame, scene.step()) {
        for (Engine* engine : {&holding, &dropping}) {
            if (frame % 4 == 0) {
                ASSERT_EQ(engine->update(scene.boxes()), Status{});
                continue;
            }
            const std::vector<AgentId> ids = every_tenth(1500, frame);
            const std::vector<Box> boxes = of(scene, ids);
            ASSERT_EQ(engine->move(ids, Boxes::of(boxes)), Status{});
            ASSERT_EQ(engine->commit(), Status{});
        }
        held.push_back(holding.frame());
        EXPECT_TRUE(identical(ask(holding.frame(), queries), ask(dropping.frame(), queries))) << frame;
    }
}

}  // namespace
}  // namespace throng::test
