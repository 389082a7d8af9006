// What every call that reads a frame promises: the same bytes on every executor and instruction set, no
// memory once its results have some, and a status where an executor does not do its work.
// out_of_memory_test.cpp tests that memory may run out at any time.
#include "harness/reading_calls.hpp"
#include "support/engine_state.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Engines with boxes alone, with labels for the calls that take filters by labels, and with ghosts.
struct Worlds {
    Worlds(const EngineConfig& config, const ReadingWorld& world)
        : asked(world), plain(config), labelled(config), with_ghosts(config) {
        EXPECT_EQ(world.fill(plain, Given::boxes), Status{});
        EXPECT_EQ(world.fill(labelled, Given::labels), Status{});
        EXPECT_EQ(world.fill(with_ghosts, Given::ghosts), Status{});
    }
    Status make(const ReadingCall& call, const Executor& executor, Results& results) const {
        const Engine& engine = call.given == Given::labels   ? labelled
                               : call.given == Given::ghosts ? with_ghosts
                                                             : plain;
        return call.make(engine.frame().on(executor), asked, results);
    }
    const ReadingWorld& asked;
    Engine plain, labelled, with_ghosts;
};

// Makes a world that is a little smaller than the scene, so that a part of it comes in from the other side.
void wrap(const Scene& scene, EngineConfig& config, ReadingWorld& asked) {
    Box bounds = no_box;
    for (const Box& box : scene.agents()) bounds = bounds.united(box);
    config.period_x = 0.9f * (bounds.max_x - bounds.min_x);
    config.period_y = 0.7f * (bounds.max_y - bounds.min_y);
    for (Asked& one : asked.asked) one.fit_into({config.period_x, config.period_y});
}

void expect_the_same_everywhere(const Scene& scene, std::size_t count, bool wraps = false) {
    ReadingWorld asked(scene, count);
    const std::vector<Isa> sets = instruction_sets();
    std::vector<std::unique_ptr<Worlds>> worlds;
    for (const Isa isa : sets) {
        EngineConfig config = scene.configure({.executor = serial_executor(), .isa = isa});
        if (wraps) wrap(scene, config, asked);
        worlds.push_back(std::make_unique<Worlds>(config, asked));
    }
    const std::vector<std::unique_ptr<Workplace>> places = all_workplaces({5, 33});
    for (const ReadingCall& call : reading_calls()) {
        std::vector<std::uint64_t> reference;
        for (std::size_t p = 0; p < places.size(); ++p)
            for (std::size_t k = 0; k < sets.size(); ++k) {
                // Every instruction set on one thread, and on each of the other executors in turn.
                if (p != 0 && k != p % sets.size()) continue;
                Results results(nullptr);
                places[p]->run(
                    [&] { EXPECT_EQ(worlds[k]->make(call, places[p]->executor(), results), Status{}); });
                if (p + k == 0) reference = results.record;
                EXPECT_TRUE(results.record == reference) << call.name << ", " << scene.name() << ", "
                                                         << places[p]->name() << ", " << to_string(sets[k]);
            }
    }
}

TEST(ReadingCalls, give_the_same_bytes_on_every_executor_and_instruction_set) {
    for (const char* name : {"giants_over_small", "lattice"})
        expect_the_same_everywhere(make_scene(name, scaled(5000, 1500), 7), scaled(2000, 200));
}

TEST(ReadingCalls, give_the_same_bytes_where_there_are_islands) {
    expect_the_same_everywhere(make_island_scene("villages_under_giants", enough_for_islands, 7),
                               scaled(2000, 200));
}

// Enough work for more blocks than there are workers.
TEST(ReadingCalls, give_the_same_bytes_in_a_large_world) {
    expect_the_same_everywhere(make_scene("uniform", scaled(12000, 6000)), scaled(3000, 400));
}

TEST(ReadingCalls, give_the_same_bytes_where_the_world_wraps_around) {
    for (const char* name : {"giants_over_small", "uniform"})
        expect_the_same_everywhere(make_scene(name, scaled(9000, 1500), 7), scaled(2000, 200), true);
}

void expect_no_memory_once_settled(bool wraps) {
    const Scene scene = make_scene("uniform", wraps ? 1500 : 4000, 3);
    ReadingWorld asked(scene, wraps ? 300 : 800);
    CountingExecutor several(4);
    for (const Executor& executor : {serial_executor(), several.executor()}) {
        CountingResource memory;
        Results results(&memory);
        EngineConfig config{.executor = executor, .memory = &memory};
        if (wraps) wrap(scene, config, asked);
        const Worlds worlds(config, asked);
        for (const ReadingCall& call : reading_calls()) {
            std::uint64_t settled = 0;
            for (int time = 0; time < 6; ++time) {
                if (time == 3) settled = memory.calls();
                results.record.clear();
                EXPECT_EQ(worlds.make(call, executor, results), Status{});
            }
            EXPECT_EQ(memory.calls(), settled) << call.name << ", " << executor.workers << " workers";
        }
    }
}
TEST(ReadingCalls, need_no_memory_once_their_results_have_some) { expect_no_memory_once_settled(false); }
TEST(ReadingCalls, need_no_memory_where_the_world_wraps_around) { expect_no_memory_once_settled(true); }

// Calls that seldom have work for several: blocks of a few answers each, and few pairs.
bool may_be_on_one_thread(const ReadingCall& call) {
    return call.is_single || call.name.find("blocks") != std::string::npos ||
           call.name.find("static layer") != std::string::npos;
}

using Habit = FaultyExecutor::Habit;
class ReadingCallsOnABadExecutor : public ::testing::TestWithParam<Habit> {};

// Each bad habit is tried on a third of the calls, so that each call meets two of them. Where the world wraps
// around, calls have more steps, so there it is one habit on every second call.
void expect_bad_executors_to_be_found_out(Habit habit, bool wraps) {
    const Scene scene = make_scene("uniform", wraps ? 12000 : 20000);
    ReadingWorld asked(scene, wraps ? 9000 : 12000);
    for (Asked& one : asked.asked) one.boxes = asked.agents;  // with few answers each
    EngineConfig config{.executor = serial_executor()};
    if (wraps) wrap(scene, config, asked);
    const Worlds worlds(config, asked);
    const EngineState before = state_of(worlds.plain, {asked.agents.begin(), asked.agents.begin() + 20});
    for (std::size_t k = 0; k < reading_calls().size(); ++k) {
        if ((k + static_cast<std::size_t>(habit)) % (wraps ? 12 : 3) != 0) continue;
        const ReadingCall& call = reading_calls()[k];
        // The blocks of one call repeat their steps.
        const std::uint64_t each_of = wraps ? 1 : scale() < 0.1 ? 2 : 8;
        for (std::uint64_t from = 0;; from += from < each_of ? 1 : from) {
            FaultyExecutor executor(habit, from);
            Results results(nullptr);
            const Status status = worlds.make(call, executor.executor(), results);
            if (!executor.guilty()) {
                EXPECT_TRUE(from != 0 || may_be_on_one_thread(call)) << call.name;
                break;
            }
            EXPECT_EQ(status.code, Code::bad_executor) << call.name << ", step " << from;
            EXPECT_TRUE(results.are_empty()) << call.name << ", step " << from;
        }
    }
    EXPECT_TRUE(unchanged(before, worlds.plain));
}

TEST_P(ReadingCallsOnABadExecutor, find_it_out_at_every_step) {
    expect_bad_executors_to_be_found_out(GetParam(), false);
}
TEST_P(ReadingCallsOnABadExecutor, find_it_out_where_the_world_wraps_around) {
    expect_bad_executors_to_be_found_out(GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(that, ReadingCallsOnABadExecutor,
                         ::testing::Values(Habit::runs_nothing, Habit::skips_the_first, Habit::skips_the_last,
                                           Habit::repeats_the_first, Habit::repeats_the_last,
                                           Habit::runs_one_for_another));

// The questions that a call asks the host: none if it has no work for blocks, and otherwise at least one. At
// whichever the host says yes, the call ends. A host that says no to all gets the same bytes as one that is
// not asked.
void expect_end_at_every_question(const Worlds& worlds, const ReadingCall& call, const Executor& executor) {
    Results undisturbed(nullptr);
    ASSERT_EQ(worlds.make(call, executor, undisturbed), Status{}) << call.name;
    for (std::uint64_t from = 0;; from += 1 + from / (scale() < 0.1 ? 1 : 3)) {
        CancellingHost host(from);
        Results results(nullptr);
        const Status status = worlds.make(call, host.on(executor), results);
        if (!host.has_cancelled()) {
            EXPECT_EQ(status, Status{}) << call.name;
            EXPECT_TRUE(results.record == undisturbed.record) << call.name;
            EXPECT_TRUE(from != 0 || may_be_on_one_thread(call)) << call.name;
            return;
        }
        EXPECT_EQ(status.code, Code::cancelled) << call.name << ", question " << from;
        EXPECT_TRUE(results.are_empty()) << call.name << ", question " << from;
    }
}

void expect_ends_when_wanted(bool wraps) {
    const Scene scene = make_scene("uniform", 8000);
    ReadingWorld asked(scene, 5000);
    for (Asked& one : asked.asked) one.boxes = asked.agents;
    EngineConfig config{.executor = serial_executor()};
    if (wraps) wrap(scene, config, asked);
    const Worlds worlds(config, asked);
    const EngineState before = state_of(worlds.plain, {asked.agents.begin(), asked.agents.begin() + 20});
    CountingExecutor several(4);
    for (std::size_t k = 0; k < reading_calls().size(); k += wraps ? 3 : 1)
        expect_end_at_every_question(worlds, reading_calls()[k],
                                     k % 2 == 0 ? serial_executor() : several.executor());
    EXPECT_TRUE(unchanged(before, worlds.plain));
}
TEST(ReadingCalls, end_at_whatever_question_the_host_wants_it) { expect_ends_when_wanted(false); }
TEST(ReadingCalls, end_when_wanted_where_the_world_wraps_around) { expect_ends_when_wanted(true); }

}  // namespace
}  // namespace throng::test
