// What an update may spend on plans: so many steps an agent, whatever the world. Counted twice, by the steps that the planner
// says it took, and by how often it looked at an agent.
#include "engine/src/islands/planning.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Agents in each octave of the distance from a centre, with sizes by that distance: a level of islands for every few of them.
std::vector<Box> octaves(std::size_t agents, double octaves) {
    Random random(5);
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < agents; ++i) {
        const float away = std::exp2(random.uniform(0, static_cast<float>(octaves)));
        const float angle = random.uniform(0, 6.28f), half = 0.02f * away;
        boxes.push_back(Box::around(away * std::cos(angle), away * std::sin(angle), half, half));
    }
    return boxes;
}

struct Effort : ::testing::Test {
    struct Made {
        std::size_t steps, looks, islands;
        bool cut_short;
    };
    // A plan for these agents, with the steps that so many have.
    Made plan_with_steps_of(std::size_t agents, const std::vector<Box>& boxes) {
        Made result{};
        const auto box_at = [&](std::size_t i) {
            ++result.looks;
            return boxes[i];
        };
        planning.start(agents);
        const std::size_t before = planning.steps_left();
        const detail::Tuner tuner(0, 0, 0);
        detail::Plan plan{tuner, detail::HeldMap(store->blocks, detail::WorldMap(tuner.grid()))};
        bool made = false;
        const std::size_t points = detail::IslandPlanner::points_at_first(boxes.size());
        EXPECT_EQ(planning.start_again(*store, boxes.size(), box_at, points, plan, made), Status{});
        EXPECT_TRUE(made);
        result.steps = before - planning.steps_left();
        result.islands = plan.map->regions() - 1;
        result.cut_short = planning.is_cut_short();
        return result;
    }
    Effort() : store(detail::Store::create(nullptr)) {}
    ~Effort() override { store->drop_reference(); }
    detail::Store* store;
    detail::Planning planning{*simd::kernels(Isa::automatic), nullptr};
};

TEST_F(Effort, of_a_plan_is_so_many_steps_an_agent_however_deep_the_world) {
    for (const std::size_t agents : {500u, 2000u, 12'500u, 50'000u})
        for (const double deep : {1.0, 20.0, 100.0}) {
            const Made made = plan_with_steps_of(agents, octaves(agents, deep));
            EXPECT_LE(made.steps, 8 * agents + 8192) << agents << ", " << deep;
            EXPECT_LE(made.looks, agents / 2 + 512) << agents << ", " << deep;
        }
}

// The deeper it goes, the fewer of its points it looks at.
TEST_F(Effort, of_a_plan_is_less_by_a_third_where_no_plan_tells_its_levels) {
    const std::vector<Box> boxes = octaves(100'000, 100);
    const Made thinned = plan_with_steps_of(boxes.size(), boxes);
    planning.start(boxes.size());
    const std::size_t before = planning.steps_left();
    const detail::Tuner tuner(0, 0, 0);
    detail::Plan plan{tuner, detail::HeldMap(store->blocks, detail::WorldMap(tuner.grid()))};
    const auto box_at = [&](std::size_t i) { return boxes[i]; };
    bool changed = false;
    ASSERT_EQ(planning.review(*store, boxes.size(), box_at, plan, changed), Status{});
    ASSERT_TRUE(plan.map->has_islands());
    EXPECT_LE(3 * thinned.steps, 2 * (before - planning.steps_left())) << "of a plan with all points";
}

// 5,000 agents on many levels are too many for the steps of 100.
TEST_F(Effort, that_is_spent_leaves_islands_as_they_are_and_the_next_plan_needs_less) {
    const std::vector<Box> boxes = octaves(5000, 100);
    const Made first = plan_with_steps_of(100, boxes), next = plan_with_steps_of(100, boxes);
    EXPECT_TRUE(first.cut_short);
    for (const Made& made : {first, next}) EXPECT_LE(made.steps, 8u * 100 + 8192);
    EXPECT_LT(next.looks, first.looks);
    EXPECT_FALSE(next.cut_short) << "there is no plan that needs less";
}

// 5,000 agents that are left of 100,000 on many levels. No plan looks at one of them on every level.
TEST_F(Effort, of_a_review_is_a_look_at_an_eighth_of_the_agents_and_a_survey) {
    const std::vector<Box> boxes = octaves(100'000, 100);
    const detail::Tuner tuner(0, 0, 0);
    detail::Plan plan{tuner, detail::HeldMap(store->blocks, detail::WorldMap(tuner.grid()))};
    std::size_t looks = 0;
    const auto box_at = [&](std::size_t i) {
        ++looks;
        return boxes[i];
    };
    for (const std::size_t agents : {100'000u, 5000u}) {
        looks = 0;
        planning.start(agents);
        bool changed = false;
        ASSERT_EQ(planning.review(*store, agents, box_at, plan, changed), Status{});
        ASSERT_TRUE(changed);
        ASSERT_TRUE(plan.map->has_islands());
    }
    EXPECT_LE(looks, 5000u / 8 + detail::Survey::at_most(detail::Survey::max_for_review, 5000));
}

// A world that loses most of its agents: each update looks at no more than so many of those that are left, though its plan
// is another one each time.
TEST_F(Effort, is_new_for_each_update) {
    const std::vector<Box> boxes = octaves(2000, 80);
    const Made first = plan_with_steps_of(2000, boxes), second = plan_with_steps_of(2000, boxes);
    EXPECT_EQ(first.steps, second.steps);
    EXPECT_EQ(first.looks, second.looks);
    EXPECT_EQ(first.islands, second.islands);
}

// Two worlds in turns, each with work of its own, are known again by all of their boxes.
TEST_F(Effort, is_not_spent_again_on_agents_for_which_that_was_in_vain) {
    const detail::Tuner tuner(0, 0, 0);
    detail::Plan plan{tuner, detail::HeldMap(store->blocks, detail::WorldMap(tuner.grid()))};
    const std::vector<Box> worlds[] = {octaves(2000, 20), octaves(2000, 30)};
    for (std::size_t k = 0; k < 8; ++k) {
        const std::vector<Box>& boxes = worlds[k % 2];
        const auto box_at = [&](std::size_t i) { return boxes[i]; };
        const std::uint64_t sharing = (k % 2 == 0 ? 100 : 200) * boxes.size();
        planning.start(boxes.size());
        const bool looks = planning.is_worth_a_look(plan, boxes.size(), sharing, sharing, box_at);
        EXPECT_EQ(looks, k < 2) << k;
        if (looks) planning.count_vain_look(plan, boxes.size(), sharing, box_at);
    }
}

}  // namespace
}  // namespace throng::test
