// What a cast looks at, in counted steps: the rows that it crosses and the agents near its line, up to the
// first hit, in the worst worlds. The kernels' search is compiled here for the lowest instruction set.
#include "simd/isa/lowest.hpp"

#include "simd/kernels/casts/cast_search.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::simd {
namespace {

using Vocabulary = Lowest;

struct Steps {
    std::size_t rows = 0, columns = 0, agents = 0, islands = 0, nodes = 0;
};

template <class Taker>
struct Counting : Taker {
    Steps steps;
    void sees_row(const Row&, std::uint32_t columns) { ++steps.rows, steps.columns += columns; }
    void sees_agents(std::uint32_t count) { steps.agents += count; }
    void sees_island() { ++steps.islands; }
    void sees_tiles(std::uint64_t) {}
    void sees_chunks(std::uint64_t) {}
    void sees_node() { ++steps.nodes; }
};

static_assert(CastObserver<Counting<FirstTaker>>, "else nothing is counted");

template <class Taker = FirstTaker>
Counting<Taker> look(const Frame& frame, const Cast& cast) {
    Counting<Taker> taker{};
    const CastQuery query{{cast.start.min_x, cast.start.min_y, cast.start.max_x, cast.start.max_y},
                          cast.dx,
                          cast.dy,
                          cast.radius};
    (void)CastSearch<Vocabulary, Counting<Taker>>(query, nullptr, {}, taker)
        .search_world(test::state_behind(frame).view);
    return taker;
}

// A crowd of small boxes in a square, as many in an area of four as `crowding` says.
Engine crowd(std::size_t count, float crowding = 1) {
    test::Random random(3);
    const float side = 2 * std::sqrt(static_cast<float>(count) / crowding);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i)
        boxes.push_back(Box::around(random.uniform(0, side), random.uniform(0, side), 0.4f, 0.4f));
    Engine engine = test::engine_with(boxes);
    return engine;
}

// Takes nothing for a hit, so the whole line is looked at.
struct Missed {
    static constexpr bool in_order = true, wants_first = false;
    float limit() const { return 1.0f; }
    bool take(std::uint32_t, float) { return true; }
};

TEST(CastSteps, are_the_rows_crossed_and_the_agents_near_the_line) {
    const Engine engine = crowd(test::scaled(1'000'000, 50'000));
    const Tuning tuning = engine.frame().tuning();
    const float side = 2 * std::sqrt(static_cast<float>(engine.frame().size()));
    const Cast along[] = {Cast::ray(0, side / 2, side, 0), Cast::ray(side / 2, side, 0, -side),
                          Cast::ray(0, 0, side, side), Cast::ray(side, side / 3, -side, side / 9)};
    for (const Cast& cast : along) {
        const Steps steps = look<Missed>(engine.frame(), cast).steps;
        EXPECT_LE(steps.rows, tuning.rows + 2u) << ::testing::PrintToString(cast);
        // A row's run is the columns crossed in it, and what reaches into them.
        EXPECT_LE(steps.columns, 10 * tuning.rows + 3 * tuning.columns) << ::testing::PrintToString(cast);
        EXPECT_LT(steps.agents, engine.frame().size() / 10) << ::testing::PrintToString(cast);
    }
}

TEST(CastSteps, end_behind_the_first_hit) {
    const Engine engine = crowd(test::scaled(1'000'000, 50'000));
    const float side = 2 * std::sqrt(static_cast<float>(engine.frame().size()));
    test::Random random(4);
    Steps all;
    constexpr std::size_t casts = 400;
    for (std::size_t i = 0; i < casts; ++i) {
        // Through the whole crowd, of which only the first few boxes matter.
        const float x = random.uniform(0, side), y = random.uniform(0, side);
        const auto found =
            look(engine.frame(), Cast::ray(x, y, random.uniform(-side, side), random.uniform(-side, side)));
        all.rows += found.steps.rows;
        all.agents += found.steps.agents;
    }
    EXPECT_LT(all.rows, 12 * casts);
    EXPECT_LT(all.agents, 400 * casts);
}

TEST(CastSteps, of_a_cast_to_the_end_of_the_floats_are_no_more) {
    const Engine engine = crowd(20'000, 0.01f);
    const float side = 2 * std::sqrt(20'000 / 0.01f);
    for (const float far_away : {1e6f, 1e30f, 3e38f})
        for (const Cast& cast :
             {Cast::ray(0, side / 2, far_away, 0), Cast::ray(side / 2, 0, 0, far_away),
              Cast::ray(0, 0, far_away, far_away), Cast::ray(side, side, -far_away, -far_away / 2)}) {
            const Steps steps = look<Missed>(engine.frame(), cast).steps;
            EXPECT_LE(steps.rows, engine.frame().tuning().rows + 2u) << ::testing::PrintToString(cast);
            EXPECT_LT(steps.agents, 4'000u) << ::testing::PrintToString(cast);
        }
}

// One row, in which agents are sorted by column: a hit cuts off what lies behind it.
TEST(CastSteps, along_a_crowded_row_end_behind_the_first_hit) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < 50'000; ++i)
        boxes.push_back(Box::around(static_cast<float>(i), 0, 0.4f, 0.4f));
    Engine engine = test::engine_with(boxes);
    for (const Cast& cast : {Cast::ray(-5, 0, 1e6f, 0), Cast::ray(60'000, 0.1f, -70'000, 0),
                             Cast::ray(25'000.5f, 0, 1e30f, 0)}) {
        const auto found = look(engine.frame(), cast);
        ASSERT_NE(found.id, no_id);
        EXPECT_LT(found.steps.agents, 300u) << ::testing::PrintToString(cast);
    }
}

TEST(CastSteps, skip_islands_beside_the_line_and_behind_the_first_hit) {
    const test::Scene scene = test::make_island_scene("villages", test::enough_for_islands);
    Engine engine = test::engine_with(scene.boxes());
    const std::size_t islands = engine.frame().tuning().islands;
    ASSERT_GT(islands, 3u);
    const Box& first = scene.agents().front();
    EXPECT_LE(look(engine.frame(), Cast::ray(first.min_x, first.min_y, 1e4f, 0)).steps.islands,
              islands / 2 + 1);
    EXPECT_LE(look(engine.frame(), Cast::ray(1e9f, 1e9f, 1e9f, 1e9f)).steps.agents, 64u);
}

TEST(CastSteps, skip_subtrees_of_giants_beside_the_line_and_behind_the_first_hit) {
    test::Random random(6);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < 20'000; ++i)
        boxes.push_back(Box::around(random.uniform(0, 1000), random.uniform(0, 1000), 0.4f, 0.4f));
    for (std::size_t i = 0; i < 4'000; ++i)
        boxes.push_back(Box::around(random.uniform(0, 100'000), random.uniform(0, 100'000), 200, 200));
    Engine engine = test::engine_with(boxes, {.common_size = 2});
    ASSERT_GE(engine.frame().tuning().oversized, 4'000u);
    const std::size_t nodes = look<Missed>(engine.frame(), Cast::ray(-1e6f, -1e6f, 3e6f, 3e6f)).steps.nodes;
    EXPECT_LT(nodes, 1'000u) << "along the diagonal";
    EXPECT_LT(look<Missed>(engine.frame(), Cast::ray(0, 5e4f, 1e5f, 0)).steps.agents, 2'500u);
}

// Agents at one place, some others in their cell, and a crowd around them.
Engine pile(std::size_t count, bool alone) {
    test::Random random(7);
    std::vector<Box> boxes(count, Box{50, 50, 51, 51});
    for (std::size_t i = 0; !alone && i < 10'000; ++i)
        boxes.push_back(Box::around(random.uniform(0, 200), random.uniform(0, 200), 0.4f, 0.4f));
    for (std::size_t i = 0; !alone && i < 4; ++i)
        boxes.insert(boxes.begin() + static_cast<std::ptrdiff_t>(random.below(count)),
                     Box{50, 50, random.uniform(50.1f, 50.9f), 50.9f});
    return test::engine_with(boxes);
}

// Beside these steps, the first of a frame looks for its piles once.
TEST(CastSteps, into_a_pile_do_not_grow_with_it) {
    for (const bool alone : {true, false}) {
        const Engine small = pile(50, alone);
        for (const std::size_t count : {600u, 1'000u, 2'000u, 3'000u, 100'000u}) {
            const Engine large = pile(count, alone);
            for (const Cast& cast :
                 {Cast::ray(49, 49, 3, 3), Cast::ray(52, 51, -3, -1), Cast::ray(50.5f, 60, 0, -20),
                  Cast::box({52, 50, 53, 51}, -5, 0.1f), Cast::circle(50.5f, 50.5f, 0.1f, 1, 1),
                  Cast::circle(52, 52, 0.2f, -4, -4)}) {
                const auto few = look(small.frame(), cast), many = look(large.frame(), cast);
                EXPECT_EQ(few.t, many.t);
                EXPECT_EQ(few.id == no_id, many.id == no_id);
                EXPECT_GT(few.steps.agents, 0u);
                EXPECT_LE(many.steps.agents, few.steps.agents + 500)
                    << ::testing::PrintToString(cast) << ", " << count << " agents";
            }
        }
    }
}

// The first look shows that all are missed.
TEST(CastSteps, past_a_pile_do_not_grow_with_it) {
    const Cast past = Cast::ray(40, 51.5f, 20, 0.1f);
    for (const std::size_t count : {600u, 2'000u, 100'000u}) {
        const Engine large = pile(count, true);
        const auto many = look(large.frame(), past);
        EXPECT_EQ(many.id, no_id);
        EXPECT_LE(many.steps.agents, 300u) << count << " agents";
    }
}

}  // namespace
}  // namespace throng::simd
