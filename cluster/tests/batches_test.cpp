// Batches of boxes, shapes and casts that each rank asks of all: the answers of brute force over all agents,
// for every scene and every way to cut it.
#include <algorithm>
#include <limits>
#include <vector>

#include "cluster/tests/asked_filters.hpp"
#include "cluster/tests/ranks.hpp"
#include "oracle/brute_force.hpp"
#include "support/casts.hpp"
#include "support/shapes.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

namespace {

using cluster::ClusterHit;

// What one rank asks, which is not what the others do; the first one asks nothing now and then.
class RankAsks {
public:
    RankAsks(const Scene& scene, std::uint64_t seed)
        : seed_(seed * 100 + static_cast<std::uint64_t>(my_rank())),
          count_(my_rank() == 0 && seed % 2 == 0 ? 0 : 8),
          boxes(scene.queries(count_, seed_)),
          shapes(scene, count_, seed_),
          casts(casts_for(scene, count_, seed_)),
          random(seed_) {
        boxes.resize(std::min(boxes.size(), count_));
    }

private:
    std::uint64_t seed_;
    std::size_t count_;

public:
    std::vector<Box> boxes;
    ShapesOf shapes;
    std::vector<Cast> casts;

    Random random;
};

class AskedClusters {
public:
    AskedClusters(const Scene& scene, bool forced_cuts, bool labelled, std::uint64_t seed)
        : engine(MPI_COMM_WORLD, {.rebalance = !forced_cuts}) {
        const std::vector<Label> labels =
            labelled ? labels_by_id(scene.agents().size()) : std::vector<Label>();
        if (forced_cuts) {
            EXPECT_TRUE(engine.partition(random_cuts(scene.agents(), seed)).ok());
        }
        const auto heights = labelled ? std::vector<Band>() : bands_by_id(scene.agents().size());
        const Held held = hand_out(scene.agents(), labels, HandedOut::at_random, seed, heights);
        EXPECT_TRUE(engine.update(held.view()).ok());
        EXPECT_TRUE(oracle.update(Boxes::of(scene.agents()), traits_of(labels, heights)).ok());
    }
    void expect_overlaps(const BoxesOrShapes& queries, const Filters& filters, const Filters& local,
                         std::span<const cluster::GlobalId> selves = {}) {
        cluster::Lists lists;
        EXPECT_TRUE(engine.overlaps(queries, lists, filters, selves).ok());
        std::vector<std::uint64_t> counts(queries.size() + 1, 77);
        EXPECT_TRUE(engine.count(queries, counts, filters, selves).ok());
        EXPECT_EQ(counts.back(), 77u);
        oracle::OverlapLists expected;
        EXPECT_TRUE(oracle.frame().overlaps(queries, expected, local).ok());
        ASSERT_EQ(lists.size(), queries.size());
        for (std::size_t q = 0; q < queries.size(); ++q) {
            std::vector<cluster::GlobalId> ids;
            for (const AgentId id : expected[q]) ids.push_back(global_of(id));
            std::sort(ids.begin(), ids.end());
            EXPECT_EQ(std::vector(lists[q].begin(), lists[q].end()), ids);
            EXPECT_EQ(counts[q], ids.size());
        }
    }
    void expect_casts(const std::vector<Cast>& casts, const Filters& filters, const Filters& local,
                      std::span<const cluster::GlobalId> selves = {}) {
        std::vector<ClusterHit> hits(casts.size());
        cluster::Lists lists;
        EXPECT_TRUE(engine.first_hits(casts, hits, filters, selves).ok());
        EXPECT_TRUE(engine.all_hits(casts, lists, filters, selves).ok());
        std::vector<std::vector<CastHit>> expected;
        EXPECT_TRUE(oracle.frame().all_hits(casts, expected, local).ok());
        for (std::size_t c = 0; c < casts.size(); ++c) {
            ClusterHit first;
            if (!expected[c].empty()) first = {global_of(expected[c][0].id), expected[c][0].fraction, 1};
            EXPECT_EQ(hits[c], first);
            ASSERT_EQ(lists[c].size(), expected[c].size());
            for (std::size_t k = 0; k < expected[c].size(); ++k) {
                EXPECT_EQ(lists[c][k], global_of(expected[c][k].id));
                EXPECT_EQ(lists.fractions(c)[k], expected[c][k].fraction);
            }
        }
    }

    cluster::ClusterEngine engine;
    oracle::BruteForce oracle;
};

}  // namespace

class BatchesOnEveryScene : public testing::TestWithParam<SceneRecipe> {};

TEST_P(BatchesOnEveryScene, are_answered_as_brute_force_does) {
    for (const std::uint64_t seed : {3u, 4u}) {
        const Scene scene(GetParam(), 150, seed);
        AskedClusters worlds(scene, seed % 2 == 0, seed % 2 == 0, seed);
        RankAsks asks(scene, seed);
        worlds.expect_overlaps(asks.boxes, {}, {});
        worlds.expect_overlaps(asks.shapes.all(), Filter{.categories = 2}, Filter{.categories = 2});
        worlds.expect_casts(asks.casts, {}, {});
        worlds.expect_casts(at_some_heights(asks.casts, seed), {}, {});
        if (scene.agents().empty()) continue;
        const AskedFilters boxes(scene.agents().size(), asks.boxes.size(), asks.random);
        worlds.expect_overlaps(asks.boxes, boxes.filters(), boxes.local_filters(), boxes.selves());
        const AskedFilters casts(scene.agents().size(), asks.casts.size(), asks.random);
        worlds.expect_casts(asks.casts, casts.filters(), casts.local_filters(), casts.selves());
    }
}

INSTANTIATE_TEST_SUITE_P(Cluster, BatchesOnEveryScene, some_scenes(1),
                         [](const auto& recipe) { return std::string(recipe.param.name); });

}  // namespace throng::test
