// What every rank did, on all ranks.
#include <algorithm>
#include <optional>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/counting_resource.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

using cluster::ClusterConfig;
using cluster::ClusterEngine;
using cluster::ClusterStatus;
using cluster::RankReport;
using cluster::RankReports;

TEST(ClusterReports, have_what_each_rank_has) {
    CountingResource memory;
    ClusterConfig config{.reach = 0.5f};
    config.engine.memory = &memory;
    std::optional<ClusterEngine> engine;
    engine.emplace(MPI_COMM_WORLD, config);
    const std::vector<Box> boxes = make_scene("uniform", 800, 6).agents();
    Held held = hand_out(boxes, {}, HandedOut::in_turns);
    RankReports reports;
    for (int frame = 0; frame < 3; ++frame) {
        ASSERT_TRUE(engine->update(held.view()).ok());
        cluster::PairList pairs;
        ASSERT_TRUE(engine->agree(engine->pairs(pairs)).ok());
        const std::uint64_t bytes = memory.bytes_out();
        ASSERT_TRUE(engine->reports(reports).ok());
        ASSERT_EQ(reports.size(), static_cast<std::size_t>(rank_count()));
        const RankReport& mine = reports[static_cast<std::size_t>(my_rank())];
        EXPECT_EQ(mine.owned, engine->owned().size());
        EXPECT_EQ(mine.ghosts, engine->ghosts().size());
        EXPECT_EQ(mine.pairs, pairs.size());
        EXPECT_EQ(mine.bytes, bytes);
        EXPECT_GE(mine.most_bytes, bytes);
        std::uint64_t owned = 0;
        for (const RankReport& rank : reports) owned += rank.owned;
        EXPECT_EQ(owned, boxes.size());
        for (const std::uint64_t one : gathered(std::vector{reports[0].bytes}))
            EXPECT_EQ(one, reports[0].bytes);
        held.take(engine->owned());
    }
    // A frame may outlive the cluster.
    const Frame frame = engine->frame();
    const std::size_t here = engine->owned().size() + engine->ghosts().size();
    engine.reset();
    EXPECT_GT(memory.bytes_out(), 0u);
    EXPECT_EQ(frame.count(Box{-1e9f, -1e9f, 1e9f, 1e9f}).total, here);
}

TEST(ClusterReports, give_all_memory_back) {
    CountingResource memory;
    ClusterConfig config;
    config.engine.memory = &memory;
    {
        ClusterEngine engine(MPI_COMM_WORLD, config);
        const Held held = hand_out(make_scene("uniform", 100, 6).agents(), {}, HandedOut::in_turns);
        ASSERT_TRUE(engine.update(held.view()).ok());
    }
    EXPECT_EQ(memory.bytes_out(), 0u);
}

// The last rank does far more, and the others wait for it.
TEST(ClusterReports, say_who_works_and_who_waits) {
    ClusterEngine engine(MPI_COMM_WORLD);
    const Held held = hand_out(make_scene("uniform", 400, 7).agents(), {}, HandedOut::in_turns);
    ASSERT_TRUE(engine.update(held.view()).ok());
    cluster::PairList pairs;
    const int last = rank_count() - 1;
    ClusterStatus status;
    for (int i = 0; i < (my_rank() == last ? 400 : 1) && status.ok(); ++i) status = engine.pairs(pairs);
    ASSERT_TRUE(engine.agree(status).ok());
    RankReports reports, again;
    ASSERT_TRUE(engine.reports(reports).ok());
    for (const RankReport& rank : reports) {
        EXPECT_GT(rank.update_seconds, 0);
        EXPECT_GT(rank.query_seconds, 0);
        EXPECT_LE(rank.waited_seconds, rank.update_seconds + rank.query_seconds);
        EXPECT_LE(rank.busy_seconds, rank.update_seconds + rank.query_seconds);
        EXPECT_GE(rank.update_seconds, std::max(rank.build_seconds, rank.partition_seconds));
        EXPECT_GE(rank.update_seconds, std::max(rank.migration_seconds, rank.ghosting_seconds));
        EXPECT_TRUE(rank.waited_seconds > 0 || last == 0);
    }
    EXPECT_GE(reports.imbalance(&RankReport::busy_seconds), 1);
    EXPECT_LE(reports.imbalance(&RankReport::busy_seconds), rank_count() * 1.001);
    EXPECT_GE(reports.imbalance(&RankReport::owned), 1);
    EXPECT_EQ(RankReports().imbalance(&RankReport::owned), 1);
    // The report itself is no work, and the next frame begins anew.
    ASSERT_TRUE(engine.reports(again).ok());
    EXPECT_EQ(again[0].waited_seconds, reports[0].waited_seconds);
    ASSERT_TRUE(engine.update(held.view()).ok());
    ASSERT_TRUE(engine.reports(again).ok());
    EXPECT_EQ(again[0].query_seconds, 0);
    // Each call counts, also one for the host's values.
    std::vector<double> values(engine.places(), 1);
    ASSERT_TRUE(engine.forward(values).ok());
    ASSERT_TRUE(engine.reports(again).ok());
    for (const RankReport& rank : again) EXPECT_GT(rank.query_seconds, 0);
}

TEST(ClusterReports, are_refused_on_all_ranks_if_one_has_no_memory) {
    ClusterEngine engine(MPI_COMM_WORLD);
    CountingResource memory;
    RankReports reports(&memory);
    const int last = rank_count() - 1;
    if (my_rank() == last) memory.fail_after(0);
    const ClusterStatus status = engine.reports(reports);
    memory.stop_failing();
    EXPECT_TRUE(all_agree(status));
    EXPECT_EQ(status, Code::out_of_memory);
    EXPECT_EQ(status.rank, last);
    EXPECT_EQ(reports.size(), 0u);
}

}  // namespace throng::test
