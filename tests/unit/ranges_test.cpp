// The ranges of places in which two versions of a row differ.
#include "engine/src/store/spare_rows.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using detail::Ranges;

TEST(Ranges, that_are_closest_are_joined_first) {
    Ranges ranges;
    for (std::uint32_t k = 0; k < Ranges::max_ranges; ++k) ranges.add(1000 * k, 1000 * k + 10);
    ranges.add(3015, 3016);
    ASSERT_EQ(ranges.end() - ranges.begin(), std::ptrdiff_t{Ranges::max_ranges});
    EXPECT_EQ(ranges.begin()[3].begin, 3000u);
    EXPECT_EQ(ranges.begin()[3].end, 3016u);
}

}  // namespace
}  // namespace throng::test
