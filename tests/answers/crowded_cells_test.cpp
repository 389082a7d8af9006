// Very many agents in one cell: a search that touches few or none looks at few. piles_test.cpp tests what it
// finds.
#include "answers/pile_worlds.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

void expect_few_steps(const Frame& frame, const char* name) {
    for (const float d : {0.02f, 0.3f, 5.0f, 50.0f, 5e4f})
        for (const Box& box : {pile_box.moved(1 + d, 0), pile_box.moved(-1 - d, 0), pile_box.moved(0, 1 + d),
                               pile_box.moved(0, -1 - d)})
            for (const Filter& filter : {Filter{}, Filter{.self = 7}}) {
                const Box thin = Box::around(box.centre().x, box.centre().y, 0.5f, 0.5f);
                for (const Explain& cost :
                     {frame.explain(thin, {filter}),
                      frame.explain(Shape(Circle{box.centre().x, box.centre().y, 0.5f}), {filter})}) {
                    ASSERT_EQ(cost.status, Status{});
                    ASSERT_LE(cost.tested, 2000 + 600 * cost.hits) << name << " at " << d;
                }
            }
}

// A pile that single edits left in pieces counts as well.
TEST(CrowdedCell, is_not_looked_at_by_a_search_beside_it) {
    for (const PileWorld& world : pile_worlds(100'000)) {
        Engine engine({.executor = serial_executor()});
        ASSERT_EQ(engine.update(world.boxes), Status{});
        expect_few_steps(engine.frame(), world.name);
        for (AgentId id = 0; id < 20; ++id) {
            ASSERT_EQ(engine.move(4000 * id, world.boxes[4000 * id].moved(0.001f, 0)), Status{});
            ASSERT_EQ(engine.commit(), Status{});
        }
        expect_few_steps(engine.frame(), world.name);
    }
}

// Of 100,000, a search that touches one of them looks at the chunk where it is.
TEST(CrowdedCell, is_looked_at_where_an_agent_stands_apart) {
    std::vector<Box> boxes(100'000, pile_box);
    boxes[51'234] = pile_box.moved(0.5f, 0.5f);
    const Frame frame = engine_with(boxes).frame();
    const Explain cost = frame.explain(Box{4.2f, 5.2f, 4.3f, 5.3f});
    EXPECT_EQ(cost.hits, 1u);
    EXPECT_LE(cost.tested, 2000u);
}

}  // namespace
}  // namespace throng::test
