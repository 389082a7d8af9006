// The same answers to shapes, byte by byte, on every executor and instruction set; and asking again takes no memory.
#include "support/everywhere.hpp"
#include "support/shapes.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

struct HitsAsTheyAre {
    std::vector<std::uint64_t> offsets;
    std::vector<AgentId> ids;
    friend bool operator==(const HitsAsTheyAre&, const HitsAsTheyAre&) = default;
};

HitsAsTheyAre ask(const Frame& frame, const std::vector<Shape>& shapes, const Filter& filter) {
    Hits hits;
    EXPECT_EQ(frame.overlaps(shapes, hits, filter), Status{});
    return {{hits.offsets().begin(), hits.offsets().end()}, {hits.ids().begin(), hits.ids().end()}};
}

void expect_identical_everywhere(const Scene& scene) {
    const ShapesOf shapes(scene, scaled(3000, 1000), 5);
    std::vector<HitsAsTheyAre> reference;
    everywhere({2, 5, 33}, [&](const EngineConfig& config) {
        Engine engine(config);
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        const std::vector<HitsAsTheyAre> answers = {ask(engine.frame(), shapes.all(), {}),
                                                    ask(engine.frame(), shapes.all(), {.self = 3})};
        if (reference.empty()) reference = answers;
        EXPECT_TRUE(answers == reference) << scene.name();
    });
}

TEST(SameShapes, find_the_same_in_the_same_order_everywhere) {
    for (const char* name : {"uniform", "clustered", "giants_over_small", "lattice"})
        expect_identical_everywhere(make_scene(name, scaled(5000, 1500), 7));
    expect_identical_everywhere(make_island_scene("villages_under_giants", enough_for_islands, 7));
}

TEST(SettledShapes, take_no_memory) {
    CountingExecutor several(4);
    for (const Executor& executor : {serial_executor(), several.executor()}) {
        CountingResource memory;
        Engine engine({.executor = executor, .memory = &memory});
        const Scene scene = make_scene("uniform", 4000, 3);
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        const ShapesOf shapes(scene, 3000, 5);
        Hits hits(&memory);
        std::vector<std::uint32_t> counts(shapes.all().size());
        std::vector<std::uint8_t> any(shapes.all().size());
        const auto ask_all = [&] {
            EXPECT_EQ(engine.frame().overlaps(shapes.all(), hits), Status{});
            EXPECT_EQ(engine.frame().count(shapes.all(), counts), Status{});
            EXPECT_EQ(engine.frame().any(shapes.all(), any), Status{});
        };
        for (int warm_up = 0; warm_up < 3; ++warm_up) ask_all();
        const std::uint64_t before = memory.calls();
        for (int again = 0; again < 20; ++again) ask_all();
        EXPECT_EQ(memory.calls(), before);
    }
}

}  // namespace
}  // namespace throng::test
