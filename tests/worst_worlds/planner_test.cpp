// Which plan an engine makes of its agents, and when it tries another one.
#include <algorithm>
#include <cmath>
#include <string_view>

#include "base/sample.hpp"
#include "engine/src/plan/planner.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"
#include "support/tuning_of.hpp"
#include "worlds/hunted/frames.hpp"
#include "worlds/hunted/steps.hpp"
#include "worst_worlds/world_of.hpp"

namespace throng::test {
namespace {

constexpr std::size_t usual_count = 4000;

std::vector<Box> crowd(std::uint64_t seed, float scale = 1, std::size_t number = usual_count) {
    Random random(seed);
    const float side = 2 * std::sqrt(static_cast<float>(number)) * scale;
    std::vector<Box> agents;
    for (std::size_t i = 0; i < number; ++i) {
        const float x = random.uniform(0, side), y = random.uniform(0, side);
        agents.push_back(Box::around(x, y, 0.4f * scale, 0.4f * scale));
    }
    return agents;
}
std::vector<Box> pile(std::size_t number = usual_count) { return std::vector<Box>(number, Box{0, 0, 1, 1}); }

Tuning after(Engine& engine, const std::vector<Box>& agents) {
    EXPECT_EQ(engine.update(Boxes::of(agents)), Status{});
    return engine.frame().tuning();
}

// --- The sample --------------------------------------------------------------------------------------------

TEST(Sample, takes_one_of_each_stratum_in_ascending_order) {
    for (const std::size_t agents : {1000u, 1024u, 100'003u, 5'000'000u}) {
        constexpr std::size_t wanted = 1000;
        for (std::size_t k = 0; k < wanted; ++k) {
            const std::size_t id = detail::sampled(k, wanted, agents);
            ASSERT_GE(id + 1, std::uint64_t{k} * agents / wanted) << agents;
            ASSERT_LE(id, std::uint64_t{k + 1} * agents / wanted) << agents;
            if (k != 0) {
                ASSERT_GT(id, detail::sampled(k - 1, wanted, agents)) << agents;
            }
        }
    }
}

TEST(Sample, keeps_step_with_no_stride) {
    constexpr std::size_t wanted = 2048, agents = 1 << 20;
    for (const std::size_t stride : {2u, 3u, 48u, 64u, 512u, 1024u}) {
        std::size_t first = 0;
        for (std::size_t k = 0; k < wanted; ++k) first += detail::sampled(k, wanted, agents) % stride == 0;
        EXPECT_LE(first, 2 * wanted / stride + 16) << stride;
        EXPECT_GE(first + 16, wanted / stride / 2) << stride;
    }
}

// --- What a frame costs ------------------------------------------------------------------------------------

// The same search that `explain` counts, over a sample; and in the tree over oversized agents some more.
TEST(Probe, is_about_what_explain_counts_for_all_agents_and_answers) {
    for (const char* name : {"uniform", "clustered", "mixed_sizes", "power_law", "slivers", "lattice"}) {
        const Scene scene = make_scene(name, 5'000);
        const Engine engine = engine_with(scene.boxes(), scene.configure());
        const Frame frame = engine.frame();
        const auto box_at = [&](std::size_t i) { return scene.agents()[i]; };
        const detail::Cost cost = detail::probe(state_behind(frame), {scene.agents().size(), box_at});
        std::vector<Box> middles;
        for (const Box& box : scene.agents()) {
            const float x = box.min_x * 0.5f + box.max_x * 0.5f, y = box.min_y * 0.5f + box.max_y * 0.5f;
            middles.push_back({x, y, x, y});
        }
        const auto looks = [&](const Boxes& boxes) {
            const Explain all = frame.explain(boxes);
            return worlds::weighted_steps(all) / static_cast<double>(all.queries + all.hits);
        };
        const double most = std::max(looks(scene.boxes()), looks(Boxes::of(middles)));
        EXPECT_LE(cost.looks, 1.5 * most + 8) << name;
        EXPECT_GE(cost.looks, most / 2) << name;
    }
}

TEST(Probe, finds_a_pile_of_agents_that_all_overlap_cheap_and_one_of_agents_that_do_not_expensive) {
    Random random(4);
    std::vector<Box> apart, together;
    for (int i = 0; i < 4'000; ++i) {
        const float x = random.uniform(0, 1), y = random.uniform(0, 1);
        apart.push_back(Box::around(x, y, 1e-4f, 1e-4f));
        together.push_back(Box::around(x, y, 2, 2));
    }
    const auto looks_of = [](const std::vector<Box>& boxes) {
        const Engine engine = engine_with(boxes, {.cell_width = 10, .row_height = 10});
        const auto box_at = [&](std::size_t i) { return boxes[i]; };
        const Frame frame = engine.frame();
        state_behind(frame)
            .piles = {};  // a frame is probed before it is published, and knows of no crowded cells then
        return detail::probe(state_behind(frame), {boxes.size(), box_at}).looks;
    };
    EXPECT_LE(looks_of(together), 1);
    EXPECT_GE(looks_of(apart), 4'000 / 8 / 2);
}

// --- Another plan ------------------------------------------------------------------------------------------

std::uint64_t sharing_a_cell(const Engine& engine) { return state_behind(engine.frame()).sharing; }

// A frame of `many` agents takes three rounds of the executor, and the tree over oversized agents at most
// one. Where another plan is tried, there are two frames.
constexpr std::size_t many = 20'000;
constexpr std::uint64_t rounds_of_a_frame = 4;

std::uint64_t rounds_of_update(Engine& engine, const CountingExecutor& executor, const Boxes& boxes) {
    const std::uint64_t before = executor.calls();
    EXPECT_EQ(engine.update(boxes), Status{});
    return executor.calls() - before;
}

TEST(Planner, builds_the_frame_in_which_a_spawned_crowd_spreads_on_a_grid_for_it) {
    Engine engine;
    (void)after(engine, pile());
    const Tuning spread = after(engine, crowd(1));
    EXPECT_LE(sharing_a_cell(engine), 3 * usual_count);
    for (int frame = 0; frame < 10; ++frame)
        EXPECT_EQ(after(engine, crowd(1)).times_chosen, spread.times_chosen) << "the grid fits from then on";
}

TEST(Planner, builds_no_frame_of_worlds_in_turns_more_than_once_again) {
    CountingExecutor executor;
    Engine engine({.executor = executor.executor()});
    const std::vector<Box> small = crowd(1, 1, many), large = crowd(2, 1000, many);
    for (int frame = 0; frame < 40; ++frame) {
        EXPECT_LE(rounds_of_update(engine, executor, frame % 2 == 0 ? small : large), 2 * rounds_of_a_frame);
        EXPECT_LE(sharing_a_cell(engine), 20 * many) << "frame " << frame;
    }
}

TEST(Planner, never_rebuilds_a_crowd_that_walks) {
    CountingExecutor executor;
    Engine engine({.executor = executor.executor()});
    std::vector<Box> agents = crowd(3, 1, many);
    Random random(4);
    for (int frame = 0; frame < 100; ++frame) {
        for (Box& box : agents) {
            const float x = random.uniform(-0.5f, 0.5f), y = random.uniform(-0.5f, 0.5f);
            box = {box.min_x + x, box.min_y + y, box.max_x + x, box.max_y + y};
        }
        EXPECT_LE(rounds_of_update(engine, executor, agents), rounds_of_a_frame);
    }
}

TEST(Planner, follows_a_crowd_that_spreads_by_single_edits) {
    CountingExecutor executor;
    Engine engine({.executor = executor.executor()});
    (void)after(engine, pile(many));
    const std::vector<Box> goal = crowd(5, 1, many);
    std::size_t built_again = 0;
    for (AgentId id = 0; id < many; ++id) {
        ASSERT_EQ(engine.move(id, goal[id]), Status{});
        if (id % 200 == 199) {
            const std::uint64_t before = executor.calls();
            ASSERT_EQ(engine.commit(), Status{});
            built_again += executor.calls() - before >= 3;
        }
    }
    EXPECT_LE(sharing_a_cell(engine), 6 * many);
    EXPECT_LE(built_again, 16u);
    EXPECT_TRUE(engine.validate().sound());
}

// What edits add to the count is what a bulk update finds.
TEST(Planner, counts_the_same_after_edits_as_after_an_update) {
    std::vector<Box> agents = crowd(6);
    const EngineConfig config{.executor = serial_executor(), .cell_width = 3, .row_height = 7};
    Engine edited = engine_with(agents, config), made = engine_with(agents, config);
    Random random(7);
    for (std::size_t round = 0; round < 20; ++round) {
        for (std::size_t k = 0; k < 1 + round * 20; ++k) {
            const auto id = static_cast<AgentId>(random.below(usual_count));
            const float size = random.one_in(10) ? 6.0f : 0.4f;
            const float x = random.uniform(0, 130), y = random.uniform(0, 130);
            agents[id] = Box::around(x, y, size, size);
            ASSERT_EQ(edited.move(id, agents[id]), Status{});
        }
        ASSERT_EQ(edited.commit(), Status{});
        ASSERT_EQ(made.update(Boxes::of(agents)), Status{});
        ASSERT_EQ(sharing_a_cell(edited), sharing_a_cell(made)) << "round " << round;
    }
}

TEST(Planner, counts_few_agents_also_after_edits) {
    const std::vector<Box> agents(20, Box::around(1, 2, 1, 1));
    Engine engine({.executor = serial_executor()});
    ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
    EXPECT_EQ(sharing_a_cell(engine), 20 * 19 / 2u);
    ASSERT_EQ(engine.remove(AgentId{7}), Status{});
    ASSERT_EQ(engine.commit(), Status{});
    EXPECT_EQ(sharing_a_cell(engine), 19 * 18 / 2u);
}

// Points on a line through a crowd of slivers: nothing helps. One try after the first frame, and then after
// 2, 4 .. 32 frames.
TEST(Planner, leaves_agents_alone_for_more_and_more_frames_that_no_plan_helps) {
    worlds::Frames frames(world_of("h1;n=20000;seed=1;place=square;size=sliver(long=3000);then=still"));
    CountingExecutor executor;
    Engine engine({.executor = executor.executor()});
    std::size_t built_again = 0;
    for (int k = 0; k < 100; ++k, frames.next())
        built_again += rounds_of_update(engine, executor, Boxes::of(frames.boxes())) > rounds_of_a_frame;
    EXPECT_LE(built_again, 8u);
}

TEST(Planner, builds_no_more_than_two_frames_for_an_update) {
    for (const char* text :
         {"h1;n=100000;seed=448;place=radial(octaves=82.6);place=square;size=constant;share=19.2;"
          "then=rescale(places=2.29e-07,sizes=30800)",
          "h1;n=20000;seed=474;place=hinterland;place=piles;size=power(least=846);at=at(x=7960);then=pulse",
          "h1;n=20000;seed=383;place=star;size=sliver(long=75400000);share=87.9;place=square;then="
          "teleport"}) {
        worlds::Frames frames(world_of(text));
        CountingExecutor executor;
        Engine engine({.executor = executor.executor()});
        for (int k = 0; k < 6; ++k, frames.next()) {
            EXPECT_LE(rounds_of_update(engine, executor, Boxes::of(frames.boxes())), 2 * rounds_of_a_frame)
                << text << ", frame " << k;
        }
    }
}

// A crowd is pressed together until all overlap hundreds of others. Its sizes differ by less than half. So
// smaller cells for some would save nothing, and the others would have to be compared in the tree.
TEST(Planner, keeps_a_crushed_crowd_of_about_one_size_in_cells) {
    worlds::Frames frames(world_of("h1;n=100000;seed=1;place=square;then=rescale(places=0.01)"));
    Engine engine = engine_with(Boxes::of(frames.boxes()), {.executor = serial_executor()});
    for (int k = 0; k < 3; ++k) {
        frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_EQ(engine.frame().tuning().oversized, 0u) << "frame " << k << "; it was 55,262";
    }
}

// Sizes grow with the distance, so islands of any scale would leave most agents to the tree.
TEST(Planner, plans_no_islands_where_most_agents_are_oversized_on_each) {
    worlds::Frames frames(
        world_of("h1;n=100000;seed=220;place=star(rays=16,octaves=88);size=distance(factor=0.156);"
                 "then=shrink(share=0.05)"));
    Engine engine({.executor = serial_executor()});
    for (int k = 0; k < 3; ++k) {
        if (k != 0) frames.next();
        ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
        EXPECT_EQ(engine.frame().tuning().oversized, frames.boxes().size()) << "frame " << k;
    }
}

// Nothing better was found for rays of oversized agents: the first edit does not look again.
TEST(Planner, does_not_try_again_for_the_first_edit_after_an_update) {
    worlds::Frames frames(
        world_of("h1;n=20000;seed=258;place=star(octaves=88);size=distance(factor=0.0994);"
                 "share=3.46;then=grow(share=0.05)"));
    CountingExecutor executor;
    Engine engine({.executor = executor.executor()});
    for (int k = 0; k < 3; ++k, frames.next()) ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
    const std::uint64_t before = executor.calls();
    ASSERT_EQ(committed(engine, engine.move(7, frames.boxes()[7])), Status{});
    EXPECT_EQ(executor.calls(), before) << "it built the frame again";
}

// What a host fixes stays, such as the cells; but their place follows the crowd at once.
TEST(Planner, follows_a_crowd_that_spreads_or_leaves_also_where_the_host_fixes_a_size) {
    for (const EngineConfig& config :
         {EngineConfig{.executor = serial_executor(), .common_size = 1},
          EngineConfig{.executor = serial_executor(), .cell_width = 2},
          EngineConfig{.executor = serial_executor(), .cell_width = 2, .row_height = 6}}) {
        std::vector<Box> agents = pile();
        Engine engine = engine_with(agents, config);
        agents = crowd(5);
        for (Box& box : agents) box = {box.min_x + 5000, box.min_y, box.max_x + 5000, box.max_y};
        ASSERT_EQ(engine.update(Boxes::of(agents)), Status{});
        const Tuning tuning = engine.frame().tuning();
        EXPECT_GT(tuning.columns * tuning.rows, 100u) << "there are cells";
        EXPECT_LE(engine.frame().explain(Boxes::of(agents)).tested, 40 * agents.size());
        EXPECT_EQ(tuning.cell_width, config.cell_width > 0 ? config.cell_width : tuning.cell_width);
        EXPECT_EQ(tuning.row_height, config.row_height > 0 ? config.row_height : tuning.row_height);
    }
}

// Boxes ten times as wide as agents find many of these in a plain crowd, and cost one look for each answer.
// In these worlds they find hardly more than small boxes do, so a grid of 24 to 40 looks breaks the promise.
// The tree, or another grid, takes more than half of that.
constexpr const char* sparse_worlds[] = {
    "h1;n=2000;seed=325;place=square(aspect=8.05);at=at(y=1.16e+11,scale=1.8e-08,spread=15.6);share=150;"
    "place=square;share=2.52",
    "h1;n=12500;seed=323;place=hinterland(octaves=21.3);size=distance(factor=0.000154);at=at(scale=1.91);"
    "share=7.6;ids=x;then=from_crowd(frames=2)",
    "h1;n=16000;seed=323;place=hinterland(octaves=21.3);size=distance(factor=0.000154);at=at(scale=1.91);"
    "share=7.6;ids=x;then=from_crowd(frames=2)",
    "h1;n=12500;seed=930;place=square;at=at(x=430000,scale=1.32e-12);share=21.5;place=square;share=0.452",
    "h1;n=8000;seed=558;place=point;size=distance(factor=0.321);at=at(x=4.55e+11,spread=9.3e+10);"
    "share=15.1;ids=squads(stride=60)"};

TEST(Planner, takes_a_plan_on_which_wide_boxes_cost_what_is_promised) {
    for (const char* text : sparse_worlds) {
        worlds::Frames frames(world_of(text));
        Engine engine({.executor = serial_executor()});
        for (int frame = 0; frame < 8; ++frame) {
            if (frame != 0) frames.next();
            ASSERT_EQ(engine.update(Boxes::of(frames.boxes())), Status{});
            if (frame < 2) continue;
            std::vector<Box> wide;
            for (const Box& box : frames.boxes()) {
                const float x = 4.5f * (box.max_x - box.min_x), y = 4.5f * (box.max_y - box.min_y);
                wide.push_back({box.min_x - x, box.min_y - y, box.max_x + x, box.max_y + y});
            }
            const Explain cost = engine.frame().explain(wide);
            EXPECT_LE(worlds::weighted_steps(cost), 24 * static_cast<double>(cost.queries + cost.hits))
                << text << ", frame " << frame;
        }
    }
}

// Nothing helps a pile at one point. When it spreads another plan does, though all agents of a small sample
// stay where they are.
TEST(Pile, that_spreads_gets_a_plan_although_a_sample_of_the_others_stays) {
    constexpr std::size_t number = 20'000, sample = 128;
    std::vector<char> stays(number, 0);
    for (std::size_t k = 0; k < sample; ++k) stays[detail::sampled(k, sample, number)] = 1;
    Random random(1);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < number; ++i)
        boxes.push_back(Box::around(random.uniform(0, 140'000), random.uniform(0, 140'000), 0.1f, 0.1f));
    for (std::size_t i = 0; i < number; ++i) stays[i] = stays[i] != 0 || i % 2 == 0;
    Engine engine({.executor = serial_executor()});
    for (int frame = 0; frame < 10; ++frame) {
        const float spread = frame < 8 ? 0.0f : 30.0f;
        for (std::size_t i = 0; i < number; ++i)
            if (stays[i] == 0)
                boxes[i] = Box::around(random.uniform(70'000 - spread, 70'000 + spread),
                                       random.uniform(70'000 - spread, 70'000 + spread), 0.1f, 0.1f);
        ASSERT_EQ(engine.update(boxes), Status{});
    }
    EXPECT_LT(engine.frame().explain(boxes).tested, 60 * number);
}

// Agents that have left a grid share the cells at its border, whatever the next grid is.
TEST(Crowd, that_has_left_its_grid_gets_no_islands) {
    constexpr std::size_t number = 100'000;
    Random random(2);
    std::vector<Box> boxes(number);
    Engine engine({.executor = serial_executor()});
    for (const float side : {1'100.0f, 8'300.0f}) {
        for (std::size_t i = 0; i < number; ++i) {
            const float x = random.uniform(0, side), y = random.uniform(0, side),
                        length = random.uniform(170, 336);
            boxes[i] = i % 10 == 0   ? Box{x, y, x + length, y + 0.03f}
                       : i % 10 == 1 ? Box{x, y, x + 0.03f, y + length}
                                     : Box{x, y, x + 0.8f, y + 0.8f};
        }
        ASSERT_EQ(engine.update(boxes), Status{});
        EXPECT_EQ(engine.frame().tuning().islands, 0u) << side;
    }
}

}  // namespace
}  // namespace throng::test
