// Every structure answers as brute force does, after any calls, in every kind of world, and whatever it was
// told to expect.
#include <cfenv>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "structures/tests/finding.hpp"
#include "structures/tests/index_checks.hpp"
#include "structures/tests/index_kinds.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {
namespace {

class AnyIndex : public TestOfKinds {};
INSTANTIATE_TEST_SUITE_P(Of, AnyIndex, ::testing::ValuesIn(index_kinds()), name_of_kind);

class EditedIndex : public TestOfKinds {};
INSTANTIATE_TEST_SUITE_P(Of, EditedIndex, ::testing::ValuesIn(dynamic_index_kinds()), name_of_kind);

TEST_P(AnyIndex, answers_as_brute_force_does_after_an_assignment) {
    EXPECT_EQ(finding_of(check_all_assignments, GetParam()), "");
}

TEST_P(EditedIndex, answers_as_brute_force_does_after_any_history) {
    EXPECT_EQ(finding_of(check_all_histories, GetParam()), "");
}

#if defined(__x86_64__)
// Hosts of physics and sound flush them, and most also take them for zero in comparisons. Under the mode that
// only flushes, they still differ from zero in comparisons.
TEST_P(AnyIndex, answers_as_brute_force_does_where_there_are_no_subnormals) {
    const unsigned before = _mm_getcsr();
    for (const unsigned flushed : {0x8000u, 0x8040u}) {
        _mm_setcsr(before | flushed);
        const std::string found =
            finding_of(GetParam().dynamic ? check_all_histories : check_all_assignments, GetParam());
        _mm_setcsr(before);
        EXPECT_EQ(found, "") << flushed;
    }
}
#endif

TEST_P(AnyIndex, is_right_and_bounded_in_the_worst_worlds) {
    EXPECT_EQ(finding_of(check_degenerate_worlds, GetParam()), "");
}

TEST_P(EditedIndex, is_right_and_bounded_in_the_worst_worlds_made_by_edits) {
    EXPECT_EQ(finding_of(check_degenerate_worlds_by_edits, GetParam()), "");
}

// As long as the mode stays what it was when the structure was made.
void rounded_either_way(void (*check)(const IndexKind&), const IndexKind& kind) {
    for (const int rounding : {FE_UPWARD, FE_DOWNWARD}) {
        std::fesetround(rounding);
        const std::string found = finding_of(check, kind);
        std::fesetround(FE_TONEAREST);
        EXPECT_EQ(found, "") << rounding;
    }
}

TEST_P(AnyIndex, is_right_in_the_worst_worlds_under_every_rounding_mode) {
    rounded_either_way(check_small_degenerate_worlds, GetParam());
}

TEST_P(EditedIndex, loses_nothing_by_edits_under_another_rounding_mode) {
    EXPECT_EQ(finding_of(check_edits_under_other_modes, GetParam()), "");
}

TEST_P(EditedIndex, is_right_in_the_worst_worlds_made_by_edits_under_every_rounding_mode) {
    rounded_either_way(check_small_degenerate_worlds_by_edits, GetParam());
}

}  // namespace
}  // namespace throng::structures::test
