// Boxes and worlds wider than the largest float are legal. What is computed from them may be infinite, and
// infinite times nothing is no number: none of it may become an integer, which the undefined behaviour
// sanitizer watches, and the answers are those of brute force.
#include <random>

#include "support/test.hpp"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"

namespace throng::test {
namespace {

constexpr float far = 3e38f, largest = 3.402823466e+38f;

struct World {
    const char* name;
    std::vector<Box> boxes;
};

std::vector<World> worlds(std::size_t count) {
    std::vector<World> all = {
        {"wide and flat", {}},   {"tall and thin", {}},        {"a cross of both", {}},
        {"larger than all", {}}, {"points everywhere", {}},    {"among a crowd", {}},
        {"flat and finite", {}}, {"both corners at once", {}}, {"wide, on one line", {}}};
    std::mt19937 random(11);
    const auto anywhere = [&] { return (static_cast<float>(random() % 20001) / 10000 - 1) * far; };
    for (std::size_t i = 0; i < count; ++i) {
        const auto n = static_cast<float>(i);
        all[0].boxes.push_back({-far, n, far, n});
        all[1].boxes.push_back({n, -far, n, far});
        all[2].boxes.push_back(i % 2 == 0 ? all[0].boxes.back() : all[1].boxes.back());
        all[3].boxes.push_back({-largest, -largest, largest, largest});
        const float x = anywhere(), y = anywhere();
        all[4].boxes.push_back({x, y, x, y});
        all[5].boxes.push_back(i % 8 == 0 ? all[i / 8 % 3].boxes.back() : Box::around(n, n, 1, 1));
        all[6].boxes.push_back({-1e38f, n, 1e38f, n});
        all[7].boxes.push_back(i % 2 == 0 ? Box{-largest, -largest, -far, -far}
                                          : Box{far, far, largest, largest});
        all[8].boxes.push_back({-far, 5, far, 5});
    }
    return all;
}

std::vector<Box> queries_of(const World& world) {
    std::vector<Box> queries = {{-largest, -largest, largest, largest},
                                {0, 0, 1, 1},
                                {far, far, largest, largest},
                                {-largest, 3, largest, 3},
                                {3, -largest, 3, largest}};
    for (std::size_t i = 0; i < world.boxes.size(); i += 7) queries.push_back(world.boxes[i]);
    return queries;
}

TEST(WidestBoxes, are_kept_and_found) {
    for (const std::size_t count : {std::size_t{1}, std::size_t{40}, scaled(1200, 300)})
        for (const World& world : worlds(count)) {
            const ExpectedAnswers expected = expect(twin_with(world.boxes).frame(), queries_of(world));
            for (const EngineConfig& config :
                 {EngineConfig{}, EngineConfig{.cell_width = 1, .row_height = 1},
                  EngineConfig{.common_size = 1},
                  EngineConfig{.cell_width = 1e30f, .row_height = 1e30f, .common_size = 1e30f}}) {
                Engine engine(config);
                for (int frame = 0; frame < 2; ++frame) {
                    ASSERT_EQ(engine.update(Boxes::of(world.boxes)), Status{}) << world.name;
                    ASSERT_TRUE(answers_as(engine.frame(), expected)) << world.name << ", " << count;
                }
                EXPECT_TRUE(engine.validate().sound()) << world.name;
                ASSERT_EQ(engine.move(0, world.boxes.back()), Status{});
                ASSERT_EQ(committed(engine, engine.move(0, world.boxes[0])), Status{});
                ASSERT_TRUE(answers_as(engine.frame(), expected)) << world.name << ", after an edit";
            }
        }
}

template <class Index>
void expect_found(const World& world, const char* structure) {
    Index index(Index::recommended({.extents = {-largest, -largest, largest, largest},
                                    .elements = world.boxes.size(),
                                    .typical_size = largest,
                                    .largest_size = largest}));
    if (!index.status().ok()) return;
    // A uniform grid has a largest size, and refuses what is beyond.
    if (!index.assign(Boxes::of(world.boxes)).ok()) return;
    for (const Box& query : queries_of(world)) {
        std::size_t found = 0, expected = 0;
        for (const Box& element : world.boxes) expected += element.overlaps(query);
        ASSERT_EQ(index.for_each_overlap(query, [&](ElementId) { ++found; }), Status{});
        if (answers_are_candidates<Index>)
            ASSERT_GE(found, expected) << structure << ", " << world.name;
        else
            ASSERT_EQ(found, expected) << structure << ", " << world.name;
    }
    EXPECT_TRUE(index.validate().sound()) << structure << ", " << world.name;
}

TEST(WidestBoxes, are_kept_and_found_by_the_small_structures) {
    for (const World& world : worlds(60)) {
        expect_found<GridHierarchy>(world, "hierarchy of grids");
        expect_found<LooseGrid>(world, "loose grid");
        expect_found<LooseQuadtree>(world, "loose quadtree");
        expect_found<Quadtree>(world, "quadtree");
        expect_found<RowGrid>(world, "row grid");
        expect_found<StaticIndex>(world, "static index");
        expect_found<UniformGrid>(world, "uniform grid");
    }
}

}  // namespace
}  // namespace throng::test
