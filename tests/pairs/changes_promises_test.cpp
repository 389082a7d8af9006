// What a host that keeps the pairs that began and ended may count on: from the first frame to the last, with
// too little memory, and with an executor that does not do its work. And pairs that are sorted on request.
#include "engine/src/pairs/changes/common_pairs.hpp"
#include "engine/src/pairs/changes/pair_sorter.hpp"
#include "oracle/pair_changes.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Pairs = std::vector<Pair>;

Pairs copied(std::span<const Pair> pairs) { return {pairs.begin(), pairs.end()}; }

bool is_before(const Pair& one, const Pair& other) {
    return std::pair(one.a, one.b) < std::pair(other.a, other.b);
}

bool ascend(std::span<const Pair> pairs) {
    return std::adjacent_find(pairs.begin(), pairs.end(), [](const Pair& one, const Pair& next) {
               return !is_before(one, next);
           }) == pairs.end();
}

// Unit boxes in a line, each touching the next.
std::vector<Box> line(std::size_t count) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back({static_cast<float>(i), 0, static_cast<float>(i) + 1, 1});
    return boxes;
}

Status update(Engine& engine, const std::vector<Box>& boxes) { return engine.update(boxes); }

TEST(PairChanges, of_the_first_frame_are_all_its_pairs) {
    Engine engine;
    ASSERT_EQ(update(engine, line(4)), Status{});
    PairChanges changes;
    EXPECT_TRUE(changes.pairs().empty());
    ASSERT_EQ(changes.update(engine.frame()), Status{});
    EXPECT_EQ(copied(changes.began()), (Pairs{{0, 1}, {1, 2}, {2, 3}}));
    EXPECT_TRUE(changes.ended().empty());
    ASSERT_EQ(changes.update(engine.frame()), Status{});
    EXPECT_TRUE(changes.began().empty());
    EXPECT_TRUE(changes.ended().empty());
    EXPECT_EQ(changes.pairs().size(), 3u);
    changes.clear();
    ASSERT_EQ(changes.update(engine.frame()), Status{});
    EXPECT_EQ(changes.began().size(), 3u);
}

TEST(PairChanges, end_with_the_agents_that_are_gone) {
    Engine engine;
    ASSERT_EQ(update(engine, line(4)), Status{});
    PairChanges changes;
    ASSERT_EQ(changes.update(engine.frame()), Status{});
    ASSERT_EQ(committed(engine, engine.remove(1)), Status{});
    ASSERT_EQ(changes.update(engine.frame()), Status{});
    EXPECT_EQ(copied(changes.ended()), (Pairs{{0, 1}, {1, 2}}));
    // Another agent gets the id: its pairs begin.
    AgentId id = no_agent;
    ASSERT_EQ(engine.insert({3, 0, 3.5f, 1}, id), Status{});
    ASSERT_EQ(id, 1u);
    ASSERT_EQ(engine.commit(), Status{});
    ASSERT_EQ(changes.update(engine.frame()), Status{});
    EXPECT_EQ(copied(changes.began()), (Pairs{{1, 2}, {1, 3}}));
    // An empty frame has no pairs.
    ASSERT_EQ(changes.update(Frame()), Status{});
    EXPECT_EQ(copied(changes.ended()), (Pairs{{1, 2}, {1, 3}, {2, 3}}));
    EXPECT_TRUE(changes.pairs().empty());
}

TEST(PairChanges, lie_between_any_two_frames_of_any_engines) {
    Engine one, other;
    ASSERT_EQ(update(one, line(5000)), Status{});
    ASSERT_EQ(update(other, line(3)), Status{});
    PairChanges changes;
    ASSERT_EQ(changes.update(one.frame()), Status{});
    ASSERT_EQ(changes.update(other.frame()), Status{});
    EXPECT_TRUE(changes.began().empty());
    EXPECT_EQ(changes.ended().size(), 4997u);
    EXPECT_EQ(changes.ended().front(), (Pair{2, 3}));
    EXPECT_EQ(changes.ended().back(), (Pair{4998, 4999}));
    ASSERT_EQ(changes.update(one.frame()), Status{});
    EXPECT_EQ(changes.began().size(), 4997u);
}

TEST(PairChanges, are_in_order_where_one_agent_meets_all_others) {
    // The giant has the lowest id, or the highest, or one between.
    for (const std::size_t giant : {std::size_t{0}, std::size_t{700}, std::size_t{2999}}) {
        // Apart from each other, and not in the order of their ids.
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < 3000; ++i) {
            const auto x = static_cast<float>(i * 7 % 3000);
            boxes.push_back({x, 0, x + 0.5f, 1});
        }
        boxes[giant] = {-1, -1, 4000, 2};
        PairChanges changes;
        ASSERT_EQ(changes.update(engine_with(boxes).frame()), Status{});
        EXPECT_EQ(changes.began().size(), 2999u);
        EXPECT_TRUE(ascend(changes.began()));
        EXPECT_TRUE(std::all_of(changes.began().begin(), changes.began().end(),
                                [](const Pair& pair) { return pair.a < pair.b; }));
    }
}

// A call that fails leaves the pairs of the frame before, so that no change is lost.
template <class Fail>
void expect_nothing_lost(Fail&& fail, MemoryResource* memory) {
    const Scene scene = make_scene("clustered", 20000);
    Engine engine({.executor = serial_executor()});
    PairChanges changes(memory), wanted;
    ASSERT_EQ(engine.update(scene.boxes()), Status{});
    ASSERT_EQ(changes.update(engine.frame()), Status{});
    ASSERT_EQ(wanted.update(engine.frame()), Status{});
    const Pairs before = copied(changes.pairs());
    // More pairs than there is room for.
    std::vector<Box> larger = scene.agents();
    for (Box& box : larger) box.max_x += 0.5f;
    ASSERT_EQ(engine.update(larger), Status{});
    std::size_t failures = 0;
    while (fail(engine.frame(), changes, failures)) {
        ++failures;
        ASSERT_EQ(copied(changes.pairs()), before);
        ASSERT_TRUE(changes.began().empty());
        ASSERT_TRUE(changes.ended().empty());
    }
    EXPECT_GE(failures, 3u);
    ASSERT_EQ(wanted.update(engine.frame()), Status{});
    EXPECT_EQ(copied(changes.began()), copied(wanted.began()));
    EXPECT_EQ(copied(changes.ended()), copied(wanted.ended()));
}

// However few there were before.
TEST(PairChanges, ask_for_no_memory_when_all_pairs_end_or_begin) {
    CountingResource memory;
    Engine engine;
    PairChanges changes(&memory);
    const std::vector<Box> together = line(600);
    std::vector<Box> apart = together;
    for (Box& box : apart) box.max_x -= 0.5f;
    std::uint64_t calls = 0;
    for (std::size_t step = 0; step < 9; ++step) {
        if (step == 4) calls = memory.calls();
        ASSERT_EQ(update(engine, step == 5 || step == 7 ? apart : together), Status{});
        ASSERT_EQ(changes.update(engine.frame()), Status{});
        ASSERT_EQ(changes.began().size() + changes.ended().size(), step == 0 || step > 4 ? 599u : 0u);
    }
    EXPECT_EQ(memory.calls(), calls);
}

// More pairs are compared in more blocks, which need no other memory.
TEST(PairChanges, ask_for_no_memory_when_pairs_become_a_few_more) {
    ThreadPool pool(2);
    CountingResource memory;
    Engine engine({.executor = pool.executor()});
    PairChanges changes(&memory);
    std::uint64_t calls = 0;
    for (std::size_t step = 0; step < 9; ++step) {
        if (step == 4) calls = memory.calls();
        ASSERT_EQ(update(engine, line(step < 5 ? 65530 : 65540)), Status{});
        ASSERT_EQ(changes.update(engine.frame()), Status{});
    }
    EXPECT_EQ(memory.calls(), calls);
}

// Pairs of giants, anywhere in their tree, beside more agents that have few pairs.
TEST(PairChanges, compare_long_runs_of_pairs_agent_by_agent) {
    constexpr std::size_t giants = 30, others = 600;
    Pairs pairs;
    for (AgentId a = 0; a < giants + others; ++a)
        for (AgentId b = 0; b < (a < giants ? 10000 : 25); ++b) pairs.push_back({a, 1000 + b});
    detail::Buffer<detail::PairRun> runs;
    detail::find_runs(pairs, giants + others, runs);
    EXPECT_EQ(runs.size(), giants + others);
    detail::find_runs(std::span(pairs).last(others * 25), others, runs);
    EXPECT_EQ(runs.size(), 0u) << "to compare these alone would cost more than it saves";
}

TEST(PairChanges, lose_nothing_when_memory_runs_out) {
    CountingResource memory;
    expect_nothing_lost(
        [&](const Frame& frame, PairChanges& changes, std::size_t failures) {
            memory.fail_after(failures);
            const Status status = changes.update(frame);
            memory.stop_failing();
            EXPECT_TRUE(status.ok() || status.code == Code::out_of_memory);
            return !status.ok();
        },
        &memory);
}

TEST(PairChanges, lose_nothing_when_an_executor_skips_blocks) {
    expect_nothing_lost(
        [&](const Frame& frame, PairChanges& changes, std::size_t failures) {
            FaultyExecutor faulty(FaultyExecutor::Habit::skips_the_last, failures);
            const Status status = changes.update(frame.on(faulty.executor()));
            EXPECT_EQ(status.code, faulty.guilty() ? Code::bad_executor : Code::ok);
            return !status.ok();
        },
        nullptr);
}

TEST(SortedPairs, are_in_ascending_order_with_the_lower_id_first) {
    Engine engine;
    for (const char* name : {"uniform", "giants_over_small", "one_point", "clustered"}) {
        const Scene scene = make_scene(name, 1500);
        ASSERT_EQ(engine.update(scene.boxes()), Status{});
        PairList list = listed_pairs(engine.frame());
        Pairs wanted = copied(list.pairs());
        for (Pair& pair : wanted) pair = {std::min(pair.a, pair.b), std::max(pair.a, pair.b)};
        std::sort(wanted.begin(), wanted.end(), is_before);
        ThreadPool pool(2);
        ASSERT_EQ(list.sort(pool.executor()), Status{});
        EXPECT_EQ(copied(list.pairs()), wanted) << name;
        ASSERT_EQ(list.sort(), Status{});
        EXPECT_EQ(copied(list.pairs()), wanted) << name;
    }
    PairList none;
    EXPECT_EQ(none.sort(), Status{});
    EXPECT_TRUE(none.empty());
}

TEST(SortedPairs, may_have_any_ids_there_are) {
    // One agent has very many partners. With the larger bounds, pairs of a part are sorted digit by digit.
    for (const std::size_t bound :
         {std::size_t{3000}, std::size_t{largest_id} / 2, std::size_t{largest_id} + 1}) {
        Random random(3);
        Pairs pairs;
        for (std::size_t i = 0; i < 90000; ++i) {
            const auto a = static_cast<AgentId>(random.below(i % 2 == 0 ? bound : 3000)),
                       b = static_cast<AgentId>(random.below(no_agent));
            pairs.push_back(i % 3 == 0 ? Pair{77, b} : Pair{a, b});
        }
        Pairs wanted = pairs, other(pairs.size());
        std::sort(wanted.begin(), wanted.end(), is_before);
        const Executor serial = serial_executor();
        detail::PairSorter sorter(serial, pairs, bound, false);
        detail::Buffer<std::size_t> scratch;
        ASSERT_TRUE(sorter.reserve(scratch));
        ASSERT_TRUE(sorter.sort(other.data()));
        EXPECT_EQ(sorter.ends_in_other(), bound == 3000);
        EXPECT_EQ(sorter.ends_in_other() ? other : pairs, wanted);
    }
}

// With ids that both frames have, so that pairs (1, 2) and (2, 1) are two.
TEST(PairChanges, of_two_frames_keep_the_agents_of_each) {
    Engine agents, walls;
    Random random(7);
    PairChanges of_agents, of_walls;
    oracle::PairChanges expected_of_agents, expected_of_walls;
    const auto expect_changes = [](const Frame& frame, const Frame& other, PairChanges& changes,
                                   oracle::PairChanges& expected) {
        PairList list;
        ASSERT_EQ(frame.pairs(list, with_other(other)), Status{});
        expected.see(list);
        ASSERT_EQ(changes.update(frame, with_other(other)), Status{});
        EXPECT_EQ(copied(changes.began()), expected.began());
        EXPECT_EQ(copied(changes.ended()), expected.ended());
        EXPECT_EQ(copied(changes.pairs()), copied(list.pairs()));
    };
    std::vector<Box> boxes = line(3000), others = line(400);
    for (int step = 0; step < 5; ++step) {
        ASSERT_EQ(update(agents, boxes), Status{});
        ASSERT_EQ(update(walls, others), Status{});
        expect_changes(agents.frame(), walls.frame(), of_agents, expected_of_agents);
        expect_changes(walls.frame(), agents.frame(), of_walls, expected_of_walls);
        EXPECT_FALSE(of_agents.began().empty() || of_walls.began().empty());
        EXPECT_NE(of_agents.ended().empty(), step != 0);
        for (std::size_t i = 0; i < 20; ++i) {
            std::swap(boxes[random.below(400)], boxes[random.below(boxes.size())]);
            others[random.below(others.size())].max_x += 3;
        }
    }
}

TEST(SortedPairs, of_two_frames_keep_the_agents_of_each) {
    Engine agents, walls;
    ASSERT_EQ(update(agents, line(100)), Status{});
    ASSERT_EQ(update(walls, std::vector<Box>{{10, 0, 12, 1}, {90, 0, 91, 1}}), Status{});
    PairList list;
    ASSERT_EQ(agents.frame().pairs(list, with_other(walls.frame())), Status{});
    ASSERT_EQ(list.sort(), Status{});
    EXPECT_EQ(copied(list.pairs()), (Pairs{{9, 0}, {10, 0}, {11, 0}, {12, 0}, {89, 1}, {90, 1}, {91, 1}}));
    ASSERT_EQ(walls.frame().pairs(list, with_other(agents.frame())), Status{});
    ASSERT_EQ(list.sort(), Status{});
    EXPECT_EQ(copied(list.pairs()), (Pairs{{0, 9}, {0, 10}, {0, 11}, {0, 12}, {1, 89}, {1, 90}, {1, 91}}));
}

TEST(SortedPairs, stay_as_they_were_without_memory_and_are_dropped_by_a_bad_executor) {
    CountingResource memory;
    PairList list(&memory);
    const Scene scene = make_scene("clustered", 20000);
    ASSERT_EQ(engine_with(scene.boxes()).frame().pairs(list), Status{});
    const Pairs before = copied(list.pairs());
    for (std::size_t after = 0; after < 2; ++after) {
        memory.fail_after(after);
        EXPECT_EQ(list.sort().code, Code::out_of_memory);
        EXPECT_EQ(copied(list.pairs()), before);
    }
    memory.stop_failing();
    FaultyExecutor faulty(FaultyExecutor::Habit::skips_the_last, 2);
    EXPECT_EQ(list.sort(faulty.executor()).code, Code::bad_executor);
    EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace throng::test
