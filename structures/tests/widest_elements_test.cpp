// Elements and worlds wider than the largest float are legal. Numbers computed from them must not be
// converted to an integer if they are not a number, which the undefined behaviour sanitizer watches. The
// answers are those of brute force.
#include "structures/tests/test.hpp"
#include "throng/structures/grid_hierarchy.hpp"
#include "throng/structures/loose_grid.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"
#include "throng/structures/uniform_grid.hpp"
#include "worlds/scenes/widest_worlds.hpp"

namespace throng::structures::test {
namespace of_widest_elements {

template <class Index>
void expect_found(const WidestWorld& world, const char* structure) {
    Index index(Index::recommended({.extents = {-largest_float, -largest_float, largest_float, largest_float},
                                    .elements = world.boxes.size(),
                                    .typical_size = largest_float,
                                    .largest_size = largest_float}));
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

TEST(WidestElements, are_kept_and_found) {
    for (const WidestWorld& world : widest_worlds(60)) {
        expect_found<GridHierarchy>(world, "hierarchy of grids");
        expect_found<LooseGrid>(world, "loose grid");
        expect_found<LooseQuadtree>(world, "loose quadtree");
        expect_found<Quadtree>(world, "quadtree");
        expect_found<RowGrid>(world, "row grid");
        expect_found<StaticIndex>(world, "static index");
        expect_found<UniformGrid>(world, "uniform grid");
    }
}

}  // namespace of_widest_elements
}  // namespace throng::structures::test
