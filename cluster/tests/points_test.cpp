// Neighbours of points that each rank asks of all: the answers of brute force over all agents, for every
// scene and every way to cut it.
#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "cluster/tests/asked_filters.hpp"
#include "cluster/tests/ranks.hpp"
#include "oracle/brute_force.hpp"
#include "oracle/neighbours.hpp"
#include "support/scale.hpp"
#include "support/test.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {

namespace {

using cluster::ClusterStatus;
using cluster::GlobalId;

// Agents' places, places between them, and one far from all.
std::vector<Point> points_for(const Scene& scene, Random& random) {
    std::vector<Point> points;
    for (const Box& box : scene.queries(8, random.below(1000))) points.push_back(box.centre());
    const std::vector<Box>& agents = scene.agents();
    for (int k = 0; k < 4 && !agents.empty(); ++k) {
        points.push_back(agents[random.below(agents.size())].centre());
        points.push_back({points.back().x, agents[random.below(agents.size())].max_y});
    }
    points.push_back({-1e30f, 3e38f});
    return points;
}

class PointsAsked {
public:
    PointsAsked(const Scene& scene, std::uint64_t seed)
        : random_(seed * 100 + static_cast<std::uint64_t>(my_rank())),
          engine_(MPI_COMM_WORLD, {.rebalance = seed % 2 != 0}),
          points_(points_for(scene, random_)) {
        const bool forced_cuts = seed % 2 == 0;
        std::vector<Label> labels;
        const std::vector<Band> heights = bands_by_id(scene.agents().size());
        if (forced_cuts) {
            labels = labels_by_id(scene.agents().size());
            EXPECT_TRUE(engine_.partition(random_cuts(scene.agents(), seed)).ok());
            if (my_rank() == 0) points_.clear();
        }
        const Held held = hand_out(scene.agents(), labels, HandedOut::at_random, seed, heights);
        EXPECT_TRUE(engine_.update(held.view()).ok());
        EXPECT_TRUE(oracle_.update(Boxes::of(scene.agents()), traits_of(labels, heights)).ok());
        const std::vector<float> some{typical_distance(scene.agents()), 0, 1e30f};
        for (std::size_t i = 0; i < points_.size(); ++i) radii_.push_back(some[i % some.size()]);
    }
    void expect_all(const Scene& scene) {
        const float distance = radii_.empty() ? 1 : typical_distance(scene.agents());
        expect({.radii = radii_});
        expect({.max_count = 9});
        if (scene.agents().empty()) return;
        const AskedFilters filters(scene.agents().size(), points_.size(), random_);
        expect({.radius = 2 * distance, .agents_as = AgentsAs::boxes}, &filters);
        expect({.radii = radii_, .max_count = 3, .agents_as = AgentsAs::boxes}, &filters);
        expect({.radius = 2 * distance, .agents_as = AgentsAs::circles}, &filters);
        expect({.max_count = 3, .agents_as = AgentsAs::circles});
    }

private:
    void expect(const oracle::Neighbourhood& wanted, const AskedFilters* filters = nullptr) {
        cluster::Lists lists;
        const auto ask = [&](auto asked) {
            asked.distances = true;
            return filters == nullptr
                       ? engine_.neighbours(points_, asked, lists)
                       : engine_.neighbours(points_, asked, lists, filters->filters(), filters->selves());
        };
        const ClusterStatus status = wanted.max_count == 0 ? ask(wanted.within()) : ask(wanted.nearest());
        EXPECT_TRUE(status.ok()) << status.status.message() << ' ' << status.status.index << " on rank "
                                 << status.rank;
        oracle::NeighbourLists expected = oracle::neighbours(
            oracle_.frame(), points_, wanted, filters == nullptr ? Filters() : filters->local_filters());
        ASSERT_EQ(lists.size(), points_.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            std::sort(expected[i].begin(), expected[i].end(), [](const Neighbour& a, const Neighbour& b) {
                return std::tie(a.squared_distance, a.id) < std::tie(b.squared_distance, b.id);
            });
            std::vector<GlobalId> ids;
            std::vector<float> distances;
            for (const Neighbour& one : expected[i]) {
                ids.push_back(global_of(one.id));
                distances.push_back(one.squared_distance);
            }
            EXPECT_EQ(std::vector(lists[i].begin(), lists[i].end()), ids);
            const std::span<const float> found = lists.squared_distances(i);
            EXPECT_EQ(std::vector(found.begin(), found.end()), distances);
        }
    }

    Random random_;
    cluster::ClusterEngine engine_;
    oracle::BruteForce oracle_;
    std::vector<Point> points_;
    std::vector<float> radii_;
};

}  // namespace

class PointsOnEveryScene : public testing::TestWithParam<SceneRecipe> {};

TEST_P(PointsOnEveryScene, have_the_neighbours_that_brute_force_finds) {
    for (const std::uint64_t seed : {5u, 6u}) {
        const Scene scene(GetParam(), 150, seed);
        PointsAsked(scene, seed).expect_all(scene);
    }
}

INSTANTIATE_TEST_SUITE_P(Cluster, PointsOnEveryScene, some_scenes(2),
                         [](const auto& recipe) { return std::string(recipe.param.name); });

class ClusterPoints : public testing::Test {
protected:
    ClusterPoints() {
        EXPECT_TRUE(engine_.update(hand_out(scene_.agents(), {}, HandedOut::in_turns).view()).ok());
    }
    template <class Wanted>
    void expect_refused(const Wanted& wanted, Code code, std::size_t index = Status::no_index) {
        const ClusterStatus status = engine_.neighbours(points_, wanted, lists_);
        EXPECT_TRUE(status == code) << cluster::describe(status.trouble) << ' ' << status.status.message();
        EXPECT_EQ(status.status.index, index);
        EXPECT_TRUE(all_agree(status));
        EXPECT_TRUE(lists_.empty());
    }

    const Scene scene_ = make_scene("uniform", 200, 3);
    const int last_ = rank_count() - 1;
    const bool is_last_ = my_rank() == last_;
    cluster::ClusterEngine engine_{MPI_COMM_WORLD};
    std::vector<Point> points_{{1, 1}, {2, 2}, {3, 3}};
    cluster::Lists lists_;
};

TEST_F(ClusterPoints, of_one_rank_that_are_none_are_refused_on_all) {
    if (is_last_) points_[2].y = std::numeric_limits<float>::quiet_NaN();
    expect_refused(Within{.radius = 1}, Code::not_finite, 2);
    expect_refused(Nearest{.count = 2}, Code::not_finite, 2);
    EXPECT_EQ(engine_.neighbours(points_, Nearest{.count = 2}, lists_).rank, last_);
    points_[2] = {3, 3};
    std::vector<float> radii(3, 1);
    if (is_last_) radii[1] = -1;
    expect_refused(Within{.radii = radii}, Code::inverted, 1);
    expect_refused(Nearest{.count = 2, .max_radii = radii}, Code::inverted, 1);
    if (is_last_) radii.pop_back();
    expect_refused(Within{.radii = radii}, Code::size_mismatch);
    EXPECT_TRUE(engine_.neighbours(points_, Nearest{.count = 2}, lists_).ok());
    EXPECT_EQ(lists_.ids().size(), 6u);
    EXPECT_TRUE(lists_.numbers().empty());
}

TEST_F(ClusterPoints, with_options_that_do_not_go_with_them_are_refused) {
    expect_refused(Nearest{.count = 0}, Code::bad_config);
    expect_refused(Nearest{.count = 65}, Code::bad_config);
    expect_refused(Within{.radius = 1, .half = true}, Code::bad_config);
    expect_refused(Within{.radius = 1, .in_row_order = true}, Code::bad_config);
    EXPECT_TRUE(engine_.neighbours(points_, Within{.radius = 1}, lists_, Filter{.self = 1}) ==
                Code::bad_config);
    EXPECT_TRUE(engine_.neighbours(points_, Within{.radius = 1}, lists_,
                                   Filters::of(std::span(static_cast<const Filter*>(nullptr),
                                                         points_.size()))) == Code::null_view);
    const std::vector<GlobalId> selves(2);
    EXPECT_TRUE(engine_.neighbours(points_, Within{.radius = 1}, lists_, {}, selves) == Code::size_mismatch);
    if (rank_count() == 1) return;
    expect_refused(Nearest{.count = is_last_ ? 3u : 2u}, Code::bad_config);
    EXPECT_EQ(engine_.neighbours(points_, Nearest{.count = is_last_ ? 2u : 3u}, lists_).rank, last_);
    expect_refused(Within{.radius = 1, .agents_as = is_last_ ? AgentsAs::boxes : AgentsAs::centres},
                   Code::bad_config);
}

// A distance whose square is zero counts as none, wherever the world is cut.
TEST(ClusterPlaces, that_differ_by_less_than_a_square_can_tell_are_the_same) {
    std::vector<Point> places;
    std::vector<Box> boxes;
    for (int i = -20; i < 20; ++i) {
        const Point at{1e-26f * static_cast<float>(i), 0};
        places.push_back(at);
        boxes.push_back({at.x, at.y, at.x, at.y});
    }
    cluster::ClusterEngine engine(MPI_COMM_WORLD, {.rebalance = false});
    EXPECT_TRUE(engine.partition(my_rank() == 0 ? places : std::vector<Point>()).ok());
    ASSERT_TRUE(engine.update(hand_out(boxes, {}, HandedOut::in_turns).view()).ok());
    cluster::Lists lists;
    EXPECT_TRUE(engine.neighbours(places, Within{.radius = 0}, lists).ok());
    EXPECT_EQ(lists.ids().size(), places.size() * places.size());
    EXPECT_TRUE(engine.neighbours(places, Nearest{.count = 40, .max_radius = 0}, lists).ok());
    EXPECT_EQ(lists.ids().size(), places.size() * places.size());
}

}  // namespace throng::test
