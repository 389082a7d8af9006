// What `explain` tells has to add up, and to show that queries cost what their answers cost.
#include "support/test.hpp"

namespace throng {
namespace {

using test::frame_of;
using test::make_scene;
using test::Scene;

constexpr Box whole_world{-1e6f, -1e6f, 1e6f, 1e6f};

TEST(Explain, counts_the_hits_that_the_query_has) {
    for (const char* name : {"uniform", "lattice", "giants_over_small", "huge_numbers"}) {
        const Scene scene = make_scene(name, 1000);
        const Frame frame = frame_of(scene);
        for (const Box& query : scene.queries(300)) {
            const Explain explain = frame.explain(query);
            ASSERT_EQ(explain.status, Status{});
            EXPECT_EQ(explain.queries, 1u);
            EXPECT_EQ(explain.hits, frame.count(query).total) << name;
            EXPECT_LE(explain.hits, explain.tested + explain.covered) << name;
            EXPECT_LE(explain.covered, explain.hits) << name;
            EXPECT_LE(explain.oversized, explain.tested) << name;
        }
    }
}

TEST(Explain, of_a_batch_is_the_sum_of_its_queries) {
    const Scene scene = make_scene("mixed_sizes", 1000);
    const Frame frame = frame_of(scene);
    const std::vector<Box> queries = scene.queries(100);
    Explain sum;
    for (const Box& query : queries) {
        const Explain one = frame.explain(query);
        sum.rows += one.rows;
        sum.cells += one.cells;
        sum.tested += one.tested;
        sum.covered += one.covered;
        sum.oversized += one.oversized;
        sum.hits += one.hits;
    }
    const Explain batch = frame.explain(Boxes::of(queries));
    EXPECT_EQ(batch.status, Status{});
    EXPECT_EQ(batch.queries, queries.size());
    EXPECT_EQ(batch.rows, sum.rows);
    EXPECT_EQ(batch.cells, sum.cells);
    EXPECT_EQ(batch.tested, sum.tested);
    EXPECT_EQ(batch.covered, sum.covered);
    EXPECT_EQ(batch.oversized, sum.oversized);
    EXPECT_EQ(batch.hits, sum.hits);
}

TEST(Explain, finds_most_of_a_large_query_covered) {
    const Explain explain = frame_of(make_scene("uniform", 20000)).explain({40, 40, 240, 240});
    EXPECT_GT(explain.hits, 5000u);
    EXPECT_GT(explain.covered, explain.hits / 2);
    EXPECT_LT(explain.tested, explain.hits / 2);
}

TEST(Explain, looks_at_few_agents_for_a_small_query) {
    const Explain explain = frame_of(make_scene("uniform", 20000)).explain(Box::around(100, 100, 0.5f, 0.5f));
    EXPECT_LT(explain.tested, 200u);
}

TEST(Explain, counts_oversized_agents_apart) {
    Engine engine;
    std::vector<Box> agents = make_scene("uniform", 5000).agents();
    agents.push_back({-100, -100, 300, 300});
    ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.frame().tuning().oversized, 1u);
    EXPECT_EQ(engine.frame().explain(Box::around(10, 10, 1, 1)).oversized, 1u);
}

TEST(Explain, refuses_what_the_query_would_refuse) {
    const Frame frame = frame_of(make_scene("uniform", 10));
    EXPECT_EQ(frame.explain(Box{1, 0, 0, 1}).status.code, Code::inverted);
    EXPECT_EQ(frame.explain(Box{0, 0, HUGE_VALF, 1}).status.code, Code::not_finite);
    const std::vector<Box> queries{whole_world, whole_world, {0, 1, 1, 0}};
    EXPECT_EQ(frame.explain(Boxes::of(queries)).status, (Status{Code::inverted, 2}));
}

}  // namespace
}  // namespace throng
