// A host survives out of memory. For each public call the k-th allocation fails, for every k until the call
// succeeds. Each time the call must say so and nothing may have changed. A second try with memory must give
// what the first would have given. A host that does without the call must get the world that it would have
// had anyway. At the end no memory may be left over.
#include "memory/out_of_memory_calls.hpp"
#include "support/engine_state.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// What a host goes on with when it has given up.
const Scene& third_scene() {
    static const Scene scene = make_scene("uniform", 310, 3);
    return scene;
}

enum class Shortage { lasting, passing };

class Survival {
public:
    Survival(const MemoryCall& call, Workplace& place, Shortage shortage)
        : call_(call), place_(place), shortage_(shortage) {
        EngineWorld world(place_.executor(), call_.period);
        call_.prepare(world);
        EXPECT_EQ(call_.make(world), Status{});
        expected_ = outcome(world);

        // Taken from a world of its own: a query warms up work spaces, and then the call
        // under test would need none.
        EngineWorld fresh(place_.executor(), call_.period);
        call_.prepare(fresh);
        before_ = state_of(fresh.engine, queries_);
        held_ = ask_all(fresh.held);
        given_up_ = given_up(fresh);
    }
    // One call with the k-th allocation failing. Returns whether there was a k-th.
    bool survives(std::uint64_t k) {
        auto world = std::make_unique<EngineWorld>(place_.executor(), call_.period);
        call_.prepare(*world);
        const std::uint64_t failures = world->memory.failures();
        shortage_ == Shortage::lasting ? world->memory.fail_after(k) : world->memory.fail_once_after(k);
        const Status status = call_.make(*world);
        const bool hit = world->memory.failures() != failures;
        world->memory.stop_failing();

        // A call may succeed all the same. If it did not, it must not have done anything.
        if (!status) {
            EXPECT_TRUE(hit) << "there was memory";
            EXPECT_EQ(status.code, Code::out_of_memory);
            EXPECT_TRUE(unchanged(before_, world->engine));
            EXPECT_TRUE(world->results.are_empty()) << "on failure results are empty";
            if (k % 2 != 0) {
                EXPECT_TRUE(identical(given_up_, given_up(*world)));
                expect_nothing_left(std::move(world));
                return hit;
            }
            EXPECT_EQ(call_.make(*world), Status{}) << "a second try, with memory";
        }
        for (std::size_t i = 0; i < held_.size(); ++i)
            EXPECT_TRUE(identical(held_[i], ask(world->held[i], queries_)));
        const Outcome now = outcome(*world);
        EXPECT_EQ(now.hits, expected_.hits);
        EXPECT_EQ(now.pairs, expected_.pairs);
        EXPECT_EQ(now.answer, expected_.answer);
        EXPECT_TRUE(identical(expected_.world, now.world));
        expect_nothing_left(std::move(world));
        return hit;
    }

private:
    // What the call answered, and the world after it, with everything that was staged made visible.
    struct Outcome {
        std::vector<AgentId> hits;
        std::vector<Pair> pairs;
        std::vector<std::uint64_t> answer;
        Answers world;
    };
    Outcome outcome(EngineWorld& world) const {
        const Status committed = world.engine.staged() != 0 ? world.engine.commit() : Status{};
        EXPECT_EQ(committed, Status{});
        EXPECT_TRUE(world.engine.validate().sound());
        return {{world.results.hits.ids().begin(), world.results.hits.ids().end()},
                {world.results.pairs.begin(), world.results.pairs.end()},
                world.results.record,
                ask(world.engine.frame(), queries_)};
    }
    // The world after the host has given up its call and gone on with something else.
    Answers given_up(EngineWorld& world) const {
        world.engine.discard();
        EXPECT_EQ(world.engine.update(third_scene().boxes()), Status{});
        return ask(world.engine.frame(), queries_);
    }
    std::vector<Answers> ask_all(const std::vector<Frame>& frames) const {
        std::vector<Answers> answers;
        for (const Frame& frame : frames) answers.push_back(ask(frame, queries_));
        return answers;
    }
    static void expect_nothing_left(std::unique_ptr<EngineWorld> world) {
        world->held.clear();
        world->results = Results(nullptr);
        world->engine = Engine();
        EXPECT_EQ(world->memory.blocks_out(), 0u);
        EXPECT_FALSE(world->memory.misused());
        EXPECT_FALSE(world->memory.overlapped());
    }

    const MemoryCall& call_;
    Workplace& place_;
    Shortage shortage_;
    std::vector<Box> queries_ = first_scene().queries(15);
    Outcome expected_;
    EngineState before_;
    std::vector<Answers> held_;
    Answers given_up_;
};

void expect_survival(const MemoryCall& call) {
    std::vector<std::unique_ptr<Workplace>> places;
    places.push_back(pool_workplace(3));
#ifndef THRONG_TEST_RACES
    places.push_back(serial_workplace());
#endif
    std::vector<std::pair<Workplace*, Shortage>> all;
    for (const auto& place : places)
        for (const Shortage shortage : {Shortage::lasting, Shortage::passing})
            all.emplace_back(place.get(), shortage);
    static std::size_t start = 0;
    for (const auto& [place, shortage] : enough_of(all, start++)) {
        SCOPED_TRACE(place->name() + (shortage == Shortage::lasting ? ", from then on" : ", once"));
        Survival survival(call, *place, shortage);
        for (std::uint64_t k = 0; !::testing::Test::HasFailure(); ++k) {
            SCOPED_TRACE("allocation " + std::to_string(k));
            ASSERT_LT(k, 10000u) << "it never succeeds";
            if (!survival.survives(k)) break;
        }
    }
}

class OutOfMemory : public ::testing::TestWithParam<MemoryCall> {};

TEST_P(OutOfMemory, is_survived_at_each_allocation) { expect_survival(GetParam()); }

std::string call_name(const ::testing::TestParamInfo<MemoryCall>& info) {
    std::string name = info.param.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    std::erase_if(name, [](char letter) { return letter == '\'' || letter == ':' || letter == ','; });
    return name;
}

INSTANTIATE_TEST_SUITE_P(writing, OutOfMemory, ::testing::ValuesIn(writing_calls()), call_name);
INSTANTIATE_TEST_SUITE_P(islands, OutOfMemory, ::testing::ValuesIn(calls_on_islands()), call_name);
INSTANTIATE_TEST_SUITE_P(ids, OutOfMemory, ::testing::ValuesIn(calls_by_ids()), call_name);
INSTANTIATE_TEST_SUITE_P(around, OutOfMemory, ::testing::ValuesIn(enough_of(calls_that_wrap_around(), 2)),
                         call_name);
INSTANTIATE_TEST_SUITE_P(reading, OutOfMemory, ::testing::ValuesIn(calls_that_read()), call_name);

}  // namespace
}  // namespace throng::test
