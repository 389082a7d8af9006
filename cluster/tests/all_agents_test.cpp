// All agents at once, on every scene and in every way to begin: the answers of brute force over all agents.
#include <algorithm>
#include <tuple>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/neighbours.hpp"
#include "support/scale.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

namespace {

using cluster::ClusterEngine;
using cluster::ClusterPair;
using cluster::GlobalId;

struct Link {
    GlobalId from, to;
    float squared_distance;
    friend bool operator==(const Link&, const Link&) = default;
    friend bool operator<(const Link& one, const Link& other) {
        return std::tie(one.from, one.squared_distance, one.to) <
               std::tie(other.from, other.squared_distance, other.to);
    }
};

class TwinWorlds {
public:
    TwinWorlds(const std::vector<Box>& boxes, const UpdateOptions& traits, bool forced_cuts, bool agents_stay,
               float distance, std::uint64_t seed)
        : engine(MPI_COMM_WORLD, {.reach = distance,
                                  .radius = 2 * distance,
                                  .rebalance = !forced_cuts,
                                  .agents_stay = agents_stay}) {
        EXPECT_TRUE(engine.status().ok());
        if (forced_cuts) {
            EXPECT_TRUE(engine.partition(random_cuts(boxes, seed)).ok());
        }
        see(boxes, traits);
    }
    void see(const std::vector<Box>& boxes, const UpdateOptions& traits) {
        EXPECT_TRUE(oracle.update(Boxes::of(boxes), traits).ok());
    }
    void expect_owners(const std::vector<Box>& boxes) const {
        const cluster::Table mine = engine.owned();
        EXPECT_TRUE(std::is_sorted(mine.ids.begin(), mine.ids.end()));
        const Box domain = engine.domain(engine.rank());
        for (std::size_t i = 0; i < mine.size(); ++i) {
            EXPECT_EQ(mine.boxes[i], boxes[place_of(mine.ids[i])]);
            const Point centre = mine.boxes[i].centre();
            EXPECT_TRUE(domain.overlaps({centre.x, centre.y, centre.x, centre.y}));
        }
        EXPECT_EQ(gathered(std::vector(mine.ids.begin(), mine.ids.end())).size(), boxes.size());
        EXPECT_EQ(engine.size(), boxes.size());
    }
    void expect_pairs(const PairQuery& wanted) {
        cluster::PairList list;
        EXPECT_TRUE(engine.pairs(list, wanted).ok());
        std::vector<ClusterPair> mine(list.begin(), list.end());
        for (const ClusterPair& pair : mine) {
            EXPECT_LT(pair.a, pair.b);
            if (stayed != nullptr) {
                ASSERT_LT(pair.a_place, stayed->size());
                EXPECT_EQ((*stayed)[pair.a_place], pair.a);
            } else {
                EXPECT_TRUE(pair.a_place < engine.owned().size() || pair.b_place < engine.owned().size());
            }
        }
        std::vector<ClusterPair> all = gathered(mine);
        if (my_rank() != 0) return;
        const auto by_ids = [](const ClusterPair& one, const ClusterPair& other) {
            return std::tie(one.a, one.b) < std::tie(other.a, other.b);
        };
        std::sort(all.begin(), all.end(), by_ids);
        oracle::PairLists expected;
        EXPECT_TRUE(oracle.frame().pairs(expected, wanted).ok());
        ASSERT_EQ(all.size(), expected.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            EXPECT_EQ(std::tuple(all[i].a, all[i].b),
                      std::tuple(global_of(expected[i].a), global_of(expected[i].b)));
    }
    template <class Wanted>
    void expect_neighbours(const Wanted& wanted, const oracle::Neighbourhood& as, const Filter& filter = {}) {
        cluster::Lists lists;
        EXPECT_TRUE(engine.neighbours(wanted, lists, filter).ok());
        std::vector<Link> mine;
        const std::span<const GlobalId> of = stayed != nullptr ? *stayed : engine.owned().ids;
        ASSERT_EQ(lists.size(), of.size());
        for (std::size_t i = 0; i < lists.size(); ++i)
            for (std::size_t k = 0; k < lists[i].size(); ++k)
                mine.push_back({of[i], lists[i][k], lists.squared_distances(i)[k]});
        std::vector<Link> all = gathered(mine), expected;
        if (my_rank() != 0) return;
        std::sort(all.begin(), all.end());
        const auto brute = oracle::neighbours(oracle.frame(), as, Filters(filter));
        for (std::size_t i = 0; i < brute.size(); ++i)
            for (const Neighbour& one : brute[i])
                expected.push_back({global_of(i), global_of(one.id), one.squared_distance});
        std::sort(expected.begin(), expected.end());
        EXPECT_TRUE(all == expected) << all.size() << " neighbours, " << expected.size() << " expected";
    }
    void expect_all(float distance) {
        expect_pairs({});
        expect_pairs({.within = distance});
        expect_pairs({.filter = {.a = 1, .other_groups_only = true}, .agents_as = AgentsAs::circles});
        expect_neighbours(Within{.radius = 2 * distance, .distances = true}, {.radius = 2 * distance});
        expect_neighbours(Within{.radius = distance, .agents_as = AgentsAs::boxes, .distances = true},
                          {.radius = distance, .agents_as = AgentsAs::boxes});
        expect_neighbours(Nearest{.count = 5}, {.max_count = 5});
        expect_neighbours(Nearest{.count = 3, .max_radius = distance, .agents_as = AgentsAs::boxes},
                          {.radius = distance, .max_count = 3, .agents_as = AgentsAs::boxes},
                          {.categories = 2});
        expect_neighbours(Within{.radius = distance, .agents_as = AgentsAs::circles, .distances = true},
                          {.radius = distance, .agents_as = AgentsAs::circles});
        expect_neighbours(Nearest{.count = 3, .agents_as = AgentsAs::circles},
                          {.max_count = 3, .agents_as = AgentsAs::circles});
        // Agents below look for some above: those that have both heights.
        const Filter above{.heights = {6, 7}};
        expect_neighbours(Within{.radius = 2 * distance, .distances = true}, {.radius = 2 * distance}, above);
        expect_neighbours(Nearest{.count = 2}, {.max_count = 2}, above);
        expect_neighbours(Nearest{.count = 4, .max_radius = distance, .agents_as = AgentsAs::boxes},
                          {.radius = distance, .max_count = 4, .agents_as = AgentsAs::boxes}, above);
    }

    ClusterEngine engine;
    oracle::BruteForce oracle;
    const std::vector<GlobalId>* stayed = nullptr;  // what this rank handed in, if its answers come there
};

}  // namespace

class OnEveryScene : public testing::TestWithParam<SceneRecipe> {};

TEST_P(OnEveryScene, answers_as_brute_force_does) {
    std::uint64_t seed = 7;
    for (const HandedOut how : {HandedOut::in_turns, HandedOut::all_on_one, HandedOut::at_random}) {
        const bool forced = how != HandedOut::all_on_one;
        Scene scene(GetParam(), 120, ++seed);
        const bool labelled = how != HandedOut::in_turns;
        const std::size_t count = scene.agents().size();
        const auto labels = labelled ? labels_by_id(count) : std::vector<Label>();
        const auto heights = forced ? bands_by_id(count) : std::vector<Band>();
        const UpdateOptions traits = traits_of(labels, heights);
        const bool stay = how == HandedOut::at_random;
        const float distance = typical_distance(scene.agents());
        TwinWorlds worlds(scene.agents(), traits, forced, stay, distance, seed);
        Held held = hand_out(scene.agents(), labels, how, seed, heights);
        if (stay) worlds.stayed = &held.ids;
        for (int frame = 0; frame < 2; ++frame) {
            const cluster::ClusterStatus status = worlds.engine.update(held.view());
            char text[200];
            cluster::describe(status, text);
            EXPECT_TRUE(status.ok()) << text;
            worlds.expect_owners(scene.agents());
            worlds.expect_all(distance);
            scene.step();
            worlds.see(scene.agents(), traits);
            if (!stay) held.take(worlds.engine.owned());
            for (std::size_t i = 0; i < held.ids.size(); ++i)
                held.boxes[i] = scene.agents()[place_of(held.ids[i])];
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cluster, OnEveryScene, some_scenes(0),
                         [](const auto& recipe) { return std::string(recipe.param.name); });

}  // namespace throng::test
