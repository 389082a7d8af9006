// Most partners of an agent are among the few that follow it in its row. How many agents are in the columns
// that it can reach decides whether there may be more. Here all of them are in the very last column.
//
//     column   1    2    3    4    5
//              [i--------------------]         one agent, which reaches just into column 5
//                                  [pile       twenty agents that begin where column 5 does
#include "support/test.hpp"

namespace throng::test {
namespace {

constexpr float cell = 10;

Box along(bool column, float begin, float length) {
    return column ? Box{5, begin, 5.5f, begin + length} : Box{begin, 5, begin + length, 5.5f};
}

void expect_all_pairs(bool column) {
    for (const float over : {0.01f, 0.2f, 5.0f, 9.9f})
        for (const int columns : {1, 2, 3, 7}) {
            // All have one length, so that none is set aside as too large.
            const float length = cell * static_cast<float>(columns) + over;
            std::vector<Box> agents(20, along(column, 50 + cell * 4, length));
            agents.push_back(along(column, 50 + cell * 4 - length + over / 2, length));
            agents.push_back(along(column, 0, length));
            agents.push_back(along(column, 300, length));

            const ExpectedAnswers expected = expect(twin_with(agents).frame(), agents);
            for (const Isa isa : instruction_sets()) {
                Engine engine = engine_with(
                    agents,
                    {.executor = serial_executor(), .cell_width = cell, .row_height = cell, .isa = isa});
                ASSERT_EQ(engine.frame().tuning().oversized, 0u);
                EXPECT_TRUE(answers_as(engine.frame(), expected)) << columns << " columns and " << over;
            }
        }
}

TEST(CrowdedColumns, lose_no_partner_at_the_far_end_of_an_agents_reach) { expect_all_pairs(false); }

TEST(CrowdedColumns, lose_no_partner_at_the_upper_end_of_an_agents_reach) { expect_all_pairs(true); }

}  // namespace
}  // namespace throng::test
