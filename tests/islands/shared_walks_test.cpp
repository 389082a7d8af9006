// Batches of queries that share their walks through islands and the tree over the oversized agents:
// neighbours of one size, of many sizes, and so crowded that they cannot share. Each finds what brute force
// finds, in the order in which it is found alone.
#include "support/test.hpp"

namespace throng::test {
namespace {

// The agents of a world, in an order in which neighbours mostly follow each other.
struct LongWorld {
    const char* name;
    Box (*agent)(Random& random, float along);
    // What is larger is oversized; the engine's choice if 0.
    float common_size = 0;
};

void PrintTo(const LongWorld& one, std::ostream* out) { *out << one.name; }

// `along` goes from 0 to 1.
Box sliver(Random& random, float along) {
    const float x = 600 * along, y = random.uniform(0, 60);
    const bool flat = random.below(2) == 0;
    return Box::around(x, y, flat ? random.uniform(20, 40) : 0.01f, flat ? 0.01f : random.uniform(20, 40));
}
Box by_distance(Random& random, float along) {
    const float away = random.decades(-12, 12);
    return Box::around(away * (1 + along), away * random.uniform(0, 1), 0.01f * away, 0.01f * away);
}
Box of_all_sizes(Random& random, float along) {
    return Box::around(300 * along, random.uniform(0, 20), random.decades(-3, 1), random.decades(-3, 1));
}
// Each overlaps most of the others in its heap.
Box heap(Random& random, float along) {
    const float at = static_cast<float>(static_cast<int>(8 * along)) * 1e6f;
    return Box::around(at + random.uniform(0, 1), random.uniform(0, 1), random.uniform(0.3f, 0.6f), 0.5f);
}
// Slivers that cross all villages, so that a batch is sorted by the places of their tree.
Box village_or_sliver(Random& random, float along) {
    if (random.below(5) < 2) {
        const auto village = static_cast<std::uint32_t>(16 * along);
        return Box::around(1e5f * static_cast<float>(village) + random.uniform(0, 3),
                           4e4f * static_cast<float>(village * 7 % 16) + random.uniform(0, 3), 0.01f, 0.01f);
    }
    const float length = random.uniform(2e5f, 9e5f), x = random.uniform(0, 1.6e6f),
                y = random.uniform(0, 6e5f);
    return random.below(2) == 0 ? Box::around(x, y, length, 0.01f) : Box::around(x, y, 0.01f, length);
}

constexpr LongWorld long_worlds[] = {{"slivers", sliver, 2},
                                     {"by_distance", by_distance},
                                     {"of_all_sizes", of_all_sizes},
                                     {"heaps", heap},
                                     {"slivers_over_villages", village_or_sliver}};

// Their own boxes, points and larger boxes, in the order of the agents.
std::vector<Box> queries_for(const std::vector<Box>& agents) {
    std::vector<Box> queries;
    for (std::size_t i = 0; i < agents.size(); i += 3) {
        const Box& box = agents[i];
        const float width = 4 * (box.max_x - box.min_x), height = 4 * (box.max_y - box.min_y);
        queries.push_back(box);
        if (i % 7 == 0)
            queries.push_back({box.min_x - width, box.min_y - height, box.max_x + width, box.max_y + height});
        if (i % 31 == 0) queries.push_back({box.min_x, box.min_y, box.min_x, box.min_y});
    }
    return queries;
}

class SharedWalks : public ::testing::TestWithParam<LongWorld> {};

TEST_P(SharedWalks, find_what_each_query_finds_alone) {
    const std::size_t count = scaled(4000, 1500);
    Random random(17);
    std::vector<Box> agents;
    for (std::size_t i = 0; i < count; ++i)
        agents.push_back(GetParam().agent(random, static_cast<float>(i) / static_cast<float>(count)));
    const ExpectedAnswers expected = expect(twin_with(agents).frame(), queries_for(agents));
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(
            agents, {.executor = serial_executor(), .common_size = GetParam().common_size, .isa = isa});
        const Tuning tuning = engine.frame().tuning();
        EXPECT_GT(tuning.islands + tuning.oversized, 0u);
        EXPECT_TRUE(queries_agree(engine.frame(), expected)) << to_string(isa);
    }
}

// In random order, so that most are not searched in the order of the batch.
TEST_P(SharedWalks, leave_out_the_agent_that_each_query_names) {
    const std::size_t count = scaled(4000, 1500);
    Random random(18);
    std::vector<Box> agents, queries;
    std::vector<Filter> filters;
    for (std::size_t i = 0; i < count; ++i)
        agents.push_back(GetParam().agent(random, static_cast<float>(i) / static_cast<float>(count)));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t self = random.below(count);
        queries.push_back(agents[self]);
        filters.push_back({.self = static_cast<AgentId>(self)});
    }
    oracle::OverlapLists expected;
    ASSERT_EQ(twin_with(agents).frame().overlaps(Boxes::of(queries), expected, filters), Status{});
    Engine engine =
        engine_with(agents, {.executor = serial_executor(), .common_size = GetParam().common_size});
    OverlapLists hits;
    OverlapsAsFound as_found;
    std::vector<std::uint32_t> counts(count);
    ASSERT_EQ(engine.frame().overlaps(Boxes::of(queries), hits, filters), Status{});
    ASSERT_EQ(engine.frame().overlaps(Boxes::of(queries), as_found, filters), Status{});
    ASSERT_EQ(engine.frame().count(Boxes::of(queries), counts, filters), Status{});
    for (std::size_t i = 0; i < count; ++i) {
        std::vector<AgentId> found(hits[i].begin(), hits[i].end());
        std::sort(found.begin(), found.end());
        ASSERT_TRUE(equal_ranges(found, expected[i])) << "query " << i;
        ASSERT_EQ(counts[i], found.size()) << "query " << i;
        const auto& same = as_found[i];
        ASSERT_TRUE(equal_ranges(same.agents, hits[same.query])) << "query " << same.query;
    }
}

// Boxes that cover no grove, some, or all: a count needs no list, however many agents it has.
TEST(CountsAmongGroves, have_all_agents_of_groves_that_a_query_covers) {
    const std::size_t count = scaled(6000, 3000);
    Random random(19);
    std::vector<Box> agents, queries;
    for (std::size_t i = 0; i < count; ++i)
        agents.push_back(sliver(random, static_cast<float>(i) / static_cast<float>(count)));
    for (std::size_t i = 0; i < 400; ++i)
        queries.push_back(Box::around(random.uniform(0, 600), random.uniform(0, 60), random.decades(0, 3),
                                      random.decades(0, 2)));
    const std::vector<Filter> filters(queries.size(), {.self = static_cast<AgentId>(count / 2)});
    const auto twin = twin_with(agents);
    oracle::OverlapLists all, others;
    ASSERT_EQ(twin.frame().overlaps(Boxes::of(queries), all), Status{});
    ASSERT_EQ(twin.frame().overlaps(Boxes::of(queries), others, filters), Status{});
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(agents, {.executor = serial_executor(), .common_size = 2, .isa = isa});
        std::vector<std::uint32_t> counts(queries.size()), of_others(queries.size());
        ASSERT_EQ(engine.frame().count(Boxes::of(queries), counts), Status{});
        ASSERT_EQ(engine.frame().count(Boxes::of(queries), of_others, filters), Status{});
        for (std::size_t i = 0; i < queries.size(); ++i) {
            ASSERT_EQ(counts[i], all[i].size()) << "query " << i << ", " << to_string(isa);
            ASSERT_EQ(of_others[i], others[i].size()) << "query " << i << ", " << to_string(isa);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(every, SharedWalks, ::testing::ValuesIn(long_worlds),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace throng::test
