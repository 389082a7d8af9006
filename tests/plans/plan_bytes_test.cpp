// A plan as bytes: the same everywhere, and harmless from anywhere.
#include "oracle/brute_force.hpp"
#include "plans/plans.hpp"
#include "support/everywhere.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

std::uint64_t hash_of(const PlanBytes& bytes) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const std::byte byte : bytes) hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001B3u;
    return hash;
}

// After some frames, so that all fields have been in use.
PlanBytes plan_after_frames(Scene scene, const EngineConfig& config) {
    Engine engine(scene.configure(config));
    for (std::size_t k = 0; k < 4; ++k, scene.step()) EXPECT_EQ(engine.update(scene.boxes()), Status{});
    return plan_of(engine);
}

struct GoldenPlan {
    const char* scene;
    bool has_islands;
    std::size_t bytes;
    std::uint64_t hash;
};
constexpr GoldenPlan golden_plans[] = {
    {"uniform", false, 412, 0x66a3ce492c7c0155},
    {"mixed_sizes", false, 412, 0xcebf4e9309faf7bd},
    {"villages", true, 1443, 0x396382c67d4a8fd8},
    {"villages_of_all_sizes", true, 1729, 0x652aa6cecf73e6c0},
};

TEST(PlanBytes, are_those_of_every_machine) {
    for (const GoldenPlan& golden : golden_plans) {
        const Scene scene =
            golden.has_islands ? make_island_scene(golden.scene, 3500, 2) : make_scene(golden.scene, 3500, 2);
        everywhere({3}, [&](const EngineConfig& config) {
            const PlanBytes bytes = plan_after_frames(scene, config);
            EXPECT_EQ(bytes.size(), golden.bytes) << golden.scene;
            EXPECT_EQ(hash_of(bytes), golden.hash) << golden.scene;
        });
    }
}

// The engine still has all else that it was given, and goes on as before.
class RefusedPlan : public ::testing::Test {
protected:
    RefusedPlan() : engine_({.executor = serial_executor(), .memory = &memory_}) {
        EXPECT_EQ(engine_.update(scene_.boxes()), Status{});
        plan_ = plan_of(engine_);
    }
    void expect_refused(std::span<const std::byte> bytes, const Status& status = Code::bad_plan) {
        EXPECT_EQ(engine_.set_plan(bytes), status);
        EXPECT_EQ(plan_of(engine_), plan_);
        EXPECT_EQ(engine_.frame().number(), 1u);
    }

    const Scene scene_ = make_island_scene("villages", 3000, 3);
    CountingResource memory_;
    Engine engine_;
    PlanBytes plan_;
};

TEST_F(RefusedPlan, is_one_that_is_cut_off_or_longer) {
    for (std::size_t size = 0; size < plan_.size(); ++size) expect_refused(std::span(plan_).first(size));
    PlanBytes longer = plan_;
    longer.push_back(std::byte{0});
    expect_refused(longer);
}

TEST_F(RefusedPlan, is_one_of_another_version_or_another_thing) {
    for (const std::size_t at : {0u, 3u, 4u, 7u}) {
        PlanBytes other = plan_;
        other[at] ^= std::byte{0x10};
        expect_refused(other);
    }
}

TEST_F(RefusedPlan, is_one_of_an_engine_with_other_sizes) {
    for (const EngineConfig& config :
         {EngineConfig{.cell_width = 2}, EngineConfig{.row_height = 3},
          EngineConfig{.cell_width = 2, .row_height = 3}, EngineConfig{.common_size = 4}}) {
        Engine other(config);
        ASSERT_EQ(other.update(scene_.boxes()), Status{});
        expect_refused(plan_of(other));
        EXPECT_EQ(other.set_plan(plan_), Code::bad_plan);
        EXPECT_EQ(other.set_plan(plan_of(other)), Status{});
    }
}

TEST_F(RefusedPlan, is_a_null_pointer) {
    expect_refused({static_cast<const std::byte*>(nullptr), 3}, Code::null_view);
    expect_refused({});
    EXPECT_EQ(engine_.plan({static_cast<std::byte*>(nullptr), 3}).status, Status{Code::null_view});
}

TEST_F(RefusedPlan, is_one_without_memory_for_its_islands) {
    engine_.release_memory();
    for (const std::size_t allocations : {0u, 1u, 2u}) {
        memory_.fail_after(allocations);
        expect_refused(plan_, Code::out_of_memory);
        memory_.stop_failing();
    }
    ASSERT_EQ(engine_.set_plan(plan_), Status{});
}

TEST(PlanBytes, are_written_as_far_as_there_is_room) {
    Engine engine;
    ASSERT_EQ(engine.update(make_scene("uniform", 3000).boxes()), Status{});
    const PlanBytes all = plan_of(engine);
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, std::size_t{99}, all.size() - 1}) {
        PlanBytes some(room + 8, std::byte{0xAB});
        const Filled written = engine.plan(std::span(some).first(room));
        EXPECT_TRUE(written.status && written.total == all.size() && written.written == room);
        EXPECT_TRUE(std::equal(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(room), all.begin()));
        EXPECT_TRUE(std::all_of(some.begin() + static_cast<std::ptrdiff_t>(room), some.end(),
                                [](std::byte byte) { return byte == std::byte{0xAB}; }));
    }
}

TEST(PlanBytes, are_of_an_engine) {
    Engine engine;
    Engine elsewhere(std::move(engine));
    EXPECT_EQ(engine.plan({}).status, Status{Code::moved_from});
    EXPECT_EQ(engine.set_plan({}), Code::moved_from);
    EXPECT_EQ(engine.replan(), Code::moved_from);
}

// --- What looks like a plan --------------------------------------------------------------------------------

// A plan with some bytes changed is mostly accepted: answers stay right, and memory depends on the agents.
void expect_no_harm(const Scene& scene, const PlanBytes& plan, const ExpectedAnswers& expected,
                    std::size_t& accepted) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    const Status status = engine.set_plan(plan);
    ASSERT_TRUE(status || status == Code::bad_plan) << status.message();
    if (!status) return;
    ++accepted;
    ASSERT_LE(memory.bytes_out(), 60u << 20);
    ASSERT_EQ(engine.set_plan(plan_of(engine)), Status{});
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    ASSERT_LE(memory.bytes_out(), (60u << 20) + 4000 * scene.agents().size());
    ASSERT_TRUE(engine.validate().sound());
    ASSERT_TRUE(answers_as(engine.frame(), expected));
}

TEST(PlanBytes, do_no_harm_whatever_one_of_them_is) {
    for (const char* name : {"villages", "villages_of_all_sizes"}) {
        Scene scene = make_island_scene(name, 3000, 3);
        Engine engine;
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        scene.step();
        const ExpectedAnswers expected = expect(twin_with(scene.boxes()).frame(), scene.queries(15));
        const PlanBytes plan = plan_of(engine);
        std::size_t accepted = 0;
        const std::size_t step = scale() < 0.2 ? 37 : 7;
        for (std::size_t at = 0; at < plan.size() && !::testing::Test::HasFailure(); at += step)
            for (const unsigned flips : {0x80u, 0xFFu, 0x01u}) {
                PlanBytes other = plan;
                other[at] ^= static_cast<std::byte>(flips);
                expect_no_harm(scene, other, expected, accepted);
            }
        EXPECT_GT(accepted, plan.size() / step / 4) << "of " << plan.size();
    }
}

}  // namespace
}  // namespace throng::test
