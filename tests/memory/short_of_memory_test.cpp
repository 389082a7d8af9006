// What else a host may count on when memory is short, or when its resource is peculiar.
#if __has_include(<memory_resource>)
#include <memory_resource>

#include "throng/adapters/pmr.hpp"
#endif

#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(ShortOfMemory, an_engine_that_cannot_be_made_says_so_and_leaves_nothing) {
    CountingResource memory;
    for (std::uint64_t k = 0;; ++k) {
        ASSERT_LT(k, 100u) << "it never succeeds";
        memory.fail_after(k);
        {
            const Engine engine({.memory = &memory});
            if (engine.status().ok()) break;
            EXPECT_EQ(engine.status().code, Code::out_of_memory);
        }
        EXPECT_EQ(memory.blocks_out(), 0u) << k;
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
}

TEST(ShortOfMemory, discarding_needs_none) {
    CountingResource memory;
    const Scene scene = make_scene("uniform", 500);
    Engine engine = engine_with(scene.boxes(), {.memory = &memory});
    const std::uint64_t fingerprint = engine.frame().fingerprint();
    std::vector<AgentId> ids(500);
    ASSERT_EQ(engine.insert(scene.boxes(), ids), Status{});
    ASSERT_EQ(engine.remove(3), Status{});
    memory.fail_after(0);
    engine.discard();
    EXPECT_EQ(engine.staged(), 0u);
    memory.stop_failing();
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().fingerprint(), fingerprint);
    EXPECT_TRUE(engine.validate().sound());
}

TEST(ShortOfMemory, frames_are_taken_copied_and_dropped_without_any) {
    CountingResource memory;
    const Scene scene = make_scene("uniform", 500);
    Engine engine = engine_with(scene.boxes(), {.memory = &memory});
    memory.fail_after(0);
    const std::uint64_t calls = memory.calls();
    std::vector<Frame> frames(10);
    for (Frame& frame : frames) frame = engine.frame();
    for (const Frame& frame : frames) EXPECT_EQ(frame.on(serial_executor()).size(), 500u);
    frames.clear();
    EXPECT_EQ(memory.calls(), calls);
}

#if __has_include(<memory_resource>)

// Throws what no allocator should.
class Peculiar : public std::pmr::memory_resource {
public:
    bool throwing = false;

private:
    void* do_allocate(std::size_t bytes, std::size_t alignment) override {
        if (throwing) throw 42;
        return std::pmr::new_delete_resource()->allocate(bytes, alignment);
    }
    void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override {
        std::pmr::new_delete_resource()->deallocate(memory, bytes, alignment);
    }
    bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
        return this == &other;
    }
};

TEST(PeculiarResource, may_throw_anything_and_nothing_escapes) {
    Peculiar resource;
    PmrMemory memory(resource);
    const Scene scene = make_scene("uniform", 3000);
    for (const auto& place : all_workplaces({3})) {
        resource.throwing = true;
        EXPECT_EQ(Engine({.executor = place->executor(), .memory = &memory}).status().code,
                  Code::out_of_memory);
        resource.throwing = false;
        Engine engine({.executor = place->executor(), .memory = &memory});
        ASSERT_EQ(engine.status(), Status{});
        resource.throwing = true;
        place->run([&] {
            EXPECT_EQ(engine.update(scene.boxes()).code, Code::out_of_memory);
            AgentId id = 0;
            EXPECT_EQ(engine.insert({0, 0, 1, 1}, id).code, Code::out_of_memory);
            resource.throwing = false;
            EXPECT_EQ(engine.update(scene.boxes()), Status{});
            resource.throwing = true;
            OverlapLists hits(&memory);
            PairList list(&memory);
            EXPECT_EQ(engine.frame().overlaps(scene.boxes(), hits).code, Code::out_of_memory);
            EXPECT_EQ(engine.frame().pairs(list).code, Code::out_of_memory);
        });
    }
}

#else

TEST(PeculiarResource, may_throw_anything_and_nothing_escapes) {
    GTEST_SKIP() << "libc++ has <memory_resource> from version 16 on";
}

#endif

TEST(Resource, is_called_by_one_thread_at_a_time) {
    CountingResource memory;
    memory.dawdle();
    for (const auto& place : all_workplaces({4})) {
        place->run([&] {
            Engine engine({.executor = place->executor(), .memory = &memory});
            Scene scene = make_scene("clustered", 8000);
            for (int frame = 0; frame < 3; ++frame, scene.step()) {
                ASSERT_EQ(engine.update(scene.boxes()), Status{});
                ask(engine.frame(), scene.queries(500));
                ASSERT_EQ(committed(engine, engine.move(3, scene.agents()[4])), Status{});
            }
        });
    }
    EXPECT_FALSE(memory.overlapped());
    EXPECT_FALSE(memory.misused());
    EXPECT_EQ(memory.blocks_out(), 0u);
}

TEST(MemoryReport, reports_what_the_resource_handed_out) {
    CountingResource memory;
    Engine engine({.memory = &memory});
    Scene scene = make_scene("uniform", 5000);
    std::vector<Frame> held;
    for (int frame = 0; frame < 4; ++frame, scene.step()) {
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        held.push_back(engine.frame());
        ASSERT_EQ(committed(engine, engine.move(3, scene.agents()[4])), Status{});
        const MemoryReport report = engine.memory();
        EXPECT_EQ(report.allocations, memory.calls());
        EXPECT_LE(report.total(), memory.bytes_out());
        EXPECT_GE(report.total() + 8192, memory.bytes_out()) << "no more than the engine itself is left out";
        EXPECT_GE(report.rows, 5000 * 20u) << "a box and an id for each agent";
    }
}

}  // namespace
}  // namespace throng::test
