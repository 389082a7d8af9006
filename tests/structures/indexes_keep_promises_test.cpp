// What all structures promise besides right answers: what they refuse, how they call visitors, and that the
// same history leads to the same answers in the same order.
#include "gtest/gtest.h"
#include "structures/degenerate_checks.hpp"
#include "structures/index_types.hpp"
#include "structures/refusal_checks.hpp"
#include "structures/repeat_checks.hpp"
#include "structures/visit_checks.hpp"

namespace throng::test {
namespace {

template <class Index>
class AnyIndexPromises : public ::testing::Test {};
TYPED_TEST_SUITE(AnyIndexPromises, Indexes);

TYPED_TEST(AnyIndexPromises, to_work_or_to_refuse_whatever_it_is_to_expect) {
    EXPECT_EQ(finding_of(check_odd_expectations<TypeParam>), "");
}

TYPED_TEST(AnyIndexPromises, to_refuse_extents_without_a_meaning) {
    EXPECT_EQ(finding_of(check_bad_extents<TypeParam>), "");
}

TYPED_TEST(AnyIndexPromises, to_be_unchanged_by_what_it_refuses) {
    EXPECT_EQ(finding_of(check_refusals<TypeParam>), "");
}

TYPED_TEST(AnyIndexPromises, to_call_every_visitor_in_one_order_as_long_as_it_wants) {
    // Brute force is not made of parts.
    constexpr bool lists_parts = !std::is_same_v<TypeParam, oracle::BruteIndex>;
    EXPECT_EQ(finding_of([] { check_visits<TypeParam>(lists_parts); }), "");
}

TYPED_TEST(AnyIndexPromises, the_same_answers_to_the_same_history) {
    EXPECT_EQ(finding_of(check_determinism<TypeParam>), "");
}

}  // namespace
}  // namespace throng::test
