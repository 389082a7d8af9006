// A handle is good for one agent: an agent that gets the same id later has another handle.
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr Box here{0, 0, 1, 1}, there{5, 5, 6, 6};

AgentId inserted(Engine& engine, const Box& box) {
    AgentId id = no_agent;
    EXPECT_EQ(engine.insert(box, id), Status{});
    return id;
}
AgentHandle handle_of(Engine& engine, AgentId id) {
    AgentHandle handle;
    EXPECT_EQ(engine.handle(id, handle), Status{});
    EXPECT_EQ(handle.id, id);
    EXPECT_EQ(engine.id(handle), id);
    return handle;
}
bool is_current(const Engine& engine, const AgentHandle& handle) { return engine.id(handle) != no_agent; }

TEST(AgentHandle, moves_relabels_and_removes_its_agent) {
    Engine engine;
    const AgentHandle agent = handle_of(engine, inserted(engine, here));
    ASSERT_EQ(engine.commit(), Status{});
    ASSERT_EQ(engine.move(engine.id(agent), there), Status{});
    ASSERT_EQ(committed(engine, engine.relabel(engine.id(agent), {.categories = 4})), Status{});
    EXPECT_EQ(engine.frame().count(there, {.categories = 4}).total, 1u);
    ASSERT_EQ(engine.remove(engine.id(agent)), Status{});
    EXPECT_FALSE(is_current(engine, agent)) << "it is staged to be gone";
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.frame().size(), 0u);
}

TEST(AgentHandle, is_there_for_a_new_agent_at_once) {
    const std::vector<Box> three{here, here, here};
    Engine engine = engine_with(three);
    const AgentHandle fourth = handle_of(engine, inserted(engine, there));
    EXPECT_EQ(fourth.id, 3u);
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_TRUE(is_current(engine, fourth));
    ASSERT_EQ(engine.remove(engine.id(fourth)), Status{});
    EXPECT_EQ(inserted(engine, here), fourth.id);
    EXPECT_FALSE(is_current(engine, fourth));
}

TEST(AgentHandle, never_moves_another_agent) {
    Engine engine;
    const AgentHandle first = handle_of(engine, inserted(engine, here));
    ASSERT_EQ(engine.commit(), Status{});
    ASSERT_EQ(engine.remove(first.id), Status{});
    const AgentId again = inserted(engine, here);
    ASSERT_EQ(again, first.id) << "the lowest free id";
    const AgentHandle second = handle_of(engine, again);
    EXPECT_NE(first, second);
    for (int i = 0; i < 2; ++i, static_cast<void>(engine.commit())) {
        EXPECT_FALSE(is_current(engine, first));
        EXPECT_TRUE(is_current(engine, second));
        EXPECT_EQ(engine.move(engine.id(first), there), (Status{Code::unknown_id, 0}));
        EXPECT_EQ(engine.remove(engine.id(first)), (Status{Code::unknown_id, 0}));
        EXPECT_EQ(engine.relabel(engine.id(first), {}), (Status{Code::unknown_id, 0}));
        EXPECT_EQ(engine.move(engine.id(second), here), Status{});
    }
}

TEST(AgentHandle, is_good_again_when_the_removal_is_discarded) {
    Engine engine;
    const AgentHandle first = handle_of(engine, inserted(engine, here));
    ASSERT_EQ(engine.commit(), Status{});
    ASSERT_EQ(engine.remove(engine.id(first)), Status{});
    const AgentHandle never = handle_of(engine, inserted(engine, there));
    engine.discard();
    EXPECT_TRUE(is_current(engine, first));
    EXPECT_FALSE(is_current(engine, never));
    ASSERT_EQ(committed(engine, engine.remove(engine.id(first))), Status{});
    const AgentHandle third = handle_of(engine, inserted(engine, here));
    EXPECT_FALSE(is_current(engine, first));
    EXPECT_FALSE(is_current(engine, never)) << "its agent never was, and the id is another's";
    EXPECT_TRUE(is_current(engine, third));
}

TEST(AgentHandle, of_an_agent_that_a_bulk_update_keeps_stays_good) {
    const std::vector<Box> three{here, here, here}, two{there, there};
    Engine engine = engine_with(three);
    const AgentHandle second = handle_of(engine, 1), third = handle_of(engine, 2);
    ASSERT_EQ(engine.update(three), Status{});
    EXPECT_TRUE(is_current(engine, second) && is_current(engine, third));
    ASSERT_EQ(engine.update(two), Status{});
    EXPECT_TRUE(is_current(engine, second));
    EXPECT_FALSE(is_current(engine, third));
    ASSERT_EQ(engine.update(three), Status{});
    EXPECT_TRUE(is_current(engine, second));
    EXPECT_FALSE(is_current(engine, third)) << "another agent";
    EXPECT_EQ(engine.move(engine.id(second), there), Status{});
}

TEST(AgentHandle, of_a_removed_agent_stays_stale_when_an_update_uses_its_id) {
    const std::vector<Box> three{here, here, here};
    Engine engine = engine_with(three);
    const AgentHandle removed = handle_of(engine, 1), kept = handle_of(engine, 2);
    ASSERT_EQ(committed(engine, engine.remove(engine.id(removed))), Status{});
    ASSERT_EQ(engine.update(three), Status{});
    EXPECT_FALSE(is_current(engine, removed)) << "another agent";
    EXPECT_EQ(engine.move(engine.id(removed), there), (Status{Code::unknown_id, 0}));
    EXPECT_TRUE(is_current(engine, kept));
}

TEST(AgentHandle, of_an_agent_that_is_gone_stays_stale_when_a_new_agent_with_its_id_is_discarded) {
    const std::vector<Box> three{here, here, here}, one{here};
    Engine engine = engine_with(three);
    const AgentHandle kept = handle_of(engine, 0), gone = handle_of(engine, 1);
    ASSERT_EQ(engine.update(one), Status{});
    const AgentHandle never = handle_of(engine, inserted(engine, there));
    EXPECT_EQ(never.id, gone.id);
    engine.discard();
    ASSERT_EQ(engine.update(three), Status{});
    EXPECT_FALSE(is_current(engine, gone)) << "another agent";
    EXPECT_FALSE(is_current(engine, never)) << "its agent never was, and the id is another's";
    EXPECT_TRUE(is_current(engine, kept));
}

TEST(AgentHandle, of_an_agent_that_was_left_out_stays_stale) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Box> three{here, here, here}, bad{here, {nan, 0, 0, 0}, here};
    Engine engine = engine_with(three);
    const AgentHandle left_out = handle_of(engine, 1), kept = handle_of(engine, 2);
    LeftOut bad_ones;
    ASSERT_EQ(engine.update(bad, {.left_out = &bad_ones}), Status{});
    ASSERT_EQ(bad_ones.total, 1u);
    EXPECT_FALSE(is_current(engine, left_out));
    ASSERT_EQ(engine.update(three), Status{});
    EXPECT_FALSE(is_current(engine, left_out)) << "its id was free meanwhile";
    EXPECT_TRUE(is_current(engine, kept));
}

TEST(AgentHandle, is_refused_for_an_id_without_an_agent) {
    Engine engine;
    AgentHandle handle{7, 7};
    EXPECT_EQ(engine.handle(0, handle), (Status{Code::unknown_id, 0}));
    EXPECT_EQ(engine.handle(no_agent, handle), (Status{Code::unknown_id, 0}));
    EXPECT_EQ(handle, (AgentHandle{7, 7})) << "left as it was";
    EXPECT_FALSE(is_current(engine, {}));
    const AgentHandle kept = handle_of(engine, inserted(engine, here));
    ASSERT_EQ(engine.remove(engine.id(kept)), Status{});
    EXPECT_EQ(engine.handle(kept.id, handle), (Status{Code::unknown_id, 0}));
    Engine moved = std::move(engine);
    EXPECT_EQ(engine.handle(0, handle), Status{Code::moved_from});  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(engine.move(engine.id(kept), here), Status{Code::moved_from});
    EXPECT_FALSE(is_current(engine, kept));
}

}  // namespace
}  // namespace throng::test
