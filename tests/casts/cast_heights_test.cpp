// Casts with heights of their own: the definitions one by one, what is refused, and awkward numbers.
// `harness` compares them with brute force in all worlds.
#include "support/casts.hpp"
#include "support/filtered_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float endless = std::numeric_limits<float>::infinity(), largest = std::numeric_limits<float>::max(),
                no_height = std::numeric_limits<float>::quiet_NaN();

// A wall and a player behind it.
class OverAWall : public ::testing::Test {
protected:
    OverAWall() {
        const std::vector<Box> boxes{{4, 4, 5, 6}, {8, 4, 9, 6}};
        const std::vector<Band> heights{{0, 1}, {0, 2}};
        EXPECT_EQ(engine_.update(boxes, {.heights = heights}), Status{});
    }
    CastHit first(const Cast& cast, const Filter& filter = {}) const {
        const FirstHit found = engine_.frame().first_hit(cast, filter);
        EXPECT_EQ(found.status, Status{});
        EXPECT_EQ(engine_.frame().blocked(cast, filter).found, found.hit.found());
        return found.hit;
    }
    static CastHit hit(AgentId id, float t) { return {id, t, 0}; }

    Engine engine_;
};

TEST_F(OverAWall, a_line_of_sight_passes_where_it_is_above_the_wall) {
    const Cast sight = Cast::ray(0, 5, 8, 0);
    EXPECT_EQ(first(sight), hit(0, 0.5f)) << "a cast without heights has all of them";
    EXPECT_EQ(first(sight.sloped(2, 2)), hit(1, 1));
    EXPECT_EQ(first(sight.sloped(2.5f, 2.5f)), CastHit{});
    EXPECT_EQ(first(sight.sloped(3, 0)), hit(1, 1)) << "1.125 above the wall's far side";
    EXPECT_EQ(first(sight.sloped(2, 0)), hit(0, 0.5f)) << "1 above the wall's near side: it is touched";
    EXPECT_EQ(first(sight.sloped(2.25f, 0)), hit(0, 0.5555556f)) << "it comes down upon the wall";
    EXPECT_EQ(first(sight.sloped(-1, 0.5f)), hit(1, 1)) << "below the wall, and up";
    EXPECT_EQ(first(sight.sloped(-3, 0.5f)), hit(1, 1));
    EXPECT_EQ(first(sight.sloped(-3, -0.5f)), CastHit{});
}

TEST_F(OverAWall, a_box_has_all_the_heights_between_its_feet_and_its_head) {
    const Cast box = Cast::box({0, 4, 1, 6}, 8, 0);
    EXPECT_EQ(first(box.at_heights({1, 3})), hit(0, 0.375f)) << "bands are closed";
    EXPECT_EQ(first(box.at_heights({1.5f, 3})), hit(1, 0.875f));
    EXPECT_EQ(first(box.at_heights({-4, 0})), hit(0, 0.375f));
    EXPECT_EQ(first(box.at_heights({-4, -1}, 2)), hit(0, 0.5f)) << "it rises into it";
    EXPECT_EQ(first(box.at_heights({1.5f, 3}, 4)), CastHit{}) << "it is above by then";
    EXPECT_EQ(first(Cast::box({4, 4, 5, 6}, 0, 0).at_heights({3, 4}, -8)), hit(0, 0.25f)) << "it falls";
}

TEST_F(OverAWall, a_circle_is_a_cylinder_that_rises) {
    const Cast circle = Cast::circle(0, 5, 1, 8, 0);
    EXPECT_EQ(first(circle), hit(0, 0.375f));
    EXPECT_EQ(first(circle.at_heights({1.5f, 2})), hit(1, 0.875f));
    EXPECT_EQ(first(circle.at_heights({1.5f, 2}, -1)), hit(0, 0.5f));
    EXPECT_EQ(first(circle.at_heights({1.75f, 2}, -1)), hit(0, 0.75f)) << "as it leaves the wall";
    EXPECT_EQ(first(circle.at_heights({1.8125f, 2}, -1)), hit(1, 0.875f)) << "it left the wall";
    EXPECT_EQ(first(Cast::circle(4, 5, 1, 0, 0).at_heights({3, 4}, -4)), hit(0, 0.5f)) << "on the spot";
}

TEST_F(OverAWall, a_filter_has_to_admit_an_agent_as_well) {
    const Cast sight = Cast::ray(0, 5, 8, 0).sloped(0.5f, 0.5f);
    EXPECT_EQ(first(sight, {.heights = {1.5f, 9}}), hit(1, 1)) << "which the sight does not reach";
    EXPECT_EQ(first(sight, {.heights = {3, 9}}), CastHit{});
    EXPECT_EQ(first(sight, {.self = 0}), hit(1, 1));
}

TEST_F(OverAWall, walls_of_the_static_layer_have_heights_too) {
    const std::vector<Box> walls{{2, 4, 3, 6}}, players{{8, 4, 9, 6}};
    const std::vector<Band> low{{0, 1.5f}}, tall{{0, 2}};
    ASSERT_EQ(engine_.set_static_layer(StaticLayer(walls, {.heights = low})), Status{});
    ASSERT_EQ(engine_.update(players, {.heights = tall}), Status{});
    const Frame frame = engine_.frame();
    const Cast sight = Cast::ray(0, 5, 8, 0);
    EXPECT_EQ(frame.with_static().first_hit(sight.sloped(1.5f, 1.5f)).hit, (CastHit{0, 0.25f, 1}));
    EXPECT_EQ(frame.with_static().first_hit(sight.sloped(1.75f, 1.75f)).hit, hit(0, 1));
    EXPECT_TRUE(frame.with_static().blocked(sight.sloped(2, 0)).found);
    EXPECT_FALSE(frame.with_static().blocked(sight.sloped(3, 2.5f)).found);
}

TEST_F(OverAWall, heights_that_are_illegal_are_refused_by_every_call) {
    const auto expect = [&](const Cast& cast, Code code) {
        const Frame frame = engine_.frame();
        CastHits hits;
        EXPECT_EQ(frame.first_hit(cast).status, (Status{code, 0}));
        EXPECT_EQ(frame.blocked(cast).status, (Status{code, 0}));
        EXPECT_EQ(frame.for_each_hit(cast, [](const CastHit&) {}), (Status{code, 0}));
        EXPECT_EQ(Frame().first_hit(cast).status, (Status{code, 0}));
        for (const std::size_t count : {std::size_t{3}, std::size_t{700}}) {
            std::vector<Cast> many(count, Cast::ray(0, 0, 1, 1));
            many[count - 2] = cast;
            std::vector<CastHit> first(count);
            const Status named{code, count - 2, Argument::boxes};
            EXPECT_EQ(frame.first_hits(many, first), named);
            EXPECT_EQ(frame.all_hits(many, hits), named);
        }
        EXPECT_EQ(oracle::check(cast), code);
    };
    const Cast ray = Cast::ray(0, 5, 8, 0);
    expect(ray.at_heights({no_height, 1}), Code::not_finite);
    expect(ray.at_heights({0, no_height}), Code::not_finite);
    expect(ray.at_heights({}, no_height), Code::not_finite);
    expect(ray.at_heights({}, endless), Code::not_finite);
    expect(ray.at_heights({1, 0}), Code::inverted);
    expect(ray.sloped(0, endless), Code::not_finite);
    EXPECT_EQ(first(ray.at_heights({-endless, endless}, largest)), hit(0, 0.5f));
}

TEST_F(OverAWall, views_have_heights_and_rises_of_each) {
    const Frame frame = engine_.frame();
    std::vector<CastHit> hits(3);
    const std::vector<Point> eyes(3, Point{0, 5}), players(3, Point{8, 5});
    const std::vector<float> eye_heights{2, 2.25f, 3};
    const std::vector<CastHit> expected{hit(0, 0.5f), hit(0, 0.5555556f), hit(1, 1)};
    ASSERT_EQ(frame.first_hits(Casts::segments(eyes, players).sloped(eye_heights, 0), hits), Status{});
    EXPECT_EQ(hits, expected);
    const std::vector<Cast> casts(3, Cast::ray(0, 5, 8, 0).at_heights({7, 9}));
    ASSERT_EQ(frame.first_hits(Casts(casts).sloped(eye_heights, 0), hits), Status{});
    EXPECT_EQ(hits, expected) << "instead of their own";
    // Velocities of climbing count for the duration, as the others do.
    const std::vector<float> climbs{1, -1, 0};
    const std::vector<Point> velocities(3, Point{4, 0});
    const Casts climbing = Casts::circles(eyes, 1, velocities, 2).at_heights(1.5f, 2, climbs);
    EXPECT_EQ(climbing[0], Cast::circle(0, 5, 1, 8, 0).at_heights({1.5f, 2}, 2));
    EXPECT_EQ(climbing.part(1, 2)[0], Cast::circle(0, 5, 1, 8, 0).at_heights({1.5f, 2}, -2));
    const float rows[] = {0, 5, 0, 5, 8, 0, 0, 0, 5, 0, 5, 8, 0, 1};
    EXPECT_EQ(Casts::rows(rows, 2)[0], Cast::ray(0, 5, 8, 0));
    EXPECT_EQ(Casts::rows(rows, 2).part(1, 1)[0], Cast::circle(0, 5, 1, 8, 0));
    EXPECT_EQ(frame.first_hits(Casts::rows(rows, 2, 4), hits), (Status{Code::bad_stride, Argument::boxes}));
    const std::vector<float> two(2);
    EXPECT_EQ(frame.first_hits(Casts::segments(eyes, players).sloped(two, 0), hits),
              (Status{Code::size_mismatch, Argument::heights}));
    EXPECT_EQ(frame.first_hits(climbing.at_heights(0, 1, Floats::arrays(nullptr, 3)), hits),
              (Status{Code::null_view, Argument::heights}));
}

// Where agents have no heights, those of a cast change nothing.
TEST(CastHeights, change_nothing_in_a_world_without_heights) {
    const Scene scene = make_scene("mixed_sizes", 800);
    const Engine engine = engine_with(scene.boxes());
    const std::vector<Cast> flat = casts_for(scene, 400), at_heights = at_some_heights(flat);
    std::vector<CastHit> hits(flat.size()), others(flat.size());
    ASSERT_EQ(engine.frame().first_hits(flat, hits), Status{});
    ASSERT_EQ(engine.frame().first_hits(at_heights, others), Status{});
    EXPECT_EQ(hits, others);
}

// Every float is an edge, infinite ones too, on agents and on casts.
TEST(CastHeights, of_any_float_are_what_brute_force_says) {
    constexpr float edges[] = {-endless, -largest, -1, -1e-40f, 0, 1, 3e38f, largest, endless};
    constexpr float rises[] = {0, 1e-40f, 1.2e-38f, -1e-30f, 0.5f, -2, 1e30f, -largest, largest};
    std::vector<Band> bands;
    for (const float low : edges)
        for (const float high : edges)
            if (low <= high) bands.push_back({low, high});
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < bands.size(); ++i)
        boxes.push_back({static_cast<float>(i % 8), static_cast<float>(i / 8),
                         static_cast<float>(i % 8) + 0.5f, static_cast<float>(i / 8) + 0.5f});
    Engine engine;
    oracle::BruteForce twin;
    ASSERT_EQ(engine.update(boxes, {.heights = bands}), Status{});
    ASSERT_EQ(twin.update(boxes, {.heights = bands}), Status{});
    std::vector<Cast> casts;
    for (const Band& band : bands)
        for (const float rise : rises)
            for (const Cast& cast : {Cast::ray(-1, -1, 9, 8), Cast::box({3, 3, 4, 4}, 0, 0),
                                     Cast::circle(9, 0, 0.5f, -9, 6), Cast::circle(3, 3, 1, 0, 0)})
                casts.push_back(cast.at_heights(band, rise));
    CastHits hits;
    std::vector<std::vector<CastHit>> expected;
    ASSERT_EQ(engine.frame().all_hits(casts, hits), Status{});
    ASSERT_EQ(twin.frame().all_hits(casts, expected), Status{});
    std::vector<CastHit> first(casts.size());
    ASSERT_EQ(engine.frame().first_hits(casts, first), Status{});
    for (std::size_t i = 0; i < casts.size(); ++i) {
        ASSERT_TRUE(std::equal(hits[i].begin(), hits[i].end(), expected[i].begin(), expected[i].end()))
            << ::testing::PrintToString(casts[i]);
        ASSERT_EQ(first[i], expected[i].empty() ? CastHit{} : expected[i][0]);
    }
}

// Some bands have a height of all agents on a storey, and others only of the tall ones. Many casts are
// sorted, so that those on a storey follow each other; few stay in their order.
TEST(CastHeights, of_a_batch_on_storeys_are_those_of_each_cast) {
    constexpr std::size_t storeys = 6, agents = 9000, casts_of_each = 70;
    const auto place = [](std::size_t i, std::size_t step) {
        return static_cast<float>(i * step % 6007) * 0.01f;
    };
    std::vector<Box> boxes;
    std::vector<Band> heights;
    for (std::size_t i = 0; i < agents; ++i) {
        const float floor = 3 * static_cast<float>(i % storeys);
        boxes.push_back(Box::around(place(i, 7919), place(i, 104729), 0.3f, 0.3f));
        heights.push_back({floor, floor + (i % 5 < 2 ? 0.9f : 1.8f)});
    }
    Engine engine;
    ASSERT_EQ(engine.update(boxes, {.heights = heights}), Status{});
    const Frame frame = engine.frame();
    for (const Band& band : {Band{0.2f, 0.5f}, Band{1.2f, 1.5f}}) {
        std::vector<Cast> casts;
        std::vector<Filter> filters;
        for (std::size_t i = 0; i < storeys * casts_of_each; ++i) {
            const float floor = 3 * static_cast<float>(i % storeys);
            const float x = place(i, 311), y = place(i, 577), dx = place(i, 97) - 30, dy = place(i, 43) - 20;
            casts.push_back(i % 7 == 0 ? Cast::circle(x, y, 0.5f, dx, dy) : Cast::ray(x, y, dx, dy));
            filters.push_back({.heights = {floor + band.min_z, floor + band.max_z}});
        }
        for (const std::size_t count : {casts.size(), std::size_t{100}}) {
            const std::span some(casts.data(), count);
            const std::span their_filters(filters.data(), count);
            std::vector<CastHit> hits(count);
            std::vector<std::uint8_t> blocked(count);
            ASSERT_EQ(frame.first_hits(some, hits, their_filters), Status{});
            ASSERT_EQ(frame.blocked(some, blocked, their_filters), Status{});
            for (std::size_t i = 0; i < count; ++i) {
                ASSERT_EQ(hits[i], frame.first_hit(some[i], filters[i]).hit);
                ASSERT_EQ(blocked[i] != 0, hits[i].found());
                ASSERT_EQ(frame.first_hit(some[i].at_heights(filters[i].heights, 0)).hit, hits[i]);
            }
        }
    }
}

// A pile has one box, but its agents may be at different heights.
TEST(CastHeights, of_a_pile_are_each_agents_own) {
    constexpr std::size_t count = 5000;
    const std::vector<Box> boxes(count, Box{4, 4, 6, 6});
    std::vector<Band> heights;
    for (std::size_t i = 0; i < count; ++i) {
        const auto floor = static_cast<float>((i * 7919) % count);
        heights.push_back({floor, floor + 0.5f});
    }
    Engine engine;
    ASSERT_EQ(engine.update(boxes, {.heights = heights}), Status{});
    for (const float z : {0.25f, 3000.25f, 4999.5f}) {
        const auto id = static_cast<AgentId>(
            std::find(heights.begin(), heights.end(), Band{std::floor(z), std::floor(z) + 0.5f}) -
            heights.begin());
        EXPECT_EQ(engine.frame().first_hit(Cast::ray(0, 5, 8, 0).sloped(z, z)).hit, (CastHit{id, 0.5f, 0}));
    }
    const std::vector<Cast> many(100, Cast::ray(0, 5, 8, 0).sloped(2000, 1000));
    std::vector<CastHit> hits(many.size());
    ASSERT_EQ(engine.frame().first_hits(many, hits), Status{});
    for (const CastHit& hit : hits) EXPECT_EQ(heights[hit.id], (Band{1500, 1500.5f}));
}

}  // namespace
}  // namespace throng::test
