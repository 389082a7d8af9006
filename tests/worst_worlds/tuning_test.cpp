// Which grid the engine chooses, and when it chooses again. The grid stays while agents stay about where they
// are, and another is chosen when there are twice as many, or half.
#include "support/engine_inside.hpp"
#include "support/test.hpp"
#include "support/tuning_of.hpp"

namespace throng::test {
namespace {

// The first choice looks at more agents than a later one.
void expect_nearly_the_same_choice(const Tuning& a, const Tuning& b) {
    EXPECT_NEAR(a.cell_width / b.cell_width, 1, 0.05);
    EXPECT_NEAR(a.row_height / b.row_height, 1, 0.05);
    EXPECT_NEAR(a.common_width / b.common_width, 1, 0.05);
    EXPECT_NEAR(a.common_height / b.common_height, 1, 0.05);
    EXPECT_EQ(a.oversized, b.oversized);
    EXPECT_EQ(a.reason, b.reason);
}

float median(std::vector<float> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

// Moves every agent a little from its place, by a share of the middle size.
std::vector<Box> jiggled(const std::vector<Box>& agents, Random& random) {
    static constexpr float largest = std::numeric_limits<float>::max();
    const auto clamp = [](float value) { return std::clamp(value, -largest, largest); };
    std::vector<float> widths, heights;
    for (const Box& box : agents) {
        widths.push_back(std::min(box.max_x - box.min_x, largest));
        heights.push_back(std::min(box.max_y - box.min_y, largest));
    }
    const float step_x = median(widths) * 0.1f, step_y = median(heights) * 0.1f;
    std::vector<Box> boxes = agents;
    for (Box& box : boxes) {
        const float x = random.uniform(-step_x, step_x), y = random.uniform(-step_y, step_y);
        box = {clamp(box.min_x + x), clamp(box.min_y + y), clamp(box.max_x + x), clamp(box.max_y + y)};
    }
    return boxes;
}

class TuningOf : public ::testing::TestWithParam<SceneRecipe> {};

// The first review looks less closely than the first choice did, and may correct it once. So may a frame that
// turned out expensive.
TEST_P(TuningOf, agents_that_jiggle_stays_as_it_is) {
    const Scene scene(GetParam(), 3000, 3);
    Engine engine = engine_with(scene.boxes(), scene.configure());
    const std::uint32_t islands = engine.frame().tuning().islands;
    Random random(7);
    Tuning settled;
    for (int frame = 1; frame <= 200; ++frame) {
        const std::vector<Box> boxes = jiggled(scene.agents(), random);
        ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
        if (frame == 40) settled = engine.frame().tuning();
        if (engine.frame().tuning().times_chosen > 1) continue;
        ASSERT_EQ(engine.frame().tuning().islands, islands) << "frame " << frame;
    }
    // Where no plan helps one is tried at first and then in fewer and fewer frames.
    EXPECT_LE(settled.times_chosen, 12u);
    EXPECT_EQ(engine.frame().tuning().times_chosen, settled.times_chosen);
}

TEST_P(TuningOf, agents_leaves_rows_with_two_dozen_of_them) {
    const Scene scene(GetParam(), 3000, 3);
    const Tuning tuning = tuning_of(scene);
    const std::size_t agents = scene.agents().size();
    EXPECT_LE(std::size_t{tuning.columns} * tuning.rows, 4 * agents + 5120) << "cells cost memory";
    if (tuning.reason == TuningReason::set_by_host) return;
    EXPECT_LE(tuning.rows * std::size_t{24}, std::max<std::size_t>(agents, 24));
}

INSTANTIATE_TEST_SUITE_P(every, TuningOf, every_scene(), scene_name);
INSTANTIATE_TEST_SUITE_P(islands, TuningOf, every_island_world(), scene_name);

TEST(Tuning, stays_at_the_first_choice_where_agents_are_alike) {
    for (const char* name :
         {"uniform", "mixed_sizes", "clustered", "one_point", "on_a_line", "lattice", "specks",
          "lattice_in_tenth_cells", "inexact_cell_edges", "crushed", "sizes", "two_worlds"}) {
        Scene scene = make_scene(name, 2000);
        Engine engine(scene.configure());
        Random random(7);
        for (int frame = 0; frame < 100; ++frame) {
            const std::vector<Box> boxes = jiggled(scene.agents(), random);
            ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
        }
        EXPECT_EQ(engine.frame().tuning().times_chosen, 1u) << name;
    }
}

// --- When there are more, or fewer -------------------------------------------------------------------------

// On the same ground, however many there are.
std::vector<Box> even_crowd(std::size_t count) {
    Random random(count);
    std::vector<Box> agents;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = random.uniform(0, 200), y = random.uniform(0, 200);
        agents.push_back(Box::around(x, y, 0.5f, 0.5f));
    }
    return agents;
}

Tuning after(Engine& engine, std::size_t count) {
    const std::vector<Box> agents = even_crowd(count);
    EXPECT_EQ(engine.update(Boxes::of(agents)), Status{});
    return engine.frame().tuning();
}

TEST(Tuning, follows_at_once_when_the_crowd_doubles_or_halves) {
    Engine engine;
    const Tuning first = after(engine, 5000), doubled = after(engine, 10000), halved = after(engine, 5000);
    EXPECT_EQ(first.times_chosen, 1u);
    EXPECT_EQ(doubled.times_chosen, 2u);
    EXPECT_EQ(halved.times_chosen, 3u);
    const double area = double{first.cell_width} * double{first.row_height},
                 doubled_area = double{doubled.cell_width} * double{doubled.row_height};
    EXPECT_NEAR(doubled_area / area, 0.5, 0.1) << "as many agents to a cell as before";
    expect_nearly_the_same_choice(first, halved);
}

// Otherwise all would be in the tree. Its searches are not slow enough for a bad plan; its updates are.
TEST(Tuning, follows_at_once_when_all_agents_have_grown) {
    Engine engine;
    std::vector<Box> agents = even_crowd(5000);
    for (Box& box : agents) box = Box::around(box.centre(), 0);
    ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(after(engine, 5000).oversized, 0u);
}

TEST(Tuning, does_not_follow_at_once_when_there_are_a_few_more_or_fewer) {
    Engine engine;
    (void)after(engine, 5000);
    EXPECT_EQ(after(engine, 7400).times_chosen, 1u);
    EXPECT_EQ(after(engine, 3400).times_chosen, 1u);
}

TEST(Tuning, follows_in_time_when_agents_go_elsewhere) {
    Engine engine;
    const Tuning first = after(engine, 3000);
    std::vector<Box> agents = even_crowd(3000);
    for (Box& box : agents) box = {box.min_x + 5000, box.min_y, box.max_x + 5000, box.max_y};
    for (int frame = 0; frame < 40; ++frame) ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.frame().tuning().times_chosen, 2u);
    EXPECT_NEAR(engine.frame().tuning().origin_x, first.origin_x + 5000, 1);
}

// A commit of one edit must not pay for a review, which may rebuild the frame. Here the grid would follow the
// agents that leave.
TEST(Tuning, is_not_reviewed_before_an_eighth_of_the_agents_were_edited) {
    Engine engine;
    (void)after(engine, 3000);
    const auto leave = [&](AgentId first, AgentId last) {
        for (AgentId id = first; id < last; ++id) {
            const float x = 300 + 2 * static_cast<float>(id), y = static_cast<float>(id % 200);
            ASSERT_EQ(committed(engine, engine.move(id, Box::around(x, y, 0.5f, 0.5f))), Status{});
        }
    };
    // Agents that left stand beside the grid, in the way of all queries there, until there is another grid.
    const auto looked_at = [&] { return engine.frame().explain(Box{500, 0, 700, 9}).tested; };
    leave(0, 3000 / 8 - 1);
    EXPECT_EQ(engine.frame().tuning().times_chosen, 1u);
    const std::uint64_t before = looked_at();
    leave(3000 / 8 - 1, 3000 / 8 + 1);
    EXPECT_EQ(engine.frame().tuning().times_chosen, 2u);
    EXPECT_LT(looked_at(), before / 2);
}

// It must not pay either for a review that is due after updates: the next update makes it.
TEST(Tuning, leaves_a_review_to_the_next_update_where_edits_are_few) {
    Engine engine;
    (void)after(engine, 3000);
    std::vector<Box> agents = even_crowd(3000);
    for (Box& box : agents) box.max_x = (box.min_x + box.max_x) / 2;
    for (int frame = 0; frame < 20; ++frame) ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    for (AgentId id = 0; id < 3000 / 8 - 1; ++id) {
        ASSERT_EQ(committed(engine, engine.move(id, agents[id])), Status{});
    }
    EXPECT_EQ(engine.frame().tuning().times_chosen, 1u);
    ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.frame().tuning().times_chosen, 2u);
}

TEST(Tuning, follows_in_time_when_agents_are_moved_one_by_one) {
    Engine engine;
    (void)after(engine, 3000);
    std::vector<Box> agents = even_crowd(3000);
    for (int frame = 0; frame < 70; ++frame) {
        for (std::size_t i = static_cast<std::size_t>(frame) % 30; i < agents.size(); i += 30) {
            Box& box = agents[i];
            const float x = box.min_x < 1000 ? 5000 : 0;
            box = {box.min_x + x, box.min_y, box.max_x + x, box.max_y};
            ASSERT_EQ(engine.move(static_cast<AgentId>(i), box), Status{});
        }
        ASSERT_EQ(engine.commit(), Status{});
        ASSERT_TRUE(engine.validate().sound());
    }
    EXPECT_GT(engine.frame().tuning().origin_x, 4000);
}

TEST(Tuning, compares_all_with_all_while_there_are_few) {
    Engine engine;
    EXPECT_EQ(after(engine, 32).reason, TuningReason::few);
    EXPECT_EQ(after(engine, 33).reason, TuningReason::sizes);
    EXPECT_EQ(after(engine, 20).reason, TuningReason::sizes) << "not clearly fewer";
    EXPECT_EQ(after(engine, 4000).reason, TuningReason::sizes);
    EXPECT_EQ(after(engine, 10).reason, TuningReason::few) << "clearly fewer";
    const Tuning few = after(engine, 32);
    EXPECT_EQ(few.reason, TuningReason::few);
    EXPECT_EQ(few.columns * few.rows, 1u);
    EXPECT_EQ(few.times_chosen, 5u) << "few, more, fewer, very many, few";
    EXPECT_EQ(after(engine, 1).times_chosen, 5u);
    EXPECT_EQ(after(engine, 0).times_chosen, 5u);
    const Tuning grown = after(engine, 2000);
    EXPECT_EQ(grown.reason, TuningReason::sizes);
    EXPECT_EQ(grown.times_chosen, 6u);
    Engine fresh;
    expect_nearly_the_same_choice(grown, after(fresh, 2000));
}

// --- Which agents are oversized ----------------------------------------------------------------------------

TEST(Tuning, takes_agents_for_oversized_that_are_much_larger_than_nearly_all_others) {
    const Scene scene = make_scene("mixed_sizes", 5000);
    const Tuning tuning = tuning_of(scene);
    const auto large = static_cast<std::uint64_t>(
        std::count_if(scene.agents().begin(), scene.agents().end(),
                      [](const Box& box) { return box.max_x - box.min_x > 1.1f; }));
    ASSERT_GT(large, 20u);
    EXPECT_EQ(tuning.oversized, large);
    EXPECT_LT(tuning.common_width, 1.2f);
}

TEST(Tuning, takes_no_agent_for_oversized_where_all_are_about_as_large) {
    for (const char* name : {"uniform", "clustered", "lattice", "specks", "crushed"})
        EXPECT_EQ(tuning_of(make_scene(name, 3000)).oversized, 0u) << name;
}

// Neither so large that a query looks at half of the world, nor so small that all agents are in the tree.
TEST(Tuning, finds_a_size_between_where_sizes_follow_a_power_law) {
    for (const char* name : {"power_law", "sizes_over_decades", "decades"}) {
        const Scene scene = make_scene(name, 6000);
        Engine engine = engine_with(scene.boxes());
        const Tuning tuning = engine.frame().tuning();
        EXPECT_GT(tuning.oversized, 0u) << name;
        EXPECT_LT(tuning.oversized, 6000u / 3) << name;
        const Explain cost = engine.frame().explain(scene.boxes());
        EXPECT_LT(cost.tested + 4 * cost.nodes, 6000u * 6000 / 8) << name;
    }
}

TEST(Tuning, does_not_make_cells_of_slivers_as_large_as_their_lengths) {
    const Scene scene = make_scene("slivers", 6000);
    EXPECT_LT(engine_with(scene.boxes()).frame().explain(scene.boxes()).tested, 6000u * 6000 / 8);
}

// --- Islands -----------------------------------------------------------------------------------------------

TEST(Tuning, makes_islands_of_villages_and_counts_agents_on_none) {
    for (const SceneRecipe& recipe : island_recipes()) {
        const Scene scene(recipe, enough_for_islands, 3);
        const Engine engine = engine_with(scene.boxes(), scene.configure());
        const Tuning tuning = engine.frame().tuning();
        EXPECT_GE(tuning.islands, 5u) << recipe.name;
        EXPECT_LT(strays_of(engine.frame()), enough_for_islands / 2) << recipe.name;
        EXPECT_EQ(tuning.reason, TuningReason::islands) << recipe.name;
    }
    const Scene villages = make_island_scene("villages_and_strays", enough_for_islands);
    EXPECT_GT(strays_of(engine_with(villages.boxes()).frame()), 500u);
    const Scene piles = make_island_scene("piles", enough_for_islands);
    EXPECT_EQ(strays_of(engine_with(piles.boxes()).frame()), 0u);
}

TEST(Tuning, makes_no_islands_of_a_crowd) {
    for (const char* name :
         {"uniform", "mixed_sizes", "clustered", "crushed", "one_point", "on_a_line", "lattice",
          "a_light_year_away", "giants_everywhere", "power_law", "sizes", "slivers"})
        for (const std::size_t count : {std::size_t{1500}, std::size_t{8000}})
            EXPECT_EQ(tuning_of(make_scene(name, count)).islands, 0u) << name;
}

TEST(Tuning, makes_islands_for_a_thousand_and_none_for_a_hundred) {
    for (const SceneRecipe& recipe : island_recipes()) {
        EXPECT_GT(tuning_of(Scene(recipe, 1000, 3)).islands, 0u) << recipe.name;
        EXPECT_EQ(tuning_of(Scene(recipe, 100, 3)).islands, 0u) << recipe.name;
    }
}

// Here and there an agent crosses a border of tiles, and a tile is just crowded enough for an island, or just
// not.
TEST(Tuning, keeps_islands_while_people_walk_about_in_their_villages) {
    Scene scene = make_island_scene("villages", 4000);
    Engine engine = engine_with(scene.boxes());
    const Tuning first = engine.frame().tuning();
    Random random(3);
    for (int frame = 0; frame < 300; ++frame) {
        std::vector<Box> boxes = scene.agents();
        for (Box& box : boxes) {
            const float x = random.uniform(-2, 2), y = random.uniform(-2, 2);
            box = {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y};
        }
        ASSERT_EQ(engine.update(Boxes::of(boxes)), Status{});
        ASSERT_EQ(engine.frame().tuning().islands, first.islands) << "frame " << frame;
        ASSERT_EQ(engine.frame().tuning().times_chosen, first.times_chosen) << "frame " << frame;
    }
}

// On the same ground, so that nothing else has to change.
TEST(Tuning, makes_new_islands_where_the_villages_went) {
    const Scene scene = make_island_scene("villages", 4000);
    std::vector<Box> agents = scene.agents();
    Engine engine = engine_with(agents);
    const Tuning first = engine.frame().tuning();
    const std::uint64_t strays = strays_of(engine.frame());
    for (std::size_t i = 0; i < agents.size(); ++i) {
        if (i / 150 % 2 == 0) continue;
        Box& box = agents[i];
        const float x = box.min_x < 400 ? 220 : -220, y = box.min_y < 400 ? 170 : -170;
        box = {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y};
    }
    for (int frame = 0; frame < 40; ++frame) ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(engine.frame().tuning().times_chosen, first.times_chosen + 1)
        << "other islands are another choice";
    EXPECT_LT(strays_of(engine.frame()), strays + 300);
}

TEST(Tuning, makes_islands_when_a_crowd_gathers_in_villages_and_gives_them_up_when_it_scatters) {
    const Scene villages = make_island_scene("villages", 4000);
    Engine engine;
    EXPECT_EQ(after(engine, 4000).islands, 0u);
    for (int frame = 0; frame < 40; ++frame) ASSERT_EQ(engine.update(villages.boxes()), Status{});
    EXPECT_GT(engine.frame().tuning().islands, 10u);
    for (int frame = 0; frame < 40; ++frame) (void)after(engine, 4000);
    EXPECT_EQ(engine.frame().tuning().islands, 0u);
    EXPECT_EQ(engine.frame().tuning().reason, TuningReason::sizes);
}

// --- What the host fixed -----------------------------------------------------------------------------------

TEST(Tuning, keeps_the_cell_or_the_one_side_that_the_host_fixed) {
    std::vector<Scene> scenes{make_scene("uniform", 20), make_scene("uniform", 3000)};
    for (const char* name : {"villages", "villages_under_giants", "villages_far_away"})
        scenes.push_back(make_island_scene(name, 4000));
    for (const Scene& scene : scenes)
        for (const auto [width, height] : {Point{1.25f, 6}, Point{3, 0}, Point{0, 9}}) {
            const Tuning tuning =
                engine_with(scene.boxes(), {.cell_width = width, .row_height = height}).frame().tuning();
            EXPECT_EQ(tuning.cell_width, width > 0 ? width : tuning.cell_width) << scene.name();
            EXPECT_EQ(tuning.row_height, height > 0 ? height : tuning.row_height) << scene.name();
            EXPECT_EQ(tuning.islands, 0u) << scene.name();
            EXPECT_EQ(tuning.reason, TuningReason::set_by_host) << scene.name();
        }
}

// Cells so small that the grid ends before the agents do.
TEST(Tuning, keeps_a_fixed_grid_that_cannot_cover_all_agents) {
    const std::vector<Box> agents = make_scene("lattice", 2000).agents();
    Engine engine({.cell_width = 0.1f, .row_height = 0.3f});
    for (int frame = 0; frame < 100; ++frame) ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    const Tuning tuning = engine.frame().tuning();
    const auto end = tuning.origin_y + tuning.row_height * static_cast<float>(tuning.rows);
    EXPECT_TRUE(std::any_of(agents.begin(), agents.end(), [&](const Box& box) { return box.min_y > end; }));
    EXPECT_EQ(tuning.times_chosen, 1u);
}

// --- What a host fixes -------------------------------------------------------------------------------------

TEST(Tuning, keeps_the_common_size_that_a_host_fixes) {
    Engine engine({.common_size = 2});
    std::vector<Box> agents = make_scene("uniform", 3000).agents();
    for (std::size_t i = 0; i < 10; ++i)
        agents[i] = {agents[i].min_x, agents[i].min_y, agents[i].min_x + 2.5f, agents[i].min_y + 0.1f};
    ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_FLOAT_EQ(engine.frame().tuning().common_width, 2);
    EXPECT_FLOAT_EQ(engine.frame().tuning().common_height, 2);
    EXPECT_EQ(engine.frame().tuning().oversized, 10u);
    EXPECT_TRUE(engine.validate().sound());
    EXPECT_EQ(Engine({.common_size = -1}).status(), Status{Code::bad_config});
    EXPECT_EQ(Engine({.common_size = std::numeric_limits<float>::infinity()}).status(),
              Status{Code::bad_config});
}

}  // namespace
}  // namespace throng::test
