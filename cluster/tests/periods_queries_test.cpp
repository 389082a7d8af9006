// Queries of any rank in worlds that wrap around: what crosses a seam, goes around, or lies far outside is
// answered as by one engine, each agent once.
#include <limits>
#include <vector>

#include "cluster/tests/asked_filters.hpp"
#include "cluster/tests/wrapped_worlds.hpp"
#include "support/casts.hpp"
#include "support/shapes.hpp"

namespace throng::test {

using cluster::ClusterEngine;
using cluster::ClusterHit;
using cluster::ClusterStatus;

namespace {

// What one rank asks, which is not what the others do.
class AskedOfWrapped {
public:
    AskedOfWrapped(Wrapped how, int axes, std::uint64_t seed)
        : config(wrapped_config(axes)),
          boxes(wrapped_boxes(how, seed)),
          scene(make_scene("uniform", 5).with(boxes)),
          random(seed * 100 + static_cast<std::uint64_t>(my_rank())),
          shapes(scene, 10, random.next()) {
        // Agents as they lie or where the host left them, and boxes of all sizes between the seams and on
        // them.
        if (seed % 2 == 0) boxes = unfolded(boxes, config, seed);
        for (int k = 0; k < 10; ++k) {
            const Point at = boxes[random.below(boxes.size())].centre();
            const float x = k % 2 == 0 ? at.x : 0, y = k % 3 == 0 ? 0 : at.y,
                        half = k == 9   ? 55
                               : k == 8 ? 31
                                        : 4;
            asked.push_back(Box::around(x, y, half, k % 4 == 0 ? 0.5f : half));
            points.push_back({k == 5 ? 1e4f : x, k == 6 ? -333.0f : y});
            radii.push_back(k % 3 == 0 ? 3.0f : k % 3 == 1 ? 40.0f : 0.5f);
            const float dx = random.uniform(-300, 300), dy = random.uniform(-300, 300);
            casts.push_back(
                {Box::around(x, y, k % 2 == 0 ? 0 : 1, 0), k < 5 ? dx / 10 : dx, dy, k % 3 == 0 ? 2.0f : 0});
        }
        asked = unfolded(asked, config, random.next());
        // Some go around several times, but none too often.
        Engine nobody(config);
        EXPECT_TRUE(nobody.update(std::span<const Box>()).ok());
        for (const Shape& shape : shapes.all())
            if (nobody.frame().count(shape).status.ok()) many.push_back(shape);
        many.push_back(ThickSegment{{-20, 5}, {310, 222}, 1});
        many.push_back(Circle{99, 59, 45, AgentsAs::circles});
        many.push_back(Circle{1, 1, 1e12f, AgentsAs::boxes});
        if (my_rank() == 0 && seed % 3 == 0)
            asked.clear(), many.clear(), points.clear(), radii.clear(), casts.clear();
    }

    const EngineConfig config;
    std::vector<Box> boxes;
    const Scene scene;
    Random random;
    ShapesOf shapes;
    std::vector<Box> asked;
    std::vector<Shape> many;
    std::vector<Point> points;
    std::vector<float> radii;
    std::vector<Cast> casts;
};

struct Selected {
    const AskedFilters* filters = nullptr;

    Filters of_all() const { return filters == nullptr ? Filters() : filters->filters(); }
    Filters local() const { return filters == nullptr ? Filters() : filters->local_filters(); }
    std::span<const cluster::GlobalId> selves() const {
        return filters == nullptr ? std::span<const cluster::GlobalId>() : filters->selves();
    }
};

void expect_overlaps_as_one(WrappedTwins& worlds, const BoxesOrShapes& queries,
                            const Selected& selected = {}) {
    cluster::Lists lists;
    std::vector<std::uint64_t> counts(queries.size());
    ASSERT_TRUE(worlds.engine.overlaps(queries, lists, selected.of_all(), selected.selves()).ok());
    ASSERT_TRUE(worlds.engine.count(queries, counts, selected.of_all(), selected.selves()).ok());
    OverlapLists all;
    ASSERT_TRUE(worlds.one.frame().overlaps(queries, all, selected.local()).ok());
    for (std::size_t q = 0; q < queries.size(); ++q) {
        std::vector<cluster::GlobalId> ids;
        for (const AgentId id : all[q]) ids.push_back(global_of(id));
        std::sort(ids.begin(), ids.end());
        EXPECT_EQ(std::vector(lists[q].begin(), lists[q].end()), ids) << q;
        EXPECT_EQ(counts[q], ids.size()) << q;
    }
}

void expect_casts_as_one(WrappedTwins& worlds, const std::vector<Cast>& casts,
                         const Selected& selected = {}) {
    std::vector<ClusterHit> hits(casts.size());
    cluster::Lists lists;
    ASSERT_TRUE(worlds.engine.first_hits(casts, hits, selected.of_all(), selected.selves()).ok());
    ASSERT_TRUE(worlds.engine.all_hits(casts, lists, selected.of_all(), selected.selves()).ok());
    CastHits all;
    ASSERT_TRUE(worlds.one.frame().all_hits(casts, all, selected.local()).ok());
    for (std::size_t c = 0; c < casts.size(); ++c) {
        std::vector<WrappedLink> mine, expected;
        for (const CastHit& hit : all[c]) expected.push_back({0, hit.id, hit.fraction});
        for (std::size_t k = 0; k < lists[c].size(); ++k)
            mine.push_back({0, place_of(lists[c][k]), lists.fractions(c)[k]});
        EXPECT_EQ(mine, in_order(expected)) << c;
        const ClusterHit first = expected.empty() ? ClusterHit() : ClusterHit{lists[c][0], mine[0].number, 1};
        EXPECT_EQ(hits[c], first) << c;
    }
}

template <class Wanted>
void expect_points_as_one(WrappedTwins& worlds, const Points& points, Wanted wanted,
                          const Selected& selected = {}) {
    wanted.distances = true;
    cluster::Lists lists;
    ASSERT_TRUE(worlds.engine.neighbours(points, wanted, lists, selected.of_all(), selected.selves()).ok());
    NeighbourLists all;
    ASSERT_TRUE(worlds.one.frame().neighbours(points, wanted, all, selected.local()).ok());
    EXPECT_EQ(links_of(lists, [&](std::size_t i) { return lists.squared_distances(i); }),
              in_order(WrappedTwins::links_of_one(all)));
}

void expect_answers_as_one(WrappedTwins& worlds, AskedOfWrapped& asks, bool labelled) {
    expect_overlaps_as_one(worlds, asks.asked);
    expect_overlaps_as_one(worlds, asks.many);
    expect_casts_as_one(worlds, asks.casts);
    expect_casts_as_one(worlds, at_some_heights(asks.casts));
    for (const AgentsAs as : {AgentsAs::centres, AgentsAs::boxes, AgentsAs::circles}) {
        expect_points_as_one(worlds, asks.points, Within{.radius = 0, .radii = asks.radii, .agents_as = as});
        expect_points_as_one(worlds, asks.points, Nearest{.count = 3, .agents_as = as});
    }
    if (!labelled) return;
    const AskedFilters boxes(asks.boxes.size(), asks.asked.size(), asks.random),
        many(asks.boxes.size(), asks.many.size(), asks.random),
        points(asks.boxes.size(), asks.points.size(), asks.random);
    expect_overlaps_as_one(worlds, asks.asked, {&boxes});
    expect_overlaps_as_one(worlds, asks.many, {&many});
    expect_casts_as_one(worlds, asks.casts, {&points});
    expect_points_as_one(worlds, asks.points, Within{.radius = 5}, {&points});
    expect_points_as_one(worlds, asks.points, Nearest{.count = 2}, {&points});
}

}  // namespace

TEST(ClusterPeriodsAsked, any_rank_gets_the_answers_of_one_engine) {
    std::uint64_t seed = 0;
    for (const auto& [how, axes] : wrapped_cases(1)) {
        AskedOfWrapped asks(how, axes, ++seed);
        SCOPED_TRACE(wrapped_trace(how, axes));
        const bool labelled = seed % 2 == 1;
        WrappedTwins worlds({.rebalance = seed % 4 != 0}, asks.config);
        if (seed % 4 == 0) {
            ASSERT_TRUE(worlds.engine.partition(random_cuts(asks.boxes, seed)).ok());
        }
        const std::size_t count = asks.boxes.size();
        const auto labels = labelled ? labels_by_id(count) : std::vector<Label>();
        const auto heights = seed % 3 != 0 ? bands_by_id(count) : std::vector<Band>();
        worlds.update(asks.boxes, hand_out(asks.boxes, labels, HandedOut::at_random, seed, heights));
        expect_answers_as_one(worlds, asks, labelled);
        if (testing::Test::HasFailure()) return;
    }
}

TEST(ClusterPeriodsAsked, two_sets_have_the_pairs_of_one_engine_for_each) {
    for (const auto& [how, axes] : wrapped_cases(2)) {
        SCOPED_TRACE(wrapped_trace(how, axes));
        const EngineConfig config = wrapped_config(axes);
        const std::vector<Box> boxes = wrapped_boxes(how, 3),
                               others = unfolded(wrapped_boxes(Wrapped::at_the_seams, 4), config, 5);
        WrappedTwins one({}, config), two({.rebalance = axes == 0}, config);
        const auto heights = axes == 2 ? std::vector<Band>() : bands_by_id(boxes.size());
        one.update(boxes, hand_out(boxes, {}, HandedOut::in_turns, 1, heights));
        if (axes == 1) {
            ASSERT_TRUE(two.engine.partition_as(one.engine).ok());
        }
        two.update(others, hand_out(others, {}, HandedOut::at_random, 1, bands_by_id(others.size())));
        for (const float within : {0.0f, 1.0f, 45.0f}) {
            cluster::PairList list;
            ASSERT_TRUE(one.engine.pairs_with(two.engine, list, {.within = within}).ok());
            std::vector<WrappedLink> mine, expected;
            for (const cluster::ClusterPair& pair : list)
                mine.push_back({place_of(pair.a), place_of(pair.b), 0});
            PairList all;
            const Frame other = two.one.frame();
            ASSERT_TRUE(one.one.frame().pairs(all, with_other(other, {.within = within})).ok());
            for (const Pair& pair : all) expected.push_back({pair.a, pair.b, 0});
            EXPECT_EQ(in_order(gathered(mine)), in_order(expected)) << within;
        }
    }
}

// Whatever one engine refuses in such a world, on whichever rank.
TEST(ClusterPeriodsAsked, what_goes_around_too_often_is_refused_on_all_ranks) {
    WrappedTwins worlds({}, wrapped_config(0));
    const std::vector<Box> boxes = wrapped_boxes(Wrapped::crowd, 5);
    worlds.update(boxes, hand_out(boxes, {}, HandedOut::in_turns));
    const int last = rank_count() - 1;
    const auto expect = [&](const ClusterStatus& mine, const Status& one) {
        EXPECT_EQ(mine.status.code, one.code);
        EXPECT_EQ(mine.status.index, one.index);
        EXPECT_EQ(mine.status.argument, one.argument);
        EXPECT_EQ(mine.rank, last);
        EXPECT_TRUE(all_agree(mine) && !mine.ok());
    };
    const std::vector<Shape> one_long{Circle{1, 1, 5000}, ThickSegment{{0, 0}, {0, 1000}, 1}}, none;
    const std::vector<Cast> cast{{{0, 0, 1, 1}, 3000, 0, 0}}, no_cast;
    const bool mine = my_rank() == last;
    cluster::Lists lists;
    std::vector<std::uint64_t> counts(2);
    std::vector<ClusterHit> hits(2);
    CastHits some;
    OverlapLists found;
    const Status of_shapes = worlds.one.frame().overlaps(one_long, found);
    const Status of_casts = worlds.one.frame().all_hits(cast, some);
    EXPECT_TRUE(of_shapes == Code::too_large && of_casts == Code::too_large);
    expect(worlds.engine.overlaps(mine ? one_long : none, lists), of_shapes);
    expect(worlds.engine.count(mine ? one_long : none, counts), of_shapes);
    expect(worlds.engine.first_hits(mine ? cast : no_cast, hits), of_casts);
    expect(worlds.engine.all_hits(mine ? cast : no_cast, lists), of_casts);
}

TEST(ClusterPeriodsAsked, periods_that_differ_or_are_none_are_refused_on_all_ranks) {
    for (const float bad : {-1.0f, 1e31f, std::numeric_limits<float>::quiet_NaN()}) {
        const ClusterEngine engine(MPI_COMM_WORLD, {.engine = {.period_x = bad}});
        EXPECT_TRUE(engine.status() == Code::bad_config);
        EXPECT_EQ(engine.status().status.argument, Argument::period);
        EXPECT_TRUE(all_agree(engine.status()));
    }
    const float other = my_rank() == rank_count() - 1 ? 50.0f : 100.0f;
    const ClusterEngine differs(MPI_COMM_WORLD, {.engine = {.period_y = other}});
    EXPECT_EQ(differs.status().trouble,
              rank_count() == 1 ? cluster::Trouble::none : cluster::Trouble::differs);
    ClusterEngine one(MPI_COMM_WORLD, {.engine = {.period_x = 100}}),
        two(MPI_COMM_WORLD, {.engine = {.period_x = 90}}), plane(MPI_COMM_WORLD);
    const Held held = hand_out(wrapped_boxes(Wrapped::crowd, 1), {}, HandedOut::in_turns);
    for (ClusterEngine* const each : {&one, &two, &plane}) ASSERT_TRUE(each->update(held.view()).ok());
    cluster::PairList list;
    for (const auto& [a, b] : {std::pair(&one, &two), std::pair(&one, &plane), std::pair(&plane, &two)})
        for (const ClusterStatus& status : {a->pairs_with(*b, list), a->partition_as(*b)}) {
            EXPECT_TRUE(status == Code::bad_config);
            EXPECT_EQ(status.status.argument, Argument::period);
            EXPECT_TRUE(all_agree(status));
        }
}

}  // namespace throng::test
