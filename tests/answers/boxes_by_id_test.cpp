// The boxes and labels of agents by id, in any frame: those that the host gave, for whichever thread asks
// first, and with little memory.
#include <deque>

#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

void expect_boxes_by_id_in(Scene scene) {
    Random random(5);
    Twins twins(scene.configure());
    const std::vector<Label> labels = labels_by_id(scene.agents().size());
    for (std::size_t step = 0; step < 4 && !::testing::Test::HasFailure(); ++step, scene.step()) {
        twins.update(scene.boxes(), {.labels = step == 2 ? Labels::of(labels) : Labels()});
        EXPECT_TRUE(agents_agree_by_id(twins.frame(), twins.twin()));
        for (std::size_t i = 0; i < scene.agents().size() / 3; ++i) {
            const auto id = static_cast<AgentId>(random.below(scene.agents().size()));
            random.one_in(2) ? twins.remove(id) : twins.move(id, scene.place(random));
        }
        twins.commit();
        EXPECT_TRUE(agents_agree_by_id(twins.frame(), twins.twin()));
        EXPECT_EQ(twins.frame().box(no_agent), no_box);
        EXPECT_EQ(twins.frame().label(no_agent), Label{});
    }
}

class BoxesInScene : public ::testing::TestWithParam<SceneRecipe> {};

TEST_P(BoxesInScene, are_those_of_the_host) {
    expect_boxes_by_id_in(Scene(GetParam(), std::min<std::size_t>(700, GetParam().max_count), 3));
}

INSTANTIATE_TEST_SUITE_P(every, BoxesInScene, enough_scenes(0), scene_name);

TEST(BoxesById, are_those_of_the_host_among_islands_and_giants) {
    expect_boxes_by_id_in(make_island_scene("villages_under_giants", enough_for_islands));
}

TEST(BoxesById, of_few_agents_with_large_ids_take_little_memory) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    std::vector<Box> boxes(200000);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        boxes[i] = Box::around(static_cast<float>(i % 500), static_cast<float>(i / 500), 0.25f, 0.25f);
    ASSERT_EQ(engine.update(boxes), Status{});
    std::vector<AgentId> gone;
    for (AgentId id = 0; id < boxes.size(); ++id)
        if (id % 20000 != 19999) gone.push_back(id);
    ASSERT_EQ(committed(engine, engine.remove(gone)), Status{});
    const Frame frame = engine.frame();
    const std::size_t before = memory.bytes_out();
    EXPECT_EQ(frame.box(199999), boxes[199999]);
    EXPECT_EQ(frame.box(199998), no_box);
    EXPECT_EQ(frame.box(19999), boxes[19999]);
    EXPECT_LT(memory.bytes_out() - before, 40000u);
}

TEST(BoxesById, of_an_empty_frame_and_of_an_unusable_engine_are_none) {
    EXPECT_EQ(Frame().box(0), no_box);
    EXPECT_EQ(Frame().label(0), Label{});
    EXPECT_EQ(Engine().frame().box(0), no_box);
    EXPECT_EQ(Engine({.cell_width = -1}).frame().box(0), no_box);
}

TEST(BoxesById, are_found_without_memory_for_a_table) {
    CountingResource memory;
    const Scene scene = make_scene("mixed_sizes", 500);
    Engine engine({.executor = serial_executor(), .memory = &memory});
    std::vector<Label> labels(scene.agents().size());
    for (std::uint32_t id = 0; id < labels.size(); ++id) labels[id] = {2u, id};
    ASSERT_EQ(engine.update(scene.boxes(), {.labels = Labels::of(labels)}), Status{});
    for (std::uint64_t successes = 0; successes < 4; ++successes) {
        memory.fail_after(successes);
        for (AgentId id = 0; id < 500; id += 50) {
            EXPECT_EQ(engine.frame().box(id), scene.agents()[id]);
            EXPECT_EQ(engine.frame().label(id), labels[id]);
        }
        EXPECT_EQ(engine.frame().box(500), no_box);
        memory.stop_failing();
    }
    EXPECT_GE(memory.failures(), 3u);
}

TEST(BoxesById, may_be_first_asked_for_by_several_threads_at_once) {
    THRONG_SKIP_WITHOUT_THREADS();
    Scene scene = make_scene("uniform", 5000);
    Engine engine({.executor = serial_executor()});
    for (int round = 0; round < 20; ++round, scene.step()) {
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        const Frame frame = engine.frame();
        std::atomic<std::size_t> wrong{0}, waiting{4};
        std::vector<std::thread> readers;
        for (AgentId first = 0; first < 4; ++first)
            readers.emplace_back([&, first] {
                for (--waiting; waiting != 0;) std::this_thread::yield();
                for (AgentId id = first; id < 5000; id += 7) wrong += frame.box(id) != scene.agents()[id];
            });
        for (std::thread& reader : readers) reader.join();
        EXPECT_EQ(wrong, 0u);
    }
}

TEST(BoxesById, are_freed_with_their_frames) {
    CountingResource memory;
    const Scene scene = make_scene("uniform", 20000);
    Engine engine({.executor = serial_executor(), .memory = &memory});
    std::vector<Frame> held;
    for (int step = 0; step < 20; ++step) {
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        held.push_back(engine.frame());
    }
    const std::size_t before = memory.bytes_out();
    for (const Frame& frame : held) ASSERT_EQ(frame.box(3), scene.agents()[3]);
    const std::size_t one = 20000 * sizeof(Box);
    EXPECT_GT(memory.bytes_out() - before, 20 * one);
    held.clear();
    // The newest frame lives on in the engine, and a few tables wait for the next frames.
    EXPECT_LT(memory.bytes_out() - before, 7 * one);
}

}  // namespace
}  // namespace throng::test
