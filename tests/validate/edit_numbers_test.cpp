// Edits have numbers that go on from commit to commit, so that old edits are not taken for new ones.
#include "support/planted_world.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

TEST(StagedEdits, are_told_from_those_of_before_where_numbers_begin_anew) {
    PlantedWorld world;
    detail::Staging& table = world.table();
    table.discard();
    table.number_from(0x7FFFFFFFu);
    const Box box{1, 1, 2, 2};
    const std::array<Box, 2> boxes{box, box};
    const std::array<AgentId, 2> before{10, 20}, now{30, 10};
    ASSERT_EQ(table.move(before.data(), Boxes::of(boxes)), Status{});
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(table.edit_of_agent(before[i]), &table.edits()[i]);
    table.published_from_scratch();
    for (const AgentId id : before) EXPECT_EQ(table.edit_of_agent(id), nullptr);
    ASSERT_EQ(table.move(now.data(), Boxes::of(boxes)), Status{});
    for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(table.edit_of_agent(now[i]), &table.edits()[i]);
    EXPECT_EQ(table.edit_of_agent(20), nullptr);
}

}  // namespace
}  // namespace throng::test
