// Every structure takes its memory from the resource alone, counts it, does without where there is none, and
// takes no more for the same work again.
#include <type_traits>

#include "gtest/gtest.h"
#include "structures/index_types.hpp"
#include "structures/memory_checks.hpp"
#include "structures/planted_index.hpp"
#include "structures/steady_checks.hpp"
#include "structures/wandering_checks.hpp"
#include "support/global_allocations.hpp"

namespace throng::test {
namespace {

// Brute force takes its memory from the global heap and is left out; in its place others may come first.
template <class Before, class... Left>
struct Accountable {
    using Types = Before;
};
template <class... Before, class Index, class... Left>
struct Accountable<::testing::Types<Before...>, Index, Left...>
    : Accountable<std::conditional_t<std::is_same_v<Index, oracle::BruteIndex>, ::testing::Types<Before...>,
                                     ::testing::Types<Before..., Index>>,
                  Left...> {};
template <class Types, class... First>
struct AllBut;
template <class... All, class... First>
struct AllBut<::testing::Types<All...>, First...> : Accountable<::testing::Types<First...>, All...> {};

using WithoutBruteForce = AllBut<Indexes>::Types;
using AndThePlanted = AllBut<Indexes, PlantedIndex<false>>::Types;

template <class Index>
class IndexMemory : public ::testing::Test {};
TYPED_TEST_SUITE(IndexMemory, AndThePlanted);

TYPED_TEST(IndexMemory, is_of_the_resource_and_counted) {
    EXPECT_EQ(finding_of(check_accounts<TypeParam>), "");
}

TYPED_TEST(IndexMemory, is_never_of_the_global_heap) {
    EXPECT_EQ(finding_of([] { check_the_global_heap<TypeParam>(global_allocations); }), "");
}

TYPED_TEST(IndexMemory, may_run_out_anywhere_without_a_change) {
    EXPECT_EQ(finding_of(check_out_of_memory<TypeParam>), "");
}

TYPED_TEST(IndexMemory, goes_along_when_the_structure_is_moved) {
    EXPECT_EQ(finding_of(check_moves_of_the_structure<TypeParam>), "");
}

TYPED_TEST(IndexMemory, is_enough_for_the_same_work_again) {
    EXPECT_EQ(finding_of([] { check_steady_state<TypeParam>(global_allocations); }), "");
}

// Not the planted one, which compares everybody with everybody: it is put to this where its faults are
// (planted_faults_test.cpp).
template <class Index>
class WanderingIndexMemory : public ::testing::Test {};
TYPED_TEST_SUITE(WanderingIndexMemory, WithoutBruteForce);

TYPED_TEST(WanderingIndexMemory, is_enough_for_a_crowd_that_never_does_the_same_twice) {
    EXPECT_EQ(finding_of([] { check_wandering_crowds<TypeParam>(global_allocations); }), "");
}

}  // namespace
}  // namespace throng::test
