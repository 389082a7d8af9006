// Every structure answers as brute force does, whatever was done to it before, in every kind of world and
// whatever it was told to expect.
#include <cfenv>
#include <string>

#include "gtest/gtest.h"
#include "structures/degenerate_checks.hpp"
#include "structures/history_checks.hpp"
#include "structures/index_types.hpp"

namespace throng::test {
namespace {

template <class Index>
class AnyIndex : public ::testing::Test {};
TYPED_TEST_SUITE(AnyIndex, Indexes);

template <class Index>
class EditedIndex : public ::testing::Test {};
TYPED_TEST_SUITE(EditedIndex, DynamicIndexes);

TYPED_TEST(AnyIndex, answers_as_brute_force_does_after_an_assignment) {
    EXPECT_EQ(finding_of(check_all_assignments<TypeParam>), "");
}

TYPED_TEST(EditedIndex, answers_as_brute_force_does_after_any_history) {
    EXPECT_EQ(finding_of(check_all_histories<TypeParam>), "");
}

TYPED_TEST(AnyIndex, is_right_and_bounded_in_the_worst_worlds) {
    EXPECT_EQ(finding_of(check_degenerate_worlds<TypeParam>), "");
}

TYPED_TEST(EditedIndex, is_right_and_bounded_in_the_worst_worlds_made_by_edits) {
    EXPECT_EQ(finding_of(check_degenerate_worlds_by_edits<TypeParam>), "");
}

// As long as it stays what it was when the structure was made.
template <class Check>
void rounded_either_way(Check&& check) {
    for (const int rounding : {FE_UPWARD, FE_DOWNWARD}) {
        std::fesetround(rounding);
        const std::string found = finding_of(check);
        std::fesetround(FE_TONEAREST);
        EXPECT_EQ(found, "") << rounding;
    }
}

TYPED_TEST(AnyIndex, is_right_in_the_worst_worlds_whichever_way_numbers_are_rounded) {
    rounded_either_way(check_degenerate_worlds<TypeParam>);
}

TYPED_TEST(EditedIndex, is_right_in_the_worst_worlds_made_by_edits_whichever_way_numbers_are_rounded) {
    rounded_either_way(check_degenerate_worlds_by_edits<TypeParam>);
}

}  // namespace
}  // namespace throng::test
