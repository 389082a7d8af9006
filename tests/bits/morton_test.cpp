#include "support/test.hpp"
#include "throng/detail/grid_axis.hpp"

namespace throng::detail {
namespace {

std::uint32_t bit_by_bit(std::uint32_t x, std::uint32_t y) {
    std::uint32_t place = 0;
    for (unsigned i = 0; i < 16; ++i) place |= (x >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1);
    return place;
}

TEST(Morton, order_visits_quadrant_after_quadrant) {
    const std::uint32_t places[4][4] = {{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}};
    for (std::uint32_t y = 0; y < 4; ++y)
        for (std::uint32_t x = 0; x < 4; ++x) EXPECT_EQ(interleaved(x, y), places[y][x]);
}

TEST(Morton, order_is_that_of_interleaving_bit_by_bit) {
    test::Random random(1);
    for (int i = 0; i < 10000; ++i) {
        const auto x = static_cast<std::uint32_t>(random.below(0x10000));
        const auto y = static_cast<std::uint32_t>(random.below(0x10000));
        ASSERT_EQ(interleaved(x, y), bit_by_bit(x, y)) << x << ", " << y;
    }
}

}  // namespace
}  // namespace throng::detail
