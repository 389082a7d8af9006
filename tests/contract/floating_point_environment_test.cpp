// A host's rounding mode, its handling of subnormals and its exception masks belong to the host: the library
// does not change them, not on a worker's thread either.
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "gtest/gtest.h"
#include "support/answers.hpp"
#include "support/instruction_sets.hpp"
#include "support/printing.hpp"
#include "support/rounding.hpp"
#include "throng/engine.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {
namespace {

// The control part: how the thread computes, not what has happened so far.
struct Control {
    int rounding = std::fegetround();
#if defined(__x86_64__)
    unsigned vectors = _mm_getcsr() & ~0x3Fu;  // all but the six sticky flags
#endif
    friend bool operator==(const Control&, const Control&) = default;
};

// Looks at the environment before and after each block of work.
class WatchingExecutor {
public:
    Executor executor() {
        return {.context = this,
                .workers = 3,
                .parallel_for = [](void* context, std::size_t count, Executor::Body body, void* argument) {
                    auto& self = *static_cast<WatchingExecutor*>(context);
                    for (std::size_t i = 0; i < count; ++i) {
                        const Control before;
                        body(argument, i);
                        self.disturbed_ = self.disturbed_ || !(before == Control());
                        ++self.blocks_;
                    }
                }};
    }
    bool disturbed() const { return disturbed_; }
    std::size_t blocks() const { return blocks_; }

private:
    bool disturbed_ = false;
    std::size_t blocks_ = 0;
};

void use_everything(const EngineConfig& config, const char* scene_name, std::size_t agents) {
    Scene scene = make_scene(scene_name, agents);
    Engine engine(scene.configure(config));
    const std::vector<Box> queries = scene.queries(300);
    for (int frame = 0; frame < 2; ++frame, scene.step()) {
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        ask(engine.frame(), queries);
        ASSERT_EQ(engine.move(3, scene.agents()[4]), Status{});
        ASSERT_EQ(committed(engine, engine.remove(7)), Status{});
    }
    hits_of(engine.frame(), queries[0]);
    EXPECT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
}

TEST(FloatingPointEnvironment, is_as_it_was_after_every_call_and_block) {
    for (const Isa isa : instruction_sets()) {
        WatchingExecutor executor;
        // The uniform one is large enough to be cut into blocks.
        for (const char* scene : {"uniform", "tiny_numbers", "huge_numbers", "any_numbers"}) {
            const Control before;
            use_everything({.executor = executor.executor(), .isa = isa}, scene,
                           std::string_view(scene) == "uniform" ? 20000 : 1000);
            EXPECT_TRUE(before == Control()) << scene << ", " << to_string(isa);
            EXPECT_FALSE(executor.disturbed()) << scene << ", " << to_string(isa);
        }
        EXPECT_GT(executor.blocks(), 0u) << "nothing was watched";
    }
}

// On one thread only: workers have rounding modes of their own.
TEST(FloatingPointEnvironment, may_round_as_the_host_likes) {
    THRONG_SKIP_WITHOUT_ROUNDING_MODES();
    for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(rounding);
        use_everything({.executor = serial_executor()}, "lattice", 2000);
        use_everything({.executor = serial_executor()}, "inexact_cell_edges", 2000);
        EXPECT_EQ(std::fegetround(), rounding);
        std::fesetround(FE_TONEAREST);
    }
}

TEST(FloatingPointEnvironment, does_not_change_answers_when_it_rounds_otherwise) {
    THRONG_SKIP_WITHOUT_ROUNDING_MODES();
    for (const char* scene_name : {"lattice", "inexact_cell_edges", "uniform", "sizes_over_decades"}) {
        const Scene scene = make_scene(scene_name, 800);
        const std::vector<Box> queries = scene.queries(100);
        const ExpectedAnswers expected = expect(twin_with(scene.boxes()).frame(), queries);
        for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
            for (const Isa isa : instruction_sets()) {
                std::fesetround(rounding);
                Engine engine =
                    engine_with(scene.boxes(), scene.configure({.executor = serial_executor(), .isa = isa}));
                EXPECT_TRUE(answers_as(engine.frame(), expected))
                    << scene_name << ", " << rounding << ", " << to_string(isa);
                std::fesetround(FE_TONEAREST);
            }
    }
}

#if defined(__x86_64__)
TEST(FloatingPointEnvironment, may_flush_subnormals_to_zero) {
    // Hosts of physics and sound do. Where there are no subnormals, nothing may change.
    const Scene scene = make_scene("uniform", 2000);
    const std::vector<Box> queries = scene.queries(300);
    const Answers expected = ask(engine_with(scene.boxes()).frame(), queries);
    const unsigned before = _mm_getcsr();
    for (const Isa isa : instruction_sets()) {
        _mm_setcsr(before | 0x8040u);
        EXPECT_TRUE(identical(
            expected,
            ask(engine_with(scene.boxes(), {.executor = serial_executor(), .isa = isa}).frame(), queries)))
            << to_string(isa);
        EXPECT_EQ(_mm_getcsr() & 0x8040u, 0x8040u);
        _mm_setcsr(before);
    }
}
#endif

#if defined(__x86_64__)
// Slivers on both axes, whose extents across them are subnormal.
std::vector<Box> thinnest_slivers(std::size_t count) {
    Random random(5);
    std::vector<Box> boxes;
    while (boxes.size() < count) {
        const float along = random.uniform(0, 1e4f), length = std::exp2(random.uniform(-2, 12)),
                    thin = random.uniform(0, 1e-38f);
        boxes.push_back(random.one_in(3) ? Box{-thin, along, thin, along + length}
                                         : Box{along, 0, along + length, thin});
    }
    return boxes;
}

// Some hosts flush subnormal numbers in what calls an update, and not in what calls a commit, or the other
// way round.
TEST(FloatingPointEnvironment, may_flush_subnormal_numbers_in_one_write_and_not_in_the_next) {
    const unsigned usual = _mm_getcsr(), flushing = usual | 0x8040u;
    for (const unsigned at_first : {usual, flushing}) {
        std::vector<Box> boxes = thinnest_slivers(6000);
        Engine engine({.executor = serial_executor(), .common_size = 1e-3f});
        _mm_setcsr(at_first);
        Status status = engine.update(Boxes::of(boxes));
        _mm_setcsr(at_first == usual ? flushing : usual);
        Random random(6);
        for (int edit = 0; edit < 300 && status.ok(); ++edit) {
            const auto id = static_cast<AgentId>(random.below(boxes.size()));
            boxes[id] = boxes[random.below(boxes.size())];
            status = engine.move(id, boxes[id]);
            if (status.ok() && edit % 30 == 29) status = engine.commit();
        }
        _mm_setcsr(usual);
        ASSERT_EQ(status, Status{});
        std::vector<int> found(boxes.size());
        const auto note = [&found](AgentId id) { ++found[id]; };
        ASSERT_EQ(engine.frame().for_each_overlap({-1e9f, -1e9f, 1e9f, 1e9f}, note), Status{});
        EXPECT_EQ(found, std::vector<int>(boxes.size(), 1));
    }
}
#endif

}  // namespace
}  // namespace throng::test
