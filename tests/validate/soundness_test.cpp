// After any legal calls `validate` finds nothing, in the engine or in any of its frames.
#include "support/test.hpp"

namespace throng::test {
namespace {

class Soundness : public ::testing::TestWithParam<SceneRecipe> {
protected:
    // A frame that was thrown away before anybody saw it, for a better one, leaves nothing behind.
    void TearDown() override { EXPECT_EQ(memory_.blocks_out(), 0u); }

    CountingResource memory_;
};

TEST_P(Soundness, lasts_through_updates_and_edits) {
    ThreadPool pool(3);
    Scene scene(GetParam(), 2000, 4);
    Engine engine(scene.configure({.executor = pool.executor(), .memory = &memory_}));
    std::vector<Frame> held;
    const auto expect_sound = [&](const char* when) {
        const Validation validation = engine.validate();
        EXPECT_TRUE(validation.sound()) << when << ": " << ::testing::PrintToString(validation);
        held.push_back(engine.frame());
    };
    expect_sound("when new");
    for (int round = 0; round < 4; ++round, scene.step()) {
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        expect_sound("after an update");
        std::vector<AgentId> ids(scene.agents().size() / 3);
        ASSERT_EQ(engine.insert(scene.boxes().part(0, ids.size()), ids), Status{});
        expect_sound("with staged inserts");
        ASSERT_EQ(engine.commit(), Status{});
        expect_sound("after inserts");
        ASSERT_EQ(engine.remove(ids), Status{});
        expect_sound("with staged removals");
        if (round % 2 == 0) engine.discard();
        ASSERT_EQ(engine.commit(), Status{});
        expect_sound("after removals");
        for (std::size_t i = 0; i < scene.agents().size(); i += 11)
            ASSERT_EQ(engine.move(static_cast<AgentId>(i), scene.agents()[scene.agents().size() - 1 - i]),
                      Status{});
        ASSERT_EQ(engine.commit(), Status{});
        expect_sound("after moves");
    }
    for (const Frame& frame : held) EXPECT_TRUE(frame.validate().sound()) << frame.number();
}

INSTANTIATE_TEST_SUITE_P(every, Soundness, every_scene(), scene_name);

TEST(GrowingWorld, stays_sound_while_it_grows_and_shrinks) {
    Engine engine;
    for (const std::size_t count : {std::size_t{1}, std::size_t{1000}, std::size_t{10}, std::size_t{30000},
                                    std::size_t{0}, std::size_t{17}, std::size_t{5000}}) {
        const Scene scene = make_scene("mixed_sizes", count);
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        EXPECT_EQ(engine.frame().size(), count);
        EXPECT_TRUE(engine.validate().sound())
            << count << ": " << ::testing::PrintToString(engine.validate());
    }
}

}  // namespace
}  // namespace throng::test
