// A frame may be made under one rounding mode and queried under another, by any thread. Boxes are compared
// without arithmetic, so brute force gives the same answers under all modes.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "gtest/gtest.h"
#include "support/answers.hpp"
#include "support/instruction_sets.hpp"
#include "support/printing.hpp"
#include "support/rounding.hpp"
#include "support/scale.hpp"
#include "throng/engine.hpp"
#include "worlds/scenes/island_worlds.hpp"
#include "worlds/scenes/scenes.hpp"

namespace throng::test {
namespace {

struct RoundedWorld {
    const char* name;
    std::vector<Box> agents;
    EngineConfig config;
};

// As wide as the floats, so that distances in it overflow.
std::vector<Box> widest(std::size_t count, float size) {
    std::mt19937 random(3);
    const auto anywhere = [&] { return (static_cast<float>(random() % 20001) / 10000 - 1) * 3e38f; };
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < count; ++i) {
        const float x = anywhere(), y = anywhere();
        boxes.push_back({x, y, x + size, y + size});
    }
    return boxes;
}

// Edges on the edges of thousands of cells, and right beside them, far from the origin of the world.
std::vector<Box> on_cell_edges(std::size_t count) {
    std::mt19937 random(5);
    std::vector<Box> boxes;
    const auto edge = [&](std::uint32_t cells) {
        const float at = 1000.3f + 0.7f * static_cast<float>(random() % cells);
        const auto side = random() % 3;
        return side == 0 ? at : std::nextafter(at, side == 1 ? 0.0f : 1e9f);
    };
    for (std::size_t i = 0; i < count; ++i) {
        const float x = edge(40000), y = edge(40);
        boxes.push_back({x, y, std::nextafter(x + 0.7f, 0.0f), y + 0.7f});
    }
    return boxes;
}

std::vector<RoundedWorld> rounded_worlds() {
    std::vector<RoundedWorld> all;
    const std::size_t some = scaled(900, 400);
    all.push_back({"the widest", widest(some, 1e36f), {}});
    all.push_back({"the widest, all of them giants", widest(some, 1e36f), {.common_size = 1e30f}});
    all.push_back({"edges of chosen cells", on_cell_edges(some), {}});
    all.push_back({"edges of given cells", on_cell_edges(some), {.cell_width = 0.7f, .row_height = 0.7f}});
    for (const char* scene : {"inexact_cell_edges", "lattice", "huge_numbers", "mixed_sizes", "any_numbers"})
        all.push_back({scene, make_scene(scene, some).agents(), {}});
    return all;
}

std::vector<Box> corners_of(const std::vector<Box>& agents) {
    std::vector<Box> corners;
    for (std::size_t i = 0; i < agents.size(); i += 3) {
        const Box& b = agents[i];
        corners.push_back({b.max_x, b.max_y, b.max_x, b.max_y});
        corners.push_back({b.min_x, b.min_y, b.min_x, b.min_y});
        corners.push_back(b);
    }
    return corners;
}

void expect_same_under_all(const RoundedWorld& world, const std::vector<Box>& queries,
                           const std::vector<Isa>& sets = instruction_sets()) {
    const ExpectedAnswers expected = expect(twin_with(world.agents).frame(), queries);
    for (const Isa isa : sets)
        for (const int made : rounding_modes) {
            EngineConfig config = world.config;
            config.executor = serial_executor();
            config.isa = isa;
            Engine engine(config);
            {
                const Rounding rounding(made);
                ASSERT_EQ(engine.update(Boxes::of(world.agents)), Status{});
            }
            for (const int asked : rounding_modes) {
                const Rounding rounding(asked);
                ASSERT_TRUE(answers_as(engine.frame(), expected))
                    << world.name << ", made under " << made << ", asked under " << asked << ", "
                    << to_string(isa);
            }
        }
}

TEST(RoundingModes, of_making_and_of_asking_need_not_be_the_same) {
    for (const RoundedWorld& world : rounded_worlds()) expect_same_under_all(world, corners_of(world.agents));
}

TEST(RoundingModes, need_not_be_the_same_for_large_queries) {
    const std::vector<Box> agents = on_cell_edges(scaled(2000, 700));
    std::vector<Box> large;
    for (std::size_t i = 0; i + 1 < agents.size(); i += 40) {
        const Box &a = agents[i], &b = agents[i + 1];
        large.push_back({std::min(a.max_x, b.max_x), std::min(a.max_y, b.max_y), std::max(a.min_x, b.min_x),
                         std::max(a.min_y, b.min_y)});
        if (large.back().min_x > large.back().max_x || large.back().min_y > large.back().max_y)
            large.pop_back();
    }
    expect_same_under_all({"large queries", agents, {.cell_width = 0.7f, .row_height = 0.7f}}, large);
}

TEST(RoundingModes, need_not_be_the_same_where_there_are_islands) {
    std::size_t worlds = scale() < 0.1 ? 3 : island_recipes().size();
    for (const SceneRecipe& recipe : island_recipes()) {
        if (worlds-- == 0) break;
        const std::vector<Box> agents = Scene(recipe, enough_for_islands, 1).agents();
        Engine engine = engine_with(agents, {.executor = serial_executor()});
        EXPECT_GT(engine.frame().tuning().islands, 0u) << recipe.name;
        std::vector<Box> queries = corners_of(agents);
        queries.resize(scaled(200, 20));
        expect_same_under_all({recipe.name, agents, {}}, queries, {best_isa()});
    }
}

// Under some modes a square that is too large for a float becomes the largest float, and never infinite.
TEST(RoundingModes, need_not_be_the_same_where_squares_are_too_large) {
    std::vector<Box> agents{{1e30f, 0, 1e30f, 1}, {-3e30f, 5, 0, 6}};
    for (float x = 0; x < 50; ++x) agents.push_back({x, 0, x + 0.5f, 1});
    const std::vector<Circle> circles(3, {.x = 1, .y = 1, .radius = 1e25f});
    const ThickSegment segment{.from = {0, 0}, .to = {1, 0}, .radius = 1e25f};
    const std::vector<Point> points(3);
    for (const Isa isa : instruction_sets()) {
        Engine engine = engine_with(agents, {.executor = serial_executor(), .isa = isa});
        for (const int mode : rounding_modes) {
            const Rounding rounding(mode);
            const auto expect_all = [&](const auto& wanted) {
                NeighbourLists lists, of_points;
                ASSERT_EQ(engine.frame().neighbours(wanted, lists), Status{});
                ASSERT_EQ(engine.frame().neighbours(points, wanted, of_points), Status{});
                EXPECT_EQ(lists[0].size(), 51u) << mode << ", " << to_string(isa);
                EXPECT_EQ(of_points[2].size(), 52u) << mode << ", " << to_string(isa);
            };
            expect_all(Nearest{.count = 64});
            expect_all(Within{.radius = 1e25f});
            OverlapLists hits;
            ASSERT_EQ(engine.frame().overlaps(circles, hits), Status{});
            EXPECT_EQ(hits[2].size(), 52u) << mode << ", " << to_string(isa);
            EXPECT_EQ(engine.frame().count(circles[0]).total, 52u) << mode << ", " << to_string(isa);
            EXPECT_EQ(engine.frame().count(segment).total, 52u) << mode << ", " << to_string(isa);
        }
    }
}

std::size_t missing_in(const NeighbourLists& kept, const NeighbourLists& wanted) {
    std::size_t missing = 0;
    for (std::size_t i = 0; i < wanted.size(); ++i)
        for (const AgentId other : wanted[i])
            missing += std::find(kept[i].begin(), kept[i].end(), other) == kept[i].end();
    return missing;
}

// Where floats are coarse, centres differ from mode to mode by as much as agents move.
TEST(RoundingModes, need_not_be_the_same_from_call_to_call_of_kept_neighbours) {
    std::mt19937 random(7);
    const auto place = [&] { return 4194304.0f + static_cast<float>(random() % 20000) / 1000; };
    for (const float skin : {0.0f, 0.1f, 0.5f}) {
        Engine engine({.executor = serial_executor()});
        KeptNeighbours kept({.radius = 1, .skin = skin});
        std::vector<Box> agents(400);
        for (int frame = 0; frame < 8; ++frame) {
            for (std::size_t i = 0; i < agents.size(); i += frame == 0 ? 1 : 50) {
                const float x = place(), y = place();
                agents[i] = {x, y, x + 0.3f, y + 0.3f};
            }
            ASSERT_EQ(engine.update(agents), Status{});
            for (const int mode : rounding_modes) {
                const Rounding rounding(mode);
                NeighbourLists wanted;
                ASSERT_EQ(kept.update(engine.frame()), Status{});
                ASSERT_EQ(engine.frame().neighbours({.radius = 1}, wanted), Status{});
                ASSERT_EQ(missing_in(kept.lists(), wanted), 0u) << "skin " << skin << ", mode " << mode;
            }
        }
    }
}

#if defined(__x86_64__)
bool has_subnormals(const std::vector<Box>& boxes) {
    const auto subnormal = [](float at) { return std::fpclassify(at) == FP_SUBNORMAL; };
    return std::any_of(boxes.begin(), boxes.end(), [&](const Box& b) {
        return subnormal(b.min_x) || subnormal(b.min_y) || subnormal(b.max_x) || subnormal(b.max_y);
    });
}

// Where no coordinate is a subnormal, no answer may depend on whether they are flushed to zero.
TEST(FlushingSubnormals, while_asking_a_frame_that_was_made_without_changes_nothing) {
    const unsigned before = _mm_getcsr();
    std::size_t looked_at = 0;
    for (const unsigned made : {0u, 0x8040u})
        for (const RoundedWorld& world : rounded_worlds()) {
            if (has_subnormals(world.agents)) continue;
            ++looked_at;
            const ExpectedAnswers expected =
                expect(twin_with(world.agents).frame(), corners_of(world.agents));
            Engine engine({.executor = serial_executor()});
            _mm_setcsr(before | made);
            EXPECT_EQ(engine.update(Boxes::of(world.agents)), Status{});
            _mm_setcsr(before | (made ^ 0x8040u));
            EXPECT_TRUE(answers_as(engine.frame(), expected)) << world.name << ", made with " << made;
            _mm_setcsr(before);
        }
    EXPECT_GE(looked_at, 10u);
}
#endif

}  // namespace
}  // namespace throng::test
