// Floors are a part of a plan that is kept.
#include "engine/src/frame/frame_state.hpp"
#include "plans/plans.hpp"
#include "support/engine_inside.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

class PlanWithFloors : public ::testing::Test {
protected:
    PlanWithFloors() {
        Random random(4);
        for (std::size_t i = 0; i < 4000; ++i) {
            boxes_.push_back(Box::around(random.uniform(0, 50), random.uniform(0, 50), 0.5f, 0.5f));
            const float base = random.one_in(30) ? random.uniform(0, 9) : 3 * static_cast<float>(i % 4);
            bands_.push_back({base, base + 1.8f});
        }
        EXPECT_EQ(engine_.update(boxes_, {.heights = bands_}), Status{});
    }
    static const simd::Floors& floors_of(const Engine& engine) {
        return state_behind(engine.frame()).map.floors();
    }

    std::vector<Box> boxes_;
    std::vector<Band> bands_;
    Engine engine_{{.executor = serial_executor()}};
};

TEST_F(PlanWithFloors, leads_another_engine_the_same_way) {
    ASSERT_GE(floors_of(engine_).count, 3u);
    Engine joining({.executor = serial_executor()});
    ASSERT_EQ(joining.update(Boxes::of(std::span(boxes_).first(900))), Status{});
    ASSERT_EQ(joining.set_plan(plan_of(engine_)), Status{});
    for (int frame = 0; frame < 40; ++frame) {
        for (Box& box : boxes_) box.min_x += 0.001f;
        for (Engine* each : {&engine_, &joining})
            ASSERT_EQ(each->update(boxes_, {.heights = bands_}), Status{});
        ASSERT_TRUE(are_alike(engine_, joining, some_queries(boxes_))) << frame;
        ASSERT_EQ(floors_of(joining).count, floors_of(engine_).count);
    }
}

// All floors are below all agents then: the next check sees it, in both engines.
TEST_F(PlanWithFloors, follows_heights_that_are_counted_from_another_zero) {
    for (Band& band : bands_) band = {band.min_z + 1000, band.max_z + 1000};
    Engine joining({.executor = serial_executor()});
    ASSERT_EQ(joining.set_plan(plan_of(engine_)), Status{});
    for (int frame = 0; frame < 33; ++frame) {
        for (Engine* each : {&engine_, &joining})
            ASSERT_EQ(each->update(boxes_, {.heights = bands_}), Status{});
        ASSERT_TRUE(are_alike(engine_, joining, some_queries(boxes_))) << frame;
    }
    ASSERT_GE(floors_of(engine_).count, 3u);
    EXPECT_GT(floors_of(engine_).at[0], 1000);
}

// Towers that are islands, with storeys of their own.
class PlanOfFarTowers : public PlanWithFloors {
protected:
    PlanOfFarTowers() {
        Random random(5);
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            const float x = random.uniform(0, 4) + (i % 2 == 0 ? 0.0f : 1e4f), y = random.uniform(0, 4),
                        base = 3 * std::floor(random.uniform(0, 100));
            boxes_[i] = Box::around(x, y, 0.4f, 0.4f);
            bands_[i] = {base, base + 1.8f};
        }
        EXPECT_EQ(engine_.replan(), Status{});
        EXPECT_EQ(engine_.update(boxes_, {.heights = bands_}), Status{});
        plan_ = plan_of(engine_);
    }
    static const detail::WorldMap& map_of(const Engine& engine) { return state_behind(engine.frame()).map; }

    PlanBytes plan_;
};

TEST_F(PlanOfFarTowers, leads_another_engine_the_same_way) {
    Engine joining({.executor = serial_executor()});
    for (int frame = 0; frame < 40; ++frame) {
        if (frame == 3) {
            ASSERT_EQ(joining.set_plan(plan_of(engine_)), Status{});
        }
        for (Box& box : boxes_) box.min_x += 0.001f;
        ASSERT_EQ(engine_.update(boxes_, {.heights = bands_}), Status{});
        EXPECT_GE(floors_of(engine_).count, 3u) << frame;
        ASSERT_GE(map_of(engine_).regions(), 3u);
        EXPECT_TRUE(map_of(engine_).has_storeys(1) && map_of(engine_).has_storeys(2));
        if (frame < 3) continue;
        ASSERT_EQ(joining.update(boxes_, {.heights = bands_}), Status{});
        ASSERT_TRUE(are_alike(engine_, joining, some_queries(boxes_))) << frame;
    }
}

// Its last byte says whether the last island has storeys.
TEST_F(PlanOfFarTowers, has_storeys_on_those_islands_that_it_says) {
    plan_.back() = std::byte{2};
    EXPECT_EQ(engine_.set_plan(plan_), Status{Code::bad_plan});
    plan_.back() = std::byte{0};
    Engine joining({.executor = serial_executor()});
    ASSERT_EQ(joining.set_plan(plan_), Status{});
    EXPECT_EQ(plan_of(joining), plan_);
    // Where that puts all storeys of a tower together, another plan is tried.
    ASSERT_EQ(joining.update(boxes_, {.heights = bands_}), Status{});
    EXPECT_TRUE(map_of(joining).has_storeys(1));
    EXPECT_TRUE(joining.validate().sound());
    EXPECT_EQ(joining.frame().count_pairs().total, engine_.frame().count_pairs().total);
}

TEST_F(PlanOfFarTowers, is_refused_if_an_island_has_storeys_without_floors_or_without_cells) {
    const auto refused_with = [](PlanBytes plan, std::size_t from_the_end, const auto& what) {
        std::memcpy(plan.data() + plan.size() - from_the_end, &what, sizeof what);
        Engine engine({.executor = serial_executor()});
        return engine.set_plan(plan) == Status{Code::bad_plan};
    };
    const PlanBytes without_floors = [] {
        Engine engine({.executor = serial_executor()});
        EXPECT_EQ(engine.update(make_island_scene("villages", 3000, 3).boxes()), Status{});
        return plan_of(engine);
    }();
    EXPECT_FALSE(refused_with(without_floors, 1, std::uint8_t{0}));
    EXPECT_TRUE(refused_with(without_floors, 1, std::uint8_t{1}));
    // Both sizes of common agents come before the tile and the byte.
    const float no_cells[] = {-1, -1};
    EXPECT_TRUE(refused_with(plan_, 1 + 4 + sizeof no_cells, no_cells));
    plan_.back() = std::byte{0};
    EXPECT_FALSE(refused_with(plan_, 1 + 4 + sizeof no_cells, no_cells));
}

// Its last bytes are the floors.
TEST_F(PlanWithFloors, is_refused_if_they_do_not_ascend_or_are_no_numbers) {
    const PlanBytes plan = plan_of(engine_);
    const auto refused = [&](std::size_t from_the_end, float floor) {
        PlanBytes other = plan;
        std::memcpy(other.data() + other.size() - from_the_end * sizeof floor, &floor, sizeof floor);
        return engine_.set_plan(other) == Status{Code::bad_plan};
    };
    EXPECT_TRUE(refused(1, std::numeric_limits<float>::quiet_NaN()));
    EXPECT_TRUE(refused(1, std::numeric_limits<float>::infinity()));
    EXPECT_TRUE(refused(1, floors_of(engine_).at[floors_of(engine_).count - 2]));
    EXPECT_TRUE(refused(2, floors_of(engine_).at[floors_of(engine_).count - 1]));
    EXPECT_FALSE(refused(1, floors_of(engine_).at[floors_of(engine_).count - 1] + 0.1f));
}

// The byte before them says whether the world has storeys. Floors that divide nothing are left out.
TEST_F(PlanWithFloors, has_no_storeys_where_it_says_so) {
    PlanBytes plan = plan_of(engine_);
    std::byte& has_storeys = plan[plan.size() - 4 * floors_of(engine_).count - 4 - 1];
    ASSERT_EQ(has_storeys, std::byte{1});
    has_storeys = std::byte{0};
    Engine joining({.executor = serial_executor()});
    ASSERT_EQ(joining.set_plan(plan), Status{});
    EXPECT_EQ(plan_of(joining).size(), plan.size() - 4 * floors_of(engine_).count);
    ASSERT_EQ(joining.update(boxes_, {.heights = bands_}), Status{});
    EXPECT_TRUE(joining.validate().sound());
    EXPECT_EQ(joining.frame().count_pairs().total, engine_.frame().count_pairs().total);
}

// A plan has its grid twice: that of the choice, from which a world is moved, and that of the map. With
// storeys, the choice's grid may have more rows than are allowed.
TEST_F(PlanWithFloors, does_no_harm_where_the_grid_that_was_chosen_is_another) {
    constexpr std::size_t grid_bytes = 32;
    PlanBytes plan = plan_of(engine_);
    const auto of_the_map = plan.end() - 1 - 4 - 4 * floors_of(engine_).count - grid_bytes;
    const auto chosen = std::search(plan.begin(), of_the_map, of_the_map, of_the_map + grid_bytes);
    ASSERT_NE(chosen, of_the_map);
    const float scale_y = 600;
    const std::uint32_t columns_and_rows[] = {1, simd::max_rows};
    std::memcpy(&chosen[12], &scale_y, sizeof scale_y);
    std::memcpy(&chosen[16], columns_and_rows, sizeof columns_and_rows);
    ASSERT_EQ(engine_.set_plan(plan), Status{});
    ASSERT_EQ(engine_.rebase(1, 0), Status{});
    EXPECT_EQ(engine_.frame().tuning().rows, simd::max_rows);
    EXPECT_TRUE(engine_.validate().sound());
    for (Box& box : boxes_) box = box.moved(-1, 0);
    Engine fresh({.executor = serial_executor()});
    ASSERT_EQ(fresh.update(boxes_, {.heights = bands_}), Status{});
    EXPECT_EQ(engine_.frame().count_pairs().total, fresh.frame().count_pairs().total);
}

// A crowd that comes down is one storey, which the next check sees.
TEST_F(PlanWithFloors, gives_way_to_one_without_once_all_are_on_one_storey) {
    for (Band& band : bands_) band = {0, 1.8f};
    for (int frame = 0; frame < 40; ++frame) ASSERT_EQ(engine_.update(boxes_, {.heights = bands_}), Status{});
    EXPECT_EQ(floors_of(engine_).count, 0u);
}

TEST_F(PlanWithFloors, allocates_nothing_once_it_is_settled) {
    CountingResource memory;
    Engine engine({.executor = serial_executor(), .memory = &memory});
    PairList pairs;
    NeighbourLists lists;
    std::uint64_t before = 0;
    for (int frame = 0; frame < 80; ++frame) {
        if (frame == 40) before = memory.calls();
        // Each goes up a storey.
        bands_.insert(bands_.begin(), bands_.back());
        bands_.pop_back();
        ASSERT_EQ(engine.update(boxes_, {.heights = bands_}), Status{});
        ASSERT_EQ(engine.frame().pairs(pairs), Status{});
        ASSERT_EQ(engine.frame().neighbours(Within{.radius = 1}, lists), Status{});
    }
    EXPECT_EQ(memory.calls(), before);
}

}  // namespace
}  // namespace throng::test
