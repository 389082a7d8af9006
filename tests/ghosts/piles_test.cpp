// Ghosts in a pile: what calls for pairs answer.
#include "piled_worlds.hpp"
#include "support/everywhere.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Names = std::vector<std::pair<AgentId, AgentId>>;
Names names(std::span<const Pair> pairs, bool in_order) {
    Names all;
    for (const Pair& pair : pairs)
        all.emplace_back(in_order ? pair.a : std::min(pair.a, pair.b),
                         in_order ? pair.b : std::max(pair.a, pair.b));
    std::sort(all.begin(), all.end());
    return all;
}
std::span<const Pair> as_span(const PairList& list) { return {list.begin(), list.size()}; }

const PairQuery asked[] = {{},
                           {.agents_as = AgentsAs::circles},
                           {.within = 0.5f},
                           {.within = 0.5f, .agents_as = AgentsAs::centres},
                           {.filter = {.a = 1, .b = 6}},
                           {.filter = {.a = 3, .b = 7, .other_groups_only = true}, .within = 0.2f}};

TEST(PiledGhosts, are_in_the_pairs_that_brute_force_finds) {
    for (const Piled& world : piled_worlds(scaled(1000, 600))) {
        oracle::BruteForce twin;
        ASSERT_EQ(update(twin, world), Status{});
        std::vector<Names> expected;
        for (const PairQuery& query : asked) {
            oracle::PairLists list;
            ASSERT_EQ(twin.frame().pairs(list, query), Status{});
            expected.push_back(names(list.pairs(), false));
        }
        std::vector<std::vector<Pair>> first;
        everywhere({1, 3}, [&](const EngineConfig& config) {
            Engine engine(config);
            ASSERT_EQ(update(engine, world), Status{});
            for (std::size_t k = 0; k < std::size(asked); ++k) {
                SCOPED_TRACE(world.name + ", query " + std::to_string(k));
                PairList list;
                ASSERT_EQ(engine.frame().pairs(list, asked[k]), Status{});
                ASSERT_EQ(names(as_span(list), false), expected[k]);
                EXPECT_EQ(engine.frame().count_pairs(asked[k]).total, list.size());
                // In the same order everywhere.
                if (first.size() == k) first.emplace_back(list.begin(), list.end());
                EXPECT_TRUE(equal_ranges(as_span(list), first[k]));
            }
        });
    }
}

// The other frame has fewer agents, or as many.
TEST(PiledGhosts, are_no_first_ones_in_pairs_of_two_frames) {
    for (const Piled& world : piled_worlds(scaled(1200, 600)))
        for (const bool few : {false, true}) {
            SCOPED_TRACE(world.name + (few ? ", few" : ""));
            Piled others = world;
            others.name.clear();
            others.owned = all_owned;
            if (few) {
                const auto kept = static_cast<std::ptrdiff_t>(world.boxes.size() - world.owned / 2);
                others.boxes.erase(others.boxes.begin(), others.boxes.begin() + kept);
                if (!others.labels.empty())
                    others.labels.resize(others.boxes.size()), others.heights.resize(others.boxes.size());
            }
            Engine engine, other;
            ASSERT_EQ(update(engine, world), Status{});
            ASSERT_EQ(update(other, others), Status{});
            const Frame one = engine.frame(), two = other.frame();
            for (const PairQuery& query : {PairQuery{}, PairQuery{.filter = {.a = 1, .b = 6}}}) {
                Names expected;
                for (AgentId a = 0; a < world.owned; ++a)
                    for (AgentId b = 0; b < two.id_bound(); ++b)
                        if (world.boxes[a].overlaps(others.boxes[b]) &&
                            (one.height(a).overlaps(two.height(b)) || world.heights.empty()) &&
                            query.filter.admits(one.label(a), two.label(b)))
                            expected.emplace_back(a, b);
                PairList list;
                ASSERT_EQ(one.pairs(list, with_other(two, query)), Status{});
                EXPECT_EQ(names(as_span(list), true), expected);
            }
        }
}

// A pile that edits made, in rows with holes, and one that they took away.
TEST(PiledGhosts, may_come_and_go_by_edits) {
    const std::size_t n = scaled(1200, 600);
    Piled world{.name = "", .boxes = {}, .owned = n / 2};
    add_crowd(world.boxes, n, {0, 0}, std::sqrt(static_cast<float>(n)), 0.4f);
    Engine engine;
    oracle::BruteForce twin;
    ASSERT_EQ(update(engine, world), Status{});
    ASSERT_EQ(update(twin, world), Status{});
    Random random(8);
    for (const float spread : {0.1f, 40.0f})
        for (std::size_t k = 0; k < n; ++k) {
            const auto id = static_cast<AgentId>(random.below(n));
            const Box to =
                Box::around(9 + random.uniform(0, spread), 9 + random.uniform(0, spread), 0.4f, 0.4f);
            ASSERT_EQ(engine.move(id, to), twin.move(id, to));
            if (k % (n / 32) != 0) continue;
            ASSERT_EQ(engine.commit(), twin.commit());
            if (k % (n / 4) != 0) continue;
            for (const PairQuery& query : asked) {
                PairList list;
                oracle::PairLists expected;
                ASSERT_EQ(engine.frame().pairs(list, query), Status{});
                ASSERT_EQ(twin.frame().pairs(expected, query), Status{});
                ASSERT_EQ(names(as_span(list), false), names(expected.pairs(), false));
            }
        }
}

TEST(PiledGhosts, that_are_few_are_in_the_same_pairs_by_every_call) {
    Piled world{.name = "", .boxes = {}, .owned = 8};
    add_crowd(world.boxes, 32, {0, 0}, 0, 0.4f);
    Engine engine;
    ASSERT_EQ(update(engine, world), Status{});
    const Frame frame = engine.frame();
    PairList list;
    ASSERT_EQ(frame.pairs(list), Status{});
    ASSERT_EQ(list.size(), 8u * 7 / 2 + 8 * 24);
    std::vector<Pair> out(list.size()), visited;
    ASSERT_EQ(frame.pairs(out).written, list.size());
    EXPECT_TRUE(equal_ranges(as_span(list), out));
    const auto add = [&](std::span<const Pair> some) {
        visited.insert(visited.end(), some.begin(), some.end());
    };
    ASSERT_EQ(frame.for_each_pair_concurrently(add), Status{});
    EXPECT_TRUE(equal_ranges(as_span(list), visited));
}

}  // namespace
}  // namespace throng::test
