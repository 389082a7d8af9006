// A host may end an update or a commit at every question that the call asks. The call says so, nothing has
// changed, and the same call succeeds once the host says no.
#include "support/engine_state.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Enough agents that a step has several blocks, and that one thread asks in the middle of them.
const Scene& crowd() {
    static const Scene all = make_scene("uniform", 30000);
    return all;
}
const Scene& crowd_later() {
    static const Scene all = [] {
        Scene moved = crowd();
        moved.step();
        return moved;
    }();
    return all;
}

using WriteCall = std::function<Status(Engine& engine)>;

// Returns whether the host has cancelled at all.
bool ends_and_recovers(const Executor& executor, std::uint64_t from, const WriteCall& write,
                       const Answers& expected) {
    CancellingHost host(from);
    host.content(true);
    Engine engine = engine_with(crowd().boxes(), {.executor = host.on(executor)});
    const EngineState before = state_of(engine, crowd().queries(20));
    host.content(false);
    const Status status = write(engine);
    host.content(true);
    if (!host.has_cancelled()) {
        EXPECT_EQ(status, Status{}) << "question " << from;
        return false;
    }
    EXPECT_EQ(status.code, Code::cancelled) << "question " << from;
    engine.discard();
    EXPECT_TRUE(unchanged(before, engine)) << "question " << from;
    EXPECT_EQ(write(engine), Status{});
    EXPECT_TRUE(identical(expected, ask(engine.frame(), crowd().queries(20))));
    return true;
}

void expect_its_way_at_every_question(const WriteCall& write) {
    Engine plain = engine_with(crowd().boxes(), {.executor = serial_executor()});
    ASSERT_EQ(write(plain), Status{});
    const Answers expected = ask(plain.frame(), crowd().queries(20));
    CountingExecutor several(4);
    for (const Executor& executor : {serial_executor(), several.executor()}) {
        std::uint64_t from = 0;
        while (ends_and_recovers(executor, from, write, expected)) from += 1 + from / 8;
        EXPECT_GT(from, 1u) << "the host was hardly asked";
    }
}

// The first frame is built as any other.
TEST(Cancelled, engine_and_static_layer_say_so_when_they_are_made) {
    CancellingHost host(0);
    const Executor executor = host.on(serial_executor());
    Engine engine({.executor = executor});
    EXPECT_EQ(engine.status(), Status{Code::cancelled});
    EXPECT_EQ(engine.update(crowd().boxes()), Status{Code::cancelled});
    const StaticLayer layer(crowd().boxes(), {}, {.executor = executor});
    EXPECT_EQ(layer.status(), Status{Code::cancelled});
    FaultyExecutor idle(FaultyExecutor::Habit::runs_nothing, 0);
    EXPECT_EQ(Engine({.executor = idle.executor()}).status(), Status{});  // which has no work to give
}

TEST(Cancelled, update_leaves_everything_as_it_was) {
    expect_its_way_at_every_question([](Engine& engine) { return engine.update(crowd_later().boxes()); });
}

TEST(Cancelled, update_with_pairs_leaves_everything_as_it_was) {
    expect_its_way_at_every_question([](Engine& engine) {
        PairList pairs;
        const Status status = engine.update(crowd_later().boxes(), pairs);
        EXPECT_EQ(pairs.size() != 0, status.ok());
        return status;
    });
}

TEST(Cancelled, commit_leaves_everything_as_it_was) {
    std::vector<AgentId> ids;
    std::vector<Box> boxes;
    for (AgentId id = 0; id < crowd_later().agents().size(); id += 2) {
        ids.push_back(id);
        boxes.push_back(crowd_later().agents()[id]);
    }
    expect_its_way_at_every_question([&](Engine& engine) {
        if (const Status status = engine.move(ids, Boxes::of(boxes)); !status) return status;
        return engine.commit();
    });
}

}  // namespace
}  // namespace throng::test
