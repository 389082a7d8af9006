#include "base/bits/hierarchical_bitset.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using Indices = std::vector<std::size_t>;
constexpr std::size_t npos = HierarchicalBitset::npos;

HierarchicalBitset set_of(std::size_t size, const Indices& indices) {
    HierarchicalBitset set;
    EXPECT_TRUE(set.resize(size));
    for (const std::size_t i : indices) EXPECT_TRUE(set.set(i));
    return set;
}

Indices elements(const HierarchicalBitset& set) {
    Indices all;
    set.for_each([&](std::size_t i) { all.push_back(i); });
    return all;
}

// A set shows its words only for reading, so a fault is planted behind its back.
void spoil(const HierarchicalBitset& set, unsigned level, std::size_t word, std::uint64_t bits) {
    const_cast<std::uint64_t&>(set.words(level)[word]) ^= bits;
}

TEST(HierarchicalBitset, that_was_never_sized_holds_nothing_and_refuses_all) {
    HierarchicalBitset set;
    EXPECT_EQ(set.size(), 0u);
    EXPECT_EQ(set.bytes(), 0u);
    EXPECT_EQ(set.levels(), 0u);
    EXPECT_FALSE(set.set(0));
    EXPECT_FALSE(set.reset(0));
    EXPECT_FALSE(set.test(0));
    EXPECT_FALSE(set.set_range(0, 1));
    EXPECT_TRUE(set.set_range(0, 0));
    EXPECT_TRUE(set.none());
    EXPECT_EQ(set.first(), npos);
    EXPECT_EQ(set.find_next(npos), npos);
    EXPECT_TRUE(set.words(0).empty());
    EXPECT_TRUE(set.validate().sound());
    set.clear();
    EXPECT_EQ(set.size(), 0u);
}

TEST(HierarchicalBitset, has_levels_up_to_a_single_word) {
    EXPECT_EQ(set_of(1, {}).levels(), 2u);
    EXPECT_EQ(set_of(4096, {}).levels(), 2u);
    EXPECT_EQ(set_of(4097, {}).levels(), 3u);
    EXPECT_EQ(set_of(262144, {}).levels(), 3u);
    const HierarchicalBitset set = set_of(262145, {262144});
    ASSERT_EQ(set.levels(), 4u);
    EXPECT_EQ(set.words(0).size(), 4097u);
    EXPECT_EQ(set.words(1).size(), 65u);
    EXPECT_EQ(set.words(2).size(), 2u);
    EXPECT_EQ(set.words(3).size(), 1u);
    EXPECT_EQ(set.words(3)[0], 2u);
    EXPECT_EQ(set.bytes(), (4097u + 65 + 2 + 1) * 8);
}

TEST(HierarchicalBitset, grows_step_by_step_with_few_allocations) {
    CountingResource memory;
    HierarchicalBitset set(&memory);
    for (std::size_t size = 1; size <= 100000; ++size) {
        ASSERT_TRUE(set.resize(size));
        if (size % 7 == 0) set.set(size - 1);
    }
    EXPECT_EQ(set.count(), 100000u / 7);
    EXPECT_LT(memory.calls(), 30u);
}

TEST(HierarchicalBitset, visits_in_order_until_it_is_told_to_stop) {
    const HierarchicalBitset set = set_of(300000, {5, 63, 64, 4096, 299999});
    Indices seen;
    set.for_each([&](std::size_t i) {
        seen.push_back(i);
        return i != 64;
    });
    EXPECT_EQ(seen, (Indices{5, 63, 64}));
    seen.clear();
    set.for_each_in(6, 4097, [&](std::size_t i) { seen.push_back(i); });
    EXPECT_EQ(seen, (Indices{63, 64, 4096}));
}

TEST(HierarchicalBitset, moves_and_swaps_with_its_memory) {
    CountingResource memory;
    {
        HierarchicalBitset set(&memory), other(&memory);
        ASSERT_TRUE(set.resize(5000));
        ASSERT_TRUE(other.resize(10));
        set.set(4000);
        set.swap(other);
        EXPECT_EQ(elements(other), (Indices{4000}));
        EXPECT_EQ(set.size(), 10u);
        HierarchicalBitset third(std::move(other));
        EXPECT_EQ(elements(third), (Indices{4000}));
        EXPECT_EQ(other.size(), 0u);  // NOLINT(bugprone-use-after-move): it is an empty set
        set = std::move(third);
        EXPECT_EQ(elements(set), (Indices{4000}));
        EXPECT_EQ(memory.calls(), 2u);
        // A set that was moved from keeps its memory resource.
        for (HierarchicalBitset* emptied : {&other, &third}) ASSERT_TRUE(emptied->resize(700));
        EXPECT_EQ(memory.calls(), 4u);
    }
    EXPECT_EQ(memory.blocks_out(), 0u);
    EXPECT_FALSE(memory.misused());
}

TEST(HierarchicalBitset, is_as_it_was_when_memory_runs_out) {
    CountingResource memory;
    HierarchicalBitset set(&memory);
    memory.fail_after(0);
    EXPECT_FALSE(set.resize(1));
    EXPECT_EQ(set.size(), 0u);
    EXPECT_FALSE(set.set(0));
    memory.stop_failing();
    ASSERT_TRUE(set.resize(200));
    set.set_range(3, 199);
    memory.fail_after(0);
    for (const std::size_t size : {std::size_t{5000}, npos, npos - 63, npos / 2}) {
        EXPECT_FALSE(set.resize(size));
        EXPECT_EQ(set.size(), 200u);
        EXPECT_EQ(set.count(), 196u);
        EXPECT_FALSE(set.set(200));
    }
    EXPECT_TRUE(set.resize(1)) << "smaller needs no memory";
    EXPECT_TRUE(set.validate().sound());
}

TEST(HierarchicalBitset, walks_a_sparse_set_of_many_by_what_it_holds) {
    // A walk over every word of this set for every element would not end in a day.
    constexpr std::size_t size = 400'000'000;
    HierarchicalBitset set;
    ASSERT_TRUE(set.resize(size));
    for (int round = 0; round < 20000; ++round) {
        ASSERT_TRUE(set.set(0));
        ASSERT_TRUE(set.set(size - 1));
        ASSERT_EQ(set.find_next(1), size - 1);
        ASSERT_EQ(set.count(), 2u);
        set.clear();
        ASSERT_TRUE(set.none());
    }
}

// --- Planted corruption ------------------------------------------------------------------------------------

TEST(BitsetValidation, finds_a_coarse_bit_that_is_missing) {
    const HierarchicalBitset set = set_of(300000, {0, 70000});
    spoil(set, 1, 17, std::uint64_t{1} << (70000 / 64 % 64));
    const BitsetValidation found = set.validate();
    EXPECT_FALSE(found.sound());
    EXPECT_EQ(found.level, 1u);
    EXPECT_EQ(found.word, 17u);
    EXPECT_EQ(found.faults, 2u) << "the word is empty now, which the level above does not know";
}

TEST(BitsetValidation, finds_a_coarse_bit_over_nothing_on_every_level) {
    for (unsigned level = 1; level < 4; ++level) {
        const HierarchicalBitset set = set_of(300000, {0});
        spoil(set, level, 0, 2);
        const BitsetValidation found = set.validate();
        EXPECT_EQ(found.faults, 1u) << level;
        EXPECT_EQ(found.level, level);
        EXPECT_EQ(found.word, 0u);
    }
}

TEST(BitsetValidation, finds_a_bit_beyond_the_size) {
    const HierarchicalBitset set = set_of(100, {99});
    spoil(set, 0, 1, std::uint64_t{1} << 36);
    EXPECT_EQ(set.validate().faults, 1u);
    EXPECT_EQ(set.validate().word, 1u);
    HierarchicalBitset roomy = set_of(1000, {});
    ASSERT_TRUE(roomy.resize(10));
    spoil(roomy, 0, 9, 1);
    EXPECT_EQ(roomy.validate().word, 9u);
}

TEST(BitsetValidation, finds_a_coarse_bit_beyond_the_last_word) {
    const HierarchicalBitset set = set_of(100, {99});
    spoil(set, 1, 0, std::uint64_t{1} << 40);
    EXPECT_EQ(set.validate().faults, 1u);
    EXPECT_EQ(set.validate().level, 1u);
}

}  // namespace
}  // namespace throng::test
