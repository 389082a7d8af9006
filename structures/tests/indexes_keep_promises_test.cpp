// What all structures promise besides right answers: what they refuse, how they call visitors, and that the
// same history leads to the same answers in the same order.
#include "gtest/gtest.h"
#include "structures/tests/finding.hpp"
#include "structures/tests/index_checks.hpp"
#include "structures/tests/index_kinds.hpp"

namespace throng::structures::test {
namespace {

class AnyIndexPromises : public TestOfKinds {};
INSTANTIATE_TEST_SUITE_P(Of, AnyIndexPromises, ::testing::ValuesIn(index_kinds()), name_of_kind);

TEST_P(AnyIndexPromises, to_work_or_to_refuse_for_any_expectation) {
    EXPECT_EQ(finding_of(check_odd_expectations, GetParam()), "");
}

TEST_P(AnyIndexPromises, to_refuse_extents_without_a_meaning) {
    EXPECT_EQ(finding_of(check_bad_extents, GetParam()), "");
}

TEST_P(AnyIndexPromises, to_be_unchanged_by_what_it_refuses) {
    EXPECT_EQ(finding_of(check_refusals, GetParam()), "");
}

TEST_P(AnyIndexPromises, to_call_every_visitor_in_one_order_as_long_as_it_wants) {
    EXPECT_EQ(finding_of(check_visits, GetParam()), "");
}

TEST_P(AnyIndexPromises, the_same_answers_to_the_same_history) {
    EXPECT_EQ(finding_of(check_determinism, GetParam()), "");
}

}  // namespace
}  // namespace throng::structures::test
