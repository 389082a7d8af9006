// Worst cases are bounded: a query costs about what its answer costs, with a crowd at one point or on a line,
// with one agent very far away, in villages far apart, in a crush, or with half of the agents giants.
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

struct Crowd {
    std::string name;
    std::vector<Box> agents;
};

std::vector<Crowd> awkward(std::size_t count) {
    std::vector<Crowd> all{{"one point", std::vector<Box>(count, Box{3, 3, 4, 4})},
                           {"on a line", make_scene("on_a_line", count).agents()},
                           {"on a column", make_scene("on_a_column", count).agents()},
                           {"a light year away", make_scene("a_light_year_away", count).agents()}};
    std::vector<Box> piles = make_scene("uniform", count).agents();
    std::fill_n(piles.begin(), count / 2, piles.front());
    all.push_back({"half of them at one point", std::move(piles)});
    return all;
}

TEST(WorstCase, of_a_query_costs_what_its_answer_costs) {
    const std::size_t count = scaled(20000, 3000);
    for (const Crowd& crowd : awkward(count)) {
        Engine engine = engine_with(crowd.agents);
        for (std::size_t i = 0; i < count; i += 97) {
            const Explain cost = engine.frame().explain(crowd.agents[i]);
            ASSERT_LE(cost.tested + cost.covered, 8 * cost.hits + 300) << crowd.name << ", agent " << i;
        }
    }
}

// Floats are a quarter apart there, and agents are as small as that.
TEST(WorstCase, of_a_circle_without_a_radius_is_that_of_its_point_however_far_out) {
    std::vector<Box> agents;
    for (int i = 0; i < 3600; ++i) {
        const float x = 3e6f + static_cast<float>(i % 60), y = -3e6f + static_cast<float>(i) / 60;
        agents.push_back({x, y, x + 0.25f, y + 0.25f});
    }
    const Frame frame = engine_with(agents).frame();
    for (const Box& box : agents) {
        const Point at{box.min_x, box.max_y};
        const Explain point = frame.explain(Box{at.x, at.y, at.x, at.y}),
                      circle = frame.explain(Circle{at.x, at.y, 0});
        ASSERT_GE(circle.hits, 1u);
        ASSERT_EQ(circle.hits, point.hits);
        ASSERT_EQ(circle.tested, point.tested);
    }
}

// For the own boxes of all agents together: one agent may well lie next to the most crowded place.
Explain cost_of_all(const std::vector<Box>& agents, Tuning& tuning) {
    Engine engine = engine_with(agents);
    tuning = engine.frame().tuning();
    return engine.frame().explain(Boxes::of(agents));
}

TEST(WorstCase, of_villages_costs_no_more_than_their_own_crowd) {
    for (const SceneRecipe& recipe : island_recipes()) {
        Tuning tuning;
        const Explain cost = cost_of_all(Scene(recipe, scaled(12000, 3000), 3).agents(), tuning);
        // Houses as large as the land between them reach over several cells of it.
        const bool houses = std::string_view(recipe.name) == "houses_by_distance";
        EXPECT_LE(cost.tested + cost.covered, 5 * cost.hits + (houses ? 240 : 45) * cost.queries)
            << recipe.name;
        EXPECT_LE(cost.rows, (houses ? 6 : 4) * cost.queries) << recipe.name;
        EXPECT_LE(4 * cost.islands, (houses ? 16 : 9) * cost.queries) << recipe.name;
        EXPECT_LE(cost.nodes, 40 * cost.queries) << recipe.name;
    }
}

TEST(WorstCase, of_a_crush_costs_what_its_answers_cost) {
    for (const char* name : {"crushed", "clustered", "two_worlds"}) {
        Tuning tuning;
        const Explain cost = cost_of_all(make_scene(name, scaled(20000, 3000)).agents(), tuning);
        EXPECT_LE(cost.tested + cost.covered, 6 * cost.hits + 20 * cost.queries) << name;
    }
}

// Even with many giants, no query looks at all of them.
TEST(WorstCase, of_half_the_agents_giants_costs_what_its_answers_cost) {
    const std::size_t count = scaled(12000, 3000);
    std::vector<Box> agents = make_scene("uniform", count).agents();
    Random random(5);
    const float side = 2 * std::sqrt(static_cast<float>(count));
    for (std::size_t i = 1; i < count; i += 2) {
        const float x = random.uniform(0, side), y = random.uniform(0, side), half = random.uniform(5, 15);
        agents[i] = Box::around(x, y, half, half);
    }
    Tuning tuning;
    const Explain cost = cost_of_all(agents, tuning);
    EXPECT_LE(cost.tested + cost.covered + 4 * cost.nodes, 4 * cost.hits + 120 * cost.queries);
}

// A query that holds everything tests nothing: islands and giants are taken whole.
TEST(WorstCase, of_the_whole_world_tests_only_agents_on_no_island) {
    const Scene scene = make_island_scene("villages_under_giants", scaled(12000, 3000));
    Engine engine = engine_with(scene.boxes());
    const std::uint64_t strays = strays_of(engine.frame());
    const Explain cost = engine.frame().explain({-1e9f, -1e9f, 1e9f, 1e9f});
    EXPECT_EQ(cost.hits, scene.agents().size());
    EXPECT_EQ(cost.islands, engine.frame().tuning().islands);
    EXPECT_GE(cost.covered, scene.agents().size() - strays);
    EXPECT_LE(cost.tested, strays);
}

}  // namespace
}  // namespace throng::test
