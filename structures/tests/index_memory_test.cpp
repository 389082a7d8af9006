// Every structure takes its memory from the resource alone, counts it, reports it if there is none, and takes
// no more for the same work again.
#include "structures/tests/finding.hpp"
#include "structures/tests/index_checks.hpp"
#include "structures/tests/index_kinds.hpp"
#include "structures/tests/test.hpp"
#include "structures/tests/worlds.hpp"
#include "support/global_allocations.hpp"

namespace throng::structures::test {
namespace {

// Brute force takes its memory from the global heap.
std::vector<IndexKind> kinds_that_use_the_resource() {
    std::vector<IndexKind> kinds = index_kinds();
    std::erase_if(kinds, [](const IndexKind& kind) { return !kind.uses_the_resource; });
    return kinds;
}

class IndexMemory : public TestOfKinds {};
INSTANTIATE_TEST_SUITE_P(Of, IndexMemory, ::testing::ValuesIn(kinds_that_use_the_resource()), name_of_kind);

TEST_P(IndexMemory, is_of_the_resource_and_counted) { EXPECT_EQ(finding_of(check_accounts, GetParam()), ""); }

TEST_P(IndexMemory, is_never_of_the_global_heap) {
    EXPECT_EQ(finding_of(check_the_global_heap, GetParam(), global_allocations), "");
}

// After `assign` of a whole crowd in each frame, and with the work space of `pairs`.
TEST_P(IndexMemory, is_no_more_than_the_structure_says_of_itself) {
    constexpr std::size_t count = 40'000;
    CountingResource memory;
    const std::vector<Box> crowd = even_crowd(count, 400, 1);
    const std::unique_ptr<AnySpatialIndex> index = GetParam().make(expected_of(crowd), &memory);
    for (std::uint64_t frame = 1; frame < 4; ++frame) {
        const std::vector<Box> boxes = even_crowd(count, 400, frame);
        ASSERT_TRUE(index->assign(Boxes::of(boxes)));
        ASSERT_TRUE(index->for_each_pair([](Pair) {}));
    }
    EXPECT_LE(static_cast<double>(memory.bytes_out()) / count, GetParam().max_bytes_in_a_crowd);
}

TEST_P(IndexMemory, may_run_out_anywhere_without_a_change) {
    EXPECT_EQ(finding_of(check_out_of_memory, GetParam()), "");
}

TEST_P(IndexMemory, goes_along_when_the_structure_is_moved) {
    EXPECT_EQ(finding_of(check_moves_of_the_structure, GetParam()), "");
}

TEST_P(IndexMemory, is_enough_for_the_same_work_again) {
    EXPECT_EQ(finding_of(check_steady_state, GetParam(), global_allocations), "");
}

TEST_P(IndexMemory, is_enough_for_a_crowd_that_never_does_the_same_twice) {
    EXPECT_EQ(finding_of(check_wandering_crowds, GetParam(), global_allocations), "");
}

}  // namespace
}  // namespace throng::structures::test
