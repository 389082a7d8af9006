// Thousands of giants over a crowd: a tree of their own keeps them. Every query and all pairs against brute
// force, after updates and after edits. And what a query costs: it walks past few nodes, and tests few
// giants.
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float side = 60, largest = std::numeric_limits<float>::max();
constexpr std::size_t commons = 900, giants = 300;

struct Kind {
    const char* name;
    Box (*giant)(Random& random, std::size_t i);
    // How many of them the engine takes for giants, at least.
    std::size_t least = giants * 9 / 10;
};

void PrintTo(const Kind& kind, std::ostream* out) { *out << kind.name; }

Box of_any_size(Random& random, std::size_t) {
    const float x = random.uniform(0, side), y = random.uniform(0, side);
    const float half_x = random.decades(1, 2), half_y = random.uniform(0.5f, 2) * 10;
    return Box::around(x, y, half_x, half_y);
}
// At one place of the tree, so that they share a leaf, but of different sizes.
Box at_one_point(Random& random, std::size_t) {
    const float half = random.uniform(10, 25);
    return {25 - half, 30 - half, 25 + half, 30 + half};
}
Box all_the_same(Random&, std::size_t) { return {20, 30, 50, 55}; }
Box on_a_line(Random& random, std::size_t) {
    const float x = random.uniform(0, side);
    return {x, 20, x + 30, 45};
}
Box nested(Random&, std::size_t i) {
    const float half = 10 + static_cast<float>(i) * 0.125f;
    return Box::around(30, 30, half, half);
}
// Each half as large as the one before, towards one corner, so that the tree is as deep as it can be.
Box towards_a_corner(Random& random, std::size_t i) {
    float from = side;
    for (std::size_t k = 0; k < i % 20; ++k) from *= 0.5f;
    const float x = from * random.uniform(0.5f, 1), y = from * random.uniform(0.5f, 1);
    return {x - 12, y - 12, x + 12, y + 12};
}
Box one_over_all(Random& random, std::size_t i) {
    if (i == 200) return {-largest, -largest, largest, largest};
    const float x = random.uniform(0, side), y = random.uniform(0, side);
    return Box::around(x, y, 12, 12);
}
Box light_years_away(Random& random, std::size_t i) {
    const float away = i % 3 == 0 ? 9.46e15f : i % 3 == 1 ? -3e30f : 0;
    const float x = random.uniform(0, side) + away, y = random.uniform(0, side) - away;
    const float half = i % 3 == 0 ? 2e10f : i % 3 == 1 ? 1e25f : 15;
    return Box::around(x, y, half, half);
}
Box bars(Random& random, std::size_t i) {
    const float x = random.uniform(0, side), y = random.uniform(0, side);
    return i % 2 == 0 ? Box{x - 40, y, x + 40, y} : Box{x, y - 40, x, y + 40};
}
// Their edges meet everywhere.
Box on_a_lattice(Random& random, std::size_t) {
    const auto x = static_cast<float>(random.between(0, 5) * 12),
               y = static_cast<float>(random.between(0, 5) * 12);
    const int width = random.between(2, 3), height = random.between(2, 3);
    return {x, y, x + static_cast<float>(width * 12), y + static_cast<float>(height * 12)};
}

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = {{"of_any_size", of_any_size},
                                          {"at_one_point", at_one_point},
                                          {"all_the_same", all_the_same},
                                          {"on_a_line", on_a_line},
                                          {"nested", nested},
                                          {"towards_a_corner", towards_a_corner},
                                          {"one_over_all", one_over_all},
                                          {"light_years_away", light_years_away, giants / 3},
                                          {"bars", bars},
                                          {"on_a_lattice", on_a_lattice}};
    return all;
}

Box small(Random& random) {
    const float x = random.uniform(0, side), y = random.uniform(0, side);
    return Box::around(x, y, random.uniform(0.35f, 0.5f), 0.5f);
}

// Giants stand among the others, so that their ids are no order.
std::vector<Box> world_of(const Kind& kind, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> agents;
    for (std::size_t i = 0, giant = 0; i < commons + giants; ++i) {
        const bool next = giant * (commons + giants) < i * giants;
        agents.push_back(next ? kind.giant(random, giant++) : small(random));
    }
    return agents;
}

std::vector<Box> queries_for(const std::vector<Box>& agents, std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Box> queries;
    while (queries.size() < count) {
        const Box& box = agents[random.below(agents.size())];
        switch (random.below(6)) {
        case 0: queries.push_back(box); break;
        case 1: queries.push_back({box.max_x, box.max_y, box.max_x, box.max_y}); break;
        case 2: queries.push_back({box.min_x, box.max_y, box.min_x, box.max_y}); break;
        case 3: {
            const float x = random.uniform(-20, side), y = random.uniform(-20, side);
            queries.push_back({x, y, x + random.uniform(0, 60), y + random.uniform(0, 60)});
            break;
        }
        default: queries.push_back(small(random));
        }
    }
    queries.push_back({-largest, -largest, largest, largest});
    queries.push_back({0, 0, side, side});
    return queries;
}

TEST(ThousandsOfGiants, are_found_as_brute_force_finds_them) {
    Random random(13);
    std::vector<Box> agents;
    for (int i = 0; i < 4000; ++i) agents.push_back(small(random));
    for (int i = 0; i < 3000; ++i) {
        const float x = random.uniform(-2000, 2000), y = random.uniform(-2000, 2000);
        const float half = random.uniform(40, 100);
        agents.push_back(Box::around(x, y, half, half * random.uniform(0.5f, 1)));
    }
    const ExpectedAnswers expected =
        expect(twin_with(agents).frame(), queries_for(agents, scaled(500, 60), 5));
    ThreadPool pool(3);
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(agents, {.executor = pool.executor(), .common_size = 2, .isa = isa});
        EXPECT_GE(engine.frame().tuning().oversized, 2500u);
        EXPECT_TRUE(answers_as(engine.frame(), expected)) << to_string(isa);
    }
}

class ManyGiants : public ::testing::TestWithParam<Kind> {};

TEST_P(ManyGiants, are_found_as_brute_force_finds_them) {
    ThreadPool pool(3);
    const std::vector<Box> agents = world_of(GetParam(), 3);
    const ExpectedAnswers expected =
        expect(twin_with(agents).frame(), queries_for(agents, scaled(400, 60), 5));
    std::size_t run = 0;
    for (const Isa isa : instruction_sets()) {
        // Where the host gives the common size, giants are in the tree, and not on an island with cells of
        // their size.
        Engine engine = engine_with(
            agents,
            {.executor = run++ % 2 == 0 ? pool.executor() : serial_executor(), .common_size = 2, .isa = isa});
        EXPECT_GE(engine.frame().tuning().oversized, GetParam().least);
        EXPECT_TRUE(answers_as(engine.frame(), expected)) << to_string(isa);
        EXPECT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
    }
}

TEST_P(ManyGiants, make_the_same_bytes_on_every_instruction_set_and_executor) {
    ThreadPool pool(8);
    const std::vector<Box> agents = world_of(GetParam(), 4);
    const std::vector<Box> queries = queries_for(agents, scaled(2100, 100), 6);
    std::vector<Answers> all;
    for (const Isa isa : instruction_sets())
        for (const Executor& executor : {serial_executor(), pool.executor()}) {
            all.push_back(ask(engine_with(agents, {.executor = executor, .isa = isa}).frame(), queries));
            EXPECT_TRUE(identical(all.front(), all.back())) << to_string(isa);
        }
}

// Giants come and go, shrink to common agents and grow again.
TEST_P(ManyGiants, are_edited_like_anybody_else) {
    std::vector<Box> agents = world_of(GetParam(), 7);
    Random random(8);
    Engine engine = engine_with(agents);
    oracle::BruteForce twin = twin_with(agents);
    const std::size_t rounds = scaled(5, 3);
    for (std::size_t round = 0; round < rounds; ++round) {
        for (int i = 0; i < 40; ++i) {
            const auto id = static_cast<AgentId>(random.below(agents.size()));
            agents[id] = random.one_in(2) ? GetParam().giant(random, random.below(giants)) : small(random);
            ASSERT_EQ(engine.move(id, agents[id]), Status{});
            ASSERT_EQ(twin.move(id, agents[id]), Status{});
        }
        ASSERT_EQ(engine.commit(), Status{});
        ASSERT_EQ(twin.commit(), Status{});
        ASSERT_TRUE(answers_as(engine.frame(), expect(twin.frame(), queries_for(agents, 25, round))));
        ASSERT_TRUE(engine.validate().sound()) << ::testing::PrintToString(engine.validate());
    }
    const std::vector<Box> given = world_of(GetParam(), 7);
    Engine bulk = engine_with(given);
    ASSERT_EQ(bulk.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.frame().tuning().oversized, bulk.frame().tuning().oversized);
    EXPECT_EQ(engine.frame().fingerprint(), bulk.frame().fingerprint());
}

std::string kind_name(const ::testing::TestParamInfo<Kind>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(every, ManyGiants, ::testing::ValuesIn(kinds()), kind_name);

// --- What a query costs ---------------------------------------------------------------------------------

// A crowd that is as wide as `width`, and `giant_count` giants of a few times the size of a person.
std::vector<Box> crowd_and_giants(std::size_t people, std::size_t giant_count, float width, float half) {
    Random random(21);
    std::vector<Box> agents;
    for (std::size_t i = 0; i < people; ++i) {
        const float x = random.uniform(0, width), y = random.uniform(0, width);
        agents.push_back(Box::around(x, y, 0.5f, 0.5f));
    }
    for (std::size_t i = 0; i < giant_count; ++i) {
        const float x = random.uniform(0, width), y = random.uniform(0, width);
        agents.push_back(Box::around(x, y, half, half));
    }
    return agents;
}

TEST(CostOfGiants, is_small_for_a_query_that_few_of_them_overlap) {
    // Giants a twentieth as wide as the world: a point is under ten of them.
    const std::vector<Box> agents = crowd_and_giants(40000, 4000, 400, 10);
    Engine engine = engine_with(agents);
    ASSERT_EQ(engine.frame().tuning().oversized, 4000u);
    const Frame frame = engine.frame();
    Explain all;
    for (std::size_t i = 0; i < 40000; i += 161) {
        const Explain cost = frame.explain(agents[i]);
        EXPECT_LE(cost.nodes, 400u) << "of some seven hundred leaves and their parents";
        EXPECT_LE(cost.oversized, 1500u) << "of eight thousand giants";
        all.nodes += cost.nodes;
        all.oversized += cost.oversized;
        ++all.queries;
    }
    EXPECT_LE(all.nodes, 200 * all.queries);
    EXPECT_LE(all.oversized, 700 * all.queries);
}

TEST(CostOfGiants, does_not_grow_with_the_world) {
    // The same crowd on four times the ground.
    std::vector<Explain> costs;
    for (const std::size_t times : {std::size_t{1}, std::size_t{2}}) {
        const std::vector<Box> agents = crowd_and_giants(7000 * times * times, 800 * times * times,
                                                         200.0f * static_cast<float>(times), 12);
        Engine engine = engine_with(agents);
        ASSERT_GE(engine.frame().tuning().oversized, 800 * times * times);
        costs.push_back(engine.frame().explain(Boxes::of(agents).part(0, 7000)));
    }
    EXPECT_LE(costs[1].oversized, costs[0].oversized * 3 / 2);
    EXPECT_LE(costs[1].nodes, costs[0].nodes * 3 / 2);
}

TEST(CostOfGiants, is_nothing_where_they_are_far_away) {
    std::vector<Box> agents = crowd_and_giants(4000, 0, 140, 0);
    Random random(9);
    for (int i = 0; i < 2000; ++i) {
        const float x = 1e6f + random.uniform(0, 1e5f), y = 1e6f + random.uniform(0, 1e5f);
        agents.push_back(Box::around(x, y, 300, 300));
    }
    Engine engine = engine_with(agents, {.common_size = 2});
    ASSERT_EQ(engine.frame().tuning().oversized, 2000u);
    const Explain cost = engine.frame().explain(Boxes::of(agents).part(0, 4000));
    EXPECT_EQ(cost.oversized, 0u);
    EXPECT_LE(cost.nodes, 4000u) << "one look at the root is enough";
}

TEST(CostOfGiants, is_no_test_at_all_where_the_query_lies_around_them) {
    const std::vector<Box> agents = crowd_and_giants(3000, 2000, 200, 20);
    Engine engine = engine_with(agents);
    ASSERT_GE(engine.frame().tuning().oversized, 2000u);
    const Explain cost = engine.frame().explain({-1e6f, -1e6f, 1e6f, 1e6f});
    EXPECT_EQ(cost.oversized, 0u);
    EXPECT_EQ(cost.nodes, 1u);
    EXPECT_EQ(cost.hits, agents.size());
}

TEST(CostOfGiants, is_as_small_on_islands_between_which_nothing_is_left) {
    Random random(31);
    std::vector<Box> agents;
    for (int i = 0; i < 20000; ++i) {
        const float x = random.uniform(0, 60) + 1e5f * static_cast<float>(i % 4),
                    y = random.uniform(0, 60) + 1e5f * static_cast<float>(i / 4 % 4);
        const float half = i % 20 == 0 ? 25.0f : 0.4f;
        agents.push_back(Box::around(x, y, half, half));
    }
    Engine engine = engine_with(agents);
    ASSERT_EQ(engine.frame().tuning().islands, 16u);
    ASSERT_EQ(strays_of(engine.frame()), 0u);
    ASSERT_EQ(engine.frame().tuning().oversized, 1000u);
    const Explain cost = engine.frame().explain(Boxes::of(agents).part(0, 4000));
    EXPECT_LE(cost.oversized, 4000u * 80) << "in one leaf they would be 250 each";
    EXPECT_LE(cost.nodes, 4000u * 40);
}

}  // namespace
}  // namespace throng::test
