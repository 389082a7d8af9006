// What a call leaves behind if it was refused, if it failed, or if its edits were discarded: nothing that
// shows in a later answer, in its order, or in the plan. Twins get the same frames, and one of them such
// calls in between.
#include "plans/plans.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float around = 100;

// Small ones, and one that is as high as the world, so that several images of a query find it.
std::vector<Box> crowd_around_seams() {
    Random random(1);
    std::vector<Box> boxes{{-3, 0, 3, around}};
    while (boxes.size() < 300)
        boxes.push_back(Box::around(random.uniform(0, around), random.uniform(0, around), 4, 4));
    return boxes;
}

using Meddling = std::function<void(Engine& engine, CancellingHost& host)>;

// The reach over a seam decides how often a query is looked up, and so in which order agents are found.
class CallsWithoutTrace : public ::testing::Test {
protected:
    void expect_none_of(const char* what, const Meddling& meddle) {
        for (const bool wraps : {true, false})
            for (const bool has_more : {true, false}) expect_none_of(what, meddle, wraps, has_more);
    }
    // With a static layer, heights and ghosts, or without.
    void expect_none_of(const char* what, const Meddling& meddle, bool wraps, bool has_more) {
        CancellingHost host(0);
        host.content(true);
        const float period = wraps ? around : 0;
        Engine twin({.executor = serial_executor(), .period_x = period, .period_y = period}),
            engine({.executor = host.on(serial_executor()), .period_x = period, .period_y = period});
        const std::vector<Band> heights(has_more ? boxes.size() : 0, Band{0, 1});
        for (Engine* each : {&engine, &twin}) {
            if (has_more) {
                ASSERT_EQ(each->set_static_layer(StaticLayer(Boxes::of({boxes.data(), 20}))), Status{});
            }
            ASSERT_EQ(each->update(boxes, {.heights = heights, .owned = has_more ? 200 : all_owned}),
                      Status{});
        }
        meddle(engine, host);
        EXPECT_EQ(engine.staged(), 0u) << what;
        for (Engine* each : {&engine, &twin}) {
            ASSERT_EQ(each->move(7, boxes[8]), Status{}) << what;
            ASSERT_EQ(each->commit(), Status{}) << what;
        }
        EXPECT_TRUE(are_alike(engine, twin, boxes)) << what;
        NeighbourLists near, near_twin;
        const Within wanted{.radius = 9, .agents_as = AgentsAs::boxes};
        ASSERT_EQ(engine.frame().neighbours(wanted, near), Status{});
        ASSERT_EQ(twin.frame().neighbours(wanted, near_twin), Status{});
        EXPECT_TRUE(equal_ranges(near.ids(), near_twin.ids())) << what;
    }

    const std::vector<Box> boxes = crowd_around_seams();
    const Box large = Box::around(50, 50, 49.5f, 49.5f);
};

TEST_F(CallsWithoutTrace, are_edits_that_are_refused_or_discarded) {
    expect_none_of("a move of no agent", [&](Engine& engine, CancellingHost&) {
        EXPECT_EQ(engine.move(1000, large), (Status{Code::unknown_id, 0}));
    });
    expect_none_of("an insert that is discarded", [&](Engine& engine, CancellingHost&) {
        AgentId id = 0;
        EXPECT_EQ(engine.insert(large, id), Status{});
        engine.discard();
    });
    expect_none_of("a move that is taken back", [&](Engine& engine, CancellingHost&) {
        EXPECT_EQ(engine.move(3, large), Status{});
        EXPECT_EQ(engine.move(3, boxes[3]), Status{});
        engine.discard();
    });
}

TEST_F(CallsWithoutTrace, are_calls_with_something_illegal) {
    const std::vector<Box> both{large, large}, illegal{large, {NAN, 0, 1, 1}};
    const std::vector<AgentId> unknown{3, 1000}, known{3, 4}, twice{3, 3};
    const std::vector<Label> one_label(1), two_labels(2, Label{2, 1});
    const std::vector<Band> one_band(1), inverted{{0, 1}, {1, 0}};
    std::vector<AgentId> ids(2);
    LeftOut left_out{ids};
    const std::vector<std::function<Status(Engine&)>> refused{
        [&](Engine& engine) { return engine.insert(illegal, ids); },
        [&](Engine& engine) { return engine.insert(both, ids, {.labels = one_label}); },
        [&](Engine& engine) { return engine.insert(both, ids, {.heights = inverted}); },
        [&](Engine& engine) { return engine.insert(both, ids, {.owned = 1}); },
        [&](Engine& engine) { return engine.move(known, illegal); },
        [&](Engine& engine) { return engine.move(unknown, both); },
        [&](Engine& engine) { return engine.move(known, both, one_band); },
        [&](Engine& engine) { return engine.move(known, both, inverted); },
        [&](Engine& engine) { return engine.relabel(known, one_label); },
        [&](Engine& engine) { return engine.relabel(unknown, two_labels); },
        [&](Engine& engine) { return engine.remove(unknown); },
        [&](Engine& engine) { return engine.remove(twice); },
        [&](Engine& engine) {
            return engine.move(engine.id({3, 77}), large);
        },
        [&](Engine& engine) { return engine.update(twice, both); },
        [&](Engine& engine) { return engine.update(both, {.heights = inverted}); },
        [&](Engine& engine) { return engine.update(both, {.owned = 3}); },
        [&](Engine& engine) { return engine.update(twice, illegal, {.left_out = &left_out}); },
        [&](Engine& engine) { return engine.renumber(twice); },
        [&](Engine& engine) { return engine.rebase(INFINITY, 0); },
        [&](Engine& engine) { return engine.set_plan(std::vector<std::byte>(400)); },
        [&](Engine& engine) { return engine.set_static_layer(StaticLayer(illegal)); },
    };
    for (std::size_t k = 0; k < refused.size(); ++k)
        expect_none_of(("call " + std::to_string(k)).c_str(),
                       [&](Engine& engine, CancellingHost&) { EXPECT_FALSE(refused[k](engine).ok()) << k; });
}

TEST_F(CallsWithoutTrace, are_commits_and_updates_that_fail) {
    expect_none_of("a commit", [&](Engine& engine, CancellingHost& host) {
        EXPECT_EQ(engine.move(3, large), Status{});
        host.content(false);
        EXPECT_EQ(engine.commit(), Status{Code::cancelled});
        host.content(true);
        engine.discard();
    });
    const std::vector<Box> others(500, large), illegal{large, {NAN, 0, 1, 1}};
    expect_none_of("an update", [&](Engine& engine, CancellingHost& host) {
        host.content(false);
        EXPECT_EQ(engine.update(others), Status{Code::cancelled});
        host.content(true);
    });
    expect_none_of("an update with pairs", [&](Engine& engine, CancellingHost&) {
        PairList pairs;
        EXPECT_EQ(engine.update(illegal, pairs).code, Code::not_finite);
    });
    expect_none_of("another origin", [&](Engine& engine, CancellingHost& host) {
        host.content(false);
        EXPECT_EQ(engine.rebase(30, 40), Status{Code::cancelled});
        host.content(true);
    });
}

// After a commit that built all rows, no table says where agents are. A commit by rows looks for them. If it
// fails, the next one is made as if there had been none.
TEST(CallsWithoutTraceInThePlan, are_commits_that_have_looked_for_agents) {
    constexpr std::size_t agents = 9000;
    const Scene scene = make_scene("uniform", agents);
    const std::vector<Label> labels(agents, Label{2, 1});
    CancellingHost host(0);
    host.content(true);
    Engine twin({.executor = serial_executor()}), engine({.executor = host.on(serial_executor())});
    std::vector<AgentId> half(agents / 2), lowest(agents);
    std::iota(half.begin(), half.end(), AgentId{0});
    for (Engine* each : {&engine, &twin}) {
        ASSERT_EQ(each->update(scene.boxes(), {.labels = labels}), Status{});
        ASSERT_EQ(each->move(half, Boxes::of({scene.agents().data(), half.size()})), Status{});
        ASSERT_EQ(each->commit(), Status{});
    }
    ASSERT_EQ(engine.remove(5), Status{});
    host.content(false);
    ASSERT_EQ(engine.commit(), Status{Code::cancelled});
    host.content(true);
    engine.discard();
    std::iota(lowest.begin(), lowest.end(), AgentId{0});
    std::sort(lowest.begin(), lowest.end(),
              [&](AgentId a, AgentId b) { return scene.agents()[a].min_y < scene.agents()[b].min_y; });
    lowest.resize(agents / 12);
    for (Engine* each : {&engine, &twin}) {
        ASSERT_EQ(each->remove(lowest), Status{});
        ASSERT_EQ(each->commit(), Status{});
    }
    EXPECT_TRUE(are_alike(engine, twin, some_queries(scene.agents())));
}

}  // namespace
}  // namespace throng::test
