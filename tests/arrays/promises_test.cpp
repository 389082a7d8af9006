// What queries on a host's arrays promise. Bad input is named. A call that failed wrote nothing. Out of
// memory is a status, and all memory comes back. An executor that breaks its promise is found out.
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "support/test.hpp"

namespace throng::test {
namespace {

// Enough for several blocks, and for queries by cells.
std::vector<Box> some_agents() { return make_scene("uniform", 40000).agents(); }

struct Results {
    OverlapLists hits;
    NeighbourLists within, nearest;
    std::vector<std::uint32_t> counts;
    std::vector<std::uint8_t> any;
};

// Each call by its name.
struct NamedCall {
    const char* name;
    std::function<Status(const Boxes& boxes, const std::vector<Box>& queries, Results& results,
                         const ArrayQueryConfig& config)>
        make;
};
std::vector<Point> centres(const std::vector<Box>& boxes) {
    std::vector<Point> points;
    for (const Box& box : boxes) points.push_back({box.min_x, box.max_y});  // NaN where one of them is
    return points;
}
const std::vector<NamedCall>& calls_of_boxes() {
    static const std::vector<NamedCall> all{
        {"overlaps",
         [](const Boxes& boxes, const std::vector<Box>& queries, Results& results,
            const ArrayQueryConfig& config) { return overlaps(boxes, queries, results.hits, config); }},
        {"count",
         [](const Boxes& boxes, const std::vector<Box>& queries, Results& results,
            const ArrayQueryConfig& config) { return count(boxes, queries, results.counts, config); }},
        {"any", [](const Boxes& boxes, const std::vector<Box>& queries, Results& results,
                   const ArrayQueryConfig& config) { return any(boxes, queries, results.any, config); }}};
    return all;
}
const std::vector<NamedCall>& calls() {
    static const std::vector<NamedCall> all = [] {
        std::vector<NamedCall> some = calls_of_boxes();
        some.push_back({"within", [](const Boxes& boxes, const std::vector<Box>& queries, Results& results,
                                     const ArrayQueryConfig& config) {
                            const std::vector<Point> points = centres(queries);
                            return neighbours(boxes, points, {.radius = 2, .distances = true}, results.within,
                                              config);
                        }});
        some.push_back({"nearest", [](const Boxes& boxes, const std::vector<Box>& queries, Results& results,
                                      const ArrayQueryConfig& config) {
                            const std::vector<Point> points = centres(queries);
                            return neighbours(boxes, points, {.count = 4}, results.nearest, config);
                        }});
        return some;
    }();
    return all;
}

// Filled by an earlier call, so that the test sees what a failure leaves there.
Results filled(std::size_t queries, MemoryResource* memory = nullptr) {
    Results results{OverlapLists(memory), NeighbourLists(memory), NeighbourLists(memory),
                    std::vector<std::uint32_t>(queries, 9), std::vector<std::uint8_t>(queries, 9)};
    const std::vector<Box> one{{0, 0, 1, 1}};
    for (const NamedCall& call : calls()) {
        if (call.name == std::string_view("count") || call.name == std::string_view("any")) continue;
        EXPECT_EQ(call.make(one, one, results, {}), Status{});
    }
    return results;
}
void expect_untouched(const Results& results, std::string_view call) {
    if (call == "overlaps") {
        EXPECT_TRUE(results.hits.empty() && results.hits.ids().empty());
    }
    if (call == "within") {
        EXPECT_TRUE(results.within.empty() && results.within.ids().empty() &&
                    results.within.squared_distances().empty());
    }
    if (call == "nearest") {
        EXPECT_TRUE(results.nearest.empty() && results.nearest.ids().empty());
    }
    EXPECT_TRUE(
        std::all_of(results.counts.begin(), results.counts.end(), [](std::uint32_t n) { return n == 9; }));
    EXPECT_TRUE(std::all_of(results.any.begin(), results.any.end(), [](std::uint8_t n) { return n == 9; }));
}

// One agent, few and many; few queries, many, and enough that an engine is made.
std::vector<std::pair<std::vector<Box>, std::vector<Box>>> worlds() {
    const std::vector<Box> agents = some_agents();
    const std::vector<Box> few(agents.begin(), agents.begin() + 300);
    const std::vector<Box> queries(agents.begin() + 1000, agents.begin() + 1080);
    return {{few, {queries[0]}},
            {agents, {queries[0]}},
            {agents, queries},
            {std::vector<Box>(2000, queries[0]), std::vector<Box>(300, queries[0])}};
}

TEST(WithoutEnginePromises, names_the_lowest_box_that_is_not_legal) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                    inf = std::numeric_limits<float>::infinity();
    ThreadPool pool(3);
    for (auto& [agents, queries] : worlds())
        for (const Box& bad : {Box{nan, 0, 1, 1}, Box{0, 0, inf, 1}, Box{0, 2, 1, 1}})
            for (const std::size_t at : {std::size_t{0}, agents.size() / 2, agents.size() - 1})
                for (const Isa isa : instruction_sets())
                    for (const Executor& executor : {serial_executor(), pool.executor()}) {
                        std::vector<Box> wrong = agents;
                        wrong[at] = bad;
                        wrong.back() = {0, inf, 1, 1};
                        const bool inverted = at + 1 != agents.size() && bad.min_y > bad.max_y;
                        for (const NamedCall& call : calls()) {
                            SCOPED_TRACE(call.name);
                            Results results = filled(queries.size());
                            const Status status =
                                call.make(wrong, queries, results, {.executor = executor, .isa = isa});
                            ASSERT_EQ(status, Status(inverted ? Code::inverted : Code::not_finite, at));
                            EXPECT_EQ(status.argument, Argument::boxes);
                            expect_untouched(results, call.name);
                        }
                    }
}

TEST(WithoutEnginePromises, names_the_lowest_query_that_is_not_legal_before_any_box) {
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (auto& [agents, queries] : worlds()) {
        std::vector<Box> wrong_boxes = agents, wrong = queries;
        wrong_boxes[3].min_x = nan;
        wrong[queries.size() / 2] = {nan, 1, 2, nan};
        for (const NamedCall& call : calls()) {
            SCOPED_TRACE(call.name);
            Results results = filled(queries.size());
            const Status status = call.make(wrong_boxes, wrong, results, {});
            EXPECT_EQ(status, Status(Code::not_finite, queries.size() / 2));
            EXPECT_EQ(status.argument, Argument::queries);
            EXPECT_NE(std::string_view(status.message()).find("query"), std::string_view::npos);
            expect_untouched(results, call.name);
        }
    }
}

TEST(WithoutEnginePromises, refuses_what_a_frame_refuses) {
    const std::vector<Box> agents(5), queries(3);
    const std::vector<Point> points(3);
    const std::vector<float> wrong{1, -1, 1}, few{1, 1};
    const Boxes nowhere = Boxes::points(nullptr, nullptr, 1, 4);
    std::vector<std::uint32_t> counts(2);
    OverlapLists hits;
    NeighbourLists lists;
    const auto expect = [](const Status& status, Code code, Argument argument, std::size_t index) {
        EXPECT_EQ(status, Status(code, index));
        EXPECT_EQ(status.argument, argument);
    };
    constexpr std::size_t none = Status::no_index;
    expect(overlaps(nowhere, queries, hits), Code::null_view, Argument::boxes, none);
    expect(overlaps(agents, nowhere, hits), Code::null_view, Argument::queries, none);
    expect(count(agents, queries, counts), Code::size_mismatch, Argument::output, none);
    expect(count(agents, queries, std::span<std::uint32_t>(static_cast<std::uint32_t*>(nullptr), 3)),
           Code::null_view, Argument::output, none);
    expect(neighbours(agents, points, {.radii = wrong}, lists), Code::inverted, Argument::radii, 1);
    expect(neighbours(agents, points, {.radii = few}, lists), Code::size_mismatch, Argument::radii, none);
    expect(neighbours(agents, points, {.count = 0}, lists), Code::bad_config, Argument::count, none);
    expect(neighbours(agents, points, {.count = 65}, lists), Code::bad_config, Argument::count, none);
    expect(neighbours(agents, points, {.radius = 1, .in_row_order = true}, lists), Code::bad_config,
           Argument::in_row_order, none);
    expect(neighbours(agents, points, {.radius = -1}, lists), Code::inverted, Argument::options, none);
    expect(overlaps(agents, queries, hits, {.executor = {.workers = 4}}), Code::bad_config,
           Argument::executor, none);
    for (const Isa isa : {Isa::sse2, Isa::avx2, Isa::neon64, Isa::wasm128, Isa::wasm32})
        if (!is_supported(isa))
            expect(overlaps(agents, queries, hits, {.isa = isa}), Code::unsupported_isa, Argument::any, none);
}

void expect_to_survive(const NamedCall& call, const std::vector<Box>& agents, const std::vector<Box>& queries,
                       const Executor& executor) {
    Results expected = filled(queries.size());
    ASSERT_EQ(call.make(agents, queries, expected, {.executor = executor}), Status{});
    for (std::uint64_t k = 0;; ++k) {
        CountingResource memory;
        {
            Results results = filled(queries.size(), &memory);
            memory.fail_after(k);
            const Status status =
                call.make(agents, queries, results, {.executor = executor, .memory = &memory});
            memory.stop_failing();
            if (!status.ok()) {
                ASSERT_GT(memory.failures(), 0u);
                ASSERT_EQ(status, Status{Code::out_of_memory});
                expect_untouched(results, call.name);
                ASSERT_EQ(call.make(agents, queries, results, {.executor = executor, .memory = &memory}),
                          Status{});
            }
            EXPECT_TRUE(equal_ranges(results.hits.ids(), expected.hits.ids()));
            EXPECT_TRUE(equal_ranges(results.within.ids(), expected.within.ids()));
            EXPECT_TRUE(equal_ranges(results.nearest.ids(), expected.nearest.ids()));
            EXPECT_EQ(results.counts, expected.counts);
            EXPECT_EQ(results.any, expected.any);
        }
        ASSERT_EQ(memory.blocks_out(), 0u);
        ASSERT_FALSE(memory.misused() || memory.overlapped());
        if (memory.failures() == 0) break;
        ASSERT_LT(k, 10000u);
    }
}

TEST(WithoutEnginePromises, survives_every_shortage_of_memory) {
    CountingExecutor executor(3);
    for (auto& [agents, queries] : worlds())
        for (const NamedCall& call : calls()) {
            SCOPED_TRACE(std::string(call.name) + ", " + std::to_string(agents.size()) + " agents");
            expect_to_survive(call, agents, queries, executor.executor());
        }
}

// What the answers do not need is given back at once; and the resource gets one call at a time.
TEST(WithoutEnginePromises, gives_back_all_but_the_answers) {
    ThreadPool pool(4);
    for (auto& [agents, queries] : worlds())
        for (const NamedCall& call : calls()) {
            CountingResource memory;
            Results results = filled(queries.size());
            ASSERT_EQ(call.make(agents, queries, results, {.executor = pool.executor(), .memory = &memory}),
                      Status{});
            EXPECT_GT(memory.calls(), 0u);
            EXPECT_EQ(memory.blocks_out(), 0u) << call.name;
            EXPECT_FALSE(memory.misused() || memory.overlapped());
        }
}

// In a pile each box may be near each point. The host's lists have room for what was found.
TEST(WithoutEnginePromises, keeps_no_room_for_boxes_that_are_not_found) {
    const std::vector<Box> pile(20'000, Box{1, 1, 2, 2});
    std::vector<Box> wide(20'000, Box{-50, -50, 70, 70});
    wide[7] = {1, 1, 2, 2};
    const std::vector<Point> points(3, Point{1.5f, 1.5f});
    CountingResource memory;
    NeighbourLists lists(&memory);
    ASSERT_EQ(neighbours(pile, points, {.count = 8, .distances = true}, lists), Status{});
    EXPECT_EQ(lists.ids().size(), 24u);
    ASSERT_EQ(
        neighbours(wide, points, {.radius = 2, .agents_as = AgentsAs::centres, .distances = true}, lists),
        Status{});
    EXPECT_TRUE(equal_ranges(lists.ids(), std::vector<AgentId>(3, 7)));
    EXPECT_LT(memory.bytes_out(), 10'000u);
}

#if defined(__x86_64__)
// The next float below the distance of zero would be zero there.
TEST(WithoutEnginePromises, finds_the_first_of_equally_near_boxes_where_subnormals_are_flushed) {
    const std::vector<Box> pile(100, Box{1, 1, 2, 2});
    const std::vector<Point> inside{{1.5f, 1.5f}};
    const std::vector<AgentId> first{0, 1, 2, 3, 4, 5, 6, 7};
    for (const Isa isa : instruction_sets()) {
        NeighbourLists lists;
        const unsigned before = _mm_getcsr();
        _mm_setcsr(before | 0x8040u);
        const Status status =
            neighbours(pile, inside, {.count = 8}, lists, {.executor = serial_executor(), .isa = isa});
        _mm_setcsr(before);
        ASSERT_EQ(status, Status{});
        EXPECT_TRUE(equal_ranges(lists[0], first)) << to_string(isa);
    }
}
#endif

TEST(WithoutEnginePromises, finds_out_a_bad_executor) {
    using enum FaultyExecutor::Habit;
    for (auto& [agents, queries] : worlds()) {
        for (const NamedCall& call : calls())
            for (const auto habit : {runs_nothing, skips_the_last, repeats_the_first, runs_one_for_another})
                for (std::uint64_t from = 0;; ++from) {
                    FaultyExecutor executor(habit, from);
                    Results results = filled(queries.size());
                    const Status status =
                        call.make(agents, queries, results, {.executor = executor.executor()});
                    if (!executor.guilty()) break;
                    ASSERT_EQ(status, Status{Code::bad_executor}) << call.name << ", call " << from;
                    EXPECT_TRUE(call.name != std::string_view("overlaps") || results.hits.empty());
                }
    }
}

}  // namespace
}  // namespace throng::test
