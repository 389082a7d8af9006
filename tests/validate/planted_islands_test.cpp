// `validate` finds what may be wrong with an island: a crowded place with a grid of its own.
#include "support/planted_world.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

struct IslandPlanting {
    const char* name;
    std::function<Validation(detail::FrameState& state, simd::Island& island)> plant;
};

void PrintTo(const IslandPlanting& planting, std::ostream* out) { *out << planting.name; }

Validation look_inside(const detail::FrameState& state) { return detail::validate(state, nullptr, nullptr); }

template <class T>
Validation with_planted(const detail::FrameState& state, T& place, std::type_identity_t<T> value) {
    const Planted<T> planted(place, value);
    return look_inside(state);
}

// Twenty villages of three hundred agents, far apart.
std::vector<Box> villages() {
    Random random(5);
    std::vector<Box> agents;
    for (int village = 0; village < 20; ++village) {
        const float x = random.uniform(0, 1e6f), y = random.uniform(0, 1e6f);
        for (int i = 0; i < 300; ++i)
            agents.push_back(Box::around(x + random.uniform(0, 40), y + random.uniform(0, 40), 0.5f, 0.5f));
    }
    return agents;
}

std::vector<IslandPlanting> plantings() {
    using State = detail::FrameState;
    using simd::Island;
    return {
        {"bounds_that_are_too_narrow",
         [](State& s, Island& i) { return with_planted(s, i.bounds.min_x, i.bounds.min_x + 1); }},
        {"bounds_that_are_too_wide",
         [](State& s, Island& i) {
             return with_planted(s, i.bounds.negated_max_y, i.bounds.negated_max_y - 100);
         }},
        {"the_rows_of_another",
         [](State& s, Island& i) { return with_planted(s, i.view.rows, i.view.rows + 1); }},
        {"the_tile_of_another",
         [](State& s, Island& i) { return with_planted(s, i.tile_column, i.tile_column + 1); }},
        {"a_reach_that_the_others_do_not_know",
         [](State& s, Island&) { return with_planted(s, s.cuts[0].reach_x, 0.01f); }},
    };
}

class PlantedIsland : public ::testing::TestWithParam<IslandPlanting> {};

TEST_P(PlantedIsland, is_found_and_named_and_gone_when_it_is_mended) {
    const std::vector<Box> agents = villages();
    const Frame frame = engine_with(agents, {.executor = serial_executor()}).frame();
    detail::FrameState& state = state_behind(frame);
    ASSERT_GE(state.islands.size(), 15u);
    EXPECT_EQ(look_inside(state).faults, 0u) << ::testing::PrintToString(look_inside(state));
    const Validation spoiled = GetParam().plant(state, state.islands[7]);
    EXPECT_GT(spoiled.faults, 0u);
    EXPECT_EQ(spoiled.first, Fault::island_unsound) << ::testing::PrintToString(spoiled);
    EXPECT_TRUE(look_inside(state).sound());
}

// Islands within islands: which island each is in, and what they are cut into.
TEST(PlantedInnerIsland, is_found_and_named_and_gone_when_it_is_mended) {
    const Scene scene = make_island_scene("a_city_and_its_hinterland", 6000);
    const Frame frame = engine_with(scene.boxes(), {.executor = serial_executor()}).frame();
    detail::FrameState& state = state_behind(frame);
    ASSERT_TRUE(look_inside(state).sound());
    const auto inner = std::find_if(state.islands.begin(), state.islands.end(),
                                    [](const simd::Island& island) { return island.parent != nullptr; });
    ASSERT_NE(inner, state.islands.end());
    simd::Island& outer = state.islands[static_cast<std::size_t>(inner->parent - state.islands.data())];
    const simd::Islands* home = inner->home;
    simd::Islands& cut = state.cuts[static_cast<std::size_t>(home - state.cuts.data())];
    using Parent = const simd::Island*;
    using Inner = const simd::Islands*;
    for (const Validation& spoiled :
         {with_planted(state, inner->parent, Parent{nullptr}),
          with_planted(state, inner->home, Inner{state.cuts.data()}),
          with_planted(state, outer.view.islands, Inner{nullptr}), with_planted(state, cut.reach_x, 0.0f),
          with_planted(state, outer.bounds.min_x, -outer.bounds.negated_max_x)}) {
        EXPECT_GT(spoiled.faults, 0u);
        EXPECT_EQ(spoiled.first, Fault::island_unsound) << ::testing::PrintToString(spoiled);
    }
    EXPECT_TRUE(look_inside(state).sound());
}

// Storeys of the world, and of islands.
TEST(PlantedStorey, is_found_and_named_and_gone_when_it_is_mended) {
    for (const float apart : {0.0f, 10000.0f}) {
        Random random(9);
        std::vector<Box> agents;
        std::vector<Band> heights;
        for (std::size_t i = 0; i < 6000; ++i) {
            agents.push_back(Box::around(random.uniform(0, 14) + (i % 2 == 0 ? 0 : apart),
                                         random.uniform(0, 14), 0.4f, 0.4f));
            const float base = 3 * static_cast<float>(random.below(10));
            heights.push_back({base, base + 1.8f});
        }
        Engine engine({.executor = serial_executor()});
        ASSERT_EQ(engine.update(agents, {.heights = heights}), Status{});
        const Frame frame = engine.frame();
        detail::FrameState& state = state_behind(frame);
        ASSERT_EQ(state.islands.size() != 0, apart != 0);
        const bool on_island = apart != 0;
        simd::View& view = on_island ? state.islands[0].view : state.view;
        simd::Storeys& storeys = on_island ? state.islands[0].storeys : state.storeys;
        ASSERT_EQ(view.storeys, &storeys);
        simd::View& storey = state.layers[2];
        ASSERT_TRUE(look_inside(state).sound());
        using Pointer = const simd::Storeys*;
        for (const Validation& spoiled :
             {with_planted(state, view.storeys, Pointer{nullptr}),
              with_planted(state, storeys.between_is_empty, !storeys.between_is_empty),
              with_planted(state, storey.rows, storey.rows + 1),
              with_planted(state, storey.reach_y, storey.reach_y / 2)}) {
            EXPECT_GT(spoiled.faults, 0u);
            EXPECT_EQ(spoiled.first, Fault::island_unsound) << ::testing::PrintToString(spoiled);
        }
        EXPECT_TRUE(look_inside(state).sound());
    }
}

std::string island_planting_name(const ::testing::TestParamInfo<IslandPlanting>& info) {
    return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(all, PlantedIsland, ::testing::ValuesIn(plantings()), island_planting_name);

}  // namespace
}  // namespace throng::test
