// Ghosts in a world that wraps around: the answers of all agents as owned ones, less those of ghosts.
#include "support/test.hpp"

namespace throng::test {
namespace {

class GhostsAroundTheWorld : public ::testing::Test {
protected:
    static constexpr float period = 40;
    static constexpr std::size_t count = 1200, owned = 800;

    void SetUp() override {
        Random random(5);
        std::vector<Box> boxes;
        for (std::size_t i = 0; i < count; ++i)
            boxes.push_back(Box::around(random.uniform(-period, 2 * period), random.uniform(0, period),
                                        random.uniform(0, 1), random.uniform(0, 1)));
        const EngineConfig config{.period_x = period, .period_y = period};
        Engine without(config), with(config);
        ASSERT_EQ(without.update(boxes), Status{});
        ASSERT_EQ(with.update(boxes, {.owned = owned}), Status{});
        all_ = without.frame();
        some_ = with.frame();
        EXPECT_EQ(some_.ghost_count(), count - owned);
    }
    static std::set<std::pair<AgentId, AgentId>> names(const PairList& pairs, AgentId below) {
        std::set<std::pair<AgentId, AgentId>> all;
        for (const Pair& pair : pairs)
            if (std::min(pair.a, pair.b) < below)
                all.insert({std::min(pair.a, pair.b), std::max(pair.a, pair.b)});
        return all;
    }
    static std::set<AgentId> names(std::span<const AgentId> list) { return {list.begin(), list.end()}; }

    Frame all_, some_;
};

TEST_F(GhostsAroundTheWorld, are_in_no_pairs_of_each_other) {
    for (const PairQuery& wanted : {PairQuery{}, PairQuery{.within = 0.5f},
                                    PairQuery{.within = 0.5f, .agents_as = AgentsAs::circles}}) {
        PairList every, some;
        ASSERT_EQ(all_.pairs(every, wanted), Status{});
        ASSERT_EQ(some_.pairs(some, wanted), Status{});
        EXPECT_EQ(names(some, count), names(every, owned));
        EXPECT_EQ(names(some, count).size(), some.size());
        EXPECT_LT(some.size(), every.size());
        EXPECT_EQ(some_.count_pairs(wanted).total, some.size());
    }
}

TEST_F(GhostsAroundTheWorld, have_no_lists_and_are_in_those_of_others) {
    const auto expect_same = [&](const auto& wanted) {
        NeighbourLists every, some;
        ASSERT_EQ(all_.neighbours(wanted, every), Status{});
        ASSERT_EQ(some_.neighbours(wanted, some), Status{});
        ASSERT_EQ(some.size(), count);
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_EQ(names(some[i]), i < owned ? names(every[i]) : std::set<AgentId>());
    };
    expect_same(Within{.radius = 2});
    expect_same(Within{.radius = 2, .agents_as = AgentsAs::boxes});
    expect_same(Within{.radius = 2, .half = true});
    expect_same(Nearest{.count = 4});
}

TEST_F(GhostsAroundTheWorld, have_no_counts_and_no_lists_in_row_order) {
    const Within wanted{.radius = 2, .in_row_order = true};
    NeighbourLists lists;
    ASSERT_EQ(some_.neighbours(wanted, lists), Status{});
    ASSERT_EQ(lists.size(), owned);
    std::vector<std::uint32_t> counts(count, 77);
    ASSERT_EQ(some_.count_neighbours({.radius = 2}, counts), Status{});
    for (std::size_t i = 0; i < owned; ++i) {
        EXPECT_LT(lists.agents()[i], owned);
        EXPECT_EQ(counts[lists.agents()[i]], lists[i].size());
    }
    for (std::size_t i = owned; i < count; ++i) EXPECT_EQ(counts[i], 0u);
}

}  // namespace
}  // namespace throng::test
