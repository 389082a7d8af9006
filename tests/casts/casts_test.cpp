// What a cast finds, on worlds of a few boxes: the definitions of throng/queries/casts.hpp one by one, what
// is refused, and casts against agents and walls together.
#include "support/casts.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

CastHit agent(AgentId id, float t) { return {id, t, 0}; }
CastHit element(AgentId id, float t) { return {id, t, 1}; }

class CastsOnFewBoxes : public ::testing::Test {
protected:
    explicit CastsOnFewBoxes(std::vector<Box> boxes = {{4, 4, 6, 6}, {8, 4, 10, 6}, {4, 4, 6, 6}}) {
        EXPECT_EQ(engine_.update(Boxes::of(boxes)), Status{});
    }
    CastHit first(const Cast& cast, const Filter& filter = {}) const {
        const FirstHit found = engine_.frame().first_hit(cast, filter);
        EXPECT_EQ(found.status, Status{});
        EXPECT_EQ(engine_.frame().blocked(cast, filter).found, found.hit.found());
        return found.hit;
    }
    std::vector<CastHit> all(const Cast& cast) const {
        std::vector<CastHit> hits;
        EXPECT_EQ(engine_.frame().for_each_hit(cast, [&](const CastHit& hit) { hits.push_back(hit); }),
                  Status{});
        return hits;
    }

    Engine engine_;
};

TEST_F(CastsOnFewBoxes, find_the_earliest_and_then_the_least_id) {
    EXPECT_EQ(first(Cast::ray(0, 5, 16, 0)), agent(0, 0.25f));
    EXPECT_EQ(first(Cast::ray(16, 5, -16, 0)), agent(1, 0.375f));
    EXPECT_EQ(first(Cast::segment({0, 5}, {3, 5})), CastHit{});
    EXPECT_EQ(first(Cast::towards({0, 5}, {1, 0}, 16)), agent(0, 0.25f)) << "a direction, and how far";
    EXPECT_EQ(first(Cast::towards({0, 5}, {1, 0}, 3)), CastHit{});
    const std::vector<CastHit> in_order{agent(0, 0.25f), agent(2, 0.25f), agent(1, 0.5f)};
    EXPECT_EQ(all(Cast::ray(0, 5, 16, 0)), in_order);
}

TEST_F(CastsOnFewBoxes, that_start_in_contact_hit_at_once) {
    EXPECT_EQ(first(Cast::ray(5, 5, 100, 3)), agent(0, 0));
    EXPECT_EQ(first(Cast::ray(6, 6, 100, 100)), agent(0, 0)) << "a corner is part of a box";
    EXPECT_EQ(first(Cast::box({0, 0, 4, 4}, -1, -1)), agent(0, 0)) << "and so it is if the cast moves away";
}

TEST_F(CastsOnFewBoxes, along_an_edge_touch_it) {
    EXPECT_EQ(first(Cast::ray(0, 4, 8, 0)), agent(0, 0.5f));
    EXPECT_EQ(first(Cast::ray(0, std::nextafter(4.0f, 0.0f), 8, 0)), CastHit{});
    EXPECT_EQ(first(Cast::ray(6, 0, 0, 8)), agent(0, 0.5f));
    EXPECT_EQ(first(Cast::ray(std::nextafter(6.0f, 7.0f), 0, 0, 8)), CastHit{});
}

TEST_F(CastsOnFewBoxes, through_a_corner_touch_it) {
    EXPECT_EQ(first(Cast::ray(2, 6, 4, -4)), agent(0, 0.5f));
}

TEST_F(CastsOnFewBoxes, without_movement_find_what_overlaps_the_start) {
    EXPECT_EQ(first(Cast::ray(5, 5, 0, 0)), agent(0, 0));
    EXPECT_EQ(first(Cast::ray(7, 5, 0, 0)), CastHit{});
    EXPECT_EQ(first(Cast::box({6, 6, 7, 7}, 0, 0)), agent(0, 0));
    EXPECT_EQ(first(Cast::circle(7, 5, 1, 0, 0)), agent(0, 0));
    EXPECT_EQ(first(Cast::ray(5, 5, 1e-39f, -1e-42f)), agent(0, 0)) << "too little counts as none";
    EXPECT_EQ(first(Cast::ray(std::nextafter(4.0f, 0.0f), 5, 1e-39f, 0)), CastHit{});
}

TEST_F(CastsOnFewBoxes, of_a_box_touch_with_their_edges) {
    EXPECT_EQ(first(Cast::box({0, 0, 2, 4}, 4, 0)), agent(0, 0.5f));
    EXPECT_EQ(first(Cast::box({0, 0, 2, 3}, 4, 0)), CastHit{});
}

TEST_F(CastsOnFewBoxes, of_a_circle_round_the_corner) {
    EXPECT_EQ(first(Cast::circle(0, 5, 2, 8, 0)), agent(0, 0.25f));
    EXPECT_EQ(first(Cast::circle(0, 2, 2, 8, 0)), agent(0, 0.5f)) << "touches the lower edge at its left end";
    // Past the corner (4, 4). The cast would hit the box that is widened on both axes.
    EXPECT_EQ(first(Cast::circle(0, 4, 1, 8, -8)), CastHit{});
    // Towards it: the distance is 4 * sqrt(2), less the radius.
    const CastHit corner = first(Cast::circle(0, 0, 1, 4, 4));
    EXPECT_EQ(corner.id, 0u);
    EXPECT_FLOAT_EQ(corner.fraction, 1 - 1 / std::sqrt(32.0f));
}

TEST_F(CastsOnFewBoxes, leave_out_the_agent_that_moves) {
    EXPECT_EQ(first(Cast::box({4, 4, 6, 6}, 4, 0), {.self = 0}), agent(2, 0));
    EXPECT_EQ(first(Cast::ray(7, 5, 4, 0), {.self = 1}), CastHit{});
}

TEST_F(CastsOnFewBoxes, with_visitors_end_when_told_to) {
    std::size_t visits = 0;
    EXPECT_EQ(
        engine_.frame().for_each_hit(Cast::ray(0, 5, 16, 0), [&](const CastHit&) { return ++visits < 2; }),
        Status{});
    EXPECT_EQ(visits, 2u);
    std::size_t seen = 0;
    EXPECT_EQ(engine_.frame().for_each_hit(Cast::ray(0, 5, 16, 0),
                                           [&](std::span<const CastHit> hits) { seen += hits.size(); }),
              Status{});
    EXPECT_EQ(seen, 3u);
    struct Thrown {};
    EXPECT_THROW(
        (void)engine_.frame().for_each_hit(Cast::ray(0, 5, 16, 0), [](const CastHit&) { throw Thrown(); }),
        Thrown);
    EXPECT_EQ(all(Cast::ray(0, 5, 16, 0)).size(), 3u) << "a visitor that throws leaves nothing behind";
}

TEST_F(CastsOnFewBoxes, tell_how_many_hits_there_were_if_not_all_fit) {
    CastHit some[2];
    const Filled filled = engine_.frame().all_hits(Cast::ray(0, 5, 16, 0), some);
    EXPECT_EQ(filled.total, 3u);
    EXPECT_EQ(filled.written, 2u);
    EXPECT_TRUE(filled.truncated());
    EXPECT_EQ(some[1], agent(2, 0.25f));
}

// --- What is refused ---------------------------------------------------------------------------------------

TEST_F(CastsOnFewBoxes, that_are_illegal_are_refused_by_every_call) {
    const std::pair<Cast, Code> illegal[] = {{Cast::ray(not_a_number, 0, 1, 1), Code::not_finite},
                                             {Cast::ray(0, infinite, 1, 1), Code::not_finite},
                                             {Cast::ray(0, 0, not_a_number, 1), Code::not_finite},
                                             {Cast::ray(0, 0, 1, -infinite), Code::not_finite},
                                             {Cast::circle(0, 0, infinite, 1, 1), Code::not_finite},
                                             {Cast::circle(0, 0, -1, 1, 1), Code::inverted},
                                             {Cast::box({1, 0, 0, 1}, 1, 1), Code::inverted},
                                             {Cast::box({0, 0, 1, -1}, 1, infinite), Code::not_finite}};
    for (const Frame& frame : {engine_.frame(), Frame()})
        for (const auto& [cast, code] : illegal) {
            const Status refused{code, 0};
            EXPECT_EQ(frame.first_hit(cast).status, refused);
            EXPECT_EQ(frame.first_hit(cast).hit, CastHit{});
            EXPECT_EQ(frame.blocked(cast).status, refused);
            EXPECT_EQ(frame.for_each_hit(cast, [](const CastHit&) { ADD_FAILURE(); }), refused);
            EXPECT_EQ(frame.all_hits(cast, std::span<CastHit>()).status, refused);
            EXPECT_EQ(frame.with_static().first_hit(cast).status, refused);
            EXPECT_EQ(frame.with_static().blocked(cast).status, refused);
            EXPECT_EQ(frame.with_static().for_each_hit(cast, [](const CastHit&) { ADD_FAILURE(); }), refused);
            EXPECT_EQ(frame.with_static().all_hits(cast, std::span<CastHit>()).status, refused);

            const std::vector<Cast> casts{Cast::ray(0, 5, 16, 0), cast, cast};
            const Status second{code, 1};
            std::vector<CastHit> hits(3, agent(7, 7));
            std::vector<std::uint8_t> blocked(3, 9);
            CastHits all;
            EXPECT_EQ(frame.first_hits(casts, hits), second);
            EXPECT_EQ(hits, std::vector<CastHit>(3));
            EXPECT_EQ(frame.blocked(casts, blocked), second);
            EXPECT_EQ(blocked, std::vector<std::uint8_t>(3, 0));
            EXPECT_EQ(frame.all_hits(casts, all), second);
            EXPECT_TRUE(all.empty());
            EXPECT_EQ(frame.with_static().first_hits(casts, hits), second);
            EXPECT_EQ(frame.with_static().blocked(casts, blocked), second);
            EXPECT_EQ(frame.with_static().all_hits(casts, all), second);
            EXPECT_TRUE(all.empty());
        }
}

TEST_F(CastsOnFewBoxes, of_an_empty_batch_and_in_an_empty_frame_find_nothing) {
    CastHits all;
    EXPECT_EQ(engine_.frame().first_hits({}, {}), Status{});
    EXPECT_EQ(engine_.frame().blocked(std::span<const Cast>(), {}), Status{});
    EXPECT_EQ(engine_.frame().all_hits(std::span<const Cast>(), all), Status{});
    EXPECT_TRUE(all.empty());
    Engine empty = engine_with(Boxes());
    const std::vector<Cast> casts(300, Cast::ray(0, 5, 16, 0));
    for (const Frame& frame : {empty.frame(), Frame()}) {
        std::vector<CastHit> hits(casts.size(), agent(7, 7));
        std::vector<std::uint8_t> blocked(casts.size(), 9);
        EXPECT_EQ(frame.first_hits(casts, hits), Status{});
        EXPECT_EQ(hits, std::vector<CastHit>(casts.size()));
        EXPECT_EQ(frame.blocked(casts, blocked), Status{});
        EXPECT_EQ(blocked, std::vector<std::uint8_t>(casts.size(), 0));
        EXPECT_EQ(frame.all_hits(casts, all), Status{});
        EXPECT_EQ(all.size(), casts.size());
        EXPECT_TRUE(all.hits().empty());
        EXPECT_FALSE(frame.first_hit(casts[0]).hit.found());
        EXPECT_TRUE(all[casts.size()].empty()) << "a cast that was not in the batch";
    }
}

// --- Agents and walls together -----------------------------------------------------------------------------

TEST(CastsWithWalls, say_which_of_the_two_is_first) {
    const std::vector<Box> walls{{2, 0, 3, 3}, {8, 0, 9, 9}},
        agents{{0, 0, 1, 1}, {4, 4, 6, 6}, {8, 0, 9, 4}};
    const WithStatic both = engine_with_layer(StaticLayer(walls), agents).frame().with_static();
    const std::vector<Cast> casts{Cast::ray(1.5f, 2, 10, 0), Cast::ray(3, 5, 10, 0), Cast::ray(7, 1, 2, 0),
                                  Cast::ray(20, 20, 1, 1), Cast::ray(7, 1, 0.5f, 0)};
    const std::vector<CastHit> expected{element(0, 0.05f), agent(1, 0.1f), agent(2, 0.5f), CastHit{},
                                        CastHit{}};
    std::vector<CastHit> hits(casts.size());
    std::vector<std::uint8_t> blocked(casts.size());
    ASSERT_EQ(both.first_hits(casts, hits), Status{});
    ASSERT_EQ(both.blocked(casts, blocked), Status{});
    EXPECT_EQ(hits, expected) << "at the same time the agent is first";
    for (std::size_t i = 0; i < casts.size(); ++i) {
        EXPECT_EQ(both.first_hit(casts[i]).hit, expected[i]);
        EXPECT_EQ(both.blocked(casts[i]).found, expected[i].found());
        EXPECT_EQ(blocked[i] != 0, expected[i].found());
    }
    // The walls have ids of their own: agent 1 is left out, and wall 1 is not.
    EXPECT_EQ(both.first_hit(casts[1], {.self = 1}).hit, element(1, 0.5f));
    ASSERT_EQ(both.first_hits(casts, hits, Filter{.self = 1}), Status{});
    EXPECT_EQ(hits[1], element(1, 0.5f));
    ASSERT_EQ(both.blocked(casts, blocked, Filter{.self = 1}), Status{});
    EXPECT_EQ(blocked[1], 1);
}

TEST(CastsWithWalls, list_what_they_touch_at_the_same_time_agents_first_and_each_by_id) {
    const std::vector<Box> walls{{8, 0, 9, 9}, {2, 0, 3, 3}, {2, 0, 3, 3}, {4, 1, 5, 2}},
        agents{{6, 0, 7, 4}, {2, 0, 3, 4}, {8, 0, 9, 4}, {2, 1, 3, 2}};
    const WithStatic both = engine_with_layer(StaticLayer(walls), agents).frame().with_static();
    const Cast cast = Cast::ray(0, 1.5f, 16, 0);
    const std::vector<CastHit> expected{agent(1, 0.125f),   agent(3, 0.125f),  element(1, 0.125f),
                                        element(2, 0.125f), element(3, 0.25f), agent(0, 0.375f),
                                        agent(2, 0.5f),     element(0, 0.5f)};
    std::vector<CastHit> hits(expected.size());
    const Filled filled = both.all_hits(cast, hits);
    EXPECT_EQ(filled.status, Status{});
    EXPECT_EQ(filled.total, expected.size());
    EXPECT_EQ(hits, expected);
    // The walls have ids of their own: agent 3 is left out, and wall 3 is not.
    hits.clear();
    const auto visit = [&](const CastHit& hit) {
        hits.push_back(hit);
        return hits.size() < 4;
    };
    EXPECT_EQ(both.for_each_hit(cast, visit, {.self = 3}), Status{});
    EXPECT_EQ(hits, (std::vector{expected[0], expected[2], expected[3], expected[4]}));
    const std::vector<Cast> casts{Cast::ray(0, 8, 16, 0), cast, cast};
    CastHits all;
    EXPECT_EQ(both.all_hits(casts, all, Filter{.self = 3}), Status{});
    ASSERT_EQ(all.size(), 3u);
    ASSERT_EQ(all[0].size(), 1u);
    EXPECT_EQ(all[0][0], element(0, 0.5f));
    ASSERT_EQ(all[2].size(), expected.size() - 1);
    EXPECT_EQ(all[2][1], element(1, 0.125f));

    Engine without = engine_with(agents);
    EXPECT_EQ(without.frame().with_static().all_hits(cast, {}).total, agents.size());
    EXPECT_EQ(without.frame().with_static().all_hits(casts, all), Status{});
    EXPECT_EQ(all.hits().size(), 2 * agents.size());
    EXPECT_EQ(Frame().with_static().all_hits(casts, all), Status{});
    EXPECT_EQ(all.size(), casts.size());
    EXPECT_TRUE(all.hits().empty());
}

TEST(CastsWithWalls, find_what_brute_force_finds_in_both) {
    const Scene agents = make_scene("mixed_sizes", 800), walls = make_scene("giants_over_small", 600, 9);
    const std::vector<Cast> casts = casts_for(agents, scaled(3000, 600));
    oracle::BruteForce agent_twin, wall_twin;
    ASSERT_EQ(agent_twin.update(agents.boxes()), Status{});
    ASSERT_EQ(wall_twin.update(walls.boxes()), Status{});
    Engine engine = engine_with_layer(StaticLayer(walls.boxes()), agents.boxes());
    std::vector<Filter> filters(casts.size()), of_walls(casts.size());
    for (std::size_t i = 0; i < filters.size(); ++i) filters[i].self = static_cast<AgentId>(i);
    std::vector<CastHit> expected(casts.size()), in_walls(casts.size()), hits(casts.size());
    std::vector<std::uint8_t> blocked(casts.size());
    ASSERT_EQ(agent_twin.frame().first_hits(casts, expected, Filters::of(filters)), Status{});
    ASSERT_EQ(wall_twin.frame().first_hits(casts, in_walls, Filters::of(of_walls)), Status{});
    std::size_t of_each[2] = {};
    const WithStatic both = engine.frame().with_static();
    ASSERT_EQ(both.first_hits(casts, hits, Filters::of(filters)), Status{});
    ASSERT_EQ(both.blocked(casts, blocked, Filters::of(filters)), Status{});
    for (std::size_t i = 0; i < casts.size(); ++i) {
        if (in_walls[i].fraction < expected[i].fraction)
            expected[i] = element(in_walls[i].id, in_walls[i].fraction);
        ASSERT_EQ(hits[i], expected[i]) << i;
        ASSERT_EQ(blocked[i] != 0, expected[i].found()) << i;
        ASSERT_EQ(both.first_hit(casts[i], filters[i]).hit, expected[i]) << i;
        if (hits[i].found()) ++of_each[hits[i].is_static];
    }
    EXPECT_GT(of_each[0], casts.size() / 20);
    EXPECT_GT(of_each[1], casts.size() / 20);
}

// --- The definitions, against exact arithmetic -------------------------------------------------------------

// Of very many hits only those that a visitor or the host's memory takes are sorted.
TEST(HitsOfACast, come_in_their_order_however_many_there_are_and_however_few_are_wanted) {
    Random random(1);
    std::vector<Box> agents, walls;
    for (int i = 0; i < 3000; ++i) agents.push_back(Box::around(random.uniform(0, 20), 0, 1, 1));
    for (int i = 0; i < 3000; ++i) agents.push_back({5, -1, 6, 1});
    for (int i = 0; i < 500; ++i) walls.push_back(Box::around(random.uniform(0, 20), 0, 0.5f, 2));
    const Engine engine = engine_with_layer(StaticLayer(walls), agents);
    const std::vector<Cast> one{Cast::ray(-3, 0.5f, 30, 0.1f)};
    const Cast& cast = one[0];
    CastHits all;
    ASSERT_EQ(engine.frame().with_static().all_hits(one, all), Status{});
    const std::vector<CastHit> expected(all[0].begin(), all[0].end());
    ASSERT_EQ(expected.size(), agents.size() + walls.size());
    for (const std::size_t wanted :
         {std::size_t{1}, std::size_t{8}, std::size_t{64}, std::size_t{65}, std::size_t{1088},
          std::size_t{1089}, std::size_t{4000}, expected.size()}) {
        const std::vector<CastHit> first(expected.begin(),
                                         expected.begin() + static_cast<std::ptrdiff_t>(wanted));
        std::vector<CastHit> visited, with_boxes, some(wanted);
        const auto enough = [&](const CastHit& hit) {
            visited.push_back(hit);
            return visited.size() < wanted;
        };
        const auto its_box = [&](const CastHit& hit, const Box& box) {
            with_boxes.push_back(hit);
            EXPECT_EQ(box, (hit.is_static != 0 ? walls : agents)[hit.id]);
            return with_boxes.size() < wanted;
        };
        ASSERT_EQ(engine.frame().with_static().for_each_hit(cast, enough), Status{});
        ASSERT_EQ(engine.frame().with_static().for_each_hit(cast, its_box), Status{});
        const Filled filled = engine.frame().with_static().all_hits(cast, some);
        EXPECT_EQ(filled.total, expected.size());
        EXPECT_EQ(filled.written, wanted);
        EXPECT_EQ(visited, first);
        EXPECT_EQ(with_boxes, first);
        EXPECT_EQ(some, first);
    }
}

TEST(CircleCasts, touch_when_the_distance_is_the_radius) {
    Random random(5);
    std::size_t hits = 0;
    for (std::size_t i = 0; i < scaled(20000, 2000); ++i) {
        const Box box =
            Box::around(random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(), random.uniform());
        const Cast cast = Cast::circle(random.uniform(-9, 9), random.uniform(-9, 9), random.uniform(0.1f, 3),
                                       random.uniform(-20, 20), random.uniform(-20, 20));
        const auto distance = [&](double t) {
            const double x = double{cast.start.min_x} + t * double{cast.dx},
                         y = double{cast.start.min_y} + t * double{cast.dy};
            const double away_x = std::max({double{box.min_x} - x, x - double{box.max_x}, 0.0}),
                         away_y = std::max({double{box.min_y} - y, y - double{box.max_y}, 0.0});
            return std::sqrt(away_x * away_x + away_y * away_y);
        };
        const float t = oracle::time_of_touch(cast, box);
        double least = distance(0);
        for (int k = 1; k <= 1000; ++k) least = std::min(least, distance(k * 0.001));
        if (t > 1) {
            ASSERT_GT(least, double{cast.radius} - 1e-4) << i;
        } else if (t > 0) {
            ++hits;
            ASSERT_NEAR(distance(double{t}), double{cast.radius}, 1e-4) << i;
            for (int k = 0; k < 100; ++k)
                ASSERT_GT(distance(k * 0.01 * double{t}), double{cast.radius} - 1e-4) << i;
        } else {
            ASSERT_LT(distance(0), double{cast.radius} + 1e-4) << i;
        }
    }
    EXPECT_GT(hits, scaled(20000, 2000) / 20);
}

static_assert(!CastVisitor<int (*)(const CastHit&)> && !CastVisitor<void (*)(AgentId)>);

}  // namespace
}  // namespace throng::test
