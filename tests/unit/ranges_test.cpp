// The ranges of places in which two versions of a row differ.
#include "engine/src/frame/spare_rows.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using detail::Ranges;

std::vector<std::uint32_t> numbers_in(const Ranges& ranges) {
    std::vector<std::uint32_t> numbers;
    for (const Ranges::Range& range : ranges)
        for (std::uint32_t i = range.begin; i < range.end; ++i) numbers.push_back(i);
    return numbers;
}

TEST(Ranges, are_what_was_added_while_they_are_few) {
    Random random(3);
    for (std::size_t round = 0; round < 200; ++round) {
        Ranges ranges;
        std::vector<bool> added(400);
        for (std::uint32_t k = 0; k < Ranges::most; ++k) {
            const auto from = static_cast<std::uint32_t>(random.below(380));
            const auto to = from + static_cast<std::uint32_t>(random.below(20));
            ranges.add(from, to);
            std::fill(added.begin() + from, added.begin() + to, true);
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < added.size(); ++i)
                if (added[i]) expected.push_back(i);
            ASSERT_EQ(numbers_in(ranges), expected);
        }
    }
}

TEST(Ranges, lose_nothing_when_they_become_too_many) {
    Random random(4);
    for (std::size_t round = 0; round < 200; ++round) {
        Ranges ranges;
        std::vector<std::uint32_t> added;
        for (std::uint32_t k = 0; k < 5 * Ranges::most; ++k) {
            const auto from = static_cast<std::uint32_t>(random.below(100000));
            ranges.add(from, from + 2);
            added.insert(added.end(), {from, from + 1});
            ASSERT_LE(ranges.end() - ranges.begin(), std::ptrdiff_t{Ranges::most});
            for (const auto* at = ranges.begin(); at + 1 < ranges.end(); ++at)
                ASSERT_LT(at->end, at[1].begin);
        }
        for (const std::uint32_t number : added)
            ASSERT_TRUE(std::any_of(ranges.begin(), ranges.end(), [number](const Ranges::Range& range) {
                return range.begin <= number && number < range.end;
            }));
    }
}

TEST(Ranges, that_are_closest_are_joined_first) {
    Ranges ranges;
    for (std::uint32_t k = 0; k < Ranges::most; ++k) ranges.add(1000 * k, 1000 * k + 10);
    ranges.add(3015, 3016);
    ASSERT_EQ(ranges.end() - ranges.begin(), std::ptrdiff_t{Ranges::most});
    EXPECT_EQ(ranges.begin()[3].begin, 3000u);
    EXPECT_EQ(ranges.begin()[3].end, 3016u);
}

}  // namespace
}  // namespace throng::test
