// The one step from a coordinate to a cell, on which every grid and tree relies.
#include "throng/detail/grid_axis.hpp"
#include "support/test.hpp"

namespace throng::test {
namespace {

using detail::bin;

// From the lowest to the highest float: neighbours, numbers of every size, both zeros and both infinities.
template <class Float>
std::vector<Float> coordinates() {
    using Limits = std::numeric_limits<Float>;
    std::vector<Float> some{0, 1, Limits::denorm_min(), Limits::min(), Limits::max(), Limits::infinity()};
    Random random(1);
    for (int i = 0; i < 300; ++i) {
        const Float value = Float(random.uniform(1, 2)) * std::exp2(Float(random.below(240)) - 120);
        some.push_back(value);
        some.push_back(std::nextafter(value, Limits::infinity()));
    }
    const std::size_t positive = some.size();
    for (std::size_t i = 0; i < positive; ++i) some.push_back(-some[i]);
    std::sort(some.begin(), some.end());
    return some;
}

template <class Float>
void expect_order(Float origin, Float scale, Float last) {
    std::uint32_t before = 0;
    for (const Float value : coordinates<Float>()) {
        const std::uint32_t cell = bin(value, origin, scale, last);
        ASSERT_LE(before, cell) << value << " from " << origin << " by " << scale;
        ASSERT_LE(cell, static_cast<std::uint32_t>(last));
        before = cell;
    }
}

TEST(Bin, keeps_the_order_of_all_coordinates) {
    for (const float origin : {0.0f, -0.0f, 1.5f, -1e-30f, 3e7f, -3e38f, 3e38f})
        for (const float scale : {1e-38f, 1e-3f, 0.7f, 1.0f, 12345.678f, 3e38f})
            for (const float last : {0.0f, 1.0f, 65519.0f}) {
                expect_order<float>(origin, scale, last);
                expect_order<double>(double{origin}, double{scale}, double{last});
            }
}

TEST(Bin, cuts_where_it_is_said_to) {
    for (std::uint32_t cell = 0; cell < 100; ++cell) {
        const auto from = static_cast<float>(10 + 4 * cell);
        EXPECT_EQ(bin(from, 10, 0.25f, 99), cell);
        EXPECT_EQ(bin(std::nextafter(from, 1000.0f), 10, 0.25f, 99), cell);
        EXPECT_EQ(bin(std::nextafter(from + 4, 0.0f), 10, 0.25f, 99), cell);
    }
}

TEST(Bin, has_all_that_lies_outside_in_its_outermost_cells) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (const float below : {9.0f, -3e38f, -infinity}) EXPECT_EQ(bin(below, 10, 0.25f, 99), 0u);
    for (const float above : {411.0f, 3e38f, infinity}) EXPECT_EQ(bin(above, 10, 0.25f, 99), 99u);
}

TEST(Bin, takes_no_number_for_the_first_cell) {
    EXPECT_EQ(bin(std::numeric_limits<float>::infinity(), 0, 0, 99), 0u);
    EXPECT_EQ(bin(std::numeric_limits<double>::quiet_NaN(), 0, 1, 99), 0u);
}

}  // namespace
}  // namespace throng::test
