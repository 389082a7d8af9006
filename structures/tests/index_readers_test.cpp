// Any number of threads may query a structure at once. The thread sanitizer watches this with special care.
#include "gtest/gtest.h"
#include "structures/tests/finding.hpp"
#include "structures/tests/index_checks.hpp"
#include "structures/tests/index_kinds.hpp"
#include "support/thread_pool.hpp"

namespace throng::structures::test {
namespace {

class ReadIndex : public TestOfKinds {};
INSTANTIATE_TEST_SUITE_P(Of, ReadIndex, ::testing::ValuesIn(index_kinds()), name_of_kind);

TEST_P(ReadIndex, answers_several_threads_at_once_as_it_answers_one) {
    THRONG_SKIP_WITHOUT_THREADS();
    EXPECT_EQ(finding_of(check_readers, GetParam()), "");
}

}  // namespace
}  // namespace throng::structures::test
