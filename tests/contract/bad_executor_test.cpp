// An executor that breaks its promise is found out: the call says so, nothing has changed, and with an
// executor that keeps the promise everything goes on.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "support/casts.hpp"
#include "support/engine_state.hpp"
#include "support/executors.hpp"
#include "support/printing.hpp"
#include "support/scenes.hpp"
#include "throng/engine.hpp"

namespace throng::test {
namespace {

using Habit = FaultyExecutor::Habit;

std::string describe(Habit habit) {
    switch (habit) {
    case Habit::runs_nothing: return "runs_nothing";
    case Habit::skips_the_first: return "skips_the_first";
    case Habit::skips_the_last: return "skips_the_last";
    case Habit::repeats_the_first: return "repeats_the_first";
    case Habit::repeats_the_last: return "repeats_the_last";
    case Habit::runs_one_for_another: break;
    }
    return "runs_one_for_another";
}

// Enough agents that every step has several blocks.
const Scene& scene() {
    static const Scene all = make_scene("uniform", 30000);
    return all;
}
const Scene& scene_after() {
    static const Scene all = [] {
        Scene moved = scene();
        moved.step();
        return moved;
    }();
    return all;
}

const std::vector<Cast>& casts() {
    static const std::vector<Cast> some = casts_for(scene(), 300);
    return some;
}

struct Call {
    const char* name;
    std::function<Status(Engine& engine, const Executor& executor)> make;
};

std::vector<Call> queries() {
    const auto boxes = [] { return scene().boxes(); };
    return {
        {"overlaps",
         [=](Engine& engine, const Executor& executor) {
             Hits hits;
             const Status status = engine.frame().on(executor).overlaps(boxes(), hits);
             EXPECT_TRUE(status.ok() || (hits.size() == 0 && hits.ids().empty()));
             return status;
         }},
        {"overlaps, bounded",
         [=](Engine& engine, const Executor& executor) {
             std::vector<std::uint64_t> offsets(boxes().size() + 1);
             std::vector<AgentId> ids(200000);
             return engine.frame().on(executor).overlaps(boxes(), offsets, ids).status;
         }},
        {"count",
         [=](Engine& engine, const Executor& executor) {
             std::vector<std::uint32_t> counts(boxes().size());
             return engine.frame().on(executor).count(boxes(), counts);
         }},
        {"any",
         [=](Engine& engine, const Executor& executor) {
             std::vector<std::uint8_t> any(boxes().size());
             return engine.frame().on(executor).any(boxes(), any);
         }},
        {"first hits",
         [](Engine& engine, const Executor& executor) {
             std::vector<CastHit> hits(casts().size());
             return engine.frame().on(executor).first_hits(casts(), hits);
         }},
        {"first hits of casts in the host's arrays",
         [](Engine& engine, const Executor& executor) {
             std::vector<CastHit> hits(casts().size());
             const Points points = Points::members(casts(), &Cast::dx, &Cast::dy);
             return engine.frame().on(executor).first_hits(Casts::segments(points, points), hits);
         }},
        {"blocked",
         [](Engine& engine, const Executor& executor) {
             std::vector<std::uint8_t> blocked(casts().size());
             return engine.frame().on(executor).blocked(casts(), blocked);
         }},
        {"all hits",
         [](Engine& engine, const Executor& executor) {
             CastHits hits;
             const Status status = engine.frame().on(executor).all_hits(casts(), hits);
             EXPECT_TRUE(status.ok() || (hits.empty() && hits.hits().empty()));
             return status;
         }},
        {"pairs",
         [](Engine& engine, const Executor& executor) {
             PairList list;
             const Status status = engine.frame().on(executor).pairs(list);
             EXPECT_TRUE(status.ok() || list.empty());
             return status;
         }},
        {"pair_changes",
         [](Engine& engine, const Executor& executor) {
             PairChanges changes;
             const Status status = engine.frame().on(executor).pair_changes(changes);
             EXPECT_TRUE(status.ok() || changes.began().empty());
             return status;
         }},
        {"kept neighbours",
         [](Engine& engine, const Executor& executor) {
             KeptNeighbours kept({.radius = 2, .skin = 0.5f});
             const Status status = engine.frame().on(executor).neighbours(kept);
             EXPECT_TRUE(status.ok() || kept.lists().empty());
             return status;
         }},
        {"for_each_answer",
         [=](Engine& engine, const Executor& executor) {
             Hits block;
             return engine.frame().on(executor).for_each_answer(boxes(), block,
                                                                [](std::size_t, const Hits&) {});
         }},
        {"pairs, bounded",
         [](Engine& engine, const Executor& executor) {
             std::vector<Pair> out(100000);
             return engine.frame().on(executor).pairs(std::span(out)).status;
         }},
        {"count_pairs",
         [](Engine& engine, const Executor& executor) {
             return engine.frame().on(executor).count_pairs().status;
         }},
        {"for_each_pair",
         [](Engine& engine, const Executor& executor) {
             return engine.frame().on(executor).for_each_pair_concurrently([](std::span<const Pair>) {});
         }},
    };
}

class BadExecutor : public ::testing::TestWithParam<Habit> {};

TEST_P(BadExecutor, of_a_query_is_found_out_at_every_step) {
    Engine engine({.executor = serial_executor()});
    ASSERT_EQ(engine.update(scene().boxes()), Status{});
    const EngineState before = state_of(engine, scene().queries(20));
    for (const Call& call : queries()) {
        std::uint64_t from = 0;
        for (;; ++from) {
            FaultyExecutor executor(GetParam(), from);
            const Status status = call.make(engine, executor.executor());
            if (!executor.guilty()) break;
            EXPECT_EQ(status.code, Code::bad_executor) << call.name << ", call " << from;
        }
        EXPECT_GT(from, 0u) << call.name << " never went to the executor";
    }
    EXPECT_TRUE(unchanged(before, engine));
}

// Update or commit on an executor that fails at its call number `from`. Returns whether it failed at all.
bool fails_and_recovers(Habit habit, std::uint64_t from, const std::function<Status(Engine& engine)>& write,
                        const Answers& expected) {
    FaultyExecutor executor(habit, from);
    executor.reform(true);
    Engine engine({.executor = executor.executor()});
    EXPECT_EQ(engine.update(scene().boxes()), Status{});
    const EngineState before = state_of(engine, scene().queries(20));
    executor.reform(false);
    const Status status = write(engine);
    executor.reform(true);
    if (!executor.guilty()) return false;
    EXPECT_EQ(status.code, Code::bad_executor) << "call " << from;
    engine.discard();
    EXPECT_TRUE(unchanged(before, engine)) << "call " << from;
    EXPECT_EQ(write(engine), Status{});
    EXPECT_TRUE(identical(expected, ask(engine.frame(), scene().queries(20))));
    return true;
}

void expect_found_out_at_every_step(Habit habit, const std::function<Status(Engine& engine)>& write) {
    Engine plain({.executor = serial_executor()});
    ASSERT_EQ(plain.update(scene().boxes()), Status{});
    ASSERT_EQ(write(plain), Status{});
    const Answers expected = ask(plain.frame(), scene().queries(20));
    std::uint64_t from = 0;
    while (fails_and_recovers(habit, from, write, expected)) ++from;
    EXPECT_GT(from, 0u) << "the executor was never asked";
}

TEST_P(BadExecutor, of_an_update_is_found_out_at_every_step) {
    expect_found_out_at_every_step(GetParam(),
                                   [](Engine& engine) { return engine.update(scene_after().boxes()); });
}

TEST_P(BadExecutor, of_a_commit_is_found_out_at_every_step) {
    std::vector<AgentId> ids;
    std::vector<Box> boxes;
    for (AgentId id = 0; id < scene_after().agents().size(); id += 2) {
        ids.push_back(id);
        boxes.push_back(scene_after().agents()[id]);
    }
    expect_found_out_at_every_step(GetParam(), [&](Engine& engine) {
        if (const Status status = engine.move(ids, Boxes::of(boxes)); !status) return status;
        return engine.commit();
    });
}

INSTANTIATE_TEST_SUITE_P(that, BadExecutor,
                         ::testing::Values(Habit::runs_nothing, Habit::skips_the_first, Habit::skips_the_last,
                                           Habit::repeats_the_first, Habit::repeats_the_last,
                                           Habit::runs_one_for_another),
                         [](const auto& habit) { return describe(habit.param); });

}  // namespace
}  // namespace throng::test
