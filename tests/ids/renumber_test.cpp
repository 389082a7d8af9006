// Engine::renumber gives the agents other ids and changes nothing else.
#include "support/engine_state.hpp"
#include "support/ids_with_holes.hpp"
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

std::vector<AgentId> order_of(const Frame& frame) {
    std::vector<AgentId> order(frame.size());
    EXPECT_EQ(frame.row_order(order).written, order.size());
    return order;
}

TEST(RenumberInRowOrder, makes_the_order_that_of_the_ids) {
    for (const char* name : {"uniform", "villages", "giants_over_small"}) {
        SCOPED_TRACE(name);
        const Scene scene = make_scene(name, 2000);
        Engine engine = engine_with(scene.boxes());
        ASSERT_EQ(engine.renumber(order_of(engine.frame())), Status{});
        const std::vector<AgentId> order = order_of(engine.frame());
        const auto common = static_cast<std::ptrdiff_t>(order.size() - engine.frame().tuning().oversized);
        EXPECT_TRUE(std::is_sorted(order.begin(), order.begin() + common));
    }
}

TEST(RenumberOnIslands, keeps_the_islands) {
    const Scene scene = make_island_scene("villages_under_giants", 1300);
    Twins twins;
    twins.update(scene.boxes());
    const Tuning before = twins.frame().tuning();
    ASSERT_GT(before.islands, 0u);
    ASSERT_EQ(twins.renumber(order_of(twins.frame())), Code::ok);
    EXPECT_EQ(twins.frame().tuning().islands, before.islands);
    EXPECT_EQ(twins.frame().tuning().oversized, before.oversized);
    EXPECT_TRUE(twins.agree(scene.queries(100)));
}

TEST(RenumberWithHoles, closes_them_and_goes_on_with_edits) {
    Engine engine;
    const std::vector<Box> three{here, there, {2, 2, 3, 3}};
    ASSERT_EQ(engine.update(std::vector<AgentId>{3, 70, 9}, three), Status{});
    ASSERT_EQ(engine.renumber(std::vector<AgentId>{70, 3, 9}), Status{});
    EXPECT_EQ(engine.frame().id_bound(), 3u);
    EXPECT_EQ(engine.frame().box(0), there);
    EXPECT_EQ(engine.frame().box(1), here);
    AgentId id = no_agent;
    ASSERT_EQ(engine.insert(here, id), Status{});
    EXPECT_EQ(id, 3u);
    EXPECT_EQ(engine.move(70, here), (Status{Code::unknown_id, 0}));
    ASSERT_EQ(committed(engine, engine.move(0, here)), Status{});
    EXPECT_EQ(engine.frame().count(here).total, 3u);
    EXPECT_TRUE(engine.validate().sound());
}

TEST(RenumberAfterEdits, gives_the_ids_to_the_agents_that_had_the_others) {
    const Scene scene = make_scene("uniform", 300);
    const std::vector<AgentId> gone{0, 8, 100};
    Twins twins;
    twins.update(scene.boxes());
    ASSERT_EQ(twins.remove(gone), Code::ok);
    ASSERT_EQ(twins.renumber(order_of(twins.frame())), Code::edits_pending);
    ASSERT_EQ(twins.commit(), Code::ok);
    ASSERT_EQ(twins.renumber(order_of(twins.frame())), Code::ok);
    ASSERT_EQ(twins.move(5, there), Code::ok);
    ASSERT_EQ(twins.commit(), Code::ok);
    EXPECT_TRUE(twins.agree(scene.queries(60)));
}

TEST(RenumberAndHandles, makes_all_of_them_stale) {
    Engine engine = engine_with(all_here(2));
    AgentHandle first, second, fresh;
    ASSERT_EQ(engine.handle(0, first), Status{});
    ASSERT_EQ(engine.handle(1, second), Status{});
    ASSERT_EQ(engine.renumber(std::vector<AgentId>{0, 1}), Status{}) << "even if no id is another";
    EXPECT_EQ(engine.id(first), no_agent);
    EXPECT_EQ(engine.id(second), no_agent);
    EXPECT_EQ(engine.move(engine.id(first), there), (Status{Code::unknown_id, 0}));
    ASSERT_EQ(engine.handle(0, fresh), Status{});
    EXPECT_EQ(engine.id(fresh), 0u);
    EXPECT_NE(first, fresh);
}

TEST(RenumberRefused, names_the_element_and_changes_nothing) {
    const Scene scene = make_scene("uniform", 100);
    Engine engine = engine_with(scene.boxes());
    AgentHandle handle;
    ASSERT_EQ(engine.handle(4, handle), Status{});
    const EngineState before = state_of(engine, scene.queries(20));
    const auto expect_refused = [&](std::vector<AgentId> order, std::size_t at, AgentId id, Code code,
                                    std::size_t element) {
        order[at] = id;
        const Status status = engine.renumber(order);
        EXPECT_EQ(status, (Status{code, element}));
        EXPECT_EQ(status.argument, Argument::ids);
        EXPECT_TRUE(unchanged(before, engine));
        EXPECT_EQ(engine.id(handle), 4u);
    };
    const std::vector<AgentId> order = order_of(engine.frame());
    expect_refused(order, 50, order[20], Code::duplicate_id, 50);
    expect_refused(order, 20, order[50], Code::duplicate_id, 50);
    expect_refused(order, 7, 100, Code::unknown_id, 7);
    expect_refused(order, 99, no_agent, Code::unknown_id, 99);
    EXPECT_EQ(engine.renumber(std::span(order).first(99)), Status{Code::size_mismatch});
    EXPECT_EQ(engine.renumber({static_cast<const AgentId*>(nullptr), 100}), Status{Code::null_view});
    EXPECT_TRUE(unchanged(before, engine));
}

TEST(RenumberOfNone, publishes_an_empty_frame) {
    Engine engine;
    ASSERT_EQ(engine.renumber({}), Status{});
    EXPECT_EQ(engine.frame().size(), 0u);
    EXPECT_TRUE(engine.validate().sound());
}

TEST(RenumberOnEveryExecutor, gives_the_same_bytes) {
    const Scene scene = make_scene("mixed_sizes", scaled(60000, 20000));
    const std::vector<Box> queries = scene.queries(100);
    Engine first = engine_with(scene.boxes());
    const std::vector<AgentId> order = order_of(first.frame());
    ASSERT_EQ(first.renumber(order), Status{});
    const Answers expected = ask(first.frame(), queries);
    for (const auto& place : all_workplaces({1, 3, 8}))
        place->run([&] {
            Engine engine = engine_with(scene.boxes(), {.executor = place->executor()});
            ASSERT_EQ(engine.renumber(order_of(engine.frame())), Status{});
            EXPECT_TRUE(identical(expected, ask(engine.frame(), queries))) << place->name();
        });
}

}  // namespace
}  // namespace throng::test
