// A handle is good for one agent: an agent that gets its id later has another.
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
    EXPECT_TRUE(engine.is_current(handle));
    return handle;
}

TEST(AgentHandle, moves_relabels_and_removes_its_agent) {
    Engine engine;
    const AgentHandle agent = handle_of(engine, inserted(engine, here));
    ASSERT_EQ(engine.commit(), Status{});
    ASSERT_EQ(engine.move(agent, there), Status{});
    ASSERT_EQ(committed(engine, engine.relabel(agent, {.categories = 4})), Status{});
    EXPECT_EQ(engine.frame().count(there, {.categories = 4}).total, 1u);
    ASSERT_EQ(engine.remove(agent), Status{});
    EXPECT_FALSE(engine.is_current(agent)) << "it is staged to be gone";
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(engine.size(), 0u);
}

TEST(AgentHandle, comes_with_a_new_agent) {
    const std::vector<Box> three{here, here, here};
    Engine engine = engine_with(three);
    AgentHandle plain, labelled, never{7, 7};
    ASSERT_EQ(engine.insert(there, plain), Status{});
    ASSERT_EQ(engine.insert(there, {.categories = 4}, labelled), Status{});
    EXPECT_EQ(engine.insert({1, 0, 0, 0}, never), (Status{Code::inverted, 0}));
    EXPECT_EQ(never, (AgentHandle{7, 7})) << "left as it was";
    EXPECT_EQ(plain, handle_of(engine, 3));
    EXPECT_EQ(labelled, handle_of(engine, 4));
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_TRUE(engine.is_current(plain) && engine.is_current(labelled));
    EXPECT_EQ(engine.frame().count(there).total, 2u);
    EXPECT_EQ(engine.frame().count(there, {.categories = 4}).total, 1u);
    ASSERT_EQ(engine.remove(plain), Status{});
    AgentHandle next;
    ASSERT_EQ(engine.insert(here, next), Status{});
    EXPECT_EQ(next.id, plain.id);
    EXPECT_FALSE(engine.is_current(plain));
    Engine moved = std::move(engine);
    EXPECT_EQ(engine.insert(here, next), Status{Code::moved_from});  // NOLINT(bugprone-use-after-move)
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
        EXPECT_FALSE(engine.is_current(first));
        EXPECT_TRUE(engine.is_current(second));
        EXPECT_EQ(engine.move(first, there), (Status{Code::unknown_id, 0}));
        EXPECT_EQ(engine.remove(first), (Status{Code::unknown_id, 0}));
        EXPECT_EQ(engine.relabel(first, {}), (Status{Code::unknown_id, 0}));
        EXPECT_EQ(engine.move(second, here), Status{});
    }
}

TEST(AgentHandle, is_good_again_when_the_removal_is_discarded) {
    Engine engine;
    const AgentHandle first = handle_of(engine, inserted(engine, here));
    ASSERT_EQ(engine.commit(), Status{});
    ASSERT_EQ(engine.remove(first), Status{});
    const AgentHandle never = handle_of(engine, inserted(engine, there));
    engine.discard();
    EXPECT_TRUE(engine.is_current(first));
    EXPECT_FALSE(engine.is_current(never));
    ASSERT_EQ(committed(engine, engine.remove(first)), Status{});
    const AgentHandle third = handle_of(engine, inserted(engine, here));
    EXPECT_FALSE(engine.is_current(first));
    EXPECT_FALSE(engine.is_current(never)) << "its agent never was, and the id is another's";
    EXPECT_TRUE(engine.is_current(third));
}

TEST(AgentHandle, of_an_agent_that_a_bulk_update_keeps_stays_good) {
    const std::vector<Box> three{here, here, here}, two{there, there};
    Engine engine = engine_with(three);
    const AgentHandle second = handle_of(engine, 1), third = handle_of(engine, 2);
    ASSERT_EQ(engine.update(three), Status{});
    EXPECT_TRUE(engine.is_current(second) && engine.is_current(third));
    ASSERT_EQ(engine.update(two), Status{});
    EXPECT_TRUE(engine.is_current(second));
    EXPECT_FALSE(engine.is_current(third));
    ASSERT_EQ(engine.update(three), Status{});
    EXPECT_TRUE(engine.is_current(second));
    EXPECT_FALSE(engine.is_current(third)) << "another agent";
    EXPECT_EQ(engine.move(second, there), Status{});
}

TEST(AgentHandle, of_a_removed_agent_stays_stale_when_an_update_uses_its_id) {
    const std::vector<Box> three{here, here, here};
    Engine engine = engine_with(three);
    const AgentHandle removed = handle_of(engine, 1), kept = handle_of(engine, 2);
    ASSERT_EQ(committed(engine, engine.remove(removed)), Status{});
    ASSERT_EQ(engine.update(three), Status{});
    EXPECT_FALSE(engine.is_current(removed)) << "another agent";
    EXPECT_EQ(engine.move(removed, there), (Status{Code::unknown_id, 0}));
    EXPECT_TRUE(engine.is_current(kept));
}

TEST(AgentHandle, of_an_agent_that_was_left_out_stays_stale) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<Box> three{here, here, here}, bad{here, {nan, 0, 0, 0}, here};
    Engine engine = engine_with(three);
    const AgentHandle left_out = handle_of(engine, 1), kept = handle_of(engine, 2);
    ASSERT_EQ(engine.update_legal(bad, {}).total, 1u);
    EXPECT_FALSE(engine.is_current(left_out));
    ASSERT_EQ(engine.update(three), Status{});
    EXPECT_FALSE(engine.is_current(left_out)) << "its id was free meanwhile";
    EXPECT_TRUE(engine.is_current(kept));
}

TEST(AgentHandle, is_refused_for_an_id_without_an_agent) {
    Engine engine;
    AgentHandle handle{7, 7};
    EXPECT_EQ(engine.handle(0, handle), (Status{Code::unknown_id, 0}));
    EXPECT_EQ(engine.handle(no_agent, handle), (Status{Code::unknown_id, 0}));
    EXPECT_EQ(handle, (AgentHandle{7, 7})) << "left as it was";
    EXPECT_FALSE(engine.is_current({}));
    const AgentHandle kept = handle_of(engine, inserted(engine, here));
    ASSERT_EQ(engine.remove(kept), Status{});
    EXPECT_EQ(engine.handle(kept.id, handle), (Status{Code::unknown_id, 0}));
    Engine moved = std::move(engine);
    EXPECT_EQ(engine.handle(0, handle), Status{Code::moved_from});  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(engine.move(kept, here), Status{Code::moved_from});
    EXPECT_FALSE(engine.is_current(kept));
}

}  // namespace
}  // namespace throng::test
