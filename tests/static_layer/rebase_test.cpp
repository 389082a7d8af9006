// Another origin for the world: every box less (dx, dy), and everything else as it was.
#include "support/engine_state.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float largest = std::numeric_limits<float>::max();

TEST(Rebase, there_and_back_by_powers_of_two_is_the_same_world) {
    // On a lattice of eighths, where nothing is rounded.
    Random random(5);
    std::vector<Box> boxes;
    for (int i = 0; i < 2000; ++i) {
        const float x = static_cast<float>(random.between(0, 4000)) / 8,
                    y = static_cast<float>(random.between(0, 4000)) / 8;
        boxes.push_back({x, y, x + 1, y + 1.125f});
    }
    Engine engine = engine_with(boxes, {.executor = serial_executor()});
    const Frame before = engine.frame();
    ASSERT_EQ(engine.rebase(256, -1024), Status{});
    EXPECT_NE(engine.frame().fingerprint(), before.fingerprint());
    EXPECT_EQ(engine.frame().number(), before.number() + 1);
    EXPECT_EQ(engine.frame().tuning().times_chosen, before.tuning().times_chosen) << "no new grid";
    EXPECT_EQ(engine.frame().tuning().columns, before.tuning().columns);
    EXPECT_EQ(engine.frame().tuning().origin_x, before.tuning().origin_x - 256);
    EXPECT_EQ(engine.frame().count_pairs().total, before.count_pairs().total);
    ASSERT_EQ(engine.rebase(-256, 1024), Status{});
    EXPECT_EQ(engine.frame().fingerprint(), before.fingerprint());
    EXPECT_EQ(engine.frame().explain(Boxes::of(boxes)).tested, before.explain(Boxes::of(boxes)).tested);
}

class RefusedRebase : public ::testing::Test {
protected:
    RefusedRebase() {
        boxes_[7].max_x = 3e38f;
        boxes_[9].min_y = -3e38f;
        EXPECT_EQ(engine_.update(Boxes::of(boxes_)), Status{});
        before_ = state_of(engine_, {{0, 0, 1, 1}, {-1e30f, -1e30f, 1e30f, 1e30f}});
    }
    ~RefusedRebase() override { EXPECT_TRUE(unchanged(before_, engine_)); }

    std::vector<Box> boxes_ = std::vector<Box>(20, Box{0, 0, 1, 1});
    Engine engine_;
    EngineState before_;
};

TEST_F(RefusedRebase, names_the_agent_that_would_leave_the_floats) {
    EXPECT_EQ(engine_.rebase(-2e38f, 0), (Status{Code::not_finite, 7}));
    EXPECT_EQ(engine_.rebase(0, 2e38f), (Status{Code::not_finite, 9}));
    EXPECT_EQ(engine_.rebase(-2e38f, 2e38f), (Status{Code::not_finite, 7}));
}

TEST_F(RefusedRebase, wants_finite_numbers) {
    for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
        EXPECT_EQ(engine_.rebase(bad, 0), (Status{Code::not_finite}));
        EXPECT_EQ(engine_.rebase(0, bad), (Status{Code::not_finite}));
    }
}

TEST_F(RefusedRebase, wants_no_edits_to_wait) {
    ASSERT_EQ(engine_.move(3, {5, 5, 6, 6}), Status{});
    EXPECT_EQ(engine_.rebase(1, 1).code, Code::edits_pending);
    EXPECT_EQ(engine_.staged(), 1u);
    engine_.discard();
}

TEST(Rebase, of_an_engine_that_is_gone_or_empty) {
    Engine engine;
    EXPECT_EQ(engine.rebase(3, 4), Status{});
    EXPECT_EQ(engine.frame().size(), 0u);
    const Engine taken = std::move(engine);
    EXPECT_EQ(engine.rebase(3, 4).code, Code::moved_from);
}

TEST(Rebase, survives_a_grid_that_leaves_the_floats) {
    std::vector<Box> boxes(10, Box{-largest, 0, -largest, 1});
    Engine engine = engine_with(boxes);
    for (Box& box : boxes) box = {0, 0, 1, 1};
    ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
    ASSERT_EQ(engine.rebase(largest, 0), Status{});
    EXPECT_TRUE(std::isfinite(engine.frame().tuning().origin_x));
    EXPECT_TRUE(engine.validate().sound());
    EXPECT_EQ(engine.frame().count({-largest, 0, 0, 0}).total, 10u);
}

TEST(Rebase, allocates_nothing_in_a_steady_world) {
    CountingResource memory;
    const Scene scene = make_scene("mixed_sizes", 1000);
    Engine engine = engine_with(scene.boxes(), {.executor = serial_executor(), .memory = &memory});
    for (int i = 0; i < 4; ++i) ASSERT_EQ(engine.rebase(i % 2 == 0 ? 64.0f : -64.0f, 0), Status{});
    const std::uint64_t calls = memory.calls() + memory.returns();
    for (int i = 0; i < 20; ++i) ASSERT_EQ(engine.rebase(i % 2 == 0 ? 64.0f : -64.0f, 0), Status{});
    EXPECT_EQ(memory.calls() + memory.returns(), calls);
}

// --- The static layer's part -------------------------------------------------------------------------------

std::uint64_t walls_touched(const Frame& frame) {
    return frame.count_pairs(with_other(frame.static_layer())).total;
}

TEST(RebasedLayer, goes_with_the_agents_if_it_is_set_before) {
    const std::vector<Box> walls{{0, 0, 10, 1}, {0, 0, 1, 10}}, agents{{0, 0, 1, 1}, {9, 0.5f, 9.5f, 3}};
    const std::vector<Label> labels{{1, 0}, {2, 0}};
    const StaticLayer layer(Boxes::of(walls), {.labels = Labels::of(labels)});
    Engine engine = engine_with_layer(layer, agents);
    const Frame before = engine.frame();
    EXPECT_EQ(before.count_pairs(with_other(before.static_layer())).total, 3u);
    ASSERT_EQ(engine.rebase(64, 64), Status{});
    EXPECT_EQ(walls_touched(engine.frame()), 0u) << "the layer stayed where it was";
    ASSERT_EQ(engine.rebase(-64, -64), Status{});

    const StaticLayer moved = layer.rebased(64, 64);
    ASSERT_EQ(moved.status(), Status{});
    EXPECT_EQ(moved.frame().count({-64, -64, -54, -54}, {.categories = 2}).total, 1u) << "labels stay";
    ASSERT_EQ(engine.set_static_layer(moved), Status{});
    ASSERT_EQ(engine.rebase(64, 64), Status{});
    EXPECT_EQ(walls_touched(engine.frame()), 3u);
    EXPECT_EQ(before.count_pairs(with_other(before.static_layer())).total, 3u)
        << "a frame that was held has the old ones";
    EXPECT_EQ(layer.rebased(64, 64).rebased(-64, -64).frame().fingerprint(), layer.frame().fingerprint());
}

TEST(RebasedLayer, says_why_it_could_not_be_made) {
    const std::vector<Box> walls{{0, 0, 1, 1}, {0, 0, 3e38f, 1}};
    const StaticLayer layer{Boxes::of(walls)};
    EXPECT_EQ(layer.rebased(-1e38f, 0).status(), (Status{Code::not_finite, 1}));
    EXPECT_EQ(layer.rebased(-1e38f, 0).size(), 0u);
    EXPECT_EQ(layer.rebased(std::numeric_limits<float>::infinity(), 0).status(), (Status{Code::not_finite}));
    EXPECT_EQ(StaticLayer().rebased(1, 1).status(), Status{});
    const std::vector<Box> bad{{1, 0, 0, 0}};
    EXPECT_EQ(StaticLayer(Boxes::of(bad)).rebased(1, 1).status(), (Status{Code::inverted, 0}));
}

}  // namespace
}  // namespace throng::test
