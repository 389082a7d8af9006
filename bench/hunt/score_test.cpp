// What a world's costs are compared with.
#include "bench/hunt/score.hpp"

#include "gtest/gtest.h"

namespace throng::hunt {
namespace {

constexpr Moment first{};

// A crowd whose queries of own size take 8 for two answers, and larger ones 20 for nineteen.
Costs crowd() {
    Costs costs;
    costs.took({Operation::small, first, 800, 100, 200});
    costs.took({Operation::wide, first, 200, 10, 190});
    return costs;
}

TEST(Score, is_the_cost_of_a_query_and_answer_over_that_in_the_crowd) {
    EXPECT_DOUBLE_EQ(score_of({Operation::wide, first, 600, 10, 190}, crowd()).ratio, 3);
    EXPECT_DOUBLE_EQ(score_of({Operation::wide, first, 6000, 10, 1990}, crowd()).ratio, 3);
    EXPECT_DOUBLE_EQ(score_of({Operation::small, first, 800, 100, 0}, crowd()).ratio, 3);
}

TEST(Score, of_larger_queries_with_few_answers_is_over_the_cost_of_queries_of_own_size) {
    EXPECT_DOUBLE_EQ(score_of({Operation::wide, first, 240, 10, 0}, crowd()).ratio, 3);
    EXPECT_DOUBLE_EQ(score_of({Operation::wide, first, 240, 10, 20}, crowd()).ratio, 3);
}

// What was stopped is compared with as many answers as were expected.
TEST(Score, knows_what_a_crowd_would_take_for_so_many_answers) {
    EXPECT_DOUBLE_EQ(crowd().expected(Operation::wide, Phase::first, 10, 9990), 10000);
    EXPECT_DOUBLE_EQ(crowd().expected(Operation::wide, Phase::first, 10, 0), 80);
    EXPECT_DOUBLE_EQ(crowd().expected(Operation::pairs, Phase::first, 10, 0), 0);
}

}  // namespace
}  // namespace throng::hunt
