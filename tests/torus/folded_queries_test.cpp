// Queries that are answered in parts, as they lie and by their images: what fails, what is found twice, and
// what they cost.
#include "support/test.hpp"
#include "support/twins.hpp"

namespace throng::test {
namespace {

// The casts as they lie are searched first, and then their images.
TEST(Torus, casts_that_fail_leave_no_hits) {
    std::vector<Box> boxes;
    std::vector<Cast> casts;
    for (int i = 0; i < 400; ++i) {
        const auto x = static_cast<float>(i % 20), y = static_cast<float>(i / 20);
        boxes.push_back(Box::around(x, y, 0.3f, 0.3f));
        casts.push_back(Cast::ray(x, y, 3, 2));
    }
    const Filters filters = Filters::each_without_itself();
    std::size_t failed = 0;
    bool fails = true;
    for (std::uint64_t from = 0; fails; ++from) {
        fails = false;
        for (const bool cancels : {true, false}) {
            CountingResource memory;
            CancellingHost host(from);
            Engine engine({.executor = serial_executor(), .memory = &memory, .period_x = 20, .period_y = 20});
            ASSERT_EQ(engine.update(boxes), Status{});
            const Frame frame = cancels ? engine.frame().on(host.on(serial_executor())) : engine.frame();
            std::vector<CastHit> hits(casts.size(), CastHit{7, 0.5f});
            CastHits all;
            if (!cancels) memory.fail_after(from);
            const Status first = frame.first_hits(casts, hits, filters),
                         every = frame.all_hits(casts, all, filters);
            EXPECT_TRUE(first || hits == std::vector<CastHit>(casts.size())) << from;
            EXPECT_TRUE(every || all.hits().empty()) << from;
            fails |= !first || !every;
            failed += !first;
        }
    }
    EXPECT_GT(failed, 5u);
}

// Most queries are searched in packets, and find a few agents. The last ones stand in a crowded corner: they
// are searched in the caller's order.
TEST(Torus, a_batch_in_random_order_lists_for_each_query_what_it_finds_alone) {
    constexpr float side = 100;
    constexpr std::size_t spread = 10'000, crowded = 1'000;
    Random random(3);
    std::vector<Box> boxes, queries;
    for (std::size_t i = 0; i < spread + crowded; ++i) {
        const float reach = i < spread ? side : 1;
        boxes.push_back(Box::around(random.uniform(0, reach), random.uniform(0, reach), 0.2f, 0.2f));
    }
    for (std::size_t i = 0; i < spread + 2 * crowded; ++i)
        queries.push_back(boxes[i < boxes.size() ? i : i - crowded].grown(1));
    for (const Executor& executor : {serial_executor(), default_executor()}) {
        Engine engine({.executor = executor, .period_x = side, .period_y = side});
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        OverlapLists lists;
        ASSERT_EQ(frame.overlaps(queries, lists), Status{});
        std::vector<AgentId> alone(boxes.size());
        for (std::size_t i = 0; i < queries.size(); ++i) {
            const Filled found = frame.overlaps(queries[i], alone);
            ASSERT_EQ(std::vector(lists[i].begin(), lists[i].end()),
                      std::vector(alone.begin(), alone.begin() + static_cast<std::ptrdiff_t>(found.written)))
                << i;
        }
    }
}

// Two agents on both sides of the seam at x = 0 for each row, as far from it, and the lower id on either
// side.
TEST(Torus, of_equals_on_both_sides_of_a_seam_the_lower_id_comes_first) {
    constexpr int rows = 200;
    constexpr auto side = static_cast<float>(4 * rows);
    std::vector<Box> boxes;
    std::vector<Cast> casts;
    std::vector<Point> points;
    for (int row = 0; row < rows; ++row) {
        const auto y = static_cast<float>(4 * row);
        for (int k = 0; k < 2; ++k) {
            const float x = (row + k) % 2 == 0 ? 0.5f : side - 0.5f;
            boxes.push_back(Box::around(x, y, 0.25f, 0.25f));
            const float before = k == 0 ? 1 : 0;  // hits on the way, and at the start
            casts.emplace_back(Box::around(0, y - before, 1, 0.25f), 0.0f, 1.5f);
            points.push_back({0, y});
        }
    }
    for (const Executor& executor : {serial_executor(), default_executor()}) {
        Engine engine({.executor = executor, .period_x = side, .period_y = side});
        ASSERT_EQ(engine.update(boxes), Status{});
        const Frame frame = engine.frame();
        std::vector<CastHit> hits(casts.size());
        NeighbourLists nearest;
        ASSERT_EQ(frame.first_hits(casts, hits), Status{});
        ASSERT_EQ(frame.neighbours(points, {.count = 1}, nearest), Status{});
        for (std::size_t i = 0; i < casts.size(); ++i) {
            const auto lower = static_cast<AgentId>(i / 2 * 2);
            EXPECT_EQ(hits[i].id, lower) << i;
            EXPECT_EQ(frame.first_hit(casts[i]).hit.id, lower) << i;
            EXPECT_EQ(nearest[i].size() == 1 ? nearest[i][0] : no_agent, lower) << i;
        }
    }
}

// Some of what is wrong with a cast is seen before it is folded, and some when its images are made.
TEST(Torus, of_two_wrong_casts_the_first_is_named) {
    Engine engine({.period_x = 100, .period_y = 100});
    const std::vector<Box> boxes(1000, Box{1, 1, 2, 2});
    ASSERT_EQ(engine.update(boxes), Status{});
    const Cast too_long = Cast::ray(1, 1, 1e30f, 0), negative = Cast::circle(50, 50, -1, 1, 1);
    for (const bool long_first : {true, false}) {
        std::vector<Cast> casts(500, Cast::ray(50, 50, 1, 1));
        casts[100] = long_first ? too_long : negative;
        casts[300] = long_first ? negative : too_long;
        std::vector<CastHit> hits(casts.size());
        EXPECT_EQ(engine.frame().first_hits(casts, hits).index, 100u) << long_first;
    }
}

// Each image of a query finds all agents there, and each agent comes once.
TEST(Torus, a_radius_whose_square_is_infinite_finds_each_agent_once) {
    const float period = 1e20f, radius = 0.47f * period;
    Twins twins({.period_x = period, .period_y = period});
    std::vector<Box> boxes;
    std::vector<Point> points;
    std::vector<Circle> circles;
    for (int i = 0; i < 50; ++i) {
        const float x = period * static_cast<float>(i % 7 + 1) / 9,
                    y = period * static_cast<float>(i / 7 + 1) / 9;
        points.push_back({x, y});
        boxes.push_back(Box::around(x, y, period * 1e-4f, period * 1e-4f));
        circles.push_back({x, y, radius});
    }
    ASSERT_EQ(twins.update(boxes), Code::ok);
    const Frame frame = twins.frame();
    NeighbourLists of_agents, of_points;
    OverlapLists overlaps;
    std::vector<std::uint32_t> counts(boxes.size());
    ASSERT_EQ(frame.neighbours({.radius = radius}, of_agents), Status{});
    ASSERT_EQ(frame.neighbours(points, {.radius = radius}, of_points), Status{});
    ASSERT_EQ(frame.overlaps(circles, overlaps), Status{});
    ASSERT_EQ(frame.count(circles, counts), Status{});
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        EXPECT_EQ(of_agents[i].size(), boxes.size() - 1);
        EXPECT_EQ(of_points[i].size(), boxes.size());
        EXPECT_EQ(overlaps[i].size(), boxes.size());
        EXPECT_EQ(counts[i], boxes.size());
        EXPECT_EQ(frame.count(circles[i]).total, boxes.size());
    }
}

// The square of the radius is too large for a float, so each image finds all agents.
TEST(Torus, a_thick_segment_that_finds_all_finds_each_agent_once) {
    constexpr float period = 1e20f, radius = 2e19f;
    const std::vector<Box> boxes{{0.1f * period, 0, 0.1f * period, 0}, {0.5f * period, 0, 0.5f * period, 0}};
    Engine engine({.period_x = period});
    ASSERT_EQ(engine.update(boxes), Status{});
    const Frame frame = engine.frame();
    std::vector<ThickSegment> segments;
    for (const float x : {0.05f, 0.5f, 0.95f}) segments.push_back({{x * period, 0}, {x * period, 1}, radius});
    OverlapLists lists;
    ASSERT_EQ(frame.overlaps(segments, lists), Status{});
    for (std::size_t i = 0; i < segments.size(); ++i) {
        EXPECT_EQ(lists[i].size(), boxes.size()) << i;
        EXPECT_EQ(frame.count(segments[i]).total, boxes.size()) << i;
    }
}

TEST(Torus, explain_has_the_costs_of_what_is_looked_up) {
    Engine engine({.period_x = 100, .period_y = 100});
    std::vector<Box> boxes;
    for (int i = 0; i < 10000; ++i)
        boxes.push_back(Box::around(static_cast<float>(i % 100), static_cast<float>(i / 100), 0.2f, 0.2f));
    ASSERT_EQ(engine.update(boxes), Status{});
    const Frame frame = engine.frame();
    const Explain inside = frame.explain(Box{20, 20, 40, 40}),
                  away = frame.explain(Box{1020, -80, 1040, -60});
    EXPECT_EQ(inside.hits, 441u);
    EXPECT_EQ(away.tested, inside.tested);
    EXPECT_EQ(away.covered, inside.covered);
    EXPECT_EQ(away.hits, inside.hits);
    for (const Box& box : {Box{90, 90, 110, 110}, Box{500, 500, 800, 800}}) {
        const Explain cost = frame.explain(box);
        EXPECT_EQ(cost.hits, frame.count(box).total);
        EXPECT_GE(cost.tested + cost.covered, cost.hits);
        EXPECT_EQ(cost.queries, 1u);
    }
    EXPECT_EQ(frame.explain(ThickSegment{{0, 0}, {2000, 10}, 1}).status, (Status{Code::too_large, 0}));
}

// Beside an agent as wide as the world each image finds the same agents, so queries are counted one by one.
TEST(Torus, boxes_of_doubles_are_counted_as_they_are_answered_beside_a_wide_agent) {
    Engine engine({.period_x = 100, .period_y = 100});
    std::vector<Box> agents{Box::around(50, 50, 60, 60)};
    for (int i = 0; i < 100; ++i) agents.push_back(Box::around(static_cast<float>(i), 50, 0.1f, 0.1f));
    ASSERT_EQ(engine.update(agents), Status{});
    const Frame frame = engine.frame();
    const std::vector<double> x{1e9 + 0.5, 3e9 + 99.5}, y{50, 50}, half{1, 1};
    const Boxes queries = Boxes::centre_half(x, y, half, half, Origin{});
    OverlapLists lists;
    std::vector<std::uint32_t> counts(2);
    ASSERT_EQ(frame.overlaps(queries, lists), Status{});
    ASSERT_EQ(frame.count(queries, counts), Status{});
    EXPECT_EQ(counts, (std::vector<std::uint32_t>{3, 3}));
    for (std::size_t i = 0; i < counts.size(); ++i) EXPECT_EQ(counts[i], lists[i].size()) << i;
    EXPECT_EQ(frame.explain(queries).hits, lists.ids().size());
}

TEST(Torus, an_agent_in_doubles_lies_where_it_lies_without_others) {
    const std::vector<double> x{-1e-9, 150}, y{50, 50}, half{0.3, 0.3};
    std::uint64_t alone = 0;
    for (const std::size_t count : {1u, 2u}) {
        Engine engine({.period_x = 100, .period_y = 100});
        const auto some = [&](const std::vector<double>& all) { return std::span(all).first(count); };
        ASSERT_EQ(engine.update(Boxes::centre_half(some(x), some(y), some(half), some(half), Origin{})),
                  Status{});
        EXPECT_EQ(engine.frame().box(0), Box::around(0, 50, 0.3f, 0.3f)) << count;
        if (count == 2) {
            ASSERT_EQ(committed(engine, engine.remove(1)), Status{});
        }
        alone = count == 1 ? engine.frame().agents_fingerprint() : alone;
        EXPECT_EQ(engine.frame().agents_fingerprint(), alone);
    }
}

}  // namespace
}  // namespace throng::test
