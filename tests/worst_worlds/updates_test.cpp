// What an update gives back when most agents leave a world that took much memory.
#include "support/test.hpp"
#include "worlds/hunted/frames.hpp"
#include "worst_worlds/world_of.hpp"

namespace throng::test {
namespace {

// With the work spaces of queries, slabs that were as large as those of many agents, and buffers for those
// that were oversized.
TEST(Update, gives_memory_back_when_most_agents_leave) {
    for (const char* text :
         {"h1;n=60000;seed=968;place=square;size=sliver(long=869000,thin=0.317);share=0.588;place=square;"
          "then=shrink(share=0.05)",
          "h1;n=100000;seed=238;place=radial(octaves=68.5);size=distance(factor=0.02);"
          "then=shrink(share=0.05)"}) {
        worlds::Frames frames(world_of(text));
        CountingResource memory;
        Engine engine({.executor = serial_executor(), .memory = &memory});
        for (int k = 0; k < 11; ++k) {
            if (k != 0) frames.next();
            ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
            std::vector<std::uint32_t> counts(frames.boxes().size());
            ASSERT_EQ(engine.frame().count(Boxes::of(frames.boxes()), counts), Status{});
        }
        EXPECT_LE(memory.bytes_out(), 500 * frames.boxes().size()) << text;
    }
}

// Slabs go back in portions, which are larger for more agents.
TEST(Update, gives_slabs_back_within_four_updates_after_most_agents_leave) {
    worlds::Frames frames(
        world_of("h1;n=100000;seed=238;place=radial(octaves=68.5);size=distance(factor=0.03);"
                 "then=shrink(share=0.05)"));
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    for (int k = 0; k < 5; ++k) {
        if (k != 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    }
    EXPECT_LE(memory.bytes_out(), 600 * frames.boxes().size()) << "it was 837 for each";
}

}  // namespace
}  // namespace throng::test
