// Half lists without distances are made of pairs that are found once, where lists are short; those with
// distances are not. They are the same lists, id by id.
#include "support/neighbour_answers.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

// Returns how many pairs there are.
std::size_t expect_the_same_half_lists(const Frame& frame, float radius) {
    NeighbourLists lists, with_distances;
    EXPECT_EQ(frame.neighbours({.radius = radius, .half = true}, lists), Status{});
    EXPECT_EQ(frame.neighbours({.radius = radius, .half = true, .distances = true}, with_distances),
              Status{});
    const ListsAsTheyAre these(lists), those(with_distances);
    EXPECT_EQ(these.offsets, those.offsets) << "radius " << radius;
    EXPECT_EQ(these.ids, those.ids) << "radius " << radius;
    return lists.ids().size();
}

// Cells from a fraction of the radius, which then reaches over many rows, to cells with far more agents than
// are copied at once.
TEST(HalfLists, are_the_same_without_distances_in_cells_of_any_size) {
    const Scene scene = make_scene("uniform", scaled(3000, 2000));
    ThreadPool pool(3);
    std::size_t pairs = 0;
    for (const Isa isa : instruction_sets())
        for (const float width : {0.0f, 0.15f, 0.6f, 3.0f, 40.0f, 4000.0f}) {
            SCOPED_TRACE("cells of " + std::to_string(width));
            Engine engine = engine_with(
                scene.agents(),
                {.executor = pool.executor(), .cell_width = width, .row_height = 2 * width, .isa = isa});
            for (const float radius : {0.5f, 2.0f, 3.0f})
                pairs += expect_the_same_half_lists(engine.frame(), radius);
        }
    EXPECT_GT(pairs, 0u);
}

// A row with very many agents has holes once some are gone.
TEST(HalfLists, are_the_same_without_distances_after_edits_of_full_rows) {
    const Scene scene = make_scene("uniform", 6000);
    Engine engine = engine_with(scene.agents(), {.cell_width = 50, .row_height = 4000});
    for (AgentId id = 0; id < 6000; id += 97) {
        ASSERT_EQ(committed(engine, engine.remove(id)), Status{});
        if (id % 5 == 0) {
            ASSERT_GT(expect_the_same_half_lists(engine.frame(), 2), 0u);
        }
    }
}

}  // namespace
}  // namespace throng::test
