// Pairs of two clusters, and what never moves.
#include <algorithm>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

using cluster::ClusterEngine;
using cluster::ClusterPair;

namespace {

// The pairs of all ranks, each as two places in one number.
std::vector<std::uint64_t> places_of(const cluster::PairList& list) {
    std::vector<std::uint64_t> all;
    for (const ClusterPair& pair : gathered(std::vector(list.begin(), list.end())))
        all.push_back(place_of(pair.a) << 32 | place_of(pair.b));
    std::sort(all.begin(), all.end());
    return all;
}

struct TwoSets {
    explicit TwoSets(const SceneRecipe& recipe, std::uint64_t seed)
        : scene(recipe, 120, seed), other_scene(scene.with(scene.queries(60, seed))) {}

    std::vector<std::uint64_t> expected(const std::vector<Label>& labels, const PairQuery& wanted) const {
        Engine one, two;
        EXPECT_TRUE(one.update(Boxes::of(scene.agents()), traits_of(labels, heights)).ok());
        EXPECT_TRUE(two.update(Boxes::of(other_scene.agents()), traits_of({}, other_heights)).ok());
        PairList list;
        EXPECT_TRUE(one.frame().pairs(list, with_other(two.frame(), wanted)).ok());
        std::vector<std::uint64_t> all;
        for (std::size_t i = 0; i < list.size(); ++i)
            all.push_back(std::uint64_t{list[i].a} << 32 | list[i].b);
        std::sort(all.begin(), all.end());
        return all;
    }

    const Scene scene, other_scene;
    std::vector<Band> heights, other_heights;
};

}  // namespace

class TwoSetsOnEveryScene : public testing::TestWithParam<SceneRecipe> {};

TEST_P(TwoSetsOnEveryScene, have_the_pairs_of_one_engine_for_each) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        TwoSets sets(GetParam(), seed);
        if (seed != 1) sets.heights = bands_by_id(sets.scene.agents().size());
        if (seed != 2) sets.other_heights = bands_by_id(sets.other_scene.agents().size());
        const std::vector<Label> labels =
            seed == 2 ? labels_by_id(sets.scene.agents().size()) : std::vector<Label>();
        ClusterEngine agents(MPI_COMM_WORLD, {.agents_stay = seed == 3});
        const Held held = hand_out(sets.scene.agents(), labels, HandedOut::at_random, seed, sets.heights);
        ASSERT_TRUE(agents.update(held.view()).ok());
        ClusterEngine others(MPI_COMM_WORLD);
        // Cut alike, or each in its own way.
        if (seed == 1 && agents.size() != 0) {
            ASSERT_TRUE(others.partition_as(agents).ok());
        }
        const Held held_others =
            hand_out(sets.other_scene.agents(), {}, HandedOut::in_turns, 1, sets.other_heights);
        ASSERT_TRUE(others.update(held_others.view()).ok());
        if (seed == 1 && agents.size() != 0) {
            EXPECT_EQ(agents.domain(my_rank()), others.domain(my_rank()));
        }
        for (const PairQuery& wanted :
             {PairQuery{}, PairQuery{.within = 0.5f}, PairQuery{.filter = {.a = 2}}}) {
            cluster::PairList list;
            ASSERT_TRUE(agents.pairs_with(others, list, wanted).ok());
            EXPECT_EQ(places_of(list), sets.expected(labels, wanted));
            for (const ClusterPair& pair : list) {
                EXPECT_EQ(pair.b_place, ClusterPair::no_place);
                const auto ids =
                    seed == 3 ? std::span<const cluster::GlobalId>(held.ids) : agents.owned().ids;
                if (pair.a_place < ids.size()) {
                    EXPECT_EQ(ids[pair.a_place], pair.a);
                } else {
                    EXPECT_EQ(agents.ghosts().ids[pair.a_place - ids.size()], pair.a);
                }
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cluster, TwoSetsOnEveryScene, some_scenes(0),
                         [](const auto& recipe) { return std::string(recipe.param.name); });

TEST(ClusterTwoSets, a_layer_that_is_whole_on_each_rank_goes_with_the_local_frame) {
    const Scene scene = make_scene("uniform", 200, 1);
    const std::vector<Box> boxes = scene.queries(30, 2);
    const StaticLayer walls(boxes);
    ASSERT_TRUE(walls.status().ok());
    ClusterEngine engine(MPI_COMM_WORLD);
    ASSERT_TRUE(engine.set_static_layer(walls).ok());
    ASSERT_TRUE(engine.update(hand_out(scene.agents(), {}, HandedOut::in_turns).view()).ok());
    PairList local;
    ASSERT_TRUE(engine.frame().pairs(local, with_other(engine.frame().static_layer())).ok());
    std::vector<std::uint64_t> mine;
    for (const Pair& pair : local)
        if (!engine.is_ghost(pair.a)) mine.push_back(place_of(engine.global_id(pair.a)) << 32 | pair.b);
    std::vector<std::uint64_t> all = gathered(mine), expected;
    std::sort(all.begin(), all.end());
    Engine one;
    ASSERT_TRUE(one.update(scene.agents()).ok());
    ASSERT_TRUE(one.frame().pairs(local, with_other(walls.frame())).ok());
    for (const Pair& pair : local) expected.push_back(std::uint64_t{pair.a} << 32 | pair.b);
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(all, expected);
}

TEST(ClusterTwoSets, sets_on_other_ranks_are_refused) {
    if (rank_count() == 1) return;
    MPI_Comm reversed = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank_count() - my_rank(), &reversed);
    {
        ClusterEngine one(MPI_COMM_WORLD), other(reversed);
        ASSERT_TRUE(one.update({}).ok() && other.update({}).ok());
        cluster::PairList list;
        EXPECT_EQ(one.pairs_with(other, list).trouble, cluster::Trouble::other_ranks);
    }
    MPI_Comm_free(&reversed);
}

}  // namespace throng::test
