// Any number of threads may ask a structure at once. The thread sanitizer watches this with special care.
#include "gtest/gtest.h"
#include "structures/index_types.hpp"
#include "structures/repeat_checks.hpp"

namespace throng::test {
namespace {

template <class Index>
class ReadIndex : public ::testing::Test {};
TYPED_TEST_SUITE(ReadIndex, Indexes);

TYPED_TEST(ReadIndex, answers_several_threads_at_once_as_it_answers_one) {
    EXPECT_EQ(finding_of(check_readers<TypeParam>), "");
}

}  // namespace
}  // namespace throng::test
